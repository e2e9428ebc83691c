// SPDX-License-Identifier: Apache-2.0
// Products of complex numbers. Compiled without contraction: the parts of z times its conjugate
// cancel exactly only when every product is rounded.
#include "level/simd.hpp"

DA_LEVEL_BEGIN

constexpr size_t kBlock = 64; // numbers

template <class T>
struct ComplexOf;
template <>
struct ComplexOf<float> {
    typedef __complex__ float type;
};
template <>
struct ComplexOf<double> {
    typedef __complex__ double type;
};

// The plain formula; where it gives NaN, annex G of C may say infinity, and the compiler's own
// product is right.
template <class T>
DA_INLINE void block(size_t n, T* results, const T* x, const T* y) {
    // Loops of one part each: interleaved, GCC 12 would fuse them into multiply-adds all the same.
    T real[kBlock], imaginary[kBlock];
    for (size_t j = 0; j < n; ++j) real[j] = x[2 * j] * y[2 * j] - x[2 * j + 1] * y[2 * j + 1];
    for (size_t j = 0; j < n; ++j) imaginary[j] = x[2 * j] * y[2 * j + 1] + x[2 * j + 1] * y[2 * j];
    unsigned doubtful = 0;
    for (size_t j = 0; j < n; ++j)
        doubtful |= unsigned(real[j] != real[j]) | unsigned(imaginary[j] != imaginary[j]);
    for (size_t j = 0; j < n; ++j) {
        results[2 * j] = real[j];
        results[2 * j + 1] = imaginary[j];
    }
    for (size_t j = 0; doubtful && j < n; ++j) {
        typedef typename ComplexOf<T>::type C;
        C a, b;
        __builtin_memcpy(&a, x + 2 * j, sizeof a);
        __builtin_memcpy(&b, y + 2 * j, sizeof b);
        a *= b;
        __builtin_memcpy(results + 2 * j, &a, sizeof a);
    }
}

template <class T>
void multiply(size_t n, void* out, const void* a, const void* b) {
    T* o = static_cast<T*>(out);
    const T* x = static_cast<const T*>(a);
    const T* y = static_cast<const T*>(b);
    T results[2 * kBlock];
    size_t i = 0;
    for (; i + kBlock <= n; i += kBlock) {
        block(kBlock, results, x + 2 * i, y + 2 * i);
        __builtin_memcpy(o + 2 * i, results, sizeof results);
    }
    block(n - i, results, x + 2 * i, y + 2 * i);
    for (size_t j = 2 * i; j < 2 * n; ++j) o[j] = results[j - 2 * i];
}

// Outputs that do not fit the caches go straight to memory.
template <class T>
void stream(size_t n, void* out, const void* a, const void* b) {
    T* o = static_cast<T*>(out);
    const T* x = static_cast<const T*>(a);
    const T* y = static_cast<const T*>(b);
    const size_t head = (unaligned_head(o, sizeof(T), 2 * n) + 1) / 2;
    if ((reinterpret_cast<uintptr_t>(o + 2 * head) & 63) != 0) return multiply<T>(n, o, x, y);
    multiply<T>(head, o, x, y);
    T results[2 * kBlock];
    size_t i = head;
    for (; i + kBlock <= n; i += kBlock) {
        for (size_t j = 0; j < sizeof results; j += 64) {
            fetch_ahead(reinterpret_cast<const char*>(x + 2 * i) + j);
            fetch_ahead(reinterpret_cast<const char*>(y + 2 * i) + j);
        }
        block(kBlock, results, x + 2 * i, y + 2 * i);
        for (size_t j = 0; j < sizeof results; j += 64)
            stream_line(reinterpret_cast<char*>(o + 2 * i) + j,
                        reinterpret_cast<const char*>(results) + j);
    }
    multiply<T>(n - i, o + 2 * i, x + 2 * i, y + 2 * i);
}

} // namespace

void install_complex(Kernels* table) {
    table->binary[DA_OP_MUL][DA_COMPLEX64] = multiply<float>;
    table->binary[DA_OP_MUL][DA_COMPLEX128] = multiply<double>;
    table->binary_stream[DA_OP_MUL][DA_COMPLEX64] = stream<float>;
    table->binary_stream[DA_OP_MUL][DA_COMPLEX128] = stream<double>;
}

DA_LEVEL_END
