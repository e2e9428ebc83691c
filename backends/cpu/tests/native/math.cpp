// SPDX-License-Identifier: Apache-2.0
// Accuracy of exp, log, tanh and pow, in units in the last place, and independence of position.
#include <cmath>
#include <cstring>

#include "support.hpp"

namespace test {
namespace {

Value truth(unsigned op, Value x) {
    switch (op) {
    case DA_OP_EXP: return std::exp(x);
    case DA_OP_LOG: return x < 0 ? std::nanl("") : std::log(x);
    default: return std::tanh(x);
    }
}

struct Worst {
    double distance = 0;
    Value at = 0;
};

void compare(unsigned op, const Tensor& in, const Tensor& out, Worst* worst) {
    for (int64_t i = 0; i < in.count(); ++i) {
        const Value x = in.get(i), got = out.get(i), wanted = truth(op, x);
        const double distance = ulp_distance(in.dtype, got, wanted);
        if (distance > worst->distance) *worst = {distance, x};
        const bool sign_kept = op != DA_OP_TANH || got != 0 || std::signbit(got) == std::signbit(x);
        CHECK(sign_kept, "tanh of %Lg lost the sign of zero", x);
    }
}

// All bit patterns of a 16-bit type; every `step`-th one of float32.
void sweep(unsigned op, unsigned dtype, double limit) {
    Worst worst;
    const uint64_t all = uint64_t(1) << (8 * dtype_size(dtype));
    const uint64_t step = dtype == DA_FLOAT32 ? 4001 : 1;
    constexpr int64_t block = 65536;
    Tensor in(dtype, {block}), out(dtype, {block});
    for (uint64_t bits = 0; bits < all;) {
        for (int64_t i = 0; i < block; ++i, bits += step) {
            const uint64_t pattern = bits < all ? bits : 0;
            std::memcpy(&in.memory[size_t(in.offset_of(i)) * in.size], &pattern, in.size);
        }
        CHECK(run(op, {&in}, out) == DA_OK, "sweep");
        compare(op, in, out, &worst);
    }
    std::printf("  %-4s %-8s worst %.3f ulp at %.9Lg\n", op_facts()[op - 1].name, dtype_name(dtype),
                worst.distance, worst.at);
    CHECK(worst.distance <= limit, "%s %s: %.3f ulp at %.9Lg", op_facts()[op - 1].name,
          dtype_name(dtype), worst.distance, worst.at);
}

void doubles(unsigned op, double limit) {
    std::mt19937_64 random(op);
    Worst worst;
    Tensor in(DA_FLOAT64, {20000}), out(DA_FLOAT64, {20000});
    for (int64_t i = 0; i < in.count(); ++i) {
        const Value x = std::ldexp(Value(int64_t(random())), int(random() % 75) - 128 + 56);
        in.set(i, x);
    }
    in.set(0, 0.0L), in.set(1, -0.0L), in.set(2, INFINITY), in.set(3, -INFINITY), in.set(4, NAN);
    CHECK(run(op, {&in}, out) == DA_OK, "doubles");
    compare(op, in, out, &worst);
    CHECK(worst.distance <= limit, "%s float64: %.3f ulp at %.17Lg", op_facts()[op - 1].name,
          worst.distance, worst.at);
}

void power(unsigned dtype, double limit) {
    std::mt19937_64 random(dtype);
    Tensor x(dtype, {20000}), y(dtype, {20000}), out(dtype, {20000});
    for (int64_t i = 0; i < x.count(); ++i) {
        x.set(i, rounded(dtype, std::ldexp(Value(random() >> 8), int(random() % 16) - 62)));
        y.set(i, rounded(dtype, std::ldexp(Value(int64_t(random())), int(random() % 6) - 62)));
        if (i % 7 == 0) x.set(i, -x.get(i));
        if (i % 3 == 0) y.set(i, Value(int64_t(random() % 9) - 4));
    }
    const Value edges[][2] = {{NAN, 0}, {1, NAN},   {1, INFINITY},
                              {0, -1},  {-2, 0.5L}, {INFINITY, -1}};
    for (int64_t i = 0; i < 6; ++i) x.set(i, edges[i][0]), y.set(i, edges[i][1]);
    CHECK(run(DA_OP_POW, {&x, &y}, out) == DA_OK, "pow");
    for (int64_t i = 0; i < x.count(); ++i) {
        const Value wanted = std::pow(x.get(i), y.get(i));
        CHECK(ulp_distance(dtype, out.get(i), wanted) <= limit,
              "pow %s: %Lg to %Lg gave %Lg, not %Lg", dtype_name(dtype), x.get(i), y.get(i),
              out.get(i), wanted);
    }
}

void squares(unsigned dtype) {
    std::mt19937_64 random(dtype);
    Tensor x(dtype, {100}), two(dtype, {100}), out(dtype, {100});
    x.randomise(random);
    two.repeat(0);
    two.set(0, 2);
    CHECK(run(DA_OP_POW, {&x, &two}, out) == DA_OK, "pow");
    for (int64_t i = 0; i < 100; ++i) {
        const double value = double(x.get(i)); // its square is exact in double, or rounded once
        CHECK(ulp_distance(dtype, out.get(i), rounded(dtype, value * value)) == 0,
              "%g squared gave %Lg", value, out.get(i));
    }
}

// Every element gives the same bits wherever it stands, and in any layout.
void same_everywhere(unsigned op) {
    std::mt19937_64 random(op);
    Tensor in(DA_FLOAT32, {203});
    in.randomise(random);
    for (int64_t i = 0; i < in.count(); i += 3) in.set(i, std::fabs(in.get(i)) + 0.1L * Value(i));
    Tensor whole(DA_FLOAT32, {203}), sliced_in(DA_FLOAT32, {203}, kSliced),
        sliced(DA_FLOAT32, {203}, kNegative);
    for (int64_t i = 0; i < in.count(); ++i) sliced_in.set(i, in.get(i));
    CHECK(run(op, {&in}, whole) == DA_OK && run(op, {&sliced_in}, sliced) == DA_OK, "run");
    for (int64_t i = 0; i < in.count(); ++i) {
        Tensor one(DA_FLOAT32, {1}), result(DA_FLOAT32, {1});
        one.set(0, in.get(i));
        CHECK(run(op, {&one}, result) == DA_OK, "run");
        for (const Tensor* t : {&whole, &sliced})
            CHECK(std::memcmp(&t->memory[size_t(t->offset_of(i)) * 4], &result.memory[8], 4) == 0,
                  "%s of %Lg depends on its place", op_facts()[op - 1].name, in.get(i));
    }
}

} // namespace

void test_math() {
    for (const unsigned op : {DA_OP_EXP, DA_OP_LOG, DA_OP_TANH}) {
        sweep(op, DA_FLOAT16, 0.51);
        sweep(op, DA_BFLOAT16, 0.51);
        sweep(op, DA_FLOAT32, op == DA_OP_TANH ? 2.0 : 1.0);
        doubles(op, 2.5);
        same_everywhere(op);
    }
    for (unsigned dtype = DA_FLOAT16; dtype <= DA_FLOAT64; ++dtype) squares(dtype);
    power(DA_FLOAT16, 0.51);
    power(DA_BFLOAT16, 0.51);
    power(DA_FLOAT32, 0.51);
    power(DA_FLOAT64, 1.0);
}

} // namespace test
