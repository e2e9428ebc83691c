// SPDX-License-Identifier: Apache-2.0
// Kernels of activations, sorts, normalisations and windows.
#include <cmath>
#include <limits>

#include "sim.hpp"

using namespace sim;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
const float nan_value = std::numeric_limits<float>::quiet_NaN();
using Floats = std::vector<float>;
using Places = std::vector<std::int64_t>;

bool near(const Floats& got, const Floats& want) {
    if (got.size() != want.size()) return false;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const bool both_nan = got[i] != got[i] && want[i] != want[i];
        if (!both_nan && got[i] != want[i] &&
            !(std::fabs(got[i] - want[i]) <= 1e-6f * std::fabs(want[i])))
            return false;
    }
    return true;
}

} // namespace

TEST(activations) {
    fresh();
    const struct {
        Activation op;
        Parameters parameters;
        Floats x, want;
    } rows[] = {
        {Activation::gelu_tanh, {}, {1, -inf, inf}, {0.841192f, 0, inf}},
        {Activation::mish, {}, {1, -inf, inf}, {0.8650984f, 0, inf}},
        {Activation::hardswish, {}, {1, -3, nan_value}, {0.6666667f, 0, nan_value}},
        {Activation::leaky_relu, {0.5}, {1, -4, nan_value}, {1, -2, nan_value}},
        {Activation::elu, {2, 3, 0.5}, {1, -2, 0}, {3, -3.7927234f, 0}},
        {Activation::softplus, {2, 3}, {1, 2, -1}, {1.0634640f, 2, 0.063464006f}},
    };
    for (const auto& row : rows) {
        Tensor x = upload<float>(row.x, {3}), y = empty(DType::f32, {3});
        CHECK(run([=](TaskContext& c) {
                  return activation(c, row.op, DType::f32, x, y, row.parameters);
              }) == Status::ok);
        CHECK(near(download<float>(y), row.want));
    }
    Tensor i = upload<std::int32_t>({1}, {1});
    CHECK(run([=](TaskContext& c) { return activation(c, Activation::mish, DType::i32, i, i); }) ==
          Status::not_supported);
    const struct {
        Unary op;
        Floats want;
    } gates[] = {{Unary::gelu, {0.8413447f, 0, -4.9767685e-15f}},
                 {Unary::silu, {0.7310586f, 0, -0.0026828013f}}};
    for (const auto& row : gates) {
        Tensor x = upload<float>({1, -inf, -8}, {3}), y = empty(DType::f32, {3});
        CHECK(run([=](TaskContext& c) { return unary(c, row.op, DType::f32, x, y); }) ==
              Status::ok);
        CHECK(near(download<float>(y), row.want));
    }
}

TEST(sorts) {
    fresh();
    Tensor x = upload<float>({3, 1, nan_value, 3, -0.f, 0.f}, {3, 2}); // columns 3 NaN -0, 1 3 0
    Tensor values = empty(DType::f32, {3, 2}), places = empty(DType::i64, {3, 2});
    CHECK(run([=](TaskContext& c) { return sort(c, x, 0, false, &values, &places); }) ==
          Status::ok);
    CHECK(near(download<float>(values), {0, 0, 3, 1, nan_value, 3}));
    CHECK((download<std::int64_t>(places) == Places{2, 2, 0, 0, 1, 1}));
    CHECK(std::signbit(download<float>(values)[0])); // bits are kept
    Tensor ties = upload<std::int64_t>({7, 9, 7, 9, 8}, {5}), best = empty(DType::i32, {3});
    CHECK(run([=](TaskContext& c) { return sort(c, ties, -1, true, nullptr, &best); }) ==
          Status::ok);
    CHECK((download<std::int32_t>(best) == std::vector<std::int32_t>{1, 3, 4}));
    CHECK(run([=](TaskContext& c) { return sort(c, ties, 0, false, &ties, nullptr); }) ==
          Status::ok); // in place
    CHECK((download<std::int64_t>(ties) == Places{7, 7, 8, 9, 9}));
    Tensor out = empty(DType::i64, {3}), v = upload<std::int64_t>({7, 8, 10}, {3});
    for (const bool right : {false, true}) {
        CHECK(run([=](TaskContext& c) { return search_sorted(c, ties, v, right, out); }) ==
              Status::ok);
        CHECK((download<std::int64_t>(out) == (right ? Places{2, 3, 5} : Places{0, 2, 5})));
    }
}

TEST(normalisations) {
    fresh();
    Tensor x = upload<float>({1, 3, 2, 2}, {2, 2}), y = empty(DType::f32, {2, 2});
    Tensor w = upload<float>({2, 3}, {2}), b = upload<float>({0, 1}, {2});
    Tensor mean = empty(DType::f32, {2, 1}), rstd = empty(DType::f32, {2, 1});
    CHECK(run([=](TaskContext& c) { return layer_norm(c, x, &w, &b, 3, y, &mean, &rstd); }) ==
          Status::ok);
    CHECK(near(download<float>(y), {-1, 2.5f, 0, 1}));
    CHECK(near(download<float>(mean), {2, 2}) && near(download<float>(rstd), {0.5f, 0.57735026f}));
    CHECK(run([=](TaskContext& c) {
              return layer_norm(c, x, nullptr, nullptr, 3, y, nullptr, nullptr);
          }) == Status::ok);
    CHECK(near(download<float>(y), {-0.5f, 0.5f, 0, 0}));
    CHECK(run([=](TaskContext& c) { return rms_norm(c, x, w, 4, y, &rstd); }) == Status::ok);
    CHECK(near(download<float>(y), {0.6666667f, 3, 1.4142135f, 2.1213203f}));
    Tensor z = upload<float>({0, 0.6931472f, -inf, -inf}, {2, 2});
    CHECK(run([=](TaskContext& c) { return softmax(c, false, z, 1, y); }) == Status::ok);
    CHECK(near(download<float>(y), {0.33333334f, 0.6666667f, nan_value, nan_value}));
    CHECK(run([=](TaskContext& c) { return softmax(c, true, z, 0, y); }) == Status::ok);
    CHECK(near(download<float>(y), {0, 0, -inf, -inf}));
}

TEST(windows) {
    fresh();
    Floats values;
    for (int i = 1; i <= 12; ++i) values.push_back(static_cast<float>(i));
    Tensor x = upload<float>(values, {1, 2, 2, 3}); // two channels
    Tensor w = upload<float>({1, 10, 100, 1000}, {2, 1, 1, 2}), b = upload<float>({0.5f, 0}, {2});
    Window window;
    window.pad[2] = 1;
    window.stride[2] = 2;
    Tensor y = empty(DType::f32, {1, 2, 2, 2});
    CHECK(run([=](TaskContext& c) { return convolution(c, x, w, &b, window, 2, y); }) ==
          Status::ok);
    CHECK(near(download<float>(y), {10.5f, 32.5f, 40.5f, 65.5f, 7000, 9800, 10000, 13100}));
    window.size[2] = 2;
    CHECK(run([=](TaskContext& c) { return max_pool(c, x, window, y); }) == Status::ok);
    CHECK(near(download<float>(y), {1, 3, 4, 6, 7, 9, 10, 12}));
    for (const std::int64_t divisor : {0, 4})
        for (const bool padded : {false, true}) {
            CHECK(run([=](TaskContext& c) { return avg_pool(c, x, window, padded, divisor, y); }) ==
                  Status::ok);
            const float first = divisor ? 0.25f : padded ? 0.5f : 1;
            CHECK(near({download<float>(y)[0]}, {first}));
        }
    window.size[2] = 1;
    window.pad[2] = 2;
    CHECK(run([=](TaskContext& c) { return max_pool(c, x, window, y); }) == Status::ok);
    CHECK(near(download<float>(y), {-inf, 1, -inf, 4, -inf, 7, -inf, 10})); // wholly outside
    Tensor bad = empty(DType::f32, {1, 3, 2, 2});
    CHECK(run([=](TaskContext& c) { return convolution(c, x, w, &b, window, 2, bad); }) ==
          Status::invalid_value);
}

TEST(quotients_and_signs) {
    fresh();
    Tensor a = upload<float>({7, -7, 1}, {3}), b = upload<float>({2, 2, -inf}, {3});
    Tensor q = empty(DType::f32, {3}), s = empty(DType::boolean, {3});
    CHECK(run([=](TaskContext& c) {
              return binary(c, Binary::floor_of_quotient, DType::f32, a, b, q);
          }) == Status::ok);
    CHECK(near(download<float>(q), {3, -4, 0}));
    CHECK(run([=](TaskContext& c) { return unary(c, Unary::signbit, DType::f32, q, s); }) ==
          Status::ok);
    CHECK((download<std::uint8_t>(s) == std::vector<std::uint8_t>{0, 1, 1}));
}

int main(int argc, char** argv) {
    return check::main(argc, argv);
}
