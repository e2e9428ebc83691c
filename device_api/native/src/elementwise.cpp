// SPDX-License-Identifier: Apache-2.0
// Elementwise ops on tensors: promotion, broadcasting and the short way for the common case.
#include "dispatch.hpp"
#include "error.hpp"

namespace device_api::core {
namespace {

da_status last_status() { return static_cast<da_status>(dah_last_error()->status); }

bool in(da_dtype_mask mask, int dtype) { return dtype >= 0 && ((mask >> dtype) & 1); }

uint16_t result_dtype(const OpInfo &info, uint16_t dtype) {
    return info.result == DA_RESULT_BOOL ? static_cast<uint16_t>(DA_BOOL) : dtype;
}

da_status no_such_type(uint16_t op, int dtype) {
    const std::string name = op_info(op).name;
    const bool is_bool = dtype == DA_BOOL;
    fail(DA_INVALID_ARGUMENT, DAH_ERROR_DTYPE,
         "'" + name + "' has no meaning for " + dtype_name(static_cast<uint16_t>(dtype)),
         is_bool ? "cast to an integer type first, or use the logical functions"
                 : "cast with astype() first");
    return annotate(DA_INVALID_ARGUMENT, op, nullptr);
}

da_status no_common_type(uint16_t op, uint16_t a, uint16_t b) {
    fail(DA_INVALID_ARGUMENT, DAH_ERROR_DTYPE,
         std::string("no data type holds both ") + dtype_name(a) + " and " + dtype_name(b),
         "cast one of them with astype() first");
    return annotate(DA_INVALID_ARGUMENT, op, nullptr);
}

// The type that the op computes in when its operands are of type `dtype`; -1 when it has none.
int compute_dtype(const OpInfo &info, int dtype) {
    if (dtype < 0 || in(info.dtypes, dtype)) return dtype;
    if (info.dtypes == DA_DTYPE_BIT(DA_BOOL)) return dtype_kind(uint16_t(dtype)) == 'c' ? -1 : DA_BOOL;
    if (info.kind == DA_KIND_COMPARE && dtype == DA_BOOL) return DA_UINT8;
    if (!in(info.dtypes, DA_INT64) && dtype_kind(uint16_t(dtype)) != 'c') return default_float;
    return -1;
}

// `t` in that type: itself, or a cast held by `owned`.
Tensor *in_dtype(Tensor *t, uint16_t dtype, Owned &owned) {
    if (t->dtype == dtype) return t;
    owned.reset(new_tensor(*t->device, dtype, t->rank, t->shape, current_stream(*t->device),
                           DA_OP_CAST));
    if (!owned) return nullptr;
    if (run_elementwise(DA_OP_CAST, *t->device, &t, 1, *owned.get())) return nullptr;
    return owned.get();
}

da_status same_device(const Tensor &a, const Tensor &b) {
    if (a.device == b.device) return DA_OK;
    return fail(DA_INVALID_ARGUMENT, DAH_ERROR_DEVICE_MISMATCH,
                "the operands are on different devices: " + a.device->name() + " and " +
                    b.device->name(),
                "move one with to_device()");
}

bool same_shape(const Tensor &a, const Tensor &b) {
    if (a.rank != b.rank) return false;
    for (int i = 0; i < a.rank; ++i) {
        if (a.shape[i] != b.shape[i]) return false;
    }
    return true;
}

Tensor *new_result(const Tensor &like, const Shape &shape, uint16_t dtype, uint16_t op) {
    Tensor *t = new_tensor(*like.device, dtype, shape.rank, shape.sizes,
                           current_stream(*like.device), op);
    if (!t) annotate(last_status(), op, like.device);
    return t;
}

// The common case: dense operands of one type and shape, on a device that has the op.
// Returns false when it is another case.
inline bool short_way(uint16_t op, Tensor *const *inputs, int n, Tensor &out, da_status *status) {
    Device &device = *out.device;
    const dab_op &entry = device.ops[op];
    if (!entry.run || !in(entry.dtypes, inputs[0]->dtype) || out.size == 0) return false;
    const int64_t stride = 1;
    Call call;
    call.device = &device;
    call.stream = current_stream(device);
    call.op = op;
    call.n_inputs = n;
    call.attributes = nullptr;
    for (int k = 0; k <= n; ++k) {
        const Tensor &t = k < n ? *inputs[k] : out;
        da_tensor &d = call.tensors[k];
        d.data = t.data;
        d.storage = t.block->address;
        d.storage_bytes = t.block->size;
        d.shape = &out.size;
        d.strides = &stride;
        d.rank = 1;
        d.dtype = t.dtype;
        d.flags = DA_TENSOR_CONTIGUOUS;
        call.blocks[k] = t.block;
    }
    *status = run_native(call);
    if (*status == DA_NOT_SUPPORTED) return false;
    return true;
}

// Runs into a fresh result or, when `out` is set, into that tensor.
da_status run_binary(uint16_t op, Tensor *a, Tensor *b, Tensor **out) {
    const OpInfo &info = op_info(op);
    if (da_status status = same_device(*a, *b)) return status;
    const int common = promote(a->dtype, b->dtype);
    if (common < 0) return no_common_type(op, a->dtype, b->dtype);
    const int dtype = compute_dtype(info, common);
    if (dtype < 0) return no_such_type(op, common);
    Shape shape;
    if (da_status status = broadcast_shapes({a, b}, &shape)) return annotate(status, op, a->device);
    Owned cast_a, cast_b;
    Tensor *inputs[2] = {in_dtype(a, static_cast<uint16_t>(dtype), cast_a),
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

// A host scalar as a tensor of one element, for devices that take no immediates.
Tensor *scalar_tensor(Device &device, const dah_scalar &scalar, uint16_t dtype) {
    Tensor *t = nullptr;
    return dah_full(device.handle, dtype, 0, nullptr, &scalar, &t) ? nullptr : t;
}

da_status bad_scalar(uint16_t op, const dah_scalar &scalar, uint16_t dtype) {
    const std::string value = scalar.kind == 'u'   ? std::to_string(scalar.value.u)
                              : scalar.kind == 'f' ? std::to_string(scalar.value.f)
                                                   : std::to_string(scalar.value.i);
    fail(DA_INVALID_ARGUMENT, DAH_ERROR_DTYPE,
         "the number " + value + " does not fit into " + dtype_name(dtype),
         "cast the array with astype() to a wider type first");
    return annotate(DA_INVALID_ARGUMENT, op, nullptr);
}

// Runs op(a, scalar) or op(scalar, a), all in `dtype`, into `out`.
da_status run_scalar(uint16_t op, Tensor *a, const dah_scalar &scalar, bool first, uint16_t dtype,
                     Tensor &out) {
    Device &device = *a->device;
    alignas(16) char element[16];
    if (!store_scalar(scalar, dtype, element)) return bad_scalar(op, scalar, dtype);
    Tensor *inputs[2];
    inputs[first ? 1 : 0] = a;
    const dab_op &entry = device.ops[op];
    if (entry.op && (entry.flags & DAB_OP_IMMEDIATE) && in(entry.dtypes, dtype)) {
        return run_elementwise(op, device, inputs, 2, out, first ? 0 : 1, element, dtype);
    }
    Owned tensor(scalar_tensor(device, scalar, dtype));
    if (!tensor) return last_status();
    inputs[first ? 0 : 1] = tensor.get();
    return run_elementwise(op, device, inputs, 2, out);
}

bool same_view(const Tensor &a, const Tensor &b) {
    if (a.data != b.data || !same_shape(a, b)) return false;
    for (int i = 0; i < a.rank; ++i) {
        if (a.shape[i] != 1 && a.strides[i] != b.strides[i]) return false;
    }
    return true;
}

bool self_overlaps(const Tensor &t) {
    for (int i = 0; i < t.rank; ++i) {
        if (t.strides[i] == 0 && t.shape[i] > 1) return true;
    }
    return false;
}

da_status read_only_view(const Tensor &t) {
    fail(DA_INVALID_ARGUMENT, DAH_ERROR_SHAPE,
         "a broadcast view cannot be written: several of its elements are one",
         "copy it first, e.g. with asarray(x, copy=True)");
    return annotate(DA_INVALID_ARGUMENT, 0, t.device);
}

} // namespace

// Elements of `from` into `to`, of one type and shape after broadcasting, which may overlap.
static da_status copy_into(Tensor *from, Tensor &to) {
    Owned dense;
    if (from->block == to.block && from->block && !same_view(*from, to)) {
        if (dah_contiguous(from, 1, dense.out())) return last_status();
        from = dense.get();
    }
    const uint16_t op = from->dtype == to.dtype ? DA_OP_COPY : DA_OP_CAST;
    return run_elementwise(op, *to.device, &from, 1, to);
}

} // namespace device_api::core

using namespace device_api::core;

da_status dah_unary(uint16_t op, dah_tensor *x, dah_tensor **out) {
    const OpInfo &info = op_info(op);
    if (info.kind != DA_KIND_UNARY) return fail(DA_INVALID_ARGUMENT, "not a unary op");
    if (x->contiguous && in(info.dtypes, x->dtype)) {
        Tensor *result = new_tensor(*x->device, result_dtype(info, x->dtype), x->rank, x->shape,
                                    current_stream(*x->device), op);
        if (!result) return annotate(last_status(), op, x->device);
        da_status status;
        if (short_way(op, &x, 1, *result, &status)) {
            if (status) release(result);
            else *out = result;
            return status;
        }
        release(result);
    }
    const int dtype = compute_dtype(info, x->dtype);
    if (dtype < 0) return no_such_type(op, x->dtype);
    if (op == DA_OP_FLOOR && dtype != x->dtype) return dah_contiguous(x, 1, out);
    Owned cast, result;
    Tensor *input = in_dtype(x, static_cast<uint16_t>(dtype), cast);
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

da_status dah_binary(uint16_t op, dah_tensor *a, dah_tensor *b, dah_tensor **out) {
    const OpInfo &info = op_info(op);
    if (info.n_inputs != 2 || info.kind > DA_KIND_LOGICAL) {
        return fail(DA_INVALID_ARGUMENT, "not a binary op");
    }
    if (a->dtype == b->dtype && a->device == b->device && a->contiguous && b->contiguous &&
        same_shape(*a, *b) && in(info.dtypes, a->dtype)) {
        Tensor *result = new_tensor(*a->device, result_dtype(info, a->dtype), a->rank, a->shape,
                                    current_stream(*a->device), op);
        if (!result) return annotate(last_status(), op, a->device);
        Tensor *inputs[2] = {a, b};
        da_status status;
        if (short_way(op, inputs, 2, *result, &status)) {
            if (status) release(result);
            else *out = result;
            return status;
        }
        release(result);
    }
    return run_binary(op, a, b, out);
}

da_status dah_binary_scalar(uint16_t op, dah_tensor *a, const dah_scalar *b, int32_t first,
                            dah_tensor **out) {
    const OpInfo &info = op_info(op);
    if (info.n_inputs != 2) return fail(DA_INVALID_ARGUMENT, "not a binary op");
    const int common = promote_scalar(a->dtype, b->kind);
    const int dtype = compute_dtype(info, common);
    if (dtype < 0) return no_such_type(op, common);
    Owned cast;
    Tensor *input = in_dtype(a, static_cast<uint16_t>(dtype), cast);
    if (!input) return last_status();
    Shape shape;
    broadcast_shapes({a}, &shape);
    Owned result(new_result(*a, shape, result_dtype(info, static_cast<uint16_t>(dtype)), op));
    if (!result) return last_status();
    da_status status =
        run_scalar(op, input, *b, first, static_cast<uint16_t>(dtype), *result.get());
    if (!status) *out = result.pass();
    return status;
}

da_status dah_binary_inplace(uint16_t op, dah_tensor *a, dah_tensor *b, const dah_scalar *scalar) {
    const OpInfo &info = op_info(op);
    if (info.n_inputs != 2) return fail(DA_INVALID_ARGUMENT, "not a binary op");
    if (self_overlaps(*a)) return read_only_view(*a);
    const int common = b ? promote(a->dtype, b->dtype) : promote_scalar(a->dtype, scalar->kind);
    const int dtype = compute_dtype(info, common);
    const bool keeps = dtype == a->dtype && result_dtype(info, a->dtype) == a->dtype;
    if (!keeps) {
        fail(DA_INVALID_ARGUMENT, DAH_ERROR_DTYPE,
             std::string("the result of '") + info.name + "' does not fit into " +
                 dtype_name(a->dtype) + " in place",
             "write x = x op y, or cast first");
        return annotate(DA_INVALID_ARGUMENT, op, a->device);
    }
    Device &device = *a->device;
    const dab_op &entry = device.ops[op];
    const bool direct = entry.op && (entry.flags & DAB_OP_IN_PLACE) && in(entry.dtypes, dtype);
    if (!b && direct) return run_scalar(op, a, *scalar, false, a->dtype, *a);
    if (b && direct && b->dtype == a->dtype && b->device == a->device && a->size &&
        (b->block != a->block || same_view(*a, *b))) {
        Tensor *inputs[2] = {a, b};
        da_status status;
        if (a->contiguous && b->contiguous && same_shape(*a, *b) &&
            short_way(op, inputs, 2, *a, &status)) {
            return status;
        }
        Shape shape;
        if (da_status bad = broadcast_shapes({a, b}, &shape)) return annotate(bad, op, &device);
        if (shape.rank == a->rank && !std::memcmp(shape.sizes, a->shape, 8u * a->rank)) {
            return run_elementwise(op, device, inputs, 2, *a);
        }
    }
    Owned result;
    if (b ? dah_binary(op, a, b, result.out()) : dah_binary_scalar(op, a, scalar, 0, result.out()))
        return last_status();
    if (!same_shape(*result.get(), *a)) {
        fail(DA_INVALID_ARGUMENT, DAH_ERROR_SHAPE,
             "the result of shape " + shape_text(result->rank, result->shape) +
                 " does not fit in place into " + shape_text(a->rank, a->shape));
        return annotate(DA_INVALID_ARGUMENT, op, &device);
    }
    return copy_into(result.get(), *a);
}

da_status dah_where(dah_tensor *condition, dah_tensor *a, dah_tensor *b, dah_tensor **out) {
    if (da_status status = same_device(*condition, *a)) return status;
    if (da_status status = same_device(*a, *b)) return status;
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
    Tensor *inputs[3] = {condition, in_dtype(a, type, cast_a), in_dtype(b, type, cast_b)};
    if (!inputs[1] || !inputs[2]) return last_status();
    Owned result(new_result(*a, shape, type, DA_OP_WHERE));
    if (!result) return last_status();
    da_status status = run_elementwise(DA_OP_WHERE, *a->device, inputs, 3, *result.get());
    if (!status) *out = result.pass();
    return status;
}

da_status dah_cast(dah_tensor *x, uint16_t dtype, int32_t copy, dah_tensor **out) {
    if (dtype >= DA_DTYPE_COUNT) return fail(DA_INVALID_ARGUMENT, "no such data type");
    if (x->dtype == dtype) {
        if (copy) return dah_contiguous(x, 1, out);
        retain(x);
        *out = x;
        return DA_OK;
    }
    Owned result;
    if (!in_dtype(x, dtype, result)) return last_status();
    *out = result.pass();
    return DA_OK;
}

da_status dah_contiguous(dah_tensor *x, int32_t copy, dah_tensor **out) {
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

da_status dah_assign(dah_tensor *target, dah_tensor *source) {
    if (self_overlaps(*target)) return read_only_view(*target);
    Shape shape;
    shape.rank = target->rank;
    std::memcpy(shape.sizes, target->shape, 8u * target->rank);
    int64_t strides[DA_MAX_RANK];
    if (!broadcast_strides(source->rank, source->shape, source->strides, shape, strides)) {
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_SHAPE,
                    "the shape " + shape_text(source->rank, source->shape) +
                        " does not broadcast to " + shape_text(target->rank, target->shape));
    }
    Owned moved;
    if (source->device != target->device) {
        if (dah_to_device(source, target->device->handle, moved.out())) return last_status();
        source = moved.get();
    }
    return copy_into(source, *target);
}

da_status dah_assign_scalar(dah_tensor *target, const dah_scalar *value) {
    if (self_overlaps(*target)) return read_only_view(*target);
    da_value attribute;
    if (!scalar_value(*value, target->dtype, &attribute)) {
        return bad_scalar(DA_OP_FILL, *value, target->dtype);
    }
    return run_elementwise(DA_OP_FILL, *target->device, nullptr, 0, *target, -1, nullptr, 0,
                           &attribute);
}
