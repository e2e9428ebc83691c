// SPDX-License-Identifier: Apache-2.0
// Common to the functions that stand between the adapter and the simulated CANN.
#pragma once

#define CANN_DECLARE_PROTOTYPES
#include "device_api_npu/cann.h"
#include <cstdint>

#include "variants.hpp"

#define BETWEEN extern "C" __attribute__((visibility("default")))
/// The simulated CANN's own function.
#define REAL(name) broken::real<name##_fn>(#name)

namespace broken {

/// Which adapter this process plays: BROKEN_ADAPTER; "none" by default.
bool is(Variant v);
void* symbol(const char* name);
template <class F>
F real(const char* name) {
    return reinterpret_cast<F>(symbol(name));
}

/// Another stream of the same device that lives; the default stream when there is none.
aclrtStream other_stream(aclrtStream s);
/// Free what workspace_shared took on the current device.
void drop_workspace(std::int32_t device);

} // namespace broken
