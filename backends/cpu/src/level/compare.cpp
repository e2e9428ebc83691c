// SPDX-License-Identifier: Apache-2.0
// Loops of the ops that give bool, and of `where`.
#include "level/simd.hpp"

DA_LEVEL_BEGIN

struct Equal {
    template <class T>
    static DA_INLINE bool of(T a, T b) {
        return a == b;
    }
};
struct Less {
    template <class T>
    static DA_INLINE bool of(T a, T b) {
        return a < b;
    }
};
struct NotEqual {
    template <class T>
    static DA_INLINE bool of(T a, T b) {
        return a != b;
    }
};
struct LessEqual {
    template <class T>
    static DA_INLINE bool of(T a, T b) {
        return a <= b;
    }
};
struct And {
    template <class T>
    static DA_INLINE bool of(T a, T b) {
        return (a != 0) & (b != 0);
    }
};
struct Or {
    template <class T>
    static DA_INLINE bool of(T a, T b) {
        return (a | b) != 0;
    }
};

template <class F, class T>
void loop(size_t n, void* out, const void* a, const void* b) {
    uint8_t* o = static_cast<uint8_t*>(out);
    const T* x = static_cast<const T*>(a);
    const T* y = static_cast<const T*>(b);
    DA_INDEPENDENT
    for (size_t i = 0; i < n; ++i) o[i] = F::of(x[i], y[i]);
}

// Sixteen bytes, aligned as the parts of a complex128.
struct Two {
    uint64_t low, high;
};

template <class T>
void where(size_t n, void* out, const void* condition, const void* a, const void* b) {
    T* o = static_cast<T*>(out);
    const uint8_t* c = static_cast<const uint8_t*>(condition);
    const T* x = static_cast<const T*>(a);
    const T* y = static_cast<const T*>(b);
    DA_INDEPENDENT
    for (size_t i = 0; i < n; ++i) {
        const T yes = x[i], no = y[i];
        o[i] = c[i] != 0 ? yes : no;
    }
}

// The same for large outputs, written past the caches.
template <class T>
void stream_where(size_t n, void* out, const void* condition, const void* a, const void* b) {
    constexpr size_t count = DA_VECTOR_BYTES / sizeof(T);
    typedef T V __attribute__((vector_size(DA_VECTOR_BYTES)));
    typedef uint8_t C __attribute__((vector_size(count)));
    T* o = static_cast<T*>(out);
    const uint8_t* c = static_cast<const uint8_t*>(condition);
    const T* x = static_cast<const T*>(a);
    const T* y = static_cast<const T*>(b);
    size_t i = unaligned_head(o, sizeof(T), n);
    where<T>(i, o, c, x, y);
    for (; i + 64 <= n; i += 64) { // a line of conditions
        fetch_ahead(c + i);
        for (size_t j = i; j < i + 64; j += count) {
            V yes, no;
            C given;
            fetch_ahead(x + j);
            fetch_ahead(y + j);
            __builtin_memcpy(&yes, x + j, sizeof yes);
            __builtin_memcpy(&no, y + j, sizeof no);
            __builtin_memcpy(&given, c + j, sizeof given);
            stream_vector(o + j, __builtin_convertvector(given, V) != 0 ? yes : no);
        }
    }
    where<T>(n - i, o + i, c + i, x + i, y + i);
}

// Two complex numbers are equal when both parts are.
template <bool equal, class T>
void compare_parts(size_t n, void* out, const void* a, const void* b) {
    uint8_t* o = static_cast<uint8_t*>(out);
    const T* x = static_cast<const T*>(a);
    const T* y = static_cast<const T*>(b);
    DA_INDEPENDENT
    for (size_t i = 0; i < n; ++i) {
        const bool same = (x[2 * i] == y[2 * i]) & (x[2 * i + 1] == y[2 * i + 1]);
        o[i] = same == equal;
    }
}

// Equality does not tell signed from unsigned.
template <class F, bool equal>
void equality(Map2* row) {
    row[DA_BOOL] = row[DA_INT8] = row[DA_UINT8] = loop<F, uint8_t>;
    row[DA_INT16] = row[DA_UINT16] = loop<F, uint16_t>;
    row[DA_INT32] = row[DA_UINT32] = loop<F, uint32_t>;
    row[DA_INT64] = row[DA_UINT64] = loop<F, uint64_t>;
    row[DA_FLOAT32] = loop<F, float>;
    row[DA_FLOAT64] = loop<F, double>;
    row[DA_COMPLEX64] = compare_parts<equal, float>;
    row[DA_COMPLEX128] = compare_parts<equal, double>;
}

template <class F>
void order(Map2* row) {
#define X(number, type) row[number] = loop<F, type>;
    DA_NUMERIC_TYPES(X)
#undef X
}

} // namespace

void install_compare(Kernels* table) {
    equality<Equal, true>(table->binary[DA_OP_EQUAL]);
    equality<NotEqual, false>(table->binary[DA_OP_NOT_EQUAL]);
    order<Less>(table->binary[DA_OP_LESS]);
    order<LessEqual>(table->binary[DA_OP_LESS_EQUAL]);
    table->binary[DA_OP_LOGICAL_AND][DA_BOOL] = loop<And, uint8_t>;
    table->binary[DA_OP_LOGICAL_OR][DA_BOOL] = loop<Or, uint8_t>;
    table->where[0] = where<uint8_t>;
    table->where[1] = where<uint16_t>;
    table->where[2] = where<uint32_t>;
    table->where[3] = where<uint64_t>;
    table->where[4] = where<Two>;
    table->where_stream[2] = stream_where<uint32_t>;
    table->where_stream[3] = stream_where<uint64_t>;
}

DA_LEVEL_END
