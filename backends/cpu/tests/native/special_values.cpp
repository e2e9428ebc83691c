// SPDX-License-Identifier: Apache-2.0
// Special values of the elementwise ops, as tables; integers at the ends of their range.
#include <cmath>
#include <cstring>

#include "support.hpp"

namespace test {
namespace {

const Value inf = INFINITY, nan = NAN;

bool same(Value got, Value wanted) {
    if (std::isnan(wanted)) return std::isnan(got);
    return got == wanted && std::signbit(got) == std::signbit(wanted);
}

struct One {
    unsigned op;
    Value x, wanted;
};
const One kUnary[] = {
    {DA_OP_CEIL, -0.5L, -0.0L},  {DA_OP_CEIL, 0.25L, 1},          {DA_OP_CEIL, -0.0L, -0.0L},
    {DA_OP_CEIL, inf, inf},      {DA_OP_CEIL, nan, nan},          {DA_OP_TRUNC, -0.5L, -0.0L},
    {DA_OP_TRUNC, 1.75L, 1},     {DA_OP_TRUNC, -1.75L, -1},       {DA_OP_TRUNC, -inf, -inf},
    {DA_OP_ROUND, 0.5L, 0},      {DA_OP_ROUND, 1.5L, 2},          {DA_OP_ROUND, 2.5L, 2},
    {DA_OP_ROUND, -0.5L, -0.0L}, {DA_OP_ROUND, -inf, -inf},       {DA_OP_ROUND, nan, nan},
    {DA_OP_ISFINITE, inf, 0},    {DA_OP_ISFINITE, nan, 0},        {DA_OP_ISFINITE, -2, 1},
    {DA_OP_ISINF, -inf, 1},      {DA_OP_ISINF, nan, 0},           {DA_OP_ISINF, 65504, 0},
    {DA_OP_SIGNBIT, -0.0L, 1},   {DA_OP_SIGNBIT, 0, 0},           {DA_OP_SIGNBIT, -inf, 1},
    {DA_OP_RECIPROCAL, 0, inf},  {DA_OP_RECIPROCAL, -0.0L, -inf}, {DA_OP_RECIPROCAL, -inf, -0.0L},
    {DA_OP_RSQRT, 0, inf},       {DA_OP_RSQRT, inf, 0},           {DA_OP_RSQRT, -1, nan},
    {DA_OP_EXPM1, -0.0L, -0.0L}, {DA_OP_EXPM1, -inf, -1},         {DA_OP_LOG1P, -1, -inf},
    {DA_OP_LOG1P, -0.0L, -0.0L}, {DA_OP_LOG2, 0, -inf},           {DA_OP_LOG2, 8, 3},
    {DA_OP_LOG10, 1000, 3},      {DA_OP_SIN, -0.0L, -0.0L},       {DA_OP_SIN, inf, nan},
    {DA_OP_COS, -0.0L, 1},       {DA_OP_COS, -inf, nan},          {DA_OP_ACOSH, 1, 0},
    {DA_OP_ATANH, 1, inf},       {DA_OP_ATANH, -1, -inf},         {DA_OP_ERF, -inf, -1},
    {DA_OP_ERF, -0.0L, -0.0L},   {DA_OP_GELU, inf, inf},          {DA_OP_GELU, nan, nan},
    {DA_OP_GELU_TANH, inf, inf}, {DA_OP_SILU, inf, inf},          {DA_OP_SILU, nan, nan},
    {DA_OP_SIGMOID, -inf, 0},    {DA_OP_SIGMOID, inf, 1},         {DA_OP_MISH, inf, inf},
    {DA_OP_HARDSWISH, inf, inf}, {DA_OP_RELU, nan, nan},
};

struct Two {
    unsigned op;
    Value x, y, wanted;
};
const Two kBinary[] = {
    {DA_OP_FLOOR_DIVIDE, 1, 0, inf},
    {DA_OP_FLOOR_DIVIDE, -1, 0, -inf},
    {DA_OP_FLOOR_DIVIDE, 0, 0, nan},
    {DA_OP_FLOOR_DIVIDE, 1, -inf, -0.0},
    {DA_OP_FLOOR_DIVIDE, -1, inf, -0.0},
    {DA_OP_FLOOR_DIVIDE, -1, -inf, 0},
    {DA_OP_FLOOR_DIVIDE, -0.0L, inf, -0.0L},
    {DA_OP_FLOOR_DIVIDE, inf, 2, inf},
    {DA_OP_FLOOR_DIVIDE, inf, -2, -inf},
    {DA_OP_FLOOR_DIVIDE, inf, inf, nan},
    {DA_OP_FLOOR_DIVIDE, -7, 2, -4},
    {DA_OP_FLOOR_DIVIDE, nan, 1, nan},
    {DA_OP_REMAINDER, 1, 0, nan},
    {DA_OP_REMAINDER, inf, 2, nan},
    {DA_OP_REMAINDER, 1, inf, 1},
    {DA_OP_REMAINDER, 1, -inf, -inf},
    {DA_OP_REMAINDER, -1, inf, inf},
    {DA_OP_REMAINDER, -4, 2, 0},
    {DA_OP_REMAINDER, 4, -2, -0.0L},
    {DA_OP_REMAINDER, -0.0L, 2, 0},
    {DA_OP_REMAINDER, -7, 2, 1},
    {DA_OP_REMAINDER, 7, -2, -1},
    {DA_OP_COPYSIGN, 2, -0.0L, -2},
    {DA_OP_COPYSIGN, -inf, 1, inf},
    {DA_OP_NEXTAFTER, -0.0L, 0, 0},
    {DA_OP_NEXTAFTER, nan, 1, nan},
    {DA_OP_NEXTAFTER, 1, nan, nan},
    {DA_OP_NEXTAFTER, inf, inf, inf},
    {DA_OP_HYPOT, inf, nan, inf},
    {DA_OP_HYPOT, nan, -inf, inf},
    {DA_OP_HYPOT, nan, 1, nan},
    {DA_OP_HYPOT, 3, -4, 5},
    {DA_OP_LOGADDEXP, -inf, -inf, -inf},
    {DA_OP_LOGADDEXP, inf, -inf, inf},
    {DA_OP_LOGADDEXP, inf, inf, inf},
    {DA_OP_LOGADDEXP, nan, inf, nan},
    {DA_OP_LOGADDEXP, 2, -inf, 2},
    {DA_OP_ATAN2, 0, 1, 0},
    {DA_OP_ATAN2, -0.0L, 1, -0.0L},
    {DA_OP_ATAN2, 1, inf, 0},
    {DA_OP_ATAN2, nan, 1, nan},
    {DA_OP_NOT_EQUAL, nan, nan, 1},
    {DA_OP_NOT_EQUAL, 0, -0.0L, 0},
    {DA_OP_LESS_EQUAL, nan, nan, 0},
    {DA_OP_LESS_EQUAL, 0, -0.0L, 1},
    {DA_OP_LESS_EQUAL, 1, nan, 0},
};

bool to_bool(unsigned op) {
    return op == DA_OP_ISFINITE || op == DA_OP_ISINF || op == DA_OP_SIGNBIT ||
           op == DA_OP_NOT_EQUAL || op == DA_OP_LESS_EQUAL;
}

// The value stands in several places of a row, as loops treat their ends differently.
void floats(unsigned dtype) {
    constexpr int64_t n = 37;
    for (const One& row : kUnary) {
        Tensor x(dtype, {n}), out(to_bool(row.op) ? unsigned(DA_BOOL) : dtype, {n});
        for (int64_t i = 0; i < n; ++i) x.set(i, row.x);
        CHECK(run(row.op, {&x}, out) == DA_OK, "%s", op_facts()[row.op - 1].name);
        for (int64_t i = 0; i < n; ++i)
            CHECK(same(out.get(i), row.wanted), "%s %s of %Lg gave %Lg",
                  op_facts()[row.op - 1].name, dtype_name(dtype), row.x, out.get(i));
    }
    for (const Two& row : kBinary) {
        Tensor x(dtype, {n}), y(dtype, {n}), out(to_bool(row.op) ? unsigned(DA_BOOL) : dtype, {n});
        for (int64_t i = 0; i < n; ++i) x.set(i, row.x), y.set(i, row.y);
        CHECK(run(row.op, {&x, &y}, out) == DA_OK, "%s", op_facts()[row.op - 1].name);
        for (int64_t i = 0; i < n; ++i)
            CHECK(same(out.get(i), row.wanted), "%s %s of %Lg, %Lg gave %Lg",
                  op_facts()[row.op - 1].name, dtype_name(dtype), row.x, row.y, out.get(i));
    }
}

// Neighbours in the type's own format: bits differ by one.
void neighbours(unsigned dtype) {
    std::mt19937_64 random(dtype);
    Tensor x(dtype, {200}), y(dtype, {200}), out(dtype, {200});
    x.randomise(random);
    y.randomise(random);
    x.set(0, 0), y.set(0, -1); // to the smallest subnormal
    CHECK(run(DA_OP_NEXTAFTER, {&x, &y}, out) == DA_OK, "nextafter");
    for (int64_t i = 0; i < 200; ++i) {
        const Value a = x.get(i), b = y.get(i), got = out.get(i);
        if (std::isnan(a) || std::isnan(b) || a == b) continue;
        uint64_t before = 0, after = 0;
        std::memcpy(&before, &x.memory[size_t(x.offset_of(i)) * x.size], x.size);
        std::memcpy(&after, &out.memory[size_t(out.offset_of(i)) * x.size], x.size);
        const bool adjacent = a == 0 ? (after & 0xff) == 1 : before - after + 1 <= 2;
        CHECK((a < b ? got > a && got <= b : got < a && got >= b) && adjacent,
              "%s: after %Lg towards %Lg comes %Lg", dtype_name(dtype), a, b, got);
    }
}

// Quotients whose floor is known: of multiples of 1/8, and beyond 2^53, where the floor may lie
// halfway between two doubles.
void quotients(unsigned dtype) {
    constexpr int64_t n = 4000;
    std::mt19937_64 random(dtype);
    Tensor x(dtype, {n}), y(dtype, {n}), floor(dtype, {n}), rest(dtype, {n});
    std::vector<Value> wanted(n), wanted_rest(n);
    for (int64_t i = 0; i < n; ++i) {
        int64_t a = int64_t(random() % 255) - 127, b = int64_t(random() % 80) - 40;
        b += b == 0;
        if (dtype == DA_FLOAT64 && i % 2 == 0) {
            b = 2 * int64_t(random() % 200) + 3;
            a = int64_t(double(((int64_t(1) << 53) + int64_t(random() % 4096)) * b));
            if (i % 8 < 4) a = -a;
        }
        const int64_t q = a / b - (a % b != 0 && (a < 0) != (b < 0));
        x.set(i, Value(a) / 8), y.set(i, Value(b) / 8);
        wanted[size_t(i)] = rounded(dtype, Value(q));
        wanted_rest[size_t(i)] = Value(a - q * b) / 8;
    }
    CHECK(run(DA_OP_FLOOR_DIVIDE, {&x, &y}, floor) == DA_OK, "floor_divide");
    CHECK(run(DA_OP_REMAINDER, {&x, &y}, rest) == DA_OK, "remainder");
    for (int64_t i = 0; i < n; ++i) {
        CHECK(floor.get(i) == wanted[size_t(i)], "%s: floor of %.17Lg / %Lg gave %.17Lg",
              dtype_name(dtype), x.get(i), y.get(i), floor.get(i));
        CHECK(rest.get(i) == wanted_rest[size_t(i)], "%s: rest of %.17Lg / %Lg gave %Lg",
              dtype_name(dtype), x.get(i), y.get(i), rest.get(i));
    }
}

__int128 integer(unsigned op, __int128 a, __int128 b, int bits) {
    switch (op) {
    case DA_OP_FLOOR_DIVIDE: return b == 0 ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0));
    case DA_OP_REMAINDER: return b == 0 ? 0 : (a % b + b) % b;
    case DA_OP_BITWISE_AND: return a & b;
    case DA_OP_BITWISE_OR: return a | b;
    case DA_OP_BITWISE_XOR: return a ^ b;
    case DA_OP_SHIFT_LEFT:
        return b >= bits ? 0 : __int128(static_cast<unsigned __int128>(a) << int(b));
    case DA_OP_SHIFT_RIGHT: return a >> int(b >= bits ? 100 : b);
    case DA_OP_NOT_EQUAL: return a != b;
    case DA_OP_LESS_EQUAL: return a <= b;
    default: return ~a;
    }
}

void integers(unsigned dtype) {
    const int bits = int(dtype_size(dtype)) * 8;
    const __int128 top = __int128(1) << (bits - is_signed(dtype)),
                   least = is_signed(dtype) ? -top : 0;
    std::vector<__int128> values = {least, least + 1, top - 1, top - 2,  0,          1,
                                    2,     3,         7,       bits - 1, bits % 128, bits + 1};
    if (is_signed(dtype)) values.insert(values.end(), {-1, -2, -7});
    const int64_t n = int64_t(values.size() * values.size());
    Tensor x(dtype, {n}), y(dtype, {n});
    for (int64_t i = 0; i < n; ++i) {
        x.set(i, Value(values[size_t(i) / values.size()]));
        y.set(i, Value(values[size_t(i) % values.size()]));
    }
    for (const unsigned op :
         {DA_OP_FLOOR_DIVIDE, DA_OP_REMAINDER, DA_OP_BITWISE_AND, DA_OP_BITWISE_OR,
          DA_OP_BITWISE_XOR, DA_OP_SHIFT_LEFT, DA_OP_SHIFT_RIGHT, DA_OP_NOT_EQUAL, DA_OP_LESS_EQUAL,
          DA_OP_BITWISE_NOT}) {
        Tensor out(to_bool(op) ? unsigned(DA_BOOL) : dtype, {n});
        const bool unary = op == DA_OP_BITWISE_NOT;
        CHECK((unary ? run(op, {&x}, out) : run(op, {&x, &y}, out)) == DA_OK, "integers");
        for (int64_t i = 0; i < n; ++i) {
            const __int128 a = __int128(x.get(i)), b = __int128(y.get(i));
            const bool shift = op == DA_OP_SHIFT_LEFT || op == DA_OP_SHIFT_RIGHT;
            if (shift && b < 0) continue; // not specified
            CHECK(out.get(i) == wrapped(out.dtype, integer(op, a, b, bits)),
                  "%s %s of %Lg, %Lg gave %Lg", op_facts()[op - 1].name, dtype_name(dtype),
                  x.get(i), y.get(i), out.get(i));
        }
    }
}

} // namespace

void test_special_values() {
    for (unsigned dtype = DA_FLOAT16; dtype <= DA_FLOAT64; ++dtype) {
        floats(dtype);
        neighbours(dtype);
        quotients(dtype);
    }
    for (unsigned dtype = DA_INT8; dtype <= DA_UINT64; ++dtype) integers(dtype);
}

} // namespace test
