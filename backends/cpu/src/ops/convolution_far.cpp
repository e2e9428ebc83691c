// SPDX-License-Identifier: Apache-2.0
// Convolutions whose windows reach far beyond the images: only what sees an image costs time.
#include <algorithm>

#include "ops/convolution.hpp"
#include "ops/map.hpp"
#include "pool.hpp"

namespace device_api::cpu {
namespace {

// The sum of one output: the windows' elements inside the image, of all channels of the group.
template <class T>
double sum_at(const Conv& conv, const T* in, const T* weight, const int64_t* position) {
    const Slide* s = conv.images.slide;
    int64_t first[3], end[3], begin[3];
    for (int d = 0; d < 3; ++d) {
        s[d].inside(position[d], position[d], &first[d], &end[d]);
        begin[d] = position[d] * s[d].stride - s[d].pad;
    }
    double sum = 0;
    for (int64_t c = 0; c < conv.in_group; ++c)
        for (int64_t d = first[0]; d < end[0]; ++d)
            for (int64_t h = first[1]; h < end[1]; ++h)
                for (int64_t w = first[2]; w < end[2]; ++w) {
                    const int64_t at = c * conv.images.in_channel +
                                       (begin[0] + d * s[0].dilation) * s[0].in_step +
                                       (begin[1] + h * s[1].dilation) * s[1].in_step +
                                       (begin[2] + w * s[2].dilation) * s[2].in_step;
                    const int64_t* step = conv.weight_step;
                    sum += double(in[at]) *
                           double(weight[c * step[1] + d * step[2] + h * step[3] + w * step[4]]);
                }
    return sum;
}

template <class T>
void convolve_plane(const Conv& conv, int64_t task) {
    const Images& m = conv.images;
    const Slide* s = m.slide;
    const int64_t n = task / m.out_channels, o = task % m.out_channels;
    const int64_t group = o / conv.out_group;
    const T* in =
        reinterpret_cast<const T*>(conv.in) + n * m.in_batch + group * conv.in_group * m.in_channel;
    const T* weight = reinterpret_cast<const T*>(conv.weight) + o * conv.weight_step[0];
    T* out = reinterpret_cast<T*>(conv.out) + n * m.out_batch + o * m.out_channel;
    int64_t p[3];
    for (p[0] = 0; p[0] < s[0].positions; ++p[0])
        for (p[1] = 0; p[1] < s[1].positions; ++p[1])
            for (p[2] = 0; p[2] < s[2].positions; ++p[2])
                out[p[0] * s[0].out_step + p[1] * s[1].out_step + p[2] * s[2].out_step] =
                    T(sum_at(conv, in, weight, p));
}

} // namespace

bool reaches_far(const Images& images) {
    return std::any_of(images.slide, images.slide + 3, [](const Slide& s) {
        const int64_t most = 16 * (s.size + s.positions) + 64;
        return std::max(s.window, (s.window - 1) * s.dilation / s.stride) > most;
    });
}

da_tensor clip_weight(Images* images, const da_tensor& weight, int64_t* shape) {
    da_tensor part = weight;
    part.shape = shape;
    part.flags = 0;
    std::copy(weight.shape, weight.shape + weight.rank, shape);
    char* data = static_cast<char*>(weight.data);
    for (int axis = 2; axis < weight.rank; ++axis) {
        Slide& s = images->slide[5 - weight.rank + axis - 2];
        int64_t first, end;
        s.inside(0, s.positions - 1, &first, &end);
        first = std::min(first, s.window - 1);
        s.window = shape[axis] = std::max(end, first + 1) - first;
        s.pad -= first * s.dilation;
        data += first * weight.strides[axis] * (int64_t(1) << kWidth[weight.dtype]);
    }
    part.data = data;
    return part;
}

da_status convolve_directly(const Conv& conv) {
    const int64_t planes = conv.images.batch * conv.images.out_channels;
    auto body = [&](int64_t task) {
        (conv.type == DA_FLOAT64 ? convolve_plane<double> : convolve_plane<float>)(conv, task);
    };
    parallel(planes * conv.images.positions() >= kParallelElements ? conv.self->threads : 1, planes,
             body);
    return DA_OK;
}

} // namespace device_api::cpu
