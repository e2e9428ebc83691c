// SPDX-License-Identifier: Apache-2.0
// Merging dimensions.
#include "shapes.hpp"

#include <algorithm>

namespace device_api::simt {
namespace {

struct Dim {
    std::int64_t size;
    std::int64_t stride[most_views];
};

std::int64_t magnitude(std::int64_t x) {
    return x < 0 ? -x : x;
}

// Outermost first: larger strides of the first view, then of the next ones.
bool outer(const Dim& a, const Dim& b, unsigned views) {
    for (unsigned v = 0; v < views; ++v) {
        const std::int64_t x = magnitude(a.stride[v]), y = magnitude(b.stride[v]);
        if (x != y) return x > y;
    }
    return false;
}

bool follows(const Dim& a, const Dim& b, unsigned views) {
    for (unsigned v = 0; v < views; ++v)
        if (a.stride[v] != b.stride[v] * b.size) return false;
    return true;
}

Geometry collapse(const std::int64_t* shape, unsigned rank, const std::int64_t* const* strides,
                  unsigned views, bool reorder) {
    Dim dims[most_dims];
    unsigned n = 0;
    Geometry g;
    g.views = views;
    g.count = 1;
    for (unsigned d = 0; d < rank; ++d) {
        g.count *= static_cast<std::uint64_t>(shape[d]);
        if (shape[d] == 1) continue;
        dims[n].size = shape[d];
        for (unsigned v = 0; v < views; ++v) dims[n].stride[v] = strides[v] ? strides[v][d] : 0;
        ++n;
    }
    if (reorder)
        std::stable_sort(dims, dims + n,
                         [views](const Dim& a, const Dim& b) { return outer(a, b, views); });
    unsigned kept = 0;
    for (unsigned d = 0; d < n; ++d) {
        if (kept && follows(dims[kept - 1], dims[d], views)) {
            const std::int64_t size = dims[kept - 1].size;
            dims[kept - 1] = dims[d];
            dims[kept - 1].size *= size;
        } else {
            dims[kept++] = dims[d];
        }
    }
    g.shape.rank = static_cast<std::int32_t>(kept);
    g.shape.narrow = g.count <= 0xffffffffu;
    for (unsigned d = 0; d < kept; ++d) {
        g.shape.size[d] = dims[d].size;
        for (unsigned v = 0; v < views; ++v) g.view[v].stride[d] = dims[d].stride[v];
    }
    return g;
}

} // namespace

std::uint64_t count_of(const da_tensor& t) {
    std::uint64_t count = 1;
    for (int d = 0; d < t.rank; ++d) count *= static_cast<std::uint64_t>(t.shape[d]);
    return count;
}

bool dense(const da_tensor& t) {
    if (t.flags & DA_TENSOR_CONTIGUOUS) return true;
    std::int64_t expected = 1;
    for (int d = t.rank - 1; d >= 0; --d) {
        if (t.shape[d] != 1 && t.strides[d] != expected) return false;
        expected *= t.shape[d];
    }
    return true;
}

Geometry merge(const std::int64_t* shape, unsigned rank, const std::int64_t* const* strides,
               unsigned views) {
    return collapse(shape, rank, strides, views, true);
}

Geometry merge_in_order(const std::int64_t* shape, unsigned rank,
                        const std::int64_t* const* strides, unsigned views) {
    return collapse(shape, rank, strides, views, false);
}

} // namespace device_api::simt
