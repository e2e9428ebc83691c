// SPDX-License-Identifier: Apache-2.0
// Views as kernels get them: few dimensions, merged where they lie one behind the other.
#pragma once

#include <cstdint>

#include "device_api/types.h"

namespace device_api::simt {

constexpr unsigned most_dims = DA_MAX_RANK;
constexpr unsigned most_views = 4;

// As in prelude.inc.
struct Shape {
    std::int64_t size[most_dims];
    std::int32_t rank;
    std::int32_t narrow; // counts fit in 32 bits
};
struct View {
    std::int64_t stride[most_dims];
};

struct Geometry {
    Shape shape;
    View view[most_views];
    unsigned views;
    std::uint64_t count;
};

std::uint64_t count_of(const da_tensor& t);
bool dense(const da_tensor& t);

/// Views of one shape. Null strides stand for a view that is not in memory (all 0). Dimensions are
/// ordered by the first view's strides and merged; those of size 1 are dropped.
Geometry merge(const std::int64_t* shape, unsigned rank, const std::int64_t* const* strides,
               unsigned views);
/// The same, in the order given: position i of the result is element i of the views.
Geometry merge_in_order(const std::int64_t* shape, unsigned rank,
                        const std::int64_t* const* strides, unsigned views);

} // namespace device_api::simt
