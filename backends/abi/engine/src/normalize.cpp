// SPDX-License-Identifier: Apache-2.0
// Softmax and normalisations of lines, in double.
#include <cmath>
#include <limits>

#include "lines.hpp"

namespace device_api::engine {
namespace {

using Values = std::vector<double>;

void softmax_line(bool logarithm, Values* x) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (const double v : *x)
        if (v > largest) largest = v;
    for (double& v : *x) {
        v -= largest;
        const double e = std::exp(v);
        sum += e;
        if (!logarithm) v = e;
    }
    const double log_sum = std::log(sum);
    for (double& v : *x) v = logarithm ? v - log_sum : v / sum;
}

struct Moments {
    double mean = 0, rstd = 0;
};

Moments moments(const Values& x, double epsilon) {
    Moments m;
    double square = 0;
    for (const double v : x) m.mean += v;
    m.mean /= static_cast<double>(x.size());
    for (const double v : x) square += (v - m.mean) * (v - m.mean);
    m.rstd = 1 / std::sqrt(square / static_cast<double>(x.size()) + epsilon);
    return m;
}

/// A vector over the last axis, or `otherwise` everywhere.
bool read_vector(TaskContext& ctx, const Tensor* t, std::int64_t n, double otherwise, Values* out) {
    out->assign(static_cast<std::size_t>(n), otherwise);
    if (!t) return true;
    char* at = static_cast<char*>(ctx.map(*t, false));
    if (!at || t->rank != 1 || t->shape[0] != n) return false;
    Line{at, t->strides[0], n, t->dtype}.read(out);
    return true;
}

/// Where mean or rstd go: the tensor, or a temporary.
Tensor statistic(TaskContext& ctx, const Tensor& in, const Tensor* given) {
    if (given) return *given;
    Tensor shape = in;
    shape.shape[in.rank - 1] = 1;
    return ctx.temporary(DType::f64, in.rank, shape.shape);
}

Status no_fit(TaskContext& ctx, const char* kernel, const Tensor& in, const Tensor& out) {
    return ctx.error() == Status::ok ? shape_error(kernel, in, out) : ctx.error();
}

} // namespace

Status softmax(TaskContext& ctx, bool logarithm, const Tensor& in, int axis, const Tensor& out) {
    if (!fix_axis(in.rank, &axis)) return Status::invalid_value;
    Values x;
    ctx.add_work(Unit::vector, in.dtype, (function_weight + 4) * double(in.numel()));
    const Tensor* t[2] = {&in, &out};
    return each_line(ctx, t, axis, 1, [&](const Line* line) {
        line[0].read(&x);
        softmax_line(logarithm, &x);
        line[1].write(x);
    });
}

Status layer_norm(TaskContext& ctx, const Tensor& in, const Tensor* weight, const Tensor* bias,
                  double epsilon, const Tensor& out, const Tensor* mean, const Tensor* rstd) {
    if (in.rank == 0) return shape_error("layer_norm", in, out);
    const std::int64_t n = in.shape[in.rank - 1];
    Values x, w, b;
    if (!read_vector(ctx, weight, n, 1, &w) || !read_vector(ctx, bias, n, 0, &b))
        return no_fit(ctx, "layer_norm", in, out);
    ctx.add_work(Unit::vector, in.dtype, 8 * double(in.numel()));
    const Tensor means = statistic(ctx, in, mean), rstds = statistic(ctx, in, rstd);
    const Tensor* t[4] = {&in, &out, &means, &rstds};
    return each_line(ctx, t, in.rank - 1, 1, [&](const Line* line) {
        line[0].read(&x);
        const Moments m = moments(x, epsilon);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = (x[i] - m.mean) * m.rstd * w[i] + b[i];
        line[1].write(x);
        line[2].write_one(m.mean);
        line[3].write_one(m.rstd);
    });
}

Status rms_norm(TaskContext& ctx, const Tensor& in, const Tensor& weight, double epsilon,
                const Tensor& out, const Tensor* rstd) {
    if (in.rank == 0) return shape_error("rms_norm", in, out);
    const std::int64_t n = in.shape[in.rank - 1];
    Values x, w;
    if (!read_vector(ctx, &weight, n, 1, &w)) return no_fit(ctx, "rms_norm", in, out);
    ctx.add_work(Unit::vector, in.dtype, 5 * double(in.numel()));
    const Tensor rstds = statistic(ctx, in, rstd);
    const Tensor* t[3] = {&in, &out, &rstds};
    return each_line(ctx, t, in.rank - 1, 1, [&](const Line* line) {
        line[0].read(&x);
        double square = 0;
        for (const double v : x) square += v * v;
        const double r = 1 / std::sqrt(square / static_cast<double>(n) + epsilon);
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] = (std::isinf(x[i]) ? x[i] : x[i] * r) * w[i];
        line[1].write(x);
        line[2].write_one(r);
    });
}

} // namespace device_api::engine
