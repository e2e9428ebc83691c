// SPDX-License-Identifier: Apache-2.0
// Elementwise kernels with parameters: activations of neural networks, computed in double.
#include <cmath>

#include "functions.hpp"
#include "loop.hpp"
#include "parallel.hpp"

namespace device_api::engine {
namespace {

// Functions of one double, and of a few that become floats (see lanes.hpp).

struct GeluTanh {
    explicit GeluTanh(const Parameters&) {}
    double operator()(double x) const { return gated(x, 1.0 / (1.0 + std::exp(-2.0 * inner(x)))); }
    template <class V>
    DEVICE_API_ENGINE_INLINE V lanes(V v, Mask<V>* sure) const {
        const V value = gated_lanes(v, 1.0 / (1.0 + exp_of(-2.0 * inner(v))));
        *sure = rounds<V>(magnitude(v) < 10, value);
        return value;
    }
    /// (1 + tanh(u)) / 2 is the factor.
    template <class V>
    DEVICE_API_ENGINE_INLINE static V inner(V x) {
        return 0.79788456080286535588 * (x + 0.044715 * x * x * x);
    }
};

struct Mish {
    explicit Mish(const Parameters&) {}
    double operator()(double x) const {
        if (x > 20) return x;                          // the factor is 1 in double
        const double e = std::exp(x), n = e * (e + 2); // tanh(log(1 + e)) = n / (n + 2)
        return gated(x, n / (n + 2));
    }
    template <class V>
    DEVICE_API_ENGINE_INLINE V lanes(V v, Mask<V>* sure) const {
        const V e = exp_of(v), n = e * (e + 2), value = gated_lanes(v, n / (n + 2));
        *sure = rounds<V>((v > -700) & (v < 20), value);
        return value;
    }
};

struct Elu {
    double a, b, c;
    explicit Elu(const Parameters& p) : a(p.a), b(p.b), c(p.c) {}
    double operator()(double x) const { return x > 0 ? b * x : a * b * std::expm1(c * x); }
    template <class V>
    DEVICE_API_ENGINE_INLINE V lanes(V v, Mask<V>* sure) const {
        const V value = a * b * expm1_lanes(c * v);
        *sure = (v > 0) | rounds<V>(c * v < 700, value);
        return v > 0 ? b * v : value;
    }
};

struct Softplus {
    double a, b;
    explicit Softplus(const Parameters& p) : a(p.a), b(p.b) {}
    double operator()(double x) const { return a * x > b ? x : std::log1p(std::exp(a * x)) / a; }
    template <class V>
    DEVICE_API_ENGINE_INLINE V lanes(V v, Mask<V>* sure) const {
        const V scaled = a * v, e = exp_of(scaled), sum = 1 + e;
        const V value = (log_of(sum) + (e - (sum - 1)) / sum) / a; // what the sum lost
        *sure = (scaled > b) | rounds<V>(scaled < 700, value);
        return scaled > b ? v : value;
    }
};

// Plain arithmetic: both ways give the same.

struct Hardswish {
    explicit Hardswish(const Parameters&) {}
    double operator()(double x) const {
        const double shifted = x + 3.0; // NaN stays
        return gated(x, (shifted < 0 ? 0.0 : shifted > 6 ? 6.0 : shifted) / 6.0);
    }
    template <class V>
    DEVICE_API_ENGINE_INLINE V lanes(V v, Mask<V>* sure) const {
        *sure = ~Mask<V>{};
        const V shifted = v + 3.0, least = shifted < 0 ? V{} : shifted;
        return gated_lanes(v, (least > 6 ? V{} + 6.0 : least) / 6.0);
    }
};
struct LeakyRelu {
    double a;
    explicit LeakyRelu(const Parameters& p) : a(p.a) {}
    double operator()(double x) const { return x > 0 ? x : a * x; }
};

template <class C>
using Row = void (*)(const C*, C*, std::int64_t, const Parameters&, bool rounds);

/// `rounds`: the values become floats or less.
template <class F, class C>
void functions_row(const C* x, C* y, std::int64_t n, const Parameters& p, bool rounds) {
    const F f(p);
    if (rounds) return by_lanes(x, y, n, f);
    for (std::int64_t i = 0; i < n; ++i) y[i] = static_cast<C>(f(x[i]));
}
template <class F, class C>
void plain_row(const C* x, C* y, std::int64_t n, const Parameters& p, bool) {
    const F f(p);
    for (std::int64_t i = 0; i < n; ++i) y[i] = static_cast<C>(f(x[i]));
}

template <class C>
constexpr Row<C> rows[] = {functions_row<GeluTanh, C>,  functions_row<Mish, C>,
                           functions_row<Hardswish, C>, plain_row<LeakyRelu, C>,
                           functions_row<Elu, C>,       functions_row<Softplus, C>};

template <class C>
Status run(TaskContext& ctx, Activation op, DType compute, const Tensor& in, const Tensor& out,
           const Parameters& parameters) {
    const Tensor* t[2] = {&in, &out};
    char* base[2];
    if (!map_all(ctx, t, 1, base)) return ctx.error();
    const Row<C> row = rows<C>[static_cast<int>(op)];
    Loop<2> loop(t);
    loop.rows(base, [&](char* const* p) {
        each_block(loop.inner, [&](std::int64_t first, std::int64_t last) {
            Reader<C> x(in, native_dtype<C>(), loop.step[0]);
            Writer<C> y(out, compute, loop.step[1]);
            for (std::int64_t at = first; at < last; at += block) {
                const std::int64_t n = std::min(block, last - at);
                row(x.read(p[0], at, n), y.room(p[1], at), n, parameters, compute != DType::f64);
                y.put(p[1], at, n);
            }
        });
    });
    return Status::ok;
}

} // namespace

Status activation(TaskContext& ctx, Activation op, DType compute, const Tensor& in,
                  const Tensor& out, const Parameters& parameters) {
    Tensor ready;
    if (!operand(ctx, in, out, &ready))
        return ctx.error() == Status::ok ? Status::invalid_value : ctx.error();
    if (!is_float(compute))
        return fail(Status::not_supported, "activation %d is not defined in %s",
                    static_cast<int>(op), dtype_name(compute));
    ctx.add_work(Unit::vector, compute, function_weight * double(out.numel()));
    // Of shorter types in double: a float between would be a second rounding.
    return compute == DType::f32 && in.dtype != DType::f64 && is_float(in.dtype)
               ? run<float>(ctx, op, compute, ready, out, parameters)
               : run<double>(ctx, op, compute, ready, out, parameters);
}

} // namespace device_api::engine
