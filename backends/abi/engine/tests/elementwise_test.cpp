// SPDX-License-Identifier: Apache-2.0
// Elementwise kernels: dtypes and casts, edge values, strides, broadcasting, overlap.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "sim.hpp"

using namespace sim;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
const float nan_value = std::numeric_limits<float>::quiet_NaN();

bool same(double a, double b) {
    return (a != a && b != b) || a == b;
}

template <class T, class R = T>
std::vector<R> apply(Unary op, DType compute, const std::vector<T>& in) {
    const auto n = static_cast<std::int64_t>(in.size());
    Tensor x = upload<T>(in, {n}), y = empty(dtype_of<R>(), {n});
    CHECK(run([=](TaskContext& c) { return unary(c, op, compute, x, y); }) == Status::ok);
    return download<R>(y);
}

template <class T, class R = T>
std::vector<R> apply(Binary op, DType compute, const std::vector<T>& a, const std::vector<T>& b,
                     Scalar alpha = Scalar(1)) {
    const auto n = static_cast<std::int64_t>(a.size());
    Tensor x = upload<T>(a, {n}), y = upload<T>(b, {n}), z = empty(dtype_of<R>(), {n});
    CHECK(run([=](TaskContext& c) { return binary(c, op, compute, x, y, z, alpha); }) ==
          Status::ok);
    return download<R>(z);
}

template <class T, class R>
std::vector<R> cast(const std::vector<T>& in) {
    const auto n = static_cast<std::int64_t>(in.size());
    Tensor x = upload<T>(in, {n}), y = empty(dtype_of<R>(), {n});
    CHECK(run([=](TaskContext& c) { return copy_tensor(c, x, y); }) == Status::ok);
    return download<R>(y);
}

} // namespace

TEST(unary_values) {
    fresh();
    const std::vector<float> v = {0.f, -0.f, 1.f, -2.5f, 3.f, 1e-30f, 88.f, inf, -inf, nan_value};
    const struct {
        Unary op;
        double (*reference)(double);
    } functions[] = {
        {Unary::exp, std::exp},     {Unary::log, std::log},     {Unary::sqrt, std::sqrt},
        {Unary::tanh, std::tanh},   {Unary::floor, std::floor}, {Unary::ceil, std::ceil},
        {Unary::trunc, std::trunc}, {Unary::abs, std::fabs},    {Unary::sin, std::sin},
        {Unary::cos, std::cos},     {Unary::log1p, std::log1p}, {Unary::expm1, std::expm1},
        {Unary::erf, std::erf},     {Unary::asinh, std::asinh}, {Unary::round, std::nearbyint}};
    for (const auto& f : functions) {
        const auto got = apply(f.op, DType::f32, v);
        for (std::size_t i = 0; i < v.size(); ++i)
            CHECK(same(got[i], static_cast<float>(f.reference(double(v[i])))));
    }
    const auto sign = apply(Unary::sign, DType::f32, v);
    const float signs[] = {0, 0, 1, -1, 1, 1, 1, 1, -1, nan_value};
    for (std::size_t i = 0; i < v.size(); ++i) CHECK(same(sign[i], signs[i]));
    CHECK((apply<float, std::uint8_t>(Unary::isnan, DType::f32, v) ==
           std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
    CHECK((apply<float, std::uint8_t>(Unary::logical_not, DType::f32, v) ==
           std::vector<std::uint8_t>{1, 1, 0, 0, 0, 0, 0, 0, 0, 0}));
    CHECK((apply<float, std::uint8_t>(Unary::isfinite, DType::f32, v) ==
           std::vector<std::uint8_t>{1, 1, 1, 1, 1, 1, 1, 0, 0, 0}));
    CHECK(std::signbit(apply(Unary::neg, DType::f32, v)[0]));
}

TEST(integers_wrap) {
    fresh();
    using I8 = std::vector<std::int8_t>;
    CHECK((apply(Unary::neg, DType::i8, I8{-128, 5, 0}) == I8{-128, -5, 0}));
    CHECK((apply(Unary::abs, DType::i8, I8{-128, -5, 7}) == I8{-128, 5, 7}));
    CHECK((apply(Binary::add, DType::i8, I8{127, -128}, I8{1, -1}) == I8{-128, 127}));
    CHECK((apply(Binary::mul, DType::i8, I8{100, -128}, I8{3, -1}) == I8{44, -128}));
    CHECK((apply(Binary::div, DType::i8, I8{-7, 7, 1, -128}, I8{2, -2, 0, -1}) ==
           I8{-3, -3, 0, -128}));
    CHECK((apply(Binary::floor_div, DType::i8, I8{-7, 7, 1, -8}, I8{2, -2, 0, 2}) ==
           I8{-4, -4, 0, -4}));
    CHECK((apply(Binary::remainder, DType::i8, I8{-7, 7, 1}, I8{3, -3, 0}) == I8{2, -2, 0}));
    CHECK((apply(Binary::pow, DType::i8, I8{3, -2, 0, 2, -1}, I8{4, 3, 0, -1, -3}) ==
           I8{81, -8, 1, 0, -1}));
    CHECK((apply(Binary::shift_left, DType::i8, I8{1, 1}, I8{7, 100}) == I8{-128, 0}));
    CHECK((apply(Binary::shift_right, DType::i8, I8{-128, 64}, I8{100, 3}) == I8{-1, 8}));
    CHECK((apply(Unary::bitwise_not, DType::i8, I8{0, 5}) == I8{-1, -6}));
    using U8 = std::vector<std::uint8_t>;
    CHECK((apply(Binary::sub, DType::u8, U8{1, 5}, U8{2, 5}) == U8{255, 0}));
    CHECK((apply(Unary::neg, DType::u8, U8{1}) == U8{255}));
    CHECK((apply<std::uint8_t, std::int32_t>(Binary::sub, DType::i32, U8{1}, U8{2})[0] == -1));
    using I64 = std::vector<std::int64_t>;
    const std::int64_t lowest = std::numeric_limits<std::int64_t>::min(), big = (1ll << 53) + 1;
    CHECK((apply(Binary::add, DType::i64, I64{lowest, big}, I64{-1, 0}) ==
           I64{std::numeric_limits<std::int64_t>::max(), big}));
    CHECK((apply(Binary::div, DType::i64, I64{lowest}, I64{-1}) == I64{lowest}));
    CHECK((apply<std::int64_t, std::uint8_t>(Binary::eq, DType::i64, I64{big}, I64{big - 1})[0] ==
           0));
    CHECK((apply(Binary::add, DType::i64, I64{1}, I64{2}, Scalar(3)) == I64{7}));
}

TEST(float_binary_values) {
    fresh();
    using F = std::vector<float>;
    const F a = {1, nan_value, 2, -0.f, inf}, b = {nan_value, 1, 3, 0.f, -inf};
    const F high = apply(Binary::max, DType::f32, a, b), low = apply(Binary::min, DType::f32, a, b);
    CHECK(high[0] != high[0] && high[1] != high[1] && high[2] == 3 && high[4] == inf);
    CHECK(low[0] != low[0] && low[1] != low[1] && low[2] == 2 && low[4] == -inf);
    CHECK((apply<float, std::uint8_t>(Binary::lt, DType::f32, a, b) ==
           std::vector<std::uint8_t>{0, 0, 1, 0, 0}));
    CHECK((apply<float, std::uint8_t>(Binary::ne, DType::f32, a, b) ==
           std::vector<std::uint8_t>{1, 1, 1, 0, 1}));
    CHECK((apply<float, std::uint8_t>(Binary::logical_and, DType::f32, a, b) ==
           std::vector<std::uint8_t>{1, 1, 1, 0, 1}));
    const F p = apply(Binary::pow, DType::f32, F{2, -8, 0, nan_value}, F{10, 1.0f / 3, 0, 0});
    CHECK(p[0] == 1024 && p[1] != p[1] && p[2] == 1 && p[3] == 1);
    const F r = apply(Binary::remainder, DType::f32, F{-7, 7, 5}, F{3, -3, 0});
    CHECK(r[0] == 2 && r[1] == -2 && r[2] != r[2]);
    const F q = apply(Binary::floor_div, DType::f32, F{-7, 7, 5}, F{3, -3, 0});
    CHECK(q[0] == -3 && q[1] == -3 && q[2] == inf);
    CHECK(apply(Binary::sub, DType::f32, F{1}, F{2}, Scalar(0.5))[0] == 0);
    CHECK(apply(Binary::div, DType::f32, F{1}, F{3})[0] == 1.0f / 3.0f);
    // Rounded to float, not kept in double.
    CHECK(apply(Binary::add, DType::f32, F{16777216}, F{1})[0] == 16777216);
}

TEST(booleans) {
    fresh();
    auto tensor = [](const std::vector<std::uint8_t>& v) {
        Tensor t = upload<std::uint8_t>(v, {static_cast<std::int64_t>(v.size())});
        t.dtype = DType::boolean;
        return t;
    };
    Tensor a = tensor({0, 0, 1, 1}), b = tensor({0, 1, 0, 1});
    const struct {
        Binary op;
        std::vector<std::uint8_t> want;
    } table[] = {{Binary::add, {0, 1, 1, 1}},         {Binary::mul, {0, 0, 0, 1}},
                 {Binary::bitwise_xor, {0, 1, 1, 0}}, {Binary::max, {0, 1, 1, 1}},
                 {Binary::le, {1, 1, 0, 1}},          {Binary::logical_or, {0, 1, 1, 1}}};
    for (const auto& row : table) {
        Tensor z = empty(DType::boolean, {4});
        CHECK(run([=](TaskContext& c) { return binary(c, row.op, DType::boolean, a, b, z); }) ==
              Status::ok);
        CHECK(download<std::uint8_t>(z) == row.want);
    }
    Tensor z = empty(DType::boolean, {4});
    CHECK(run([=](TaskContext& c) { return unary(c, Unary::bitwise_not, DType::boolean, a, z); }) ==
          Status::ok);
    CHECK((download<std::uint8_t>(z) == std::vector<std::uint8_t>{1, 1, 0, 0}));
}

TEST(casts) {
    fresh();
    using I32 = std::vector<std::int32_t>;
    CHECK((cast<float, std::int32_t>({1.9f, -1.9f, 0.5f, -0.f}) == I32{1, -1, 0, 0}));
    CHECK((cast<float, std::int32_t>({nan_value, 3e9f, -inf}) ==
           I32{INT32_MIN, INT32_MIN, INT32_MIN}));
    CHECK((cast<double, std::uint8_t>({-1.0, 257.0, 255.9}) ==
           std::vector<std::uint8_t>{255, 1, 255}));
    CHECK((cast<double, std::uint64_t>({18446744073709549568.0, 1e19}) ==
           std::vector<std::uint64_t>{18446744073709549568ull, 10000000000000000000ull}));
    CHECK((cast<std::int32_t, std::int8_t>({128, -129, 256}) ==
           std::vector<std::int8_t>{-128, 127, 0}));
    CHECK((cast<std::int64_t, float>({(1ll << 24) + 1, -1})[0] == 16777216.f));
    CHECK((cast<std::int8_t, std::uint64_t>({-1})[0] == UINT64_MAX));
    Tensor f = upload<float>({0.f, -0.f, 0.5f, nan_value}, {4}), b = empty(DType::boolean, {4});
    CHECK(run([=](TaskContext& c) { return copy_tensor(c, f, b); }) == Status::ok);
    CHECK((download<std::uint8_t>(b) == std::vector<std::uint8_t>{0, 0, 1, 1}));
    CHECK((cast<std::uint8_t, double>({0, 200}) == std::vector<double>{0, 200}));
}

TEST(half_precision_conversions) {
    for (std::uint32_t h = 0; h < 65536; ++h) { // all of them, against the compiler's own type
        const auto half = static_cast<std::uint16_t>(h);
        _Float16 reference;
        std::memcpy(&reference, &half, 2);
        const float f = f16_to_f32(half);
        CHECK(same(f, static_cast<float>(reference)));
        if (f == f) CHECK(f32_to_f16(f) == half);
        const float g = bf16_to_f32(half);
        if (g == g) CHECK(f32_to_bf16(g) == half);
    }
    std::mt19937 random(1);
    for (int i = 0; i < 300000; ++i) {
        std::uint32_t bits = random();
        if (i % 2) bits = (bits & 0x81ffffffu) + (112u << 23) - (13u << 23); // near the half range
        float f;
        std::memcpy(&f, &bits, 4);
        if (f != f) continue;
        const _Float16 reference = static_cast<_Float16>(f);
        std::uint16_t want;
        std::memcpy(&want, &reference, 2);
        CHECK(f32_to_f16(f) == want);
        // bfloat16: no other one is nearer.
        const std::uint16_t got = f32_to_bf16(f);
        if (std::isinf(bf16_to_f32(got))) continue;
        for (int d : {-1, 1}) {
            const float other = bf16_to_f32(static_cast<std::uint16_t>(got + d));
            const double mine = std::fabs(double(bf16_to_f32(got)) - f),
                         theirs = std::fabs(double(other) - f);
            if (other == other) CHECK(mine < theirs || (mine == theirs && !(got & 1)));
        }
    }
}

TEST(double_to_half_rounds_once) {
    fresh();
    // Just above the midpoint of 1 and its successor in float16; rounding to float first would lose
    // that.
    const double x = 1 + 0x1p-11 + 0x1p-40, y = 1 + 0x1p-8 + 0x1p-40;
    Tensor d = upload<double>({x, -x, 65520, 65519.99, 0x1p-25, 0x1.8p-24, 0x1.1p-25}, {7});
    Tensor h = empty(DType::f16, {7}), one = upload<double>({y}, {1}), b = empty(DType::bf16, {1});
    CHECK(run([=](TaskContext& c) {
              const Status s = copy_tensor(c, d, h);
              return s == Status::ok ? copy_tensor(c, one, b) : s;
          }) == Status::ok);
    std::vector<std::uint16_t> got(7);
    CHECK(copy(got.data(), pointer(h.data), 14) == Status::ok);
    CHECK((got == std::vector<std::uint16_t>{0x3c01, 0xbc01, 0x7c00, 0x7bff, 0, 2, 1}));
    std::uint16_t brain = 0;
    CHECK(copy(&brain, pointer(b.data), 2) == Status::ok && brain == 0x3f81);
}

TEST(half_arithmetic_is_rounded_once) {
    fresh();
    const std::vector<std::int64_t> shape = {2000};
    std::mt19937 random(2);
    std::vector<std::uint16_t> a(2000), b(2000), got(2000);
    for (auto* v : {&a, &b})
        for (auto& x : *v) x = f32_to_f16(std::uniform_real_distribution<float>(-100, 100)(random));
    Tensor x = empty(DType::f16, shape), y = empty(DType::f16, shape), z = empty(DType::f16, shape);
    CHECK(copy(pointer(x.data), a.data(), 4000) == Status::ok);
    CHECK(copy(pointer(y.data), b.data(), 4000) == Status::ok);
    CHECK(run([=](TaskContext& c) { return binary(c, Binary::mul, DType::f16, x, y, z); }) ==
          Status::ok);
    CHECK(copy(got.data(), pointer(z.data), 4000) == Status::ok);
    for (std::size_t i = 0; i < 2000; ++i)
        CHECK(got[i] == f32_to_f16(f16_to_f32(a[i]) * f16_to_f32(b[i])));
    // Computed in float16 although the result is float32.
    Tensor wide = empty(DType::f32, shape);
    CHECK(run([=](TaskContext& c) { return binary(c, Binary::mul, DType::f16, x, y, wide); }) ==
          Status::ok);
    const auto floats = download<float>(wide);
    for (std::size_t i = 0; i < 2000; ++i) CHECK(same(floats[i], f16_to_f32(got[i])));
}

TEST(strides_and_broadcast) {
    fresh();
    std::mt19937 random(3);
    auto number = [&](int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(random);
    };
    for (int round = 0; round < 300; ++round) {
        const int rank = number(0, 5);
        std::int64_t shape[5], strides[2][5];
        for (int i = 0; i < rank; ++i) shape[i] = number(round % 10 ? 1 : 0, 4);
        // Two views into a buffer of random floats, with any strides (0 and negative too).
        std::vector<float> buffer(4000);
        for (auto& v : buffer) v = static_cast<float>(number(-50, 50));
        Tensor store = upload<float>(buffer, {4000});
        Tensor view[2];
        std::int64_t offset[2];
        for (int k = 0; k < 2; ++k) {
            for (int i = 0; i < rank; ++i) strides[k][i] = number(-40, 40);
            offset[k] = 2000 + number(0, 9);
            view[k] = Tensor(DType::f32, store.data + static_cast<std::uintptr_t>(offset[k]) * 4,
                             rank, shape, strides[k]);
        }
        Tensor out(DType::f32, 0, rank, shape);
        out.data = allocate(static_cast<std::size_t>(out.numel()) * 4 + 4);
        CHECK(run([=](TaskContext& c) {
                  return binary(c, Binary::sub, DType::f32, view[0], view[1], out);
              }) == Status::ok);
        const auto got = download<float>(out);
        for (std::size_t n = 0; n < got.size(); ++n) {
            std::int64_t rest = static_cast<std::int64_t>(n), at[2] = {offset[0], offset[1]};
            for (int i = rank - 1; i >= 0; --i) {
                for (int k = 0; k < 2; ++k) at[k] += rest % shape[i] * strides[k][i];
                rest /= shape[i];
            }
            CHECK(got[n] == buffer[static_cast<std::size_t>(at[0])] -
                                buffer[static_cast<std::size_t>(at[1])]);
        }
        CHECK(mem_free(store.data) == Status::ok && mem_free(out.data) == Status::ok);
    }
    Tensor row = upload<float>({1, 2, 3}, {3}), column = upload<float>({10, 20}, {2, 1}),
           sum = empty(DType::f32, {2, 3});
    CHECK(run([=](TaskContext& c) {
              return binary(c, Binary::add, DType::f32, row, column, sum);
          }) == Status::ok);
    CHECK((download<float>(sum) == std::vector<float>{11, 12, 13, 21, 22, 23}));
    Tensor bad = empty(DType::f32, {2, 4});
    CHECK(run([=](TaskContext& c) {
              return binary(c, Binary::add, DType::f32, row, column, bad);
          }) == Status::invalid_value);
    CHECK(contains(last_message(), "(3) does not broadcast"));
}

TEST(overlapping_copy_and_in_place) {
    fresh();
    Tensor all = upload<int>({0, 1, 2, 3, 4, 5}, {6});
    Tensor from = all, to = all, backwards = all;
    from.shape[0] = to.shape[0] = 5;
    to.data += 4;
    CHECK(run([=](TaskContext& c) { return copy_tensor(c, from, to); }) == Status::ok);
    CHECK((download<int>(all) == std::vector<int>{0, 0, 1, 2, 3, 4}));
    backwards.data += 20;
    backwards.strides[0] = -1;
    CHECK(run([=](TaskContext& c) { return copy_tensor(c, backwards, all); }) == Status::ok);
    CHECK((download<int>(all) == std::vector<int>{4, 3, 2, 1, 0, 0}));
    CHECK(run([=](TaskContext& c) { return binary(c, Binary::add, DType::i32, all, all, all); }) ==
          Status::ok);
    CHECK((download<int>(all) == std::vector<int>{8, 6, 4, 2, 0, 0}));
}

TEST(where_fill_arange) {
    fresh();
    Tensor c = upload<float>({0, nan_value, 2, -0.f}, {4}), a = upload<int>({1, 2, 3, 4}, {4}),
           b = upload<int>({-1}, {1});
    Tensor out = empty(DType::i32, {4}), line = empty(DType::i64, {5}),
           half = empty(DType::f32, {3});
    Tensor strided = empty(DType::i32, {6});
    CHECK(run([=](TaskContext& ctx) { return where(ctx, c, a, b, out); }) == Status::ok);
    CHECK((download<int>(out) == std::vector<int>{-1, 2, 3, -1}));
    CHECK(run([=](TaskContext& ctx) { return arange(ctx, Scalar(10), Scalar(-3), line); }) ==
          Status::ok);
    CHECK((download<std::int64_t>(line) == std::vector<std::int64_t>{10, 7, 4, 1, -2}));
    CHECK(run([=](TaskContext& ctx) { return arange(ctx, Scalar(0.0), Scalar(0.1), half); }) ==
          Status::ok);
    CHECK((download<float>(half) == std::vector<float>{0.f, 0.1f, static_cast<float>(2 * 0.1)}));
    CHECK(run([=](TaskContext& ctx) {
              Status s = fill(ctx, Scalar(7), strided);
              Tensor even = strided;
              even.shape[0] = 3;
              even.strides[0] = 2;
              return s == Status::ok ? fill(ctx, Scalar(-1.9), even) : s;
          }) == Status::ok);
    CHECK((download<int>(strided) == std::vector<int>{-1, 7, -1, 7, -1, 7}));
}

TEST(unsupported_is_refused) {
    fresh();
    Tensor x = upload<int>({1}, {1}), y = empty(DType::i32, {1});
    CHECK(run([=](TaskContext& c) { return unary(c, Unary::exp, DType::i32, x, y); }) ==
          Status::not_supported);
    CHECK(contains(last_message(), "int32"));
    CHECK(run([=](TaskContext& c) {
              return binary(c, Binary::bitwise_and, DType::f32, x, x, y);
          }) == Status::not_supported);
    // A host address is not an operand.
    int local = 0;
    Tensor host(DType::i32, reinterpret_cast<std::uintptr_t>(&local), {1});
    CHECK(run([=](TaskContext& c) { return copy_tensor(c, host, y); }) == Status::invalid_address);
    CHECK(contains(last_message(), "host memory"));
}

int main(int argc, char** argv) {
    return check::main(argc, argv);
}
