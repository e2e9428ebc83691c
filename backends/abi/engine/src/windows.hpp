// SPDX-License-Identifier: Apache-2.0
// What convolution and pools share: windows over up to three axes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "loop.hpp"

namespace device_api::engine {

/// Sizes of the spatial axes, d, h, w; missing ones are 1.
struct Volume {
    std::int64_t size[3] = {1, 1, 1};
    explicit Volume(const Tensor& t) {
        for (int i = 2; i < t.rank; ++i) size[i + 3 - t.rank] = t.shape[i];
    }
    std::int64_t numel() const { return size[0] * size[1] * size[2]; }
    std::int64_t row(std::int64_t d, std::int64_t h) const { return (d * size[1] + h) * size[2]; }
};

/// Positions [first, last) whose element `start + p * stride` lies inside [0, size).
inline void inside(std::int64_t start, std::int64_t stride, std::int64_t size,
                   std::int64_t positions, std::int64_t* first, std::int64_t* last) {
    *first = start >= 0 ? 0 : (-start + stride - 1) / stride;
    *last = start >= size ? 0 : std::min(positions, (size - start + stride - 1) / stride);
}

/// For one element of the window, f(input row, its step, output row, n): the positions along w at
/// which it lies inside the input.
template <class V, class F>
void each_row(const Window& w, const std::int64_t (&tap)[3], const V* x, const Volume& in, V* y,
              const Volume& out, F f) {
    std::int64_t start[3], first[3], last[3];
    for (int a = 0; a < 3; ++a) {
        start[a] = tap[a] * w.dilation[a] - w.pad[a];
        inside(start[a], w.stride[a], in.size[a], out.size[a], &first[a], &last[a]);
    }
    if (first[2] >= last[2]) return;
    for (std::int64_t d = first[0]; d < last[0]; ++d)
        for (std::int64_t h = first[1]; h < last[1]; ++h)
            f(x + in.row(start[0] + d * w.stride[0], start[1] + h * w.stride[1]) + start[2] +
                  first[2] * w.stride[2],
              w.stride[2], y + out.row(d, h) + first[2], last[2] - first[2]);
}

/// f(place of the element in the window) for all of them, in order.
template <class F>
void each_tap(const std::int64_t (&size)[3], F f) {
    for (std::int64_t d = 0; d < size[0]; ++d)
        for (std::int64_t h = 0; h < size[1]; ++h)
            for (std::int64_t i = 0; i < size[2]; ++i) {
                const std::int64_t tap[3] = {d, h, i};
                f(tap);
            }
}

/// A tensor's elements in C order as V: in place where it is that already, else a copy. Null: the
/// message or the context's error is set.
template <class V>
const V* values_of(TaskContext& ctx, const Tensor& t, DType as) {
    Tensor ready = t;
    if (t.dtype != as || !t.contiguous()) {
        ready = ctx.temporary_like(t, as);
        if (copy_tensor(ctx, t, ready) != Status::ok) return nullptr;
    }
    return static_cast<const V*>(ctx.map(ready, false));
}

} // namespace device_api::engine
