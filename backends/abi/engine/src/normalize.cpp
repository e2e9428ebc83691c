// SPDX-License-Identifier: Apache-2.0
// Softmax and normalisations of lines, in double.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lanes.hpp"
#include "lines.hpp"

namespace device_api::engine {
namespace {

using Values = std::vector<double>;

// Steps of a softmax by lanes (see lanes.hpp). A quotient or a difference that is not sure says so:
// the sum, too, came from lanes.
struct Power {
    double largest;
    double operator()(double x) const { return std::exp(x - largest); }
    template <class V>
    DEVICE_API_ENGINE_INLINE V lanes(V v, Mask<V>* sure) const {
        *sure = v <= largest;
        return exp_of(v - largest);
    }
};
struct Quotient {
    double sum;
    bool* unsure;
    double operator()(double x) const {
        *unsure = true;
        return x / sum;
    }
    template <class V>
    DEVICE_API_ENGINE_INLINE V lanes(V v, Mask<V>* sure) const {
        const V value = v / sum;
        *sure = rounds<V>(~Mask<V>{}, value);
        return value;
    }
};
struct Difference {
    double largest, log_sum;
    bool* unsure;
    double operator()(double x) const {
        *unsure = true;
        return x - largest - log_sum;
    }
    template <class V>
    DEVICE_API_ENGINE_INLINE V lanes(V v, Mask<V>* sure) const {
        const V value = v - largest - log_sum;
        *sure = certain(value, 0x1p-45); // near 0 it is what is left of a larger number
        return value;
    }
};

struct SoftmaxLine {
    bool logarithm, lanes;
    Values x, y;

    /// False: by lanes some result may round to another one than by the C library.
    bool compute(bool use_lanes) {
        const auto n = static_cast<std::int64_t>(x.size());
        double largest = -std::numeric_limits<double>::infinity(), sum = 0;
        for (const double v : x) largest = v > largest ? v : largest;
        y.resize(x.size());
        const Power power{largest};
        if (use_lanes)
            by_lanes(x.data(), y.data(), n, power);
        else
            std::transform(x.begin(), x.end(), y.begin(), power);
        for (const double e : y) sum += e;
        bool unsure = false;
        const Quotient quotient{sum, &unsure};
        const Difference difference{largest, std::log(sum), &unsure};
        if (!use_lanes) {
            if (logarithm)
                std::transform(x.begin(), x.end(), y.begin(), difference);
            else
                std::transform(y.begin(), y.end(), y.begin(), quotient);
            return true;
        }
        if (logarithm)
            by_lanes(x.data(), y.data(), n, difference);
        else
            by_lanes(y.data(), y.data(), n, quotient);
        return !unsure;
    }
    void operator()(const Line* line) {
        line[0].read(&x);
        if (!lanes || !compute(true)) compute(false);
        line[1].write(y);
    }
};

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
    ctx.add_work(Unit::vector, in.dtype, (function_weight + 4) * double(in.numel()));
    const Tensor* t[2] = {&in, &out};
    // A sum of more numbers may be off by more than lanes are certain of.
    const bool lanes = is_float(out.dtype) && out.dtype != DType::f64 && in.shape[axis] <= 8192;
    return each_line(ctx, t, axis, 1, 20, [&] { return SoftmaxLine{logarithm, lanes, {}, {}}; });
}

Status layer_norm(TaskContext& ctx, const Tensor& in, const Tensor* weight, const Tensor* bias,
                  double epsilon, const Tensor& out, const Tensor* mean, const Tensor* rstd) {
    if (in.rank == 0) return shape_error("layer_norm", in, out);
    const std::int64_t n = in.shape[in.rank - 1];
    Values w, b;
    if (!read_vector(ctx, weight, n, 1, &w) || !read_vector(ctx, bias, n, 0, &b))
        return no_fit(ctx, "layer_norm", in, out);
    ctx.add_work(Unit::vector, in.dtype, 8 * double(in.numel()));
    const Tensor means = statistic(ctx, in, mean), rstds = statistic(ctx, in, rstd);
    const Tensor* t[4] = {&in, &out, &means, &rstds};
    return each_line(ctx, t, in.rank - 1, 1, 10, [&] {
        return [&, x = Values()](const Line* line) mutable {
            line[0].read(&x);
            const Moments m = moments(x, epsilon);
            for (std::size_t i = 0; i < x.size(); ++i)
                x[i] = (x[i] - m.mean) * m.rstd * w[i] + b[i];
            line[1].write(x);
            line[2].write_one(m.mean);
            line[3].write_one(m.rstd);
        };
    });
}

Status rms_norm(TaskContext& ctx, const Tensor& in, const Tensor& weight, double epsilon,
                const Tensor& out, const Tensor* rstd) {
    if (in.rank == 0) return shape_error("rms_norm", in, out);
    const std::int64_t n = in.shape[in.rank - 1];
    Values w;
    if (!read_vector(ctx, &weight, n, 1, &w)) return no_fit(ctx, "rms_norm", in, out);
    ctx.add_work(Unit::vector, in.dtype, 5 * double(in.numel()));
    const Tensor rstds = statistic(ctx, in, rstd);
    const Tensor* t[3] = {&in, &out, &rstds};
    return each_line(ctx, t, in.rank - 1, 1, 10, [&] {
        return [&, x = Values()](const Line* line) mutable {
            line[0].read(&x);
            double square = 0;
            for (const double v : x) square += v * v;
            const double r = 1 / std::sqrt(square / static_cast<double>(n) + epsilon);
            for (std::size_t i = 0; i < x.size(); ++i)
                x[i] = (std::isinf(x[i]) ? x[i] : x[i] * r) * w[i];
            line[1].write(x);
            line[2].write_one(r);
        };
    });
}

} // namespace device_api::engine
