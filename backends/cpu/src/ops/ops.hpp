// SPDX-License-Identifier: Apache-2.0
// The ops: one function for each family, and the list that the host gets.
#pragma once

#include "instance.hpp"

namespace device_api::cpu {

da_status run_unary(dab_instance* self, const dab_call* call);
da_status run_binary(dab_instance* self, const dab_call* call);
da_status run_where(dab_instance* self, const dab_call* call);
da_status run_cast(dab_instance* self, const dab_call* call);
da_status run_copy(dab_instance* self, const dab_call* call);
da_status run_fill(dab_instance* self, const dab_call* call);
da_status run_iota(dab_instance* self, const dab_call* call);
da_status run_sum(dab_instance* self, const dab_call* call);
da_status run_max(dab_instance* self, const dab_call* call);
da_status run_argmax(dab_instance* self, const dab_call* call);
da_status run_matmul(dab_instance* self, const dab_call* call);
da_status run_take_along_axis(dab_instance* self, const dab_call* call);
da_status run_index_accumulate(dab_instance* self, const dab_call* call);
da_status run_random_bits(dab_instance* self, const dab_call* call);

da_status op_table(dab_instance* self, int32_t device, const dab_op** ops, uint32_t* count,
                   uint32_t* stride);

// An error for a type that an op does not take.
da_status unsupported(const dab_call* call);

} // namespace device_api::cpu
