// SPDX-License-Identifier: Apache-2.0
// The list of ops: all of the op table, for every type that it names, with any strides.
#include "ops/layout.hpp"
#include "ops/ops.hpp"

namespace device_api::cpu {
namespace {

using Run = da_status (*)(dab_instance*, const dab_call*);

struct Family {
    Run run;
    uint32_t flags;
};

constexpr uint32_t kElementwise = DAB_OP_STRIDED | DAB_OP_IN_PLACE | DAB_OP_IMMEDIATE;

// One function by kind, but for the two reductions.
constexpr Family family(da_op_kind kind, da_op op) {
    switch (kind) {
    case DA_KIND_UNARY: return {run_unary, kElementwise};
    case DA_KIND_BINARY:
    case DA_KIND_COMPARE:
    case DA_KIND_LOGICAL: return {run_binary, kElementwise};
    case DA_KIND_SELECT: return {run_where, kElementwise};
    case DA_KIND_CAST: return {run_cast, kElementwise};
    case DA_KIND_COPY: return {run_copy, kElementwise};
    case DA_KIND_FILL: return {run_fill, DAB_OP_STRIDED};
    case DA_KIND_IOTA: return {run_iota, DAB_OP_STRIDED};
    case DA_KIND_REDUCE: return {op == DA_OP_SUM ? run_sum : run_max, DAB_OP_STRIDED};
    case DA_KIND_ARG_REDUCE: return {run_argmax, DAB_OP_STRIDED};
    case DA_KIND_MATMUL: return {run_matmul, DAB_OP_STRIDED};
    case DA_KIND_GATHER: return {run_take_along_axis, DAB_OP_STRIDED};
    case DA_KIND_SCATTER: return {run_index_accumulate, DAB_OP_STRIDED};
    case DA_KIND_RANDOM: return {run_random_bits, DAB_OP_STRIDED};
    }
    return {nullptr, 0};
}

#define X(id, NAME, name, version, KIND, inputs, attributes, key, types, RESULT, others, core)     \
    {sizeof(dab_op),                                                                               \
     id,                                                                                           \
     version,                                                                                      \
     family(DA_KIND_##KIND, DA_OP_##NAME).flags,                                                   \
     0,                                                                                            \
     types,                                                                                        \
     others,                                                                                       \
     family(DA_KIND_##KIND, DA_OP_##NAME).run,                                                     \
     nullptr,                                                                                      \
     nullptr,                                                                                      \
     nullptr},
constexpr dab_op kOps[] = {DA_OPS(X)};
#undef X

} // namespace

da_status op_table(dab_instance*, int32_t device, const dab_op** ops, uint32_t* count,
                   uint32_t* stride) {
    if (device != 0)
        return fail(DA_INVALID_ARGUMENT, "the only CPU device has number 0",
                    "there is no CPU device %d", int(device));
    *ops = kOps;
    *count = sizeof kOps / sizeof kOps[0];
    *stride = sizeof kOps[0];
    return DA_OK;
}

} // namespace device_api::cpu
