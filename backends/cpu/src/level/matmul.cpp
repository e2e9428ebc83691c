// SPDX-License-Identifier: Apache-2.0
// Matrix products for small sizes, for integers, and where no BLAS is loaded.
#include "level/simd.hpp"

DA_LEVEL_BEGIN

// A tile of R rows by N vectors, summed over k in order.
template <class T, int bytes, int R, int N>
DA_INLINE void tile(int64_t k, const T* a, int64_t ai, int64_t ak, const T* b, int64_t bk, T* c,
                    int64_t ldc) {
    typedef T V __attribute__((vector_size(bytes)));
    constexpr int count = bytes / sizeof(T);
    V acc[R][N] = {};
    for (int64_t p = 0; p < k; ++p) {
        V y[N];
#pragma GCC unroll 4
        for (int v = 0; v < N; ++v) __builtin_memcpy(&y[v], b + p * bk + v * count, bytes);
#pragma GCC unroll 8
        for (int r = 0; r < R; ++r) {
            const T x = a[r * ai + p * ak];
#pragma GCC unroll 4
            for (int v = 0; v < N; ++v) acc[r][v] += x * y[v];
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < N; ++v) __builtin_memcpy(c + r * ldc + v * count, &acc[r][v], bytes);
}

template <class T, int bytes, int N>
DA_INLINE void strip(int64_t m, int64_t k, const T* a, int64_t ai, int64_t ak, const T* b,
                     int64_t bk, T* c, int64_t ldc) {
    int64_t i = 0;
    for (; i + 4 <= m; i += 4) tile<T, bytes, 4, N>(k, a + i * ai, ai, ak, b, bk, c + i * ldc, ldc);
    for (; i < m; ++i) tile<T, bytes, 1, N>(k, a + i * ai, ai, ak, b, bk, c + i * ldc, ldc);
}

template <class T>
void floating(int64_t m, int64_t n, int64_t k, const void* a_, int64_t ai, int64_t ak,
              const void* b_, int64_t bk, void* c_, int64_t ldc) {
    constexpr int64_t count = DA_VECTOR_BYTES / sizeof(T);
    constexpr int64_t few = 16 / sizeof(T);
    const T* a = static_cast<const T*>(a_);
    const T* b = static_cast<const T*>(b_);
    T* c = static_cast<T*>(c_);
    int64_t j = 0;
    for (; j + 2 * count <= n; j += 2 * count)
        strip<T, DA_VECTOR_BYTES, 2>(m, k, a, ai, ak, b + j, bk, c + j, ldc);
    for (; j + count <= n; j += count)
        strip<T, DA_VECTOR_BYTES, 1>(m, k, a, ai, ak, b + j, bk, c + j, ldc);
    if (DA_VECTOR_BYTES > 32)
        for (; j + 2 * few <= n; j += 2 * few)
            strip<T, DA_VECTOR_BYTES / 2, 1>(m, k, a, ai, ak, b + j, bk, c + j, ldc);
    for (; j + few <= n; j += few) strip<T, 16, 1>(m, k, a, ai, ak, b + j, bk, c + j, ldc);
    for (; j < n; ++j)
        for (int64_t i = 0; i < m; ++i) {
            T sum = 0;
            for (int64_t p = 0; p < k; ++p) sum += a[i * ai + p * ak] * b[p * bk + j];
            c[i * ldc + j] = sum;
        }
}

template <class T>
void integer(int64_t m, int64_t n, int64_t k, const void* a_, int64_t ai, int64_t ak,
             const void* b_, int64_t bk, void* c_, int64_t ldc) {
    const T* a = static_cast<const T*>(a_);
    const T* b = static_cast<const T*>(b_);
    T* c = static_cast<T*>(c_);
    for (int64_t i = 0; i < m; ++i) {
        T* row = c + i * ldc;
        for (int64_t j = 0; j < n; ++j) row[j] = 0;
        for (int64_t p = 0; p < k; ++p) {
            const uint64_t x = a[i * ai + p * ak];
            const T* y = b + p * bk;
            DA_INDEPENDENT
            for (int64_t j = 0; j < n; ++j) row[j] = T(row[j] + T(x) * 1u * y[j]);
        }
    }
}

} // namespace

void install_matmul(Kernels* table) {
    table->matmul[DA_INT8] = table->matmul[DA_UINT8] = integer<uint8_t>;
    table->matmul[DA_INT16] = table->matmul[DA_UINT16] = integer<uint16_t>;
    table->matmul[DA_INT32] = table->matmul[DA_UINT32] = integer<uint32_t>;
    table->matmul[DA_INT64] = table->matmul[DA_UINT64] = integer<uint64_t>;
    table->matmul[DA_FLOAT32] = floating<float>;
    table->matmul[DA_FLOAT64] = floating<double>;
}

DA_LEVEL_END
