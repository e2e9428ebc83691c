// SPDX-License-Identifier: Apache-2.0
// Ops that are not elementwise: one function for each.
#pragma once

#include "ops/ops.hpp"

namespace device_api::cpu {

da_status run_reduction(dab_instance* self, const dab_call* call);   // sum prod max min
da_status run_truth(dab_instance* self, const dab_call* call);       // any all
da_status run_arg_extreme(dab_instance* self, const dab_call* call); // argmax argmin
da_status run_scan(dab_instance* self, const dab_call* call);        // cumsum cumprod
da_status run_sort(dab_instance* self, const dab_call* call);        // sort argsort topk
da_status run_searchsorted(dab_instance* self, const dab_call* call);
da_status run_put_along_axis(dab_instance* self, const dab_call* call);
da_status run_softmax(dab_instance* self, const dab_call* call); // softmax log_softmax
da_status run_norm(dab_instance* self, const dab_call* call);    // layer_norm rms_norm
da_status run_convolution(dab_instance* self, const dab_call* call);
da_status run_pool(dab_instance* self, const dab_call* call); // max_pool avg_pool

// Whether the axis is one of the first input.
da_status check_axis(const dab_call* call, int64_t axis);

} // namespace device_api::cpu
