// SPDX-License-Identifier: Apache-2.0
// Reductions, arg-reductions and scans. Floating values accumulate in double.
#include <cmath>
#include <limits>
#include <type_traits>

#include "loop.hpp"

namespace device_api::engine {
namespace {

/// double for floats, else the class itself.
template <class C>
using Accumulator = std::conditional_t<std::is_floating_point_v<C>, double, C>;
template <class A>
using Wide = std::conditional_t<std::is_floating_point_v<A>, A, std::uint64_t>;

template <class A>
A initial(Reduce op) {
    using L = std::numeric_limits<A>;
    switch (op) {
    case Reduce::prod:
    case Reduce::all: return A(1);
    case Reduce::max: return L::has_infinity ? A(-L::infinity()) : L::lowest();
    case Reduce::min: return L::has_infinity ? L::infinity() : L::max();
    default: return A(0);
    }
}

template <class A>
A combine(Reduce op, A acc, A x) {
    switch (op) {
    case Reduce::sum: return static_cast<A>(Wide<A>(acc) + Wide<A>(x));
    case Reduce::prod: return static_cast<A>(Wide<A>(acc) * Wide<A>(x));
    case Reduce::max: return (acc != acc) | (acc >= x) ? acc : x;
    case Reduce::min: return (acc != acc) | (acc <= x) ? acc : x;
    case Reduce::any: return A((acc != 0) | (x != 0));
    default: return A((acc != 0) & (x != 0));
    }
}

/// Four chains: the steps do not wait for each other.
template <class A, class F>
A chains(A acc, A first, const A* x, std::int64_t n, F step) {
    A s[4] = {acc, first, first, first};
    std::int64_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; ++k) s[k] = step(s[k], x[i + k]);
    for (; i < n; ++i) s[0] = step(s[0], x[i]);
    return step(step(s[0], s[1]), step(s[2], s[3]));
}

template <Reduce op, class A>
A fold_by(A acc, const A* x, std::int64_t n) {
    return chains(acc, initial<A>(op), x, n, [](A a, A b) { return combine(op, a, b); });
}

template <class A>
A fold(Reduce op, A acc, const A* x, std::int64_t n) {
    switch (op) {
    case Reduce::sum: return fold_by<Reduce::sum>(acc, x, n);
    case Reduce::prod: return fold_by<Reduce::prod>(acc, x, n);
    case Reduce::max: return fold_by<Reduce::max>(acc, x, n);
    case Reduce::min: return fold_by<Reduce::min>(acc, x, n);
    case Reduce::any: return fold_by<Reduce::any>(acc, x, n);
    default: return fold_by<Reduce::all>(acc, x, n);
    }
}

/// The axes of t that are in the mask (or not), in order.
Tensor part(const Tensor& t, const bool* mask, bool want) {
    Tensor p = t;
    p.rank = 0;
    for (int i = 0; i < t.rank; ++i) {
        if (mask[i] != want) continue;
        p.shape[p.rank] = t.shape[i];
        p.strides[p.rank++] = t.strides[i];
    }
    return p;
}

/// Calls f(first element of the reduced part, result) for each element of the result.
template <class F>
Status each_result(TaskContext& ctx, const Tensor& in, const Tensor& out, const bool* reduced,
                   F f) {
    Tensor whole = in;
    char* from = static_cast<char*>(ctx.map(whole, false));
    char* to = static_cast<char*>(ctx.map(out, true));
    if (!from || !to) return ctx.error();
    const Tensor outer = part(in, reduced, false);
    const Tensor* t[2] = {&outer, &out};
    Loop<2> loop(t);
    char* base[2] = {from, to};
    const std::int64_t in_step = loop.step[0] * static_cast<std::int64_t>(dtype_size(in.dtype));
    const std::int64_t out_step = loop.step[1] * static_cast<std::int64_t>(dtype_size(out.dtype));
    loop.rows(base, [&](char* const* p) {
        for (std::int64_t i = 0; i < loop.inner; ++i) f(p[0] + i * in_step, p[1] + i * out_step);
    });
    return Status::ok;
}

/// A: the type to accumulate in.
template <class A>
Status reduce_in(TaskContext& ctx, Reduce op, DType compute, const Tensor& in, const Tensor& out,
                 const bool* reduced) {
    const Tensor inner = part(in, reduced, true);
    const Tensor* t[1] = {&inner};
    const Loop<1> loop(t);
    const DType read_as = std::is_same_v<A, double> ? DType::f64 : compute;
    Reader<A> reader(in, read_as, loop.step[0]);
    auto store = storer<A>(out.dtype);
    return each_result(ctx, in, out, reduced, [&](char* from, char* to) {
        A acc = initial<A>(op);
        char* base[1] = {from};
        loop.rows(base, [&](char* const* p) {
            for (std::int64_t at = 0; at < loop.inner; at += block) {
                const std::int64_t n = std::min(block, loop.inner - at);
                acc = fold(op, acc, reader.read(p[0], at, n), n);
            }
        });
        if (compute != out.dtype) narrow<A>(compute, &acc, 1);
        store(&acc, to, 1, 1);
    });
}

/// `out` without kept axes of length 1, checked against what reducing `in` gives.
bool result_view(const Tensor& in, const bool* reduced, const Tensor& out, Tensor* view) {
    const Tensor expected = part(in, reduced, false);
    *view = out;
    if (out.rank == in.rank) {
        for (int i = 0; i < in.rank; ++i)
            if (reduced[i] && out.shape[i] != 1) return false;
        *view = part(out, reduced, false);
    }
    if (view->rank != expected.rank) return false;
    for (int i = 0; i < view->rank; ++i)
        if (view->shape[i] != expected.shape[i]) return false;
    return true;
}

bool better(bool largest, bool x_nan, bool best_nan, bool greater, bool less) {
    if (best_nan) return false;
    return x_nan || (largest ? greater : less);
}

} // namespace

Status reduce(TaskContext& ctx, Reduce op, DType compute, const Tensor& in,
              const std::int64_t* axes, int axes_count, const Tensor& out) {
    bool reduced[max_rank] = {};
    for (int i = 0; axes_count == 0 && i < in.rank; ++i) reduced[i] = true;
    for (int i = 0; i < axes_count; ++i) {
        int axis = static_cast<int>(axes[i]);
        if (!fix_axis(in.rank, &axis)) return Status::invalid_value;
        if (reduced[axis])
            return fail(Status::invalid_value, "reduce: axis %d is given twice", axis);
        reduced[axis] = true;
    }
    Tensor view;
    if (!result_view(in, reduced, out, &view)) return shape_error("reduce", in, out);
    const bool needs_element = op == Reduce::max || op == Reduce::min;
    if (needs_element && part(in, reduced, true).numel() == 0 && view.numel() > 0)
        return fail(Status::invalid_value, "the maximum or minimum of no elements is not defined");
    ctx.add_work(Unit::vector, compute, double(in.numel()));
    const bool rounds = op == Reduce::sum || op == Reduce::prod || in.dtype == DType::f64;
    if (is_float(compute) && is_float(in.dtype) && !rounds)
        return reduce_in<float>(ctx, op, compute, in, view, reduced);
    return with_class(compute, [&](auto zero) {
        return reduce_in<Accumulator<decltype(zero)>>(ctx, op, compute, in, view, reduced);
    });
}

Status arg_reduce(TaskContext& ctx, bool largest, const Tensor& in, int axis, const Tensor& out) {
    bool reduced[max_rank] = {};
    if (axis == all_axes)
        std::fill(reduced, reduced + in.rank, true);
    else if (!fix_axis(in.rank, &axis))
        return Status::invalid_value;
    else
        reduced[axis] = true;
    Tensor view;
    if (!result_view(in, reduced, out, &view)) return shape_error("arg_reduce", in, out);
    const Tensor inner = part(in, reduced, true);
    if (inner.numel() == 0 && view.numel() > 0)
        return fail(Status::invalid_value,
                    "the place of the largest of no elements is not defined");
    ctx.add_work(Unit::vector, in.dtype, double(in.numel()));
    return with_class(in.dtype, [&](auto zero) {
        using C = decltype(zero);
        const Tensor* t[1] = {&inner};
        const Loop<1> loop(t);
        Reader<C> reader(in, in.dtype, loop.step[0]);
        auto store = storer<std::int64_t>(out.dtype);
        return each_result(ctx, in, view, reduced, [&](char* from, char* to) {
            std::int64_t index = 0, best_index = 0;
            C best{};
            char* base[1] = {from};
            loop.rows(base, [&](char* const* p) {
                for (std::int64_t at = 0; at < loop.inner; at += block) {
                    const std::int64_t n = std::min(block, loop.inner - at);
                    const C* x = reader.read(p[0], at, n);
                    for (std::int64_t i = 0; i < n; ++i, ++index)
                        if (index == 0 ||
                            better(largest, x[i] != x[i], best != best, x[i] > best, x[i] < best)) {
                            best = x[i];
                            best_index = index;
                        }
                }
            });
            store(&best_index, to, 1, 1);
        });
    });
}

Status scan(TaskContext& ctx, Reduce op, DType compute, const Tensor& in, int axis,
            const Tensor& out) {
    if (!fix_axis(in.rank, &axis)) return Status::invalid_value;
    Tensor ready;
    if (in.rank != out.rank || !operand(ctx, in, out, &ready)) return shape_error("scan", in, out);
    bool along[max_rank] = {};
    along[axis] = true;
    const std::int64_t n = in.shape[axis], in_stride = ready.strides[axis],
                       out_stride = out.strides[axis];
    if (out.numel() == 0) return Status::ok;
    ctx.add_work(Unit::vector, compute, double(in.numel()));
    return with_class(compute, [&](auto zero) {
        using C = decltype(zero);
        using A = Accumulator<C>;
        auto load = loader<A>(in.dtype);
        auto store = storer<A>(out.dtype);
        const auto in_size = static_cast<std::int64_t>(dtype_size(in.dtype)),
                   out_size = static_cast<std::int64_t>(dtype_size(out.dtype));
        if (!ctx.map(out, true)) return ctx.error();
        return each_result(ctx, ready, part(out, along, false), along, [&](char* from, char* to) {
            A acc = initial<A>(op), x[block];
            for (std::int64_t at = 0; at < n; at += block) {
                const std::int64_t count = std::min(block, n - at);
                load(from + at * in_stride * in_size, in_stride, count, x);
                for (std::int64_t i = 0; i < count; ++i) x[i] = acc = combine(op, acc, x[i]);
                if (compute != out.dtype) narrow<A>(compute, x, count);
                store(x, to + at * out_stride * out_size, out_stride, count);
            }
        });
    });
}

} // namespace device_api::engine
