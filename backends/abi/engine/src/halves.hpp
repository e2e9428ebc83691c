// SPDX-License-Identifier: Apache-2.0
// The 16-bit floating formats: their numbers from float and double, rounded once, and back.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace device_api::engine {

template <class To, class From>
[[gnu::always_inline]] inline To bits(From x) {
    To y;
    static_assert(sizeof x == sizeof y);
    std::memcpy(&y, &x, sizeof y);
    return y;
}

/// first or second, by masks: a compiler may make a jump of a conditional expression.
[[gnu::always_inline]] inline std::uint32_t either(bool choose, std::uint32_t first,
                                                   std::uint32_t second) {
    const std::uint32_t mask = 0u - std::uint32_t(choose);
    return (first & mask) | (second & ~mask);
}

// Without branches and calls, so that loops over them are vectorised.

[[gnu::always_inline]] inline float from_half(std::uint16_t h) {
    const std::uint32_t sign = std::uint32_t(h & 0x8000) << 16, rest = h & 0x7fff;
    const float scaled = bits<float>(rest << 13) * 0x1p112f;     // also of subnormal numbers
    const std::uint32_t top = rest >= 0x7c00 ? 0x7f800000u : 0u; // infinity and NaN
    return bits<float>(bits<std::uint32_t>(scaled) | top | sign);
}

[[gnu::always_inline]] inline std::uint16_t half_of(float f) {
    const std::uint32_t x = bits<std::uint32_t>(f), rest = x & 0x7fffffffu;
    // Below the smallest normal number: units of 2^-24, rounded by the addition.
    const std::uint32_t small =
        bits<std::uint32_t>(bits<float>(rest) + 0.5f) - bits<std::uint32_t>(0.5f);
    const std::uint32_t normal = (rest - (112u << 23) + 0xfffu + ((rest >> 13) & 1u)) >> 13;
    const auto size = static_cast<std::int32_t>(rest);
    std::uint32_t half = either(size < 0x38800000, small, normal);
    half = either(size >= 0x477ff000, 0x7c00u, half); // rounds to 65536 or more
    half = either(size > 0x7f800000, 0x7e00u | ((rest >> 13) & 0x1ffu), half);
    return static_cast<std::uint16_t>(((x >> 16) & 0x8000u) | half);
}

[[gnu::always_inline]] inline float from_brain(std::uint16_t h) {
    return bits<float>(std::uint32_t(h) << 16);
}

[[gnu::always_inline]] inline std::uint16_t brain_of(float f) {
    const std::uint32_t x = bits<std::uint32_t>(f);
    const auto size = static_cast<std::int32_t>(x & 0x7fffffffu);
    const std::uint32_t rounded = (x + 0x7fffu + ((x >> 16) & 1u)) >> 16;
    return static_cast<std::uint16_t>(size > 0x7f800000 ? (x >> 16) | 0x40u : rounded);
}

/// x as a float with the last bit set where digits were lost: it rounds to fewer digits as x does.
[[gnu::always_inline]] inline float odd(double x) {
    const auto nearest = static_cast<float>(x);
    const std::uint32_t b = bits<std::uint32_t>(nearest);
    const std::uint32_t even = ~b & 1u, size = b & 0x7fffffffu;
    const auto back = double(nearest);
    const std::uint32_t down = std::fabs(back) > std::fabs(x), up = std::fabs(back) < std::fabs(x);
    return bits<float>((b & 0x80000000u) | (size + even * (up - down)));
}

inline std::uint16_t to_half(double x) {
    return half_of(odd(x));
}
inline std::uint16_t to_brain(double x) {
    return brain_of(odd(x));
}

/// y = f(x): loops that are several times as fast with wider registers, from one source.
template <class F, class X, class Y>
[[gnu::always_inline]] inline void map_row(const X* x, Y* y, std::int64_t n, F f) {
    for (std::int64_t i = 0; i < n; ++i) y[i] = f(x[i]);
}
#ifdef __x86_64__
template <class F, class X, class Y>
[[gnu::target("avx2")]] void map_wide(const X* x, Y* y, std::int64_t n, F f) {
    map_row(x, y, n, f);
}
#endif
template <class F, class X, class Y>
void map_all(const X* x, Y* y, std::int64_t n, F f) {
#ifdef __x86_64__
    static const bool wide = __builtin_cpu_supports("avx2");
    if (wide) return map_wide(x, y, n, f);
#endif
    map_row(x, y, n, f);
}
struct HalfToFloat {
    [[gnu::always_inline]] float operator()(std::uint16_t x) const { return from_half(x); }
};
struct FloatToHalf {
    [[gnu::always_inline]] std::uint16_t operator()(float x) const { return half_of(x); }
};

} // namespace device_api::engine
