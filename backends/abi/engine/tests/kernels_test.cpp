// SPDX-License-Identifier: Apache-2.0
// Reductions, arg-reductions, scans, matrix products, indexing, random bits.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>

#include "sim.hpp"

using namespace sim;

namespace {

const float nan_value = std::numeric_limits<float>::quiet_NaN();
using Shape = std::vector<std::int64_t>;

std::vector<float> normal(std::size_t n, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> d;
    std::vector<float> v(n);
    for (auto& x : v) x = d(random);
    return v;
}

template <class T, class R = T>
std::vector<R> reduced(Reduce op, DType compute, const Tensor& in, const Shape& axes,
                       const Shape& out_shape) {
    Tensor out = empty(dtype_of<R>(), out_shape);
    CHECK(run([=](TaskContext& c) {
              return reduce(c, op, compute, in, axes.data(), static_cast<int>(axes.size()), out);
          }) == Status::ok);
    return download<R>(out);
}

/// Largest difference from a product in double, relative to the size of the terms.
double matmul_error(const std::vector<float>& a, const std::vector<float>& b,
                    const std::vector<float>& c, int m, int n, int k) {
    double worst = 0;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0, size = 0;
            for (int x = 0; x < k; ++x) {
                const double term = double(a[static_cast<std::size_t>(i * k + x)]) *
                                    double(b[static_cast<std::size_t>(x * n + j)]);
                sum += term;
                size += std::fabs(term);
            }
            worst =
                std::max(worst, std::fabs(double(c[static_cast<std::size_t>(i * n + j)]) - sum) /
                                    (size + 1e-30));
        }
    return worst;
}

} // namespace

TEST(sums) {
    fresh();
    Tensor x = upload<int>({1, 2, 3, 4, 5, 6}, {2, 3});
    CHECK((reduced<int>(Reduce::sum, DType::i32, x, {}, {}) == std::vector<int>{21}));
    CHECK((reduced<int>(Reduce::sum, DType::i32, x, {0}, {3}) == std::vector<int>{5, 7, 9}));
    CHECK((reduced<int>(Reduce::sum, DType::i32, x, {-1}, {2, 1}) == std::vector<int>{6, 15}));
    CHECK((reduced<int>(Reduce::prod, DType::i32, x, {1}, {2}) == std::vector<int>{6, 120}));
    CHECK((reduced<int, std::int64_t>(Reduce::sum, DType::i64, x, {0, 1}, {}) ==
           std::vector<std::int64_t>{21}));
    Tensor t = x.transposed(0, 1);
    CHECK((reduced<int>(Reduce::sum, DType::i32, t, {0}, {2}) == std::vector<int>{6, 15}));
    CHECK((reduced<int>(Reduce::max, DType::i32, t, {1}, {3}) == std::vector<int>{4, 5, 6}));
    Tensor bytes = upload<std::uint8_t>(std::vector<std::uint8_t>(3, 200), {3});
    CHECK((reduced<std::uint8_t>(Reduce::sum, DType::u8, bytes, {}, {})[0] == (600 & 255)));
    CHECK((reduced<std::uint8_t, std::uint64_t>(Reduce::sum, DType::u64, bytes, {}, {})[0] == 600));
    Tensor none = empty(DType::f32, {0, 2});
    CHECK((reduced<float>(Reduce::sum, DType::f32, none, {0}, {2}) == std::vector<float>{0, 0}));
    CHECK((reduced<float>(Reduce::prod, DType::f32, none, {0}, {2}) == std::vector<float>{1, 1}));
    Tensor out = empty(DType::f32, {2});
    CHECK(run([=](TaskContext& c) {
              const std::int64_t axis = 0;
              return reduce(c, Reduce::max, DType::f32, none, &axis, 1, out);
          }) == Status::invalid_value);
    CHECK(run([=](TaskContext& c) {
              const std::int64_t axis = 0;
              return reduce(c, Reduce::sum, DType::i32, x, &axis, 1, out);
          }) == Status::invalid_value); // wrong shape
    // Ten million times 0.1f: float accumulation would be far off.
    const std::int64_t n = 10000000;
    Tensor tenth = empty(DType::f32, {n});
    CHECK(run([=](TaskContext& c) { return fill(c, Scalar(0.1f), tenth); }) == Status::ok);
    CHECK((reduced<float>(Reduce::sum, DType::f32, tenth, {}, {})[0] ==
           static_cast<float>(double(0.1f) * double(n))));
}

TEST(reductions_of_many_shapes) {
    fresh();
    std::mt19937 random(4);
    for (int round = 0; round < 100; ++round) {
        Shape shape(static_cast<std::size_t>(1 + random() % 4)), result;
        std::size_t n = 1;
        for (auto& s : shape)
            n *= static_cast<std::size_t>(s = 1 + static_cast<std::int64_t>(random() % 6));
        Shape axes;
        for (std::size_t i = 0; i < shape.size(); ++i)
            if (random() % 2) axes.push_back(static_cast<std::int64_t>(i));
        if (axes.empty()) axes.push_back(0);
        for (std::size_t i = 0; i < shape.size(); ++i)
            result.push_back(
                std::count(axes.begin(), axes.end(), static_cast<std::int64_t>(i)) ? 1 : shape[i]);
        std::vector<int> v(n);
        for (auto& x : v) x = static_cast<int>(random() % 100) - 50;
        const auto got = reduced<int>(Reduce::sum, DType::i32, upload<int>(v, shape), axes, result);
        std::vector<int> want(got.size());
        for (std::size_t i = 0; i < n; ++i) {
            std::size_t rest = i, at = 0, step = 1;
            for (std::size_t a = shape.size(); a-- > 0;) {
                const std::size_t index = rest % static_cast<std::size_t>(shape[a]);
                rest /= static_cast<std::size_t>(shape[a]);
                if (result[a] != 1) at += index * step;
                step *= static_cast<std::size_t>(result[a]);
            }
            want[at] += v[i];
        }
        CHECK(got == want);
    }
}

TEST(maximum_and_arg) {
    fresh();
    Tensor x = upload<float>({1, 3, 3, nan_value, 5, nan_value, -1, -2, -3}, {3, 3});
    const auto high = reduced<float>(Reduce::max, DType::f32, x, {1}, {3});
    CHECK(high[0] == 3 && high[1] != high[1] && high[2] == -1);
    auto arg = [&](bool largest, int axis, const Shape& shape) {
        Tensor out = empty(DType::i64, shape);
        CHECK(run([=](TaskContext& c) { return arg_reduce(c, largest, x, axis, out); }) ==
              Status::ok);
        return download<std::int64_t>(out);
    };
    CHECK((arg(true, 1, {3}) == std::vector<std::int64_t>{1, 0, 0}));
    CHECK((arg(false, 1, {3, 1}) == std::vector<std::int64_t>{0, 0, 2}));
    CHECK((arg(true, 0, {3}) == std::vector<std::int64_t>{1, 1, 1}));
    CHECK((arg(true, all_axes, {}) == std::vector<std::int64_t>{3}));
    Tensor b = upload<std::uint8_t>({0, 1, 1}, {3});
    CHECK((reduced<std::uint8_t>(Reduce::any, DType::u8, b, {}, {})[0] == 1));
    CHECK((reduced<std::uint8_t>(Reduce::all, DType::u8, b, {}, {})[0] == 0));
}

TEST(scans) {
    fresh();
    Tensor x = upload<int>({1, 2, 3, 4, 5, 6}, {2, 3}), y = empty(DType::i32, {2, 3});
    CHECK(run([=](TaskContext& c) { return scan(c, Reduce::sum, DType::i32, x, 1, y); }) ==
          Status::ok);
    CHECK((download<int>(y) == std::vector<int>{1, 3, 6, 4, 9, 15}));
    CHECK(run([=](TaskContext& c) { return scan(c, Reduce::prod, DType::i32, x, 0, x); }) ==
          Status::ok);
    CHECK((download<int>(x) == std::vector<int>{1, 2, 3, 4, 10, 18}));
}

TEST(matrix_products) {
    fresh();
    for (const auto& [m, n, k] : {std::array<int, 3>{1, 1, 1},
                                  {5, 7, 3},
                                  {64, 128, 64},
                                  {33, 65, 1000},
                                  {4, 8, 0},
                                  {3, 0, 2}}) {
        const auto av = normal(static_cast<std::size_t>(m * k), 1),
                   bv = normal(static_cast<std::size_t>(k * n), 2);
        Tensor a = upload<float>(av, {m, k}), b = upload<float>(bv, {k, n}),
               c = empty(DType::f32, {m, n});
        CHECK(run([=](TaskContext& ctx) { return matmul(ctx, DType::f32, a, b, c); }) ==
              Status::ok);
        CHECK(matmul_error(av, bv, download<float>(c), m, n, k) < 1e-6);
    }
    // Transposed views, a batch with broadcasting, a term to add.
    Tensor a = upload<double>({1, 2, 3, 4, 5, 6}, {3, 2}),
           b = upload<double>({1, 0, 0, 1, 2, 0, 0, 2, 0, 1, 1, 0}, {3, 2, 2});
    Tensor v = upload<double>({7, 8, 9}, {3}), c = empty(DType::f64, {3, 2, 3});
    CHECK(run([=](TaskContext& ctx) {
              return matmul(ctx, DType::f64, b, a.transposed(0, 1), c, 2, 1, &v);
          }) == Status::ok);
    const auto got = download<double>(c);
    const double at[2][3] = {{1, 3, 5}, {2, 4, 6}}, add[3] = {7, 8, 9};
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            CHECK(got[i * 3 + j] == 2 * at[i][j] + add[j]);
            CHECK(got[6 + i * 3 + j] == 4 * at[i][j] + add[j]);
            CHECK(got[12 + i * 3 + j] == 2 * at[1 - i][j] + add[j]);
        }
    Tensor ia = upload<std::int8_t>({100, 100}, {1, 2}), ib = upload<std::int8_t>({2, 1}, {2, 1}),
           ic = empty(DType::i8, {1, 1});
    CHECK(run([=](TaskContext& ctx) { return matmul(ctx, DType::i8, ia, ib, ic); }) == Status::ok);
    CHECK(download<std::int8_t>(ic)[0] == 44); // 300 wraps
    CHECK(run([=](TaskContext& ctx) { return matmul(ctx, DType::f64, a, a, c); }) ==
          Status::invalid_value);
}

TEST(matrix_product_hook) {
    fresh();
    Tensor a = upload<float>({1, 2}, {1, 2}), b = upload<float>({3, 4}, {2, 1}),
           c = empty(DType::f32, {1, 1});
    static int calls = 0;
    set_sgemm_hook([](const Sgemm& p) {
        *p.c = 1234;
        return ++calls == 1;
    });
    for (float want : {1234.f, 11.f}) { // taken, then declined
        CHECK(run([=](TaskContext& ctx) { return matmul(ctx, DType::f32, a, b, c); }) ==
              Status::ok);
        CHECK(download<float>(c)[0] == want);
    }
    set_sgemm_hook(nullptr);
}

TEST(indexing) {
    fresh();
    Tensor x = upload<int>({0, 1, 2, 10, 11, 12}, {2, 3}),
           i = upload<std::int64_t>({2, -3, 1, 1}, {2, 2}), out = empty(DType::i32, {2, 2});
    CHECK(run([=](TaskContext& c) { return gather(c, x, 1, i, out); }) == Status::ok);
    CHECK((download<int>(out) == std::vector<int>{2, 0, 11, 11}));
    Tensor rows = upload<int>({1, 0, 1}, {3}), picked = empty(DType::i32, {3, 3});
    CHECK(run([=](TaskContext& c) { return take(c, x, 0, rows, picked); }) == Status::ok);
    CHECK((download<int>(picked) == std::vector<int>{10, 11, 12, 0, 1, 2, 10, 11, 12}));
    Tensor source = upload<int>({100, 200, 300, 400}, {2, 2});
    CHECK(run([=](TaskContext& c) { return scatter(c, x, 1, i, source, true); }) == Status::ok);
    CHECK((download<int>(x) == std::vector<int>{200, 1, 102, 10, 711, 12}));
    CHECK(run([=](TaskContext& c) { return scatter(c, x, 1, i, source, false); }) == Status::ok);
    CHECK((download<int>(x) == std::vector<int>{200, 1, 100, 10, 400, 12}));
    Tensor far = upload<std::int64_t>({0, 3, 0, 0}, {2, 2});
    CHECK(run([=](TaskContext& c) { return gather(c, x, 1, far, out); }) == Status::invalid_value);
    CHECK(contains(last_message(), "index 3 is out of range for axis 1 with 3"));
    CHECK(run([=](TaskContext& c) { return gather(c, x, 2, i, out); }) == Status::invalid_value);
}

TEST(philox_known_answers) {
    fresh();
    Tensor out = empty(DType::u32, {8});
    CHECK(run([=](TaskContext& c) { return philox(c, 0, 0, out); }) == Status::ok);
    const auto zero = download<std::uint32_t>(out);
    const std::uint32_t first[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c,
                                   0x9b00dbd8}; // published test vector
    for (std::size_t i = 0; i < 4; ++i) CHECK(zero[i] == first[i]);
    Tensor next = empty(DType::u32, {5});
    CHECK(run([=](TaskContext& c) { return philox(c, 0, 1, next); }) == Status::ok);
    const auto one = download<std::uint32_t>(next);
    for (std::size_t i = 0; i < 4; ++i) CHECK(one[i] == zero[4 + i]);
    Tensor wrong = empty(DType::f32, {4});
    CHECK(run([=](TaskContext& c) { return philox(c, 0, 0, wrong); }) == Status::not_supported);
}

/// A training step's worth of launches; the whole run of 200 must be quick.
TEST(a_training_run_is_quick) {
    fresh();
    const auto start = std::chrono::steady_clock::now();
    Handle s = new_stream();
    Tensor x = upload<float>(normal(64 * 64, 1), {64, 64}),
           w = upload<float>(normal(64 * 128, 2), {64, 128});
    Tensor h = empty(DType::f32, {64, 128}), g = empty(DType::f32, {64, 128}),
           loss = empty(DType::f32, {});
    auto go = [&](std::vector<Operand> operands, Task task) {
        Launch l;
        l.operands = std::move(operands);
        l.task = std::move(task);
        CHECK(launch(s, std::move(l)) == Status::ok);
    };
    for (int step = 0; step < 200; ++step) {
        go({{x, Access::read}, {w, Access::read}, {h, Access::write}},
           [=](TaskContext& c) { return matmul(c, DType::f32, x, w, h); });
        go({{h, Access::read_write}},
           [=](TaskContext& c) { return unary(c, Unary::tanh, DType::f32, h, h); });
        for (int k = 0; k < 10; ++k)
            go({{h, Access::read}, {g, Access::write}},
               [=](TaskContext& c) { return binary(c, Binary::mul, DType::f32, h, h, g); });
        go({{x, Access::read}, {g, Access::read}, {w, Access::write}},
           [=](TaskContext& c) { return matmul(c, DType::f32, x.transposed(0, 1), g, w); });
        go({{g, Access::read}, {loss, Access::write}},
           [=](TaskContext& c) { return reduce(c, Reduce::sum, DType::f32, g, nullptr, 0, loss); });
        CHECK(stream_synchronize(s) == Status::ok);
        const float l = download<float>(loss)[0];
        CHECK(l == l);
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("  200 steps of 14 launches: %.2f s\n", seconds);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    CHECK(seconds < 10);
#endif
    CHECK(stream_destroy(s) == Status::ok && control()->misuse_count() == 0);
}

int main(int argc, char** argv) {
    return check::main(argc, argv);
}
