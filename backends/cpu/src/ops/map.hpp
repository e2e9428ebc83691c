// SPDX-License-Identifier: Apache-2.0
// Elementwise work over operands of any layout, built from loops over dense elements.
#pragma once

#include "instance.hpp"
#include "ops/layout.hpp"

namespace device_api::cpu {

// out = store(compute(load(in0), load(in1), ...)); a load or store that is not needed is NULL.
struct MapSteps {
    int inputs = 0;
    Map1 load[3] = {};
    Map1 compute1 = nullptr;                    // the one for `inputs`
    MapAttributes compute_attributes = nullptr; // in place of compute1, with `attributes`
    const double* attributes = nullptr;
    Map2 compute2 = nullptr;
    Map3 compute3 = nullptr;
    Map1 store = nullptr;
    // Loops for large outputs in place of compute1 .. compute3, where the table has them.
    Map1 stream1 = nullptr;
    Map2 stream2 = nullptr;
    Map3 stream3 = nullptr;
    bool costly = false; // worth several threads earlier
};

// tensors[0] is the output.
void map(dab_instance* self, const MapSteps& steps, const da_tensor* const* tensors);

// Work of fewer elements than this is not split over threads.
constexpr int64_t kParallelElements = 1 << 17;
constexpr int64_t kParallelElementsCostly = 1 << 14;
// Results of this size do not fit the caches with the inputs: they are written past them.
constexpr int64_t kStreamBytes = 12 << 20;

// Makes stores that bypass the caches visible to other threads.
inline void stream_fence() {
#if defined(__x86_64__)
    __builtin_ia32_sfence();
#endif
}

} // namespace device_api::cpu
