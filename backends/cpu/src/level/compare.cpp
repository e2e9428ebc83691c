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

} // namespace

void install_compare(Kernels* table) {
    Map2* equal = table->binary[DA_OP_EQUAL];
    Map2* less = table->binary[DA_OP_LESS];
    equal[DA_BOOL] = equal[DA_INT8] = equal[DA_UINT8] = loop<Equal, uint8_t>;
    equal[DA_INT16] = equal[DA_UINT16] = loop<Equal, uint16_t>;
    equal[DA_INT32] = equal[DA_UINT32] = loop<Equal, uint32_t>;
    equal[DA_INT64] = equal[DA_UINT64] = loop<Equal, uint64_t>;
    equal[DA_FLOAT32] = loop<Equal, float>;
    equal[DA_FLOAT64] = loop<Equal, double>;
#define X(number, type) less[number] = loop<Less, type>;
    DA_NUMERIC_TYPES(X)
#undef X
    table->binary[DA_OP_LOGICAL_AND][DA_BOOL] = loop<And, uint8_t>;
    table->binary[DA_OP_LOGICAL_OR][DA_BOOL] = loop<Or, uint8_t>;
    table->where[0] = where<uint8_t>;
    table->where[1] = where<uint16_t>;
    table->where[2] = where<uint32_t>;
    table->where[3] = where<uint64_t>;
    table->where[4] = where<Two>;
}

DA_LEVEL_END
