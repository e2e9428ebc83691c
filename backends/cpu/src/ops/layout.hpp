// SPDX-License-Identifier: Apache-2.0
// Element sizes, and loop nests over several strided operands.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device_api/types.h"

namespace device_api::cpu {

constexpr int kMaxOperands = 4;

// log2 of the size of an element.
constexpr uint8_t kWidth[DA_DTYPE_COUNT] = {0, 0, 1, 2, 3, 0, 1, 2, 3, 1, 1, 2, 3, 3, 4};

inline int64_t size_of(unsigned dtype) {
    return int64_t(1) << kWidth[dtype];
}
inline bool is_half(unsigned dtype) {
    return dtype == DA_FLOAT16 || dtype == DA_BFLOAT16;
}

inline int64_t elements(const da_tensor& t) {
    int64_t n = 1;
    for (int d = 0; d < t.rank; ++d) n *= t.shape[d];
    return n;
}

// Dimensions of a loop nest, outermost first, and the strides of each operand in elements.
struct Nest {
    int rank = 0;
    int operands = 0;
    int64_t shape[DA_MAX_RANK + 1];
    int64_t stride[DA_MAX_RANK + 1][kMaxOperands];

    // Appends a dimension; one of extent 1 is left out.
    void push(int64_t extent, const int64_t* strides);
    // Sorts by the magnitude of the first operand's strides, largest first.
    void sort();
    // Merges neighbours that one stride can walk.
    void merge();
    int64_t elements() const {
        int64_t n = 1;
        for (int d = 0; d < rank; ++d) n *= shape[d];
        return n;
    }
};

// The nest of elementwise operands; the first one gives the shape, and others of rank 0 repeat.
Nest nest_of(const da_tensor* const* tensors, int operands);

// The lines of two tensors along an axis, whose other dimensions are the nest's.
struct AxisLines {
    Nest nest; // operands: input, output
    const void* in;
    void* out;
    int64_t length, in_step, out_step; // along the axis
};
AxisLines lines_along(const da_tensor& in, const da_tensor& out, int64_t axis);

// A position in the outer dimensions of a nest, and the operands' offsets (elements) there.
class Walk {
  public:
    // Over the first `depth` dimensions, starting at the linear position `start`.
    Walk(const Nest& nest, int depth, int64_t start);
    const int64_t* offsets() const { return offset_; }
    int64_t offset(int operand) const { return offset_[operand]; }
    void next();

  private:
    const Nest& nest_;
    int depth_;
    int64_t index_[DA_MAX_RANK + 1];
    int64_t offset_[kMaxOperands] = {};
};

} // namespace device_api::cpu
