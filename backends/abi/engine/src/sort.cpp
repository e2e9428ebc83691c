// SPDX-License-Identifier: Apache-2.0
// Sorting along an axis, NaN as the largest; search in a sorted tensor.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "lines.hpp"

namespace device_api::engine {
namespace {

template <class C>
bool below(C a, C b) {
    return a < b || (b != b && a == a);
}

/// The first k places of the order; equal elements in their order.
template <class C>
void order_line(const std::vector<C>& x, bool descending, std::int64_t k,
                std::vector<std::int64_t>* order) {
    order->resize(x.size());
    std::iota(order->begin(), order->end(), std::int64_t{0});
    const auto first = [&](std::int64_t i, std::int64_t j) {
        const C a = x[static_cast<std::size_t>(i)], b = x[static_cast<std::size_t>(j)];
        if (below(a, b)) return !descending;
        if (below(b, a)) return descending;
        return i < j;
    };
    if (k < static_cast<std::int64_t>(x.size()))
        std::partial_sort(order->begin(), order->begin() + k, order->end(), first);
    else
        std::sort(order->begin(), order->end(), first);
    order->resize(static_cast<std::size_t>(k));
}

/// Bits of one line's elements, in the given order.
void move_line(const Line& from, const std::vector<std::int64_t>& order, const Line& to,
               std::vector<char>* buffer) {
    const std::size_t size = dtype_size(from.dtype);
    buffer->resize(order.size() * size);
    for (std::size_t i = 0; i < order.size(); ++i)
        std::memcpy(buffer->data() + i * size,
                    from.at + order[i] * from.step * static_cast<std::int64_t>(size), size);
    for (std::size_t i = 0; i < order.size(); ++i)
        std::memcpy(to.at + static_cast<std::int64_t>(i * size) * to.step,
                    buffer->data() + i * size, size);
}

/// The first place whose element is at least v (`right`: is more); NaN on either side never is.
template <class C>
std::int64_t place_of(const std::vector<C>& x, C v, bool right) {
    const auto before = [=](C e) { return right ? !(e > v) : !(e >= v); };
    return std::partition_point(x.begin(), x.end(), before) - x.begin();
}

bool places_fit(DType d) {
    return d == DType::i32 || d == DType::i64;
}

} // namespace

Status sort(TaskContext& ctx, const Tensor& in, int axis, bool descending, const Tensor* values,
            const Tensor* indices) {
    if (!fix_axis(in.rank, &axis)) return Status::invalid_value;
    const Tensor& shaped = values ? *values : indices ? *indices : in;
    if (shaped.rank != in.rank || shaped.shape[axis] > in.shape[axis])
        return shape_error("sort", in, shaped);
    if ((values && values->dtype != in.dtype) || (indices && !places_fit(indices->dtype)))
        return fail(Status::not_supported, "sort: values are of the input's type, indices int32 "
                                           "or int64");
    const std::int64_t k = shaped.shape[axis];
    const Tensor sink = ctx.temporary(in.dtype, shaped.rank, shaped.shape);
    const Tensor places = ctx.temporary(DType::i64, shaped.rank, shaped.shape);
    const Tensor* t[3] = {&in, values ? values : &sink, indices ? indices : &places};
    if (in.numel() == 0 || k == 0) return Status::ok;
    ctx.add_work(Unit::vector, in.dtype,
                 double(in.numel()) * (1 + std::log2(double(in.shape[axis]))));
    return with_class(in.dtype, [&](auto zero) {
        using Values = std::vector<decltype(zero)>;
        const double cost = 10 * std::log2(2 + double(in.shape[axis]));
        return each_line(ctx, t, axis, 1, cost, [&] {
            return [&, x = Values(), order = std::vector<std::int64_t>(),
                    buffer = std::vector<char>()](const Line* line) mutable {
                line[0].read(&x);
                order_line(x, descending, k, &order);
                move_line(line[0], order, line[1], &buffer);
                line[2].write(order);
            };
        });
    });
}

Status search_sorted(TaskContext& ctx, const Tensor& sorted, const Tensor& values, bool right,
                     const Tensor& out) {
    if (sorted.rank != 1 || !places_fit(out.dtype))
        return fail(Status::not_supported, "search_sorted: a tensor of rank %d, places of %s",
                    sorted.rank, dtype_name(out.dtype));
    Tensor ready;
    if (!operand(ctx, values, out, &ready))
        return ctx.error() == Status::ok ? Status::invalid_value : ctx.error();
    char* first = static_cast<char*>(ctx.map(sorted, false));
    const Tensor* t[2] = {&ready, &out};
    char* base[2];
    if (!first || !map_all(ctx, t, 1, base)) return ctx.error();
    ctx.add_work(Unit::vector, sorted.dtype,
                 double(out.numel()) * (1 + std::log2(1 + double(sorted.shape[0]))));
    return with_class(sorted.dtype, [&](auto zero) {
        using C = decltype(zero);
        std::vector<C> x;
        Line{first, sorted.strides[0], sorted.shape[0], sorted.dtype}.read(&x);
        Loop<2> loop(t);
        Reader<C> value(ready, sorted.dtype, loop.step[0]);
        Writer<std::int64_t> place(out, out.dtype, loop.step[1]);
        loop.rows(base, [&](char* const* p) {
            for (std::int64_t at = 0; at < loop.inner; at += block) {
                const std::int64_t n = std::min(block, loop.inner - at);
                const C* v = value.read(p[0], at, n);
                std::int64_t* to = place.room(p[1], at);
                for (std::int64_t i = 0; i < n; ++i) to[i] = place_of(x, v[i], right);
                place.put(p[1], at, n);
            }
        });
        return Status::ok;
    });
}

} // namespace device_api::engine
