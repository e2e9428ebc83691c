// SPDX-License-Identifier: Apache-2.0
// Ops that a device lacks, made of others on the same device.
#include "compose.hpp"

#include "error.hpp"

namespace device_api::core {
namespace {

// A new dense bool operand of the call's shape, in place of operand `k`.
bool replace(Call& call, int k, Owned& owned) {
    const da_tensor& out = call.tensors[call.n_inputs];
    owned.reset(new_tensor(*call.device, DA_BOOL, out.rank, out.shape, call.stream, call.op));
    if (owned) operand(call, k, *owned.get());
    return bool(owned);
}

// The same operands to a new result.
da_status part(const Call& call, uint16_t op, Owned& result) {
    Call first = call;
    first.op = op;
    return replace(first, call.n_inputs, result) ? execute(first) : last_status();
}

da_status not_equal(Call& call) {
    Owned equal;
    if (da_status status = part(call, DA_OP_EQUAL, equal)) return status;
    Call last{call.device, call.stream, DA_OP_LOGICAL_NOT, 1, {}, {}, nullptr};
    operand(last, 0, *equal.get());
    last.tensors[1] = call.tensors[2];
    last.blocks[1] = call.blocks[2];
    return execute(last);
}

// Not the negation of greater, which is wrong for NaN.
da_status less_equal(Call& call) {
    Owned less, equal;
    if (da_status status = part(call, DA_OP_LESS, less)) return status;
    if (da_status status = part(call, DA_OP_EQUAL, equal)) return status;
    Call last = call;
    last.op = DA_OP_LOGICAL_OR;
    operand(last, 0, *less.get());
    operand(last, 1, *equal.get());
    return execute(last);
}

bool has(const Call& call, uint16_t op) {
    const dab_op& entry = call.device->ops[op];
    return entry.op && ((entry.dtypes >> call.tensors[0].dtype) & 1);
}

} // namespace

da_status compose(Call& call) {
    if (call.op == DA_OP_NOT_EQUAL && has(call, DA_OP_EQUAL)) return not_equal(call);
    if (call.op == DA_OP_LESS_EQUAL && has(call, DA_OP_EQUAL) && has(call, DA_OP_LESS)) {
        return less_equal(call);
    }
    return DA_NOT_SUPPORTED;
}

} // namespace device_api::core
