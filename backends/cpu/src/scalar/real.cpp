// SPDX-License-Identifier: Apache-2.0
// Real functions of the C library, and neighbours of floats.
#include <cmath>
#include <cstring>

#include "scalar/loops.hpp"

namespace device_api::cpu::scalar {
namespace {

// X(op, name in the C library)
#define DA_LIBRARY(X)                                                                              \
    X(EXPM1, expm1)                                                                                \
    X(LOG1P, log1p)                                                                                \
    X(LOG2, log2)                                                                                  \
    X(LOG10, log10)                                                                                \
    X(SIN, sin)                                                                                    \
    X(COS, cos)                                                                                    \
    X(TAN, tan)                                                                                    \
    X(ASIN, asin)                                                                                  \
    X(ACOS, acos)                                                                                  \
    X(ATAN, atan)                                                                                  \
    X(SINH, sinh)                                                                                  \
    X(COSH, cosh) X(ASINH, asinh) X(ACOSH, acosh) X(ATANH, atanh) X(ERF, erf)

#define X(NAME, name)                                                                              \
    struct name##_function {                                                                       \
        static float of(float x) { return std::name(x); }                                          \
        static double of(double x) { return std::name(x); }                                        \
    };
DA_LIBRARY(X)
#undef X

struct Atan2 {
    template <class T>
    static T of(T x, T y) {
        return std::atan2(x, y);
    }
};
struct Hypot {
    static double of(double x, double y) { return std::hypot(x, y); }
};

// log(e^a + e^b) = larger + log1p(e^-difference). Where both terms nearly cancel, a wider type
// keeps the digits.
template <class T>
T log_of_sum(T large, T difference) {
    return large + std::log1p(std::exp(-difference));
}
struct LogAddExp {
    static double of(double a, double b) {
        if (std::isunordered(a, b)) return a + b;
        const double large = a > b ? a : b, small = a > b ? b : a;
        if (std::isinf(large) || std::isinf(small)) return large;
        if (large > -1 && large < 0)
            return double(log_of_sum<long double>(large, static_cast<long double>(large) - small));
        return log_of_sum(large, large - small);
    }
    static float of(float a, float b) { return float(of(double(a), double(b))); }
};

// The neighbour by the order of the bits; `infinity` are those of +inf.
template <class U, U infinity>
struct NextAfter {
    static U of(U x, U y) {
        constexpr U sign = U(U(1) << (sizeof(U) * 8 - 1)), magnitude = U(sign - 1);
        const U a = x & magnitude, b = y & magnitude;
        if (a > infinity) return x;
        if (b > infinity || x == y || (a == 0 && b == 0)) return y;
        if (a == 0) return U((y & sign) | 1);
        const bool grows = (x & sign) == (y & sign) && a < b;
        return grows ? U(x + 1) : U(x - 1);
    }
};

} // namespace

void install_real(Kernels* table) {
#define X(NAME, name)                                                                              \
    table->unary[DA_OP_##NAME][DA_FLOAT32] = each<name##_function, float>;                         \
    table->unary[DA_OP_##NAME][DA_FLOAT64] = each<name##_function, double>;
    DA_LIBRARY(X)
#undef X
    table->binary[DA_OP_ATAN2][DA_FLOAT32] = each2<Atan2, float>;
    table->binary[DA_OP_ATAN2][DA_FLOAT64] = each2<Atan2, double>;
    table->binary[DA_OP_HYPOT][DA_FLOAT64] = each2<Hypot, double>;
    table->binary[DA_OP_LOGADDEXP][DA_FLOAT32] = each2<LogAddExp, float>;
    table->binary[DA_OP_LOGADDEXP][DA_FLOAT64] = each2<LogAddExp, double>;
    Map2* next = table->binary[DA_OP_NEXTAFTER];
    next[DA_FLOAT16] = each2<NextAfter<uint16_t, 0x7c00>, uint16_t>;
    next[DA_BFLOAT16] = each2<NextAfter<uint16_t, 0x7f80>, uint16_t>;
    next[DA_FLOAT32] = each2<NextAfter<uint32_t, 0x7f800000>, uint32_t>;
    next[DA_FLOAT64] = each2<NextAfter<uint64_t, 0x7ff0000000000000>, uint64_t>;
}

} // namespace device_api::cpu::scalar
