// SPDX-License-Identifier: Apache-2.0
// What the per-level files share: vectors of the level's width, and names of element types.
//
// Everything is in an anonymous namespace inside the level's namespace, and nothing of the C++
// library is used: no function can be merged with one compiled for another level.
#pragma once

#include "kernels.hpp"

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
constexpr size_t kLanes = DA_VECTOR_BYTES / sizeof(float);

DA_INLINE VF load(const float* p) {
    VF v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}

DA_INLINE void store(float* p, VF v) { __builtin_memcpy(p, &v, sizeof v); }
DA_INLINE VF splat(float x) { return x - (VF){}; }
DA_INLINE VI splat(int32_t x) { return x - (VI){}; }
DA_INLINE VF bits(VI v) { return (VF)v; }
DA_INLINE VI bits(VF v) { return (VI)v; }
DA_INLINE VF select(VI mask, VF yes, VF no) { return mask ? yes : no; }

// Unsigned integer of a width: arithmetic on it wraps without undefined behaviour.
template <size_t bytes> struct UnsignedOf;
template <> struct UnsignedOf<1> { typedef uint8_t type; };
template <> struct UnsignedOf<2> { typedef uint16_t type; };
template <> struct UnsignedOf<4> { typedef uint32_t type; };
template <> struct UnsignedOf<8> { typedef uint64_t type; };
template <class T> using Unsigned = typename UnsignedOf<sizeof(T)>::type;

} // namespace
DA_LEVEL_END

// X(number of the type, C type) for the types that loops are compiled for.
#define DA_SIGNED_TYPES(X) X(DA_INT8, int8_t) X(DA_INT16, int16_t) X(DA_INT32, int32_t) X(DA_INT64, int64_t)
#define DA_UNSIGNED_TYPES(X)                                                                       \
    X(DA_UINT8, uint8_t) X(DA_UINT16, uint16_t) X(DA_UINT32, uint32_t) X(DA_UINT64, uint64_t)
#define DA_FLOAT_TYPES(X) X(DA_FLOAT32, float) X(DA_FLOAT64, double)
#define DA_INTEGER_TYPES(X) DA_SIGNED_TYPES(X) DA_UNSIGNED_TYPES(X)
#define DA_NUMERIC_TYPES(X) DA_INTEGER_TYPES(X) DA_FLOAT_TYPES(X)
