// SPDX-License-Identifier: Apache-2.0
// The table of inner loops: one instance for each instruction-set level, filled in by level/*.cpp.
//
// This header is read by code compiled for different levels, so it holds declarations only: an
// inline function here could be emitted for a high level and be called on a low one.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "device_api/ops.h"

namespace device_api::cpu {

constexpr int kWidths = 5; // element sizes 1, 2, 4, 8, 16; index is log2
constexpr int kTypes = DA_DTYPE_COUNT;
constexpr int kOps = DA_OP_COUNT + 1;               // index is da_op
constexpr int kFirstAttributed = DA_OP_HARDSIGMOID; // elementwise ops with attributes, in a row
constexpr int kAttributed = DA_OP_ELU - kFirstAttributed + 1;

// Loops over n dense elements. The output may be the very same memory as an input.
using Map1 = void (*)(size_t n, void* out, const void* a);
using Map2 = void (*)(size_t n, void* out, const void* a, const void* b);
using MapAttributes = void (*)(size_t n, void* out, const void* a, const double* attributes);
using Map3 = void (*)(size_t n, void* out, const void* a, const void* b, const void* c);

// Loops between a strided side and a dense one; strides in elements.
using Gather = void (*)(size_t n, void* out, const void* in, int64_t stride);
using Scatter = void (*)(size_t n, void* out, int64_t stride, const void* in);
// out[r * out_stride + c] = in[c * in_stride + r]; `stream` for stores that bypass the caches.
using Transpose = void (*)(void* out, int64_t out_stride, const void* in, int64_t in_stride,
                           int64_t rows, int64_t columns, bool stream);

// A reduction of n dense elements to one value of the accumulator's type.
using ReduceRow = void (*)(size_t n, void* result, const void* in);
// acc[c] = acc[c] o in[r * stride + c] for all r; `first` starts acc from the first row.
using ReduceColumns = void (*)(int64_t rows, int64_t columns, void* acc, const void* in,
                               int64_t stride, bool first);
enum Reduction { kSum, kProd, kMax, kMin, kReductions };
// Index of the first largest (smallest) element, or NaN, of n dense elements.
using ArgMax = int64_t (*)(size_t n, const void* in);

// c (m x n, dense rows of ldc) = a (strides ai, ak) times b (row stride bk, dense columns).
using SmallMatmul = void (*)(int64_t m, int64_t n, int64_t k, const void* a, int64_t ai, int64_t ak,
                             const void* b, int64_t bk, void* c, int64_t ldc);

// One dense row of n float32; `scratch` has room for n, and may be the output.
using SoftmaxRow = void (*)(size_t n, void* out, const void* in, void* scratch, bool stream);
using NormRow = void (*)(size_t n, void* out, const void* in, const void* weight, const void* bias,
                         double epsilon, bool stream);

// c (rows x n, of ldc) = or += a times b: a has its rows side by side, row p of b starts at
// offsets[p]. 1, 2, 4 .. indirect_rows rows; whole vectors are read and written.
using IndirectMatmul = void (*)(int64_t rows, int64_t n, int64_t k, const void* a, const void* b,
                                const int64_t* offsets, void* c, int64_t ldc, bool first);

struct Kernels {
    const char* level;
    Map1 unary[kOps][kTypes];
    Map2 binary[kOps][kTypes];
    MapAttributes attributed[kAttributed][kTypes];
    Map3 where[kWidths];
    // The same for large outputs, written past the caches; NULL where there is no such loop.
    Map1 unary_stream[kOps][kTypes];
    Map1 narrow_stream[kTypes]; // from float32 to a 16-bit type
    Map2 binary_stream[kOps][kTypes];
    Map3 where_stream[kWidths];
    // One step of a conversion; conversions of two steps are put together by ops/map.cpp.
    Map1 convert[kTypes][kTypes];
    // To float32 such that a second rounding, to 16 bits, is right: from float64, int64, uint64.
    Map1 to_odd[kTypes];
    Map1 splat[kWidths];
    Gather gather[kWidths];
    Scatter scatter[kWidths];
    Transpose transpose[kWidths];
    void (*stream_copy)(void* out, const void* in, size_t bytes);
    // Sums and products to double, or to an unsigned integer; max and min to the type itself.
    ReduceRow reduce_row[kReductions][kTypes];
    ReduceColumns reduce_columns[kReductions][kTypes];
    ArgMax argmax[kTypes];
    ArgMax argmin[kTypes];
    SmallMatmul matmul[kTypes];
    int indirect_rows, indirect_vectors; // of a register tile
    int vector_bytes;
    IndirectMatmul indirect_matmul[2]; // float32, float64
    SoftmaxRow softmax;
    SoftmaxRow log_softmax;
    NormRow layer_norm;
    NormRow rms_norm;
    void (*philox)(uint64_t seed, uint64_t counter, size_t blocks, uint32_t* out);
};

// Each level is a namespace with the same functions; every one fills in its part of the table.
#define DA_CPU_DECLARE_LEVEL(name)                                                                 \
    namespace name {                                                                               \
    void install_binary(Kernels* table);                                                           \
    void install_bits(Kernels* table);                                                             \
    void install_complex(Kernels* table);                                                          \
    void install_activation(Kernels* table);                                                       \
    void install_special(Kernels* table);                                                          \
    void install_divide(Kernels* table);                                                           \
    void install_compare(Kernels* table);                                                          \
    void install_unary(Kernels* table);                                                            \
    void install_math(Kernels* table);                                                             \
    void install_convert(Kernels* table);                                                          \
    void install_move(Kernels* table);                                                             \
    void install_reduce(Kernels* table);                                                           \
    void install_normalize(Kernels* table);                                                        \
    void install_convolution(Kernels* table);                                                      \
    void install_matmul(Kernels* table);                                                           \
    void install_random(Kernels* table);                                                           \
    }
#if defined(__x86_64__)
DA_CPU_DECLARE_LEVEL(v2)
DA_CPU_DECLARE_LEVEL(v3)
DA_CPU_DECLARE_LEVEL(v4)
#else
DA_CPU_DECLARE_LEVEL(generic)
#endif
#undef DA_CPU_DECLARE_LEVEL

// Loops that no level makes faster: most are bound by functions of the C library.
namespace scalar {
void install_activation(Kernels* table);
void install_complex_arithmetic(Kernels* table);
void install_complex_math(Kernels* table);
void install_integer(Kernels* table);
void install_real(Kernels* table);
} // namespace scalar

} // namespace device_api::cpu
