// SPDX-License-Identifier: Apache-2.0
// Tensors: a strided view of a block, with shape and strides inline, from a free list.
#pragma once

#include <cstring>

#include "allocator.hpp"
#include "device.hpp"
#include "dtype.hpp"

struct dah_tensor {
    std::atomic<int32_t> refs;
    uint16_t dtype;
    uint8_t rank;
    bool contiguous;
    device_api::core::Device* device;
    device_api::core::Block* block; // NULL when it has no elements
    void* data;
    int64_t size; // number of elements
    dah_tensor* next_free;
    int64_t shape[DA_MAX_RANK];
    int64_t strides[DA_MAX_RANK];
};

namespace device_api::core {

using Tensor = dah_tensor;

// Uninitialised but for refs; never fails for lack of a free one.
Tensor* take_tensor();
void free_tensor(Tensor* tensor);

inline void retain(Tensor* t) {
    t->refs.fetch_add(1, std::memory_order_relaxed);
}
inline void release(Tensor* t) {
    if (t->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) free_tensor(t);
}

// Releases what it holds at the end of a scope.
class Owned {
  public:
    Owned() = default;
    explicit Owned(Tensor* t) : tensor_(t) {}
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned() { reset(nullptr); }
    void reset(Tensor* t) {
        if (tensor_) release(tensor_);
        tensor_ = t;
    }
    Tensor* get() const { return tensor_; }
    Tensor* operator->() const { return tensor_; }
    explicit operator bool() const { return tensor_ != nullptr; }
    Tensor* pass() {
        Tensor* t = tensor_;
        tensor_ = nullptr;
        return t;
    }
    Tensor** out() { return &tensor_; }

  private:
    Tensor* tensor_ = nullptr;
};

// A new dense tensor; NULL with the error set.
Tensor* new_tensor(Device& device, uint16_t dtype, int rank, const int64_t* shape,
                   dah_stream* stream, uint16_t owner);

// The same of the shape and on the device of another tensor, whose sizes are known to be good.
Tensor* new_like(const Tensor& like, uint16_t dtype, dah_stream* stream, uint16_t owner);

// A view of the same block; offset in elements.
Tensor* new_view(Tensor& base, int rank, const int64_t* shape, const int64_t* strides,
                 int64_t offset);

// Checks sizes and sets the number of elements; DA_INVALID_ARGUMENT when negative or too many.
da_status count_elements(uint16_t dtype, int rank, const int64_t* shape, int64_t* count);

bool is_contiguous(int rank, const int64_t* shape, const int64_t* strides);
void row_major(int rank, const int64_t* shape, int64_t* strides);
void describe(const Tensor& t, da_tensor* out);

std::string shape_text(int rank, const int64_t* shape);

} // namespace device_api::core
