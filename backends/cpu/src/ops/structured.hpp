// SPDX-License-Identifier: Apache-2.0
// Ops that are not elementwise: one function for each.
#pragma once

#include "ops/ops.hpp"

namespace device_api::cpu {

da_status run_reduction(dab_instance* self, const dab_call* call);   // sum prod max min
da_status run_truth(dab_instance* self, const dab_call* call);       // any all
da_status run_arg_extreme(dab_instance* self, const dab_call* call); // argmax argmin

} // namespace device_api::cpu
