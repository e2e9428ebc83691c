// SPDX-License-Identifier: Apache-2.0
// Conversions between dtypes and compute classes. See convert.hpp.
#include "convert.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

#include "halves.hpp"

namespace device_api::engine {
namespace {

struct Bool {
    std::uint8_t v;
};
struct Half {
    std::uint16_t v;
};
struct Brain {
    std::uint16_t v;
};

/// An integer as a double that rounds to a 16-bit format as the integer itself does: bits beyond
/// the 53 that a double keeps are joined into the last one.
template <class From>
double joined(From x) {
    auto m = static_cast<std::uint64_t>(x);
    const bool negative = std::is_signed_v<From> && x < From(0);
    if (negative) m = 0 - m;
    if (m >> 53) m = (m & ~2047ull) | (std::uint64_t((m & 2047) != 0) << 11);
    return negative ? -static_cast<double>(m) : static_cast<double>(m);
}

/// As x86-64 compilers and NumPy do it: truncate to 32 or 64 bits, the "indefinite" value when out
/// of range, then wrap.
template <class To, class From>
To float_to_int(From x) {
    if constexpr (std::is_same_v<To, std::uint64_t>) {
        if (x >= static_cast<From>(9223372036854775808.0))
            return x < static_cast<From>(18446744073709551616.0) ? static_cast<std::uint64_t>(x)
                                                                 : 0x8000000000000000ull;
    }
    if constexpr (sizeof(To) < 4 || std::is_same_v<To, std::int32_t>) {
        const bool fits = x > From(-2147483649.0) && x < From(2147483648.0);
        return static_cast<To>(fits ? static_cast<std::int32_t>(x)
                                    : std::numeric_limits<std::int32_t>::min());
    } else {
        const bool fits = x >= From(-9223372036854775808.0) && x < From(9223372036854775808.0);
        return static_cast<To>(fits ? static_cast<std::int64_t>(x)
                                    : std::numeric_limits<std::int64_t>::min());
    }
}

template <class To, class From>
To convert(From x) {
    if constexpr (std::is_same_v<From, Bool>)
        return convert<To>(int(x.v != 0));
    else if constexpr (std::is_same_v<From, Half>)
        return convert<To>(from_half(x.v));
    else if constexpr (std::is_same_v<From, Brain>)
        return convert<To>(from_brain(x.v));
    else if constexpr (std::is_same_v<To, Bool> && std::is_integral_v<From>) {
        const auto u = static_cast<std::uint64_t>(x); // the top bit of u | -u: is not 0
        return Bool{static_cast<std::uint8_t>((u | (0 - u)) >> 63)};
    } else if constexpr (std::is_same_v<To, Bool>)
        return Bool{static_cast<std::uint8_t>(x != From(0))};
    else if constexpr (std::is_same_v<To, Half>) {
        if constexpr (std::is_same_v<From, double>)
            return Half{to_half(x)};
        else
            return Half{half_of(static_cast<float>(x))};
    } else if constexpr (std::is_same_v<To, Brain>) {
        if constexpr (std::is_same_v<From, double>)
            return Brain{to_brain(x)};
        else if constexpr (std::is_integral_v<From>)
            return Brain{to_brain(joined(x))};
        else
            return Brain{brain_of(static_cast<float>(x))};
    } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>)
        return float_to_int<To>(x);
    else
        return static_cast<To>(x);
}

/// What is in memory: loops over plain numbers are vectorised.
template <class S>
struct Stored {
    using Type = S;
    static S value(S x) { return x; }
};
template <>
struct Stored<Bool> {
    using Type = std::uint8_t;
    static Type value(Bool x) { return x.v; }
};
template <>
struct Stored<Half> {
    using Type = std::uint16_t;
    static Type value(Half x) { return x.v; }
};
template <>
struct Stored<Brain> {
    using Type = std::uint16_t;
    static Type value(Brain x) { return x.v; }
};

template <class C, class S>
void load(const void* base, std::int64_t stride, std::int64_t n, C* out) {
    const auto* p = static_cast<const typename Stored<S>::Type*>(base);
    if (stride == 0) {
        if (n <= 0) return;
        const C v = convert<C>(S{*p});
        for (std::int64_t i = 0; i < n; ++i) out[i] = v;
    } else if (stride == 1) {
        if constexpr (std::is_same_v<S, Half> && std::is_same_v<C, float>)
            map_all(p, out, n, HalfToFloat{});
        else
            for (std::int64_t i = 0; i < n; ++i) out[i] = convert<C>(S{p[i]});
    } else {
        for (std::int64_t i = 0; i < n; ++i) out[i] = convert<C>(S{p[i * stride]});
    }
}

template <class C, class S>
void store(const C* in, void* base, std::int64_t stride, std::int64_t n) {
    auto* p = static_cast<typename Stored<S>::Type*>(base);
    if constexpr (std::is_same_v<S, Half> && std::is_same_v<C, float>)
        if (stride == 1) return map_all(in, p, n, FloatToHalf{});
    if (stride == 1)
        for (std::int64_t i = 0; i < n; ++i) p[i] = Stored<S>::value(convert<S>(in[i]));
    else
        for (std::int64_t i = 0; i < n; ++i) p[i * stride] = Stored<S>::value(convert<S>(in[i]));
}

template <class C, class S>
void narrow_to(C* v, std::int64_t n) {
    if constexpr (!std::is_same_v<C, S>)
        for (std::int64_t i = 0; i < n; ++i) v[i] = convert<C>(convert<S>(v[i]));
}

/// Call f(S{}) with the stored type of d.
template <class F>
auto with_storage(DType d, F f) {
    switch (d) {
    case DType::boolean: return f(Bool{});
    case DType::i8: return f(std::int8_t{});
    case DType::i16: return f(std::int16_t{});
    case DType::i32: return f(std::int32_t{});
    case DType::i64: return f(std::int64_t{});
    case DType::u8: return f(std::uint8_t{});
    case DType::u16: return f(std::uint16_t{});
    case DType::u32: return f(std::uint32_t{});
    case DType::u64: return f(std::uint64_t{});
    case DType::f16: return f(Half{});
    case DType::bf16: return f(Brain{});
    case DType::f32: return f(float{});
    default: return f(double{});
    }
}

} // namespace

template <class C>
Loader<C> loader(DType d) noexcept {
    return with_storage(d, [](auto s) -> Loader<C> { return load<C, decltype(s)>; });
}
template <class C>
Storer<C> storer(DType d) noexcept {
    return with_storage(d, [](auto s) -> Storer<C> { return store<C, decltype(s)>; });
}
template <class C>
void narrow(DType d, C* v, std::int64_t n) noexcept {
    with_storage(d, [&](auto s) { narrow_to<C, decltype(s)>(v, n); });
}

#define DEVICE_API_ENGINE_CLASS(C)                                                                 \
    template Loader<C> loader<C>(DType) noexcept;                                                  \
    template Storer<C> storer<C>(DType) noexcept;                                                  \
    template void narrow<C>(DType, C*, std::int64_t) noexcept;
DEVICE_API_ENGINE_CLASS(float)
DEVICE_API_ENGINE_CLASS(double)
DEVICE_API_ENGINE_CLASS(std::int64_t)
DEVICE_API_ENGINE_CLASS(std::uint64_t)
#undef DEVICE_API_ENGINE_CLASS

float f16_to_f32(std::uint16_t h) noexcept {
    return from_half(h);
}
std::uint16_t f32_to_f16(float f) noexcept {
    return half_of(f);
}
float bf16_to_f32(std::uint16_t h) noexcept {
    return from_brain(h);
}
std::uint16_t f32_to_bf16(float f) noexcept {
    return brain_of(f);
}

void store_scalar(const Scalar& v, DType d, void* to) noexcept {
    if (is_float(v.dtype))
        storer<double>(d)(&v.f, to, 1, 1);
    else if (is_unsigned(v.dtype))
        storer<std::uint64_t>(d)(&v.u, to, 1, 1);
    else
        storer<std::int64_t>(d)(&v.i, to, 1, 1);
}

void spoil_element(const Tensor& t, char* base, std::int64_t index, double relative) noexcept {
    for (int i = t.rank - 1; i >= 0; --i) {
        base += index % t.shape[i] * t.strides[i] * static_cast<std::int64_t>(dtype_size(t.dtype));
        index /= t.shape[i];
    }
    with_class(t.dtype, [&](auto zero) {
        using C = decltype(zero);
        C v;
        loader<C>(t.dtype)(base, 1, 1, &v);
        if (t.dtype == DType::boolean)
            v = v ? C(0) : C(1);
        else if constexpr (std::is_floating_point_v<C>)
            v = v == 0 || !std::isfinite(v) ? C(relative) : v + C(relative) * v;
        else
            v = static_cast<C>(static_cast<std::uint64_t>(v) + 1);
        storer<C>(t.dtype)(&v, base, 1, 1);
    });
}

} // namespace device_api::engine
