// SPDX-License-Identifier: Apache-2.0
// Paddle's tensors as descriptors of the contract: views of Paddle's own memory, nothing copied.
#pragma once

#include <vector>

#include "device_api/types.h"
#include "paddle.hpp"

namespace bridge {

// Paddle's data type as ours; DA_DTYPE_COUNT when the contract has no such type.
da_dtype dtype_of(phi::DataType type);
phi::DataType paddle_dtype(da_dtype type);

// Shape and strides (in elements) of one operand, with room for the ops of this bridge.
struct View {
    void* data = nullptr;
    void* storage = nullptr;
    uint64_t storage_bytes = 0;
    std::vector<int64_t> shape;
    std::vector<int64_t> strides;
    da_dtype dtype = DA_DTYPE_COUNT;

    // The descriptor; valid as long as this view is.
    da_tensor descriptor() const;

    // Gives the view `shape` by NumPy's broadcasting rules; false when it does not fit.
    bool broadcast_to(const std::vector<int64_t>& target);
    void swap_last_two();
    void insert_dimension(size_t at);
};

// The common shape of two by NumPy's broadcasting rules; false when there is none.
bool broadcast(const std::vector<int64_t>& a, const std::vector<int64_t>& b,
               std::vector<int64_t>* common);

// Strides of a dense row-major layout.
std::vector<int64_t> dense_strides(const std::vector<int64_t>& shape);

View view_of(const phi::DenseTensor& tensor);

// For ops that only move bits: complex elements, which the op table lacks, become pairs of halves.
View bits_of(const phi::DenseTensor& tensor);

} // namespace bridge
