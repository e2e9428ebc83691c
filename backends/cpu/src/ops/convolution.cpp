// SPDX-License-Identifier: Apache-2.0
// Convolution: a matrix product of the weights with shifted views of the padded image.
//
// The channels of an image are copied once, padded, and split by their phase where the window moves
// in steps, so that every element of the window sees a contiguous run of them. Windows of one
// element are plain matrix products. Sums go through blocks of the window's elements.
#include "ops/convolution.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

#include "ops/map.hpp"
#include "ops/temporary.hpp"
#include "pool.hpp"

namespace device_api::cpu {
namespace {

constexpr int64_t kInnerBlock = 512; // elements of the window that are summed in registers
constexpr int64_t kSlack = 64;       // elements that a vector may read beyond the last plane

// Rows of the block of weights that starts with `left` rows to go.
int64_t block_rows(const Conv& conv, int64_t left) {
    int64_t rows = conv.self->kernels->indirect_rows;
    while (rows > left) rows /= 2;
    return rows;
}

bool plan_planes(Conv* conv) {
    conv->plane = 1;
    int64_t planes = 1;
    for (int d = 0; d < 3; ++d) {
        const Slide& s = conv->images.slide[d];
        int64_t most = 0, count = 0;
        for (int64_t w = 0; w < s.window; ++w) {
            const int64_t phase = w * s.dilation % s.stride;
            most = std::max(most, w * s.dilation / s.stride);
            int64_t* end = conv->phases[d] + count;
            if (std::find(conv->phases[d], end, phase) != end) continue;
            if (count == kMaxPhases) return false;
            conv->phases[d][count++] = phase;
        }
        conv->phase_count[d] = count;
        conv->extent[d] = s.positions + most;
        conv->plane *= conv->extent[d];
        planes *= count;
    }
    conv->channel = planes * conv->plane;
    return true;
}

// Index of the plane, and of the first position's element in it, along one dimension.
void place(const Conv& conv, int d, int64_t w, int64_t* plane, int64_t* shift) {
    const Slide& s = conv.images.slide[d];
    const int64_t phase = w * s.dilation % s.stride;
    *plane = 0;
    while (conv.phases[d][*plane] != phase) ++*plane;
    *shift = w * s.dilation / s.stride;
}

bool plan_offsets(Conv* conv) {
    conv->offsets.reset(new (std::nothrow) int64_t[size_t(conv->inner)]);
    if (!conv->offsets) return false;
    const Slide* s = conv->images.slide;
    int64_t i = 0;
    for (int64_t c = 0; c < conv->in_group; ++c)
        for (int64_t d = 0; d < s[0].window; ++d)
            for (int64_t h = 0; h < s[1].window; ++h)
                for (int64_t w = 0; w < s[2].window; ++w) {
                    int64_t plane[3], shift[3];
                    place(*conv, 0, d, &plane[0], &shift[0]);
                    place(*conv, 1, h, &plane[1], &shift[1]);
                    place(*conv, 2, w, &plane[2], &shift[2]);
                    const int64_t index =
                        (plane[0] * conv->phase_count[1] + plane[1]) * conv->phase_count[2] +
                        plane[2];
                    conv->offsets[i++] = c * conv->channel + index * conv->plane +
                                         (shift[0] * conv->extent[1] + shift[1]) * conv->extent[2] +
                                         shift[2];
                }
    return true;
}

// Blocks of rows, in each of which the rows' elements lie side by side.
template <class T>
void pack_rows(const Conv& conv, int64_t first, int64_t rows, T* out) {
    const Slide* s = conv.images.slide;
    const int64_t* step = conv.weight_step;
    const T* weight = reinterpret_cast<const T*>(conv.weight) + first * step[0];
    for (int64_t c = 0; c < conv.in_group; ++c)
        for (int64_t d = 0; d < s[0].window; ++d)
            for (int64_t h = 0; h < s[1].window; ++h)
                for (int64_t w = 0; w < s[2].window; ++w) {
                    const T* from = weight + c * step[1] + d * step[2] + h * step[3] + w * step[4];
                    for (int64_t r = 0; r < rows; ++r) *out++ = from[r * step[0]];
                }
}

bool pack_weights(Conv* conv) {
    const int64_t outputs = conv->images.out_channels;
    conv->packed.reset(new (std::nothrow) char[size_t(outputs * conv->inner) << conv->width()]);
    if (!conv->packed) return false;
    for (int64_t g = 0; g < conv->groups; ++g)
        for (int64_t m = 0, rows; m < conv->out_group; m += rows) {
            rows = block_rows(*conv, conv->out_group - m);
            const int64_t first = g * conv->out_group + m;
            char* to = conv->packed.get() + ((first * conv->inner) << conv->width());
            if (conv->type == DA_FLOAT32)
                pack_rows(*conv, first, rows, reinterpret_cast<float*>(to));
            else
                pack_rows(*conv, first, rows, reinterpret_cast<double*>(to));
        }
    return true;
}

// The planes of one channel, row by row.
void fill_channel(const Conv& conv, const char* in, char* out) {
    const Slide* s = conv.images.slide;
    const Gather gather = conv.self->kernels->gather[conv.width()];
    const int64_t size = int64_t(1) << conv.width(), bytes = conv.extent[2] * size;
    for (int64_t a = 0; a < conv.phase_count[0]; ++a)
        for (int64_t b = 0; b < conv.phase_count[1]; ++b)
            for (int64_t c = 0; c < conv.phase_count[2]; ++c)
                for (int64_t d = 0; d < conv.extent[0]; ++d)
                    for (int64_t h = 0; h < conv.extent[1]; ++h, out += bytes) {
                        const int64_t id = d * s[0].stride + conv.phases[0][a] - s[0].pad;
                        const int64_t ih = h * s[1].stride + conv.phases[1][b] - s[1].pad;
                        const int64_t shift = conv.phases[2][c] - s[2].pad;
                        const bool inside = id >= 0 && id < s[0].size && ih >= 0 && ih < s[1].size;
                        int64_t begin = std::max<int64_t>(0, Slide::up(-shift, s[2].stride));
                        begin = std::min(begin, conv.extent[2]);
                        int64_t end =
                            std::min(Slide::up(s[2].size - shift, s[2].stride), conv.extent[2]);
                        end = inside ? std::max(begin, end) : begin;
                        std::memset(out, 0, size_t(begin * size));
                        const int64_t from = id * s[0].in_step + ih * s[1].in_step +
                                             (begin * s[2].stride + shift) * s[2].in_step;
                        if (end > begin)
                            gather(size_t(end - begin), out + begin * size, conv.at(in, from),
                                   s[2].stride * s[2].in_step);
                        std::memset(out + end * size, 0, size_t(bytes - end * size));
                    }
}

// Writes those of the positions first .. first + n - 1 that are outputs.
void write_tile(const Conv& conv, const char* tile, int64_t pitch, int64_t first, int64_t n,
                char* out) {
    const Slide* s = conv.images.slide;
    const Scatter scatter = conv.self->kernels->scatter[conv.width()];
    for (int64_t p = first; p < first + n;) {
        const int64_t w = p % conv.extent[2], row = p / conv.extent[2];
        const int64_t h = row % conv.extent[1], d = row / conv.extent[1];
        const int64_t end = std::min(first + n, p - w + conv.extent[2]);
        const int64_t count = std::min(end - p, s[2].positions - w);
        if (count > 0 && h < s[1].positions)
            for (int64_t m = 0; m < conv.out_group; ++m)
                scatter(
                    size_t(count),
                    const_cast<char*>(conv.at(out, m * conv.images.out_channel + d * s[0].out_step +
                                                       h * s[1].out_step + w * s[2].out_step)),
                    s[2].out_step, conv.at(tile, m * pitch + p - first));
        p = end;
    }
}

void multiply_tile(const Conv& conv, int64_t group, const char* planes, char* tile, int64_t pitch,
                   int64_t n) {
    const Kernels& k = *conv.self->kernels;
    const IndirectMatmul loop = k.indirect_matmul[conv.type == DA_FLOAT64];
    for (int64_t i = 0; i < conv.inner; i += kInnerBlock) {
        const int64_t count = std::min(kInnerBlock, conv.inner - i);
        for (int64_t m = 0, rows; m < conv.out_group; m += rows) {
            rows = block_rows(conv, conv.out_group - m);
            const int64_t first = group * conv.out_group + m;
            loop(rows, n, count, conv.at(conv.packed.get(), first * conv.inner + i * rows), planes,
                 conv.offsets.get() + i, const_cast<char*>(conv.at(tile, m * pitch)), pitch,
                 i == 0);
        }
    }
}

// One group of one image.
bool convolve_image(const Conv& conv, int64_t task, int threads) {
    const Images& images = conv.images;
    const int64_t n = task / conv.groups, g = task % conv.groups;
    const int64_t total = conv.in_group * conv.channel + kSlack;
    const Scratch<char> planes = scratch<char>(total << conv.width());
    if (!planes) return false;
    const char* in = conv.at(conv.in, n * images.in_batch + g * conv.in_group * images.in_channel);
    char* out = const_cast<char*>(
        conv.at(conv.out, n * images.out_batch + g * conv.out_group * images.out_channel));
    auto fill = [&](int64_t c) {
        fill_channel(conv, conv.at(in, c * images.in_channel),
                     const_cast<char*>(conv.at(planes.get(), c * conv.channel)));
    };
    parallel(threads, conv.in_group, fill);
    std::memset(const_cast<char*>(conv.at(planes.get(), total - kSlack)), 0,
                size_t(kSlack) << conv.width());
    const Kernels& k = *conv.self->kernels;
    const int64_t unit = k.indirect_vectors * k.vector_bytes >> conv.width();
    const int64_t run = conv.run();
    const int64_t columns = unit * std::clamp<int64_t>(64 / conv.out_group, 1, 16);
    std::atomic<bool> failed{false};
    auto body = [&](int64_t t) {
        const Scratch<char> tile = scratch<char>((conv.out_group * columns) << conv.width());
        if (!tile) {
            failed = true;
            return;
        }
        const int64_t first = t * columns, count = std::min(columns, run - first);
        multiply_tile(conv, g, conv.at(planes.get(), first), tile.get(), columns, count);
        write_tile(conv, tile.get(), columns, first, count, out);
    };
    parallel(threads, (run + columns - 1) / columns, body);
    return !failed;
}

} // namespace

da_status convolve(Conv* conv) {
    if (!plan_planes(conv))
        return fail(DA_NOT_SUPPORTED, "use smaller strides", "convolution with more than %d phases",
                    int(kMaxPhases));
    const bool done = plan_offsets(conv) && pack_weights(conv);
    const int64_t tasks = conv->images.batch * conv->groups;
    const bool large =
        tasks * conv->out_group * conv->inner * conv->images.positions() >= kParallelElements * 8;
    const int threads = large ? conv->self->threads : 1;
    const bool by_image = tasks >= 2 * threads;
    std::atomic<bool> failed{false};
    auto body = [&](int64_t task) {
        if (!convolve_image(*conv, task, by_image ? 1 : threads)) failed = true;
    };
    if (done && by_image) parallel(threads, tasks, body);
    for (int64_t task = 0; done && !by_image && task < tasks; ++task) body(task);
    return done && !failed ? DA_OK : Temporary::out_of_memory("convolution");
}

} // namespace device_api::cpu
