// SPDX-License-Identifier: Apache-2.0
// Windows that move over up to three spatial dimensions, brought to exactly three.
#pragma once

#include <algorithm>

#include "instance.hpp"

namespace device_api::cpu {

// One spatial dimension: the output's position p sees input p * stride - pad + w * dilation for
// 0 <= w < window.
struct Slide {
    int64_t size = 1;      // of the input
    int64_t positions = 1; // of the output
    int64_t window = 1, stride = 1, pad = 0, dilation = 1;
    int64_t in_step = 0, out_step = 0; // strides of the tensors

    // Elements first <= w < end of the window that lie inside the input at one of the positions
    // from `p` to `q`; those between are inside at one of them unless stride > size.
    void inside(int64_t p, int64_t q, int64_t* first, int64_t* end) const {
        *first = std::max<int64_t>(0, up(pad - q * stride, dilation));
        *end = std::max(*first, std::min(window, up(size + pad - p * stride, dilation)));
    }

    // Brings window, stride and dilation down to where the rest of the window sees nothing, so that
    // no product overflows. False where padding or positions are too many for that.
    bool limit() {
        constexpr int64_t most = int64_t(1) << 61;
        int64_t reach;
        if (pad > most / 4 || size > most / 4) return false;
        const int64_t beyond = size + 2 * pad + 1;
        window = std::min(window, beyond);
        stride = positions == 1 ? 1 : std::min(stride, beyond);
        dilation = window == 1 ? 1 : std::min(dilation, beyond);
        window = std::min(window, beyond / dilation + 1);
        return !__builtin_mul_overflow(positions, stride, &reach) && reach < most;
    }

    static int64_t up(int64_t a, int64_t b) { // a / b rounded up, b > 0
        return a > 0 ? (a - 1) / b + 1 : -(-a / b);
    }
};

// A batch of channels of images; dimensions that are not there have extent 1.
struct Images {
    int64_t batch, channels;      // of the input
    int64_t in_batch, in_channel; // strides
    int64_t out_channels;
    int64_t out_batch, out_channel;
    Slide slide[3]; // d, h, w

    int64_t positions() const {
        return slide[0].positions * slide[1].positions * slide[2].positions;
    }
    int64_t window() const { return slide[0].window * slide[1].window * slide[2].window; }
};

// Shapes and strides only; window, stride, pad and dilation are the op's.
inline bool describe_images(const da_tensor& in, const da_tensor& out, Images* images) {
    const int spatial = in.rank - 2;
    if (spatial < 1 || spatial > 3 || out.rank != in.rank) return false;
    images->batch = in.shape[0];
    images->channels = in.shape[1];
    images->in_batch = in.strides[0];
    images->in_channel = in.strides[1];
    images->out_channels = out.shape[1];
    images->out_batch = out.strides[0];
    images->out_channel = out.strides[1];
    for (int d = 0; d < spatial; ++d) {
        Slide& s = images->slide[3 - spatial + d];
        s.size = in.shape[2 + d];
        s.positions = out.shape[2 + d];
        s.in_step = in.strides[2 + d];
        s.out_step = out.strides[2 + d];
    }
    return true;
}

inline da_status windows_too_far(const char* op) {
    return fail(DA_INVALID_ARGUMENT, "pass paddings below 2**59",
                "%s: the windows reach too far beyond the input", op);
}

} // namespace device_api::cpu
