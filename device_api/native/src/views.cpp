// SPDX-License-Identifier: Apache-2.0
// Views and changes of shape, and joining of tensors.
#include "error.hpp"
#include "shape.hpp"

using namespace device_api::core;

da_status dah_view(dah_tensor* base, int32_t rank, const int64_t* shape, const int64_t* strides,
                   int64_t offset, dah_tensor** out) {
    int64_t size;
    if (da_status status = count_elements(base->dtype, rank, shape, &size)) return status;
    *out = new_view(*base, rank, shape, strides, offset);
    return DA_OK;
}

// Fills in a size of -1; the number of elements must then agree.
static da_status resolve(const Tensor& x, int rank, const int64_t* shape, int64_t* sizes) {
    int64_t known = 1;
    int unknown = -1;
    for (int i = 0; i < rank; ++i) {
        sizes[i] = shape[i];
        if (shape[i] == -1 && unknown < 0) {
            unknown = i;
        } else if (shape[i] < 0 || __builtin_mul_overflow(known, shape[i], &known)) {
            return fail(DA_INVALID_ARGUMENT, DAH_ERROR_SHAPE,
                        "the shape " + shape_text(rank, shape) + " has no meaning for reshape",
                        "give sizes of 0 or more, and at most one -1");
        }
    }
    if (unknown >= 0 && known && x.size % known == 0) {
        sizes[unknown] = x.size / known;
        return DA_OK;
    }
    if (unknown < 0 && known == x.size) return DA_OK;
    return fail(DA_INVALID_ARGUMENT, DAH_ERROR_SHAPE,
                "an array of shape " + shape_text(x.rank, x.shape) + " has " +
                    std::to_string(x.size) + " elements and cannot take the shape " +
                    shape_text(rank, shape));
}

// Strides of the new shape over the old layout; false when only a copy can have it.
static bool view_strides(const Tensor& x, int rank, const int64_t* shape, int64_t* strides) {
    int64_t old_shape[DA_MAX_RANK], old_strides[DA_MAX_RANK];
    int n = 0;
    for (int i = 0; i < x.rank; ++i) {
        if (x.shape[i] == 1) continue;
        old_shape[n] = x.shape[i];
        old_strides[n++] = x.strides[i];
    }
    int i = 0, j = 0;
    while (i < n && j < rank) {
        int64_t have = old_shape[i], want = shape[j];
        int i_end = i + 1, j_end = j + 1;
        while (have != want) {
            if (have < want)
                have *= old_shape[i_end++];
            else
                want *= shape[j_end++];
        }
        for (int k = i; k + 1 < i_end; ++k) {
            if (old_strides[k] != old_strides[k + 1] * old_shape[k + 1]) return false;
        }
        strides[j_end - 1] = old_strides[i_end - 1];
        for (int k = j_end - 1; k > j; --k) strides[k - 1] = strides[k] * shape[k];
        i = i_end;
        j = j_end;
    }
    for (; j < rank; ++j) strides[j] = 1; // sizes of 1 at the end
    return true;
}

da_status dah_reshape(dah_tensor* x, int32_t rank, const int64_t* shape, int32_t copy,
                      dah_tensor** out) {
    if (rank < 0 || rank > DA_MAX_RANK) {
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_SHAPE,
                    std::to_string(rank) + " dimensions are too many: a tensor has at most " +
                        std::to_string(DA_MAX_RANK));
    }
    int64_t sizes[DA_MAX_RANK], strides[DA_MAX_RANK];
    if (da_status status = resolve(*x, rank, shape, sizes)) return status;
    row_major(rank, sizes, strides);
    const bool viewable = x->contiguous || x->size == 0 || view_strides(*x, rank, sizes, strides);
    if (!viewable && copy == 0) {
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_SHAPE,
                    "this layout cannot take the shape " + shape_text(rank, sizes) +
                        " without a copy",
                    "allow the copy with copy=None");
    }
    Owned dense;
    if (copy == 1 || !viewable) {
        if (dah_contiguous(x, 1, dense.out())) return last_status();
        x = dense.get();
        row_major(rank, sizes, strides);
    }
    *out = new_view(*x, rank, sizes, strides, 0);
    return DA_OK;
}

da_status dah_broadcast(dah_tensor* x, int32_t rank, const int64_t* shape, dah_tensor** out) {
    int64_t size;
    if (da_status status = count_elements(x->dtype, rank, shape, &size)) return status;
    Shape target;
    target.rank = rank;
    std::memcpy(target.sizes, shape, sizeof(int64_t) * static_cast<size_t>(rank));
    int64_t strides[DA_MAX_RANK];
    if (!broadcast_strides(x->rank, x->shape, x->strides, target, strides)) {
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_SHAPE,
                    "the shape " + shape_text(x->rank, x->shape) + " does not broadcast to " +
                        shape_text(rank, shape));
    }
    *out = new_view(*x, rank, shape, strides, 0);
    return DA_OK;
}

da_status dah_permute(dah_tensor* x, const int32_t* axes, dah_tensor** out) {
    int64_t shape[DA_MAX_RANK], strides[DA_MAX_RANK];
    uint32_t seen = 0;
    for (int i = 0; i < x->rank; ++i) {
        int axis;
        if (da_status status = normalise_axis(axes[i], x->rank, &axis)) return status;
        if (seen & (1u << axis)) {
            return fail(DA_INVALID_ARGUMENT, DAH_ERROR_INDEX,
                        "axis " + std::to_string(axis) + " is named twice in a permutation");
        }
        seen |= 1u << axis;
        shape[i] = x->shape[axis];
        strides[i] = x->strides[axis];
    }
    *out = new_view(*x, x->rank, shape, strides, 0);
    return DA_OK;
}

da_status dah_view_as_real(dah_tensor* x, dah_tensor** out) {
    if (dtype_kind(x->dtype) != 'c' || x->rank == DA_MAX_RANK) {
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_DTYPE,
                    std::string("an array of ") + dtype_name(x->dtype) + " and " +
                        std::to_string(x->rank) + " dimensions has no view of its parts",
                    "give a complex array of at most 31 dimensions");
    }
    int64_t shape[DA_MAX_RANK], strides[DA_MAX_RANK];
    for (int i = 0; i < x->rank; ++i) {
        shape[i] = x->shape[i];
        strides[i] = 2 * x->strides[i];
    }
    shape[x->rank] = 2;
    strides[x->rank] = 1;
    *out = new_view(*x, x->rank + 1, shape, strides, 0);
    (*out)->dtype = real_dtype(x->dtype);
    return DA_OK;
}

da_status dah_view_as_bits(dah_tensor* x, dah_tensor** out) {
    if (dtype_kind(x->dtype) != 'f') {
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_DTYPE,
                    std::string("an array of ") + dtype_name(x->dtype) + " has no view of its bits",
                    "give an array of a real floating-point type");
    }
    const int64_t bytes = dah_dtype_size(x->dtype);
    *out = new_view(*x, x->rank, x->shape, x->strides, 0);
    (*out)->dtype = bytes == 2 ? DA_INT16 : bytes == 4 ? DA_INT32 : DA_INT64;
    return DA_OK;
}

static da_status check_concat(dah_tensor* const* tensors, int32_t n, int axis, int64_t* shape,
                              int* dtype) {
    const Tensor& first = *tensors[0];
    std::memcpy(shape, first.shape, sizeof first.shape);
    shape[axis] = 0;
    *dtype = first.dtype;
    for (int32_t k = 0; k < n; ++k) {
        const Tensor& t = *tensors[k];
        bool fits = t.rank == first.rank;
        for (int i = 0; fits && i < t.rank; ++i) fits = i == axis || t.shape[i] == shape[i];
        if (!fits) {
            return fail(DA_INVALID_ARGUMENT, DAH_ERROR_SHAPE,
                        "arrays of shapes " + shape_text(first.rank, first.shape) + " and " +
                            shape_text(t.rank, t.shape) + " cannot be joined along axis " +
                            std::to_string(axis),
                        "all sizes but that of the axis must be equal");
        }
        if (t.device != first.device) {
            return fail(DA_INVALID_ARGUMENT, DAH_ERROR_DEVICE_MISMATCH,
                        "arrays to be joined are on different devices: " + first.device->name() +
                            " and " + t.device->name(),
                        "move them to one device with to_device()");
        }
        *dtype = promote(static_cast<uint16_t>(*dtype), t.dtype);
        if (*dtype < 0) {
            return fail(DA_INVALID_ARGUMENT, DAH_ERROR_DTYPE,
                        "the data types of the arrays to be joined have no common type",
                        "cast with astype() first");
        }
        shape[axis] += t.shape[axis];
    }
    return DA_OK;
}

da_status dah_concat(dah_tensor* const* tensors, int32_t n, int32_t axis, dah_tensor** out) {
    if (n < 1) return fail(DA_INVALID_ARGUMENT, "there is nothing to join");
    int at, dtype;
    if (da_status status = normalise_axis(axis, tensors[0]->rank, &at)) return status;
    int64_t shape[DA_MAX_RANK];
    if (da_status status = check_concat(tensors, n, at, shape, &dtype)) return status;
    Owned result;
    const int rank = tensors[0]->rank;
    if (dah_empty(tensors[0]->device->handle, static_cast<uint16_t>(dtype), rank, shape,
                  result.out())) {
        return last_status();
    }
    int64_t offset = 0;
    for (int32_t k = 0; k < n; ++k) {
        if (!tensors[k]->size) continue;
        Owned part(new_view(*result.get(), rank, tensors[k]->shape, result->strides, offset));
        if (dah_assign(part.get(), tensors[k])) return last_status();
        offset += tensors[k]->shape[at] * result->strides[at];
    }
    *out = result.pass();
    return DA_OK;
}
