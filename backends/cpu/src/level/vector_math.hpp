// SPDX-License-Identifier: Apache-2.0
// What the functions of float32 share: the exponential in its parts, loops over vectors.
//
// Every element goes through the same vector code, also in the tail, so a result depends on its
// input only.
#pragma once

#include "level/simd.hpp"

DA_LEVEL_BEGIN

constexpr float kLn2High = 0.693359375f; // few bits: products with small whole numbers are exact
constexpr float kLn2Low = -2.12194440e-4f;
constexpr float kRoundShift = 12582912.0f; // 1.5 * 2^23: adding it rounds to a whole number

// 2^n for n in [-126, 127].
DA_INLINE VF power_of_two(VI n) {
    return bits((VI)(((VU)n + 127u) << 23));
}

// e^r for |r| <= ln 2 / 2.
DA_INLINE VF exp_reduced(VF r) {
    VF q = r * 1.37511503e-3f + 8.36898723e-3f;
    q = q * r + 4.16695443e-2f;
    q = q * r + 1.66665179e-1f;
    q = q * r + 4.99999885e-1f;
    return (q * (r * r) + r) + 1.0f;
}

struct Exp {
    static DA_INLINE VF of(VF x) {
        VF z = select(x > 89.0f, splat(89.0f), x);
        z = select(z < -105.0f, splat(-105.0f), z);
        const VF shifted = z * 1.44269504f + kRoundShift;
        const VF n = shifted - kRoundShift;
        const VI whole = minus(bits(shifted), bits(splat(kRoundShift)));
        const VF r = (z - n * kLn2High) - n * kLn2Low;
        // Two factors: the result may be subnormal, or overflow, where one factor cannot be.
        const VI half = whole >> 1;
        const VF y = (exp_reduced(r) * power_of_two(half)) * power_of_two(minus(whole, half));
        return select(x != x, x, y);
    }
};

// 2 / d for d in [2, 2^29].
DA_INLINE VF two_over(VF d) {
#if defined(__AVX512F__)
    // Division of wide vectors is slow; an estimate of 14 bits and one Newton step is as good here.
    const VF x = (VF)_mm512_maskz_rcp14_ps(__mmask16(0xffff), (__m512)d);
    return (x + x) * (2.0f - d * x);
#else
    return 2.0f / d;
#endif
}

// a * b and what its rounding lost.
DA_INLINE VF two_product(VF a, VF b, VF* low) {
    const VF product = a * b;
#if defined(__AVX512F__)
    *low = (VF)_mm512_fmsub_ps((__m512)a, (__m512)b, (__m512)product);
#elif defined(__FMA__)
    *low = (VF)_mm256_fmsub_ps((__m256)a, (__m256)b, (__m256)product);
#else
    const VF ah = bits(bits(a) & int32_t(0xfffff000)), al = a - ah;
    const VF bh = bits(bits(b) & int32_t(0xfffff000)), bl = b - bh;
    *low = ((ah * bh - product) + ah * bl + al * bh) + al * bl;
#endif
    return product;
}

// numerator / d for d in [1, 2^29]; within two units in the last place.
DA_INLINE VF quotient(VF numerator, VF d) {
#if defined(__AVX512F__)
    const VF x = (VF)_mm512_maskz_rcp14_ps(__mmask16(0xffff), (__m512)d);
    return numerator * (x * (2.0f - d * x));
#else
    return numerator / d;
#endif
}

// e^(z + low) = mantissa * first * second for z in [-170, 89]: multiplied last, the two powers of
// two keep a product with a subnormal e^z exact.
struct ExpParts {
    VF mantissa, first, second;
    DA_INLINE VF times(VF x) const { return ((x * mantissa) * first) * second; }
    DA_INLINE VF value() const { return (mantissa * first) * second; }
};

DA_INLINE ExpParts exp_parts(VF z, VF low) {
    const VF shifted = z * 1.44269504f + kRoundShift;
    const VF n = shifted - kRoundShift;
    const VI whole = minus(bits(shifted), bits(splat(kRoundShift)));
    const VF r = ((z - n * kLn2High) - n * kLn2Low) + low;
    const VI half = whole >> 1;
    return {exp_reduced(r), power_of_two(half), power_of_two(minus(whole, half))};
}

// e^x - 1, also near 0.
struct Expm1 {
    static DA_INLINE VF of(VF x) {
        VF z = select(x > 89.0f, splat(89.0f), x);
        z = select(z < -20.0f, splat(-20.0f), z);
        const VF shifted = z * 1.44269504f + kRoundShift;
        const VF n = shifted - kRoundShift;
        const VI whole = minus(bits(shifted), bits(splat(kRoundShift)));
        const VF r = (z - n * kLn2High) - n * kLn2Low;
        VF q = r * 1.39022454e-3f + 8.36549601e-3f;
        q = q * r + 4.16668843e-2f;
        q = q * r + 1.66665627e-1f;
        q = q * r + 4.99999994e-1f;
        // 2^n ((e^r - 1) + (1 - 2^-n)); the subtrahend vanishes for large n.
        const VI small = whole > 40 ? splat(int32_t(40)) : whole;
        const VF rest = 1.0f - power_of_two(minus(splat(int32_t(0)), small));
        const VI half = whole >> 1;
        const VF y =
            (((q * (r * r) + r) + rest) * power_of_two(half)) * power_of_two(minus(whole, half));
        return select(x == 0.0f, x, y);
    }
};

// e ln 2 + log(1 + f) for 1 + f in [sqrt(1/2), sqrt(2)).
DA_INLINE VF log_reduced(VF f, VF e) {
    VF p = f * 6.67527189e-2f + -1.16464344e-1f;
    p = p * f + 1.19047121e-1f;
    p = p * f + -1.24112687e-1f;
    p = p * f + 1.42178915e-1f;
    p = p * f + -1.66676437e-1f;
    p = p * f + 2.00022042e-1f;
    p = p * f + -2.50000163e-1f;
    p = p * f + 3.33333109e-1f;
    const VF square = f * f;
    const VF tail = e * kLn2Low + ((f * square) * p - 0.5f * square);
    return e * kLn2High + (f + tail);
}

// log(1 + x), also near 0.
struct Log1p {
    static DA_INLINE VF of(VF x) {
        // 1 + x in two parts.
        const VF u = 1.0f + x, back = u - x;
        const VF low = (x - (u - back)) + (1.0f - back);
        const VI offset = minus(bits(u), splat(int32_t(0x3f3504f3)));
        const VI exponent = offset >> 23;
        const VI small = exponent > 64 ? splat(int32_t(64)) : exponent; // beyond, low is nothing
        const VF scale = power_of_two(minus(splat(int32_t(0)), small));
        const VF f = (bits(minus(bits(u), offset & int32_t(0xff800000))) - 1.0f) + low * scale;
        const VF e = __builtin_convertvector(exponent, VF);
        VF y = log_reduced(f, e);
        const VF infinity = splat(__builtin_inff());
        y = select(x == infinity, x, y);
        y = select(x == -1.0f, -infinity, y);
        y = select(x < -1.0f, splat(__builtin_nanf("")), y);
        return select(x == 0.0f, x, select(x != x, x, y));
    }
};

template <class F>
void loop(size_t n, void* out, const void* a) {
    float* o = static_cast<float*>(out);
    const float* x = static_cast<const float*>(a);
    size_t i = 0;
    for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
        const VF first = F::of(load(x + i));
        const VF second = F::of(load(x + i + kLanes));
        store(o + i, first);
        store(o + i + kLanes, second);
    }
    for (; i + kLanes <= n; i += kLanes) store(o + i, F::of(load(x + i)));
    if (i < n) store_part(o + i, F::of(load_part(x + i, n - i)), n - i);
}

// Outputs that do not fit the caches go straight to memory while the next are computed.
template <class F>
void stream(size_t n, void* out, const void* a) {
    float* o = static_cast<float*>(out);
    const float* x = static_cast<const float*>(a);
    size_t i = unaligned_head(o, sizeof(float), n);
    loop<F>(i, o, x);
    for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
        fetch_ahead(x + i);
        if (kLanes == 16) fetch_ahead(x + i + kLanes);
        const VF first = F::of(load(x + i));
        const VF second = F::of(load(x + i + kLanes));
        stream_vector(o + i, first);
        stream_vector(o + i + kLanes, second);
    }
    loop<F>(n - i, o + i, x + i);
}

} // namespace
DA_LEVEL_END
