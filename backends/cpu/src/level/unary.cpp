// SPDX-License-Identifier: Apache-2.0
// Loops of the ops with one input, but for the transcendental ones in float32 (math.cpp).
#include "level/simd.hpp"

DA_LEVEL_BEGIN

struct Neg {
    static DA_INLINE float of(float x) { return -x; }
    static DA_INLINE double of(double x) { return -x; }
    template <class T>
    static DA_INLINE T of(T x) {
        return T(T(0) - x);
    }
};
struct Abs {
    static DA_INLINE float of(float x) { return __builtin_fabsf(x); }
    static DA_INLINE double of(double x) { return __builtin_fabs(x); }
    template <class T>
    static DA_INLINE T of(T x) {
        return T(x < 0 ? Unsigned<T>(Unsigned<T>(0) - Unsigned<T>(x)) : Unsigned<T>(x));
    }
};
struct Sqrt {
    static DA_INLINE float of(float x) { return __builtin_sqrtf(x); }
    static DA_INLINE double of(double x) { return __builtin_sqrt(x); }
};
struct Floor {
    static DA_INLINE float of(float x) { return __builtin_floorf(x); }
    static DA_INLINE double of(double x) { return __builtin_floor(x); }
};
struct Ceil {
    static DA_INLINE float of(float x) { return __builtin_ceilf(x); }
    static DA_INLINE double of(double x) { return __builtin_ceil(x); }
};
struct Trunc {
    static DA_INLINE float of(float x) { return __builtin_truncf(x); }
    static DA_INLINE double of(double x) { return __builtin_trunc(x); }
};
struct Round { // the rounding mode is half to even
    static DA_INLINE float of(float x) { return __builtin_rintf(x); }
    static DA_INLINE double of(double x) { return __builtin_rint(x); }
};
struct Reciprocal {
    template <class T>
    static DA_INLINE T of(T x) {
        return T(1) / x;
    }
};
struct Rsqrt {
    static DA_INLINE float of(float x) { return 1 / __builtin_sqrtf(x); }
    static DA_INLINE double of(double x) { return 1 / __builtin_sqrt(x); }
};
struct IsFinite {
    template <class T>
    static DA_INLINE bool of(T x) {
        return x - x == T(0);
    }
};
struct IsInf {
    static DA_INLINE bool of(float x) { return __builtin_fabsf(x) == __builtin_inff(); }
    static DA_INLINE bool of(double x) { return __builtin_fabs(x) == __builtin_inf(); }
};
struct Exp {
    static DA_INLINE double of(double x) { return __builtin_exp(x); }
};
struct Log {
    static DA_INLINE double of(double x) { return __builtin_log(x); }
};
struct Tanh {
    static DA_INLINE double of(double x) { return __builtin_tanh(x); }
};
struct Sign {
    template <class T>
    static DA_INLINE T of(T x) {
        const T sign = T((x > T(0)) - (x < T(0)));
        return x != x ? x : sign;
    }
};
struct IsNan {
    template <class T>
    static DA_INLINE bool of(T x) {
        return x != x;
    }
};
struct Not {
    template <class T>
    static DA_INLINE bool of(T x) {
        return x == 0;
    }
};

template <class F, class T, class R = T>
void loop(size_t n, void* out, const void* a) {
    R* o = static_cast<R*>(out);
    const T* x = static_cast<const T*>(a);
    DA_INDEPENDENT
    for (size_t i = 0; i < n; ++i) o[i] = F::of(x[i]);
}

// A complex number is two elements.
template <class F, class T>
void parts(size_t n, void* out, const void* a) {
    loop<F, T>(2 * n, out, a);
}

template <class T>
void same(size_t n, void* out, const void* a) {
    __builtin_memmove(out, a, n * sizeof(T));
}

void neg_and_abs(Map1* neg, Map1* abs) {
    neg[DA_INT8] = neg[DA_UINT8] = loop<Neg, uint8_t>;
    neg[DA_INT16] = neg[DA_UINT16] = loop<Neg, uint16_t>;
    neg[DA_INT32] = neg[DA_UINT32] = loop<Neg, uint32_t>;
    neg[DA_INT64] = neg[DA_UINT64] = loop<Neg, uint64_t>;
#define X(number, type) neg[number] = loop<Neg, type>;
    DA_FLOAT_TYPES(X)
#undef X
#define X(number, type) abs[number] = loop<Abs, type>;
    DA_SIGNED_TYPES(X)
    DA_FLOAT_TYPES(X)
#undef X
#define X(number, type) abs[number] = same<type>;
    DA_UNSIGNED_TYPES(X)
#undef X
}

} // namespace

void install_unary(Kernels* table) {
    Map1(*rows)[kTypes] = table->unary;
    neg_and_abs(rows[DA_OP_NEG], rows[DA_OP_ABS]);
    rows[DA_OP_EXP][DA_FLOAT64] = loop<Exp, double>;
    rows[DA_OP_LOG][DA_FLOAT64] = loop<Log, double>;
    rows[DA_OP_TANH][DA_FLOAT64] = loop<Tanh, double>;
#define X(number, type)                                                                            \
    rows[DA_OP_SQRT][number] = loop<Sqrt, type>;                                                   \
    rows[DA_OP_FLOOR][number] = loop<Floor, type>;                                                 \
    rows[DA_OP_ISNAN][number] = loop<IsNan, type, uint8_t>;                                        \
    rows[DA_OP_CEIL][number] = loop<Ceil, type>;                                                   \
    rows[DA_OP_TRUNC][number] = loop<Trunc, type>;                                                 \
    rows[DA_OP_ROUND][number] = loop<Round, type>;                                                 \
    rows[DA_OP_RECIPROCAL][number] = loop<Reciprocal, type>;                                       \
    rows[DA_OP_RSQRT][number] = loop<Rsqrt, type>;                                                 \
    rows[DA_OP_ISFINITE][number] = loop<IsFinite, type, uint8_t>;                                  \
    rows[DA_OP_ISINF][number] = loop<IsInf, type, uint8_t>;
    DA_FLOAT_TYPES(X)
#undef X
#define X(number, type) rows[DA_OP_SIGN][number] = loop<Sign, type>;
    DA_NUMERIC_TYPES(X)
#undef X
    rows[DA_OP_NEG][DA_COMPLEX64] = parts<Neg, float>;
    rows[DA_OP_NEG][DA_COMPLEX128] = parts<Neg, double>;
    rows[DA_OP_ROUND][DA_COMPLEX64] = parts<Round, float>;
    rows[DA_OP_ROUND][DA_COMPLEX128] = parts<Round, double>;
    rows[DA_OP_LOGICAL_NOT][DA_BOOL] = loop<Not, uint8_t, uint8_t>;
}

DA_LEVEL_END
