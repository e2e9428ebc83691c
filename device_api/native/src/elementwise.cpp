// SPDX-License-Identifier: Apache-2.0
// Elementwise ops on tensors: promotion, broadcasting and the short way for the common case.
#include "elementwise.hpp"

using namespace device_api::core;

// Runs into a fresh result or, when `out` is set, into that tensor.
static da_status run_binary(uint16_t op, Tensor* a, Tensor* b, Tensor** out) {
    const int common = promote(a->dtype, b->dtype);
    if (common < 0) return no_common_type(op, a->dtype, b->dtype);
    op = substitute(op, common);
    const OpInfo& info = op_info(op);
    if (da_status status = same_device(op, *a, *b)) return status;
    const int dtype = compute_dtype(info, common);
    if (dtype < 0) return no_such_type(op, common);
    Shape shape;
    if (da_status status = broadcast_shapes({a, b}, &shape)) return annotate(status, op, a->device);
    Owned cast_a, cast_b;
    Tensor* inputs[2] = {in_dtype(a, static_cast<uint16_t>(dtype), cast_a),
                         in_dtype(b, static_cast<uint16_t>(dtype), cast_b)};
    if (!inputs[0] || !inputs[1]) return last_status();
    Owned result(new_result(*a, shape, result_dtype(info, static_cast<uint16_t>(dtype)), op));
    if (!result) return last_status();
    if (da_status status = run_elementwise(op, *a->device, inputs, 2, *result.get())) {
        return status;
    }
    *out = result.pass();
    return DA_OK;
}

da_status dah_unary(uint16_t op, dah_tensor* x, dah_tensor** out) {
    if (op_info(op).kind != DA_KIND_UNARY) return fail(DA_INVALID_ARGUMENT, "not a unary op");
    op = substitute(op, x->dtype);
    const OpInfo& info = op_info(op);
    if (x->contiguous && in(info.dtypes, x->dtype)) {
        Tensor* result = new_like(*x, result_dtype(info, x->dtype), current_stream(*x->device), op);
        if (!result) return annotate(last_status(), op, x->device);
        da_status status;
        if (short_way(op, &x, 1, *result, &status)) {
            if (status)
                release(result);
            else
                *out = result;
            return status;
        }
        release(result);
    }
    da_status trivial;
    if (trivial_unary(op, x, out, &trivial)) return trivial;
    const int dtype = compute_dtype(info, x->dtype);
    if (dtype < 0) return no_such_type(op, x->dtype);
    Owned cast, result;
    Tensor* input = in_dtype(x, static_cast<uint16_t>(dtype), cast);
    if (!input) return last_status();
    Shape shape;
    broadcast_shapes({x}, &shape);
    result.reset(new_result(*x, shape, result_dtype(info, static_cast<uint16_t>(dtype)), op));
    if (!result) return last_status();
    if (da_status status = run_elementwise(op, *x->device, &input, 1, *result.get())) {
        return status;
    }
    *out = result.pass();
    return DA_OK;
}

da_status dah_binary(uint16_t op, dah_tensor* a, dah_tensor* b, dah_tensor** out) {
    const OpInfo& info = op_info(op);
    if (info.n_inputs != 2 || info.kind > DA_KIND_LOGICAL) {
        return fail(DA_INVALID_ARGUMENT, "not a binary op");
    }
    if (a->dtype == b->dtype && a->device == b->device && a->contiguous && b->contiguous &&
        in(info.dtypes, a->dtype)) {
        const uint16_t dtype = result_dtype(info, a->dtype);
        da_status status;
        if (!same_shape(*a, *b)) {
            return broadcast_way(op, a, b, dtype, out, &status) ? status
                                                                : run_binary(op, a, b, out);
        }
        Tensor* result = new_like(*a, dtype, current_stream(*a->device), op);
        if (!result) return annotate(last_status(), op, a->device);
        Tensor* inputs[2] = {a, b};
        if (short_way(op, inputs, 2, *result, &status)) {
            if (status)
                release(result);
            else
                *out = result;
            return status;
        }
        release(result);
    }
    return run_binary(op, a, b, out);
}

da_status dah_where(dah_tensor* condition, dah_tensor* a, dah_tensor* b, dah_tensor** out) {
    if (da_status status = same_device(DA_OP_WHERE, *condition, *a)) return status;
    if (da_status status = same_device(DA_OP_WHERE, *a, *b)) return status;
    const int dtype = promote(a->dtype, b->dtype);
    if (dtype < 0) return no_common_type(DA_OP_WHERE, a->dtype, b->dtype);
    if (condition->dtype != DA_BOOL) {
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_DTYPE,
                    std::string("the condition of 'where' is of type bool, not ") +
                        dtype_name(condition->dtype),
                    "compare first, e.g. x != 0");
    }
    Shape shape;
    if (da_status status = broadcast_shapes({condition, a, b}, &shape)) return status;
    Owned cast_a, cast_b;
    const auto type = static_cast<uint16_t>(dtype);
    Tensor* inputs[3] = {condition, in_dtype(a, type, cast_a), in_dtype(b, type, cast_b)};
    if (!inputs[1] || !inputs[2]) return last_status();
    Owned result(new_result(*a, shape, type, DA_OP_WHERE));
    if (!result) return last_status();
    da_status status = run_elementwise(DA_OP_WHERE, *a->device, inputs, 3, *result.get());
    if (!status) *out = result.pass();
    return status;
}

da_status dah_cast(dah_tensor* x, uint16_t dtype, int32_t copy, dah_tensor** out) {
    if (dtype >= DA_DTYPE_COUNT) return fail(DA_INVALID_ARGUMENT, "no such data type");
    if (x->dtype == dtype) {
        if (copy) return dah_contiguous(x, 1, out);
        retain(x);
        *out = x;
        return DA_OK;
    }
    if (da_status status = check_cast(x->dtype, dtype)) return status;
    Owned result;
    if (!in_dtype(x, dtype, result)) return last_status();
    *out = result.pass();
    return DA_OK;
}

da_status dah_contiguous(dah_tensor* x, int32_t copy, dah_tensor** out) {
    if (x->contiguous && !copy) {
        retain(x);
        *out = x;
        return DA_OK;
    }
    Shape shape;
    broadcast_shapes({x}, &shape);
    Owned result(new_result(*x, shape, x->dtype, DA_OP_COPY));
    if (!result) return last_status();
    if (da_status status = run_elementwise(DA_OP_COPY, *x->device, &x, 1, *result.get())) {
        return status;
    }
    *out = result.pass();
    return DA_OK;
}
