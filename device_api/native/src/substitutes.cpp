// SPDX-License-Identifier: Apache-2.0
// Ops on types that the op table leaves out, where the array API defines them nevertheless.
#include "elementwise.hpp"

namespace device_api::core {
namespace {

struct Substitute {
    uint16_t op;
    char kind; // of the operands' type
    uint16_t instead;
};
const Substitute substitutes[] = {
    {DA_OP_ABS, 'c', DA_OP_MAGNITUDE},           {DA_OP_BITWISE_NOT, 'b', DA_OP_LOGICAL_NOT},
    {DA_OP_BITWISE_AND, 'b', DA_OP_LOGICAL_AND}, {DA_OP_BITWISE_OR, 'b', DA_OP_LOGICAL_OR},
    {DA_OP_BITWISE_XOR, 'b', DA_OP_NOT_EQUAL},
};

enum class Result { copy, zeros, no, yes };
struct Trivial {
    uint16_t op;
    const char* kinds;
    Result result;
};
const Trivial trivial[] = {
    {DA_OP_FLOOR, "biu", Result::copy},   {DA_OP_CEIL, "biu", Result::copy},
    {DA_OP_TRUNC, "biu", Result::copy},   {DA_OP_ROUND, "biu", Result::copy},
    {DA_OP_ISNAN, "biu", Result::no},     {DA_OP_ISINF, "biu", Result::no},
    {DA_OP_ISFINITE, "biu", Result::yes}, {DA_OP_REAL, "biuf", Result::copy},
    {DA_OP_CONJ, "biuf", Result::copy},   {DA_OP_IMAG, "biuf", Result::zeros},
};

} // namespace

uint16_t substitute(uint16_t op, int dtype) {
    if (dtype < 0 || ((op_info(op).dtypes >> dtype) & 1)) return op;
    for (const Substitute& s : substitutes) {
        if (s.op == op && dtype_kind(static_cast<uint16_t>(dtype)) == s.kind) return s.instead;
    }
    return op;
}

bool trivial_unary(uint16_t op, Tensor* x, Tensor** out, da_status* status) {
    for (const Trivial& t : trivial) {
        if (t.op != op || !std::strchr(t.kinds, dtype_kind(x->dtype))) continue;
        if (t.result == Result::copy) {
            *status = dah_contiguous(x, 1, out);
            return true;
        }
        dah_scalar value{{}, 'b'};
        value.value.u = t.result == Result::yes;
        const uint16_t dtype = t.result == Result::zeros ? x->dtype : uint16_t{DA_BOOL};
        *status = dah_full(x->device->handle, dtype, x->rank, x->shape, &value, out);
        return true;
    }
    return false;
}

} // namespace device_api::core
