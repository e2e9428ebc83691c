// SPDX-License-Identifier: Apache-2.0
// The list of ops that the host gets: those of the op table that have a function here.
#include <vector>

#include "ops/ops.hpp"

namespace device_api::cpu {
namespace {

// Kinds that one function serves; the others are looked up by op (structured.cpp).
Family family(const Kernels& kernels, da_op_kind kind, da_op op) {
    constexpr uint32_t elementwise = DAB_OP_STRIDED | DAB_OP_IN_PLACE | DAB_OP_IMMEDIATE;
    switch (kind) {
    case DA_KIND_UNARY: return {run_unary, elementwise, types_with_loops(kernels, op)};
    case DA_KIND_ACTIVATION: return {run_activation, elementwise, types_with_loops(kernels, op)};
    case DA_KIND_BINARY:
    case DA_KIND_COMPARE:
    case DA_KIND_LOGICAL: return {run_binary, elementwise, types_with_loops(kernels, op)};
    case DA_KIND_SELECT: return {run_where, elementwise, kAllTypes};
    case DA_KIND_CAST: return {run_cast, elementwise, kAllTypes};
    case DA_KIND_COPY: return {run_copy, elementwise, kAllTypes};
    case DA_KIND_FILL: return {run_fill, DAB_OP_STRIDED, kAllTypes};
    case DA_KIND_IOTA: return {run_iota, DAB_OP_STRIDED, kAllTypes};
    case DA_KIND_MATMUL: return {run_matmul, DAB_OP_STRIDED, kAllTypes};
    case DA_KIND_GATHER: return {run_take_along_axis, DAB_OP_STRIDED, kAllTypes};
    case DA_KIND_RANDOM: return {run_random_bits, DAB_OP_STRIDED, kAllTypes};
    default: return structured_family(op);
    }
}

struct Row {
    da_op op;
    uint16_t version;
    da_op_kind kind;
    da_dtype_mask types, others;
};

#define X(id, NAME, name, version, KIND, inputs, attributes, key, types, RESULT, others, core)     \
    {DA_OP_##NAME, version, DA_KIND_##KIND, types, others},
constexpr Row kRows[] = {DA_OPS(X)};
#undef X

std::vector<dab_op> present(const Kernels& kernels) {
    std::vector<dab_op> ops;
    for (const Row& row : kRows) {
        const Family f = family(kernels, row.kind, row.op);
        dab_op op = {};
        op.size = sizeof op;
        op.op = uint16_t(row.op);
        op.version = row.version;
        op.flags = f.flags;
        op.dtypes = row.types & f.types;
        op.others = row.kind == DA_KIND_CAST ? row.others & f.types : row.others;
        op.run = f.run;
        if (f.run && op.dtypes) ops.push_back(op);
    }
    return ops;
}

} // namespace

da_status op_table(dab_instance* self, int32_t device, const dab_op** ops, uint32_t* count,
                   uint32_t* stride) {
    if (device != 0)
        return fail(DA_INVALID_ARGUMENT, "the only CPU device has number 0",
                    "there is no CPU device %d", int(device));
    static const std::vector<dab_op> table = present(*self->kernels);
    *ops = table.data();
    *count = uint32_t(table.size());
    *stride = sizeof table[0];
    return DA_OK;
}

} // namespace device_api::cpu
