// SPDX-License-Identifier: Apache-2.0
// Intrinsics: fast forms of functions, bits, conversions.
#define SIMT_FAST(F, E)                                                                            \
    SIMT_INLINE float F(float x) {                                                                 \
        return E;                                                                                  \
    }
SIMT_FAST(__expf, expf(x))
SIMT_FAST(__exp10f, exp10f(x))
SIMT_FAST(__logf, logf(x))
SIMT_FAST(__log2f, log2f(x))
SIMT_FAST(__log10f, log10f(x))
SIMT_FAST(__sinf, sinf(x))
SIMT_FAST(__cosf, cosf(x))
SIMT_FAST(__tanf, tanf(x))
SIMT_FAST(__frsqrt_rn, rsqrtf(x))
SIMT_FAST(__fsqrt_rn, __builtin_sqrtf(x))
SIMT_FAST(__frcp_rn, 1.0f / x)
#undef SIMT_FAST
#define SIMT_BINARY(T, F, E)                                                                       \
    SIMT_INLINE T F(T x, T y) {                                                                    \
        return E;                                                                                  \
    }
SIMT_BINARY(float, __powf, powf(x, y))
SIMT_BINARY(float, __fdividef, x / y)
SIMT_BINARY(float, __fdiv_rn, x / y)
SIMT_BINARY(double, __ddiv_rn, x / y)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off")
static __attribute__((noinline, unused)) float simt_add(float x, float y) {
    return x + y;
}
static __attribute__((noinline, unused)) float simt_mul(float x, float y) {
    return x * y;
}
static __attribute__((noinline, unused)) double simt_add(double x, double y) {
    return x + y;
}
static __attribute__((noinline, unused)) double simt_mul(double x, double y) {
    return x * y;
}
#pragma GCC pop_options
// Those that are never contracted to a multiply-add.
SIMT_BINARY(float, __fadd_rn, simt_add(x, y))
SIMT_BINARY(float, __fsub_rn, simt_add(x, -y))
SIMT_BINARY(float, __fmul_rn, simt_mul(x, y))
SIMT_BINARY(double, __dadd_rn, simt_add(x, y))
SIMT_BINARY(double, __dsub_rn, simt_add(x, -y))
SIMT_BINARY(double, __dmul_rn, simt_mul(x, y))
SIMT_BINARY(unsigned int, __umulhi, (unsigned int)(((unsigned long long)x * y) >> 32))
SIMT_BINARY(int, __mulhi, (int)(((long long)x * y) >> 32))
SIMT_BINARY(unsigned long long, __umul64hi, (unsigned long long)(((unsigned __int128)x * y) >> 64))
SIMT_BINARY(long long, __mul64hi, (long long)(((__int128)x * y) >> 64))
SIMT_BINARY(int, __mul24, x* y)
SIMT_BINARY(unsigned int, __umul24, x* y)
#undef SIMT_BINARY
SIMT_INLINE float __fmaf_rn(float x, float y, float z) {
    return __builtin_fmaf(x, y, z);
}
SIMT_INLINE double __fma_rn(double x, double y, double z) {
    return __builtin_fma(x, y, z);
}
SIMT_INLINE void __sincosf(float x, float* s, float* c) {
    sincosf(x, s, c);
}

SIMT_INLINE int __popc(unsigned int x) {
    return __builtin_popcount(x);
}
SIMT_INLINE int __popcll(unsigned long long x) {
    return __builtin_popcountll(x);
}
SIMT_INLINE int __clz(int x) {
    return x ? __builtin_clz((unsigned int)x) : 32;
}
SIMT_INLINE int __clzll(long long x) {
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
SIMT_INLINE int __ffs(int x) {
    return __builtin_ffs(x);
}
SIMT_INLINE int __ffsll(long long x) {
    return __builtin_ffsll(x);
}
SIMT_INLINE unsigned int __brev(unsigned int x) {
    x = __builtin_bswap32(x);
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    return (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
}
SIMT_INLINE unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev((unsigned int)x) << 32 | __brev((unsigned int)(x >> 32));
}
SIMT_INLINE unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int n) {
    return (unsigned int)((((unsigned long long)hi << 32 | lo) << (n & 31)) >> 32);
}
SIMT_INLINE unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int n) {
    return (unsigned int)(((unsigned long long)hi << 32 | lo) >> (n & 31));
}

template <class To, class From>
SIMT_INLINE To simt_bits(From x) {
    static_assert(sizeof(To) == sizeof(From), "both of one size");
    To to;
    __builtin_memcpy(&to, &x, sizeof to);
    return to;
}
SIMT_INLINE int __float_as_int(float x) {
    return simt_bits<int>(x);
}
SIMT_INLINE unsigned int __float_as_uint(float x) {
    return simt_bits<unsigned int>(x);
}
SIMT_INLINE float __int_as_float(int x) {
    return simt_bits<float>(x);
}
SIMT_INLINE float __uint_as_float(unsigned int x) {
    return simt_bits<float>(x);
}
SIMT_INLINE long long __double_as_longlong(double x) {
    return simt_bits<long long>(x);
}
SIMT_INLINE double __longlong_as_double(long long x) {
    return simt_bits<double>(x);
}
SIMT_INLINE int __double2hiint(double x) {
    return (int)(simt_bits<unsigned long long>(x) >> 32);
}
SIMT_INLINE int __double2loint(double x) {
    return (int)simt_bits<unsigned long long>(x);
}
SIMT_INLINE double __hiloint2double(int hi, int lo) {
    return simt_bits<double>((unsigned long long)(unsigned int)hi << 32 | (unsigned int)lo);
}

// Conversions saturate, and NaN gives 0 (64 bits: the least value), as on the chips.
template <class To, class From>
SIMT_INLINE To simt_round_to(From x, double low, double high, To least, To most) {
    if (x != x) return sizeof(To) == 8 ? least : To(0);
    if (double(x) <= low) return least;
    if (double(x) >= high) return most;
    return To(x);
}
#define SIMT_CONVERT(NAME, FROM, TO, ROUND, LOW, HIGH, LEAST, MOST)                                \
    SIMT_INLINE TO NAME(FROM x) {                                                                  \
        return simt_round_to<TO>(ROUND(x), LOW, HIGH, LEAST, MOST);                                \
    }
#define SIMT_CONVERTS(PREFIX, FROM, MODE, ROUND)                                                   \
    SIMT_CONVERT(PREFIX##int_##MODE, FROM, int, ROUND, -2147483648.0, 2147483648.0,                \
                 -2147483647 - 1, 2147483647)                                                      \
    SIMT_CONVERT(PREFIX##uint_##MODE, FROM, unsigned int, ROUND, 0.0, 4294967296.0, 0u,            \
                 4294967295u)                                                                      \
    SIMT_CONVERT(PREFIX##ll_##MODE, FROM, long long, ROUND, -9223372036854775808.0,                \
                 9223372036854775808.0, -9223372036854775807ll - 1, 9223372036854775807ll)         \
    SIMT_CONVERT(PREFIX##ull_##MODE, FROM, unsigned long long, ROUND, 0.0, 18446744073709551616.0, \
                 0ull, 18446744073709551615ull)
SIMT_CONVERTS(__float2, float, rn, __builtin_rintf)
SIMT_CONVERTS(__float2, float, rz, __builtin_truncf)
SIMT_CONVERTS(__float2, float, ru, __builtin_ceilf)
SIMT_CONVERTS(__float2, float, rd, __builtin_floorf)
SIMT_CONVERTS(__double2, double, rn, __builtin_rint)
SIMT_CONVERTS(__double2, double, rz, __builtin_trunc)
SIMT_CONVERTS(__double2, double, ru, __builtin_ceil)
SIMT_CONVERTS(__double2, double, rd, __builtin_floor)
#undef SIMT_CONVERTS
#undef SIMT_CONVERT
SIMT_INLINE float __int2float_rn(int x) {
    return float(x);
}
SIMT_INLINE float __uint2float_rn(unsigned int x) {
    return float(x);
}
SIMT_INLINE float __ll2float_rn(long long x) {
    return float(x);
}
SIMT_INLINE float __ull2float_rn(unsigned long long x) {
    return float(x);
}
SIMT_INLINE float __double2float_rn(double x) {
    return float(x);
}
template <class T>
SIMT_INLINE T __ldg(const T* p) {
    return *p;
}
template <class T>
SIMT_INLINE T __ldcg(const T* p) {
    return *p;
}
template <class T>
SIMT_INLINE T __ldcs(const T* p) {
    return *p;
}
template <class T>
SIMT_INLINE void __stcs(T* p, T value) {
    *p = value;
}
