// SPDX-License-Identifier: Apache-2.0
// Loops of the ops on single bits: of integers, and of the sign of floats.
#include "level/simd.hpp"

DA_LEVEL_BEGIN

struct And {
    template <class T>
    static DA_INLINE T of(T a, T b) {
        return T(a & b);
    }
};
struct Or {
    template <class T>
    static DA_INLINE T of(T a, T b) {
        return T(a | b);
    }
};
struct Xor {
    template <class T>
    static DA_INLINE T of(T a, T b) {
        return T(a ^ b);
    }
};
// By the width or more nothing is left; a negative count reads as such a large one.
struct ShiftLeft {
    template <class T>
    static DA_INLINE T of(T a, T b) {
        constexpr T width = T(sizeof(T) * 8);
        return b < width ? T(a << (b & (width - 1))) : T(0);
    }
};
struct ShiftRight {
    template <class T>
    static DA_INLINE T of(T a, T b) {
        typedef Unsigned<T> U;
        constexpr U width = U(sizeof(T) * 8);
        const U count = U(b) < width ? U(b) : U(width - 1);
        const T shifted = T(a >> count);
        return T(-1) < T(0) || U(b) < width ? shifted : T(0);
    }
};
struct CopySign {
    static DA_INLINE float of(float a, float b) { return __builtin_copysignf(a, b); }
    static DA_INLINE double of(double a, double b) { return __builtin_copysign(a, b); }
};

template <class F, class T>
void loop(size_t n, void* out, const void* a, const void* b) {
    T* o = static_cast<T*>(out);
    const T* x = static_cast<const T*>(a);
    const T* y = static_cast<const T*>(b);
    DA_INDEPENDENT
    for (size_t i = 0; i < n; ++i) o[i] = F::of(x[i], y[i]);
}

template <class T>
void flip(size_t n, void* out, const void* a) {
    T* o = static_cast<T*>(out);
    const T* x = static_cast<const T*>(a);
    DA_INDEPENDENT
    for (size_t i = 0; i < n; ++i) o[i] = T(~x[i]);
}

template <class U>
void sign(size_t n, void* out, const void* a) {
    uint8_t* o = static_cast<uint8_t*>(out);
    const U* x = static_cast<const U*>(a);
    DA_INDEPENDENT
    for (size_t i = 0; i < n; ++i) o[i] = uint8_t(x[i] >> (sizeof(U) * 8 - 1));
}

// Loops that do not tell signed from unsigned.
template <class F>
void each_width(Map2* row) {
    row[DA_INT8] = row[DA_UINT8] = loop<F, uint8_t>;
    row[DA_INT16] = row[DA_UINT16] = loop<F, uint16_t>;
    row[DA_INT32] = row[DA_UINT32] = loop<F, uint32_t>;
    row[DA_INT64] = row[DA_UINT64] = loop<F, uint64_t>;
}

} // namespace

void install_bits(Kernels* table) {
    each_width<And>(table->binary[DA_OP_BITWISE_AND]);
    each_width<Or>(table->binary[DA_OP_BITWISE_OR]);
    each_width<Xor>(table->binary[DA_OP_BITWISE_XOR]);
    each_width<ShiftLeft>(table->binary[DA_OP_SHIFT_LEFT]);
#define X(number, type) table->binary[DA_OP_SHIFT_RIGHT][number] = loop<ShiftRight, type>;
    DA_INTEGER_TYPES(X)
#undef X
    Map1* invert = table->unary[DA_OP_BITWISE_NOT];
    invert[DA_INT8] = invert[DA_UINT8] = flip<uint8_t>;
    invert[DA_INT16] = invert[DA_UINT16] = flip<uint16_t>;
    invert[DA_INT32] = invert[DA_UINT32] = flip<uint32_t>;
    invert[DA_INT64] = invert[DA_UINT64] = flip<uint64_t>;
    Map1* signs = table->unary[DA_OP_SIGNBIT];
    signs[DA_FLOAT16] = signs[DA_BFLOAT16] = sign<uint16_t>;
    signs[DA_FLOAT32] = sign<uint32_t>;
    signs[DA_FLOAT64] = sign<uint64_t>;
    table->binary[DA_OP_COPYSIGN][DA_FLOAT32] = loop<CopySign, float>;
    table->binary[DA_OP_COPYSIGN][DA_FLOAT64] = loop<CopySign, double>;
}

DA_LEVEL_END
