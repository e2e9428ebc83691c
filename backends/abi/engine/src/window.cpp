// SPDX-License-Identifier: Apache-2.0
// Convolution and pools: windows over up to three axes, computed in double.
#include <cmath>
#include <limits>

#include "lines.hpp"

namespace device_api::engine {
namespace {

using Values = std::vector<double>;

/// Sizes of the spatial axes, d, h, w; missing ones are 1.
struct Volume {
    std::int64_t size[3] = {1, 1, 1};
    explicit Volume(const Tensor& t) {
        for (int i = 2; i < t.rank; ++i) size[i + 3 - t.rank] = t.shape[i];
    }
    std::size_t numel() const { return static_cast<std::size_t>(size[0] * size[1] * size[2]); }
    std::size_t row(std::int64_t d, std::int64_t h) const {
        return static_cast<std::size_t>((d * size[1] + h) * size[2]);
    }
};

/// All elements in C order.
bool read_all(TaskContext& ctx, const Tensor& t, Values* out) {
    const Tensor copy = ctx.temporary_like(t, DType::f64);
    if (copy_tensor(ctx, t, copy) != Status::ok) return false;
    const auto* values = static_cast<const double*>(ctx.map(copy, false));
    if (!values) return false;
    out->assign(values, values + t.numel());
    return true;
}

Status write_all(TaskContext& ctx, const Values& values, const Tensor& out) {
    const Tensor copy = ctx.temporary_like(out, DType::f64);
    auto* to = static_cast<double*>(ctx.map(copy, true));
    if (!to) return ctx.error();
    std::copy(values.begin(), values.end(), to);
    return copy_tensor(ctx, copy, out);
}

Status failed(TaskContext& ctx) {
    return ctx.error() == Status::ok ? Status::invalid_value : ctx.error();
}

/// Positions [first, last) whose element `start + p * stride` lies inside [0, size).
void inside(std::int64_t start, std::int64_t stride, std::int64_t size, std::int64_t positions,
            std::int64_t* first, std::int64_t* last) {
    *first = start >= 0 ? 0 : (-start + stride - 1) / stride;
    *last = start >= size ? 0 : std::min(positions, (size - start + stride - 1) / stride);
}

/// y += tap * x at the place of one element of the window.
void add_tap(const Window& w, const std::int64_t (&tap)[3], double weight, const double* x,
             const Volume& in, double* y, const Volume& out) {
    std::int64_t start[3], first[3], last[3];
    for (int a = 0; a < 3; ++a) {
        start[a] = tap[a] * w.dilation[a] - w.pad[a];
        inside(start[a], w.stride[a], in.size[a], out.size[a], &first[a], &last[a]);
    }
    for (std::int64_t d = first[0]; d < last[0]; ++d)
        for (std::int64_t h = first[1]; h < last[1]; ++h) {
            const double* from = x + static_cast<std::ptrdiff_t>(in.row(
                                         start[0] + d * w.stride[0], start[1] + h * w.stride[1]));
            double* to = y + out.row(d, h);
            for (std::int64_t i = first[2]; i < last[2]; ++i)
                to[i] += weight * from[start[2] + i * w.stride[2]];
        }
}

bool convolution_fits(const Tensor& in, const Tensor& weight, const Tensor* bias,
                      std::int64_t groups, const Tensor& out) {
    return in.rank >= 3 && in.rank <= 5 && weight.rank == in.rank && out.rank == in.rank &&
           groups > 0 && in.shape[1] == weight.shape[1] * groups && weight.shape[0] % groups == 0 &&
           out.shape[0] == in.shape[0] && out.shape[1] == weight.shape[0] &&
           (!bias || (bias->rank == 1 && bias->shape[0] == weight.shape[0]));
}

/// One step of a pool: elements of one window, into `result`.
template <class F>
void each_window(const Window& w, const Volume& in, const Volume& out, F f) {
    for (std::int64_t d = 0; d < out.size[0]; ++d)
        for (std::int64_t h = 0; h < out.size[1]; ++h)
            for (std::int64_t i = 0; i < out.size[2]; ++i) {
                const std::int64_t p[3] = {d, h, i};
                std::int64_t low[3], high[3]; // taps inside the input
                for (int a = 0; a < 3; ++a)
                    inside(p[a] * w.stride[a] - w.pad[a], w.dilation[a], in.size[a], w.size[a],
                           &low[a], &high[a]);
                f(p, low, high, out.row(d, h) + static_cast<std::size_t>(i));
            }
}

template <class F>
void each_element(const Window& w, const Volume& in, const std::int64_t* p, const std::int64_t* low,
                  const std::int64_t* high, const double* x, F f) {
    std::int64_t at[3];
    for (std::int64_t a = low[0]; a < high[0]; ++a)
        for (std::int64_t b = low[1]; b < high[1]; ++b)
            for (std::int64_t c = low[2]; c < high[2]; ++c) {
                const std::int64_t tap[3] = {a, b, c};
                for (int k = 0; k < 3; ++k)
                    at[k] = p[k] * w.stride[k] - w.pad[k] + tap[k] * w.dilation[k];
                f(x[in.row(at[0], at[1]) + static_cast<std::size_t>(at[2])]);
            }
}

/// Elements of the window inside the input with `pad` on both sides.
double padded_count(const Window& w, const Volume& in, const std::int64_t* p) {
    double count = 1;
    for (int a = 0; a < 3; ++a) {
        const std::int64_t start = p[a] * w.stride[a] - w.pad[a];
        count *= static_cast<double>(std::min(start + w.size[a], in.size[a] + w.pad[a]) - start);
    }
    return count;
}

bool pool_fits(const Tensor& in, const Tensor& out) {
    return in.rank >= 3 && in.rank <= 5 && out.rank == in.rank && in.shape[0] == out.shape[0] &&
           in.shape[1] == out.shape[1];
}

} // namespace

Status convolution(TaskContext& ctx, const Tensor& in, const Tensor& weight, const Tensor* bias,
                   const Window& window, std::int64_t groups, const Tensor& out) {
    if (!convolution_fits(in, weight, bias, groups, out))
        return shape_error("convolution", in, weight);
    Values x, w, b, y(static_cast<std::size_t>(out.numel()), 0.0);
    if (!read_all(ctx, in, &x) || !read_all(ctx, weight, &w)) return failed(ctx);
    if (bias && !read_all(ctx, *bias, &b)) return failed(ctx);
    const Volume from(in), taps(weight), to(out);
    const auto channels = static_cast<std::size_t>(in.shape[1]),
               outputs = static_cast<std::size_t>(out.shape[1]),
               depth = static_cast<std::size_t>(weight.shape[1]);
    const std::size_t per_group = outputs / static_cast<std::size_t>(groups);
    for (std::size_t n = 0; n < static_cast<std::size_t>(in.shape[0]); ++n)
        for (std::size_t o = 0; o < outputs; ++o) {
            double* plane = y.data() + (n * outputs + o) * to.numel();
            if (bias) std::fill(plane, plane + to.numel(), b[o]);
            for (std::size_t c = 0; c < depth; ++c) {
                const double* source =
                    x.data() + (n * channels + o / per_group * depth + c) * from.numel();
                const double* kernel = w.data() + (o * depth + c) * taps.numel();
                for (std::int64_t d = 0; d < taps.size[0]; ++d)
                    for (std::int64_t h = 0; h < taps.size[1]; ++h)
                        for (std::int64_t i = 0; i < taps.size[2]; ++i)
                            add_tap(window, {d, h, i},
                                    kernel[taps.row(d, h) + static_cast<std::size_t>(i)], source,
                                    from, plane, to);
            }
        }
    ctx.add_flops(2.0 * static_cast<double>(out.numel()) * static_cast<double>(depth) *
                  static_cast<double>(taps.numel()));
    return write_all(ctx, y, out);
}

Status max_pool(TaskContext& ctx, const Tensor& in, const Window& window, const Tensor& out) {
    Values x, y(static_cast<std::size_t>(out.numel()));
    if (!pool_fits(in, out)) return shape_error("max_pool", in, out);
    if (!read_all(ctx, in, &x)) return failed(ctx);
    const Volume from(in), to(out);
    const auto planes = static_cast<std::size_t>(in.shape[0] * in.shape[1]);
    for (std::size_t n = 0; n < planes; ++n)
        each_window(window, from, to,
                    [&](const std::int64_t* p, const std::int64_t* low, const std::int64_t* high,
                        std::size_t at) {
                        double best = -std::numeric_limits<double>::infinity();
                        each_element(window, from, p, low, high, x.data() + n * from.numel(),
                                     [&best](double v) {
                                         if (v > best || v != v) best = best != best ? best : v;
                                     });
                        y[n * to.numel() + at] = best;
                    });
    return write_all(ctx, y, out);
}

Status avg_pool(TaskContext& ctx, const Tensor& in, const Window& window, bool count_pad,
                std::int64_t divisor, const Tensor& out) {
    Values x, y(static_cast<std::size_t>(out.numel()));
    if (!pool_fits(in, out)) return shape_error("avg_pool", in, out);
    if (!read_all(ctx, in, &x)) return failed(ctx);
    const Volume from(in), to(out);
    const auto planes = static_cast<std::size_t>(in.shape[0] * in.shape[1]);
    for (std::size_t n = 0; n < planes; ++n)
        each_window(window, from, to,
                    [&](const std::int64_t* p, const std::int64_t* low, const std::int64_t* high,
                        std::size_t at) {
                        double sum = 0, count = 0;
                        each_element(window, from, p, low, high, x.data() + n * from.numel(),
                                     [&](double v) {
                                         sum += v;
                                         ++count;
                                     });
                        if (count_pad) count = padded_count(window, from, p);
                        if (divisor) count = static_cast<double>(divisor);
                        y[n * to.numel() + at] = sum / count;
                    });
    return write_all(ctx, y, out);
}

} // namespace device_api::engine
