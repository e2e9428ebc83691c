// SPDX-License-Identifier: Apache-2.0
// Loop nests: sorting, merging, walking.
#include "ops/layout.hpp"

#include <utility>

namespace device_api::cpu {
namespace {

int64_t magnitude(int64_t x) {
    return x < 0 ? -x : x;
}

} // namespace

void Nest::push(int64_t extent, const int64_t* strides) {
    if (extent == 1) return;
    shape[rank] = extent;
    for (int i = 0; i < operands; ++i) stride[rank][i] = strides[i];
    ++rank;
}

void Nest::sort() {
    for (int d = 1; d < rank; ++d)
        for (int e = d; e > 0 && magnitude(stride[e - 1][0]) < magnitude(stride[e][0]); --e) {
            std::swap(shape[e - 1], shape[e]);
            for (int i = 0; i < operands; ++i) std::swap(stride[e - 1][i], stride[e][i]);
        }
}

void Nest::merge() {
    int last = 0; // dimensions 0 .. last are done
    for (int d = 1; d < rank; ++d) {
        bool fits = true;
        for (int i = 0; i < operands; ++i)
            fits = fits && stride[last][i] == stride[d][i] * shape[d];
        if (fits) {
            shape[last] *= shape[d];
        } else {
            ++last;
            shape[last] = shape[d];
        }
        for (int i = 0; i < operands; ++i) stride[last][i] = stride[d][i];
    }
    if (rank > 0) rank = last + 1;
}

Nest nest_of(const da_tensor* const* tensors, int operands) {
    Nest nest;
    nest.operands = operands;
    for (int d = 0; d < tensors[0]->rank; ++d) {
        int64_t strides[kMaxOperands];
        for (int i = 0; i < operands; ++i)
            strides[i] = tensors[i]->rank ? tensors[i]->strides[d] : 0;
        nest.push(tensors[0]->shape[d], strides);
    }
    nest.sort();
    nest.merge();
    return nest;
}

AxisLines lines_along(const da_tensor& in, const da_tensor& out, int64_t axis) {
    AxisLines lines;
    lines.nest.operands = 2;
    for (int d = 0; d < in.rank; ++d) {
        const int64_t strides[] = {in.strides[d], out.strides[d]};
        if (d != axis) lines.nest.push(in.shape[d], strides);
    }
    lines.nest.sort();
    lines.nest.merge();
    lines.in = in.data;
    lines.out = out.data;
    lines.length = in.shape[axis];
    lines.in_step = in.strides[axis];
    lines.out_step = out.strides[axis];
    return lines;
}

Walk::Walk(const Nest& nest, int depth, int64_t start) : nest_(nest), depth_(depth) {
    for (int d = depth - 1; d >= 0; --d) {
        index_[d] = 0;
        if (start == 0) continue;
        index_[d] = start % nest.shape[d];
        start /= nest.shape[d];
        for (int i = 0; i < nest.operands; ++i) offset_[i] += index_[d] * nest.stride[d][i];
    }
}

void Walk::next() {
    for (int d = depth_ - 1; d >= 0; --d) {
        const bool carry = ++index_[d] == nest_.shape[d];
        const int64_t steps = carry ? 1 - nest_.shape[d] : 1;
        for (int i = 0; i < nest_.operands; ++i) offset_[i] += steps * nest_.stride[d][i];
        if (!carry) return;
        index_[d] = 0;
    }
}

} // namespace device_api::cpu
