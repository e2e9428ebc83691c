// SPDX-License-Identifier: Apache-2.0
// Products and convolutions through the BLAS hook against the engine's own loops, which the hook's
// refusal leaves them to.
#include <cmath>
#include <cstring>
#include <random>

#include "sim.hpp"

using namespace sim;
using Floats = std::vector<float>;

namespace {

int calls = 0;

/// The product by its definition, in float.
bool plain(const Sgemm& p) {
    ++calls;
    for (std::int64_t i = 0; i < p.m; ++i)
        for (std::int64_t j = 0; j < p.n; ++j) {
            float sum = 0;
            for (std::int64_t x = 0; x < p.k; ++x)
                sum += p.a[p.a_transposed ? x * p.lda + i : i * p.lda + x] *
                       p.b[p.b_transposed ? j * p.ldb + x : x * p.ldb + j];
            p.c[i * p.ldc + j] = sum;
        }
    return true;
}

bool refuse(const Sgemm&) {
    return false;
}

Floats random_values(std::int64_t n, int seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    Floats v(static_cast<std::size_t>(n));
    for (float& x : v) x = static_cast<float>(int(random() % 17) - 8); // products are exact
    return v;
}

Tensor of_type(const Tensor& t, DType d) {
    Tensor out = empty(d, std::vector<std::int64_t>(t.shape, t.shape + t.rank));
    CHECK(run([=](TaskContext& c) { return copy_tensor(c, t, out); }) == Status::ok);
    return out;
}

Floats values_of(const Tensor& t) {
    return download<float>(of_type(t, DType::f32));
}

template <class F>
bool same_both_ways(const Tensor& out, F kernel) {
    set_sgemm_hook(plain);
    CHECK(run(kernel) == Status::ok);
    const Floats by_hook = values_of(out);
    CHECK(run([=](TaskContext& c) { return fill(c, Scalar(77), out); }) == Status::ok);
    set_sgemm_hook(refuse);
    CHECK(run(kernel) == Status::ok);
    const Floats by_loop = values_of(out);
    set_sgemm_hook(nullptr);
    return by_hook == by_loop;
}

} // namespace

TEST(products_of_all_layouts) {
    fresh();
    for (const DType d : {DType::f32, DType::f16, DType::bf16})
        for (int layout = 0; layout < 16; ++layout) {
            const std::int64_t m = layout & 1 ? 5 : 70, n = layout & 2 ? 3 : 66, k = 9;
            Tensor a = of_type(upload<float>(random_values(2 * m * k, 1), {2, m, k}), d),
                   b = of_type(upload<float>(random_values(k * n, 2), {k, n}), d),
                   c = upload<float>(random_values(m * n, 3), {m, n});
            if (layout & 4)
                a = of_type(upload<float>(random_values(2 * m * k, 4), {2, k, m}), d)
                        .transposed(-2, -1);
            if (layout & 8)
                b = of_type(upload<float>(random_values(k * n, 5), {n, k}), d).transposed(-2, -1);
            const Tensor out = empty(d, {2, m, n});
            CHECK(same_both_ways(out, [=](TaskContext& t) { return matmul(t, d, a, b, out); }));
            CHECK(same_both_ways(
                out, [=](TaskContext& t) { return matmul(t, d, a, b, out, 2, 3, &c); }));
        }
    CHECK(calls > 0);
}

TEST(products_of_views) {
    fresh();
    Tensor whole = upload<float>(random_values(12 * 12, 6), {12, 12});
    Tensor every_second = whole; // neither rows nor columns run together
    every_second.shape[0] = every_second.shape[1] = 6;
    every_second.strides[0] = 24;
    every_second.strides[1] = 2;
    Tensor repeated = whole; // one row, again and again
    repeated.strides[0] = 0;
    Tensor out = empty(DType::f32, {6, 12});
    Tensor part = whole;
    part.shape[0] = 6;
    CHECK(same_both_ways(
        out, [=](TaskContext& t) { return matmul(t, DType::f32, every_second, part, out); }));
    out = empty(DType::f32, {12, 12});
    CHECK(same_both_ways(
        out, [=](TaskContext& t) { return matmul(t, DType::f32, repeated, whole, out); }));
    CHECK(same_both_ways(out, [=](TaskContext& t) {
        return matmul(t, DType::f32, whole, whole.transposed(0, 1), out);
    }));
    // Into its own operand: as if that had been copied first.
    const Floats before = values_of(whole);
    set_sgemm_hook(plain);
    CHECK(run([=](TaskContext& t) { return matmul(t, DType::f32, whole, whole, out); }) ==
          Status::ok);
    const Floats want = values_of(out);
    CHECK(run([=](TaskContext& t) { return matmul(t, DType::f32, whole, whole, whole); }) ==
          Status::ok);
    set_sgemm_hook(nullptr);
    CHECK(values_of(whole) == want);
    CHECK(before != want);
}

TEST(convolutions_both_ways) {
    fresh();
    struct Case {
        std::vector<std::int64_t> x, w, y;
        std::int64_t stride, pad, dilation, groups;
    };
    const Case cases[] = {
        {{2, 3, 11}, {8, 3, 3}, {2, 8, 11}, 1, 1, 1, 1},
        {{2, 4, 30}, {8, 2, 4}, {2, 8, 8}, 4, 2, 1, 2},
        {{1, 3, 9, 7}, {5, 3, 3, 3}, {1, 5, 9, 7}, 1, 1, 1, 1},
        {{3, 6, 9, 9}, {12, 2, 3, 3}, {3, 12, 4, 4}, 2, 1, 1, 3},
        {{1, 4, 8, 8}, {6, 4, 1, 1}, {1, 6, 8, 8}, 1, 0, 1, 1},
        {{1, 4, 8, 8}, {6, 4, 3, 3}, {1, 6, 8, 8}, 1, 2, 2, 1},
        {{2, 4, 6, 6}, {4, 1, 3, 3}, {2, 4, 6, 6}, 1, 1, 1, 4},   // each channel alone
        {{1, 4, 3, 3}, {4, 4, 2, 2}, {1, 4, 12, 12}, 1, 5, 1, 1}, // mostly outside
        {{1, 2, 5, 6, 7}, {4, 2, 2, 3, 2}, {1, 4, 3, 2, 4}, 2, 1, 1, 1},
        {{1, 1, 70000}, {4, 1, 3}, {1, 4, 70000}, 1, 1, 1, 1}, // rows in parts
    };
    for (const DType d : {DType::f32, DType::bf16})
        for (const Case& q : cases) {
            std::int64_t nx = 1, nw = 1;
            for (auto s : q.x) nx *= s;
            for (auto s : q.w) nw *= s;
            const Tensor x = of_type(upload<float>(random_values(nx, 7), q.x), d),
                         w = of_type(upload<float>(random_values(nw, 8), q.w), d),
                         b = upload<float>(random_values(q.w[0], 9), {q.w[0]});
            Window window;
            for (std::size_t i = 3 - (q.x.size() - 2); i < 3; ++i) {
                window.stride[i] = q.stride;
                window.pad[i] = q.pad;
                window.dilation[i] = q.dilation;
            }
            const Tensor out = empty(d, q.y);
            CHECK(same_both_ways(out, [=](TaskContext& c) {
                return convolution(c, x, w, &b, window, q.groups, out);
            }));
        }
}

TEST(an_infinite_weight_meets_no_zeros_outside) {
    fresh();
    const float inf = INFINITY;
    const Tensor x = upload<float>(Floats(8, 1), {1, 1, 8}),
                 w = upload<float>(Floats(12, inf), {4, 1, 3}), out = empty(DType::f32, {1, 4, 8});
    Window window;
    window.pad[2] = 1;
    set_sgemm_hook(plain);
    CHECK(run([=](TaskContext& c) { return convolution(c, x, w, nullptr, window, 1, out); }) ==
          Status::ok);
    set_sgemm_hook(nullptr);
    for (const float v : download<float>(out)) CHECK(v == inf);
}

TEST(all_halves) {
    fresh();
    std::vector<std::uint16_t> raw;
    for (std::uint32_t i = 0; i < 65536; ++i) raw.push_back(static_cast<std::uint16_t>(i));
    for (const std::uint16_t h : raw) {
        const int exponent = (h >> 10) & 31, mantissa = h & 1023;
        const float size = exponent == 31  ? (mantissa ? NAN : INFINITY)
                           : exponent == 0 ? std::ldexp(float(mantissa), -24)
                                           : std::ldexp(float(mantissa + 1024), exponent - 25);
        const float got = f16_to_f32(h), want = h & 0x8000 ? -size : size;
        CHECK(got == want || (got != got && want != want));
        CHECK(std::signbit(got) == ((h & 0x8000) != 0));
        if (got == got) CHECK(f32_to_f16(got) == h);
        if (got != got || exponent == 31) continue;
        // Halfway to the next one rounds to even, a little more or less to the nearer one.
        const float step = std::ldexp(1.0f, std::max(exponent, 1) - 25), half = size + step / 2;
        const auto up = static_cast<std::uint16_t>((h & 0x7fff) + 1),
                   down = static_cast<std::uint16_t>(h & 0x7fff);
        CHECK(f32_to_f16(half) == (h & 1 ? up : down));
        CHECK(f32_to_f16(std::nextafter(half, INFINITY)) == up);
        CHECK(f32_to_f16(std::nextafter(half, 0.0f)) == down);
    }
}

int main(int argc, char** argv) {
    return check::main(argc, argv);
}
