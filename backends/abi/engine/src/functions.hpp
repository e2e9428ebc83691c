// SPDX-License-Identifier: Apache-2.0
// Transcendental functions of one input: of any floating number in double (or, of a double, by the
// C library), and of a few that become floats (see lanes.hpp).
#pragma once

#include <cmath>

#include "lanes.hpp"
#include "loop.hpp"

namespace device_api::engine {

// For float, in double: a series where the short formula would lose digits to cancellation; what it
// loses elsewhere is far below a unit of float.
constexpr double near_zero = 1e-3;

template <class V>
DEVICE_API_ENGINE_INLINE V expm1_series(V v) {
    return v * (1 + v * (1.0 / 2 + v * (1.0 / 6 + v / 24)));
}
template <class V>
DEVICE_API_ENGINE_INLINE V log1p_series(V v) {
    return v * (1 - v * (1.0 / 2 - v * (1.0 / 3 - v * (1.0 / 4 - v / 5))));
}
template <class V>
DEVICE_API_ENGINE_INLINE V tanh_series(V v) {
    const V square = v * v;
    return v * (1 - square * (1.0 / 3 - square * (2.0 / 15)));
}

inline double expm1_of(float x) {
    const double v = x;
    return std::fabs(v) < near_zero ? expm1_series(v) : std::exp(v) - 1;
}
inline double log1p_of(float x) {
    const double v = x;
    return std::fabs(v) < near_zero ? log1p_series(v) : std::log(1 + v);
}
inline double tanh_of(float x) {
    const double v = x;
    return std::fabs(v) < near_zero ? tanh_series(v) : 1 - 2 / (std::exp(2 * v) + 1);
}
inline double expm1_of(double x) {
    return std::expm1(x);
}
inline double log1p_of(double x) {
    return std::log1p(x);
}
inline double tanh_of(double x) {
    return std::tanh(x);
}
template <class V>
DEVICE_API_ENGINE_INLINE V expm1_lanes(V v) {
    const V series = v * (1 + v * (1.0 / 2 + v * (1.0 / 6 + v * (1.0 / 24)))); // no division
    return magnitude(v) < near_zero ? series : exp_of(v) - 1;
}

template <class V>
DEVICE_API_ENGINE_INLINE V gated_lanes(V x, V factor) {
    return factor == 0 ? factor : x * factor;
}

/// name{}(x) for a float or a double; name{}.lanes(v, &sure) for a few, which holds `where`.
#define DEVICE_API_ENGINE_FUNCTION(name, of_one, where, of_lanes)                                  \
    struct name {                                                                                  \
        template <class C>                                                                         \
        C operator()(C x) const {                                                                  \
            return static_cast<C>(of_one);                                                         \
        }                                                                                          \
        template <class V>                                                                         \
        DEVICE_API_ENGINE_INLINE V lanes(V v, Mask<V>* sure) const {                               \
            const V value = of_lanes;                                                              \
            *sure = rounds<V>(where, value);                                                       \
            return value;                                                                          \
        }                                                                                          \
    };
DEVICE_API_ENGINE_FUNCTION(Exp, std::exp(double(x)), v < 700, exp_of(v))
DEVICE_API_ENGINE_FUNCTION(Expm1, expm1_of(x), v < 700, expm1_lanes(v))
DEVICE_API_ENGINE_FUNCTION(Log, std::log(double(x)), (v > 0) & (v < 0x1p1000), log_of(v))
DEVICE_API_ENGINE_FUNCTION(Log1p, log1p_of(x), (v > -1) & (v < 0x1p1000),
                           magnitude(v) < near_zero ? log1p_series(v) : log_of(1 + v))
DEVICE_API_ENGINE_FUNCTION(Sin, std::sin(double(x)), magnitude(v) < 0x1p18, sine_of(v, 0))
DEVICE_API_ENGINE_FUNCTION(Cos, std::cos(double(x)), magnitude(v) < 0x1p18, sine_of(v, 1))
DEVICE_API_ENGINE_FUNCTION(Tanh, tanh_of(x), magnitude(v) < 300,
                           magnitude(v) < near_zero ? tanh_series(v) : 1 - 2 / (exp_of(2 * v) + 1))
DEVICE_API_ENGINE_FUNCTION(Sigmoid, 1.0 / (1.0 + std::exp(-double(x))), magnitude(v) < 700,
                           1 / (1 + exp_of(-v)))
DEVICE_API_ENGINE_FUNCTION(Silu, gated(x, 1.0 / (1.0 + std::exp(-double(x)))), magnitude(v) < 700,
                           gated_lanes(v, 1 / (1 + exp_of(-v))))
DEVICE_API_ENGINE_FUNCTION(Erf, std::erf(double(x)), magnitude(v) < 3, erf_of(v))
// A factor of 0 wins over an infinite x; the complementary function keeps the tail's digits.
DEVICE_API_ENGINE_FUNCTION(Gelu, gated(x, 0.5 * std::erfc(double(x) * -0.70710678118654752440)),
                           (v > -2.8) & (v < 4.2),
                           v * (0.5 * (1 + erf_of(v * 0.70710678118654752440))))
#undef DEVICE_API_ENGINE_FUNCTION

} // namespace device_api::engine
