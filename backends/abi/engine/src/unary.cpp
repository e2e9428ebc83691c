// SPDX-License-Identifier: Apache-2.0
// Elementwise kernels with one input. Floating functions of f32 are computed in double and rounded
// once.
#include <cmath>
#include <limits>
#include <type_traits>

#include "functions.hpp"
#include "logic.hpp"
#include "loop.hpp"
#include "parallel.hpp"

namespace device_api::engine {
namespace {

template <class C>
using Function = void (*)(const C*, C*, std::int64_t);

template <class F, class = void>
constexpr bool has_lanes = false;
template <class F>
constexpr bool has_lanes<F, std::void_t<decltype(&F::template lanes<Two>)>> = true;

/// A loop around a function object without state.
template <class C, class F>
void apply(const C* x, C* y, std::int64_t n) {
    if constexpr (std::is_same_v<C, float> && has_lanes<F>) return by_lanes(x, y, n, F{});
    for (std::int64_t i = 0; i < n; ++i) y[i] = F{}(x[i]);
}

/// The nearest whole number, to even, in two additions that are vectorised.
template <class C>
C nearest(C x) {
    constexpr C digits = C(1ull << (std::numeric_limits<C>::digits - 1));
    const C size = std::fabs(x), moved = (size + digits) - digits;
    return std::copysign(size < digits ? moved : size, x);
}

#define DEVICE_API_ENGINE_UNARY(name, expression)                                                  \
    struct name {                                                                                  \
        template <class C>                                                                         \
        C operator()(C x) const {                                                                  \
            return static_cast<C>(expression);                                                     \
        }                                                                                          \
    };
// For all classes. Integers through uint64 so that overflow wraps.
#define U(v) static_cast<std::uint64_t>(v)
template <class C>
constexpr bool floating = std::is_floating_point_v<C>;
struct Neg {
    template <class C>
    C operator()(C x) const {
        if constexpr (floating<C>)
            return -x;
        else
            return static_cast<C>(0 - U(x));
    }
};
struct Abs {
    template <class C>
    C operator()(C x) const {
        if constexpr (floating<C>)
            return std::fabs(x);
        else
            return x < C(1) ? Neg{}(x) : x;
    }
};
struct Sign {
    template <class C>
    C operator()(C x) const {
        if constexpr (floating<C>)
            return x > 0 ? C(1) : x < 0 ? C(-1) : x == 0 ? C(0) : x;
        else if constexpr (std::is_signed_v<C>)
            return C((x > 0) - (x < 0));
        else
            return C(x != 0);
    }
};
struct Square {
    template <class C>
    C operator()(C x) const {
        if constexpr (floating<C>)
            return x * x;
        else
            return static_cast<C>(U(x) * U(x));
    }
};
struct Reciprocal {
    template <class C>
    C operator()(C x) const {
        if constexpr (floating<C>)
            return C(1) / x;
        else
            return x == 0 ? C(0) : static_cast<C>(C(1) / x);
    }
};
struct Relu {
    template <class C>
    C operator()(C x) const {
        return x < C(0) ? C(0) : x;
    }
};
DEVICE_API_ENGINE_UNARY(Positive, x)
DEVICE_API_ENGINE_UNARY(IsNan, x != x)
DEVICE_API_ENGINE_UNARY(LogicalNot, x == C(0))
#undef U

// Floating only: in double, so that f32, f16 and bf16 are rounded once.
DEVICE_API_ENGINE_UNARY(Floor, std::copysign(nearest(x) - C(nearest(x) > x), x))
DEVICE_API_ENGINE_UNARY(Ceil, std::copysign(nearest(x) + C(nearest(x) < x), x))
DEVICE_API_ENGINE_UNARY(Round, nearest(x))
DEVICE_API_ENGINE_UNARY(Trunc, std::copysign(Floor{}(std::fabs(x)), x))
DEVICE_API_ENGINE_UNARY(Sqrt, std::sqrt(x))
DEVICE_API_ENGINE_UNARY(Exp2, std::exp2(double(x)))
DEVICE_API_ENGINE_UNARY(Log2, std::log2(double(x)))
DEVICE_API_ENGINE_UNARY(Log10, std::log10(double(x)))
DEVICE_API_ENGINE_UNARY(Rsqrt, 1.0 / std::sqrt(double(x)))
DEVICE_API_ENGINE_UNARY(Tan, std::tan(double(x)))
DEVICE_API_ENGINE_UNARY(Asin, std::asin(double(x)))
DEVICE_API_ENGINE_UNARY(Acos, std::acos(double(x)))
DEVICE_API_ENGINE_UNARY(Atan, std::atan(double(x)))
DEVICE_API_ENGINE_UNARY(Sinh, std::sinh(double(x)))
DEVICE_API_ENGINE_UNARY(Cosh, std::cosh(double(x)))
DEVICE_API_ENGINE_UNARY(Asinh, std::asinh(double(x)))
DEVICE_API_ENGINE_UNARY(Acosh, std::acosh(double(x)))
DEVICE_API_ENGINE_UNARY(Atanh, std::atanh(double(x)))
DEVICE_API_ENGINE_UNARY(Erfc, std::erfc(double(x)))
DEVICE_API_ENGINE_UNARY(SignBit, std::copysign(C(1), x) < 0)
DEVICE_API_ENGINE_UNARY(IsInf, std::fabs(x) > std::numeric_limits<C>::max())
DEVICE_API_ENGINE_UNARY(IsFinite, std::fabs(x) <= std::numeric_limits<C>::max())
// Integers only.
DEVICE_API_ENGINE_UNARY(BitwiseNot, ~x)
DEVICE_API_ENGINE_UNARY(Zero, x& C(0))
DEVICE_API_ENGINE_UNARY(One, (x & C(0)) | C(1))
DEVICE_API_ENGINE_UNARY(Below, x < C(0))
#undef DEVICE_API_ENGINE_UNARY

template <class C>
Function<C> floating_function(Unary op) {
    switch (op) {
    case Unary::neg: return apply<C, Neg>;
    case Unary::abs: return apply<C, Abs>;
    case Unary::sign: return apply<C, Sign>;
    case Unary::floor: return apply<C, Floor>;
    case Unary::ceil: return apply<C, Ceil>;
    case Unary::round: return apply<C, Round>;
    case Unary::trunc: return apply<C, Trunc>;
    case Unary::square: return apply<C, Square>;
    case Unary::reciprocal: return apply<C, Reciprocal>;
    case Unary::exp: return apply<C, Exp>;
    case Unary::exp2: return apply<C, Exp2>;
    case Unary::expm1: return apply<C, Expm1>;
    case Unary::log: return apply<C, Log>;
    case Unary::log2: return apply<C, Log2>;
    case Unary::log10: return apply<C, Log10>;
    case Unary::log1p: return apply<C, Log1p>;
    case Unary::sqrt: return apply<C, Sqrt>;
    case Unary::rsqrt: return apply<C, Rsqrt>;
    case Unary::sin: return apply<C, Sin>;
    case Unary::cos: return apply<C, Cos>;
    case Unary::tan: return apply<C, Tan>;
    case Unary::asin: return apply<C, Asin>;
    case Unary::acos: return apply<C, Acos>;
    case Unary::atan: return apply<C, Atan>;
    case Unary::sinh: return apply<C, Sinh>;
    case Unary::cosh: return apply<C, Cosh>;
    case Unary::tanh: return apply<C, Tanh>;
    case Unary::asinh: return apply<C, Asinh>;
    case Unary::acosh: return apply<C, Acosh>;
    case Unary::atanh: return apply<C, Atanh>;
    case Unary::sigmoid: return apply<C, Sigmoid>;
    case Unary::relu: return apply<C, Relu>;
    case Unary::gelu: return apply<C, Gelu>;
    case Unary::silu: return apply<C, Silu>;
    case Unary::erf: return apply<C, Erf>;
    case Unary::erfc: return apply<C, Erfc>;
    case Unary::isnan: return apply<C, IsNan>;
    case Unary::signbit: return apply<C, SignBit>;
    case Unary::isinf: return apply<C, IsInf>;
    case Unary::isfinite: return apply<C, IsFinite>;
    case Unary::logical_not: return apply<C, LogicalNot>;
    case Unary::positive: return apply<C, Positive>;
    default: return nullptr;
    }
}

template <class C>
Function<C> integer_function(Unary op, DType compute) {
    constexpr bool is_signed_class = std::is_signed_v<C>;
    switch (op) {
    case Unary::neg: return apply<C, Neg>;
    case Unary::abs: return is_signed_class ? apply<C, Abs> : apply<C, Positive>;
    case Unary::sign: return apply<C, Sign>;
    case Unary::relu: return is_signed_class ? apply<C, Relu> : apply<C, Positive>;
    case Unary::square: return apply<C, Square>;
    case Unary::reciprocal: return apply<C, Reciprocal>;
    case Unary::floor:
    case Unary::ceil:
    case Unary::round:
    case Unary::trunc:
    case Unary::positive: return apply<C, Positive>;
    case Unary::isnan:
    case Unary::isinf: return apply<C, Zero>;
    case Unary::isfinite: return apply<C, One>;
    case Unary::logical_not: return apply<C, LogicalNot>;
    case Unary::signbit: return is_signed_class ? apply<C, Below> : apply<C, Zero>;
    case Unary::bitwise_not:
        return compute == DType::boolean ? apply<C, LogicalNot> : apply<C, BitwiseNot>;
    default: return nullptr;
    }
}

template <class C>
Status run(TaskContext& ctx, Function<C> f, DType compute, const Tensor& in, const Tensor& out) {
    const Tensor* t[2] = {&in, &out};
    char* base[2];
    if (!map_all(ctx, t, 1, base)) return ctx.error();
    Loop<2> loop(t);
    loop.rows(base, [&](char* const* p) {
        each_block(loop.inner, [&](std::int64_t first, std::int64_t last) {
            Reader<C> x(in, compute, loop.step[0]);
            Writer<C> y(out, compute, loop.step[1]);
            for (std::int64_t at = first; at < last; at += block) {
                const std::int64_t n = std::min(block, last - at);
                f(x.read(p[0], at, n), y.room(p[1], at), n);
                y.put(p[1], at, n);
            }
        });
    });
    return Status::ok;
}

/// Operations an element, for the simulated clock.
double weight(Unary op) {
    const bool exact = op <= Unary::reciprocal || op >= Unary::isnan || op == Unary::relu ||
                       op == Unary::sqrt || op == Unary::rsqrt;
    return exact ? 1 : function_weight;
}

} // namespace

Status unary(TaskContext& ctx, Unary op, DType compute, const Tensor& in, const Tensor& out) {
    Tensor ready;
    if (!operand(ctx, in, out, &ready))
        return ctx.error() == Status::ok ? Status::invalid_value : ctx.error();
    ctx.add_work(Unit::vector, compute, weight(op) * double(out.numel()));
    if (op == Unary::logical_not && compute == DType::boolean && all_bool(ready, ready, out))
        return logic(ctx, Logic::negation, ready, ready, out);
    return with_class(compute, [&](auto zero) {
        using C = decltype(zero);
        Function<C> f;
        if constexpr (std::is_floating_point_v<C>)
            f = floating_function<C>(op);
        else
            f = integer_function<C>(op, compute);
        if (!f)
            return fail(Status::not_supported, "unary operation %d is not defined in %s",
                        static_cast<int>(op), dtype_name(compute));
        return run<C>(ctx, f, compute, ready, out);
    });
}

} // namespace device_api::engine
