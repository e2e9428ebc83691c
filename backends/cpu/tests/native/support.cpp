// SPDX-License-Identifier: Apache-2.0
// Elements, tensors and calls of the native tests.
#include "support.hpp"

#include <cmath>
#include <cstdarg>
#include <cstring>

namespace test {
namespace {

constexpr unsigned char kFresh = 0xA5; // memory that nobody has written

const char* const kNames[] = {"bool",     "int8",    "int16",  "int32",  "int64",
                              "uint8",    "uint16",  "uint32", "uint64", "float16",
                              "bfloat16", "float32", "float64"};
constexpr int kMantissa[] = {1, 7, 15, 31, 63, 8, 16, 32, 64, 11, 8, 24, 53};
constexpr int kSizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8};
constexpr int kLeastExponent[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, -14, -126, -126, -1022};
constexpr int kMostExponent[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 15, 127, 127, 1023};

uint16_t encode_half(unsigned dtype, Value value) {
    const int fraction = kMantissa[dtype] - 1;
    const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const uint16_t infinity = dtype == DA_FLOAT16 ? 0x7c00 : 0x7f80;
    if (std::isnan(value)) return uint16_t(infinity | (1u << (fraction - 1)));
    const Value r = std::fabs(rounded(dtype, value));
    if (std::isinf(r)) return uint16_t(sign | infinity);
    if (r == 0) return sign;
    int exponent = 0;
    std::frexp(r, &exponent);
    exponent = std::max(exponent - 1, kLeastExponent[dtype]);
    const Value units = std::ldexp(r, fraction - exponent); // with the hidden bit when normal
    const int biased = exponent - kLeastExponent[dtype];    // 0 for the least
    return uint16_t(sign | (unsigned(units) + (unsigned(biased) << fraction)));
}

Value decode_half(unsigned dtype, uint16_t bits) {
    const int fraction = kMantissa[dtype] - 1, exponent_bits = 15 - fraction;
    const int exponent = bits >> fraction & ((1 << exponent_bits) - 1);
    const Value units = bits & ((1 << fraction) - 1);
    Value value;
    if (exponent == (1 << exponent_bits) - 1)
        value = units != 0 ? std::nanl("") : Value(INFINITY);
    else if (exponent == 0)
        value = std::ldexp(units, kLeastExponent[dtype] - fraction);
    else
        value =
            std::ldexp(units + (1 << fraction), kLeastExponent[dtype] + exponent - 1 - fraction);
    return bits & 0x8000 ? -value : value;
}

template <class T>
Value load(const void* p) {
    T x;
    std::memcpy(&x, p, sizeof x);
    return x;
}

template <class T>
void store(void* p, T x) {
    std::memcpy(p, &x, sizeof x);
}

} // namespace

Value spacing(unsigned dtype, Value value) {
    int exponent = 0;
    std::frexp(value, &exponent);
    exponent = std::max(exponent - 1, kLeastExponent[dtype]);
    return std::ldexp(Value(1), exponent - kMantissa[dtype] + 1);
}

const char* dtype_name(unsigned dtype) {
    return kNames[dtype];
}
size_t dtype_size(unsigned dtype) {
    return size_t(kSizes[dtype]);
}
bool is_float(unsigned dtype) {
    return dtype >= DA_FLOAT16;
}
bool is_signed(unsigned dtype) {
    return dtype >= DA_INT8 && dtype <= DA_INT64;
}
int mantissa_bits(unsigned dtype) {
    return kMantissa[dtype];
}

Value rounded(unsigned dtype, Value value) {
    if (!is_float(dtype) || std::isnan(value) || std::isinf(value) || value == 0) return value;
    const Value unit = spacing(dtype, value);
    const Value r = std::nearbyint(value / unit) * unit; // the rounding mode is half to even
    const Value limit = std::ldexp(Value(1), kMostExponent[dtype] + 1);
    return std::fabs(r) >= limit ? std::copysign(Value(INFINITY), r) : std::copysign(r, value);
}

Value wrapped(unsigned dtype, __int128 value) {
    const int bits = kSizes[dtype] * 8;
    const unsigned __int128 mask = (static_cast<unsigned __int128>(1) << bits) - 1;
    __int128 low = __int128(static_cast<unsigned __int128>(value) & mask);
    if (is_signed(dtype) && (low >> (bits - 1) & 1)) low -= __int128(mask) + 1;
    return Value(low);
}

Value decode(unsigned dtype, const void* p) {
    switch (dtype) {
    case DA_BOOL:
    case DA_UINT8: return load<uint8_t>(p);
    case DA_INT8: return load<int8_t>(p);
    case DA_INT16: return load<int16_t>(p);
    case DA_INT32: return load<int32_t>(p);
    case DA_INT64: return load<int64_t>(p);
    case DA_UINT16: return load<uint16_t>(p);
    case DA_UINT32: return load<uint32_t>(p);
    case DA_UINT64: return load<uint64_t>(p);
    case DA_FLOAT32: return load<float>(p);
    case DA_FLOAT64: return load<double>(p);
    default: return decode_half(dtype, uint16_t(load<uint16_t>(p)));
    }
}

void encode(unsigned dtype, void* p, Value v) {
    switch (dtype) {
    case DA_BOOL: return store<uint8_t>(p, v != 0);
    case DA_UINT8: return store(p, uint8_t(v));
    case DA_INT8: return store(p, int8_t(v));
    case DA_INT16: return store(p, int16_t(v));
    case DA_INT32: return store(p, int32_t(v));
    case DA_INT64: return store(p, int64_t(v));
    case DA_UINT16: return store(p, uint16_t(v));
    case DA_UINT32: return store(p, uint32_t(v));
    case DA_UINT64: return store(p, uint64_t(v));
    case DA_FLOAT32: return store(p, float(v));
    case DA_FLOAT64: return store(p, double(v));
    default: return store(p, encode_half(dtype, v));
    }
}

double ulp_distance(unsigned dtype, Value got, Value wanted) {
    if (std::isnan(got) || std::isnan(wanted))
        return std::isnan(got) == std::isnan(wanted) ? 0 : 1e30;
    if (got == wanted) return 0;
    if (!is_float(dtype)) return double(std::fabs(got - wanted));
    // Beyond the largest number infinity counts as the next one.
    const Value limit = std::ldexp(Value(1), kMostExponent[dtype] + 1);
    if (std::isinf(got)) got = std::copysign(limit, got);
    if (std::fabs(wanted) > limit) wanted = std::copysign(limit, wanted);
    if (got == wanted) return 0;
    return double(std::fabs(got - wanted) / spacing(dtype, wanted));
}

Tensor::Tensor(unsigned type, std::vector<int64_t> extents, Layout layout)
    : dtype(type), size(dtype_size(type)), shape(std::move(extents)), strides(shape.size()) {
    const int rank = int(shape.size());
    const bool turned = layout == kTransposed || layout == kMixed;
    const int64_t gap = layout == kSliced || layout == kMixed ? 2 : 1;
    int64_t step = gap;
    for (int i = 0; i < rank; ++i) {
        const int d = turned ? i : rank - 1 - i;
        strides[d] = step;
        step *= shape[d];
    }
    const int64_t room = step + 8;
    origin = gap == 2 ? 3 : 2; // something lies before and after
    for (int d = 0; d < rank; ++d)
        if (layout == kNegative || (layout == kMixed && d % 2 == 0)) {
            origin += strides[d] * (shape[d] - 1);
            strides[d] = -strides[d];
        }
    memory.assign(size_t(room) * size, char(kFresh));
}

void Tensor::repeat(int dimension) {
    strides[size_t(dimension)] = 0;
}

int64_t Tensor::count() const {
    int64_t n = 1;
    for (int64_t extent : shape) n *= extent;
    return n;
}

int64_t Tensor::offset_of(int64_t linear) const {
    int64_t offset = origin;
    for (int d = int(shape.size()) - 1; d >= 0; --d) {
        offset += linear % shape[d] * strides[d];
        linear /= shape[d];
    }
    return offset;
}

std::vector<Value> Tensor::values() const {
    std::vector<Value> all;
    for (int64_t i = 0; i < count(); ++i) all.push_back(get(i));
    return all;
}

da_tensor Tensor::view() const {
    da_tensor t = {};
    t.storage = const_cast<char*>(memory.data());
    t.storage_bytes = memory.size();
    t.data = const_cast<char*>(memory.data()) + origin * int64_t(size);
    t.shape = shape.data();
    t.strides = strides.data();
    t.rank = int32_t(shape.size());
    t.dtype = uint16_t(dtype);
    int64_t expected = 1;
    bool dense = true;
    for (int d = t.rank - 1; d >= 0; --d) {
        dense = dense && strides[d] == expected;
        expected *= shape[d];
    }
    t.flags = dense ? uint16_t(DA_TENSOR_CONTIGUOUS) : uint16_t(0);
    return t;
}

bool surroundings_untouched(const Tensor& t) {
    std::vector<char> inside(t.memory.size(), 0);
    for (int64_t i = 0; i < t.count(); ++i)
        std::memset(inside.data() + t.offset_of(i) * int64_t(t.size), 1, t.size);
    for (size_t i = 0; i < inside.size(); ++i)
        if (!inside[i] && t.memory[i] != char(kFresh)) return false;
    return true;
}

} // namespace test
