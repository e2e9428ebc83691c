// SPDX-License-Identifier: Apache-2.0
// take_along_axis, put_along_axis and index_accumulate.
#include <cmath>
#include <cstring>

#include "support.hpp"

namespace test {
namespace {

using Shape = std::vector<int64_t>;

da_value axis_value(int axis) {
    da_value v = {};
    v.i = axis;
    return v;
}

// Linear index in a tensor of `to`'s shape of element `linear` of `from`'s, with another index on
// the axis.
int64_t moved(const Shape& from, const Shape& to, int axis, int64_t linear, int64_t index) {
    int64_t result = 0, scale = 1;
    for (int d = int(from.size()) - 1; d >= 0; --d) {
        const int64_t i = d == axis ? index : linear % from[size_t(d)];
        linear /= from[size_t(d)];
        result += i * scale;
        scale *= to[size_t(d)];
    }
    return result;
}

Tensor random_indices(unsigned dtype, const Shape& shape, int64_t limit, int layout) {
    std::mt19937_64 random(limit);
    Tensor t(dtype, shape, Layout(layout));
    for (int64_t i = 0; i < t.count(); ++i) t.set(i, Value(random() % uint64_t(limit)));
    return t;
}

void take_case(unsigned dtype, unsigned index_dtype, int axis, int layout) {
    std::mt19937_64 random(dtype);
    Shape x_shape = {6, 7, 5}, i_shape = x_shape;
    i_shape[size_t(axis)] = 9;
    Tensor x(dtype, x_shape, Layout(layout));
    x.randomise(random);
    const Tensor indices =
        random_indices(index_dtype, i_shape, x_shape[size_t(axis)], (layout + 1) % kLayouts);
    Tensor out(dtype, i_shape, Layout((layout + 2) % kLayouts));
    CHECK(run(DA_OP_TAKE_ALONG_AXIS, {&x, &indices}, out, {axis_value(axis)}) == DA_OK, "take: %s",
          last_error().message);
    CHECK(surroundings_untouched(out), "take writes outside");
    for (int64_t i = 0; i < out.count(); ++i) {
        const Value wanted = x.get(moved(i_shape, x_shape, axis, i, int64_t(indices.get(i)))),
                    got = out.get(i);
        CHECK(got == wanted || (std::isnan(got) && std::isnan(wanted)), "take %s axis %d [%ld]",
              dtype_name(dtype), axis, long(i));
    }
}

void accumulate_case(unsigned dtype, unsigned index_dtype, int axis, int layout) {
    std::mt19937_64 random(dtype);
    Shape x_shape = {6, 7, 5}, i_shape = x_shape;
    i_shape[size_t(axis)] = 20;
    Tensor x(dtype, x_shape, Layout(layout)),
        updates(dtype, i_shape, Layout((layout + 3) % kLayouts));
    x.randomise(random, is_float(dtype));
    updates.randomise(random, is_float(dtype));
    const Tensor indices =
        random_indices(index_dtype, i_shape, x_shape[size_t(axis)], (layout + 1) % kLayouts);
    Tensor out(dtype, x_shape, Layout((layout + 2) % kLayouts));
    CHECK(run(DA_OP_INDEX_ACCUMULATE, {&x, &indices, &updates}, out, {axis_value(axis)}) == DA_OK,
          "accumulate: %s", last_error().message);
    CHECK(surroundings_untouched(out), "accumulate writes outside");
    std::vector<Value> sums;
    for (int64_t i = 0; i < x.count(); ++i) sums.push_back(x.get(i));
    for (int64_t i = 0; i < updates.count(); ++i) {
        Value& sum = sums[size_t(moved(i_shape, x_shape, axis, i, int64_t(indices.get(i))))];
        sum = is_float(dtype) ? sum + updates.get(i)
                              : wrapped(dtype, __int128(sum) + __int128(updates.get(i)));
    }
    for (int64_t i = 0; i < out.count(); ++i) {
        const Value bound = is_float(dtype)
                                ? 20 * std::ldexp(1.0L, -std::min(mantissa_bits(dtype), 24)) *
                                      (is_float(dtype) && mantissa_bits(dtype) < 24 ? 0.5L : 2)
                                : 0;
        CHECK(std::fabs(out.get(i) - sums[size_t(i)]) <= bound,
              "accumulate %s axis %d [%ld] = %Lg, not %Lg", dtype_name(dtype), axis, long(i),
              out.get(i), sums[size_t(i)]);
    }
}

// Of equal indices the last one counts.
void put_case(unsigned dtype, unsigned index_dtype, int axis, int layout) {
    std::mt19937_64 random(dtype);
    Shape x_shape = {6, 7, 5}, i_shape = x_shape;
    i_shape[size_t(axis)] = 4;
    Tensor x(dtype, x_shape, Layout(layout)),
        updates(dtype, i_shape, Layout((layout + 3) % kLayouts));
    x.randomise(random, true);
    updates.randomise(random, true);
    const Tensor indices =
        random_indices(index_dtype, i_shape, x_shape[size_t(axis)], (layout + 1) % kLayouts);
    Tensor out(dtype, x_shape, Layout((layout + 2) % kLayouts));
    CHECK(run(DA_OP_PUT_ALONG_AXIS, {&x, &indices, &updates}, out, {axis_value(axis)}) == DA_OK,
          "put: %s", last_error().message);
    CHECK(surroundings_untouched(out), "put writes outside");
    std::vector<Value> wanted = x.values();
    for (int64_t i = 0; i < updates.count(); ++i)
        wanted[size_t(moved(i_shape, x_shape, axis, i, int64_t(indices.get(i))))] = updates.get(i);
    CHECK(out.values() == wanted, "put %s axis %d layout %d", dtype_name(dtype), axis, layout);
}

void out_of_range() {
    Tensor x(DA_FLOAT32, {4}), indices(DA_INT64, {3}), out(DA_FLOAT32, {3}),
        updates(DA_FLOAT32, {3});
    Tensor accumulated(DA_FLOAT32, {4});
    for (const Value bad : {4.0L, -1.0L, 0x1p40L}) {
        for (int64_t i = 0; i < 3; ++i) indices.set(i, i == 1 ? bad : 0);
        const Tensor before = out, before_sums = accumulated;
        CHECK(run(DA_OP_TAKE_ALONG_AXIS, {&x, &indices}, out, {axis_value(0)}) ==
                  DA_INVALID_ARGUMENT,
              "take");
        CHECK(std::strstr(last_error().message, "out of range") != nullptr, "message: %s",
              last_error().message);
        CHECK(out.memory == before.memory, "a failing take changed its output");
        CHECK(run(DA_OP_INDEX_ACCUMULATE, {&x, &indices, &updates}, accumulated, {axis_value(0)}) ==
                  DA_INVALID_ARGUMENT,
              "accumulate");
        CHECK(accumulated.memory == before_sums.memory, "a failing accumulate changed its output");
    }
}

} // namespace

void test_index() {
    for (int layout = 0; layout < kLayouts; ++layout)
        for (int axis = 0; axis < 3; ++axis)
            for (unsigned dtype = 0; dtype <= DA_FLOAT64; ++dtype)
                for (const unsigned index : {DA_INT32, DA_INT64}) {
                    take_case(dtype, index, axis, layout);
                    put_case(dtype, index, axis, layout);
                    if (dtype != DA_BOOL) accumulate_case(dtype, index, axis, layout);
                }
    out_of_range();
}

} // namespace test
