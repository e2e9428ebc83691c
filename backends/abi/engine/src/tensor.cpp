// SPDX-License-Identifier: Apache-2.0
// Tensor operands: shapes, strides, spans, broadcasting.
#include "device_api/engine/tensor.hpp"

#include <algorithm>
#include <cstring>

#include "convert.hpp"

namespace device_api::engine {
namespace {

struct Info {
    std::size_t size;
    const char* name;
};
constexpr Info infos[dtype_count] = {{1, "bool"},   {1, "int8"},    {2, "int16"},    {4, "int32"},
                                     {8, "int64"},  {1, "uint8"},   {2, "uint16"},   {4, "uint32"},
                                     {8, "uint64"}, {2, "float16"}, {2, "bfloat16"}, {4, "float32"},
                                     {8, "float64"}};

const Info& info(DType d) {
    const auto i = static_cast<std::size_t>(d);
    static constexpr Info unknown{1, "unknown"};
    return i < dtype_count ? infos[i] : unknown;
}

} // namespace

std::size_t dtype_size(DType d) noexcept {
    return info(d).size;
}
const char* dtype_name(DType d) noexcept {
    return info(d).name;
}

Tensor::Tensor(DType d, std::uintptr_t p, int r, const std::int64_t* s,
               const std::int64_t* st) noexcept
    : dtype(d), rank(r), data(p) {
    std::int64_t step = 1;
    for (int i = std::min(r, max_rank) - 1; i >= 0; --i) {
        shape[i] = s[i];
        strides[i] = st ? st[i] : step;
        step *= s[i];
    }
}

Tensor::Tensor(DType d, std::uintptr_t p, std::initializer_list<std::int64_t> s) noexcept
    : Tensor(d, p, static_cast<int>(s.size()), s.begin()) {}

std::int64_t Tensor::numel() const noexcept {
    std::int64_t n = 1;
    for (int i = 0; i < rank; ++i) n *= shape[i];
    return n;
}

bool Tensor::contiguous() const noexcept {
    std::int64_t step = 1;
    for (int i = rank - 1; i >= 0; --i) {
        if (shape[i] != 1 && strides[i] != step) return false;
        step *= shape[i];
    }
    return true;
}

bool Tensor::span(std::uintptr_t* lo, std::uintptr_t* hi) const noexcept {
    std::int64_t low = 0, high = 0;
    for (int i = 0; i < rank && i < max_rank; ++i) {
        if (shape[i] <= 0) return false;
        (strides[i] < 0 ? low : high) += (shape[i] - 1) * strides[i];
    }
    const auto size = static_cast<std::int64_t>(dtype_size(dtype));
    *lo = data + static_cast<std::uintptr_t>(low * size);
    *hi = data + static_cast<std::uintptr_t>((high + 1) * size);
    return true;
}

bool Tensor::broadcast(int r, const std::int64_t* s, Tensor* out) const noexcept {
    if (r < rank || r > max_rank) return false;
    Tensor t = *this;
    t.rank = r;
    for (int i = 0; i < r; ++i) {
        const int from = i - (r - rank);
        const std::int64_t length = from < 0 ? 1 : shape[from];
        if (length != s[i] && length != 1) return false;
        t.shape[i] = s[i];
        t.strides[i] = length == s[i] && from >= 0 ? strides[from] : 0;
    }
    *out = t;
    return true;
}

Tensor Tensor::transposed(int a, int b) const noexcept {
    Tensor t = *this;
    if (a < 0) a += rank;
    if (b < 0) b += rank;
    std::swap(t.shape[a], t.shape[b]);
    std::swap(t.strides[a], t.strides[b]);
    return t;
}

Scalar Scalar::from_memory(DType d, const void* value) noexcept {
    Scalar s;
    with_class(d, [&](auto zero) {
        using C = decltype(zero);
        C v;
        loader<C>(d)(value, 1, 1, &v);
        if constexpr (std::is_floating_point_v<C>)
            s.f = static_cast<double>(v);
        else if constexpr (std::is_signed_v<C>)
            s.i = v;
        else
            s.u = v;
    });
    s.dtype = d;
    return s;
}

double Scalar::as_double() const noexcept {
    return scalar_as<double>(*this);
}
std::int64_t Scalar::as_int() const noexcept {
    if (!is_float(dtype)) return scalar_as<std::int64_t>(*this);
    std::int64_t v;
    storer<double>(DType::i64)(&f, &v, 1, 1);
    return v;
}

} // namespace device_api::engine
