// SPDX-License-Identifier: Apache-2.0
// Atomic operations. Blocks of one launch, and launches of several streams, may run at the same
// time.
#define SIMT_ATOMIC_BUILTIN(T, NAME, OP)                                                           \
    SIMT_INLINE T NAME(T* p, T v) {                                                                \
        return OP(p, v, __ATOMIC_RELAXED);                                                         \
    }
#define SIMT_ATOMIC_INTEGER(T)                                                                     \
    SIMT_ATOMIC_BUILTIN(T, atomicAdd, __atomic_fetch_add)                                          \
    SIMT_ATOMIC_BUILTIN(T, atomicAnd, __atomic_fetch_and)                                          \
    SIMT_ATOMIC_BUILTIN(T, atomicOr, __atomic_fetch_or)                                            \
    SIMT_ATOMIC_BUILTIN(T, atomicXor, __atomic_fetch_xor)                                          \
    SIMT_ATOMIC_BUILTIN(T, atomicExch, __atomic_exchange_n)                                        \
    SIMT_INLINE T atomicCAS(T* p, T expected, T value) {                                           \
        __atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_RELAXED,                  \
                                    __ATOMIC_RELAXED);                                             \
        return expected;                                                                           \
    }                                                                                              \
    SIMT_INLINE T atomicMin(T* p, T v) {                                                           \
        T old = __atomic_load_n(p, __ATOMIC_RELAXED);                                              \
        while (v < old && !__atomic_compare_exchange_n(p, &old, v, true, __ATOMIC_RELAXED,         \
                                                       __ATOMIC_RELAXED)) {                        \
        }                                                                                          \
        return old;                                                                                \
    }                                                                                              \
    SIMT_INLINE T atomicMax(T* p, T v) {                                                           \
        T old = __atomic_load_n(p, __ATOMIC_RELAXED);                                              \
        while (old < v && !__atomic_compare_exchange_n(p, &old, v, true, __ATOMIC_RELAXED,         \
                                                       __ATOMIC_RELAXED)) {                        \
        }                                                                                          \
        return old;                                                                                \
    }
SIMT_ATOMIC_INTEGER(int)
SIMT_ATOMIC_INTEGER(unsigned int)
SIMT_ATOMIC_INTEGER(unsigned long long)
// NVIDIA has no 64-bit signed addition; it has these two.
SIMT_ATOMIC_BUILTIN(long long, atomicAnd, __atomic_fetch_and)
SIMT_INLINE long long atomicMin(long long* p, long long v) {
    long long old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (v < old &&
           !__atomic_compare_exchange_n(p, &old, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return old;
}
SIMT_INLINE long long atomicMax(long long* p, long long v) {
    long long old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (old < v &&
           !__atomic_compare_exchange_n(p, &old, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return old;
}
SIMT_INLINE unsigned short atomicCAS(unsigned short* p, unsigned short expected,
                                     unsigned short value) {
    __atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}
SIMT_INLINE int atomicSub(int* p, int v) {
    return __atomic_fetch_sub(p, v, __ATOMIC_RELAXED);
}
SIMT_INLINE unsigned int atomicSub(unsigned int* p, unsigned int v) {
    return __atomic_fetch_sub(p, v, __ATOMIC_RELAXED);
}
SIMT_INLINE unsigned int atomicInc(unsigned int* p, unsigned int limit) {
    unsigned int old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(p, &old, old >= limit ? 0u : old + 1, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return old;
}
SIMT_INLINE unsigned int atomicDec(unsigned int* p, unsigned int limit) {
    unsigned int old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(p, &old, old == 0 || old > limit ? limit : old - 1, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return old;
}

#define SIMT_ATOMIC_REAL(T, BITS)                                                                  \
    SIMT_INLINE T atomicAdd(T* p, T v) {                                                           \
        BITS* raw = reinterpret_cast<BITS*>(p);                                                    \
        BITS old = __atomic_load_n(raw, __ATOMIC_RELAXED);                                         \
        while (!__atomic_compare_exchange_n(raw, &old, simt_bits<BITS>(T(simt_bits<T>(old) + v)),  \
                                            true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {           \
        }                                                                                          \
        return simt_bits<T>(old);                                                                  \
    }                                                                                              \
    SIMT_INLINE T atomicExch(T* p, T v) {                                                          \
        return simt_bits<T>(__atomic_exchange_n(reinterpret_cast<BITS*>(p), simt_bits<BITS>(v),    \
                                                __ATOMIC_RELAXED));                                \
    }
typedef unsigned int __attribute__((may_alias)) simt_alias32;
typedef unsigned long long __attribute__((may_alias)) simt_alias64;
SIMT_ATOMIC_REAL(float, simt_alias32)
SIMT_ATOMIC_REAL(double, simt_alias64)
#undef SIMT_ATOMIC_BUILTIN
#undef SIMT_ATOMIC_INTEGER
#undef SIMT_ATOMIC_REAL
