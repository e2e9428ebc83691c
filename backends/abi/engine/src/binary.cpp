// SPDX-License-Identifier: Apache-2.0
// Elementwise kernels with two inputs.
#include <cmath>
#include <limits>
#include <type_traits>

#include "logic.hpp"
#include "loop.hpp"

namespace device_api::engine {
namespace {

template <class C>
using Function = void (*)(const C*, const C*, C*, std::int64_t, C alpha);

template <class C, class F>
void apply(const C* a, const C* b, C* y, std::int64_t n, C alpha) {
    for (std::int64_t i = 0; i < n; ++i) y[i] = F{}(a[i], b[i], alpha);
}

template <class C>
constexpr bool floating = std::is_floating_point_v<C>;
/// Integers go through uint64 so that overflow wraps.
template <class C>
using Wide = std::conditional_t<floating<C>, C, std::uint64_t>;

#define DEVICE_API_ENGINE_BINARY(name, expression)                                                 \
    struct name {                                                                                  \
        template <class C>                                                                         \
        C operator()(C a, C b, C) const {                                                          \
            return static_cast<C>(expression);                                                     \
        }                                                                                          \
    };
#define W(v) static_cast<Wide<C>>(v)
struct Add {
    template <class C>
    C operator()(C a, C b, C) const {
        return static_cast<C>(W(a) + W(b));
    }
};
struct AddScaled {
    template <class C>
    C operator()(C a, C b, C k) const {
        return static_cast<C>(W(a) + W(k) * W(b));
    }
};
struct Sub {
    template <class C>
    C operator()(C a, C b, C) const {
        return static_cast<C>(W(a) - W(b));
    }
};
struct SubScaled {
    template <class C>
    C operator()(C a, C b, C k) const {
        return static_cast<C>(W(a) - W(k) * W(b));
    }
};
DEVICE_API_ENGINE_BINARY(Mul, W(a) * W(b))
#undef W

/// a / b rounded towards zero; x / 0 = 0, the lowest / -1 wraps.
template <class C>
C int_div(C a, C b) {
    if (b == 0) return 0;
    if (std::is_signed_v<C> && b == static_cast<C>(-1))
        return static_cast<C>(0 - static_cast<std::uint64_t>(a));
    return a / b;
}
template <class C>
C int_rem(C a, C b) {
    return b == 0 || (std::is_signed_v<C> && b == static_cast<C>(-1)) ? C(0) : a % b;
}
struct Div {
    template <class C>
    C operator()(C a, C b, C) const {
        if constexpr (floating<C>)
            return a / b;
        else
            return int_div(a, b);
    }
};
struct Fmod {
    template <class C>
    C operator()(C a, C b, C) const {
        if constexpr (floating<C>)
            return std::fmod(a, b);
        else
            return int_rem(a, b);
    }
};
/// With the divisor's sign, as Python's and NumPy's %.
struct Remainder {
    template <class C>
    C operator()(C a, C b, C) const {
        C r = Fmod{}(a, b, C{});
        if constexpr (floating<C>) {
            if (r == 0) return std::copysign(r, b);
            return (r < 0) != (b < 0) ? r + b : r;
        } else {
            return r != 0 && (r < 0) != (b < 0) ? static_cast<C>(r + b) : r;
        }
    }
};
/// Rounded towards minus infinity, consistent with Remainder.
struct FloorDiv {
    template <class C>
    C operator()(C a, C b, C) const {
        if constexpr (floating<C>) {
            if (b == 0) return a / b;
            const C r = std::fmod(a, b);
            C q = (a - r) / b;
            if (r != 0 && (r < 0) != (b < 0)) q -= 1;
            const C whole = std::floor(q);
            if (q == 0) return std::copysign(C(0), a / b);
            return q - whole > C(0.5) ? whole + 1 : whole;
        } else {
            const C q = int_div(a, b), r = int_rem(a, b);
            return r != 0 && (r < 0) != (b < 0) ? static_cast<C>(q - 1) : q;
        }
    }
};
struct FloorOfQuotient {
    template <class C>
    C operator()(C a, C b, C) const {
        if constexpr (floating<C>)
            return std::floor(a / b);
        else
            return FloorDiv{}(a, b, C{});
    }
};
struct Pow {
    template <class C>
    C operator()(C a, C b, C) const {
        if constexpr (floating<C>) {
            return static_cast<C>(std::pow(double(a), double(b)));
        } else {
            if (std::is_signed_v<C> && b < C(1)) {
                if (b == 0 || a == C(1)) return 1;
                return a == static_cast<C>(-1) ? (b & 1 ? a : C(1)) : C(0);
            }
            std::uint64_t result = 1, base = static_cast<std::uint64_t>(a),
                          e = static_cast<std::uint64_t>(b);
            for (; e; e >>= 1, base *= base)
                if (e & 1) result *= base;
            return static_cast<C>(result);
        }
    }
};
// NaN propagates: a comparison with it is false.
DEVICE_API_ENGINE_BINARY(Max, a != a || a >= b ? a : b)
DEVICE_API_ENGINE_BINARY(Min, a != a || a <= b ? a : b)
DEVICE_API_ENGINE_BINARY(Eq, a == b)
DEVICE_API_ENGINE_BINARY(Ne, a != b)
DEVICE_API_ENGINE_BINARY(Lt, a < b)
DEVICE_API_ENGINE_BINARY(Le, a <= b)
DEVICE_API_ENGINE_BINARY(Gt, a > b)
DEVICE_API_ENGINE_BINARY(Ge, a >= b)
DEVICE_API_ENGINE_BINARY(LogicalAnd, (a != 0) && (b != 0))
DEVICE_API_ENGINE_BINARY(LogicalOr, (a != 0) || (b != 0))
DEVICE_API_ENGINE_BINARY(LogicalXor, (a != 0) != (b != 0))
DEVICE_API_ENGINE_BINARY(Atan2, std::atan2(double(a), double(b)))
DEVICE_API_ENGINE_BINARY(And, a& b)
DEVICE_API_ENGINE_BINARY(Or, a | b)
DEVICE_API_ENGINE_BINARY(Xor, a ^ b)
// A shift by 64 or more (or a negative count) leaves nothing but the sign.
DEVICE_API_ENGINE_BINARY(ShiftLeft, static_cast<std::uint64_t>(b) < 64
                                        ? static_cast<std::uint64_t>(a) << b
                                        : 0)
DEVICE_API_ENGINE_BINARY(ShiftRight, static_cast<std::uint64_t>(b) < 64 ? a >> b
                                     : a < C(1) && a != 0               ? C(-1)
                                                                        : C(0))
#undef DEVICE_API_ENGINE_BINARY

template <class C>
Function<C> common_function(Binary op, bool scaled) {
    switch (op) {
    case Binary::add: return scaled ? apply<C, AddScaled> : apply<C, Add>;
    case Binary::sub: return scaled ? apply<C, SubScaled> : apply<C, Sub>;
    case Binary::mul: return apply<C, Mul>;
    case Binary::div: return apply<C, Div>;
    case Binary::floor_div: return apply<C, FloorDiv>;
    case Binary::remainder: return apply<C, Remainder>;
    case Binary::fmod: return apply<C, Fmod>;
    case Binary::pow: return apply<C, Pow>;
    case Binary::max: return apply<C, Max>;
    case Binary::min: return apply<C, Min>;
    case Binary::eq: return apply<C, Eq>;
    case Binary::ne: return apply<C, Ne>;
    case Binary::lt: return apply<C, Lt>;
    case Binary::le: return apply<C, Le>;
    case Binary::gt: return apply<C, Gt>;
    case Binary::ge: return apply<C, Ge>;
    case Binary::logical_and: return apply<C, LogicalAnd>;
    case Binary::logical_or: return apply<C, LogicalOr>;
    case Binary::logical_xor: return apply<C, LogicalXor>;
    case Binary::floor_of_quotient: return apply<C, FloorOfQuotient>;
    default: return nullptr;
    }
}

template <class C>
Function<C> function(Binary op, bool scaled) {
    if (Function<C> f = common_function<C>(op, scaled)) return f;
    if constexpr (floating<C>) {
        return op == Binary::atan2 ? apply<C, Atan2> : nullptr;
    } else {
        switch (op) {
        case Binary::bitwise_and: return apply<C, And>;
        case Binary::bitwise_or: return apply<C, Or>;
        case Binary::bitwise_xor: return apply<C, Xor>;
        case Binary::shift_left: return apply<C, ShiftLeft>;
        case Binary::shift_right: return apply<C, ShiftRight>;
        default: return nullptr;
        }
    }
}

template <class C>
Status run(TaskContext& ctx, Function<C> f, DType compute, const Tensor& a, const Tensor& b,
           const Tensor& out, C alpha) {
    const Tensor* t[3] = {&a, &b, &out};
    char* base[3];
    if (!map_all(ctx, t, 2, base)) return ctx.error();
    Loop<3> loop(t);
    Reader<C> x(a, compute, loop.step[0]), y(b, compute, loop.step[1]);
    Writer<C> z(out, compute, loop.step[2]);
    loop.rows(base, [&](char* const* p) {
        for (std::int64_t at = 0; at < loop.inner; at += block) {
            const std::int64_t n = std::min(block, loop.inner - at);
            const C* left = x.read(p[0], at, n);
            const C* right = y.read(p[1], at, n);
            f(left, right, z.room(p[2], at), n, alpha);
            z.put(p[2], at, n);
        }
    });
    return Status::ok;
}

} // namespace

Status binary(TaskContext& ctx, Binary op, DType compute, const Tensor& a, const Tensor& b,
              const Tensor& out, const Scalar& alpha) {
    Tensor x, y;
    if (!operand(ctx, a, out, &x) || !operand(ctx, b, out, &y))
        return ctx.error() == Status::ok ? Status::invalid_value : ctx.error();
    const bool transcendental = op == Binary::pow || op == Binary::atan2;
    ctx.add_work(Unit::vector, compute,
                 (transcendental ? function_weight : 1) * double(out.numel()));
    const int order = static_cast<int>(op) - static_cast<int>(Binary::logical_and);
    if (order >= 0 && op <= Binary::logical_xor && compute == DType::boolean && all_bool(x, y, out))
        return logic(ctx, static_cast<Logic>(order), x, y, out);
    return with_class(compute, [&](auto zero) {
        using C = decltype(zero);
        const C k = scalar_as<C>(alpha);
        Function<C> f = function<C>(op, k != C(1));
        if (!f)
            return fail(Status::not_supported, "binary operation %d is not defined in %s",
                        static_cast<int>(op), dtype_name(compute));
        return run<C>(ctx, f, compute, x, y, out, k);
    });
}

} // namespace device_api::engine
