// SPDX-License-Identifier: Apache-2.0
// Copies with cast, fills, arange, where.
#include <cstring>

#include "loop.hpp"
#include "parallel.hpp"

namespace device_api::engine {
namespace {

template <class T>
void copy_row(const char* from, std::int64_t from_step, char* to, std::int64_t to_step,
              std::int64_t n) {
    auto* x = reinterpret_cast<const T*>(from);
    auto* y = reinterpret_cast<T*>(to);
    if (from_step == 1 && to_step == 1)
        std::memcpy(y, x, static_cast<std::size_t>(n) * sizeof(T));
    else if (from_step == 0 && to_step == 1)
        std::fill(y, y + n, *x);
    else
        for (std::int64_t i = 0; i < n; ++i) y[i * to_step] = x[i * from_step];
}

/// The same dtype on both sides: bits are moved as they are.
void copy_bits(const Loop<2>& loop, char* const (&base)[2], std::size_t size) {
    auto row = size == 1   ? copy_row<std::uint8_t>
               : size == 2 ? copy_row<std::uint16_t>
               : size == 4 ? copy_row<std::uint32_t>
                           : copy_row<std::uint64_t>;
    loop.rows(base,
              [&](char* const* p) { row(p[0], loop.step[0], p[1], loop.step[1], loop.inner); });
}

void copy_cast(const Loop<2>& loop, char* const (&base)[2], DType from, DType to) {
    with_class(from, [&](auto zero) { // the source's class: one conversion, one rounding
        using C = decltype(zero);
        auto load = loader<C>(from);
        auto store = storer<C>(to);
        const auto from_size = static_cast<std::int64_t>(dtype_size(from)),
                   to_size = static_cast<std::int64_t>(dtype_size(to));
        loop.rows(base, [&](char* const* p) {
            each_block(loop.inner, [&](std::int64_t first, std::int64_t last) {
                C buffer[block];
                for (std::int64_t at = first; at < last; at += block) {
                    const std::int64_t n = std::min(block, last - at);
                    load(p[0] + at * loop.step[0] * from_size, loop.step[0], n, buffer);
                    store(buffer, p[1] + at * loop.step[1] * to_size, loop.step[1], n);
                }
            });
        });
    });
}

template <class C>
Status arange_in(TaskContext& ctx, C start, C step, const Tensor& out) {
    char* base = static_cast<char*>(ctx.map(out, true));
    if (!base) return ctx.error();
    auto store = storer<C>(out.dtype);
    const std::int64_t stride = out.strides[0] * static_cast<std::int64_t>(dtype_size(out.dtype));
    C buffer[block];
    for (std::int64_t at = 0; at < out.shape[0]; at += block) {
        const std::int64_t n = std::min(block, out.shape[0] - at);
        for (std::int64_t i = 0; i < n; ++i)
            buffer[i] = static_cast<C>(start + static_cast<C>(at + i) * step);
        store(buffer, base + at * stride, out.strides[0], n);
    }
    return Status::ok;
}

template <class C>
void choose(const std::uint8_t* c, std::int64_t step, const C* a, const C* b, C* y,
            std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
        const C first = a[i], second = b[i];
        y[i] = c[i * step] ? first : second;
    }
}

/// `cond` is of bool.
template <class C>
Status where_in(TaskContext& ctx, const Tensor& cond, const Tensor& a, const Tensor& b,
                const Tensor& out) {
    const Tensor* t[4] = {&cond, &a, &b, &out};
    char* base[4];
    if (!map_all(ctx, t, 3, base)) return ctx.error();
    Loop<4> loop(t);
    Reader<C> x(a, out.dtype, loop.step[1]), y(b, out.dtype, loop.step[2]);
    Writer<C> z(out, out.dtype, loop.step[3]);
    loop.rows(base, [&](char* const* p) {
        const auto* c = reinterpret_cast<const std::uint8_t*>(p[0]);
        for (std::int64_t at = 0; at < loop.inner; at += block) {
            const std::int64_t n = std::min(block, loop.inner - at);
            const C *left = x.read(p[1], at, n), *right = y.read(p[2], at, n);
            C* to = z.room(p[3], at);
            if (loop.step[0] == 1)
                choose(c + at, 1, left, right, to, n);
            else
                choose(c + at * loop.step[0], loop.step[0], left, right, to, n);
            z.put(p[3], at, n);
        }
    });
    return Status::ok;
}

Status failed(TaskContext& ctx) {
    return ctx.error() == Status::ok ? Status::invalid_value : ctx.error();
}

} // namespace

Status copy_tensor(TaskContext& ctx, const Tensor& in, const Tensor& out) {
    Tensor ready;
    if (!operand(ctx, in, out, &ready)) return failed(ctx);
    const Tensor* t[2] = {&ready, &out};
    char* base[2];
    if (!map_all(ctx, t, 1, base)) return ctx.error();
    Loop<2> loop(t);
    if (in.dtype == out.dtype)
        copy_bits(loop, base, dtype_size(in.dtype));
    else
        copy_cast(loop, base, in.dtype, out.dtype);
    return Status::ok;
}

Status fill(TaskContext& ctx, const Scalar& value, const Tensor& out) {
    return copy_tensor(ctx, ctx.constant(value, out.dtype), out);
}

Status arange(TaskContext& ctx, const Scalar& start, const Scalar& step, const Tensor& out) {
    if (out.rank != 1)
        return fail(Status::invalid_value, "arange: the result has rank %d, not 1", out.rank);
    if (is_float(out.dtype) || is_float(start.dtype) || is_float(step.dtype))
        return arange_in<double>(ctx, start.as_double(), step.as_double(), out);
    // Two's complement: the same bits for signed and unsigned results.
    return arange_in<std::uint64_t>(ctx, static_cast<std::uint64_t>(start.as_int()),
                                    static_cast<std::uint64_t>(step.as_int()), out);
}

Status where(TaskContext& ctx, const Tensor& cond, const Tensor& a, const Tensor& b,
             const Tensor& out) {
    Tensor truth = cond, c, x, y;
    if (cond.dtype != DType::boolean) {
        truth = ctx.temporary_like(cond, DType::boolean);
        if (copy_tensor(ctx, cond, truth) != Status::ok) return failed(ctx);
    }
    if (!operand(ctx, truth, out, &c) || !operand(ctx, a, out, &x) || !operand(ctx, b, out, &y))
        return failed(ctx);
    ctx.add_work(Unit::vector, out.dtype, double(out.numel()));
    return with_class(out.dtype,
                      [&](auto zero) { return where_in<decltype(zero)>(ctx, c, x, y, out); });
}

} // namespace device_api::engine
