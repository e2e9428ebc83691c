// SPDX-License-Identifier: Apache-2.0
// What the per-level files share: vectors of the level's width, and names of element types.
//
// Everything is in an anonymous namespace inside the level's namespace, and nothing of the C++
// library is used: no function can be merged with one compiled for another level.
#pragma once

#include "kernels.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#ifndef DA_LEVEL
#error "compile with -DDA_LEVEL=<name of the level>"
#endif

#define DA_LEVEL_BEGIN                                                                             \
    namespace device_api::cpu::DA_LEVEL {                                                          \
    namespace {
#define DA_LEVEL_END }

#define DA_INLINE inline __attribute__((always_inline))
// No dependence between iterations: an output is either apart from an input or the very same.
#define DA_INDEPENDENT _Pragma("GCC ivdep")

#if defined(__AVX512F__)
#define DA_VECTOR_BYTES 64
#elif defined(__AVX__)
#define DA_VECTOR_BYTES 32
#else
#define DA_VECTOR_BYTES 16
#endif

DA_LEVEL_BEGIN

typedef float VF __attribute__((vector_size(DA_VECTOR_BYTES)));
typedef int32_t VI __attribute__((vector_size(DA_VECTOR_BYTES)));
typedef uint32_t VU __attribute__((vector_size(DA_VECTOR_BYTES))); // wraps
constexpr size_t kLanes = DA_VECTOR_BYTES / sizeof(float);

DA_INLINE VF load(const float* p) {
    VF v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}

DA_INLINE void store(float* p, VF v) {
    __builtin_memcpy(p, &v, sizeof v);
}
// The first n < kLanes lanes; the others are 0, and stay as they are in memory.
#if defined(__AVX512F__)
DA_INLINE VF load_part(const float* p, size_t n) {
    return (VF)_mm512_maskz_loadu_ps(__mmask16((1u << n) - 1), p);
}
DA_INLINE void store_part(float* p, VF v, size_t n) {
    _mm512_mask_storeu_ps(p, __mmask16((1u << n) - 1), (__m512)v);
}
#elif defined(__AVX__)
DA_INLINE __m256i part_mask(size_t n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(int(n)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
DA_INLINE VF load_part(const float* p, size_t n) {
    return (VF)_mm256_maskload_ps(p, part_mask(n));
}
DA_INLINE void store_part(float* p, VF v, size_t n) {
    _mm256_maskstore_ps(p, part_mask(n), (__m256)v);
}
#else
DA_INLINE VF load_part(const float* p, size_t n) {
    VF v = {};
    for (size_t j = 0; j < n; ++j) v[j] = p[j];
    return v;
}
DA_INLINE void store_part(float* p, VF v, size_t n) {
    for (size_t j = 0; j < n; ++j) p[j] = v[j];
}
#endif

DA_INLINE VF splat(float x) {
    return x - (VF){};
}
DA_INLINE VI splat(int32_t x) {
    return x - (VI){};
}
DA_INLINE VF bits(VI v) {
    return (VF)v;
}
DA_INLINE VI bits(VF v) {
    return (VI)v;
}
DA_INLINE VI minus(VI a, VI b) {
    return (VI)((VU)a - (VU)b);
}
DA_INLINE VF select(VI mask, VF yes, VF no) {
    return mask ? yes : no;
}

// One cache line, to an address that is a multiple of 64, past the caches where that is possible.
DA_INLINE void stream_line(char* out, const char* in) {
#if defined(__AVX__)
    const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in));
    const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + 32));
    _mm256_stream_si256(reinterpret_cast<__m256i*>(out), a);
    _mm256_stream_si256(reinterpret_cast<__m256i*>(out + 32), b);
#elif defined(__SSE2__)
    for (int i = 0; i < 64; i += 16)
        _mm_stream_si128(reinterpret_cast<__m128i*>(out + i),
                         _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i)));
#else
    __builtin_memcpy(out, in, 64);
#endif
}

// Asks for the line that large sequential work will read some lines later, into the second-level
// cache: there, more reads wait for memory at a time. Beyond the end of an array it does nothing.
DA_INLINE void fetch_ahead(const void* p) {
    __builtin_prefetch(static_cast<const char*>(p) + 16384, 0, 2);
}

// A vector of the level's width to an aligned address, past the caches where that is possible.
template <class V>
DA_INLINE void stream_vector(void* out, V v) {
    static_assert(sizeof(V) == DA_VECTOR_BYTES, "the level's width");
#if defined(__AVX512F__)
    _mm512_stream_si512(static_cast<__m512i*>(out), (__m512i)v);
#elif defined(__AVX__)
    _mm256_stream_si256(static_cast<__m256i*>(out), (__m256i)v);
#elif defined(__SSE2__)
    _mm_stream_si128(static_cast<__m128i*>(out), (__m128i)v);
#else
    __builtin_memcpy(out, &v, sizeof v);
#endif
}

// Vectors of 16-bit elements, as many as there are lanes, and two of them past the caches.
typedef uint16_t VH __attribute__((vector_size(DA_VECTOR_BYTES / 2)));
DA_INLINE void stream_halves(void* out, VH first, VH second) {
#if defined(__AVX512F__)
    _mm256_stream_si256(static_cast<__m256i*>(out), (__m256i)first);
    _mm256_stream_si256(static_cast<__m256i*>(out) + 1, (__m256i)second);
#elif defined(__AVX__)
    _mm256_stream_si256(static_cast<__m256i*>(out),
                        _mm256_set_m128i((__m128i)second, (__m128i)first));
#else
    __builtin_memcpy(out, &first, sizeof first);
    __builtin_memcpy(static_cast<char*>(out) + sizeof first, &second, sizeof second);
#endif
}

// Elements before the first address that is a multiple of 64, at most n.
DA_INLINE size_t unaligned_head(const void* p, size_t size, size_t n) {
    const size_t head = (size_t(-reinterpret_cast<uintptr_t>(p)) & 63) / size;
    return head < n ? head : n;
}

// Unsigned integer of a width: arithmetic on it wraps without undefined behaviour.
template <size_t bytes>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
    typedef uint8_t type;
};
template <>
struct UnsignedOf<2> {
    typedef uint16_t type;
};
template <>
struct UnsignedOf<4> {
    typedef uint32_t type;
};
template <>
struct UnsignedOf<8> {
    typedef uint64_t type;
};
template <class T>
using Unsigned = typename UnsignedOf<sizeof(T)>::type;

} // namespace
DA_LEVEL_END

// X(number of the type, C type) for the types that loops are compiled for.
#define DA_SIGNED_TYPES(X)                                                                         \
    X(DA_INT8, int8_t) X(DA_INT16, int16_t) X(DA_INT32, int32_t) X(DA_INT64, int64_t)
#define DA_UNSIGNED_TYPES(X)                                                                       \
    X(DA_UINT8, uint8_t) X(DA_UINT16, uint16_t) X(DA_UINT32, uint32_t) X(DA_UINT64, uint64_t)
#define DA_FLOAT_TYPES(X)   X(DA_FLOAT32, float) X(DA_FLOAT64, double)
#define DA_INTEGER_TYPES(X) DA_SIGNED_TYPES(X) DA_UNSIGNED_TYPES(X)
#define DA_NUMERIC_TYPES(X) DA_INTEGER_TYPES(X) DA_FLOAT_TYPES(X)
