// SPDX-License-Identifier: Apache-2.0
// Promotion and conversion of data types, by the rules of the operator documentation.
#include "dtype.hpp"

namespace cann_sim {

namespace {

struct TypeRow {
    aclDataType type;
    const char* name;
    std::size_t bytes;
    int engine; // engine::DType, -1: none
};

constexpr int of(engine::DType d) {
    return static_cast<int>(d);
}

constexpr TypeRow types[] = {
    {ACL_FLOAT, "f32", 4, of(engine::DType::f32)},
    {ACL_FLOAT16, "f16", 2, of(engine::DType::f16)},
    {ACL_BF16, "bf16", 2, of(engine::DType::bf16)},
    {ACL_DOUBLE, "f64", 8, of(engine::DType::f64)},
    {ACL_INT8, "i8", 1, of(engine::DType::i8)},
    {ACL_INT16, "i16", 2, of(engine::DType::i16)},
    {ACL_INT32, "i32", 4, of(engine::DType::i32)},
    {ACL_INT64, "i64", 8, of(engine::DType::i64)},
    {ACL_UINT8, "u8", 1, of(engine::DType::u8)},
    {ACL_UINT16, "u16", 2, of(engine::DType::u16)},
    {ACL_UINT32, "u32", 4, of(engine::DType::u32)},
    {ACL_UINT64, "u64", 8, of(engine::DType::u64)},
    {ACL_BOOL, "bool", 1, of(engine::DType::boolean)},
    {ACL_COMPLEX32, "c32", 4, -1},
    {ACL_COMPLEX64, "c64", 8, -1},
    {ACL_COMPLEX128, "c128", 16, -1},
    {ACL_HIFLOAT8, "hif8", 1, -1},
    {ACL_FLOAT8_E5M2, "e5m2", 1, -1},
    {ACL_FLOAT8_E4M3FN, "e4m3", 1, -1},
    {ACL_INT4, "i4", 0, -1},
};

const TypeRow* row(aclDataType type) {
    for (const TypeRow& r : types)
        if (r.type == type) return &r;
    return nullptr;
}

bool in(aclDataType type, Mask mask) {
    return (bit(type) & mask) != 0;
}

// Integers and bool: the wider wins; i8 with u8 needs i16; u8 yields to every wider one.
aclDataType promote_ints(aclDataType a, aclDataType b) {
    if (a == ACL_BOOL) return b;
    if (b == ACL_BOOL) return a;
    const bool mixed_bytes = dtype_bytes(a) == 1 && dtype_bytes(b) == 1;
    if (mixed_bytes) return ACL_INT16; // a != b here
    return dtype_bytes(a) > dtype_bytes(b) ? a : b;
}

aclDataType promote_complex(aclDataType a, aclDataType b) {
    const Mask both = bit(a) | bit(b);
    if (both & c128) return ACL_COMPLEX128;
    if (both & f64) return ACL_COMPLEX128;
    if (both & (c64 | f32)) return ACL_COMPLEX64;
    return ACL_COMPLEX32;
}

} // namespace

const char* dtype_name(aclDataType type) {
    const TypeRow* r = row(type);
    return r ? r->name : "an unknown dtype";
}

std::size_t dtype_bytes(aclDataType type) {
    const TypeRow* r = row(type);
    return r ? r->bytes : 0;
}

bool to_engine(aclDataType type, engine::DType* out) {
    const TypeRow* r = row(type);
    if (!r || r->engine < 0) return false;
    *out = static_cast<engine::DType>(r->engine);
    return true;
}

aclDataType promote(aclDataType a, aclDataType b) {
    constexpr Mask known = floats | ints | boolean | complexes;
    if (!in(a, known) || !in(b, known)) return ACL_DT_UNDEFINED;
    if (a == b) return a;
    const Mask both = bit(a) | bit(b);
    if (both & wide_unsigned) return ACL_DT_UNDEFINED;
    if (both & complexes) return promote_complex(a, b);
    if (both & f64) return ACL_DOUBLE;
    if (both & f32) return ACL_FLOAT;
    if ((both & half_floats) == half_floats) return ACL_FLOAT;
    if (both & f16) return ACL_FLOAT16;
    if (both & bf16) return ACL_BF16;
    return promote_ints(a, b);
}

aclDataType promote_scalar(aclDataType tensor, aclDataType scalar) {
    constexpr Mask known = floats | ints | boolean | complexes;
    if (!in(tensor, known) || !in(scalar, known)) return ACL_DT_UNDEFINED;
    if (in(scalar, complexes)) {
        if (in(tensor, complexes)) return tensor;
        if (tensor == ACL_FLOAT16) return ACL_COMPLEX32;
        if (tensor == ACL_DOUBLE) return ACL_COMPLEX128;
        return in(tensor, wide_unsigned) ? ACL_DT_UNDEFINED : ACL_COMPLEX64;
    }
    if (in(scalar, floats)) {
        if (scalar == ACL_DOUBLE && in(tensor, c32 | c64)) return ACL_COMPLEX128;
        if (in(tensor, floats | complexes)) return tensor;
        return in(tensor, wide_unsigned) ? ACL_DT_UNDEFINED : ACL_FLOAT;
    }
    if (scalar == ACL_BOOL) return tensor;
    if (in(scalar, wide_unsigned)) return tensor == scalar ? tensor : ACL_DT_UNDEFINED;
    return tensor == ACL_BOOL ? scalar : tensor;
}

bool converts(aclDataType from, aclDataType to) {
    if (from == to || from == ACL_BOOL) return true;
    if (in(from, ints)) return in(to, ints | floats | complexes);
    if (in(from, floats)) return in(to, floats | ints | complexes);
    if (in(from, complexes)) return in(to, complexes | floats);
    return false;
}

} // namespace cann_sim
