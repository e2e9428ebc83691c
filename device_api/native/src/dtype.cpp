// SPDX-License-Identifier: Apache-2.0
// Data types: promotion and host values.
#include "dtype.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace device_api::core {
namespace {

const char* const names[DA_DTYPE_COUNT] = {
    "bool",   "int8",    "int16",    "int32",   "int64",   "uint8",     "uint16",    "uint32",
    "uint64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128"};

int promote_mixed_integers(uint16_t i, uint16_t u) {
    // A signed type that holds the unsigned one: one size up, or the signed one if larger.
    const int needed = u - DA_UINT8 + DA_INT16;
    return needed > static_cast<int>(DA_INT64) ? -1 : std::max(needed, static_cast<int>(i));
}

int promote_floats(uint16_t a, uint16_t b) {
    const uint16_t low = std::min(a, b), high = std::max(a, b);
    if (low == DA_FLOAT16 && high == DA_BFLOAT16) return DA_FLOAT32;
    return high;
}

int promote_complex(uint16_t a, uint16_t b) {
    const bool wide =
        a == DA_COMPLEX128 || b == DA_COMPLEX128 || a == DA_FLOAT64 || b == DA_FLOAT64;
    return wide ? DA_COMPLEX128 : DA_COMPLEX64;
}

// Rounds half to even straight from double: going through float would round twice.
uint16_t round_to_16(double x, int exponent_bits, int mantissa_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const uint16_t sign = std::signbit(x) ? 0x8000 : 0;
    const uint16_t inf = static_cast<uint16_t>(((1 << exponent_bits) - 1) << mantissa_bits);
    if (std::isnan(x)) return static_cast<uint16_t>(sign | inf | (1 << (mantissa_bits - 1)));
    const double magnitude = std::fabs(x);
    if (std::isinf(magnitude)) return static_cast<uint16_t>(sign | inf);
    if (magnitude == 0) return sign;
    int exponent = std::max(std::ilogb(magnitude), 1 - bias);
    // In units of the last place; rounding up into the next binade carries into the exponent.
    const double units = std::nearbyint(std::ldexp(magnitude, mantissa_bits - exponent));
    int64_t bits = static_cast<int64_t>(units);
    if (bits >= (int64_t{1} << mantissa_bits)) {
        bits += static_cast<int64_t>(exponent + bias - 1) << mantissa_bits;
    }
    return static_cast<uint16_t>(sign | std::min<int64_t>(bits, inf));
}

template <class T>
void put(void* element, T value) {
    std::memcpy(element, &value, sizeof value);
}

bool store_float(double x, uint16_t dtype, void* element) {
    switch (dtype) {
    case DA_FLOAT16: put(element, round_to_16(x, 5, 10)); return true;
    case DA_BFLOAT16: put(element, round_to_16(x, 8, 7)); return true;
    case DA_FLOAT32: put(element, static_cast<float>(x)); return true;
    default: put(element, x); return true;
    }
}

struct Range {
    int64_t low;
    uint64_t high;
};
const Range ranges[DA_DTYPE_COUNT] = {
    {0, 1},
    {INT8_MIN, INT8_MAX},
    {INT16_MIN, INT16_MAX},
    {INT32_MIN, INT32_MAX},
    {INT64_MIN, INT64_MAX},
    {0, UINT8_MAX},
    {0, UINT16_MAX},
    {0, UINT32_MAX},
    {0, UINT64_MAX},
};

// Integer scalars travel as int64; kind 'u' marks a value above INT64_MAX held in `u`.
bool fits(const dah_scalar& s, uint16_t dtype) {
    if (s.kind == 'u') return s.value.u <= ranges[dtype].high;
    if (s.value.i < 0) return s.value.i >= ranges[dtype].low;
    return static_cast<uint64_t>(s.value.i) <= ranges[dtype].high;
}

bool truth(const dah_scalar& s) {
    switch (s.kind) {
    case 'c': return s.value.c[0] != 0 || s.value.c[1] != 0;
    case 'f': return s.value.f != 0;
    default: return s.value.u != 0;
    }
}

} // namespace

const char* dtype_name(uint16_t dtype) {
    return dtype < DA_DTYPE_COUNT ? names[dtype] : "?";
}

int promote(uint16_t a, uint16_t b) {
    if (a == b) return a;
    const char ka = dtype_kind(a), kb = dtype_kind(b);
    if (ka == 'b') return b;
    if (kb == 'b') return a;
    if (ka == 'c' || kb == 'c') return promote_complex(a, b);
    if (ka == 'f' && kb == 'f') return promote_floats(a, b);
    if (ka == 'f') return a;
    if (kb == 'f') return b;
    if (ka == kb) return std::max(a, b);
    return ka == 'i' ? promote_mixed_integers(a, b) : promote_mixed_integers(b, a);
}

int promote_scalar(uint16_t dtype, char kind) {
    const char k = dtype_kind(dtype);
    if (kind == 'b') return dtype;
    if (kind == 'c') return k == 'c' ? dtype : complex_dtype(dtype);
    if (kind == 'i' || kind == 'u') return k == 'b' ? static_cast<int>(default_int) : dtype;
    return k == 'f' || k == 'c' ? dtype : static_cast<int>(default_float);
}

bool scalar_value(const dah_scalar& s, uint16_t dtype, da_value* value) {
    *value = da_value{};
    const bool complex = s.kind == 'c';
    const double real = complex         ? s.value.c[0]
                        : s.kind == 'f' ? s.value.f
                        : s.kind == 'u' ? static_cast<double>(s.value.u)
                                        : static_cast<double>(s.value.i);
    switch (dtype_kind(dtype)) {
    case 'c':
        value->c[0] = real;
        value->c[1] = complex ? s.value.c[1] : 0;
        return true;
    case 'b': value->u = truth(s); return true;
    case 'f': value->f = real; return !complex;
    default: break;
    }
    if (complex) return false;
    if (s.kind == 'f') { // Truncates like the op `cast`; out of range has no meaning.
        const double low = static_cast<double>(ranges[dtype].low);
        const double high = static_cast<double>(ranges[dtype].high);
        if (!(s.value.f > low - 1 && s.value.f < high + 1)) return false;
        if (s.value.f < 0)
            value->i = static_cast<int64_t>(s.value.f);
        else
            value->u = static_cast<uint64_t>(s.value.f);
        return true;
    }
    value->u = s.value.u;
    return fits(s, dtype);
}

bool store_scalar(const dah_scalar& s, uint16_t dtype, void* element) {
    da_value v;
    const bool ok = scalar_value(s, dtype, &v);
    switch (dtype_kind(dtype)) {
    case 'f': return store_float(v.f, dtype, element) && ok;
    case 'c':
        if (dtype == DA_COMPLEX64) {
            const float parts[2] = {static_cast<float>(v.c[0]), static_cast<float>(v.c[1])};
            std::memcpy(element, parts, sizeof parts);
        } else {
            std::memcpy(element, v.c, sizeof v.c);
        }
        return true;
    default: // Little-endian: the low bytes are the value in the narrower type.
        std::memcpy(element, &v.u, dtype_size(dtype));
        return ok;
    }
}

} // namespace device_api::core

int32_t dah_promote(uint16_t a, uint16_t b) {
    if (a >= DA_DTYPE_COUNT || b >= DA_DTYPE_COUNT) return -1;
    return device_api::core::promote(a, b);
}

const char* dah_dtype_name(uint16_t dtype) {
    return device_api::core::dtype_name(dtype);
}

uint32_t dah_dtype_size(uint16_t dtype) {
    return dtype < DA_DTYPE_COUNT ? device_api::core::dtype_size(dtype) : 0;
}

int32_t dah_promote_scalar(uint16_t dtype, char kind) {
    return dtype < DA_DTYPE_COUNT ? device_api::core::promote_scalar(dtype, kind) : -1;
}

char dah_dtype_kind(uint16_t dtype) {
    return dtype < DA_DTYPE_COUNT ? device_api::core::dtype_kind(dtype) : '?';
}
