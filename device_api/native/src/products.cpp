// SPDX-License-Identifier: Apache-2.0
// Matrix products and moves by index.
#include "elementwise.hpp"

using namespace device_api::core;

static da_status shapes_unfit(const Tensor& a, const Tensor& b, const char* why) {
    fail(DA_INVALID_ARGUMENT, DAH_ERROR_SHAPE,
         "matmul of shapes " + shape_text(a.rank, a.shape) + " and " + shape_text(b.rank, b.shape) +
             ": " + why);
    return annotate(DA_INVALID_ARGUMENT, DA_OP_MATMUL, a.device);
}

// A vector becomes a matrix of one row (first operand) or one column (second).
static Tensor* as_matrix(Tensor& t, bool first) {
    const int64_t n = t.shape[0], stride = t.strides[0];
    const int64_t shape[2] = {first ? 1 : n, first ? n : 1};
    const int64_t strides[2] = {first ? n : stride, first ? stride : 1};
    return new_view(t, 2, shape, strides, 0);
}

// Sets out to (batch..., m, n) and the operands' batch strides.
static da_status matmul_shapes(const Tensor& a, const Tensor& b, Shape* out, int64_t* a_strides,
                               int64_t* b_strides) {
    const int64_t m = a.shape[a.rank - 2], n = b.shape[b.rank - 1];
    if (a.shape[a.rank - 1] != b.shape[b.rank - 2]) {
        return shapes_unfit(a, b,
                            "the last size of the first and the last but one of the second "
                            "must be equal");
    }
    out->rank = std::max(a.rank, b.rank);
    const int batch = out->rank - 2;
    for (int i = 0; i < batch; ++i) {
        const int ia = i - (out->rank - a.rank), ib = i - (out->rank - b.rank);
        const int64_t sa = ia < 0 ? 1 : a.shape[ia], sb = ib < 0 ? 1 : b.shape[ib];
        if (sa != sb && sa != 1 && sb != 1) {
            return shapes_unfit(a, b, "the leading sizes do not broadcast");
        }
        out->sizes[i] = sa == 1 ? sb : sa;
        a_strides[i] = sa == 1 ? 0 : a.strides[ia];
        b_strides[i] = sb == 1 ? 0 : b.strides[ib];
    }
    for (int i = 0; i < 2; ++i) {
        a_strides[batch + i] = a.strides[a.rank - 2 + i];
        b_strides[batch + i] = b.strides[b.rank - 2 + i];
    }
    out->sizes[batch] = m;
    out->sizes[batch + 1] = n;
    return DA_OK;
}

static da_status run_matmul(const Tensor& a, const Tensor& b, const Shape& shape,
                            const int64_t* a_strides, const int64_t* b_strides, Tensor& out) {
    const int rank = shape.rank;
    int64_t a_shape[DA_MAX_RANK], b_shape[DA_MAX_RANK];
    std::memcpy(a_shape, shape.sizes, sizeof a_shape);
    std::memcpy(b_shape, shape.sizes, sizeof b_shape);
    a_shape[rank - 1] = b_shape[rank - 2] = a.shape[a.rank - 1];
    Call call{a.device, current_stream(*a.device), DA_OP_MATMUL, 2, {}, {}, nullptr};
    operand(call, 0, a);
    operand(call, 1, b);
    operand(call, 2, out);
    auto lay = [&](da_tensor& t, const int64_t* sizes, const int64_t* strides) {
        t.rank = rank;
        t.shape = sizes;
        t.strides = strides;
        t.flags = is_contiguous(rank, sizes, strides) ? DA_TENSOR_CONTIGUOUS : 0;
    };
    lay(call.tensors[0], a_shape, a_strides);
    lay(call.tensors[1], b_shape, b_strides);
    return execute(call);
}

// Both in one type that a product has; `a` and `b` are replaced by casts where needed.
static da_status matmul_dtype(Tensor** a, Tensor** b, Owned& cast_a, Owned& cast_b) {
    int dtype = promote((*a)->dtype, (*b)->dtype);
    if (dtype < 0 || dtype == DA_BOOL) {
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_DTYPE,
                    std::string("matmul has no meaning for ") + dtype_name((*a)->dtype) + " and " +
                        dtype_name((*b)->dtype),
                    "cast with astype() first");
    }
    const auto type = static_cast<uint16_t>(dtype);
    if (dah_cast(*a, type, 0, cast_a.out()) || dah_cast(*b, type, 0, cast_b.out())) {
        return last_status();
    }
    *a = cast_a.get();
    *b = cast_b.get();
    return DA_OK;
}

// Drops the dimension that a vector got.
static Tensor* without_added(Tensor& t, bool first_was_vector, bool second_was_vector) {
    int64_t shape[DA_MAX_RANK], strides[DA_MAX_RANK];
    int rank = 0;
    for (int i = 0; i < t.rank; ++i) {
        if (first_was_vector && i == t.rank - 2) continue;
        if (second_was_vector && i == t.rank - 1) continue;
        shape[rank] = t.shape[i];
        strides[rank++] = t.strides[i];
    }
    return new_view(t, rank, shape, strides, 0);
}

da_status dah_matmul(dah_tensor* a, dah_tensor* b, dah_tensor** out) {
    if (da_status status = same_device(DA_OP_MATMUL, *a, *b)) return status;
    if (a->rank == 0 || b->rank == 0) {
        return shapes_unfit(*a, *b, "a zero-dimensional array cannot be an operand");
    }
    Owned cast_a, cast_b, matrix_a, matrix_b;
    if (a->dtype != b->dtype || a->dtype == DA_BOOL) {
        if (da_status status = matmul_dtype(&a, &b, cast_a, cast_b)) return status;
    }
    const bool vector_a = a->rank == 1, vector_b = b->rank == 1;
    if (vector_a && vector_b && a->shape[0] != b->shape[0]) {
        return shapes_unfit(*a, *b, "the sizes must be equal");
    }
    if (vector_a) {
        matrix_a.reset(as_matrix(*a, true));
        a = matrix_a.get();
    }
    if (vector_b) {
        matrix_b.reset(as_matrix(*b, false));
        b = matrix_b.get();
    }
    Shape shape;
    int64_t a_strides[DA_MAX_RANK], b_strides[DA_MAX_RANK];
    if (da_status status = matmul_shapes(*a, *b, &shape, a_strides, b_strides)) return status;
    Owned result(new_tensor(*a->device, a->dtype, shape.rank, shape.sizes,
                            current_stream(*a->device), DA_OP_MATMUL));
    if (!result) return annotate(last_status(), DA_OP_MATMUL, a->device);
    da_status status = DA_OK;
    if (result->size && !a->shape[a->rank - 1]) { // a product over nothing is zero
        const dah_scalar zero{{0}, 'i'};
        status = dah_assign_scalar(result.get(), &zero);
    } else if (result->size) {
        status = run_matmul(*a, *b, shape, a_strides, b_strides, *result.get());
    }
    if (status) return status;
    if (vector_a || vector_b) result.reset(without_added(*result.get(), vector_a, vector_b));
    *out = result.pass();
    return DA_OK;
}

static da_status check_indices(uint16_t op, const Tensor& x, const Tensor& indices, int axis) {
    if (da_status status = same_device(op, x, indices)) return status;
    if (indices.dtype != DA_INT32 && indices.dtype != DA_INT64) {
        fail(DA_INVALID_ARGUMENT, DAH_ERROR_DTYPE,
             std::string("indices are of type int32 or int64, not ") + dtype_name(indices.dtype),
             "cast them with astype()");
        return annotate(DA_INVALID_ARGUMENT, op, x.device);
    }
    bool fits = x.rank == indices.rank;
    for (int i = 0; fits && i < x.rank; ++i) fits = i == axis || x.shape[i] == indices.shape[i];
    if (fits) return DA_OK;
    fail(DA_INVALID_ARGUMENT, DAH_ERROR_SHAPE,
         "indices of shape " + shape_text(indices.rank, indices.shape) + " do not fit " +
             shape_text(x.rank, x.shape) + " along axis " + std::to_string(axis),
         "all sizes but that of the axis must be equal");
    return annotate(DA_INVALID_ARGUMENT, op, x.device);
}

da_status dah_take_along_axis(dah_tensor* x, dah_tensor* indices, int32_t axis, dah_tensor** out) {
    int at;
    if (da_status status = normalise_axis(axis, x->rank, &at)) {
        return annotate(status, DA_OP_TAKE_ALONG_AXIS, x->device);
    }
    if (da_status status = check_indices(DA_OP_TAKE_ALONG_AXIS, *x, *indices, at)) return status;
    if (indices->size && !x->shape[at]) {
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_INDEX,
                    "nothing can be taken from an axis of size 0");
    }
    Owned result(new_tensor(*x->device, x->dtype, indices->rank, indices->shape,
                            current_stream(*x->device), DA_OP_TAKE_ALONG_AXIS));
    if (!result) return last_status();
    if (result->size) {
        da_value attribute;
        attribute.i = at;
        Call call{x->device, current_stream(*x->device), DA_OP_TAKE_ALONG_AXIS, 2, {}, {},
                  &attribute};
        operand(call, 0, *x);
        operand(call, 1, *indices);
        operand(call, 2, *result.get());
        if (da_status status = execute(call)) return status;
    }
    *out = result.pass();
    return DA_OK;
}

da_status dah_index_accumulate(dah_tensor* x, dah_tensor* indices, dah_tensor* updates,
                               int32_t axis, dah_tensor** out) {
    int at;
    const uint16_t op = DA_OP_INDEX_ACCUMULATE;
    if (da_status status = normalise_axis(axis, x->rank, &at)) {
        return annotate(status, op, x->device);
    }
    if (da_status status = check_indices(op, *x, *indices, at)) return status;
    if (da_status status = same_device(op, *x, *updates)) return status;
    bool fits = updates->rank == indices->rank && updates->dtype == x->dtype;
    for (int i = 0; fits && i < x->rank; ++i) fits = updates->shape[i] == indices->shape[i];
    if (!fits) {
        fail(DA_INVALID_ARGUMENT, DAH_ERROR_SHAPE,
             "updates must have the shape of the indices, " +
                 shape_text(indices->rank, indices->shape) + ", and the type of x, " +
                 dtype_name(x->dtype));
        return annotate(DA_INVALID_ARGUMENT, op, x->device);
    }
    if (!updates->size) return dah_contiguous(x, 1, out);
    if (!x->shape[at]) {
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_INDEX,
                    "nothing can be added to an axis of size 0");
    }
    Owned result(
        new_tensor(*x->device, x->dtype, x->rank, x->shape, current_stream(*x->device), op));
    if (!result) return last_status();
    da_value attribute;
    attribute.i = at;
    Call call{x->device, current_stream(*x->device), op, 3, {}, {}, &attribute};
    operand(call, 0, *x);
    operand(call, 1, *indices);
    operand(call, 2, *updates);
    operand(call, 3, *result.get());
    if (da_status status = execute(call)) return status;
    *out = result.pass();
    return DA_OK;
}
