// SPDX-License-Identifier: Apache-2.0
// Splitting dimensions.
#include "lines.hpp"

namespace device_api::simt {
namespace {

struct Part {
    std::int64_t shape[most_dims];
    std::int64_t strides[most_views][most_dims];
    unsigned rank = 0;

    Geometry merged(unsigned views, bool reorder) const {
        const std::int64_t* rows[most_views] = {};
        for (unsigned v = 0; v < views; ++v) rows[v] = strides[v];
        return reorder ? merge(shape, rank, rows, views) : merge_in_order(shape, rank, rows, views);
    }
};

} // namespace

Split split(const da_tensor& shape, std::uint64_t mask, const std::int64_t* const* strides,
            unsigned views, unsigned lacks) {
    Part rest, axes;
    unsigned skipped = 0;
    for (unsigned d = 0; d < static_cast<unsigned>(shape.rank); ++d) {
        const bool is_axis = mask >> d & 1;
        Part& part = is_axis ? axes : rest;
        part.shape[part.rank] = shape.shape[d];
        for (unsigned v = 0; v < views; ++v) {
            const bool without = lacks >> v & 1;
            part.strides[v][part.rank] =
                without ? (is_axis ? 0 : strides[v][d - skipped]) : strides[v][d];
        }
        ++part.rank;
        skipped += is_axis;
    }
    return {rest.merged(views, true), axes.merged(views, false)};
}

} // namespace device_api::simt
