// SPDX-License-Identifier: Apache-2.0
// Data types of the operators: sets, promotion, conversion, and the engine's counterpart.
#pragma once

#include <cstddef>
#include <cstdint>

#include "call.hpp"

namespace cann_sim {

/// A set of aclDataType: bit N stands for the type numbered N.
using Mask = std::uint64_t;
constexpr Mask bit(int type) {
    return type < 0 ? 0 : Mask{1} << type;
}

constexpr Mask f32 = bit(ACL_FLOAT), f16 = bit(ACL_FLOAT16), bf16 = bit(ACL_BF16),
               f64 = bit(ACL_DOUBLE), i8 = bit(ACL_INT8), i16 = bit(ACL_INT16),
               i32 = bit(ACL_INT32), i64 = bit(ACL_INT64), u8 = bit(ACL_UINT8),
               u16 = bit(ACL_UINT16), u32 = bit(ACL_UINT32), u64 = bit(ACL_UINT64),
               boolean = bit(ACL_BOOL), c32 = bit(ACL_COMPLEX32), c64 = bit(ACL_COMPLEX64),
               c128 = bit(ACL_COMPLEX128);

constexpr Mask half_floats = f16 | bf16;
constexpr Mask floats = f32 | half_floats | f64;
constexpr Mask common_ints = i8 | i16 | i32 | i64 | u8; // those that promote with each other
constexpr Mask wide_unsigned = u16 | u32 | u64;         // promote with nothing
constexpr Mask ints = common_ints | wide_unsigned;
constexpr Mask complexes = c32 | c64 | c128;

/// Short name as in the operator documentation ("f32", "u8"), "dtype N" for one that has none.
const char* dtype_name(aclDataType type);
/// Bytes of one element; 0 for types narrower than a byte and unknown ones.
std::size_t dtype_bytes(aclDataType type);
/// False when the engine does not compute in this type (complex, 4-bit, float8).
bool to_engine(aclDataType type, engine::DType* out);

/// Result type of tensor with tensor; ACL_DT_UNDEFINED when the two do not promote.
aclDataType promote(aclDataType a, aclDataType b);
/// Result type of tensor with scalar; ACL_DT_UNDEFINED when the two do not combine.
aclDataType promote_scalar(aclDataType tensor, aclDataType scalar);
/// May a result of type `from` be written to an output of type `to`?
bool converts(aclDataType from, aclDataType to);

} // namespace cann_sim
