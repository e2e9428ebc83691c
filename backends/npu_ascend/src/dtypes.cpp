// SPDX-License-Identifier: Apache-2.0
// The table of element types, and the rounding of a scalar attribute to its type.
#include "dtypes.hpp"

#include <cstdint>
#include <cstring>

namespace device_api::npu {
namespace {

struct TypeRow {
    aclDataType acl;
    std::size_t size;
};

constexpr TypeRow rows[DA_DTYPE_COUNT] = {
    {ACL_BOOL, 1},  {ACL_INT8, 1},   {ACL_INT16, 2},  {ACL_INT32, 4},     {ACL_INT64, 8},
    {ACL_UINT8, 1}, {ACL_UINT16, 2}, {ACL_UINT32, 4}, {ACL_UINT64, 8},    {ACL_FLOAT16, 2},
    {ACL_BF16, 2},  {ACL_FLOAT, 4},  {ACL_DOUBLE, 8}, {ACL_COMPLEX64, 8}, {ACL_COMPLEX128, 16},
};

// Binary64 to a 16-bit format with `fraction` bits, rounded half to even.
std::uint16_t narrow(double value, int fraction, int bias) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    const auto sign = static_cast<std::uint64_t>((bits >> 63) << 15);
    const int raw = static_cast<int>((bits >> 52) & 0x7ff);
    const std::uint64_t low = bits & ((std::uint64_t{1} << 52) - 1);
    const std::uint64_t infinity = ((std::uint64_t{1} << (15 - fraction)) - 1) << fraction;
    if (raw == 0x7ff)
        return static_cast<std::uint16_t>(sign | infinity |
                                          (low ? std::uint64_t{1} << (fraction - 1) : 0));
    if (raw == 0) return static_cast<std::uint16_t>(sign); // zero, or far below the smallest
    const std::uint64_t significand = low | (std::uint64_t{1} << 52);
    int exponent = raw - 1023 + bias;
    int shift = 52 - fraction;
    if (exponent <= 0) {
        shift += 1 - exponent;
        exponent = 0;
    }
    if (shift > 54) return static_cast<std::uint16_t>(sign);
    std::uint64_t kept = significand >> shift;
    const std::uint64_t rest = significand & ((std::uint64_t{1} << shift) - 1);
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    if (rest > half || (rest == half && (kept & 1))) ++kept;
    // A normal number's leading bit counts as one step of the exponent.
    if (exponent > 0) kept += static_cast<std::uint64_t>(exponent - 1) << fraction;
    return static_cast<std::uint16_t>(sign | (kept < infinity ? kept : infinity));
}

template <class T>
void put(Element& element, T value) {
    std::memcpy(element.bytes, &value, sizeof value);
}

void put_complex(Element& element, const da_value& value, bool wide) {
    const float narrow_parts[2] = {static_cast<float>(value.c[0]), static_cast<float>(value.c[1])};
    if (wide)
        std::memcpy(element.bytes, value.c, sizeof value.c);
    else
        std::memcpy(element.bytes, narrow_parts, sizeof narrow_parts);
}

} // namespace

aclDataType acl_type(unsigned dtype) {
    return dtype < DA_DTYPE_COUNT ? rows[dtype].acl : ACL_DT_UNDEFINED;
}

std::size_t element_size(unsigned dtype) {
    return dtype < DA_DTYPE_COUNT ? rows[dtype].size : 0;
}

Element element_of(const da_value& value, unsigned dtype) {
    Element e{};
    switch (dtype) {
    case DA_BOOL: put(e, static_cast<std::uint8_t>(value.u != 0)); break;
    case DA_FLOAT16: put(e, narrow(value.f, 10, 15)); break;
    case DA_BFLOAT16: put(e, narrow(value.f, 7, 127)); break;
    case DA_FLOAT32: put(e, static_cast<float>(value.f)); break;
    case DA_FLOAT64: put(e, value.f); break;
    case DA_COMPLEX64: put_complex(e, value, false); break;
    case DA_COMPLEX128: put_complex(e, value, true); break;
    default: put(e, value.u); // integers: the low bytes, little-endian
    }
    return e;
}

} // namespace device_api::npu
