// SPDX-License-Identifier: Apache-2.0
// Ops with a host scalar, ops in place, and assignment to views.
#include "elementwise.hpp"

namespace device_api::core {
namespace {

// A host scalar as a tensor of one element, for devices that take no immediates.
Tensor* scalar_tensor(Device& device, const dah_scalar& scalar, uint16_t dtype) {
    Tensor* t = nullptr;
    return dah_full(device.handle, dtype, 0, nullptr, &scalar, &t) ? nullptr : t;
}

da_status bad_scalar(uint16_t op, const dah_scalar& scalar, uint16_t dtype) {
    const bool complex = scalar.kind == 'c';
    const std::string value = complex              ? std::to_string(scalar.value.c[0]) + " + " +
                                                         std::to_string(scalar.value.c[1]) + "j"
                              : scalar.kind == 'u' ? std::to_string(scalar.value.u)
                              : scalar.kind == 'f' ? std::to_string(scalar.value.f)
                                                   : std::to_string(scalar.value.i);
    fail(DA_INVALID_ARGUMENT, DAH_ERROR_DTYPE,
         "the number " + value + " does not fit into " + dtype_name(dtype),
         complex ? "cast the array with astype() to a complex type first"
                 : "cast the array with astype() to a wider type first");
    return annotate(DA_INVALID_ARGUMENT, op, nullptr);
}

// Runs op(a, scalar) or op(scalar, a), all in `dtype`, into `out`.
da_status run_scalar(uint16_t op, Tensor* a, const dah_scalar& scalar, bool first, uint16_t dtype,
                     Tensor& out) {
    Device& device = *a->device;
    alignas(16) char element[16];
    if (!store_scalar(scalar, dtype, element)) return bad_scalar(op, scalar, dtype);
    Tensor* inputs[2];
    inputs[first ? 1 : 0] = a;
    const dab_op& entry = device.ops[op];
    if (entry.op && (entry.flags & DAB_OP_IMMEDIATE) && in(entry.dtypes, dtype)) {
        da_status status;
        if (a->contiguous && out.contiguous && same_shape(*a, out) &&
            short_way(op, inputs, 2, out, &status, first ? 0 : 1, element)) {
            return status;
        }
        return run_elementwise(op, device, inputs, 2, out, first ? 0 : 1, element, dtype);
    }
    Owned tensor(scalar_tensor(device, scalar, dtype));
    if (!tensor) return last_status();
    inputs[first ? 0 : 1] = tensor.get();
    return run_elementwise(op, device, inputs, 2, out);
}

bool same_view(const Tensor& a, const Tensor& b) {
    if (a.data != b.data || !same_shape(a, b)) return false;
    for (int i = 0; i < a.rank; ++i) {
        if (a.shape[i] != 1 && a.strides[i] != b.strides[i]) return false;
    }
    return true;
}

// Whether no byte of one may be a byte of the other.
bool apart(const Tensor& a, const Tensor& b) {
    if (!a.block || !b.block) return true;
    if (a.block != b.block && !a.block->foreign && !b.block->foreign) return true;
    da_tensor x, y;
    describe(a, &x);
    describe(b, &y);
    const Span one = span_of(x), two = span_of(y);
    return one.low + one.bytes <= two.low || two.low + two.bytes <= one.low;
}

bool self_overlaps(const Tensor& t) {
    for (int i = 0; i < t.rank; ++i) {
        if (t.strides[i] == 0 && t.shape[i] > 1) return true;
    }
    return false;
}

da_status read_only_view(const Tensor& t) {
    fail(DA_INVALID_ARGUMENT, DAH_ERROR_SHAPE,
         "a broadcast view cannot be written: several of its elements are one",
         "copy it first, e.g. with asarray(x, copy=True)");
    return annotate(DA_INVALID_ARGUMENT, 0, t.device);
}

// Elements of `from` into `to`, of one type and shape after broadcasting, which may overlap.
da_status copy_into(Tensor* from, Tensor& to) {
    Owned dense;
    if (!apart(*from, to) && !same_view(*from, to)) {
        if (dah_contiguous(from, 1, dense.out())) return last_status();
        from = dense.get();
    }
    if (da_status status = check_cast(from->dtype, to.dtype)) return status;
    const uint16_t op = from->dtype == to.dtype ? DA_OP_COPY : DA_OP_CAST;
    return run_elementwise(op, *to.device, &from, 1, to);
}

} // namespace
} // namespace device_api::core

using namespace device_api::core;

da_status dah_binary_scalar(uint16_t op, dah_tensor* a, const dah_scalar* b, int32_t first,
                            dah_tensor** out) {
    const OpInfo& asked = op_info(op);
    if (asked.n_inputs != 2) return fail(DA_INVALID_ARGUMENT, "not a binary op");
    const int common = promote_scalar(a->dtype, b->kind);
    if (common == a->dtype && in(asked.dtypes, common)) { // the common case: nothing to cast
        Tensor* made = new_like(*a, result_dtype(asked, a->dtype), current_stream(*a->device), op);
        if (!made) return annotate(last_status(), op, a->device);
        const da_status status = run_scalar(op, a, *b, first, a->dtype, *made);
        if (status)
            release(made);
        else
            *out = made;
        return status;
    }
    op = substitute(op, common);
    const OpInfo& info = op_info(op);
    const int dtype = compute_dtype(info, common);
    if (dtype < 0) return no_such_type(op, common);
    Owned cast;
    Tensor* input = in_dtype(a, static_cast<uint16_t>(dtype), cast);
    if (!input) return last_status();
    Owned result(new_like(*a, result_dtype(info, static_cast<uint16_t>(dtype)),
                          current_stream(*a->device), op));
    if (!result) return annotate(last_status(), op, a->device);
    da_status status =
        run_scalar(op, input, *b, first, static_cast<uint16_t>(dtype), *result.get());
    if (!status) *out = result.pass();
    return status;
}

da_status dah_binary_inplace(uint16_t op, dah_tensor* a, dah_tensor* b, const dah_scalar* scalar) {
    if (op_info(op).n_inputs != 2) return fail(DA_INVALID_ARGUMENT, "not a binary op");
    if (self_overlaps(*a)) return read_only_view(*a);
    const int common = b ? promote(a->dtype, b->dtype) : promote_scalar(a->dtype, scalar->kind);
    op = substitute(op, common);
    const OpInfo& info = op_info(op);
    const int dtype = compute_dtype(info, common);
    // Another width of the same kind is computed in the common type and stored back.
    const bool keeps = dtype >= 0 && dtype_kind(result_dtype(info, static_cast<uint16_t>(dtype))) ==
                                         dtype_kind(a->dtype);
    if (!keeps) {
        fail(DA_INVALID_ARGUMENT, DAH_ERROR_DTYPE,
             std::string("the result of '") + info.name + "' does not fit into " +
                 dtype_name(a->dtype) + " in place",
             "write x = x op y, or cast first");
        return annotate(DA_INVALID_ARGUMENT, op, a->device);
    }
    Device& device = *a->device;
    const dab_op& entry = device.ops[op];
    const bool direct =
        entry.op && (entry.flags & DAB_OP_IN_PLACE) && in(entry.dtypes, dtype) && dtype == a->dtype;
    if (!b && direct) return run_scalar(op, a, *scalar, false, a->dtype, *a);
    if (b && direct && b->dtype == a->dtype && b->device == a->device && a->size &&
        (apart(*a, *b) || same_view(*a, *b))) {
        Tensor* inputs[2] = {a, b};
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

da_status dah_assign(dah_tensor* target, dah_tensor* source) {
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
    if (da_status status = same_device(DA_OP_COPY, *target, *source)) return status;
    return copy_into(source, *target);
}

da_status dah_assign_scalar(dah_tensor* target, const dah_scalar* value) {
    if (self_overlaps(*target)) return read_only_view(*target);
    da_value attribute;
    if (!scalar_value(*value, target->dtype, &attribute)) {
        return bad_scalar(DA_OP_FILL, *value, target->dtype);
    }
    return run_elementwise(DA_OP_FILL, *target->device, nullptr, 0, *target, -1, nullptr, 0,
                           &attribute);
}
