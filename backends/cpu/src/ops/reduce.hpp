// SPDX-License-Identifier: Apache-2.0
// Reduction of a tensor over a set of axes, by the loops of one reduction and one type.
#pragma once

#include "instance.hpp"
#include "ops/layout.hpp"

namespace device_api::cpu {

// One accumulator; integers use the low bytes, the rest is zero.
union Accumulator {
    uint64_t u;
    double f;
    char bytes[8];
};

struct ReduceJob {
    const dab_instance* self;
    Reduction how;
    unsigned type; // of the loops
    unsigned out_type;
    Map1 load = nullptr; // to the loops' type, where the input has another
    ReduceRow row;
    ReduceColumns columns;
    Nest kept;    // operands: input, output
    Nest reduced; // operand: input
    int width;    // of the input
    const char* in;
    char* out;

    bool floating() const { return type == DA_FLOAT32 || type == DA_FLOAT64; }
    // Sums and products of floating types are held in float64.
    bool doubles() const { return floating() && (how == kSum || how == kProd); }
    const char* at(int64_t offset) const { return in + offset * (int64_t(1) << width); }
    int64_t length() const { return reduced.rank ? reduced.shape[reduced.rank - 1] : 1; }
    int64_t step() const { return reduced.rank ? reduced.stride[reduced.rank - 1][0] : 1; }
};

// Fills in everything but `load`; `type` is the one of the loops.
ReduceJob reduce_job(const dab_instance* self, Reduction how, unsigned type, const da_tensor& in,
                     const da_tensor& out, uint64_t axes);
da_status reduce(ReduceJob& job);

// Elements from which one output is reduced in parts, by several tasks.
constexpr int64_t kReducePart = 1 << 18;

} // namespace device_api::cpu
