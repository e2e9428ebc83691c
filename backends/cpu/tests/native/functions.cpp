// SPDX-License-Identifier: Apache-2.0
// Accuracy of the elementwise functions, in units in the last place, against long double.
#include <cmath>
#include <cstring>
#include <tuple>

#include "support.hpp"

namespace test {
namespace {

using Function = Value (*)(Value);

Value sigmoid(Value x) {
    return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}
Value gelu_tanh(Value x) {
    const Value c = 2 * std::sqrt(2 / std::acos(-1.0L));
    return x < -60 ? 0 : x > 60 ? x : x * sigmoid(c * (x + 0.044715L * x * x * x));
}

// Limits: float32 and float64, 16-bit types; those of the op table or narrower.
struct Row {
    unsigned op;
    Function truth;
    double wide, narrow;
};
#define ROW(NAME, name, wide, narrow)                                                              \
    {DA_OP_##NAME, [](Value x) -> Value { return name; }, wide, narrow}
const Row kRows[] = {
    ROW(EXPM1, std::expm1(x), 2, 0.51),
    ROW(LOG1P, x < -1 ? NAN : std::log1p(x), 2, 0.51),
    ROW(LOG2, x < 0 ? NAN : std::log2(x), 2, 0.51),
    ROW(LOG10, x < 0 ? NAN : std::log10(x), 2.5, 0.51),
    ROW(SIN, std::sin(x), 1, 0.51),
    ROW(COS, std::cos(x), 1, 0.51),
    ROW(TAN, std::tan(x), 1.5, 0.51),
    ROW(ASIN, std::fabs(x) > 1 ? NAN : std::asin(x), 1.5, 0.51),
    ROW(ACOS, std::fabs(x) > 1 ? NAN : std::acos(x), 1.5, 0.51),
    ROW(ATAN, std::atan(x), 1.5, 0.51),
    ROW(SINH, std::sinh(x), 3, 0.51),
    ROW(COSH, std::cosh(x), 3, 0.51),
    ROW(ASINH, std::asinh(x), 3, 0.51),
    ROW(ACOSH, x < 1 ? NAN : std::acosh(x), 3, 0.51),
    ROW(ATANH, std::fabs(x) > 1 ? NAN : std::atanh(x), 3, 0.51),
    ROW(RECIPROCAL, 1 / x, 0.51, 0.51),
    ROW(RSQRT, x < 0 ? NAN : 1 / std::sqrt(x), 2, 0.51),
    ROW(ERF, std::erf(x), 4, 0.51),
    ROW(RELU, x < 0 ? 0 : x, 0, 0),
    ROW(SIGMOID, sigmoid(x), 4, 0.51),
    ROW(SILU, std::isinf(x) ? std::fmax(x, 0.0L) : x * sigmoid(x), 4, 0.51),
    ROW(GELU,
        x < -60  ? 0
        : x > 60 ? x
                 : x * std::erfc(-x * std::sqrt(0.5L)) / 2,
        16, 0.51),
    ROW(GELU_TANH, gelu_tanh(x), 8, 0.51),
    ROW(MISH,
        x < -2000 ? 0
        : x > 60  ? x
                  : x * std::tanh(std::log1p(std::exp(x))),
        8, 0.51),
    ROW(HARDSWISH, std::isinf(x) ? x : x * std::fmin(std::fmax(x + 3, 0.0L), 6.0L) / 6, 3, 0.51),
};
#undef ROW

// Signs of zero count where the function itself is odd.
bool zero_matters(unsigned op) {
    switch (op) {
    case DA_OP_COS:
    case DA_OP_ACOS:
    case DA_OP_COSH:
    case DA_OP_ACOSH:
    case DA_OP_RELU:
    case DA_OP_SIGMOID:
    case DA_OP_LOG2:
    case DA_OP_LOG10:
    case DA_OP_RSQRT: return false;
    default: return op < DA_OP_RELU;
    }
}

void compare(const Row& row, const Tensor& in, const Tensor& out, double limit) {
    double worst = -1;
    Value at = 0, got_there = 0;
    for (int64_t i = 0; i < in.count(); ++i) {
        const Value x = in.get(i), got = out.get(i);
        if (row.op == DA_OP_HARDSWISH && x == -INFINITY) continue; // not specified
        const Value wanted = row.truth(x);
        const double distance = ulp_distance(in.dtype, got, wanted);
        if (distance > worst) worst = distance, at = x, got_there = got;
        if (x == 0 && zero_matters(row.op))
            CHECK(std::signbit(got) == std::signbit(wanted), "%s %s of %Lg: sign of zero",
                  op_facts()[row.op - 1].name, dtype_name(in.dtype), x);
    }
    CHECK(worst <= limit, "%s %s: %.3f ulp at %.9Lg, got %.9Lg", op_facts()[row.op - 1].name,
          dtype_name(in.dtype), worst, at, got_there);
}

// All bit patterns of a 16-bit type; every `step`-th one of float32.
void sweep(const Row& row, unsigned dtype) {
    const bool narrow = dtype != DA_FLOAT32;
    const uint64_t all = narrow ? 1 << 16 : uint64_t(1) << 32, step = narrow ? 1 : 65521;
    Tensor in(dtype, {65536 + 16}), out(dtype, {65536 + 16});
    for (int64_t i = 0; i < in.count(); ++i) {
        const uint64_t bits = uint64_t(i) * step % all;
        std::memcpy(&in.memory[size_t(in.offset_of(i)) * in.size], &bits, in.size);
    }
    const float more[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1, -1, 3.4e38f};
    for (int i = 0; i < 8; ++i) in.set(65536 + i, rounded(dtype, more[i]));
    CHECK(run(row.op, {&in}, out) == DA_OK, "%s", op_facts()[row.op - 1].name);
    compare(row, in, out, narrow ? row.narrow : row.wide);
}

void doubles(const Row& row) {
    std::mt19937_64 random(row.op);
    Tensor in(DA_FLOAT64, {12000}), out(DA_FLOAT64, {12000});
    for (int64_t i = 0; i < in.count(); ++i)
        in.set(i, std::ldexp(Value(int64_t(random())), int(random() % 24) - 78 + (i % 3) * 2));
    const Value more[] = {0.0L, -0.0L, INFINITY, -INFINITY, NAN, 1, -1, 1e-310L, -1e300L, 1e300L};
    for (int i = 0; i < 10; ++i) in.set(i, more[i]);
    CHECK(run(row.op, {&in}, out) == DA_OK, "%s", op_facts()[row.op - 1].name);
    compare(row, in, out, row.wide);
}

struct Attributed {
    unsigned op;
    double attributes[2];
    Value (*truth)(Value x, Value a, Value b);
    double wide;
};
const Attributed kAttributed[] = {
    {DA_OP_HARDSIGMOID,
     {0.2, 0.5},
     [](Value x, Value a, Value b) -> Value { return std::fmin(std::fmax(a * x + b, 0.0L), 1.0L); },
     1},
    {DA_OP_SOFTPLUS,
     {0.7, 20},
     [](Value x, Value a, Value b) -> Value {
         return a * x > b ? x : std::log1p(std::exp(a * x)) / a;
     },
     4},
    {DA_OP_LEAKY_RELU,
     {0.01, 0},
     [](Value x, Value a, Value) -> Value { return x > 0 ? x : a * x; },
     0.51},
    {DA_OP_ELU,
     {1.5, 0},
     [](Value x, Value a, Value) -> Value { return x > 0 ? x : a * std::expm1(x); },
     3},
};

void attributed(const Attributed& row, unsigned dtype) {
    std::mt19937_64 random(row.op);
    Tensor in(dtype, {3001}, kNegative), out(dtype, {3001}, kSliced);
    for (int64_t i = 0; i < in.count(); ++i)
        in.set(i, rounded(dtype, std::ldexp(Value(int64_t(random())), int(random() % 14) - 70)));
    da_value attributes[2];
    for (int i = 0; i < 2; ++i) attributes[i].f = row.attributes[i];
    CHECK(run(row.op, {&in}, out, {attributes[0], attributes[1]}) == DA_OK, "attributes");
    for (int64_t i = 0; i < in.count(); ++i) {
        const Value x = in.get(i);
        const Value wanted = row.truth(x, row.attributes[0], row.attributes[1]);
        const double limit = dtype == DA_FLOAT16 || dtype == DA_BFLOAT16 ? 0.51 : row.wide;
        CHECK(ulp_distance(dtype, out.get(i), wanted) <= limit,
              "%s %s of %.9Lg gave %.9Lg not %.9Lg", op_facts()[row.op - 1].name, dtype_name(dtype),
              x, out.get(i), wanted);
    }
}

void pairs(unsigned op, unsigned dtype, Value (*truth)(Value, Value), double limit) {
    std::mt19937_64 random(op);
    Tensor x(dtype, {5003}), y(dtype, {5003}, kNegative), out(dtype, {5003});
    for (Tensor* t : {&x, &y})
        for (int64_t i = 0; i < t->count(); ++i)
            t->set(i,
                   rounded(dtype, std::ldexp(Value(int64_t(random())), int(random() % 12) - 69)));
    CHECK(run(op, {&x, &y}, out) == DA_OK, "pairs");
    for (int64_t i = 0; i < x.count(); ++i) {
        const Value wanted = truth(x.get(i), y.get(i));
        CHECK(ulp_distance(dtype, out.get(i), wanted) <= limit, "%s %s of %.9Lg, %.9Lg gave %.9Lg",
              op_facts()[op - 1].name, dtype_name(dtype), x.get(i), y.get(i), out.get(i));
    }
}

} // namespace

void test_functions() {
    for (const Row& row : kRows) {
        sweep(row, DA_FLOAT16);
        sweep(row, DA_BFLOAT16);
        sweep(row, DA_FLOAT32);
        doubles(row);
    }
    for (unsigned dtype = DA_FLOAT16; dtype <= DA_FLOAT64; ++dtype) {
        for (const Attributed& row : kAttributed) attributed(row, dtype);
        const double limit = dtype <= DA_BFLOAT16 ? 0.51 : 2;
        pairs(
            DA_OP_ATAN2, dtype, [](Value x, Value y) -> Value { return std::atan2(x, y); }, limit);
        pairs(
            DA_OP_HYPOT, dtype, [](Value x, Value y) -> Value { return std::hypot(x, y); }, limit);
        pairs(
            DA_OP_LOGADDEXP, dtype,
            [](Value x, Value y) -> Value {
                return std::fmax(x, y) + std::log1p(std::exp(-std::fabs(x - y)));
            },
            dtype <= DA_BFLOAT16 ? 0.51 : 3);
    }
}

} // namespace test
