// SPDX-License-Identifier: Apache-2.0
// Convolution. 16-bit types and float32 accumulate in float32: as products of matrices (the
// windows' elements written out as columns) where a BLAS takes those, else, as float64, tap by tap.
#include <atomic>
#include <cmath>
#include <cstring>
#include <vector>

#include "blas.hpp"
#include "planes.hpp"
#include "windows.hpp"

namespace device_api::engine {
namespace {

constexpr std::int64_t room = 1 << 16; // floats of windows written out at a time (256 KiB)
constexpr std::int64_t few = 4;        // outputs of a group that are not worth a product

/// The sizes of one convolution; a plane is the spatial part of one channel.
struct Sizes {
    const Window& window;
    Volume from, taps, to;
    std::int64_t batch, channels, outputs, depth, per_group;

    Sizes(const Tensor& in, const Tensor& weight, const Window& w, std::int64_t groups,
          const Tensor& out)
        : window(w),
          from(in),
          taps(weight),
          to(out),
          batch(in.shape[0]),
          channels(in.shape[1]),
          outputs(out.shape[1]),
          depth(weight.shape[1]),
          per_group(groups ? weight.shape[0] / groups : 0) {}
    std::int64_t length() const { return depth * taps.numel(); } // of one output's weights
    double work() const { return double(batch * outputs * to.numel()) * double(length()); }
};

/// y += weights * x for one output channel, tap by tap. What lies outside the input takes no part.
template <class V>
void output_by_taps(const Sizes& s, const V* planes, const V* weight, V* plane) {
    for (std::int64_t c = 0; c < s.depth; ++c)
        each_tap(s.taps.size, [&](const std::int64_t (&tap)[3]) {
            const V factor = *weight++;
            each_row(s.window, tap, planes + c * s.from.numel(), s.from, plane, s.to,
                     [factor](const V* a, std::int64_t step, V* b, std::int64_t count) {
                         if (step == 1)
                             for (std::int64_t i = 0; i < count; ++i) b[i] += factor * a[i];
                         else
                             for (std::int64_t i = 0; i < count; ++i) b[i] += factor * a[i * step];
                     });
        });
}

/// What a convolution reads and writes.
template <class V>
struct Data {
    Source<V> x;
    const V *weight, *bias; // bias may be null
    Target<V> y;

    void finish(const Sizes& s, V* values, std::int64_t first, std::int64_t planes) const {
        const std::int64_t positions = s.to.numel();
        for (std::int64_t i = 0; bias && i < planes; ++i)
            for (std::int64_t p = 0; p < positions; ++p)
                values[i * positions + p] += bias[(first + i) % s.outputs];
        y.put(values, first * positions, planes * positions);
    }
};

template <class V>
void by_taps(const Sizes& s, const Data<V>& data) {
    const std::int64_t size = s.depth * s.from.numel(), positions = s.to.numel();
    share(s.batch * s.outputs, 4 * s.work(), [&](std::int64_t i, std::int64_t last) {
        thread_local Room<V> input, output;
        const V* planes = nullptr;
        for (std::int64_t held = -1; i < last; ++i) { // held: the input's group in `planes`
            const std::int64_t of = i / s.per_group, o = i % s.outputs;
            if (of != held) planes = data.x.values(of * size, size, &input);
            held = of;
            V* plane = data.y.room(i * positions, positions, &output);
            std::fill(plane, plane + positions, V(0));
            output_by_taps(s, planes, data.weight + o * s.length(), plane);
            data.finish(s, plane, i, 1);
        }
        input.trim();
        output.trim();
    });
}

/// One group's input with what the windows see outside of it as zeros.
struct Framed {
    std::int64_t size[3];

    explicit Framed(const Sizes& s) {
        for (int a = 0; a < 3; ++a)
            size[a] = (s.to.size[a] - 1) * s.window.stride[a] +
                      (s.taps.size[a] - 1) * s.window.dilation[a] + 1;
    }
    std::int64_t numel() const { return size[0] * size[1] * size[2]; }
    std::int64_t row(std::int64_t d, std::int64_t h) const { return (d * size[1] + h) * size[2]; }

    /// From the input's element `first` on.
    void fill(const Sizes& s, const Source<float>& x, std::int64_t first, float* to) const {
        const auto* pad = s.window.pad;
        const std::int64_t width = std::min(s.from.size[2], size[2] - pad[2]);
        std::fill(to, to + s.depth * numel(), 0.0f);
        for (std::int64_t c = 0; c < s.depth; ++c)
            for (std::int64_t d = 0; d < std::min(s.from.size[0], size[0] - pad[0]); ++d)
                for (std::int64_t h = 0; h < std::min(s.from.size[1], size[1] - pad[1]); ++h)
                    if (width > 0)
                        x.read(first + c * s.from.numel() + s.from.row(d, h), width,
                               to + c * numel() + row(d + pad[0], h + pad[1]) + pad[2]);
    }
};

/// Part of the output: whole rows [first, first + rows) from its column `at` on, `width` of each.
struct Strip {
    std::int64_t first, rows, at, width;
    std::int64_t count() const { return rows * width; }
};

/// The windows of a strip, one column each: rows are channels and places.
void write_out(const Sizes& s, const Framed& frame, const float* framed, const Strip& strip,
               float* columns) {
    const std::int64_t step = s.window.stride[2];
    for (std::int64_t c = 0; c < s.depth; ++c)
        each_tap(s.taps.size, [&](const std::int64_t (&tap)[3]) {
            std::int64_t d = strip.first / s.to.size[1], h = strip.first % s.to.size[1];
            for (std::int64_t r = 0; r < strip.rows; ++r) {
                const float* from =
                    framed + c * frame.numel() +
                    frame.row(d * s.window.stride[0] + tap[0] * s.window.dilation[0],
                              h * s.window.stride[1] + tap[1] * s.window.dilation[1]) +
                    strip.at * step + tap[2] * s.window.dilation[2];
                if (step == 1)
                    std::memcpy(columns, from,
                                static_cast<std::size_t>(strip.width) * sizeof(float));
                else
                    for (std::int64_t i = 0; i < strip.width; ++i) columns[i] = from[i * step];
                columns += strip.width;
                if (++h == s.to.size[1]) {
                    h = 0;
                    ++d;
                }
            }
        });
}

/// Every window is one element of the input, in the input's order: it is the matrix already.
bool written_out_already(const Sizes& s) {
    for (int a = 0; a < 3; ++a)
        if (s.taps.size[a] != 1 || s.window.stride[a] != 1 || s.window.pad[a] != 0 ||
            s.from.size[a] != s.to.size[a])
            return false;
    return true;
}

/// One group of one batch element, `at_input` in the input. False: not done.
bool product_of(const Sizes& s, SgemmHook hook, const Source<float>& x, std::int64_t at_input,
                const float* w, float* result) {
    const std::int64_t length = s.length(), positions = s.to.numel();
    thread_local Room<float> framed_room, columns_room;
    if (written_out_already(s)) {
        const float* planes = x.values(at_input, length * positions, &columns_room);
        const bool done = hook({s.per_group, positions, length, w, length, false, planes, positions,
                                false, result, positions});
        columns_room.trim();
        return done;
    }
    const Framed frame(s);
    float* framed = framed_room.of(s.depth * frame.numel());
    frame.fill(s, x, at_input, framed);
    const std::int64_t row = s.to.size[2], lines = positions / row;
    const std::int64_t most = std::max<std::int64_t>(64, room / length); // columns at a time
    const std::int64_t rows = std::clamp<std::int64_t>(most / row, 1, lines);
    const std::int64_t width = std::min(row, most);
    float* columns = columns_room.of(length * rows * width);
    bool done = true;
    for (std::int64_t first = 0; done && first < lines; first += rows)
        for (std::int64_t at = 0; done && at < row; at += width) {
            const Strip strip{first, std::min(rows, lines - first), at, std::min(width, row - at)};
            write_out(s, frame, framed, strip, columns);
            done = hook({s.per_group, strip.count(), length, w, length, false, columns,
                         strip.count(), false, result + first * row + at, positions});
        }
    framed_room.trim();
    columns_room.trim();
    return done;
}

/// Zeros around the input are not worth their memory when they are most of it.
bool mostly_zeros(const Sizes& s) {
    return Framed(s).numel() > 4 * s.from.numel() + 65536;
}

/// False: some product was not done, and y is not complete.
bool by_products(const Sizes& s, SgemmHook hook, const Data<float>& data) {
    const std::int64_t groups = s.outputs / s.per_group, size = s.per_group * s.to.numel();
    std::atomic<bool> done{true};
    share(s.batch * groups, s.work(), [&](std::int64_t i, std::int64_t last) {
        thread_local Room<float> output;
        for (; i < last; ++i) {
            float* y = data.y.room(i * size, size, &output);
            if (!product_of(s, hook, data.x, i * s.depth * s.from.numel(),
                            data.weight + i % groups * s.per_group * s.length(), y))
                done = false;
            data.finish(s, y, i * s.per_group, s.per_group);
        }
        output.trim();
    });
    return done;
}

Status failed(TaskContext& ctx) {
    return ctx.error() == Status::ok ? Status::invalid_value : ctx.error();
}

/// A zero outside the input times an infinite weight would not be 0.
bool all_finite(const float* w, std::int64_t n) {
    return std::all_of(w, w + n, [](float v) { return std::isfinite(v); });
}

template <class V>
Status convolve(TaskContext& ctx, const Sizes& s, const Tensor& in, const Tensor& weight,
                const Tensor* bias, const Tensor& out, DType as) {
    const Tensor from = in.contiguous() ? in : ctx.temporary_like(in, in.dtype);
    if (!in.contiguous() && copy_tensor(ctx, in, from) != Status::ok) return failed(ctx);
    const V* w = values_of<V>(ctx, weight, as);
    const V* b = w && bias ? values_of<V>(ctx, *bias, as) : nullptr;
    const bool straight = out.contiguous() && !overlap(in, out) && !overlap(weight, out) &&
                          !(bias && overlap(*bias, out));
    const Tensor result = straight ? out : ctx.temporary_like(out, out.dtype);
    const auto* x = static_cast<const char*>(ctx.map(from, false));
    auto* y = static_cast<char*>(ctx.map(result, true));
    if (!x || !w || !y || (bias && !b)) return failed(ctx);
    const Data<V> data{{from, x}, w, b, {result, y}};
    bool done = false;
    if constexpr (std::is_same_v<V, float>) {
        const SgemmHook hook = s.per_group < few || mostly_zeros(s)
                                   ? nullptr
                                   : sgemm_for(s.per_group, s.to.numel(), s.length());
        done = hook && all_finite(w, weight.numel()) && by_products(s, hook, data);
    }
    if (!done) by_taps(s, data);
    return straight ? Status::ok : copy_tensor(ctx, result, out);
}

bool fits(const Tensor& in, const Tensor& weight, const Tensor* bias, std::int64_t groups,
          const Tensor& out) {
    return in.rank >= 3 && in.rank <= 5 && weight.rank == in.rank && out.rank == in.rank &&
           groups > 0 && in.shape[1] == weight.shape[1] * groups && weight.shape[0] % groups == 0 &&
           out.shape[0] == in.shape[0] && out.shape[1] == weight.shape[0] &&
           (!bias || (bias->rank == 1 && bias->shape[0] == weight.shape[0]));
}

} // namespace

Status convolution(TaskContext& ctx, const Tensor& in, const Tensor& weight, const Tensor* bias,
                   const Window& window, std::int64_t groups, const Tensor& out) {
    if (!fits(in, weight, bias, groups, out)) return shape_error("convolution", in, weight);
    if (out.numel() == 0) return Status::ok;
    const Sizes s(in, weight, window, groups, out);
    ctx.add_flops(2.0 * s.work(), in.dtype);
    const bool wide = in.dtype == DType::f64 || !is_float(in.dtype);
    return wide ? convolve<double>(ctx, s, in, weight, bias, out, DType::f64)
                : convolve<float>(ctx, s, in, weight, bias, out, DType::f32);
}

} // namespace device_api::engine
