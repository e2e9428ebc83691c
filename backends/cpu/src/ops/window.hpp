// SPDX-License-Identifier: Apache-2.0
// Windows that move over up to three spatial dimensions, brought to exactly three.
#pragma once

#include "instance.hpp"

namespace device_api::cpu {

// One spatial dimension: the output's position p sees input p * stride - pad + w * dilation for
// 0 <= w < window.
struct Slide {
    int64_t size = 1;      // of the input
    int64_t positions = 1; // of the output
    int64_t window = 1, stride = 1, pad = 0, dilation = 1;
    int64_t in_step = 0, out_step = 0; // strides of the tensors
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

} // namespace device_api::cpu
