// SPDX-License-Identifier: Apache-2.0
// Vector types and their makers.
#define SIMT_VECTORS(T, N, A1, A2, A4)                                                             \
    struct __attribute__((aligned(A1))) N##1 {                                                     \
        T x;                                                                                       \
    };                                                                                             \
    struct __attribute__((aligned(A2))) N##2 {                                                     \
        T x, y;                                                                                    \
    };                                                                                             \
    SIMT_VECTOR3(T, N)                                                                             \
    struct __attribute__((aligned(A4))) N##4 {                                                     \
        T x, y, z, w;                                                                              \
    };                                                                                             \
    SIMT_INLINE N##1 make_##N##1(T x) {                                                            \
        return N##1 {x};                                                                           \
    }                                                                                              \
    SIMT_INLINE N##2 make_##N##2(T x, T y) {                                                       \
        return N##2 {x, y};                                                                        \
    }                                                                                              \
    SIMT_INLINE N##3 make_##N##3(T x, T y, T z) {                                                  \
        return N##3 {x, y, z};                                                                     \
    }                                                                                              \
    SIMT_INLINE N##4 make_##N##4(T x, T y, T z, T w) {                                             \
        return N##4 {x, y, z, w};                                                                  \
    }
#define SIMT_VECTOR3(T, N)                                                                         \
    struct N##3 {                                                                                  \
        T x, y, z;                                                                                 \
    };

SIMT_VECTORS(signed char, char, 1, 2, 4)
SIMT_VECTORS(unsigned char, uchar, 1, 2, 4)
SIMT_VECTORS(short, short, 2, 4, 8)
SIMT_VECTORS(unsigned short, ushort, 2, 4, 8)
SIMT_VECTORS(int, int, 4, 8, 16)
SIMT_VECTORS(long, long, 8, 16, 16)
SIMT_VECTORS(unsigned long, ulong, 8, 16, 16)
SIMT_VECTORS(long long, longlong, 8, 16, 16)
SIMT_VECTORS(unsigned long long, ulonglong, 8, 16, 16)
SIMT_VECTORS(float, float, 4, 8, 16)
SIMT_VECTORS(double, double, 8, 16, 16)
#undef SIMT_VECTOR3
#define SIMT_VECTOR3(T, N) // uint3 is there
SIMT_VECTORS(unsigned int, uint, 4, 8, 16)
#undef SIMT_VECTOR3
#undef SIMT_VECTORS
