// SPDX-License-Identifier: Apache-2.0
// Phase 1 of convolution and pools: windows, and the paddings that give the output's shape.
#include <algorithm>

#include "builder.hpp"
#include "builds.hpp"

namespace device_api::npu {
namespace {

using Numbers = std::int64_t[3]; // for d, h, w; the last ones count

struct Windows {
    Numbers size, stride, pad, dilation;
    Numbers after; // padding behind x
    int axes;

    // The smallest padding behind x with which the windows give `out` positions; false: none does.
    bool find_after(const da_tensor& x, const da_tensor& out);
    bool symmetric() const { return std::equal(pad + 3 - axes, pad + 3, after + 3 - axes); }
    int first() const { return 3 - axes; }
};

std::int64_t spatial(const da_tensor& view, int a) {
    return view.shape[view.rank - 3 + a];
}

bool Windows::find_after(const da_tensor& x, const da_tensor& out) {
    for (int a = first(); a < 3; ++a) {
        const std::int64_t reach = dilation[a] * (size[a] - 1) + 1, in = spatial(x, a);
        const auto positions = [&](std::int64_t behind) {
            return (in + pad[a] + behind - reach) / stride[a] + 1;
        };
        after[a] = pad[a]; // the usual case
        if (positions(after[a]) == spatial(out, a)) continue;
        after[a] =
            std::max<std::int64_t>(0, (spatial(out, a) - 1) * stride[a] + reach - in - pad[a]);
        if (positions(after[a]) != spatial(out, a)) return false;
    }
    return true;
}

void read(const Builder& b, int attribute, Numbers& to) {
    for (int a = 0; a < 3; ++a) to[a] = b.attribute(static_cast<unsigned>(attribute + a)).i;
}

aclIntArray* list(Builder& b, const Windows& w, const Numbers& numbers) {
    return b.list(numbers + w.first(), static_cast<std::uint64_t>(w.axes));
}

// ---- pools: two spatial axes, or one beside an axis of size 1 ----------------------------------

// (N, C, L) as (N, C, 1, L).
struct Plane {
    explicit Plane(const da_tensor& view) : planar(view) {
        const int inserted = view.rank == 3 ? 1 : 0;
        for (int d = 0; d < view.rank; ++d) {
            shape[d + (d == 2 ? inserted : 0)] = view.shape[d];
            strides[d + (d == 2 ? inserted : 0)] = view.strides[d];
        }
        if (inserted) shape[2] = 1, strides[2] = shape[3] * strides[3];
        planar.rank = view.rank + inserted;
        planar.shape = shape;
        planar.strides = strides;
    }
    Plane(const Plane&) = delete;

    da_tensor planar;
    std::int64_t shape[4], strides[4];
};

constexpr const char* not_planar = "CANN's pools take one or two spatial axes";
constexpr const char* wide_pad = "CANN's pools take paddings of half a window at most";

bool pads_fit(const Windows& w) {
    for (int a = 1; a < 3; ++a)
        if (2 * w.pad[a] > w.size[a]) return false;
    return true;
}

// Does each last window begin inside x?
bool windows_begin_inside(const Windows& w, const da_tensor& x, const da_tensor& out) {
    for (int a = 1; a < 3; ++a)
        if ((spatial(out, a) - 1) * w.stride[a] >= spatial(x, a) + w.pad[a]) return false;
    return true;
}

// The number of positions with paddings on both sides, rounded down or up.
bool positions_are(const Windows& w, const da_tensor& x, const da_tensor& out, bool up) {
    for (int a = 1; a < 3; ++a) {
        const std::int64_t room = spatial(x, a) + 2 * w.pad[a] - w.size[a];
        std::int64_t n = (room + (up ? w.stride[a] - 1 : 0)) / w.stride[a] + 1;
        if (up && (n - 1) * w.stride[a] >= spatial(x, a) + w.pad[a]) --n;
        if (room < 0 || n != spatial(out, a)) return false;
    }
    return true;
}

} // namespace

int build_convolution(Builder& b) {
    const da_tensor &x = b.input(0), &weight = b.input(1), &out = b.output();
    constexpr aclFormat formats[] = {ACL_FORMAT_NCL, ACL_FORMAT_NCHW, ACL_FORMAT_NCDHW};
    Windows w{};
    w.axes = x.rank - 2;
    read(b, DA_CONVOLUTION_STRIDE_D, w.stride);
    read(b, DA_CONVOLUTION_PAD_D, w.pad);
    read(b, DA_CONVOLUTION_DILATION_D, w.dilation);
    for (int a = w.first(); a < 3; ++a) w.size[a] = spatial(weight, a);
    if (!w.find_after(x, out)) return b.refuse("no padding of aclnnConvolution gives this output");
    if (w.axes == 3 && !w.symmetric())
        return b.refuse("aclnnConvolution pads both sides of three axes alike");
    // Both sides of each axis in turn.
    const std::int64_t sides[4] = {w.pad[w.first()], w.after[w.first()], w.pad[2], w.after[2]};
    aclIntArray* pads =
        w.symmetric() ? list(b, w, w.pad) : b.list(sides, 2 * static_cast<std::uint64_t>(w.axes));
    constexpr bool transposed = false;
    const Numbers no_output_padding = {0, 0, 0};
    const aclFormat format = formats[w.axes - 1];
    return b.phase1<aclnnConvolutionGetWorkspaceSize_fn>()(
        b.view(x, format), b.view(weight, format), nullptr, list(b, w, w.stride), pads,
        list(b, w, w.dilation), transposed, list(b, w, no_output_padding),
        b.attribute(DA_CONVOLUTION_GROUPS).i, b.view(out, format), ACL_CUBE_KEEP_DTYPE,
        b.workspace(), b.executor());
}

int build_max_pool(Builder& b) {
    if (b.input(0).rank > 4) return b.refuse(not_planar);
    const Plane x(b.input(0)), out(b.output());
    Windows w{};
    w.axes = 2;
    read(b, DA_MAX_POOL_WINDOW_D, w.size);
    read(b, DA_MAX_POOL_STRIDE_D, w.stride);
    read(b, DA_MAX_POOL_PAD_D, w.pad);
    read(b, DA_MAX_POOL_DILATION_D, w.dilation);
    if (w.dilation[1] != 1 || w.dilation[2] != 1)
        return b.refuse("aclnnMaxPool takes no dilation but 1");
    if (!pads_fit(w)) return b.refuse(wide_pad);
    if (!w.find_after(x.planar, out.planar) || !windows_begin_inside(w, x.planar, out.planar))
        return b.refuse("no padding of aclnnMaxPool gives this output");
    const std::int64_t sides[4] = {w.pad[1], w.pad[2], w.after[1], w.after[2]};
    constexpr std::int64_t given = 0, down = 0; // autoPad, ceilMode
    return b.phase1<aclnnMaxPoolGetWorkspaceSize_fn>()(
        b.view(x.planar, ACL_FORMAT_NCHW), list(b, w, w.size), list(b, w, w.stride), given,
        b.list(sides, 4), list(b, w, w.dilation), down, b.view(out.planar, ACL_FORMAT_NCHW),
        b.workspace(), b.executor());
}

int build_avg_pool(Builder& b) {
    if (b.input(0).rank > 4) return b.refuse(not_planar);
    const Plane x(b.input(0)), out(b.output());
    Windows w{};
    w.axes = 2;
    read(b, DA_AVG_POOL_WINDOW_D, w.size);
    read(b, DA_AVG_POOL_STRIDE_D, w.stride);
    read(b, DA_AVG_POOL_PAD_D, w.pad);
    if (!pads_fit(w)) return b.refuse(wide_pad);
    const bool down = positions_are(w, x.planar, out.planar, false);
    const bool count_pad = b.attribute(DA_AVG_POOL_COUNT_PAD).u != 0;
    if (!down && (count_pad || !positions_are(w, x.planar, out.planar, true)))
        return b.refuse("no rounding of aclnnAvgPool2d surely gives this output");
    constexpr std::int64_t no_divisor = 0;
    return b.phase1<aclnnAvgPool2dGetWorkspaceSize_fn>()(
        b.view(x.planar, ACL_FORMAT_NCHW), list(b, w, w.size), list(b, w, w.stride),
        list(b, w, w.pad), !down, count_pad, no_divisor, ACL_CUBE_KEEP_DTYPE,
        b.view(out.planar, ACL_FORMAT_NCHW), b.workspace(), b.executor());
}

} // namespace device_api::npu
