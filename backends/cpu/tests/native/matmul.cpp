// SPDX-License-Identifier: Apache-2.0
// Matrix products of every type, layout and size class.
#include <cmath>

#include "support.hpp"

namespace test {
namespace {

using Shape = std::vector<int64_t>;

struct Sizes {
    int64_t m, n, k;
};

Value unit_of(unsigned dtype) {
    return dtype == DA_FLOAT64 ? 0x1p-53L : 0x1p-24L;
}

struct Exact {
    Value sum = 0, magnitude = 0;
    unsigned __int128 whole = 0;
};

bool right(unsigned dtype, Value got, const Exact& exact, int64_t k) {
    if (!is_float(dtype)) return got == wrapped(dtype, __int128(exact.whole));
    const Value bound = Value(k + 2) * unit_of(dtype) * exact.magnitude;
    return std::fabs(got - exact.sum) <= bound + 0.51L * spacing(dtype, exact.sum);
}

void check(const Tensor& a, const Tensor& b, const Tensor& c, const Sizes& s) {
    const std::vector<Value> as = a.values(), bs = b.values(), cs = c.values();
    for (int64_t row = 0; row < int64_t(cs.size()) / s.n; ++row)
        for (int64_t j = 0; j < s.n; ++j) {
            Exact exact;
            for (int64_t p = 0; p < s.k; ++p) {
                const Value x = as[size_t(row * s.k + p)];
                const Value y = bs[size_t((row / s.m * s.k + p) * s.n + j)];
                exact.sum += x * y;
                exact.magnitude += std::fabs(x * y);
                if (!is_float(a.dtype))
                    exact.whole += static_cast<unsigned __int128>(__int128(x)) *
                                   static_cast<unsigned __int128>(__int128(y));
            }
            CHECK(right(a.dtype, cs[size_t(row * s.n + j)], exact, s.k),
                  "matmul %s %ldx%ldx%ld row %ld column %ld = %Lg, not %Lg", dtype_name(a.dtype),
                  long(s.m), long(s.n), long(s.k), long(row), long(j), cs[size_t(row * s.n + j)],
                  exact.sum);
        }
}

void one_case(unsigned dtype, const Sizes& s, int64_t batches, int layout, bool repeat) {
    std::mt19937_64 random(dtype + uint64_t(layout));
    const bool batched = batches > 0;
    const auto shape = [&](int64_t r, int64_t c) {
        return batched ? Shape{batches, r, c} : Shape{r, c};
    };
    Tensor a(dtype, shape(s.m, s.k), Layout(layout)),
        b(dtype, shape(s.k, s.n), Layout((layout * 2 + 1) % kLayouts));
    if (repeat && batched) b.repeat(0);
    a.randomise(random, is_float(dtype));
    b.randomise(random, is_float(dtype));
    Tensor c(dtype, shape(s.m, s.n), Layout((layout + 3) % kLayouts));
    CHECK(run(DA_OP_MATMUL, {&a, &b}, c) == DA_OK, "matmul: %s", last_error().message);
    CHECK(surroundings_untouched(c), "matmul writes outside");
    check(a, b, c, s);
}

void nan_stays(int64_t n) {
    Tensor a(DA_FLOAT32, {n, n}), b(DA_FLOAT32, {n, n}), c(DA_FLOAT32, {n, n});
    for (int64_t i = 0; i < n * n; ++i) a.set(i, 1), b.set(i, 1);
    a.set(2 * n + 1, NAN);
    b.set(1 * n + 3, INFINITY);
    CHECK(run(DA_OP_MATMUL, {&a, &b}, c) == DA_OK, "matmul");
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j) {
            const Value got = c.get(i * n + j);
            CHECK(i == 2   ? std::isnan(got)
                  : j == 3 ? std::isinf(got)
                           : got == n,
                  "NaN spread to [%ld, %ld]", long(i), long(j));
        }
}

} // namespace

void test_matmul() {
    const Sizes sizes[] = {{1, 1, 1}, {8, 8, 8}, {5, 7, 3}, {1, 40, 33}, {40, 1, 33}, {17, 33, 40}};
    for (unsigned dtype = DA_INT8; dtype <= DA_FLOAT64; ++dtype) {
        for (int layout = 0; layout < kLayouts; ++layout) {
            for (const Sizes& s : sizes) one_case(dtype, s, 0, layout, false);
            one_case(dtype, {6, 5, 9}, 4, layout, layout % 2 == 0);
            one_case(dtype, {40, 50, 41}, 2, layout, layout % 2 == 1);
        }
    }
    for (const unsigned dtype : {DA_FLOAT32, DA_FLOAT64, DA_BFLOAT16, DA_FLOAT16, DA_INT32}) {
        one_case(dtype, {150, 260, 90}, 0, kDense, false);
        one_case(dtype, {300, 40, 120}, 0, kTransposed, false);
        one_case(dtype, {2, 3, 20000}, 0, kNegative, false);
        one_case(dtype, {64, 64, 64}, 20, kDense, true);
    }
    nan_stays(8);
    nan_stays(70);
}

} // namespace test
