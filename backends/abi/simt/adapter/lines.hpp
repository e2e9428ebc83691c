// SPDX-License-Identifier: Apache-2.0
// Ops along axes: the axes apart from the rest.
#pragma once

#include "ops.hpp"
#include "shapes.hpp"

namespace device_api::simt {

/// The dimensions of some views of one rank, split by a mask of axes.
struct Split {
    Geometry rest; // all other dimensions
    Geometry axes; // those in the mask
};

/// `strides[v]` of each view over all dimensions of `shape`; those of a view that lacks the axes
/// (the output of a reduction) are given by `lacks`, a mask of views.
Split split(const da_tensor& shape, std::uint64_t mask, const std::int64_t* const* strides,
            unsigned views, unsigned lacks = 0);

/// Elements from one to the next along an axis.
inline std::int64_t step_of(const da_tensor& t, std::int64_t axis) {
    return t.strides[axis];
}

/// The axis without its sign.
inline std::int64_t axis_of(const Call& c, unsigned attribute) {
    const std::int64_t axis = c.attribute(attribute).i;
    return axis < 0 ? axis + c.input(0).rank : axis;
}

constexpr std::uint64_t rounded(std::uint64_t bytes) {
    return (bytes + 255) / 256 * 256;
}

} // namespace device_api::simt
