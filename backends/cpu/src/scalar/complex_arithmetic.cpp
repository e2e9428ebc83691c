// SPDX-License-Identifier: Apache-2.0
// Complex arithmetic, parts, tests and conversions. Quotients follow annex G of C: what is infinite
// stays so, also where the plain formula gives NaN.
#include <cmath>
#include <complex>

#include "scalar/loops.hpp"

namespace device_api::cpu::scalar {
namespace {

template <class T>
using Complex = std::complex<T>;

struct Div {
    template <class T>
    static Complex<T> of(Complex<T> a, Complex<T> b) {
        return a / b;
    }
};
struct Reciprocal {
    template <class T>
    static Complex<T> of(Complex<T> x) {
        return Complex<T>(1) / x;
    }
};
struct Conj {
    template <class T>
    static Complex<T> of(Complex<T> x) {
        return {x.real(), -x.imag()};
    }
};
struct Real {
    template <class T>
    static T of(Complex<T> x) {
        return x.real();
    }
};
struct Imag {
    template <class T>
    static T of(Complex<T> x) {
        return x.imag();
    }
};
struct Magnitude {
    static double of(Complex<double> x) { return std::hypot(x.real(), x.imag()); }
    static float of(Complex<float> x) {
        const double a = x.real(), b = x.imag();
        return std::isinf(a) || std::isinf(b) ? HUGE_VALF : float(std::sqrt(a * a + b * b));
    }
};
// x / |x|, computed in a wider type; an infinite part counts more than a finite one.
template <class W>
struct Sign {
    template <class T>
    static Complex<T> of(Complex<T> x) {
        const T a = x.real(), b = x.imag();
        if (a == 0 && b == 0) return {};
        if (std::isnan(a) || std::isnan(b) || (std::isinf(a) && std::isinf(b)))
            return {T(NAN), T(NAN)};
        if (std::isinf(a)) return {std::copysign(T(1), a), T(0)};
        if (std::isinf(b)) return {T(0), std::copysign(T(1), b)};
        const W size = std::hypot(W(a), W(b));
        return {T(a / size), T(b / size)};
    }
};
struct IsNan {
    template <class T>
    static bool of(Complex<T> x) {
        return std::isnan(x.real()) || std::isnan(x.imag());
    }
};
struct IsInf {
    template <class T>
    static bool of(Complex<T> x) {
        return std::isinf(x.real()) || std::isinf(x.imag());
    }
};
struct IsFinite {
    template <class T>
    static bool of(Complex<T> x) {
        return std::isfinite(x.real()) && std::isfinite(x.imag());
    }
};
struct NotZero {
    template <class T>
    static bool of(Complex<T> x) {
        return x.real() != 0 || x.imag() != 0;
    }
};
template <class R>
struct To {
    template <class T>
    static Complex<R> of(Complex<T> x) {
        return {R(x.real()), R(x.imag())};
    }
};
struct Make {
    template <class T>
    static Complex<T> of(T x) {
        return {x, 0};
    }
    template <class T>
    static Complex<T> of(T x, T y) {
        return {x, y};
    }
};

template <class T, class W>
void install(Kernels* table, unsigned real, unsigned complex) {
    typedef Complex<T> C;
    table->binary[DA_OP_DIV][complex] = each2<Div, C>;
    table->binary[DA_OP_MAKE_COMPLEX][real] = each2<Make, T, C>;
    table->unary[DA_OP_RECIPROCAL][complex] = each<Reciprocal, C>;
    table->unary[DA_OP_CONJ][complex] = each<Conj, C>;
    table->unary[DA_OP_REAL][complex] = each<Real, C, T>;
    table->unary[DA_OP_IMAG][complex] = each<Imag, C, T>;
    table->unary[DA_OP_MAGNITUDE][complex] = each<Magnitude, C, T>;
    table->unary[DA_OP_SIGN][complex] = each<Sign<W>, C>;
    table->unary[DA_OP_ISNAN][complex] = each<IsNan, C, bool>;
    table->unary[DA_OP_ISINF][complex] = each<IsInf, C, bool>;
    table->unary[DA_OP_ISFINITE][complex] = each<IsFinite, C, bool>;
    table->convert[complex][DA_BOOL] = each<NotZero, C, bool>;
    table->convert[complex][real] = each<Real, C, T>;
    table->convert[real][complex] = each<Make, T, C>;
}

} // namespace

void install_complex_arithmetic(Kernels* table) {
    install<float, double>(table, DA_FLOAT32, DA_COMPLEX64);
    install<double, long double>(table, DA_FLOAT64, DA_COMPLEX128);
    table->convert[DA_COMPLEX64][DA_COMPLEX128] = each<To<double>, Complex<float>, Complex<double>>;
    table->convert[DA_COMPLEX128][DA_COMPLEX64] = each<To<float>, Complex<double>, Complex<float>>;
}

} // namespace device_api::cpu::scalar
