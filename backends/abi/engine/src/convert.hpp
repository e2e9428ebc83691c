// SPDX-License-Identifier: Apache-2.0
// Loads and stores between the 13 dtypes and the four compute classes (float, double, int64,
// uint64), type-erased.
//
// The class of a dtype: float for f16, bf16, f32; double for f64; int64 for signed, uint64 for
// unsigned integers and bool.
#pragma once

#include <cstdint>

#include "device_api/engine/kernels.hpp"
#include "device_api/engine/tensor.hpp"

namespace device_api::engine {

template <class C>
using Loader = void (*)(const void* base, std::int64_t stride, std::int64_t n, C* out);
template <class C>
using Storer = void (*)(const C* in, void* base, std::int64_t stride, std::int64_t n);

/// C is float, double, std::int64_t or std::uint64_t.
template <class C>
Loader<C> loader(DType d) noexcept;
template <class C>
Storer<C> storer(DType d) noexcept;
/// Round (f16, bf16) or wrap (integers, bool) values of the class in place, to what `d` can hold.
template <class C>
void narrow(DType d, C* values, std::int64_t n) noexcept;

/// The dtype whose memory is the class's own type.
template <class C>
constexpr DType native_dtype();
template <>
constexpr DType native_dtype<float>() {
    return DType::f32;
}
template <>
constexpr DType native_dtype<double>() {
    return DType::f64;
}
template <>
constexpr DType native_dtype<std::int64_t>() {
    return DType::i64;
}
template <>
constexpr DType native_dtype<std::uint64_t>() {
    return DType::u64;
}

/// Call f(C{}) with the class of d.
template <class F>
auto with_class(DType d, F f) {
    if (d == DType::f64) return f(double{});
    if (is_float(d)) return f(float{});
    if (is_signed(d)) return f(std::int64_t{});
    return f(std::uint64_t{});
}

void store_scalar(const Scalar& v, DType d, void* to) noexcept;
template <class C>
C scalar_as(const Scalar& v) noexcept {
    if (is_float(v.dtype)) return static_cast<C>(v.f);
    return is_unsigned(v.dtype) ? static_cast<C>(v.u) : static_cast<C>(v.i);
}

/// Change element number `index` (C order) by a relative amount, integers by one, bool by negation.
void spoil_element(const Tensor& t, char* base, std::int64_t index, double relative) noexcept;

} // namespace device_api::engine
