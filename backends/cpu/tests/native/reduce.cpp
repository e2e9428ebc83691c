// SPDX-License-Identifier: Apache-2.0
// Reductions over every set of axes.
#include <cmath>

#include "support.hpp"

namespace test {
namespace {

using Shape = std::vector<int64_t>;

Shape shape_without(const Shape& shape, uint64_t mask) {
    Shape rest;
    for (size_t d = 0; d < shape.size(); ++d)
        if (!(mask >> d & 1)) rest.push_back(shape[d]);
    return rest;
}

// Linear index in the output of the element `linear` of the input.
int64_t target_of(const Shape& shape, uint64_t mask, int64_t linear) {
    int64_t target = 0, scale = 1;
    for (int d = int(shape.size()) - 1; d >= 0; --d) {
        const int64_t index = linear % shape[size_t(d)];
        linear /= shape[size_t(d)];
        if (mask >> d & 1) continue;
        target += index * scale;
        scale *= shape[size_t(d)];
    }
    return target;
}

da_value mask_value(uint64_t mask) {
    da_value v = {};
    v.u = mask;
    return v;
}

struct Sums {
    Value real = 0, magnitude = 0;
    __int128 whole = 0;
    unsigned __int128 product = 1; // of integers, wrapped
    Value real_product = 1;
    Value most = -INFINITY, least = INFINITY;
    bool any = false, all = true;
    bool started = false;
};

std::vector<Sums> reference(const Tensor& in, uint64_t mask, int64_t outputs) {
    std::vector<Sums> sums{size_t(outputs)};
    for (int64_t i = 0; i < in.count(); ++i) {
        Sums& s = sums[size_t(target_of(in.shape, mask, i))];
        const Value x = in.get(i);
        s.real += x;
        s.magnitude += std::fabs(x);
        if (!is_float(in.dtype)) s.whole += __int128(x);
        if (!s.started || x > s.most || std::isnan(x)) s.most = std::isnan(s.most) ? s.most : x;
        if (!s.started || x < s.least || std::isnan(x)) s.least = std::isnan(s.least) ? s.least : x;
        s.real_product *= x;
        if (!is_float(in.dtype)) s.product *= static_cast<unsigned __int128>(__int128(x));
        s.any = s.any || x != 0;
        s.all = s.all && x != 0;
        s.started = true;
    }
    return sums;
}

void check_sum(const Tensor& in, const Tensor& out, const std::vector<Sums>& sums) {
    for (int64_t i = 0; i < out.count(); ++i) {
        const Sums& s = sums[size_t(i)];
        const Value got = out.get(i);
        if (!is_float(in.dtype)) {
            CHECK(got == wrapped(in.dtype, s.whole), "sum %s [%ld]", dtype_name(in.dtype), long(i));
            continue;
        }
        const Value unit = in.dtype == DA_FLOAT64 ? 0x1p-53L : 0x1p-24L;
        const Value bound = 80 * unit * s.magnitude + 0.51L * spacing(in.dtype, s.real);
        CHECK(std::fabs(got - s.real) <= bound, "sum %s [%ld] of %ld = %.9Lg, not %.9Lg",
              dtype_name(in.dtype), long(i), long(in.count()), got, s.real);
    }
}

void one_case(unsigned dtype, const Shape& shape, uint64_t mask, int layout, bool repeat) {
    std::mt19937_64 random(dtype + mask * 100);
    Tensor in(dtype, shape, Layout(layout));
    if (repeat) in.repeat(0);
    in.randomise(random, is_float(dtype));
    Tensor out(dtype, shape_without(shape, mask), Layout((layout + 2) % kLayouts));
    const auto sums = reference(in, mask, out.count());
    CHECK(run(DA_OP_SUM, {&in}, out, {mask_value(mask)}) == DA_OK, "sum: %s", last_error().message);
    CHECK(surroundings_untouched(out), "sum writes outside");
    check_sum(in, out, sums);
    CHECK(run(DA_OP_MAX, {&in}, out, {mask_value(mask)}) == DA_OK, "max");
    CHECK(surroundings_untouched(out), "max writes outside");
    for (int64_t i = 0; i < out.count(); ++i)
        CHECK(out.get(i) == sums[size_t(i)].most, "max %s mask %lx layout %d [%ld] = %Lg, not %Lg",
              dtype_name(dtype), long(mask), layout, long(i), out.get(i), sums[size_t(i)].most);
    CHECK(run(DA_OP_MIN, {&in}, out, {mask_value(mask)}) == DA_OK, "min");
    CHECK(surroundings_untouched(out), "min writes outside");
    for (int64_t i = 0; i < out.count(); ++i)
        CHECK(out.get(i) == sums[size_t(i)].least, "min %s mask %lx layout %d [%ld] = %Lg, not %Lg",
              dtype_name(dtype), long(mask), layout, long(i), out.get(i), sums[size_t(i)].least);
}

// Factors near 1, so that products stay in range, and some zeros for any and all.
void product_case(unsigned dtype, const Shape& shape, uint64_t mask, int layout) {
    Tensor in(dtype, shape, Layout(layout));
    std::mt19937_64 random(dtype + mask);
    for (int64_t i = 0; i < in.count(); ++i)
        in.set(i, rounded(dtype, is_float(dtype) ? 1 + Value(int(random() % 65) - 32) / 1024
                                                 : Value(1 + random() % 3)));
    const Shape rest = shape_without(shape, mask);
    Tensor out(dtype, rest, Layout((layout + 1) % kLayouts));
    const auto sums = reference(in, mask, out.count());
    CHECK(run(DA_OP_PROD, {&in}, out, {mask_value(mask)}) == DA_OK, "prod");
    CHECK(surroundings_untouched(out), "prod writes outside");
    for (int64_t i = 0; i < out.count(); ++i) {
        const Sums& s = sums[size_t(i)];
        const Value wanted =
            is_float(dtype) ? rounded(dtype, s.real_product) : wrapped(dtype, __int128(s.product));
        const double limit = dtype == DA_FLOAT64 ? double(in.count()) : is_float(dtype) ? 1 : 0;
        CHECK(ulp_distance(dtype, out.get(i), wanted) <= limit, "prod %s [%ld] = %.9Lg, not %.9Lg",
              dtype_name(dtype), long(i), out.get(i), wanted);
    }
}

void truth_case(unsigned dtype, const Shape& shape, uint64_t mask, int layout, unsigned zeros) {
    Tensor in(dtype, shape, Layout(layout));
    std::mt19937_64 random(dtype + mask);
    for (int64_t i = 0; i < in.count(); ++i) {
        const bool zero = random() % 100 < zeros;
        in.set(i, zero                            ? Value(is_float(dtype) ? -0.0L : 0.0L)
                  : is_float(dtype) && i % 3 == 0 ? std::nanl("")
                                                  : Value(1));
    }
    Tensor out(DA_BOOL, shape_without(shape, mask), Layout((layout + 1) % kLayouts));
    const auto sums = reference(in, mask, out.count());
    CHECK(run(DA_OP_ANY, {&in}, out, {mask_value(mask)}) == DA_OK, "any");
    CHECK(surroundings_untouched(out), "any writes outside");
    for (int64_t i = 0; i < out.count(); ++i)
        CHECK((out.get(i) != 0) == sums[size_t(i)].any, "any %s", dtype_name(dtype));
    CHECK(run(DA_OP_ALL, {&in}, out, {mask_value(mask)}) == DA_OK, "all");
    for (int64_t i = 0; i < out.count(); ++i)
        CHECK((out.get(i) != 0) == sums[size_t(i)].all, "all %s", dtype_name(dtype));
}

void special_values(unsigned dtype) {
    Tensor in(dtype, {3, 100}), out(dtype, {3});
    for (int64_t i = 0; i < 300; ++i) in.set(i, Value(i % 100) - 200);
    in.set(150, NAN), in.set(277, INFINITY), in.set(278, -INFINITY);
    CHECK(run(DA_OP_MAX, {&in}, out, {mask_value(2)}) == DA_OK, "max");
    CHECK(out.get(0) == -101 && std::isnan(out.get(1)) && std::isinf(out.get(2)), "max with NaN");
    CHECK(run(DA_OP_SUM, {&in}, out, {mask_value(2)}) == DA_OK, "sum");
    CHECK(std::isnan(out.get(1)) && std::isnan(out.get(2)), "sum with NaN");
    Tensor zeros(dtype, {70}), most(dtype, {});
    for (int64_t i = 0; i < 70; ++i) zeros.set(i, -0.0L);
    CHECK(run(DA_OP_MAX, {&zeros}, most, {mask_value(1)}) == DA_OK, "max");
    CHECK(std::signbit(most.get(0)), "max of -0");
}

void arg_case(unsigned op, unsigned dtype, const Shape& shape, int axis, int layout,
              bool with_nan) {
    const Value sign = op == DA_OP_ARGMAX ? 1 : -1;
    std::mt19937_64 random(dtype);
    Tensor in(dtype, shape, Layout(layout));
    in.randomise(random, true);
    if (with_nan) in.set(in.count() / 2, NAN), in.set(in.count() - 1, NAN);
    const uint64_t mask = uint64_t(1) << axis;
    Tensor out(DA_INT64, shape_without(shape, mask), Layout(layout));
    da_value attribute = {};
    attribute.i = axis;
    CHECK(run(op, {&in}, out, {attribute}) == DA_OK, "argmax");
    CHECK(surroundings_untouched(out), "argmax writes outside");
    int64_t inner = 1;
    for (size_t d = size_t(axis) + 1; d < shape.size(); ++d) inner *= shape[d];
    std::vector<Value> most(size_t(out.count()));
    std::vector<int64_t> index(size_t(out.count()), -1);
    for (int64_t i = 0; i < in.count(); ++i) {
        const size_t target = size_t(target_of(shape, mask, i));
        const Value x = sign * in.get(i);
        const bool better =
            index[target] < 0 || x > most[target] || (std::isnan(x) && !std::isnan(most[target]));
        if (better) most[target] = x, index[target] = i / inner % shape[size_t(axis)];
    }
    for (int64_t i = 0; i < out.count(); ++i)
        CHECK(out.get(i) == index[size_t(i)], "argmax %s axis %d [%ld] = %Lg, not %ld",
              dtype_name(dtype), axis, long(i), out.get(i), long(index[size_t(i)]));
}

} // namespace

void test_reduce() {
    for (unsigned dtype = DA_INT8; dtype <= DA_FLOAT64; ++dtype) {
        for (int layout = 0; layout < kLayouts; ++layout) {
            for (uint64_t mask = 0; mask < 8; ++mask)
                one_case(dtype, {5, 40, 37}, mask, layout, layout == 1);
            for (uint64_t mask = 0; mask < 4; ++mask) one_case(dtype, {70, 3}, mask, layout, false);
            one_case(dtype, {1}, 1, layout, false);
            one_case(dtype, {}, 0, layout, false);
            one_case(dtype, {600, 9}, 1, layout, false);
            for (const unsigned op : {DA_OP_ARGMAX, DA_OP_ARGMIN}) {
                arg_case(op, dtype, {6, 50, 3}, layout % 3, layout, false);
                arg_case(op, dtype, {2, 5000}, 1, layout, is_float(dtype));
            }
            for (uint64_t mask = 0; mask < 8; ++mask)
                product_case(dtype, {3, 11, 17}, mask, layout);
        }
        if (is_float(dtype)) special_values(dtype);
    }
    for (unsigned dtype = DA_BOOL; dtype <= DA_FLOAT64; ++dtype)
        for (uint64_t mask = 0; mask < 8; ++mask)
            for (const unsigned zeros : {0, 3, 100})
                truth_case(dtype, {3, 20, 9}, mask, int(mask % kLayouts), zeros);
    for (const unsigned dtype : {DA_FLOAT32, DA_BFLOAT16}) {
        one_case(dtype, {530003}, 1, kDense, false); // in parts
        one_case(dtype, {300, 500}, 1, kDense, false);
        one_case(dtype, {300, 500}, 2, kDense, false);
    }
    one_case(DA_FLOAT32, {1000, 530}, 3, kSliced, false);
}

} // namespace test
