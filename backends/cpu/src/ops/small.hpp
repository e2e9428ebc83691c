// SPDX-License-Identifier: Apache-2.0
// Elementwise calls that are small: straight to the loop, since what comes before it would take
// longer than the work itself.
#pragma once

#include "instance.hpp"
#include "ops/layout.hpp"

namespace device_api::cpu {

constexpr int64_t kSmall = 1 << 15;    // below, dense calls go straight to the loop
constexpr int64_t kSmallRepeats = 512; // elements of a row, or all, with one repeated operand

inline bool dense(const da_tensor& t, const da_tensor& out) {
    return (t.flags & DA_TENSOR_CONTIGUOUS) && t.rank == out.rank;
}

// Number of elements when all tensors are dense and the work is small, 0 otherwise.
inline int64_t dense_elements(const da_tensor* tensors, int count, int64_t limit) {
    const da_tensor& out = tensors[count - 1];
    for (int i = 0; i < count; ++i)
        if (!dense(tensors[i], out)) return 0;
    const int64_t n = elements(out);
    return n < limit ? n : 0;
}

// x1 o scalar or scalar o x2, small and dense but for the scalar.
inline bool small_scalar(const dab_instance* self, Map2 loop, const da_tensor* t) {
    const da_tensor &a = t[0], &b = t[1], &out = t[2];
    if (!dense(out, out) || (a.rank == 0) == (b.rank == 0)) return false;
    const da_tensor& vector = a.rank ? a : b;
    const da_tensor& scalar = a.rank ? b : a;
    const int64_t n = elements(out);
    if (!dense(vector, out) || n > kSmallRepeats) return false;
    alignas(64) char repeated[kSmallRepeats * 16];
    self->kernels->splat[kWidth[scalar.dtype]](size_t(n), repeated, scalar.data);
    loop(size_t(n), out.data, a.rank ? a.data : repeated, b.rank ? b.data : repeated);
    return true;
}

// Matrices, small, whose rows are dense, or repeat one element each in one input.
inline bool small_rows(const dab_instance* self, Map2 loop, const da_tensor* t) {
    if (t[0].rank != 2 || t[1].rank != 2 || t[2].rank != 2 || t[2].strides[1] != 1) return false;
    const int64_t rows = t[2].shape[0], columns = t[2].shape[1];
    const int64_t inner[] = {t[0].strides[1], t[1].strides[1]};
    if (columns < 1 || rows > kSmall / columns) return false;
    if ((inner[0] != 1 && inner[0] != 0) || (inner[1] != 1 && inner[1] != 0)) return false;
    const int repeats = inner[0] == 0 ? 0 : inner[1] == 0 ? 1 : -1;
    if (inner[0] + inner[1] == 0 || (repeats >= 0 && columns > kSmallRepeats)) return false;
    alignas(64) char repeated[kSmallRepeats * 16];
    const char* in[] = {static_cast<const char*>(t[0].data), static_cast<const char*>(t[1].data)};
    char* out = static_cast<char*>(t[2].data);
    const int width = kWidth[t[0].dtype];
    for (int64_t r = 0; r < rows; ++r) {
        const void* row[] = {in[0], in[1]};
        if (repeats >= 0) {
            self->kernels->splat[width](size_t(columns), repeated, row[repeats]);
            row[repeats] = repeated;
        }
        loop(size_t(columns), out, row[0], row[1]);
        in[0] += t[0].strides[0] * (int64_t(1) << width);
        in[1] += t[1].strides[0] * (int64_t(1) << width);
        out += t[2].strides[0] * size_of(t[2].dtype);
    }
    return true;
}

} // namespace device_api::cpu
