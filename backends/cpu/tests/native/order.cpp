// SPDX-License-Identifier: Apache-2.0
// Scans along an axis, sorting, and searching.
#include <algorithm>
#include <cmath>

#include "support.hpp"

namespace test {
namespace {

using Shape = std::vector<int64_t>;

da_value value(int64_t i) {
    da_value v = {};
    v.i = i;
    return v;
}

// Linear indices of the elements of each line along the axis.
std::vector<std::vector<int64_t>> lines_of(const Shape& shape, int axis) {
    int64_t inner = 1, outer = 1;
    for (size_t d = 0; d < shape.size(); ++d)
        (int(d) < axis ? outer : inner) *= int(d) == axis ? 1 : shape[d];
    std::vector<std::vector<int64_t>> lines;
    for (int64_t o = 0; o < outer; ++o)
        for (int64_t i = 0; i < inner; ++i) {
            lines.emplace_back();
            for (int64_t a = 0; a < shape[size_t(axis)]; ++a)
                lines.back().push_back((o * shape[size_t(axis)] + a) * inner + i);
        }
    return lines;
}

bool before(Value a, Value b) { // NaN is the largest
    return std::isnan(b) ? !std::isnan(a) : a < b;
}

bool same(Value a, Value b) {
    return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

void scan_case(unsigned dtype, const Shape& shape, int axis, int layout) {
    std::mt19937_64 random(dtype + unsigned(axis));
    Tensor x(dtype, shape, Layout(layout)), sums(dtype, shape, Layout((layout + 1) % kLayouts));
    x.randomise(random, true);
    CHECK(run(DA_OP_CUMSUM, {&x}, sums, {value(axis)}) == DA_OK, "cumsum");
    CHECK(surroundings_untouched(sums), "cumsum writes outside");
    Tensor products(dtype, shape, Layout((layout + 2) % kLayouts));
    CHECK(run(DA_OP_CUMPROD, {&x}, products, {value(axis)}) == DA_OK, "cumprod");
    CHECK(surroundings_untouched(products), "cumprod writes outside");
    const Value unit = dtype == DA_FLOAT64 ? 0x1p-53L : 0x1p-24L;
    for (const auto& line : lines_of(shape, axis)) {
        Value real = 0, magnitude = 0, real_product = 1;
        __int128 sum = 0;
        unsigned __int128 product = 1;
        for (const int64_t i : line) {
            const Value v = x.get(i);
            real += v, magnitude += std::fabs(v), real_product *= v;
            if (is_float(dtype)) {
                const Value bound = Value(dtype == DA_FLOAT64 ? 300 : 2) * unit * magnitude +
                                    0.51L * spacing(dtype, real);
                CHECK(std::fabs(sums.get(i) - real) <= bound, "cumsum %s [%ld] = %Lg, not %Lg",
                      dtype_name(dtype), long(i), sums.get(i), real);
                const Value near =
                    1e-6L * std::fabs(real_product) + 2 * spacing(dtype, real_product);
                CHECK(std::fabs(products.get(i) - real_product) <= near,
                      "cumprod %s [%ld] = %Lg, not %Lg", dtype_name(dtype), long(i),
                      products.get(i), real_product);
                continue;
            }
            sum += __int128(v);
            product *= static_cast<unsigned __int128>(__int128(v));
            CHECK(sums.get(i) == wrapped(dtype, sum), "cumsum %s", dtype_name(dtype));
            CHECK(products.get(i) == wrapped(dtype, __int128(product)), "cumprod %s",
                  dtype_name(dtype));
        }
    }
}

void sort_case(unsigned dtype, const Shape& shape, int axis, int layout, bool down) {
    std::mt19937_64 random(dtype + unsigned(axis));
    Tensor x(dtype, shape, Layout(layout)), out(dtype, shape, Layout((layout + 1) % kLayouts));
    x.randomise(random, layout % 2 == 1); // few integers, or all kinds of values
    for (int64_t i = 0; is_float(dtype) && i < x.count(); i += 3)
        x.set(i, i % 4 == 0 ? -0.0L : i % 4 == 1 ? 0.0L : i % 4 == 2 ? 1.0L : std::nanl(""));
    Shape top_shape = shape;
    const int64_t k = top_shape[size_t(axis)] = std::max<int64_t>(1, shape[size_t(axis)] / 7);
    Tensor indices(DA_INT64, shape, Layout((layout + 2) % kLayouts));
    Tensor top(DA_INT64, top_shape, Layout((layout + 3) % kLayouts));
    const std::vector<da_value> attributes = {value(axis), value(down)};
    CHECK(run(DA_OP_SORT, {&x}, out, attributes) == DA_OK, "sort: %s", last_error().message);
    CHECK(run(DA_OP_ARGSORT, {&x}, indices, attributes) == DA_OK, "argsort");
    CHECK(run(DA_OP_TOPK, {&x}, top, {value(axis), value(!down)}) == DA_OK, "topk");
    CHECK(surroundings_untouched(out) && surroundings_untouched(indices) &&
              surroundings_untouched(top),
          "sort writes outside");
    const auto lines = lines_of(shape, axis), top_lines = lines_of(top_shape, axis);
    for (size_t l = 0; l < lines.size(); ++l) {
        const auto& line = lines[l];
        std::vector<int64_t> order(line.size());
        for (size_t i = 0; i < order.size(); ++i) order[i] = int64_t(i);
        std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
            const Value u = x.get(line[size_t(a)]), v = x.get(line[size_t(b)]);
            return down ? before(v, u) : before(u, v);
        });
        for (size_t i = 0; i < order.size(); ++i) {
            CHECK(same(out.get(line[i]), x.get(line[size_t(order[i])])), "sort %s down %d [%ld]",
                  dtype_name(dtype), down, long(i));
            CHECK(indices.get(line[i]) == order[i], "argsort %s down %d [%ld]", dtype_name(dtype),
                  down, long(i));
            if (int64_t(i) < k)
                CHECK(top.get(top_lines[l][i]) == order[i], "topk %s down %d [%ld]",
                      dtype_name(dtype), down, long(i));
        }
    }
}

void search_case(unsigned dtype, int layout, bool right) {
    std::mt19937_64 random(dtype);
    Tensor unsorted(dtype, {50}), x(dtype, {50}, Layout(layout));
    unsorted.randomise(random, layout % 2 == 1);
    CHECK(run(DA_OP_SORT, {&unsorted}, x, {value(0), value(0)}) == DA_OK, "sort");
    Tensor values(dtype, {7, 30}, Layout(layout));
    values.randomise(random, layout % 2 == 1);
    Tensor out(DA_INT64, {7, 30}, Layout((layout + 1) % kLayouts));
    CHECK(run(DA_OP_SEARCHSORTED, {&x, &values}, out, {value(right)}) == DA_OK, "search");
    CHECK(surroundings_untouched(out), "searchsorted writes outside");
    const std::vector<Value> sorted = x.values();
    for (int64_t i = 0; i < values.count(); ++i) {
        const Value v = values.get(i);
        const auto at = right ? std::upper_bound(sorted.begin(), sorted.end(), v, before)
                              : std::lower_bound(sorted.begin(), sorted.end(), v, before);
        CHECK(out.get(i) == Value(at - sorted.begin()), "searchsorted %s [%ld]", dtype_name(dtype),
              long(i));
    }
}

} // namespace

void test_order() {
    for (int layout = 0; layout < kLayouts; ++layout) {
        for (unsigned dtype = DA_INT8; dtype <= DA_FLOAT64; ++dtype) {
            for (int axis = 0; axis < 3; ++axis) scan_case(dtype, {4, 30, 9}, axis, layout);
            scan_case(dtype, {5}, 0, layout);
            scan_case(dtype, {300, 300}, layout % 2, layout);
        }
        for (unsigned dtype = DA_BOOL; dtype <= DA_FLOAT64; ++dtype)
            for (const bool down : {false, true}) {
                for (int axis = 0; axis < 3; ++axis)
                    sort_case(dtype, {3, 40, 9}, axis, layout, down);
                sort_case(dtype, {1}, 0, layout, down);
                sort_case(dtype, {2, 1000}, 1, layout, down);
                search_case(dtype, layout, down);
                // Long enough to be counted.
                if (layout == 1 && dtype_size(dtype) == 2)
                    sort_case(dtype, {40000}, 0, layout, down);
            }
    }
}

} // namespace test
