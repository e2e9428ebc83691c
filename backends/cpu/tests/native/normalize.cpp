// SPDX-License-Identifier: Apache-2.0
// softmax, log_softmax, layer_norm and rms_norm against long double.
#include <cmath>

#include "support.hpp"

namespace test {
namespace {

using Shape = std::vector<int64_t>;

// Large tensors repeat their first elements, to save time.
void fill(Tensor& x, std::mt19937_64& random, Value scale, Value offset) {
    Tensor few(x.dtype, {std::min<int64_t>(x.count(), 4099)});
    few.randomise(random, true);
    for (int64_t i = 0; i < few.count(); ++i)
        few.set(i, rounded(x.dtype, few.get(i) * scale + offset));
    for (int64_t i = 0; i < x.count(); ++i) x.set(i, few.get(i % few.count()));
}

// The elements of the line along the axis that `linear` lies on.
std::vector<Value> line_at(const Tensor& x, int axis, int64_t linear) {
    int64_t inner = 1;
    for (size_t d = size_t(axis) + 1; d < x.shape.size(); ++d) inner *= x.shape[d];
    const int64_t n = x.shape[size_t(axis)];
    const int64_t start = linear - linear / inner % n * inner;
    std::vector<Value> line;
    for (int64_t i = 0; i < n; ++i) line.push_back(x.get(start + i * inner));
    return line;
}

void softmax_case(unsigned dtype, const Shape& shape, int axis, int layout, Value scale) {
    std::mt19937_64 random(dtype);
    Tensor x(dtype, shape, Layout(layout));
    fill(x, random, scale * 1.001L, 0);
    Tensor out(dtype, shape, Layout((layout + layout % 2) % kLayouts)), logs = out;
    da_value attribute = {};
    attribute.i = axis;
    CHECK(run(DA_OP_SOFTMAX, {&x}, out, {attribute}) == DA_OK, "softmax: %s", last_error().message);
    CHECK(run(DA_OP_LOG_SOFTMAX, {&x}, logs, {attribute}) == DA_OK, "log_softmax");
    CHECK(surroundings_untouched(out) && surroundings_untouched(logs), "softmax writes outside");
    const int64_t step = x.count() / 300 + 1;
    const Value unit = dtype == DA_FLOAT64 ? 0x1p-52L : 0x1p-23L;
    for (int64_t i = 0; i < x.count(); i += step) {
        const auto line = line_at(x, axis, i);
        Value most = line[0], sum = 0;
        for (const Value v : line) most = std::fmax(most, v);
        for (const Value v : line) sum += std::exp(v - most);
        const Value wanted = std::exp(x.get(i) - most) / sum;
        CHECK(ulp_distance(dtype, out.get(i), rounded(dtype, wanted)) <=
                  (mantissa_bits(dtype) < 24 ? 1.0 : 16.0),
              "softmax %s [%ld] = %.9Lg, not %.9Lg", dtype_name(dtype), long(i), out.get(i),
              wanted);
        const Value log_wanted = x.get(i) - most - std::log(sum);
        const Value bound = 8 * unit * (std::fabs(x.get(i)) + std::fabs(most) + std::log(sum) + 1) +
                            0.51L * spacing(dtype, log_wanted);
        CHECK(std::fabs(logs.get(i) - log_wanted) <= bound,
              "log_softmax %s [%ld] = %.9Lg, not %.9Lg", dtype_name(dtype), long(i), logs.get(i),
              log_wanted);
    }
}

void softmax_specials(unsigned dtype) {
    Tensor x(dtype, {5, 21}), out(dtype, {5, 21});
    for (int64_t i = 0; i < x.count(); ++i) x.set(i, Value(i % 21));
    for (int64_t i = 0; i < 21; ++i) x.set(i, -INFINITY);
    x.set(21 + 20, INFINITY), x.set(42 + 17, NAN), x.set(63 + 3, -INFINITY);
    da_value attribute = {};
    attribute.i = 1;
    for (const unsigned op : {DA_OP_SOFTMAX, DA_OP_LOG_SOFTMAX}) {
        CHECK(run(op, {&x}, out, {attribute}) == DA_OK, "softmax");
        CHECK(std::isnan(out.get(0)) && std::isnan(out.get(20)), "all -inf");
        CHECK(std::isnan(out.get(41)), "+inf");
        CHECK(std::isnan(out.get(42)) && std::isnan(out.get(59)), "NaN");
        CHECK(out.get(66) == (op == DA_OP_SOFTMAX ? 0 : -INFINITY) && out.get(83) < 1, "-inf");
    }
}

void norm_case(unsigned dtype, const Shape& shape, int layout, Value offset) {
    std::mt19937_64 random(dtype);
    const int64_t n = shape.back();
    Tensor x(dtype, shape, Layout(layout)), out(dtype, shape, Layout((layout + 1) % kLayouts));
    Tensor weight(dtype, {n}, Layout(layout)), bias(dtype, {n}, Layout((layout + 1) % kLayouts));
    fill(x, random, 1, offset);
    weight.randomise(random, true), bias.randomise(random, true);
    da_value epsilon = {};
    epsilon.f = 1e-5;
    Tensor rms = out;
    CHECK(run(DA_OP_LAYER_NORM, {&x, &weight, &bias}, out, {epsilon}) == DA_OK, "layer_norm: %s",
          last_error().message);
    CHECK(run(DA_OP_RMS_NORM, {&x, &weight}, rms, {epsilon}) == DA_OK, "rms_norm");
    CHECK(surroundings_untouched(out) && surroundings_untouched(rms), "norm writes outside");
    const int axis = int(shape.size()) - 1;
    const Value unit = dtype == DA_FLOAT64 ? 0x1p-52L : 0x1p-23L;
    const int64_t step = x.count() / 300 + 1;
    for (int64_t i = 0; i < x.count(); i += step) {
        const auto line = line_at(x, axis, i);
        Value mean = 0, variance = 0, squares = 0;
        for (const Value v : line) mean += v / Value(n), squares += v * v / Value(n);
        for (const Value v : line) variance += (v - mean) * (v - mean) / Value(n);
        const Value w = weight.get(i % n), b = bias.get(i % n);
        const Value root = std::sqrt(variance + 1e-5L);
        const Value wanted = (x.get(i) - mean) / root * w + b;
        const Value bound = 20 * unit * (std::fabs(wanted) + 1 + std::fabs(mean / root * w)) +
                            0.51L * spacing(dtype, wanted);
        CHECK(std::fabs(out.get(i) - wanted) <= bound, "layer_norm %s [%ld] = %.9Lg, not %.9Lg",
              dtype_name(dtype), long(i), out.get(i), wanted);
        const Value scaled = x.get(i) / std::sqrt(squares + 1e-5L) * w;
        CHECK(std::fabs(rms.get(i) - scaled) <=
                  20 * unit * std::fabs(scaled) + 0.51L * spacing(dtype, scaled),
              "rms_norm %s [%ld] = %.9Lg, not %.9Lg", dtype_name(dtype), long(i), rms.get(i),
              scaled);
    }
}

} // namespace

void test_normalize() {
    for (unsigned dtype = DA_FLOAT16; dtype <= DA_FLOAT64; ++dtype) {
        for (int layout = 0; layout < kLayouts; ++layout) {
            for (int axis = 0; axis < 3; ++axis)
                softmax_case(dtype, {6, 33, 19}, axis, layout, axis == 1 ? 100 : 3);
            softmax_case(dtype, {3}, 0, layout, 1);
            norm_case(dtype, {6, 9, 19}, layout, 0);
            norm_case(dtype, {3, 130}, layout, 50);
            norm_case(dtype, {1}, layout, 0);
        }
        softmax_case(dtype, {2, 5000}, 1, kDense, 20); // longer than the buffers
        norm_case(dtype, {2, 5000}, kDense, 3);
        softmax_specials(dtype);
    }
    softmax_case(DA_FLOAT32, {3080, 1024}, 1, kDense, 5); // past the caches
}

} // namespace test
