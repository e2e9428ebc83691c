// SPDX-License-Identifier: Apache-2.0
// Activation functions, without cancellation and without losing digits to subnormal factors.
// Float32 is computed in double.
#include <cmath>

#include "scalar/loops.hpp"

namespace device_api::cpu::scalar {
namespace {

constexpr double kTiny = -700; // e^x is subnormal some way below

// x e^z, where e^z alone may be subnormal; `low` is what z lacks of the exact exponent.
double times_exp(double x, double z, double low = 0) {
    if (z > kTiny) {
        const double e = std::exp(z);
        return x * (e + e * low);
    }
    const double half = std::exp(z / 2);
    return x * half * half * (1 + low);
}

struct Relu {
    static double of(double x) { return x < 0 ? 0 : x; }
};
struct Sigmoid {
    static double of(double x) {
        const double e = std::exp(-std::fabs(x));
        return (x < 0 ? e : 1) / (1 + e);
    }
};
struct Silu {
    static double of(double x) {
        if (x < -800) return -0.0;
        return x < 0 ? times_exp(x, x) / (1 + std::exp(x)) : x / (1 + std::exp(-x));
    }
};
// x erfc(-x / sqrt(2)) / 2; far below 0 by the asymptotic series.
struct Gelu {
    static double of(double x) {
        if (x > 40) return x;
        if (x < -40) return -0.0;
        if (x < -36) return far(x);
        const double t = -x * 0.70710678118654752440;
        // What the argument lost in rounding, and in the constant.
        const double low = std::fma(-x, 0.70710678118654752440, -t) + x * 4.833646656726457e-17;
        const double slope = t > 1 ? 2 * t + 1 / t : 0;
        return 0.5 * x * (std::erfc(t) * (1 - low * slope));
    }
    static double far(double x) {
        const double square = x * x, low = std::fma(x, x, -square);
        const double u = 1 / square; // 1 / (2 t^2) with t = -x / sqrt(2)
        const double series =
            1 - u * (1 - 3 * u * (1 - 5 * u * (1 - 7 * u * (1 - 9 * u * (1 - 11 * u)))));
        return times_exp(-0.39894228040143267794 * series, -square / 2, -low / 2);
    }
};
// x / (1 + e^-z) with z = 2 sqrt(2 / pi) (x + 0.044715 x^3), kept in two parts.
struct GeluTanh {
    static double of(double x) {
        if (x > 40) return x;
        if (x < -40) return -0.0;
        constexpr double c1 = 1.5957691216057308, c1_low = -9.96930880911092e-17;
        constexpr double c3 = 0.07135481627260025, c3_low = -6.175149918155315e-19;
        const double s = x * x, s_low = std::fma(x, x, -s);
        const double p = c3 * s, p_low = std::fma(c3, s, -p) + c3 * s_low + c3_low * s;
        const double w = c1 + p, back = w - c1;
        const double w_low = (c1 - (w - back)) + (p - back) + p_low + c1_low;
        const double z = x * w, z_low = std::fma(x, w, -z) + x * w_low;
        if (x < 0) return times_exp(x, z, z_low) / (1 + std::exp(z));
        return x / (1 + times_exp(1, -z, -z_low));
    }
};
struct Mish {
    static double of(double x) {
        if (x > 40) return x;
        if (x < -800) return -0.0;
        const double e = std::exp(x), n = e * (e + 2);
        return x < kTiny ? times_exp(x, x) : x * (n / (n + 2));
    }
};
struct HardSwish {
    static double of(double x) {
        const double v = x + 3, low = v < 0 ? 0 : v;
        return x * ((low > 6 ? 6 : low) / 6); // 6 x would overflow
    }
};

struct HardSigmoid {
    static double of(double x, const double* p) {
        const double v = std::fma(p[DA_HARDSIGMOID_SLOPE], x, p[DA_HARDSIGMOID_OFFSET]);
        return v < 0 ? 0 : v > 1 ? 1 : v;
    }
};
struct Softplus {
    static double of(double x, const double* p) {
        const double beta = p[DA_SOFTPLUS_BETA], z = beta * x;
        if (z > p[DA_SOFTPLUS_THRESHOLD]) return x;
        if (z > 0) return (z + std::log1p(std::exp(-z))) / beta;
        const double low = std::isfinite(z) ? std::fma(beta, x, -z) : 0;
        return std::log1p(times_exp(1, z, low)) / beta;
    }
};
struct LeakyRelu {
    static double of(double x, const double* p) { return x > 0 ? x : p[DA_LEAKY_RELU_SLOPE] * x; }
};
struct Elu {
    static double of(double x, const double* p) {
        return x > 0 ? x : p[DA_ELU_ALPHA] * std::expm1(x);
    }
};

template <class F, class T>
void plain(size_t n, void* out, const void* a) {
    T* o = static_cast<T*>(out);
    const T* x = static_cast<const T*>(a);
    for (size_t i = 0; i < n; ++i) o[i] = T(F::of(double(x[i])));
}

template <class F, class T>
void with_attributes(size_t n, void* out, const void* a, const double* attributes) {
    T* o = static_cast<T*>(out);
    const T* x = static_cast<const T*>(a);
    for (size_t i = 0; i < n; ++i) o[i] = T(F::of(double(x[i]), attributes));
}

template <class F>
void install(Map1* row) {
    row[DA_FLOAT32] = plain<F, float>;
    row[DA_FLOAT64] = plain<F, double>;
}

template <class F>
void install(MapAttributes* row) {
    row[DA_FLOAT32] = with_attributes<F, float>;
    row[DA_FLOAT64] = with_attributes<F, double>;
}

} // namespace

void install_activation(Kernels* table) {
    install<Relu>(table->unary[DA_OP_RELU]);
    install<Sigmoid>(table->unary[DA_OP_SIGMOID]);
    install<Silu>(table->unary[DA_OP_SILU]);
    install<Gelu>(table->unary[DA_OP_GELU]);
    install<GeluTanh>(table->unary[DA_OP_GELU_TANH]);
    install<Mish>(table->unary[DA_OP_MISH]);
    install<HardSwish>(table->unary[DA_OP_HARDSWISH]);
    install<HardSigmoid>(table->attributed[DA_OP_HARDSIGMOID - kFirstAttributed]);
    install<Softplus>(table->attributed[DA_OP_SOFTPLUS - kFirstAttributed]);
    install<LeakyRelu>(table->attributed[DA_OP_LEAKY_RELU - kFirstAttributed]);
    install<Elu>(table->attributed[DA_OP_ELU - kFirstAttributed]);
}

} // namespace device_api::cpu::scalar
