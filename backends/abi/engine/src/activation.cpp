// SPDX-License-Identifier: Apache-2.0
// Elementwise kernels with parameters: activations of neural networks, computed in double.
#include <cmath>

#include "loop.hpp"
#include "parallel.hpp"

namespace device_api::engine {
namespace {

double gelu_tanh(double x, const Parameters&) {
    const double u = 0.79788456080286535588 * (x + 0.044715 * x * x * x);
    return gated(x, 1.0 / (1.0 + std::exp(-2.0 * u))); // (1 + tanh(u)) / 2
}
double mish(double x, const Parameters&) {
    if (x > 20) return x;                          // the factor is 1 in double
    const double e = std::exp(x), n = e * (e + 2); // tanh(log(1 + e)) = n / (n + 2)
    return gated(x, n / (n + 2));
}
double hardswish(double x, const Parameters&) {
    const double shifted = x + 3.0; // NaN stays
    return gated(x, (shifted < 0 ? 0.0 : shifted > 6 ? 6.0 : shifted) / 6.0);
}
double leaky_relu(double x, const Parameters& p) {
    return x > 0 ? x : p.a * x;
}
double elu(double x, const Parameters& p) {
    return x > 0 ? p.b * x : p.a * p.b * std::expm1(p.c * x);
}
double softplus(double x, const Parameters& p) {
    return p.a * x > p.b ? x : std::log1p(std::exp(p.a * x)) / p.a;
}

using Function = double (*)(double, const Parameters&);
constexpr Function functions[] = {gelu_tanh, mish, hardswish, leaky_relu, elu, softplus};

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
    const Function f = functions[static_cast<int>(op)];
    const Tensor* t[2] = {&ready, &out};
    char* base[2];
    if (!map_all(ctx, t, 1, base)) return ctx.error();
    Loop<2> loop(t);
    loop.rows(base, [&](char* const* p) {
        each_block(loop.inner, [&](std::int64_t first, std::int64_t last) {
            Reader<double> x(ready, DType::f64, loop.step[0]);
            Writer<double> y(out, compute, loop.step[1]);
            for (std::int64_t at = first; at < last; at += block) {
                const std::int64_t n = std::min(block, last - at);
                const double* from = x.read(p[0], at, n);
                double* to = y.room(p[1], at);
                for (std::int64_t i = 0; i < n; ++i) to[i] = f(from[i], parameters);
                y.put(p[1], at, n);
            }
        });
    });
    return Status::ok;
}

} // namespace device_api::engine
