// SPDX-License-Identifier: Apache-2.0
// Broadcasting, and merging of dimensions for elementwise calls.
#include "shape.hpp"

#include <algorithm>
#include <cstdlib>

#include "error.hpp"

namespace device_api::core {
namespace {

da_status no_common_shape(std::initializer_list<const Tensor*> tensors) {
    std::string text = "the shapes";
    for (const Tensor* t : tensors) text += " " + shape_text(t->rank, t->shape);
    return fail(DA_INVALID_ARGUMENT, DAH_ERROR_SHAPE, text + " do not broadcast to one shape",
                "counted from the last dimension, sizes must be equal or 1");
}

void swap_dimensions(Loop& loop, int i, int j) {
    std::swap(loop.shape[i], loop.shape[j]);
    for (int k = 0; k < loop.n; ++k) std::swap(loop.strides[k][i], loop.strides[k][j]);
}

// Insertion sort, largest stride of the last operand first: the output is then written in order.
void order(Loop& loop) {
    const int64_t* key = loop.strides[loop.n - 1];
    for (int i = 1; i < loop.rank; ++i) {
        for (int j = i; j > 0 && std::llabs(key[j - 1]) < std::llabs(key[j]); --j) {
            swap_dimensions(loop, j - 1, j);
        }
    }
}

} // namespace

da_status broadcast_shapes(std::initializer_list<const Tensor*> tensors, Shape* out) {
    out->rank = 0;
    for (const Tensor* t : tensors) out->rank = std::max<int>(out->rank, t->rank);
    for (int i = 0; i < out->rank; ++i) out->sizes[i] = 1;
    for (const Tensor* t : tensors) {
        const int lead = out->rank - t->rank;
        for (int i = 0; i < t->rank; ++i) {
            int64_t& size = out->sizes[lead + i];
            if (t->shape[i] == size || t->shape[i] == 1) continue;
            if (size != 1) return no_common_shape(tensors);
            size = t->shape[i];
        }
    }
    return DA_OK;
}

bool broadcast_strides(int rank, const int64_t* shape, const int64_t* strides, const Shape& target,
                       int64_t* out) {
    const int lead = target.rank - rank;
    if (lead < 0) return false;
    for (int i = 0; i < lead; ++i) out[i] = 0;
    for (int i = 0; i < rank; ++i) {
        if (shape[i] == target.sizes[lead + i]) {
            out[lead + i] = shape[i] == 1 ? 0 : strides[i];
        } else if (shape[i] == 1) {
            out[lead + i] = 0;
        } else {
            return false;
        }
    }
    return true;
}

void coalesce(Loop& loop) {
    int rank = 0;
    for (int i = 0; i < loop.rank; ++i) {
        if (loop.shape[i] == 1) continue;
        loop.shape[rank] = loop.shape[i];
        for (int k = 0; k < loop.n; ++k) loop.strides[k][rank] = loop.strides[k][i];
        ++rank;
    }
    loop.rank = rank;
    order(loop);
    int last = 0;
    for (int i = 1; i < rank; ++i) {
        bool merge = true;
        for (int k = 0; k < loop.n; ++k) {
            merge &= loop.strides[k][last] == loop.strides[k][i] * loop.shape[i];
        }
        if (merge) {
            loop.shape[last] *= loop.shape[i];
        } else {
            ++last;
            loop.shape[last] = loop.shape[i];
        }
        for (int k = 0; k < loop.n; ++k) loop.strides[k][last] = loop.strides[k][i];
    }
    if (rank) loop.rank = last + 1;
}

da_status normalise_axis(int64_t axis, int rank, int* out) {
    if (axis < -rank || axis >= rank) {
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_INDEX,
                    "axis " + std::to_string(axis) + " is out of range for " +
                        std::to_string(rank) + " dimension" + (rank == 1 ? "" : "s"),
                    rank ? "use an axis from " + std::to_string(-rank) + " to " +
                               std::to_string(rank - 1)
                         : "a zero-dimensional array has no axes");
    }
    *out = static_cast<int>(axis < 0 ? axis + rank : axis);
    return DA_OK;
}

} // namespace device_api::core
