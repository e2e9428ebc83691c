// SPDX-License-Identifier: Apache-2.0
// Loops of reductions. The order of operations depends on the number of elements only.
#include "level/simd.hpp"

DA_LEVEL_BEGIN

constexpr size_t kBlock = 2048; // elements that are summed in the type itself
constexpr size_t kFew = 12;     // elements that are quicker one by one
constexpr int64_t kColumnTile = 1024;
constexpr int64_t kRowGroup = 32; // rows that are summed in float32 before going to float64
constexpr int64_t kTogether = 4;  // rows that are read side by side

template <class T>
struct Wide {
    typedef T V __attribute__((vector_size(DA_VECTOR_BYTES)));
    static constexpr size_t count = DA_VECTOR_BYTES / sizeof(T);
    static constexpr size_t lanes = 256 / sizeof(T); // the same number at every level
    static constexpr size_t vectors = lanes / count;
    static DA_INLINE V read(const T* p) {
        V v;
        __builtin_memcpy(&v, p, sizeof v);
        return v;
    }
};

struct Plus {
    static constexpr bool idempotent = false;
    template <class V>
    static DA_INLINE V of(V acc, V x) {
        return acc + x;
    }
};
// A NaN stays: nothing compares larger, or smaller.
struct Larger {
    static constexpr bool idempotent = true;
    template <class V>
    static DA_INLINE V of(V acc, V x) {
        return ((x > acc) | (x != x)) ? x : acc;
    }
    template <class T>
    static DA_INLINE bool before(T a, T b) {
        return a > b;
    }
};

struct Smaller {
    static constexpr bool idempotent = true;
    template <class V>
    static DA_INLINE V of(V acc, V x) {
        return ((x < acc) | (x != x)) ? x : acc;
    }
    template <class T>
    static DA_INLINE bool before(T a, T b) {
        return a < b;
    }
};

// The lanes of one block, folded in halves.
template <class F, class T>
T fold(T* lane) {
    for (size_t width = Wide<T>::lanes / 2; width > 0; width /= 2)
        for (size_t j = 0; j < width; ++j) lane[j] = F::of(lane[j], lane[j + width]);
    return lane[0];
}

// The same for no more elements than a part of the lanes, the others of which hold nothing.
template <class F, class T, size_t count>
T fold_few(size_t n, const T* x) {
    T lane[count];
    const T start = F::idempotent ? x[0] : T(0);
    for (size_t j = 0; j < count; ++j) lane[j] = start;
    __builtin_memcpy(lane, x, n * sizeof(T));
    for (size_t width = count / 2; width > 0; width /= 2)
        for (size_t j = 0; j < width; ++j) lane[j] = F::of(lane[j], lane[j + width]);
    return F::idempotent ? lane[0] : T(start + lane[0]);
}

template <class F, class T>
T block(size_t n, const T* x) {
    typedef Wide<T> W;
    if (n < kFew) {
        T result = x[0];
        for (size_t i = 1; i < n; ++i) result = F::of(result, x[i]);
        return result;
    }
    if (n <= 16) return fold_few<F, T, 16>(n, x);
    if (n <= 32) return fold_few<F, T, 32>(n, x);
    typename W::V acc[W::vectors];
    T lane[W::lanes];
    const T start = F::idempotent ? x[0] : T(0);
    for (size_t j = 0; j < W::lanes; ++j) lane[j] = start;
    __builtin_memcpy(acc, lane, sizeof acc);
    size_t i = 0;
    for (; i + W::lanes <= n; i += W::lanes)
#pragma GCC unroll 16
        for (size_t v = 0; v < W::vectors; ++v)
            acc[v] = F::template of<typename W::V>(acc[v], W::read(x + i + v * W::count));
    if (i < n) {
        __builtin_memcpy(lane, x + i, (n - i) * sizeof(T));
#pragma GCC unroll 16
        for (size_t v = 0; v < W::vectors; ++v)
            acc[v] = F::template of<typename W::V>(acc[v], W::read(lane + v * W::count));
    }
    __builtin_memcpy(lane, acc, sizeof acc);
    return fold<F, T>(lane);
}

// Floating point: blocks in the type, then pairs of blocks in float64.
template <class T>
double pairwise(size_t n, const T* x) {
    if (n <= kBlock) return double(block<Plus, T>(n, x));
    const size_t blocks = (n + kBlock - 1) / kBlock;
    const size_t half = blocks / 2 * kBlock;
    const double left = pairwise<T>(half, x);
    return left + pairwise<T>(n - half, x + half);
}

template <class T>
void sum_float(size_t n, void* result, const void* in) {
    *static_cast<double*>(result) = pairwise<T>(n, static_cast<const T*>(in));
}

template <class T>
void sum_integer(size_t n, void* result, const void* in) {
    const T* x = static_cast<const T*>(in);
    T sum = 0;
    for (size_t i = 0; i < n; ++i) sum = T(sum + x[i]);
    *static_cast<T*>(result) = sum;
}

// Products of floating types in float64: those of float32 then neither overflow on the way nor
// lose digits.
template <class T, class A>
void product_row(size_t n, void* result, const void* in) {
    typedef Wide<A> W;
    typedef T Narrow __attribute__((vector_size(W::count * sizeof(T))));
    const T* x = static_cast<const T*>(in);
    A lane[W::lanes];
    typename W::V acc[W::vectors];
    for (A& l : lane) l = 1;
    __builtin_memcpy(acc, lane, sizeof acc);
    size_t i = 0;
    for (; i + W::lanes <= n; i += W::lanes)
#pragma GCC unroll 16
        for (size_t v = 0; v < W::vectors; ++v) {
            Narrow y;
            __builtin_memcpy(&y, x + i + v * W::count, sizeof y);
            acc[v] *= __builtin_convertvector(y, typename W::V);
        }
    __builtin_memcpy(lane, acc, sizeof acc);
    for (size_t j = 0; i < n; ++i, ++j) lane[j] = A(lane[j] * 1u * A(x[i]));
    for (size_t width = W::lanes / 2; width > 0; width /= 2)
        for (size_t j = 0; j < width; ++j) lane[j] = A(lane[j] * 1u * lane[j + width]);
    *static_cast<A*>(result) = lane[0];
}

template <class T, class A>
void product_columns(int64_t rows, int64_t columns, void* acc, const void* in, int64_t stride,
                     bool first) {
    A* result = static_cast<A*>(acc);
    const T* x = static_cast<const T*>(in);
    for (int64_t j = 0; first && j < columns; ++j) result[j] = 1;
    for (int64_t r = 0; r < rows; ++r)
        for (int64_t j = 0; j < columns; ++j) result[j] = A(result[j] * 1u * A(x[r * stride + j]));
}

template <class F, class T>
void extreme_row(size_t n, void* result, const void* in) {
    *static_cast<T*>(result) = block<F, T>(n, static_cast<const T*>(in));
}

// part[j] += x[r][j] for kTogether rows, in their order. The rows after these are asked for: each
// is a jump in memory.
DA_INLINE void add_rows(int64_t width, float* part, const float* x, int64_t stride) {
    int64_t j = 0;
    for (; j + int64_t(kLanes) <= width; j += kLanes) {
        VF sum = load(part + j);
        for (int64_t r = 0; r < kTogether; ++r) {
            __builtin_prefetch(x + (r + kTogether) * stride + j, 0, 2);
            sum += load(x + r * stride + j);
        }
        store(part + j, sum);
    }
    for (; j < width; ++j)
        for (int64_t r = 0; r < kTogether; ++r) part[j] += x[r * stride + j];
}

void sum_columns_float(int64_t rows, int64_t columns, void* acc, const void* in, int64_t stride,
                       bool first) {
    double* sums = static_cast<double*>(acc);
    const float* x = static_cast<const float*>(in);
    float part[kColumnTile];
    for (int64_t c = 0; c < columns; c += kColumnTile) {
        const int64_t width = columns - c < kColumnTile ? columns - c : kColumnTile;
        for (int64_t j = 0; first && j < width; ++j) sums[c + j] = 0;
        for (int64_t r = 0; r < rows; r += kRowGroup) {
            const int64_t end = rows - r < kRowGroup ? rows : r + kRowGroup;
            for (int64_t j = 0; j < width; ++j) part[j] = 0;
            int64_t row = r;
            for (; row + kTogether <= end; row += kTogether)
                add_rows(width, part, x + row * stride + c, stride);
            for (; row < end; ++row)
                for (int64_t j = 0; j < width; ++j) part[j] += x[row * stride + c + j];
            for (int64_t j = 0; j < width; ++j) sums[c + j] += double(part[j]);
        }
    }
}

template <class F, class T>
void columns(int64_t rows, int64_t columns, void* acc, const void* in, int64_t stride, bool first) {
    T* result = static_cast<T*>(acc);
    const T* x = static_cast<const T*>(in);
    for (int64_t c = 0; c < columns; c += kColumnTile) {
        const int64_t width = columns - c < kColumnTile ? columns - c : kColumnTile;
        T part[kColumnTile];
        __builtin_memcpy(part, first ? x + c : result + c, size_t(width) * sizeof(T));
        for (int64_t r = first ? 1 : 0; r < rows; ++r)
            for (int64_t j = 0; j < width; ++j) part[j] = F::of(part[j], x[r * stride + c + j]);
        __builtin_memcpy(result + c, part, size_t(width) * sizeof(T));
    }
}

template <class F, class T>
int64_t index_of(size_t n, const void* in) {
    const T* x = static_cast<const T*>(in);
    size_t best = 0;
    T most = block<F, T>(n < kBlock ? n : kBlock, x);
    for (size_t i = kBlock; i < n && most == most; i += kBlock) {
        const T m = block<F, T>(n - i < kBlock ? n - i : kBlock, x + i);
        if (F::before(m, most) || m != m) best = i, most = m;
    }
    while (!(x[best] == most || (most != most && x[best] != x[best]))) ++best;
    return int64_t(best);
}

template <class U>
void install_integer(Kernels* table, int a, int b) {
    table->reduce_row[kSum][a] = table->reduce_row[kSum][b] = sum_integer<U>;
    table->reduce_columns[kSum][a] = table->reduce_columns[kSum][b] = columns<Plus, U>;
    table->reduce_row[kProd][a] = table->reduce_row[kProd][b] = product_row<U, U>;
    table->reduce_columns[kProd][a] = table->reduce_columns[kProd][b] = product_columns<U, U>;
}

} // namespace

void install_reduce(Kernels* table) {
    install_integer<uint8_t>(table, DA_INT8, DA_UINT8);
    install_integer<uint16_t>(table, DA_INT16, DA_UINT16);
    install_integer<uint32_t>(table, DA_INT32, DA_UINT32);
    install_integer<uint64_t>(table, DA_INT64, DA_UINT64);
    table->reduce_row[kSum][DA_FLOAT32] = sum_float<float>;
    table->reduce_row[kSum][DA_FLOAT64] = sum_float<double>;
    table->reduce_columns[kSum][DA_FLOAT32] = sum_columns_float;
    table->reduce_columns[kSum][DA_FLOAT64] = columns<Plus, double>;
    table->reduce_row[kProd][DA_FLOAT32] = product_row<float, double>;
    table->reduce_row[kProd][DA_FLOAT64] = product_row<double, double>;
    table->reduce_columns[kProd][DA_FLOAT32] = product_columns<float, double>;
    table->reduce_columns[kProd][DA_FLOAT64] = product_columns<double, double>;
#define X(number, type)                                                                            \
    table->reduce_row[kMax][number] = extreme_row<Larger, type>;                                   \
    table->reduce_columns[kMax][number] = columns<Larger, type>;                                   \
    table->reduce_row[kMin][number] = extreme_row<Smaller, type>;                                  \
    table->reduce_columns[kMin][number] = columns<Smaller, type>;                                  \
    table->argmax[number] = index_of<Larger, type>;                                                \
    table->argmin[number] = index_of<Smaller, type>;
    DA_NUMERIC_TYPES(X)
#undef X
}

DA_LEVEL_END
