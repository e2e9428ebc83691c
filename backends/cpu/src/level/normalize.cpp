// SPDX-License-Identifier: Apache-2.0
// Softmax and normalization of one dense row at a time; a row is read once from memory and then
// from the cache. Sums go through blocks in the type itself to float64.
#include "level/simd.hpp"

DA_LEVEL_BEGIN

constexpr size_t kBlock = 2048;
constexpr float kLn2High = 0.693359375f;
constexpr float kLn2Low = -2.12194440e-4f;
constexpr float kRoundShift = 12582912.0f; // 1.5 * 2^23: adding it rounds to a whole number

// p * 2^n, also where the result is subnormal.
DA_INLINE VF scaled(VF p, VF n) {
#if defined(__AVX512F__)
    return (VF)_mm512_maskz_scalef_ps(__mmask16(0xffff), (__m512)p, (__m512)n);
#else
    const VI whole = __builtin_convertvector(n, VI), half = whole >> 1;
    const VF first = bits((VI)(((VU)half + 127u) << 23));
    return p * first * bits((VI)(((VU)minus(whole, half) + 127u) << 23));
#endif
}

// e^(x - most) for x <= most and NaN. The rounding error of the difference, which would be that of
// many units in the last place, is made good when `exact`.
template <bool exact>
DA_INLINE VF exp_of_difference(VF x, float most) {
    const VF d = x - most;
    const VI low = d < -105.0f; // NaN stays
    const VF z = select(low, splat(-105.0f), d);
    const VF n = (z * 1.44269504f + kRoundShift) - kRoundShift;
    VF r = (z - n * kLn2High) - n * kLn2Low;
    if (exact) {
        const VF back = d - x;
        r += select(low, VF{}, (x - (d - back)) - (most + back));
    }
    VF q = r * 1.37511503e-3f + 8.36898723e-3f;
    q = q * r + 4.16695443e-2f;
    q = q * r + 1.66665179e-1f;
    q = q * r + 4.99999885e-1f;
    const VF y = scaled((q * (r * r) + r) + 1.0f, n);
#if defined(__AVX512F__)
    return y;
#else
    return select(d != d, d, y); // the conversion of a NaN to a whole number is anything
#endif
}

DA_INLINE float add_lanes(VF v) {
    float lane[kLanes];
    __builtin_memcpy(lane, &v, sizeof lane);
    for (size_t width = kLanes / 2; width > 0; width /= 2)
        for (size_t j = 0; j < width; ++j) lane[j] += lane[j + width];
    return lane[0];
}

// Sum over i < n, n <= kBlock, of f(i, lanes in use) for whole vectors and a part of one, whose
// other lanes f leaves 0.
template <class F>
DA_INLINE float sum_block(size_t n, F f) {
    VF acc[4] = {};
    size_t i = 0;
    for (; i + 4 * kLanes <= n; i += 4 * kLanes)
#pragma GCC unroll 4
        for (size_t v = 0; v < 4; ++v) acc[v] += f(i + v * kLanes, kLanes);
    for (; i + kLanes <= n; i += kLanes) acc[0] += f(i, kLanes);
    if (i < n) acc[1] += f(i, n - i);
    return add_lanes((acc[0] + acc[1]) + (acc[2] + acc[3]));
}

template <class F>
DA_INLINE double sum_row(size_t n, F f) {
    double sum = 0;
    for (size_t start = 0; start < n; start += kBlock)
        sum += double(sum_block(n - start < kBlock ? n - start : kBlock,
                                [&](size_t i, size_t lanes) { return f(start + i, lanes); }));
    return sum;
}

DA_INLINE VF read(const float* p, size_t lanes) {
    return lanes == kLanes ? load(p) : load_part(p, lanes);
}

// The lanes in use; the others become 0.
DA_INLINE VF only(VF v, size_t lanes) {
    if (lanes == kLanes) return v;
    float lane[kLanes];
    __builtin_memcpy(lane, &v, sizeof lane);
    return load_part(lane, lanes);
}

// out[i] = f(i, lanes) for all i, past the caches when `stream` and the addresses allow it.
template <class F>
DA_INLINE void write_row(size_t n, float* out, bool stream, F f) {
    const bool aligned = ((reinterpret_cast<uintptr_t>(out) | n * sizeof(float)) & 63) == 0;
    size_t i = 0;
    if (stream && aligned)
        for (; i + kLanes <= n; i += kLanes) stream_vector(out + i, f(i, kLanes));
    for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
        const VF first = f(i, kLanes), second = f(i + kLanes, kLanes);
        store(out + i, first);
        store(out + i + kLanes, second);
    }
    for (; i + kLanes <= n; i += kLanes) store(out + i, f(i, kLanes));
    if (i < n) store_part(out + i, f(i, n - i), n - i);
}

// The largest element; NaN does not count.
DA_INLINE float largest(size_t n, const float* x, bool ahead) {
    VF most[4];
    for (VF& m : most) m = splat(-__builtin_inff());
    size_t i = 0;
    for (; i + 4 * kLanes <= n; i += 4 * kLanes) {
        if (ahead)
            for (size_t b = 0; b < 4 * kLanes; b += 16) fetch_ahead(x + i + b);
#pragma GCC unroll 4
        for (size_t v = 0; v < 4; ++v) {
            const VF y = load(x + i + v * kLanes);
            most[v] = y > most[v] ? y : most[v];
        }
    }
    float lane[4 * kLanes];
    __builtin_memcpy(lane, most, sizeof lane);
    float m = lane[0];
    for (const float l : lane) m = l > m ? l : m;
    for (; i < n; ++i) m = x[i] > m ? x[i] : m;
    return m;
}

void softmax(size_t n, void* out_, const void* in, void* scratch, bool stream) {
    float *out = static_cast<float*>(out_), *e = static_cast<float*>(scratch);
    const float* x = static_cast<const float*>(in);
    const float most = largest(n, x, stream);
    const double sum = sum_row(n, [=](size_t i, size_t lanes) {
        const VF y = exp_of_difference<true>(read(x + i, lanes), most);
        if (lanes == kLanes)
            store(e + i, y);
        else
            store_part(e + i, y, lanes);
        return only(y, lanes);
    });
    const float factor = float(1.0 / sum);
    write_row(n, out, stream, [=](size_t i, size_t lanes) { return read(e + i, lanes) * factor; });
}

void log_softmax(size_t n, void* out, const void* in, void*, bool stream) {
    const float* x = static_cast<const float*>(in);
    const float most = largest(n, x, stream);
    const float rest = float(__builtin_log(sum_row(n, [=](size_t i, size_t lanes) {
        return only(exp_of_difference<false>(read(x + i, lanes), most), lanes);
    })));
    write_row(n, static_cast<float*>(out), stream,
              [=](size_t i, size_t lanes) { return (read(x + i, lanes) - most) - rest; });
}

void layer_norm(size_t n, void* out, const void* in, const void* weight, const void* bias,
                double epsilon, bool stream) {
    const float *x = static_cast<const float*>(in), *w = static_cast<const float*>(weight),
                *b = static_cast<const float*>(bias);
    const float mean = float(sum_row(n,
                                     [=](size_t i, size_t lanes) {
                                         if (stream) fetch_ahead(x + i);
                                         return read(x + i, lanes);
                                     }) /
                             double(n));
    const double squares = sum_row(n, [=](size_t i, size_t lanes) {
        const VF d = only(read(x + i, lanes) - mean, lanes);
        return d * d;
    });
    const float factor = float(1.0 / __builtin_sqrt(squares / double(n) + epsilon));
    write_row(n, static_cast<float*>(out), stream, [=](size_t i, size_t lanes) {
        return (read(x + i, lanes) - mean) * factor * read(w + i, lanes) + read(b + i, lanes);
    });
}

void rms_norm(size_t n, void* out, const void* in, const void* weight, const void*, double epsilon,
              bool stream) {
    const float *x = static_cast<const float*>(in), *w = static_cast<const float*>(weight);
    const double squares = sum_row(n, [=](size_t i, size_t lanes) {
        if (stream) fetch_ahead(x + i);
        const VF y = read(x + i, lanes);
        return y * y;
    });
    const float factor = float(1.0 / __builtin_sqrt(squares / double(n) + epsilon));
    write_row(n, static_cast<float*>(out), stream, [=](size_t i, size_t lanes) {
        return read(x + i, lanes) * factor * read(w + i, lanes);
    });
}

} // namespace

void install_normalize(Kernels* table) {
    table->softmax = softmax;
    table->log_softmax = log_softmax;
    table->layer_norm = layer_norm;
    table->rms_norm = rms_norm;
}

DA_LEVEL_END
