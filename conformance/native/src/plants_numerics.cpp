// SPDX-License-Identifier: Apache-2.0
// Defects of functions: units in the last place, wrong branches, thresholds.
#include <cmath>

#include "rows.hpp"

namespace device_api::planted {

namespace {

template <int Steps>
void nudged(Work& w) {
    all_nudged(w, Steps);
}

void small_is_zero(Work& w) {
    where(w, [](double x) { return std::fabs(x) < 1e-4; }, [](double, double) { return 0.0; });
}

void tail_repeats(Work& w) {
    const std::size_t n = w.output.count();
    if (n > 8 && n % 8 != 0) w.output.copy(n - 1, n - 2);
}

/// A result through float32, where the type is wider.
void narrow(Work& w) {
    for (std::size_t i = 0; i < w.output.count(); ++i)
        w.output.set(i, static_cast<double>(static_cast<float>(w.output.get(i))));
}

/// Off by a part of the result where the operand's size is in [2^low, 2^(low + 1)).
template <int Low>
void one_binade(Work& w) {
    where(
        w,
        [](double x) {
            return std::fabs(x) >= std::ldexp(1, Low) && std::fabs(x) < std::ldexp(1, Low + 1);
        },
        [](double, double y) { return y + y * 1e-4; });
}

const Plant rows[] = {
    result("N-exp-10ulp", "exp is off by ten units", "N17", On("exp", f32), nudged<10>),
    result("N-add-tail", "the last element of a vector tail repeats the one before", "",
           On("add sub mul"), tail_repeats),
    result("N-tanh-small", "tanh of a small number is 0", "N17", On("tanh", f32), small_is_zero),
    result("N-sin-40ulp", "sin is off by forty units", "", On("sin cos", f32), nudged<40>),
    result("N-tan-200ulp", "tan is off by 200 units", "", On("tan", f32), nudged<200>),
    result("N-log-20ulp", "log is off by twenty units", "", On("log log2 log10", f32), nudged<20>),
    result("N-rsqrt-estimate", "rsqrt is the chip's estimate without a refining step", "",
           On("rsqrt", f32), nudged<2000>),
    result("N-reciprocal-estimate", "reciprocal is an estimate", "", On("reciprocal", f32),
           nudged<600>),
    result("N-div-64ulp", "a quotient is made from an estimated reciprocal", "", On("div", f32),
           nudged<64>),
    result("N-sqrt-30ulp", "sqrt is off by thirty units", "", On("sqrt", f32), nudged<30>),
    result("N-erf-100ulp", "erf is off by a hundred units", "", On("erf", f32), nudged<100>),
    result("N-atan2-50ulp", "atan2 is off by fifty units", "", On("atan2", f32), nudged<50>),
    result("N-add-1ulp", "a sum is off by one unit", "", On("add", f32), nudged<1>),
    result("N-mul-1ulp", "a product is off by one unit in double precision", "", On("mul", f64),
           nudged<1>),
    result("N-exp-f64-as-f32", "exp of float64 is made in float32", "", On("exp", f64), narrow),
    result("N-log-f64-as-f32", "log of float64 is made in float32", "", On("log", f64), narrow),
    result("N-pow-f64-as-f32", "pow of float64 is made in float32", "N27", On("pow", f64), narrow),
    result("N-sqrt-f64-as-f32", "sqrt of float64 is made in float32", "", On("sqrt", f64), narrow),
    result("N-mul-f64-as-f32", "a product of float64 is made in float32", "", On("mul", f64),
           narrow),
    result("N-pow-negative-base", "pow of a negative base is NaN", "N27", On("pow", floats),
           [](Work& w) {
               where(w, [](double x) { return x < 0; }, [](double, double) { return NAN; });
           }),
    result("N-gelu-tail", "tanh-GELU is exactly 0 below -3", "N16", On("gelu_tanh gelu", f32),
           [](Work& w) {
               where(w, [](double x) { return x < -3; }, [](double, double) { return 0.0; });
           }),
    result("N-gelu-sign", "GELU has the wrong sign between -4 and -2", "N15", On("gelu", floats),
           [](Work& w) {
               where(
                   w, [](double x) { return x > -4 && x < -2; },
                   [](double, double y) { return -y; });
           }),
    result("N-gelu-is-tanh", "GELU is the approximation with tanh", "", On("gelu", f32),
           [](Work& w) {
               where(
                   w, [](double) { return true; },
                   [](double x, double) {
                       const double inner = 0.7978845608028654 * (x + 0.044715 * x * x * x);
                       return 0.5 * x * (1 + std::tanh(inner));
                   });
           }),
    result("N-softplus-cut", "softplus is linear from 1 on", "", On("softplus", f32),
           [](Work& w) {
               where(w, [](double x) { return x > 1; }, [](double x, double) { return x; });
           }),
    result("N-expm1-naive", "expm1 cancels near 0", "", On("expm1", f32),
           [](Work& w) {
               where(
                   w, [](double) { return true; },
                   [](double x, double) {
                       return static_cast<double>(std::exp(static_cast<float>(x)) - 1.0f);
                   });
           }),
    result("N-log1p-naive", "log1p cancels near 0", "", On("log1p", f32),
           [](Work& w) {
               where(
                   w, [](double x) { return x > -1; },
                   [](double x, double) {
                       return static_cast<double>(std::log(1.0f + static_cast<float>(x)));
                   });
           }),
    result("N-sigmoid-cut", "sigmoid saturates at 4", "", On("sigmoid", floats),
           [](Work& w) {
               where(w, [](double x) { return x > 4; }, [](double, double) { return 1.0; });
           }),
    result("N-elu-no-alpha", "ELU of a negative number is that number", "", On("elu", floats),
           [](Work& w) {
               where(w, [](double x) { return x < 0; }, [](double x, double) { return x; });
           }),
    result("N-leaky-slope", "leaky ReLU is ReLU", "", On("leaky_relu", floats),
           [](Work& w) {
               where(w, [](double x) { return x < 0; }, [](double, double) { return 0.0; });
           }),
    result("N-floor-truncates", "floor of a negative number goes towards zero", "",
           On("floor", floats),
           [](Work& w) {
               where(
                   w, [](double x) { return std::isfinite(x) && x < 0; },
                   [](double x, double) { return std::trunc(x); });
           }),
    result("N-hypot-abs-max", "hypot is the larger operand", "", On("hypot", floats),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   w.output.set(
                       i, std::fmax(std::fabs(w.inputs[0].get(i)), std::fabs(w.inputs[1].get(i))));
           }),
    result("N-shift-by-one", "a shift to the right fills with zeros", "",
           On("shift_right", signeds),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (w.output.get(i) < 0) w.output.set(i, -w.output.get(i));
           }),
    result("N-exp-one-binade", "exp is off for operands of one size", "", On("exp cos", f32 | f64),
           one_binade<-9>),
    result("N-atan-one-binade", "atan is off for large operands of one size", "",
           On("atan asinh", f32 | f64), one_binade<41>),
    result("N-sqrt-tiny", "sqrt of very small numbers is off", "", On("sqrt rsqrt", f32),
           one_binade<-97>),
    result("N-floor-int32", "floor goes by way of 32-bit integers", "E13",
           On("floor ceil trunc round", f32 | f64),
           [](Work& w) {
               where(
                   w, [](double x) { return std::isfinite(x) && std::fabs(x) > 2147483648.0; },
                   [](double x, double) { return std::copysign(2147483648.0, x); });
           }),
    result("N-hypot-overflows", "hypot overflows where squares do", "", On("hypot", f32),
           [](Work& w) {
               where(
                   w, [](double x) { return std::isfinite(x) && std::fabs(x) > 1.9e19; },
                   [](double, double) { return INFINITY; });
           }),
};

} // namespace

Table numerics() {
    return {rows, std::size(rows)};
}

} // namespace device_api::planted
