// SPDX-License-Identifier: Apache-2.0
// The inner loop of convolutions: a matrix product whose second factor has rows at any offsets, so
// that the shifted views of an image need not be copied side by side.
#include "level/simd.hpp"

DA_LEVEL_BEGIN

#if defined(__AVX512F__)
constexpr int kRows = 8; // of one register tile; there are 32 registers
#else
constexpr int kRows = 4;
#endif
constexpr int kVectors = 3;

template <class T, int R, int N>
DA_INLINE void tile(int64_t k, const T* a, const T* b, const int64_t* offsets, T* c, int64_t ldc,
                    bool first) {
    typedef T V __attribute__((vector_size(DA_VECTOR_BYTES)));
    constexpr int count = DA_VECTOR_BYTES / sizeof(T);
    V acc[R][N] = {};
    for (int64_t p = 0; p < k; ++p) {
        V y[N];
#pragma GCC unroll 4
        for (int v = 0; v < N; ++v)
            __builtin_memcpy(&y[v], b + offsets[p] + v * count, DA_VECTOR_BYTES);
#pragma GCC unroll 8
        for (int r = 0; r < R; ++r) {
            const T x = a[p * R + r];
#pragma GCC unroll 4
            for (int v = 0; v < N; ++v) acc[r][v] += x * y[v];
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < N; ++v) {
            T* to = c + r * ldc + v * count;
            if (!first) {
                V before;
                __builtin_memcpy(&before, to, DA_VECTOR_BYTES);
                acc[r][v] += before;
            }
            __builtin_memcpy(to, &acc[r][v], DA_VECTOR_BYTES);
        }
}

template <class T, int R>
void strip(int64_t n, int64_t k, const T* a, const T* b, const int64_t* offsets, T* c, int64_t ldc,
           bool first) {
    constexpr int64_t count = DA_VECTOR_BYTES / sizeof(T);
    int64_t j = 0;
    for (; j + 2 * count < n; j += 3 * count)
        tile<T, R, 3>(k, a, b + j, offsets, c + j, ldc, first);
    for (; j + count < n; j += 2 * count) tile<T, R, 2>(k, a, b + j, offsets, c + j, ldc, first);
    for (; j < n; j += count) tile<T, R, 1>(k, a, b + j, offsets, c + j, ldc, first);
}

template <class T>
void multiply(int64_t rows, int64_t n, int64_t k, const void* a, const void* b,
              const int64_t* offsets, void* c, int64_t ldc, bool first) {
    const auto loop = rows == 8 && kRows == 8 ? strip<T, kRows>
                      : rows == 4             ? strip<T, 4>
                      : rows == 2             ? strip<T, 2>
                                              : strip<T, 1>;
    loop(n, k, static_cast<const T*>(a), static_cast<const T*>(b), offsets, static_cast<T*>(c), ldc,
         first);
}

} // namespace

void install_convolution(Kernels* table) {
    table->indirect_rows = kRows;
    table->indirect_vectors = kVectors;
    table->vector_bytes = DA_VECTOR_BYTES;
    table->indirect_matmul[0] = multiply<float>;
    table->indirect_matmul[1] = multiply<double>;
}

DA_LEVEL_END
