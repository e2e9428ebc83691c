// SPDX-License-Identifier: Apache-2.0
// Convolution and pooling, element by element.
#include <cmath>

#include "support.hpp"

namespace test {
namespace {

using Shape = std::vector<int64_t>;

struct Setting {
    Shape x; // with batch and channels
    int64_t outputs, groups;
    Shape window, stride, pad, dilation;
};

da_value number(int64_t i) {
    da_value v = {};
    v.i = i;
    return v;
}

// The values of the last dimensions of d, h, w; the others are 1 or `rest`.
void add_three(std::vector<da_value>* attributes, const Shape& values, int64_t rest) {
    for (size_t d = 0; d < 3; ++d)
        attributes->push_back(number(d + values.size() < 3 ? rest : values[d + values.size() - 3]));
}

int64_t linear_of(const Shape& shape, const Shape& index) {
    int64_t linear = 0;
    for (size_t d = 0; d < shape.size(); ++d) linear = linear * shape[d] + index[d];
    return linear;
}

Shape index_of(const Shape& shape, int64_t linear) {
    Shape index(shape.size());
    for (size_t d = shape.size(); d-- > 0; linear /= shape[d]) index[d] = linear % shape[d];
    return index;
}

int64_t product(const Shape& shape) {
    int64_t n = 1;
    for (const int64_t extent : shape) n *= extent;
    return n;
}

Shape output_shape(const Setting& s) {
    Shape shape = {s.x[0], s.outputs};
    for (size_t d = 0; d < s.window.size(); ++d)
        shape.push_back(
            (s.x[2 + d] + 2 * s.pad[d] - s.dilation[d] * (s.window[d] - 1) - 1) / s.stride[d] + 1);
    return shape;
}

// The spatial index in x that element `w` of the window at `p` sees; false outside.
bool seen(const Setting& s, const Shape& p, const Shape& w, Shape* at) {
    for (size_t d = 0; d < w.size(); ++d) {
        (*at)[2 + d] = p[2 + d] * s.stride[d] - s.pad[d] + w[d] * s.dilation[d];
        if ((*at)[2 + d] < 0 || (*at)[2 + d] >= s.x[2 + d]) return false;
    }
    return true;
}

void convolution_case(unsigned dtype, const Setting& s, int layout) {
    std::mt19937_64 random(dtype);
    Shape w_shape = {s.outputs, s.x[1] / s.groups};
    w_shape.insert(w_shape.end(), s.window.begin(), s.window.end());
    Tensor x(dtype, s.x, Layout(layout)), w(dtype, w_shape, Layout((layout + 1) % kLayouts));
    Tensor out(dtype, output_shape(s), Layout((layout + 2) % kLayouts));
    x.randomise(random, true), w.randomise(random, true);
    std::vector<da_value> attributes;
    add_three(&attributes, s.stride, 1), add_three(&attributes, s.pad, 0);
    add_three(&attributes, s.dilation, 1);
    attributes.push_back(number(s.groups));
    CHECK(run(DA_OP_CONVOLUTION, {&x, &w}, out, attributes) == DA_OK, "convolution: %s",
          last_error().message);
    CHECK(surroundings_untouched(out), "convolution writes outside");
    const int64_t window = product(s.window), in_group = w_shape[1];
    const Value unit = dtype == DA_FLOAT64 ? 0x1p-53L : 0x1p-24L;
    for (int64_t i = 0; i < out.count(); ++i) {
        const Shape p = index_of(out.shape, i);
        Value sum = 0, magnitude = 0;
        for (int64_t c = 0; c < in_group; ++c)
            for (int64_t k = 0; k < window; ++k) {
                Shape at = {p[0], p[1] / (s.outputs / s.groups) * in_group + c, 0, 0, 0};
                at.resize(s.x.size());
                const Shape position = index_of(s.window, k);
                if (!seen(s, p, position, &at)) continue;
                Shape wi = {p[1], c};
                wi.insert(wi.end(), position.begin(), position.end());
                const Value term = x.get(linear_of(s.x, at)) * w.get(linear_of(w_shape, wi));
                sum += term, magnitude += std::fabs(term);
            }
        const Value bound =
            Value(in_group * window + 2) * unit * magnitude + 0.51L * spacing(dtype, sum);
        CHECK(std::fabs(out.get(i) - sum) <= bound, "convolution %s layout %d [%ld] = %Lg, not %Lg",
              dtype_name(dtype), layout, long(i), out.get(i), sum);
    }
}

void pool_case(unsigned dtype, const Setting& s, int layout, bool with_pad, bool nan) {
    std::mt19937_64 random(dtype);
    Tensor x(dtype, s.x, Layout(layout));
    x.randomise(random, true);
    if (nan) x.set(x.count() / 2, NAN);
    Setting plain = s; // the mean has no dilation
    plain.dilation.assign(s.window.size(), 1);
    Tensor most(dtype, output_shape(s), Layout((layout + 1) % kLayouts));
    Tensor mean(dtype, output_shape(plain), Layout((layout + 2) % kLayouts));
    std::vector<da_value> attributes;
    add_three(&attributes, s.window, 1), add_three(&attributes, s.stride, 1);
    add_three(&attributes, s.pad, 0);
    std::vector<da_value> with_dilation = attributes;
    add_three(&with_dilation, s.dilation, 1);
    attributes.push_back(number(with_pad));
    CHECK(run(DA_OP_MAX_POOL, {&x}, most, with_dilation) == DA_OK, "max_pool");
    CHECK(run(DA_OP_AVG_POOL, {&x}, mean, attributes) == DA_OK, "avg_pool");
    CHECK(surroundings_untouched(most) && surroundings_untouched(mean), "pool writes outside");
    for (const bool average : {false, true}) {
        const Setting& setting = average ? plain : s;
        const Tensor& out = average ? mean : most;
        for (int64_t i = 0; i < out.count(); ++i) {
            const Shape p = index_of(out.shape, i);
            Value best = -INFINITY, sum = 0;
            int64_t count = 0;
            for (int64_t k = 0; k < product(s.window); ++k) {
                Shape at = p;
                if (!seen(setting, p, index_of(s.window, k), &at)) continue;
                const Value v = x.get(linear_of(s.x, at));
                best = std::isnan(best) || v <= best ? best : v;
                sum += v, ++count;
            }
            if (with_pad) count = product(s.window); // windows end inside the padding here
            const Value wanted = average ? sum / Value(count) : best;
            CHECK(ulp_distance(dtype, out.get(i), rounded(dtype, wanted)) <= (average ? 2 : 0) ||
                      (average && std::fabs(out.get(i) - wanted) < 1e-6L),
                  "pool %s mean %d layout %d [%ld] = %Lg, not %Lg", dtype_name(dtype), average,
                  layout, long(i), out.get(i), wanted);
        }
    }
}

// Windows, paddings, strides and dilations far beyond x must cost no time and change no value.
void far_case(unsigned dtype, da_op op, const Shape& shape, const std::vector<int64_t>& numbers,
              const std::vector<Value>& wanted) {
    Tensor x(dtype, {1, 1, 5}), out(dtype, shape);
    for (int64_t i = 0; i < 5; ++i) x.set(i, Value(i + 1));
    std::vector<da_value> attributes;
    for (const int64_t value : numbers) attributes.push_back(number(value));
    CHECK(run(op, {&x}, out, attributes) == DA_OK, "far windows: %s", last_error().message);
    for (size_t i = 0; i < wanted.size(); ++i)
        CHECK(out.get(int64_t(i)) == wanted[i] ||
                  (std::isnan(wanted[i]) && std::isnan(out.get(int64_t(i)))),
              "op %d %s far windows [%zu] = %Lg, not %Lg", int(op), dtype_name(dtype), i,
              out.get(int64_t(i)), wanted[i]);
}

void far_pools() {
    const int64_t far = int64_t(1) << 31, most = INT64_MAX, big = int64_t(1) << 58;
    for (unsigned dtype = DA_FLOAT16; dtype <= DA_FLOAT64; ++dtype) {
        // window, stride, pad, dilation of d, h, w
        far_case(dtype, DA_OP_MAX_POOL, {1, 1, 3}, {1, 1, far, 1, 1, far, 0, 0, far, 1, 1, 1},
                 {-INFINITY, 5, -INFINITY});
        far_case(dtype, DA_OP_MAX_POOL, {1, 1, 3}, {1, 1, 2 * far, 1, 1, 1, 0, 0, far, 1, 1, 2},
                 {5, 4, 5});
        far_case(dtype, DA_OP_MAX_POOL, {1, 1, 2}, {1, 1, most, 1, 1, most, 0, 0, 2, 1, 1, most},
                 {-INFINITY, -INFINITY});
        far_case(dtype, DA_OP_MAX_POOL, {1, 1, 1}, {1, 1, most, 1, 1, most, 0, 0, big, 1, 1, 1},
                 {5});
        far_case(dtype, DA_OP_MAX_POOL, {1, 1, 6}, {1, 1, far, 1, 1, 1, 0, 0, 3, 1, 1, far},
                 {-INFINITY, -INFINITY, -INFINITY, 1, 2, 3});
        far_case(dtype, DA_OP_AVG_POOL, {1, 1, 2}, {1, 1, far, 1, 1, far - 3, 0, 0, far, 0},
                 {NAN, 3});
        far_case(dtype, DA_OP_AVG_POOL, {1, 1, 1}, {1, 1, 16, 1, 1, most, 0, 0, 11, 1},
                 {Value(15) / 16});
        far_case(dtype, DA_OP_AVG_POOL, {1, 1, 2}, {1, 1, most, 1, 1, 3, 0, 0, 5, 1}, {1, 1.25L});
    }
}

void far_convolutions() {
    const int64_t far = int64_t(1) << 31, half = far / 2;
    for (unsigned dtype = DA_FLOAT16; dtype <= DA_FLOAT64; ++dtype) {
        const auto check = [&](Tensor& w, const Shape& shape, int64_t stride, int64_t pad,
                               int64_t dilation, const std::vector<Value>& wanted) {
            Tensor x(dtype, {1, 1, 5}), out(dtype, shape);
            for (int64_t i = 0; i < 5; ++i) x.set(i, Value(i + 1));
            std::vector<da_value> attributes;
            for (const int64_t v : {int64_t(1), int64_t(1), stride, int64_t(0), int64_t(0), pad,
                                    int64_t(1), int64_t(1), dilation, int64_t(1)})
                attributes.push_back(number(v));
            CHECK(run(DA_OP_CONVOLUTION, {&x, &w}, out, attributes) == DA_OK, "far: %s",
                  last_error().message);
            for (size_t i = 0; i < wanted.size(); ++i)
                CHECK(out.get(int64_t(i)) == wanted[i], "convolution %s far [%zu] = %Lg, not %Lg",
                      dtype_name(dtype), i, out.get(int64_t(i)), wanted[i]);
        };
        Tensor three(dtype, {1, 1, 3});
        for (int64_t i = 0; i < 3; ++i) three.set(i, Value(1 << i));
        check(three, {1, 1, 5}, 1, far, far, {2, 4, 6, 8, 10}); // the middle element only
        check(three, {1, 1, 3}, far, far, 1, {0, 17, 0});
        check(three, {1, 1, 4}, half, far, half, {4, 2, 1, 0});
        check(three, {1, 1, 2}, 1, 0, INT64_MAX, {1, 2});
        Tensor one(dtype, {1, 1, 1});
        one.set(0, 2);
        one.shape = {1, 1, far}; // repeats
        one.strides = {1, 1, 0};
        check(one, {1, 1, 3}, far - 2, far, 1, {0, 30, 0});
        check(one, {1, 1, 3}, 2, far, 1, {0, 6, 20});
    }
}

} // namespace

void test_window() {
    far_pools();
    far_convolutions();
    const Setting settings[] = {
        {{2, 3, 9, 11}, 5, 1, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
        {{1, 4, 12, 10}, 6, 2, {3, 2}, {2, 3}, {1, 0}, {1, 2}},
        {{2, 6, 7, 7}, 6, 6, {3, 3}, {1, 1}, {1, 1}, {1, 1}}, // depthwise
        {{2, 8, 5, 6}, 19, 1, {1, 1}, {1, 1}, {0, 0}, {1, 1}},
        {{1, 8, 5, 6}, 4, 2, {1, 1}, {2, 2}, {0, 0}, {1, 1}},
        {{3, 2, 30}, 3, 1, {5}, {2}, {2}, {3}},
        {{1, 2, 5, 6, 7}, 3, 1, {2, 3, 3}, {1, 2, 1}, {1, 1, 1}, {1, 1, 2}},
        {{1, 70, 6, 60}, 17, 1, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
        {{1, 3, 32, 32}, 4, 1, {16, 16}, {16, 16}, {0, 0}, {1, 1}},
    };
    for (unsigned dtype = DA_FLOAT16; dtype <= DA_FLOAT64; ++dtype)
        for (int layout = 0; layout < kLayouts; ++layout)
            for (const Setting& s : settings) {
                if (product(s.x) > 3000 && layout > 0) continue;
                if (dtype != DA_FLOAT32 && layout % 3 != int(dtype) % 3) continue;
                convolution_case(dtype, s, layout);
                if (s.window[0] == 1 || s.window[0] > 4) continue;
                Setting pool = s;
                pool.outputs = s.x[1];
                pool_case(dtype, pool, layout, layout % 2 == 1, layout == 2);
            }
}

} // namespace test
