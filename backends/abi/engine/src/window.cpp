// SPDX-License-Identifier: Apache-2.0
// Pools: windows over up to three axes, element by element of the window.
#include <limits>
#include <vector>

#include "windows.hpp"

namespace device_api::engine {
namespace {

bool pool_fits(const Tensor& in, const Tensor& out) {
    return in.rank >= 3 && in.rank <= 5 && out.rank == in.rank && in.shape[0] == out.shape[0] &&
           in.shape[1] == out.shape[1];
}

/// For each axis and position, the elements of the window inside the input (`padded`: inside it
/// with the padding on both sides).
std::vector<double> counts(const Window& w, const Volume& in, const Volume& out, bool padded,
                           int axis) {
    std::vector<double> n(static_cast<std::size_t>(out.size[axis]));
    for (std::int64_t p = 0; p < out.size[axis]; ++p) {
        const std::int64_t start = p * w.stride[axis] - w.pad[axis];
        std::int64_t low, high;
        inside(start, w.dilation[axis], in.size[axis], w.size[axis], &low, &high);
        const std::int64_t end = std::min(start + w.size[axis], in.size[axis] + w.pad[axis]);
        n[static_cast<std::size_t>(p)] =
            static_cast<double>(padded ? end - start : std::max<std::int64_t>(high - low, 0));
    }
    return n;
}

void divide(double* sums, const Volume& out, const std::vector<double> (&n)[3]) {
    for (std::int64_t d = 0; d < out.size[0]; ++d)
        for (std::int64_t h = 0; h < out.size[1]; ++h)
            for (std::int64_t i = 0; i < out.size[2]; ++i)
                *sums++ /= n[0][static_cast<std::size_t>(d)] * n[1][static_cast<std::size_t>(h)] *
                           n[2][static_cast<std::size_t>(i)];
}

/// y[plane] = fold of x[plane] over the windows, beginning with `first`.
template <class V, class F>
void fold_windows(const Window& w, const Tensor& in, const V* x, const Tensor& out, V* y, V first,
                  F fold) {
    const Volume from(in), to(out);
    std::fill(y, y + out.numel(), first);
    for (std::int64_t n = 0; n < in.shape[0] * in.shape[1]; ++n)
        each_tap(w.size, [&](const std::int64_t (&tap)[3]) {
            each_row(w, tap, x + n * from.numel(), from, y + n * to.numel(), to,
                     [fold](const V* a, std::int64_t step, V* b, std::int64_t count) {
                         if (step == 1)
                             for (std::int64_t i = 0; i < count; ++i) b[i] = fold(b[i], a[i]);
                         else
                             for (std::int64_t i = 0; i < count; ++i)
                                 b[i] = fold(b[i], a[i * step]);
                     });
        });
}

Status failed(TaskContext& ctx) {
    return ctx.error() == Status::ok ? Status::invalid_value : ctx.error();
}

void add_taps(TaskContext& ctx, const Window& w, const Tensor& in, const Tensor& out) {
    const double taps = double(w.size[0]) * double(w.size[1]) * double(w.size[2]);
    ctx.add_work(Unit::vector, in.dtype, taps * double(out.numel()));
}

template <class V>
Status max_pool_in(TaskContext& ctx, const Tensor& in, const Window& window, const Tensor& out,
                   DType as) {
    const V* x = values_of<V>(ctx, in, as);
    const Tensor result = ctx.temporary_like(out, as);
    auto* y = static_cast<V*>(ctx.map(result, true));
    if (!x || !y) return failed(ctx);
    // NaN stays: a comparison with it is false.
    fold_windows(window, in, x, out, y, -std::numeric_limits<V>::infinity(),
                 [](V a, V b) { return a != a || a >= b ? a : b; });
    return copy_tensor(ctx, result, out);
}

} // namespace

Status max_pool(TaskContext& ctx, const Tensor& in, const Window& window, const Tensor& out) {
    if (!pool_fits(in, out)) return shape_error("max_pool", in, out);
    if (out.numel() == 0) return Status::ok;
    add_taps(ctx, window, in, out);
    const bool wide = in.dtype == DType::f64 || !is_float(in.dtype);
    return wide ? max_pool_in<double>(ctx, in, window, out, DType::f64)
                : max_pool_in<float>(ctx, in, window, out, DType::f32);
}

Status avg_pool(TaskContext& ctx, const Tensor& in, const Window& window, bool count_pad,
                std::int64_t divisor, const Tensor& out) {
    if (!pool_fits(in, out)) return shape_error("avg_pool", in, out);
    if (out.numel() == 0) return Status::ok;
    add_taps(ctx, window, in, out);
    const double* x = values_of<double>(ctx, in, DType::f64);
    const Tensor result = ctx.temporary_like(out, DType::f64);
    auto* y = static_cast<double*>(ctx.map(result, true));
    if (!x || !y) return failed(ctx);
    fold_windows(window, in, x, out, y, 0.0, [](double a, double b) { return a + b; });
    const Volume from(in), to(out);
    std::vector<double> n[3];
    for (int a = 0; a < 3; ++a) {
        n[a] = counts(window, from, to, count_pad, a);
        if (divisor) n[a].assign(n[a].size(), a ? 1.0 : static_cast<double>(divisor));
    }
    for (std::int64_t i = 0; i < in.shape[0] * in.shape[1]; ++i) divide(y + i * to.numel(), to, n);
    return copy_tensor(ctx, result, out);
}

} // namespace device_api::engine
