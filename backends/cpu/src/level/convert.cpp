// SPDX-License-Identifier: Apache-2.0
// Loops that convert between element types in one rounding (or none).
#include "level/simd.hpp"

DA_LEVEL_BEGIN

DA_INLINE uint32_t bits_of(float x) {
    uint32_t b;
    __builtin_memcpy(&b, &x, sizeof b);
    return b;
}

DA_INLINE float float_of(uint32_t b) {
    float x;
    __builtin_memcpy(&x, &b, sizeof x);
    return x;
}

// Plain conversion; integers wrap, which a conversion to an unsigned type does by definition.
struct Plain {
    template <class R, class T>
    static DA_INLINE R of(T x) {
        return R(x);
    }
};
struct NotZero {
    template <class R, class T>
    static DA_INLINE R of(T x) {
        return R(x != T(0));
    }
};

// Float to integer: truncated; values outside the range saturate and NaN gives 0.
template <class R>
struct Limits {
    static constexpr bool is_signed = R(-1) < R(0);
    static constexpr int digits = int(sizeof(R)) * 8 - (is_signed ? 1 : 0);
    static constexpr R max = R((((uint64_t(1) << (digits - 1)) - 1) << 1) | 1);
    static constexpr R min = is_signed ? R(-max - 1) : R(0);
    static constexpr double above = 2.0 * double(uint64_t(1) << (digits - 1)); // max + 1
};
template <class R, bool narrow>
struct Middle {
    typedef R type;
};
template <class R>
struct Middle<R, true> {
    typedef int32_t type;
};

struct Truncate {
    template <class R, class T>
    static DA_INLINE R of(T x) {
        typedef typename Middle<R, (sizeof(R) < 4)>::type M;
        const T above = T(Limits<R>::above), least = T(Limits<R>::min);
        const T low = x > least ? x : least;
        const T inside = x < above ? low : T(0); // NaN too
        const R value = R(M(inside));
        return x >= above ? Limits<R>::max : value;
    }
};

// To float32 such that rounding the result to 16 bits rounds the source once: truncated, and the
// last bit is set when anything was cut off ("round to odd").
struct Odd {
    template <class R>
    static DA_INLINE float of(double x) {
        const float near = float(x);
        const double back = double(near);
        const uint32_t b = bits_of(near);
        const bool inexact = back != x && x == x;
        const bool even = (b & 1) == 0;
        const bool away = __builtin_fabs(back) > __builtin_fabs(x);
        return float_of(inexact && even ? (away ? b - 1 : b + 1) : b);
    }
    template <class R>
    static DA_INLINE float of(uint64_t x) {
        if (x < (uint64_t(1) << 24)) return float(x);
        const int cut = 40 - __builtin_clzll(x);
        const uint64_t kept = x >> cut;
        const bool sticky = (kept << cut) != x;
        return float((kept | sticky) << cut);
    }
    template <class R>
    static DA_INLINE float of(int64_t x) {
        return x < 0 ? -of<R>(uint64_t(0) - uint64_t(x)) : of<R>(uint64_t(x));
    }
};

struct FromBfloat16 {
    template <class R>
    static DA_INLINE float of(uint16_t x) {
        return float_of(uint32_t(x) << 16);
    }
};
struct ToBfloat16 {
    template <class R>
    static DA_INLINE uint16_t of(float x) {
        const uint32_t b = bits_of(x);
        const uint32_t rounded = (b + 0x7fff + ((b >> 16) & 1)) >> 16;
        const uint32_t nan = (b >> 16) | 0x40;
        return uint16_t((b & 0x7fffffff) > 0x7f800000 ? nan : rounded);
    }
};
struct FromFloat16 {
    template <class R>
    static DA_INLINE float of(uint16_t h) {
        const uint32_t magnitude = uint32_t(h & 0x7fff) << 13;
        const uint32_t exponent = magnitude & 0x0f800000;
        const uint32_t normal = magnitude + 0x38000000;
        const uint32_t special = normal + 0x38000000;
        const uint32_t tiny = bits_of(float_of(normal + 0x00800000) - float_of(0x38800000));
        const uint32_t b = exponent == 0x0f800000 ? special : exponent == 0 ? tiny : normal;
        return float_of(b | uint32_t(h & 0x8000) << 16);
    }
};
struct ToFloat16 {
    template <class R>
    static DA_INLINE uint16_t of(float x) {
        const uint32_t b = bits_of(x), a = b & 0x7fffffff;
        const uint32_t normal = (a - 0x38000000 + 0xfff + ((a >> 13) & 1)) >> 13;
        // Adding a half puts the rounded subnormal into the low bits.
        const uint32_t tiny = bits_of(float_of(a) + 0.5f) - 0x3f000000;
        const uint32_t nan = 0x7e00 | ((a >> 13) & 0x1ff);
        const uint32_t finite = a < 0x38800000 ? tiny : a < 0x47800000 ? normal : 0x7c00;
        return uint16_t((a > 0x7f800000 ? nan : finite) | (b >> 16 & 0x8000));
    }
};

template <class F, class R, class T>
void loop(size_t n, void* out, const void* in) {
    R* o = static_cast<R*>(out);
    const T* x = static_cast<const T*>(in);
    DA_INDEPENDENT
    for (size_t i = 0; i < n; ++i) o[i] = F::template of<R>(x[i]);
}

#if defined(__F16C__)
void from_float16(size_t n, void* out, const void* in) {
    float* o = static_cast<float*>(out);
    const uint16_t* x = static_cast<const uint16_t*>(in);
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(o + i,
                         _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x + i))));
    loop<FromFloat16, float, uint16_t>(n - i, o + i, x + i);
}

void to_float16(size_t n, void* out, const void* in) {
    uint16_t* o = static_cast<uint16_t*>(out);
    const float* x = static_cast<const float*>(in);
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        _mm_storeu_si128(reinterpret_cast<__m128i*>(o + i),
                         _mm256_cvtps_ph(_mm256_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT));
    loop<ToFloat16, uint16_t, float>(n - i, o + i, x + i);
}

DA_INLINE VH narrow_float16(VF x) {
#if defined(__AVX512F__)
    return (VH)_mm512_maskz_cvtps_ph(__mmask16(0xffff), (__m512)x, _MM_FROUND_TO_NEAREST_INT);
#else
    return (VH)_mm256_cvtps_ph((__m256)x, _MM_FROUND_TO_NEAREST_INT);
#endif
}

#else
const Map1 from_float16 = loop<FromFloat16, float, uint16_t>;
const Map1 to_float16 = loop<ToFloat16, uint16_t, float>;
#endif

DA_INLINE VH narrow_bfloat16(VF x) {
    const VU b = (VU)x;
    const VU rounded = (b + 0x7fffu + ((b >> 16) & 1u)) >> 16, nan = (b >> 16) | 0x40u;
    return __builtin_convertvector((b & 0x7fffffffu) > 0x7f800000u ? nan : rounded, VH);
}

// For large outputs, written past the caches.
template <VH (*narrow)(VF), Map1 convert>
void stream_narrow(size_t n, void* out, const void* in) {
    uint16_t* o = static_cast<uint16_t*>(out);
    const float* x = static_cast<const float*>(in);
    size_t i = unaligned_head(o, sizeof(uint16_t), n);
    convert(i, o, x);
    for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
        fetch_ahead(x + i);
        if (kLanes == 16) fetch_ahead(x + i + kLanes);
        stream_halves(o + i, narrow(load(x + i)), narrow(load(x + i + kLanes)));
    }
    convert(n - i, o + i, x + i);
}

// All targets of one integer source; bool reads as uint8.
template <class T>
void from_integer(Map1* row) {
    row[DA_BOOL] = loop<NotZero, uint8_t, Unsigned<T>>;
    row[DA_INT8] = row[DA_UINT8] = loop<Plain, uint8_t, T>;
    row[DA_INT16] = row[DA_UINT16] = loop<Plain, uint16_t, T>;
    row[DA_INT32] = row[DA_UINT32] = loop<Plain, uint32_t, T>;
    row[DA_INT64] = row[DA_UINT64] = loop<Plain, uint64_t, T>;
    row[DA_FLOAT32] = loop<Plain, float, T>;
    row[DA_FLOAT64] = loop<Plain, double, T>;
}

template <class T>
void from_float(Map1* row) {
    row[DA_BOOL] = loop<NotZero, uint8_t, T>;
#define X(number, type) row[number] = loop<Truncate, type, T>;
    DA_INTEGER_TYPES(X)
#undef X
#define X(number, type) row[number] = loop<Plain, type, T>;
    DA_FLOAT_TYPES(X)
#undef X
}

} // namespace

void install_convert(Kernels* table) {
    from_integer<uint8_t>(table->convert[DA_BOOL]);
#define X(number, type) from_integer<type>(table->convert[number]);
    DA_INTEGER_TYPES(X)
#undef X
#define X(number, type) from_float<type>(table->convert[number]);
    DA_FLOAT_TYPES(X)
#undef X
    table->convert[DA_FLOAT16][DA_FLOAT32] = from_float16;
    table->convert[DA_FLOAT32][DA_FLOAT16] = to_float16;
    table->convert[DA_BFLOAT16][DA_FLOAT32] = loop<FromBfloat16, float, uint16_t>;
    table->convert[DA_FLOAT32][DA_BFLOAT16] = loop<ToBfloat16, uint16_t, float>;
#if defined(__F16C__) // elsewhere the conversion itself takes the time
    table->narrow_stream[DA_FLOAT16] = stream_narrow<narrow_float16, to_float16>;
#endif
    table->narrow_stream[DA_BFLOAT16] =
        stream_narrow<narrow_bfloat16, loop<ToBfloat16, uint16_t, float>>;
    table->to_odd[DA_FLOAT64] = loop<Odd, float, double>;
    table->to_odd[DA_INT64] = loop<Odd, float, int64_t>;
    table->to_odd[DA_UINT64] = loop<Odd, float, uint64_t>;
}

DA_LEVEL_END
