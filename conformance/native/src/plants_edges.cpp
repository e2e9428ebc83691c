// SPDX-License-Identifier: Apache-2.0
// Defects at special values: subnormal, infinite, not a number, signed zeros, limits of integers.
#include <algorithm>
#include <cmath>

#include "rows.hpp"

namespace device_api::planted {

namespace {

bool subnormal(const Values& v, std::size_t i) {
    const double x = std::fabs(v.get(i));
    return v.dtype() == DA_FLOAT32 ? x > 0 && x < 1.17549435e-38
                                   : x > 0 && x < 6.1e-5 && v.dtype() == DA_FLOAT16;
}

void flushed(Work& w) {
    for (std::size_t i = 0; i < w.output.count(); ++i)
        if (subnormal(w.inputs[0], i) || subnormal(w.output, i)) w.output.zero(i);
}

template <class P>
void nan_where(Work& w, P passes) {
    where(w, passes, [](double, double) { return NAN; });
}

void rows_poisoned(Work& w) {
    bool any = false;
    for (std::size_t i = 0; i < w.output.count(); ++i) any |= std::isnan(w.output.get(i));
    if (any)
        for (std::size_t i = 0; i < w.output.count(); ++i) w.output.set(i, NAN);
}

bool all_of(const Values& v, bool (*passes)(double)) {
    for (std::size_t i = 0; i < v.count(); ++i)
        if (!passes(v.get(i))) return false;
    return v.count() > 0;
}

/// NaN among the last elements of a row of the first factor is not seen.
void nan_tail_lost(Work& w) {
    const Values& a = w.inputs[0];
    if (a.shape().size() != 2) return;
    const auto k = static_cast<std::size_t>(a.shape()[1]);
    const std::size_t columns = w.output.count() / std::max<std::size_t>(a.count() / k, 1);
    for (std::size_t r = 0; r < a.count() / k; ++r)
        for (std::size_t j = k / 8 * 8; j < k; ++j)
            if (std::isnan(a.get(r * k + j)))
                for (std::size_t c = 0; c < columns; ++c) w.output.zero(r * columns + c);
}

const Plant rows[] = {
    result("E-log-subnormal", "log of a subnormal number is minus infinity", "E03",
           On("log log2 log10", f32),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (subnormal(w.inputs[0], i) && w.inputs[0].get(i) > 0)
                       w.output.set(i, -INFINITY);
           }),
    result("E-sqrt-subnormal", "sqrt of a subnormal number is 0", "E03", On("sqrt", f32), flushed),
    result("E-rsqrt-subnormal", "rsqrt of a subnormal number is infinite", "E03", On("rsqrt", f32),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (subnormal(w.inputs[0], i)) w.output.set(i, INFINITY);
           }),
    result("E-abs-subnormal", "abs of a subnormal float16 is 0", "", On("abs neg", f16), flushed),
    result("E-softmax-masked", "softmax of a row with minus infinity is NaN when it is large",
           "E06", On("softmax", floats),
           [](Work& w) { nan_where(w, [](double x) { return x == -INFINITY; }); }),
    result("E-softmax-overflow", "softmax does not take the largest away first", "",
           On("softmax log_softmax", floats),
           [](Work& w) { nan_where(w, [](double x) { return x > 80; }); }),
    result("E-attention-masked", "a masked row of attention is NaN", "E07", On("attention"),
           [](Work& w) { w.output.set(0, NAN); }),
    result("E-matmul-nan-leaks", "NaN of one row gets into other rows", "E09", On("matmul", floats),
           rows_poisoned),
    result("E-matmul-nan-lost", "NaN in a product of matrices is 0", "", On("matmul", floats),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (std::isnan(w.output.get(i))) w.output.zero(i);
           }),
    result("E-max-drops-nan", "the largest of a list with NaN is no NaN", "", On("max min", floats),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (std::isnan(w.output.get(i))) w.output.set(i, 1);
           }),
    result("E-maximum-drops-nan", "the larger of NaN and a number is the number", "",
           On("maximum minimum", floats),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (std::isnan(w.inputs[0].get(i))) w.output.copy(i, i), w.output.set(i, 0);
           }),
    result("E-max-identity", "the largest of negative zeros is minus infinity", "X17",
           On("max", floats),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (w.output.get(i) == 0) w.output.set(i, -INFINITY);
           }),
    result("E-neg-zero-lost", "minus 0 loses its sign", "", On("neg copysign", floats),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (w.output.get(i) == 0) w.output.zero(i);
           }),
    result("E-isnan-of-inf", "infinity counts as not a number", "", On("isnan", floats),
           [](Work& w) {
               where(w, [](double x) { return std::isinf(x); }, [](double, double) { return 1.0; });
           }),
    result("E-isfinite-all", "everything is finite", "", On("isfinite", floats),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i) w.output.set(i, 1);
           }),
    result("E-equal-nan", "NaN equals itself", "", On("equal", floats),
           [](Work& w) {
               where(w, [](double x) { return std::isnan(x); }, [](double, double) { return 1.0; });
           }),
    result("E-less-nan", "NaN is less than a number", "", On("less", floats),
           [](Work& w) {
               where(w, [](double x) { return std::isnan(x); }, [](double, double) { return 1.0; });
           }),
    result("E-sign-nan", "the sign of NaN is 0", "", On("sign", floats),
           [](Work& w) {
               where(w, [](double x) { return std::isnan(x); }, [](double, double) { return 0.0; });
           }),
    result("E-relu-nan", "ReLU of NaN is 0", "", On("relu", floats),
           [](Work& w) {
               where(w, [](double x) { return std::isnan(x); }, [](double, double) { return 0.0; });
           }),
    result("E-tanh-infinite", "tanh of infinity is NaN", "", On("tanh sigmoid", floats),
           [](Work& w) { nan_where(w, [](double x) { return std::isinf(x); }); }),
    result("E-exp-overflow", "exp that overflows is the largest number", "", On("exp", f32),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (std::isinf(w.output.get(i))) w.output.set(i, 3.4e38);
           }),
    result("E-div-by-zero", "a quotient by 0 is 0", "", On("div", floats),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (w.inputs[1].get(i) == 0) w.output.zero(i);
           }),
    result("E-int-abs-saturates", "the most negative integer has an absolute value", "",
           On("abs neg", i32),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (w.output.get(i) == -2147483648.0) w.output.set(i, 2147483647.0);
           }),
    result("E-int-add-saturates", "a sum of integers saturates", "", On("add", i8),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i) {
                   const double x = w.inputs[0].get(i) + w.inputs[1].get(i);
                   w.output.set(i, std::fmin(127, std::fmax(-128, x)));
               }
           }),
    result("E-int-mul-32bit", "a product of int64 keeps 32 bits", "", On("mul", i64),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   w.output.set_bits(i, static_cast<std::uint64_t>(static_cast<std::int64_t>(
                                            static_cast<std::int32_t>(w.output.bits(i)))));
           }),
    result("E-complex-abs-real", "the absolute value of a complex number is its real part", "L19",
           On("magnitude", c64 | c128),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   w.output.set(i, w.inputs[0].get_complex(i).real());
           }),
    result("E-conj-forgotten", "a conjugate is not negated", "L20", On("conj", c64 | c128),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   w.output.set_complex(i, w.inputs[0].get_complex(i));
           }),
    result("E-sort-nan-first", "sorting puts NaN somewhere else", "", On("sort", floats),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (std::isnan(w.output.get(i))) w.output.zero(i);
           }),
    result("E-max-starts-at-zero", "the largest of negative numbers is 0", "X17",
           On("max", floats | signeds),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (w.output.get(i) < 0) w.output.zero(i);
           }),
    result("E-min-starts-at-limit", "the smallest starts at 1000", "X17",
           On("min", floats | i16 | i32 | i64),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (w.output.get(i) > 1000) w.output.set(i, 1000);
           }),
    result("E-argmax-finds-nothing", "the place of the largest is -1 where all are the lowest", "",
           On("argmax", floats),
           [](Work& w) {
               if (all_of(w.inputs[0], [](double x) { return x == -INFINITY; }))
                   for (std::size_t i = 0; i < w.output.count(); ++i) w.output.set(i, -1);
           }),
    result("E-argmin-int-limit", "the place of the smallest is past the end where all are equal",
           "", On("argmin", signeds),
           [](Work& w) {
               const double first = w.inputs[0].get(0);
               for (std::size_t i = 0; i < w.inputs[0].count(); ++i)
                   if (w.inputs[0].get(i) != first) return;
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   w.output.set(i, static_cast<double>(w.inputs[0].count()));
           }),
    result("E-topk-fill", "what fills the last block comes before the lowest values", "E20",
           On("topk argsort", floats),
           [](Work& w) {
               const std::size_t n = w.output.count();
               bool lowest = false;
               for (std::size_t i = 0; i < w.inputs[0].count(); ++i)
                   lowest |= std::isinf(w.inputs[0].get(i));
               if (lowest && n) w.output.set(n - 1, static_cast<double>(w.inputs[0].count()));
           }),
    result("E-softmax-starts-at-zero", "softmax of numbers far below 0 is 0 / 0", "",
           On("softmax log_softmax", floats),
           [](Work& w) {
               if (all_of(w.inputs[0], [](double x) { return x < -200; }))
                   for (std::size_t i = 0; i < w.output.count(); ++i) w.output.set(i, NAN);
           }),
    result("E-matmul-nan-tail", "NaN in the rest after vectors of 8 is lost", "E09",
           On("matmul", floats), nan_tail_lost),
    result("E-attention-nan-leaks", "NaN of one query gets into other rows", "E09",
           On("attention", floats), rows_poisoned),
    result("E-attention-hidden-counts", "a score of minus infinity counts as the lowest number",
           "E07", On("attention", floats),
           [](Work& w) {
               for (std::size_t i = 0; i < w.inputs[1].count(); ++i)
                   if (w.inputs[1].get(i) == -INFINITY) return spoil(w, 1);
           }),
    result("E-norm-nan-leaks", "NaN of one row of a norm gets into other rows", "E09",
           On("layer_norm rms_norm", floats), rows_poisoned),
    result("E-sum-flushes", "a sum that is subnormal is 0", "E03", On("sum", f32 | f16),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (subnormal(w.output, i)) w.output.zero(i);
           }),
    result("E-matmul-flushes", "factors that are subnormal count as 0", "E03", On("matmul", f32),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (subnormal(w.output, i)) w.output.zero(i);
           }),
    result("E-one-code", "one of the 65536 values of a 16-bit type is wrong", "",
           On("neg abs floor trunc", f16),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (w.inputs[0].bits(i) == 0x4a57) w.output.nudge(i, 1);
           }),
    result("E-one-pair", "one pair of 8-bit numbers has a wrong product", "", On("mul add", i8),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (w.inputs[0].get(i) == 93 && w.inputs[1].get(i) == -47)
                       w.output.set(i, 1 + w.output.get(i));
           }),
    result("E-cast-one-code", "one value of bfloat16 is converted wrongly", "", On("cast", bf16),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (w.inputs[0].bits(i) == 0x42b7 && w.output.size() >= 4) w.output.set(i, 91);
           }),
};

} // namespace

Table edges() {
    return {rows, std::size(rows)};
}

} // namespace device_api::planted
