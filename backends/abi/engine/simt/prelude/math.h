// SPDX-License-Identifier: Apache-2.0
// Functions of mathematics: those of the host's libm under the names of the language.
#define SIMT_MATH1(F)                                                                              \
    extern "C" double F(double) noexcept;                                                          \
    extern "C" float F##f(float) noexcept;                                                         \
    SIMT_INLINE float F(float x) {                                                                 \
        return F##f(x);                                                                            \
    }
#define SIMT_MATH2(F)                                                                              \
    extern "C" double F(double, double) noexcept;                                                  \
    extern "C" float F##f(float, float) noexcept;                                                  \
    SIMT_INLINE float F(float x, float y) {                                                        \
        return F##f(x, y);                                                                         \
    }
SIMT_MATH1(sqrt)
SIMT_MATH1(cbrt)
SIMT_MATH1(exp)
SIMT_MATH1(exp2)
SIMT_MATH1(exp10)
SIMT_MATH1(expm1)
SIMT_MATH1(log)
SIMT_MATH1(log2)
SIMT_MATH1(log10)
SIMT_MATH1(log1p)
SIMT_MATH1(sin)
SIMT_MATH1(cos)
SIMT_MATH1(tan)
SIMT_MATH1(asin)
SIMT_MATH1(acos)
SIMT_MATH1(atan)
SIMT_MATH1(sinh)
SIMT_MATH1(cosh)
SIMT_MATH1(tanh)
SIMT_MATH1(asinh)
SIMT_MATH1(acosh)
SIMT_MATH1(atanh)
SIMT_MATH1(erf)
SIMT_MATH1(erfc)
SIMT_MATH1(tgamma)
SIMT_MATH1(lgamma)
SIMT_MATH1(floor)
SIMT_MATH1(ceil)
SIMT_MATH1(round)
SIMT_MATH1(trunc)
SIMT_MATH1(rint)
SIMT_MATH1(nearbyint)
SIMT_MATH1(fabs)
SIMT_MATH1(logb)
SIMT_MATH2(pow)
SIMT_MATH2(fmod)
SIMT_MATH2(atan2)
SIMT_MATH2(hypot)
SIMT_MATH2(fmin)
SIMT_MATH2(fmax)
SIMT_MATH2(fdim)
SIMT_MATH2(copysign)
SIMT_MATH2(remainder)
SIMT_MATH2(nextafter)
#undef SIMT_MATH1
#undef SIMT_MATH2
extern "C" double fma(double, double, double) noexcept;
extern "C" float fmaf(float, float, float) noexcept;
extern "C" double ldexp(double, int) noexcept;
extern "C" float ldexpf(float, int) noexcept;
extern "C" double scalbn(double, int) noexcept;
extern "C" float scalbnf(float, int) noexcept;
extern "C" double frexp(double, int*) noexcept;
extern "C" float frexpf(float, int*) noexcept;
extern "C" double modf(double, double*) noexcept;
extern "C" float modff(float, float*) noexcept;
extern "C" long lrint(double) noexcept;
extern "C" long lrintf(float) noexcept;
extern "C" long long llrint(double) noexcept;
extern "C" long long llrintf(float) noexcept;
extern "C" int abs(int) noexcept;
extern "C" long labs(long) noexcept;
extern "C" long long llabs(long long) noexcept;
SIMT_INLINE float fma(float x, float y, float z) {
    return fmaf(x, y, z);
}
SIMT_INLINE long abs(long x) {
    return x < 0 ? -x : x;
}
SIMT_INLINE long long abs(long long x) {
    return x < 0 ? -x : x;
}
SIMT_INLINE float abs(float x) {
    return __builtin_fabsf(x);
}
SIMT_INLINE double abs(double x) {
    return __builtin_fabs(x);
}
SIMT_INLINE float rsqrtf(float x) {
    return 1.0f / __builtin_sqrtf(x);
}
SIMT_INLINE double rsqrt(double x) {
    return 1.0 / __builtin_sqrt(x);
}
SIMT_INLINE float rsqrt(float x) {
    return rsqrtf(x);
}
SIMT_INLINE float rcbrtf(float x) {
    return 1.0f / cbrtf(x);
}
SIMT_INLINE void sincosf(float x, float* s, float* c) {
    *s = sinf(x);
    *c = cosf(x);
}
SIMT_INLINE void sincos(double x, double* s, double* c) {
    *s = sin(x);
    *c = cos(x);
}
SIMT_INLINE float __saturatef(float x) {
    return !(x > 0.0f) ? 0.0f : x > 1.0f ? 1.0f : x;
}
SIMT_INLINE float normcdff(float x) {
    return 0.5f * erfcf(-x * 0.70710678118654752440f);
}
SIMT_INLINE double normcdf(double x) {
    return 0.5 * erfc(-x * 0.70710678118654752440);
}
#define isnan(x)    __builtin_isnan(x)
#define isinf(x)    (__builtin_isinf(x) != 0)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x)  __builtin_signbit(x)

#define SIMT_MINMAX(T)                                                                             \
    SIMT_INLINE T min(T a, T b) {                                                                  \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    SIMT_INLINE T max(T a, T b) {                                                                  \
        return a < b ? b : a;                                                                      \
    }
SIMT_MINMAX(int)
SIMT_MINMAX(unsigned int)
SIMT_MINMAX(long)
SIMT_MINMAX(unsigned long)
SIMT_MINMAX(long long)
SIMT_MINMAX(unsigned long long)
#undef SIMT_MINMAX
SIMT_INLINE float min(float a, float b) {
    return __builtin_fminf(a, b);
}
SIMT_INLINE float max(float a, float b) {
    return __builtin_fmaxf(a, b);
}
SIMT_INLINE double min(double a, double b) {
    return __builtin_fmin(a, b);
}
SIMT_INLINE double max(double a, double b) {
    return __builtin_fmax(a, b);
}
SIMT_INLINE unsigned int min(int a, unsigned int b) {
    return min(static_cast<unsigned int>(a), b);
}
SIMT_INLINE unsigned int min(unsigned int a, int b) {
    return min(a, static_cast<unsigned int>(b));
}
SIMT_INLINE unsigned int max(int a, unsigned int b) {
    return max(static_cast<unsigned int>(a), b);
}
SIMT_INLINE unsigned int max(unsigned int a, int b) {
    return max(a, static_cast<unsigned int>(b));
}
