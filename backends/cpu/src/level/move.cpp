// SPDX-License-Identifier: Apache-2.0
// Loops that move elements without looking at them: strided, repeated, past the caches, transposed.
#include "level/simd.hpp"

DA_LEVEL_BEGIN

// Sixteen bytes, aligned as the parts of a complex128.
struct Two {
    uint64_t low, high;
};

template <class T>
void gather(size_t n, void* out, const void* in, int64_t stride) {
    T* o = static_cast<T*>(out);
    const T* x = static_cast<const T*>(in);
    for (size_t i = 0; i < n; ++i) o[i] = x[int64_t(i) * stride];
}

template <class T>
void scatter(size_t n, void* out, int64_t stride, const void* in) {
    T* o = static_cast<T*>(out);
    const T* x = static_cast<const T*>(in);
    for (size_t i = 0; i < n; ++i) o[int64_t(i) * stride] = x[i];
}

template <class T>
void repeat(size_t n, void* out, const void* value) {
    T* o = static_cast<T*>(out);
    const T x = *static_cast<const T*>(value);
    for (size_t i = 0; i < n; ++i) o[i] = x;
}

void stream_copy(void* out, const void* in, size_t bytes) {
    char* o = static_cast<char*>(out);
    const char* x = static_cast<const char*>(in);
    size_t head = size_t(-reinterpret_cast<uintptr_t>(o)) & 63;
    head = head < bytes ? head : bytes;
    __builtin_memcpy(o, x, head);
    size_t i = head;
    for (; i + 64 <= bytes; i += 64) {
        fetch_ahead(x + i);
        stream_line(o + i, x + i);
    }
    __builtin_memcpy(o + i, x + i, bytes - i);
}

typedef uint32_t V4 __attribute__((vector_size(16)));
typedef uint64_t V2 __attribute__((vector_size(16)));

template <class V, class T>
DA_INLINE V read(const T* p) {
    V v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}

// A square of 64-byte rows: tile[r][c] = in[c][r].
template <class T>
DA_INLINE void turn(T* tile, const T* in, int64_t in_stride) {
    constexpr int side = 64 / sizeof(T);
    for (int c = 0; c < side; ++c)
        for (int r = 0; r < side; ++r) tile[r * side + c] = in[c * in_stride + r];
}

template <>
DA_INLINE void turn(uint32_t* tile, const uint32_t* in, int64_t in_stride) {
    for (int c = 0; c < 16; c += 4) {
        const uint32_t* x = in + c * in_stride;
        for (int r = 0; r < 16; r += 4) {
            const V4 a0 = read<V4>(x + r), a1 = read<V4>(x + in_stride + r);
            const V4 a2 = read<V4>(x + 2 * in_stride + r), a3 = read<V4>(x + 3 * in_stride + r);
            const V4 b0 = __builtin_shuffle(a0, a1, (V4){0, 4, 1, 5});
            const V4 b1 = __builtin_shuffle(a0, a1, (V4){2, 6, 3, 7});
            const V4 b2 = __builtin_shuffle(a2, a3, (V4){0, 4, 1, 5});
            const V4 b3 = __builtin_shuffle(a2, a3, (V4){2, 6, 3, 7});
            const V4 t[4] = {__builtin_shuffle(b0, b2, (V4){0, 1, 4, 5}),
                             __builtin_shuffle(b0, b2, (V4){2, 3, 6, 7}),
                             __builtin_shuffle(b1, b3, (V4){0, 1, 4, 5}),
                             __builtin_shuffle(b1, b3, (V4){2, 3, 6, 7})};
            for (int i = 0; i < 4; ++i) __builtin_memcpy(tile + (r + i) * 16 + c, &t[i], 16);
        }
    }
}

template <>
DA_INLINE void turn(uint64_t* tile, const uint64_t* in, int64_t in_stride) {
    for (int c = 0; c < 8; c += 2) {
        const uint64_t* x = in + c * in_stride;
        for (int r = 0; r < 8; r += 2) {
            const V2 a = read<V2>(x + r), b = read<V2>(x + in_stride + r);
            const V2 low = __builtin_shuffle(a, b, (V2){0, 2});
            const V2 high = __builtin_shuffle(a, b, (V2){1, 3});
            __builtin_memcpy(tile + r * 8 + c, &low, 16);
            __builtin_memcpy(tile + (r + 1) * 8 + c, &high, 16);
        }
    }
}

template <class T>
void edge(T* o, int64_t os, const T* x, int64_t is, int64_t rows, int64_t columns) {
    for (int64_t r = 0; r < rows; ++r)
        for (int64_t c = 0; c < columns; ++c) o[r * os + c] = x[c * is + r];
}

template <class T>
void transpose(void* out, int64_t os, const void* in, int64_t is, int64_t rows, int64_t columns,
               bool stream) {
    constexpr int64_t side = 64 / sizeof(T);
    T* o = static_cast<T*>(out);
    const T* x = static_cast<const T*>(in);
    alignas(64) T tile[side * side];
    const bool aligned = ((reinterpret_cast<uintptr_t>(o) | uintptr_t(os) * sizeof(T)) & 63) == 0;
    int64_t c = 0;
    for (; c + side <= columns; c += side) {
        int64_t r = 0;
        for (; r + side <= rows; r += side) {
            turn<T>(tile, x + c * is + r, is);
            for (int64_t i = 0; i < side; ++i) {
                char* line = reinterpret_cast<char*>(o + (r + i) * os + c);
                if (stream && aligned)
                    stream_line(line, reinterpret_cast<const char*>(tile + i * side));
                else
                    __builtin_memcpy(line, tile + i * side, 64);
            }
        }
        edge(o + r * os + c, os, x + c * is + r, is, rows - r, side);
    }
    edge(o + c, os, x + c * is, is, rows, columns - c);
}

template <class T>
void install_width(Kernels* table, int w) {
    table->gather[w] = gather<T>;
    table->scatter[w] = scatter<T>;
    table->splat[w] = repeat<T>;
    table->transpose[w] = transpose<T>;
}

} // namespace

void install_move(Kernels* table) {
    install_width<uint8_t>(table, 0);
    install_width<uint16_t>(table, 1);
    install_width<uint32_t>(table, 2);
    install_width<uint64_t>(table, 3);
    install_width<Two>(table, 4);
    table->stream_copy = stream_copy;
}

DA_LEVEL_END
