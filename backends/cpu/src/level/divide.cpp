// SPDX-License-Identifier: Apache-2.0
// Loops of floor_divide and remainder of floats, without a rounding on the way.
#include "level/simd.hpp"

DA_LEVEL_BEGIN

constexpr double kWhole = 9007199254740992.0; // 2^53: from here on every double is whole

DA_INLINE bool is_finite(double x) {
    return x - x == 0;
}

// A quotient of two floats, rounded to double, is never rounded up to or beyond a whole number, nor
// to a number halfway between two floats: its floor needs no correction.
DA_INLINE double floor_float(double x, double y) {
    return __builtin_floor(x / y);
}

// The quotient's floor, below 2^53 in size, where both are finite: x / y may have been rounded up
// to a whole number, which the exact rest tells.
DA_INLINE double floor_small(double x, double y, double q) {
    const double f = __builtin_floor(q);
    const double rest = __builtin_fma(-f, y, x);
    return rest != 0 && (rest < 0) != (y < 0) ? f - 1 : f;
}

// From 2^53 on, x / y rounded is right unless the floor lies just between two doubles and the
// quotient does not: then the even one counts.
double floor_large(double x, double y, double q) {
    const double r = __builtin_fmod(x, y);
    if (r == 0) return q;
    const double a = __builtin_fabs(q), d = __builtin_fabs(y);
    const double unit = __builtin_nextafter(a, __builtin_inf()) - a;
    const double rest = __builtin_fma(-a, d, __builtin_fabs(x)); // exact
    const double part = __builtin_fabs(r);
    uint64_t bits;
    __builtin_memcpy(&bits, &q, sizeof bits);
    if (!(bits & 1)) return q; // even already
    if (q > 0)                 // rounded up from a floor of a - unit / 2
        return rest < 0 && rest + unit / 2 * d == part ? a - unit : q;
    // Rounded towards 0 from a floor of -(a + unit / 2).
    return rest > 0 && (unit / 2 - 1) * d + part == rest ? -(a + unit) : q;
}

DA_INLINE double floor_double(double x, double y) {
    const double q = x / y;
    if (!is_finite(q) || !is_finite(y)) return __builtin_floor(q);
    return __builtin_fabs(q) < kWhole ? floor_small(x, y, q) : floor_large(x, y, q);
}

DA_INLINE double rest_of(double r, double y) {
    if (r == 0) return __builtin_copysign(0.0, y);
    return (r < 0) != (y < 0) ? r + y : r;
}

// In blocks: exact in double while the quotient is below 2^28; the others are done again.
void remainder_float(size_t n, void* out, const void* a, const void* b) {
    constexpr size_t block = 64;
    float* o = static_cast<float*>(out);
    const float* x = static_cast<const float*>(a);
    const float* y = static_cast<const float*>(b);
    float results[block];
    for (size_t i = 0; i < n; i += block, o += block, x += block, y += block) {
        const size_t m = n - i < block ? n - i : block;
        unsigned doubtful = 0;
        for (size_t j = 0; j < m; ++j) {
            const double u = x[j], v = y[j], q = u / v;
            const float r = float(u - __builtin_floor(q) * v);
            results[j] = r == 0 ? __builtin_copysignf(0.0f, y[j]) : r;
            doubtful |= unsigned(!(__builtin_fabs(q) < 268435456.0)) | unsigned(!is_finite(v));
        }
        for (size_t j = 0; doubtful && j < m; ++j)
            if (!(__builtin_fabs(double(x[j]) / double(y[j])) < 268435456.0) || !is_finite(y[j]))
                results[j] = float(rest_of(__builtin_fmodf(x[j], y[j]), y[j]));
        for (size_t j = 0; j < m; ++j) o[j] = results[j];
    }
}

DA_INLINE double remainder_double(double x, double y) {
    const double q = x / y;
    if (!(__builtin_fabs(q) < kWhole) || !is_finite(y)) return rest_of(__builtin_fmod(x, y), y);
    const double r = __builtin_fma(-floor_small(x, y, q), y, x);
    return r == 0 ? __builtin_copysign(0.0, y) : r;
}

struct FloorDivide {
    static DA_INLINE float of(float x, float y) { return float(floor_float(x, y)); }
    static DA_INLINE double of(double x, double y) { return floor_double(x, y); }
};
struct Remainder {
    static DA_INLINE double of(double x, double y) { return remainder_double(x, y); }
};
// Without overflow or a second rounding that counts, in double.
struct Hypot {
    static DA_INLINE float of(float a, float b) {
        const double x = a, y = b, h = __builtin_sqrt(x * x + y * y);
        const bool infinite =
            __builtin_fabsf(a) == __builtin_inff() || __builtin_fabsf(b) == __builtin_inff();
        return infinite ? __builtin_inff() : float(h);
    }
};

template <class F, class T>
void loop(size_t n, void* out, const void* a, const void* b) {
    T* o = static_cast<T*>(out);
    const T* x = static_cast<const T*>(a);
    const T* y = static_cast<const T*>(b);
    DA_INDEPENDENT
    for (size_t i = 0; i < n; ++i) o[i] = F::of(x[i], y[i]);
}

} // namespace

void install_divide(Kernels* table) {
    table->binary[DA_OP_FLOOR_DIVIDE][DA_FLOAT32] = loop<FloorDivide, float>;
    table->binary[DA_OP_FLOOR_DIVIDE][DA_FLOAT64] = loop<FloorDivide, double>;
    table->binary[DA_OP_REMAINDER][DA_FLOAT32] = remainder_float;
    table->binary[DA_OP_REMAINDER][DA_FLOAT64] = loop<Remainder, double>;
    table->binary[DA_OP_HYPOT][DA_FLOAT32] = loop<Hypot, float>;
}

DA_LEVEL_END
