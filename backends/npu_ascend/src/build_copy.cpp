// SPDX-License-Identifier: Apache-2.0
// Phase 1 of copy: aclnnInplaceCopy, or aclnnFlip where one side runs backwards.
#include "builder.hpp"
#include "builds.hpp"

namespace device_api::npu {
namespace {

// Both sides with strides of 0 or more, as CANN takes them.
struct Sides {
    Sides(const da_tensor& source_view, const da_tensor& target_view);

    // Walk dimension d from its other end.
    static void turn(da_tensor& view, std::int64_t* strides, int d) {
        const auto size = static_cast<std::int64_t>(element_size(view.dtype));
        view.data = static_cast<char*>(view.data) + (view.shape[d] - 1) * strides[d] * size;
        strides[d] = -strides[d];
    }

    da_tensor source, target;
    std::int64_t source_strides[DA_MAX_RANK], target_strides[DA_MAX_RANK];
    std::uint64_t flipped = 0; // dimensions that the two walk in opposite directions
    unsigned single = 0;       // dimensions along which the source broadcasts
};

// Where both run backwards, or the source broadcasts, the order does not matter.
Sides::Sides(const da_tensor& source_view, const da_tensor& target_view)
    : source(source_view), target(target_view) {
    for (int d = 0; d < source.rank; ++d) {
        source_strides[d] = source_view.strides[d];
        target_strides[d] = target_view.strides[d];
        const bool opposite = (source_strides[d] < 0) != (target_strides[d] < 0);
        if (source_strides[d] < 0) turn(source, source_strides, d);
        if (target_strides[d] < 0) turn(target, target_strides, d);
        if (source_strides[d] == 0) single |= 1u << d;
        if (opposite && source_strides[d] != 0 && source.shape[d] > 1)
            flipped |= std::uint64_t{1} << d;
    }
    source.strides = source_strides;
    target.strides = target_strides;
}

// aclnnFlip moves bits: unsigned types that it does not list go as signed ones.
std::uint16_t listed_type(std::uint16_t dtype) {
    const bool wide = dtype == DA_UINT16 || dtype == DA_UINT32 || dtype == DA_UINT64;
    return wide ? static_cast<std::uint16_t>(dtype - DA_UINT16 + DA_INT16) : dtype;
}
static_assert(DA_UINT64 - DA_UINT16 == DA_INT64 - DA_INT16, "in the same order");

} // namespace

int build_copy(Builder& b) {
    Sides sides(b.input(0), b.output());
    if (!sides.flipped)
        return b.phase1<aclnnInplaceCopyGetWorkspaceSize_fn>()(
            b.view(sides.target), b.view(sides.source, sides.single), b.workspace(), b.executor());
    if (!b.has(1)) return b.refuse("this CANN has no aclnnFlip, which reverses");
    if (b.check_output(sides.target)) return Builder::refused;
    sides.source.dtype = sides.target.dtype = listed_type(sides.source.dtype);
    return b.phase1<aclnnFlipGetWorkspaceSize_fn>(1)(b.view(sides.source), b.axes(sides.flipped),
                                                     b.view(sides.target), b.workspace(),
                                                     b.executor());
}

} // namespace device_api::npu
