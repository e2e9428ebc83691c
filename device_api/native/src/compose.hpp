// SPDX-License-Identifier: Apache-2.0
// Ops that a device lacks, made of others on the same device.
#pragma once

#include "dispatch.hpp"

namespace device_api::core {

// Runs the call by a composite; DA_NOT_SUPPORTED where there is none that the device can run. Then
// `why` says so where the reason is a circle of composites, and stays as it is otherwise.
da_status compose(Call& call, std::string* why);

// Operand `k` as a tensor; an immediate takes the output's shape. NULL with the error set.
Tensor* as_tensor(const Call& call, int k);

} // namespace device_api::core
