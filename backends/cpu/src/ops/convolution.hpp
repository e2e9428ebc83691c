// SPDX-License-Identifier: Apache-2.0
// A convolution of float32 or float64 tensors of any layout.
#pragma once

#include <memory>

#include "instance.hpp"
#include "ops/layout.hpp"
#include "ops/window.hpp"

namespace device_api::cpu {

constexpr int64_t kMaxPhases = 256;

struct Conv {
    const dab_instance* self;
    unsigned type;
    Images images;
    int64_t groups, in_group, out_group; // channels of a group
    int64_t inner;                       // elements of a window over all channels of a group
    const char *in, *weight;
    char* out;
    int64_t weight_step[5]; // strides
    // Planes: one for each phase (remainder by the stride) of each channel.
    int64_t phases[3][kMaxPhases], phase_count[3];
    int64_t extent[3];
    int64_t plane, channel;             // elements
    std::unique_ptr<int64_t[]> offsets; // of the window's elements in the planes of a group
    std::unique_ptr<char[]> packed;     // weights of all groups, by blocks of rows

    int width() const { return kWidth[type]; }
    const char* at(const char* p, int64_t offset) const {
        return p + offset * (int64_t(1) << width());
    }
    // Positions in the order of the planes' elements, from the first to the last one.
    int64_t run() const {
        const Slide* s = images.slide;
        return ((s[0].positions - 1) * extent[1] + s[1].positions - 1) * extent[2] + s[2].positions;
    }
};

// The members up to `weight_step` describe it.
da_status convolve(Conv* conv);

// Whether the windows, with what lies between their elements, are much larger than the images.
bool reaches_far(const Images& images);
// `weight` without the elements that see no input at any position; windows keep one at least.
da_tensor clip_weight(Images* images, const da_tensor& weight, int64_t* shape);
// The same as `convolve`, position by position: for windows that reach far.
da_status convolve_directly(const Conv& conv);

} // namespace device_api::cpu
