// SPDX-License-Identifier: Apache-2.0
// Loops of the arithmetic ops with two inputs.
#include "level/simd.hpp"

DA_LEVEL_BEGIN

struct Add {
    template <class T>
    static DA_INLINE T of(T a, T b) {
        return T(a + b);
    }
};
struct Sub {
    template <class T>
    static DA_INLINE T of(T a, T b) {
        return T(a - b);
    }
};
struct Mul {
    // 16-bit unsigned operands would be promoted to int, whose product may overflow.
    static DA_INLINE uint8_t of(uint8_t a, uint8_t b) { return uint8_t(1u * a * b); }
    static DA_INLINE uint16_t of(uint16_t a, uint16_t b) { return uint16_t(1u * a * b); }
    template <class T>
    static DA_INLINE T of(T a, T b) {
        return a * b;
    }
};
struct Div {
    template <class T>
    static DA_INLINE T of(T a, T b) {
        return a / b;
    }
};
struct Maximum {
    template <class T>
    static DA_INLINE T of(T a, T b) {
        return (a > b || a != a) ? a : b;
    }
};
struct Minimum {
    template <class T>
    static DA_INLINE T of(T a, T b) {
        return (a < b || a != a) ? a : b;
    }
};
struct Pow {
    static DA_INLINE double of(double a, double b) { return __builtin_pow(a, b); }
    static DA_INLINE float of(float a, float b) { return float(__builtin_pow(a, b)); }
    template <class T>
    static DA_INLINE T of(T base, T exponent) {
        typedef Unsigned<T> U;
        if (T(-1) < T(0) && exponent < T(0)) {
            if (base == T(1)) return T(1);
            if (base == T(-1)) return (exponent & 1) ? T(-1) : T(1);
            return T(0);
        }
        U result = 1, square = U(base);
        for (U e = U(exponent); e != 0; e = U(e >> 1)) {
            if (e & 1) result = Mul::of(result, square);
            square = Mul::of(square, square);
        }
        return T(result);
    }
};

template <class F, class T>
void loop(size_t n, void* out, const void* a, const void* b) {
    T* o = static_cast<T*>(out);
    const T* x = static_cast<const T*>(a);
    const T* y = static_cast<const T*>(b);
    DA_INDEPENDENT
    for (size_t i = 0; i < n; ++i) o[i] = F::of(x[i], y[i]);
}

// A complex number is two elements.
template <class F, class T>
void parts(size_t n, void* out, const void* a, const void* b) {
    loop<F, T>(2 * n, out, a, b);
}

// Floating types only: outputs that do not fit the caches go straight to memory.
template <class F, class T>
void stream(size_t n, void* out, const void* a, const void* b) {
    typedef T V __attribute__((vector_size(DA_VECTOR_BYTES)));
    constexpr size_t count = DA_VECTOR_BYTES / sizeof(T);
    T* o = static_cast<T*>(out);
    const T* x = static_cast<const T*>(a);
    const T* y = static_cast<const T*>(b);
    size_t i = unaligned_head(o, sizeof(T), n);
    loop<F, T>(i, o, x, y);
    for (; i + count <= n; i += count) {
        V u, v;
        fetch_ahead(x + i);
        fetch_ahead(y + i);
        __builtin_memcpy(&u, x + i, sizeof u);
        __builtin_memcpy(&v, y + i, sizeof v);
        stream_vector(o + i, F::of(u, v));
    }
    loop<F, T>(n - i, o + i, x + i, y + i);
}

template <class F, class T>
void stream_parts(size_t n, void* out, const void* a, const void* b) {
    stream<F, T>(2 * n, out, a, b);
}

template <class F>
void complex(Map2* row, Map2* stream_row) {
    row[DA_COMPLEX64] = parts<F, float>;
    row[DA_COMPLEX128] = parts<F, double>;
    stream_row[DA_COMPLEX64] = stream_parts<F, float>;
    stream_row[DA_COMPLEX128] = stream_parts<F, double>;
}

template <class F>
void streaming(Map2* row) {
    row[DA_FLOAT32] = stream<F, float>;
    row[DA_FLOAT64] = stream<F, double>;
}

template <class F>
void wrapping(Map2* row) {
    row[DA_INT8] = row[DA_UINT8] = loop<F, uint8_t>;
    row[DA_INT16] = row[DA_UINT16] = loop<F, uint16_t>;
    row[DA_INT32] = row[DA_UINT32] = loop<F, uint32_t>;
    row[DA_INT64] = row[DA_UINT64] = loop<F, uint64_t>;
    row[DA_FLOAT32] = loop<F, float>;
    row[DA_FLOAT64] = loop<F, double>;
}

template <class F>
void each_type(Map2* row) {
#define X(number, type) row[number] = loop<F, type>;
    DA_NUMERIC_TYPES(X)
#undef X
}

} // namespace

void install_binary(Kernels* table) {
    Map2(*rows)[kTypes] = table->binary;
    wrapping<Add>(rows[DA_OP_ADD]);
    wrapping<Sub>(rows[DA_OP_SUB]);
    wrapping<Mul>(rows[DA_OP_MUL]);
    rows[DA_OP_DIV][DA_FLOAT32] = loop<Div, float>;
    rows[DA_OP_DIV][DA_FLOAT64] = loop<Div, double>;
    each_type<Maximum>(rows[DA_OP_MAXIMUM]);
    each_type<Minimum>(rows[DA_OP_MINIMUM]);
    each_type<Pow>(rows[DA_OP_POW]);
    complex<Add>(rows[DA_OP_ADD], table->binary_stream[DA_OP_ADD]);
    complex<Sub>(rows[DA_OP_SUB], table->binary_stream[DA_OP_SUB]);
    streaming<Add>(table->binary_stream[DA_OP_ADD]);
    streaming<Sub>(table->binary_stream[DA_OP_SUB]);
    streaming<Mul>(table->binary_stream[DA_OP_MUL]);
    streaming<Div>(table->binary_stream[DA_OP_DIV]);
}

DA_LEVEL_END
