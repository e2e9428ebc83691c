// SPDX-License-Identifier: Apache-2.0
// Loops over strided operands: axes that run together are merged, then rows of the innermost axis
// are visited in blocks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "convert.hpp"

namespace device_api::engine {

constexpr std::int64_t block = 1024; // elements; a few blocks stay in the first-level cache

/// N operands of one shape (broadcast already).
template <int N>
struct Loop {
    int rank = 0;
    std::int64_t shape[max_rank] = {};
    std::int64_t strides[N][max_rank] = {}; // in bytes
    std::int64_t inner = 1;                 // length of a row
    std::int64_t step[N] = {};              // in elements, along a row
    bool empty = false;

    explicit Loop(const Tensor* const (&t)[N]) {
        for (int i = 0; i < t[0]->rank; ++i) add_axis(t, i);
        if (empty || rank == 0) return;
        --rank;
        inner = shape[rank];
        for (int k = 0; k < N; ++k)
            step[k] = strides[k][rank] / static_cast<std::int64_t>(dtype_size(t[k]->dtype));
    }

    /// f(pointers to the first elements of a row).
    template <class F>
    void rows(char* const (&base)[N], F f) const {
        if (empty) return;
        std::int64_t index[max_rank] = {};
        char* p[N];
        std::copy(base, base + N, p);
        for (;;) {
            f(p);
            int axis = rank - 1;
            for (; axis >= 0; --axis) {
                for (int k = 0; k < N; ++k) p[k] += strides[k][axis];
                if (++index[axis] < shape[axis]) break;
                for (int k = 0; k < N; ++k) p[k] -= strides[k][axis] * shape[axis];
                index[axis] = 0;
            }
            if (axis < 0) return;
        }
    }

  private:
    void add_axis(const Tensor* const (&t)[N], int i) {
        const std::int64_t length = t[0]->shape[i];
        if (length == 0) empty = true;
        if (length == 1) return;
        std::int64_t bytes[N];
        bool merges = rank > 0;
        for (int k = 0; k < N; ++k) {
            bytes[k] = t[k]->strides[i] * static_cast<std::int64_t>(dtype_size(t[k]->dtype));
            merges = merges && strides[k][rank - 1] == bytes[k] * length;
        }
        if (!merges) shape[rank++] = 1;
        shape[rank - 1] *= length;
        for (int k = 0; k < N; ++k) strides[k][rank - 1] = bytes[k];
    }
};

/// Reads blocks of one operand as class C: straight from memory where that is the same, else
/// through a buffer.
template <class C>
class Reader {
  public:
    Reader(const Tensor& t, DType compute, std::int64_t step)
        : load_(loader<C>(t.dtype)),
          size_(static_cast<std::int64_t>(dtype_size(t.dtype))),
          step_(step),
          compute_(compute),
          direct_(t.dtype == native_dtype<C>() && compute == t.dtype && step == 1),
          narrow_(compute != native_dtype<C>() && compute != t.dtype) {}

    /// Elements [at, at + n) of the row that starts at p; n <= block.
    const C* read(const char* p, std::int64_t at, std::int64_t n) {
        const char* from = p + at * step_ * size_;
        if (direct_) return reinterpret_cast<const C*>(from);
        load_(from, step_, n, buffer_);
        if (narrow_) narrow<C>(compute_, buffer_, n);
        return buffer_;
    }

  private:
    Loader<C> load_;
    std::int64_t size_, step_;
    DType compute_;
    bool direct_, narrow_;
    alignas(64) C buffer_[block];
};

/// Writes blocks of class C, rounded to `compute` first.
template <class C>
class Writer {
  public:
    Writer(const Tensor& t, DType compute, std::int64_t step)
        : store_(storer<C>(t.dtype)),
          size_(static_cast<std::int64_t>(dtype_size(t.dtype))),
          step_(step),
          compute_(compute),
          direct_(t.dtype == native_dtype<C>() && compute == t.dtype && step == 1),
          narrow_(compute != native_dtype<C>() && compute != t.dtype) {}

    /// Where to compute the block; put() afterwards.
    C* room(char* p, std::int64_t at) {
        return direct_ ? reinterpret_cast<C*>(p + at * step_ * size_) : buffer_;
    }
    void put(char* p, std::int64_t at, std::int64_t n) {
        if (direct_) return;
        if (narrow_) narrow<C>(compute_, buffer_, n);
        store_(buffer_, p + at * step_ * size_, step_, n);
    }

  private:
    Storer<C> store_;
    std::int64_t size_, step_;
    DType compute_;
    bool direct_, narrow_;
    alignas(64) C buffer_[block];
};

/// Whether the ranges of two tensors, first to last byte, have bytes in common.
bool overlap(const Tensor& a, const Tensor& b);
/// `in` broadcast to out's shape, as a copy when writing `out` could change it on the way. False:
/// message set.
bool operand(TaskContext& ctx, const Tensor& in, const Tensor& out, Tensor* ready);
/// Host pointers of the operands; false when one is not accessible.
template <int N>
bool map_all(TaskContext& ctx, const Tensor* const (&t)[N], int writes_from, char* (&base)[N]) {
    for (int k = 0; k < N; ++k) {
        base[k] = static_cast<char*>(ctx.map(*t[k], k >= writes_from));
        if (!base[k]) return false;
    }
    return true;
}

/// x * factor, but 0 where the factor is 0, also for an infinite x.
inline double gated(double x, double factor) {
    return factor == 0 ? factor : x * factor;
}

/// Axis from the end when negative; false (message set) when out of range.
bool fix_axis(int rank, int* axis);
Status shape_error(const char* kernel, const Tensor& a, const Tensor& b);

} // namespace device_api::engine
