// SPDX-License-Identifier: Apache-2.0
// Elements of every type as numbers and as bits.
#include <cmath>
#include <cstring>

#include "view.hpp"

namespace device_api::planted {

namespace {

constexpr std::size_t sizes[DA_DTYPE_COUNT] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16};

template <class T>
T load(const unsigned char* p) {
    T value;
    std::memcpy(&value, p, sizeof value);
    return value;
}

template <class T>
void store(unsigned char* p, T value) {
    std::memcpy(p, &value, sizeof value);
}

double half_value(std::uint16_t h) {
    const int exponent = (h >> 10) & 31;
    const double fraction = h & 1023;
    double value = exponent == 0    ? std::ldexp(fraction, -24)
                   : exponent == 31 ? (fraction != 0 ? NAN : INFINITY)
                                    : std::ldexp(1024 + fraction, exponent - 25);
    return h & 0x8000 ? -value : value;
}

std::uint16_t half_bits(double v) {
    const std::uint16_t sign = std::signbit(v) ? 0x8000 : 0;
    if (std::isnan(v)) return sign | 0x7e00;
    const double a = std::fabs(v);
    if (a >= 65520) return sign | 0x7c00;
    int exponent = a == 0 ? -15 : std::ilogb(a);
    if (exponent < -14) exponent = -14;
    const double scaled = std::nearbyint(std::ldexp(a, 10 - exponent)); // half to even
    const auto units = static_cast<std::uint32_t>(scaled);
    const std::uint32_t bits = units + (static_cast<std::uint32_t>(exponent + 14) << 10);
    return static_cast<std::uint16_t>(sign | bits);
}

double brain_value(std::uint16_t b) {
    const std::uint32_t bits = static_cast<std::uint32_t>(b) << 16;
    float f;
    std::memcpy(&f, &bits, 4);
    return f;
}

std::uint16_t brain_bits(double v) {
    const float f = static_cast<float>(v);
    std::uint32_t bits;
    std::memcpy(&bits, &f, 4);
    if (std::isnan(v)) return static_cast<std::uint16_t>((bits >> 16) | 0x40);
    return static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

std::int64_t whole(double v) {
    if (std::isnan(v)) return 0;
    const double limit = 9223372036854775808.0;
    if (v >= limit) return INT64_MAX;
    return v < -limit ? INT64_MIN : static_cast<std::int64_t>(v);
}

} // namespace

std::size_t size_of(std::uint16_t dtype) {
    return sizes[dtype];
}

bool is_float(std::uint16_t dtype) {
    return dtype >= DA_FLOAT16 && dtype <= DA_FLOAT64;
}

bool is_complex(std::uint16_t dtype) {
    return dtype == DA_COMPLEX64 || dtype == DA_COMPLEX128;
}

Values::Values(const da_tensor& t, std::vector<unsigned char> bytes)
    : dtype_(t.dtype),
      shape_(t.shape, t.shape + t.rank),
      size_(size_of(t.dtype)),
      bytes_(std::move(bytes)) {
    count_ = bytes_.size() / size_;
}

double Values::get(std::size_t i) const {
    const unsigned char* p = at(i);
    switch (dtype_) {
    case DA_BOOL: return *p != 0;
    case DA_INT8: return load<std::int8_t>(p);
    case DA_INT16: return load<std::int16_t>(p);
    case DA_INT32: return load<std::int32_t>(p);
    case DA_INT64: return static_cast<double>(load<std::int64_t>(p));
    case DA_UINT8: return *p;
    case DA_UINT16: return load<std::uint16_t>(p);
    case DA_UINT32: return load<std::uint32_t>(p);
    case DA_UINT64: return static_cast<double>(load<std::uint64_t>(p));
    case DA_FLOAT16: return half_value(load<std::uint16_t>(p));
    case DA_BFLOAT16: return brain_value(load<std::uint16_t>(p));
    case DA_FLOAT32:
    case DA_COMPLEX64: return load<float>(p);
    default: return load<double>(p);
    }
}

void Values::set(std::size_t i, double v) {
    unsigned char* p = at(i);
    switch (dtype_) {
    case DA_BOOL: *p = v != 0; break;
    case DA_FLOAT16: store(p, half_bits(v)); break;
    case DA_BFLOAT16: store(p, brain_bits(v)); break;
    case DA_FLOAT32: store(p, static_cast<float>(v)); break;
    case DA_FLOAT64: store(p, v); break;
    case DA_COMPLEX64:
        store(p, static_cast<float>(v));
        store(p + 4, 0.0f);
        break;
    case DA_COMPLEX128:
        store(p, v);
        store(p + 8, 0.0);
        break;
    default: {
        const std::int64_t n = whole(v); // little-endian: the low bytes
        std::memcpy(p, &n, size_);
    }
    }
}

std::complex<double> Values::get_complex(std::size_t i) const {
    if (dtype_ == DA_COMPLEX64) return {load<float>(at(i)), load<float>(at(i) + 4)};
    if (dtype_ == DA_COMPLEX128) return {load<double>(at(i)), load<double>(at(i) + 8)};
    return get(i);
}

void Values::set_complex(std::size_t i, std::complex<double> v) {
    if (dtype_ == DA_COMPLEX64) {
        store(at(i), static_cast<float>(v.real()));
        store(at(i) + 4, static_cast<float>(v.imag()));
    } else if (dtype_ == DA_COMPLEX128) {
        store(at(i), v.real());
        store(at(i) + 8, v.imag());
    } else {
        set(i, v.real());
    }
}

std::uint64_t Values::bits(std::size_t i) const {
    std::uint64_t found = 0;
    std::memcpy(&found, at(i), size_ < 8 ? size_ : 8);
    return found;
}

void Values::set_bits(std::size_t i, std::uint64_t bits) {
    std::memcpy(at(i), &bits, size_ < 8 ? size_ : 8);
}

void Values::nudge(std::size_t i, int steps) {
    const double v = get(i);
    if (!is_float(dtype_) || !std::isfinite(v)) return;
    set_bits(i, bits(i) + static_cast<std::uint64_t>(static_cast<std::int64_t>(steps)));
}

void Values::copy(std::size_t to, std::size_t from) {
    std::memmove(at(to), at(from), size_);
}

void Values::zero(std::size_t i) {
    std::memset(at(i), 0, size_);
}

} // namespace device_api::planted
