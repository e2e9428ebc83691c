// SPDX-License-Identifier: Apache-2.0
// Complex functions, by those of the C library, whose special values are those of annex G of C;
// where the array API has others, by its rules. Complex64 is computed in complex128.
#include <cmath>
#include <complex>

#include "scalar/loops.hpp"

namespace device_api::cpu::scalar {
namespace {

using Single = std::complex<float>;
using Double = std::complex<double>;
using Wide = std::complex<long double>;

bool finite(Double x) {
    return std::isfinite(x.real()) && std::isfinite(x.imag());
}

Double expm1(Double z) {
    const double x = z.real(), y = z.imag();
    if (!finite(z) || std::fabs(x) > 1) return std::exp(z) - 1.0;
    const double s = std::sin(y / 2);
    // The sum with +0 makes the real part of expm1(-0 + 0i) the +0 that the array API asks for.
    return {std::expm1(x) * std::cos(y) - 2 * s * s + 0.0, std::exp(x) * std::sin(y)};
}

// At an infinite real part the imaginary one is a zero with the sign of y: that is the array API's
// rule, where annex G of C has the sign of sin(2y).
Double tanh(Double z) {
    if (!std::isinf(z.real())) return std::tanh(z);
    return {std::copysign(1.0, z.real()), std::copysign(0.0, z.imag())};
}

Double tan(Double z) { // -i tanh(iz)
    const Double t = tanh(Double(-z.imag(), z.real()));
    return {t.imag(), -t.real()};
}

Double log1p(Double z) {
    const double x = z.real(), y = z.imag();
    if (!finite(z) || std::fabs(x) > 0.5 || std::fabs(y) > 0.5) return std::log(Double(1 + x, y));
    const double size = y == 0 ? std::log1p(x) : 0.5 * std::log1p(x * (2 + x) + y * y);
    return {size, std::atan2(y, 1 + x)};
}

Double log2(Double z) {
    const Double l = std::log(z);
    constexpr double ln2 = 0.693147180559945309417;
    return {l.real() / ln2, l.imag() / ln2};
}

Double log10(Double z) {
    const Double l = std::log(z);
    constexpr double ln10 = 2.30258509299404568402;
    return {l.real() / ln10, l.imag() / ln10};
}

// By products for small whole exponents, else e^(w log z), with digits to spare: the exponent's
// rounding errors grow with its size.
template <class W>
W power(W z, W w) {
    typedef typename W::value_type T;
    constexpr T most = 64;
    if (w == T(0)) return T(1);
    if (z == T(0) && w.real() > 0) return T(0);
    const T n = w.real();
    if (w.imag() != 0 || n != std::floor(n) || std::fabs(n) > most)
        return z == T(0) ? W(T(1)) / z : std::exp(w * std::log(z));
    W result = T(1), square = z;
    bool first = true;
    for (int e = int(std::fabs(n)); e != 0; e >>= 1) {
        if (e & 1) result = first ? square : result * square;
        first = first && !(e & 1);
        if (e > 1) square *= square;
    }
    return n < 0 ? W(T(1)) / result : result;
}

// X(op, function)
#define DA_COMPLEX_FUNCTIONS(X)                                                                    \
    X(EXP, std::exp)                                                                               \
    X(LOG, std::log)                                                                               \
    X(SQRT, std::sqrt)                                                                             \
    X(SIN, std::sin)                                                                               \
    X(COS, std::cos)                                                                               \
    X(TAN, tan)                                                                                    \
    X(ASIN, std::asin)                                                                             \
    X(ACOS, std::acos)                                                                             \
    X(ATAN, std::atan)                                                                             \
    X(SINH, std::sinh)                                                                             \
    X(COSH, std::cosh)                                                                             \
    X(TANH, tanh)                                                                                  \
    X(ASINH, std::asinh)                                                                           \
    X(ACOSH, std::acosh)                                                                           \
    X(ATANH, std::atanh) X(EXPM1, expm1) X(LOG1P, log1p) X(LOG2, log2) X(LOG10, log10)

#define X(NAME, function)                                                                          \
    struct Function##NAME {                                                                        \
        static Double of(Double x) { return function(x); }                                         \
        static Single of(Single x) { return Single(function(Double(x))); }                         \
    };
DA_COMPLEX_FUNCTIONS(X)
#undef X

struct Pow {
    static Double of(Double x, Double y) { return Double(power(Wide(x), Wide(y))); }
    static Single of(Single x, Single y) { return Single(power(Double(x), Double(y))); }
};

} // namespace

void install_complex_math(Kernels* table) {
#define X(NAME, function)                                                                          \
    table->unary[DA_OP_##NAME][DA_COMPLEX64] = each<Function##NAME, Single>;                       \
    table->unary[DA_OP_##NAME][DA_COMPLEX128] = each<Function##NAME, Double>;
    DA_COMPLEX_FUNCTIONS(X)
#undef X
    table->binary[DA_OP_POW][DA_COMPLEX64] = each2<Pow, Single>;
    table->binary[DA_OP_POW][DA_COMPLEX128] = each2<Pow, Double>;
}

} // namespace device_api::cpu::scalar
