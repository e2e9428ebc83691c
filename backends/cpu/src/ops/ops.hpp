// SPDX-License-Identifier: Apache-2.0
// The ops: one function for each family, and the list that the host gets.
#pragma once

#include "instance.hpp"

namespace device_api::cpu {

using Run = da_status (*)(dab_instance*, const dab_call*);

constexpr da_dtype_mask kAllTypes = (da_dtype_mask(1) << DA_DTYPE_COUNT) - 1;
constexpr da_dtype_mask kComplexTypes = DA_DTYPE_BIT(DA_COMPLEX64) | DA_DTYPE_BIT(DA_COMPLEX128);
constexpr da_dtype_mask kRealTypes = kAllTypes & ~kComplexTypes;

// What serves an op: a function (NULL: none yet), flags of dab_op, and the types of the key operand
// that it takes of those in the op table.
struct Family {
    Run run;
    uint32_t flags;
    da_dtype_mask types;
};
Family structured_family(da_op op);
// Types for which an elementwise op has loops.
da_dtype_mask types_with_loops(const Kernels& kernels, da_op op);

da_status run_unary(dab_instance* self, const dab_call* call);
da_status run_activation(dab_instance* self, const dab_call* call);
da_status run_binary(dab_instance* self, const dab_call* call);
da_status run_where(dab_instance* self, const dab_call* call);
da_status run_cast(dab_instance* self, const dab_call* call);
da_status run_copy(dab_instance* self, const dab_call* call);
da_status run_fill(dab_instance* self, const dab_call* call);
da_status run_iota(dab_instance* self, const dab_call* call);
da_status run_matmul_complex(dab_instance* self, const dab_call* call);
da_status run_matmul(dab_instance* self, const dab_call* call);
da_status run_take_along_axis(dab_instance* self, const dab_call* call);
da_status run_index_accumulate(dab_instance* self, const dab_call* call);
da_status run_random_bits(dab_instance* self, const dab_call* call);

da_status op_table(dab_instance* self, int32_t device, const dab_op** ops, uint32_t* count,
                   uint32_t* stride);

// An error for a type that an op does not take.
da_status unsupported(const dab_call* call);

} // namespace device_api::cpu
