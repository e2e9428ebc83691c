// SPDX-License-Identifier: Apache-2.0
// Broadcasting, and merging of dimensions for elementwise calls.
#pragma once

#include <initializer_list>

#include "tensor.hpp"

namespace device_api::core {

struct Shape {
    int rank = 0;
    int64_t sizes[DA_MAX_RANK];
};

// The common shape by the array API's rules; an error that names all shapes when there is none.
da_status broadcast_shapes(std::initializer_list<const Tensor*> tensors, Shape* out);

// Strides that make an operand of (rank, shape, strides) look like `target`; false when it cannot.
bool broadcast_strides(int rank, const int64_t* shape, const int64_t* strides, const Shape& target,
                       int64_t* out);

constexpr int max_operands = 4;

// Operands of an elementwise call that share one shape; strides[k] belongs to operand k.
struct Loop {
    int rank = 0;
    int n = 0;
    int64_t shape[DA_MAX_RANK];
    int64_t strides[max_operands][DA_MAX_RANK];
};

// Drops dimensions of size 1, orders by the last operand's strides and merges what can be merged.
void coalesce(Loop& loop);

// Axis counted from the front; an index error naming `what` when it is out of range.
da_status normalise_axis(int64_t axis, int rank, int* out);

} // namespace device_api::core
