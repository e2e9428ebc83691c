// SPDX-License-Identifier: Apache-2.0
// Complex ops: accuracy against long double, special values of annex G of C, casts, products.
#include <cmath>
#include <limits>

#include "complex.hpp"

namespace test {
namespace {

using Wide = std::complex<long double>;
using Function = Wide (*)(Wide);
const double inf = INFINITY, nan = NAN;

Wide sign(Wide z) {
    return z / std::abs(z);
}
Wide expm1(Wide z) { // the parts near 0 without cancellation
    const long double s = std::sin(z.imag() / 2);
    return {std::expm1(z.real()) * std::cos(z.imag()) - 2 * s * s,
            std::exp(z.real()) * std::sin(z.imag())};
}
Wide log1p(Wide z) {
    const long double x = z.real(), y = z.imag();
    return {std::log1p(x * (2 + x) + y * y) / 2, std::atan2(y, 1 + x)};
}

struct Case {
    unsigned op;
    Function truth;
};
#define CASE(NAME, value) {DA_OP_##NAME, [](Wide z) -> Wide { return value; }}
const Case kCases[] = {
    CASE(NEG, -z),
    CASE(EXP, std::exp(z)),
    CASE(LOG, std::log(z)),
    CASE(SQRT, std::sqrt(z)),
    CASE(SIN, std::sin(z)),
    CASE(COS, std::cos(z)),
    CASE(TAN, std::tan(z)),
    CASE(ASIN, std::asin(z)),
    CASE(ACOS, std::acos(z)),
    CASE(ATAN, std::atan(z)),
    CASE(SINH, std::sinh(z)),
    CASE(COSH, std::cosh(z)),
    CASE(TANH, std::tanh(z)),
    CASE(ASINH, std::asinh(z)),
    CASE(ACOSH, std::acosh(z)),
    CASE(ATANH, std::atanh(z)),
    CASE(EXPM1, expm1(z)),
    CASE(LOG1P, log1p(z)),
    CASE(LOG2, std::log(z) / std::log(2.0L)),
    CASE(LOG10, std::log(z) / std::log(10.0L)),
    CASE(RECIPROCAL, 1.0L / z),
    CASE(SIGN, sign(z)),
    CASE(CONJ, std::conj(z)),
    CASE(ROUND, Wide(std::nearbyint(z.real()), std::nearbyint(z.imag()))),
};
#undef CASE

// The error as a part of the size, in units of the type's precision.
template <class T>
double distance(std::complex<T> got, Wide wanted) {
    const long double size = std::abs(wanted);
    if (size == 0) return got == std::complex<T>() ? 0 : 1e30;
    if (!std::isfinite(size) || size > std::numeric_limits<T>::max()) return 0;
    return double(std::abs(Wide(got) - wanted) / size / std::numeric_limits<T>::epsilon());
}

template <class T>
void fill(Row<T>& row, unsigned seed) {
    std::mt19937_64 random(seed);
    auto part = [&random] {
        const long double unit = static_cast<long double>(int64_t(random())) / 9.3e18L;
        return T(random() % 2 ? 4 * unit : std::ldexp(unit, -int(random() % 40)));
    };
    for (int64_t i = 0; i < row.shape[0]; ++i) {
        const T real = part();
        row[size_t(i)] = {real, part()};
    }
}

template <class T>
void accuracy() {
    constexpr size_t n = 1500;
    for (const bool apart : {false, true}) {
        Row<T> x(n, apart), y(n, !apart), out(n, apart);
        fill(x, 1);
        fill(y, 2);
        for (const Case& c : kCases) {
            CHECK(call(c.op, {x.view(), out.view()}) == DA_OK, "%s", op_facts()[c.op - 1].name);
            for (size_t i = 0; i < n; ++i)
                CHECK(distance(out[i], c.truth(Wide(x[i]))) <= 4, "%s of %g%+gi gave %g%+gi",
                      op_facts()[c.op - 1].name, double(x[i].real()), double(x[i].imag()),
                      double(out[i].real()), double(out[i].imag()));
        }
        for (const unsigned op : {DA_OP_ADD, DA_OP_SUB, DA_OP_MUL, DA_OP_DIV, DA_OP_POW}) {
            CHECK(call(op, {x.view(), y.view(), out.view()}) == DA_OK, "%s",
                  op_facts()[op - 1].name);
            for (size_t i = 0; i < n; ++i) {
                const Wide a(x[i]), b(y[i]);
                const Wide wanted = op == DA_OP_ADD   ? a + b
                                    : op == DA_OP_SUB ? a - b
                                    : op == DA_OP_MUL ? a * b
                                    : op == DA_OP_DIV ? a / b
                                                      : std::exp(b * std::log(a));
                CHECK(distance(out[i], wanted) <= 4, "%s element %zu", op_facts()[op - 1].name, i);
            }
        }
    }
}

// A product of parts is rounded before it is added: they cancel exactly.
template <class T>
void conjugates() {
    Row<T> x(200), y(200), out(200);
    fill(x, 7);
    for (size_t i = 0; i < 200; ++i) y[i] = std::conj(x[i]);
    CHECK(call(DA_OP_MUL, {x.view(), y.view(), out.view()}) == DA_OK, "mul");
    for (size_t i = 0; i < 200; ++i)
        CHECK(out[i].imag() == 0, "%g%+gi times its conjugate gave %+gi", double(x[i].real()),
              double(x[i].imag()), double(out[i].imag()));
}

struct Special {
    unsigned op;
    std::complex<double> x, y, wanted; // y is of no account for one input
};
const Special kSpecial[] = {
    {DA_OP_MUL, {inf, 0}, {1, 1}, {inf, inf}},
    {DA_OP_MUL, {inf, inf}, {1, 0}, {inf, inf}},
    {DA_OP_DIV, {1, 1}, {0, 0}, {inf, inf}},
    {DA_OP_DIV, {1, 1}, {inf, inf}, {0, 0}},
    {DA_OP_DIV, {inf, 1}, {1, 1}, {inf, -inf}},
    {DA_OP_POW, {0, 0}, {0, 0}, {1, 0}},
    {DA_OP_POW, {nan, 1}, {0, 0}, {1, 0}},
    {DA_OP_POW, {0, 0}, {2, 0}, {0, 0}},
    {DA_OP_POW, {2, 0}, {3, 0}, {8, 0}},
    {DA_OP_POW, {0, 2}, {-2, 0}, {-0.25, -0.0}},
    {DA_OP_SIGN, {0, 0}, {}, {0, 0}},
    {DA_OP_SIGN, {-2, 0}, {}, {-1, 0}},
    {DA_OP_SIGN, {nan, 0}, {}, {nan, nan}},
    {DA_OP_EXP, {-inf, 1}, {}, {0, 0}},
    {DA_OP_EXP, {inf, 0}, {}, {inf, 0}},
    {DA_OP_EXPM1, {-inf, 1}, {}, {-1, 0}},
    {DA_OP_LOG, {-0.0, 0}, {}, {-inf, 3.14159265358979323846}},
    {DA_OP_LOG1P, {-1, 0}, {}, {-inf, 0}},
    {DA_OP_SQRT, {-inf, 1}, {}, {0, inf}},
    {DA_OP_SQRT, {-4, -0.0}, {}, {0, -2}},
    {DA_OP_TANH, {inf, 1}, {}, {1, 0}},
    {DA_OP_TANH, {-inf, 2}, {}, {-1, 0}}, // sin(2y) < 0
    {DA_OP_TAN, {-2, inf}, {}, {-0.0, 1}},
    {DA_OP_EXPM1, {-0.0, 0}, {}, {0, 0}},
    {DA_OP_CONJ, {1, 0}, {}, {1, -0.0}},
    {DA_OP_ROUND, {0.5, -2.5}, {}, {0, -2}},
};

bool same_part(double got, double wanted) {
    return std::isnan(wanted) ? std::isnan(got)
                              : got == wanted && std::signbit(got) == std::signbit(wanted);
}

void special() {
    for (const Special& row : kSpecial) {
        const bool two = row.op == DA_OP_MUL || row.op == DA_OP_DIV || row.op == DA_OP_POW;
        Row<double> x(9), y(9), out(9);
        for (size_t i = 0; i < 9; ++i) x[i] = row.x, y[i] = row.y;
        CHECK((two ? call(row.op, {x.view(), y.view(), out.view()})
                   : call(row.op, {x.view(), out.view()})) == DA_OK,
              "special");
        for (size_t i = 0; i < 9; ++i)
            CHECK(same_part(out[i].real(), row.wanted.real()) &&
                      same_part(out[i].imag(), row.wanted.imag()),
                  "%s of %g%+gi, %g%+gi gave %g%+gi", op_facts()[row.op - 1].name, row.x.real(),
                  row.x.imag(), row.y.real(), row.y.imag(), out[i].real(), out[i].imag());
    }
}

// Ops that lead from complex to real types and back.
void parts() {
    constexpr size_t n = 300;
    Row<double> z(n, true), back(n);
    fill(z, 3);
    z[0] = {inf, nan}, z[1] = {0, 0}, z[2] = {-0.0, 3}, z[3] = {1e308, 1e308}, z[4] = {nan, 1};
    Tensor real(DA_FLOAT64, {int64_t(n)}), imaginary(DA_FLOAT64, {int64_t(n)}, kSliced);
    Tensor size(DA_FLOAT64, {int64_t(n)}), truth(DA_BOOL, {int64_t(n)}),
        single(DA_FLOAT16, {int64_t(n)});
    CHECK(call(DA_OP_REAL, {z.view(), real.view()}) == DA_OK, "real");
    CHECK(call(DA_OP_IMAG, {z.view(), imaginary.view()}) == DA_OK, "imag");
    CHECK(call(DA_OP_MAGNITUDE, {z.view(), size.view()}) == DA_OK, "magnitude");
    CHECK(call(DA_OP_MAKE_COMPLEX, {real.view(), imaginary.view(), back.view()}) == DA_OK, "make");
    CHECK(call(DA_OP_CAST, {z.view(), single.view()}) == DA_OK, "cast");
    for (size_t i = 0; i < n; ++i) {
        const int64_t at = int64_t(i);
        CHECK(same_part(double(real.get(at)), z[i].real()), "real");
        CHECK(same_part(double(imaginary.get(at)), z[i].imag()), "imag");
        CHECK(same_part(back[i].real(), z[i].real()) && same_part(back[i].imag(), z[i].imag()),
              "make");
        const Value wanted = std::hypot(Value(z[i].real()), Value(z[i].imag()));
        CHECK(ulp_distance(DA_FLOAT64, size.get(at), wanted) <= 1, "magnitude");
        CHECK(same_part(double(single.get(at)), double(rounded(DA_FLOAT16, z[i].real()))), "cast");
    }
    const struct {
        unsigned op;
        int wanted[5];
    } tests[] = {{DA_OP_ISNAN, {1, 0, 0, 0, 1}},
                 {DA_OP_ISINF, {1, 0, 0, 0, 0}},
                 {DA_OP_ISFINITE, {0, 1, 1, 1, 0}},
                 {DA_OP_CAST, {1, 0, 1, 1, 1}}};
    for (const auto& row : tests) {
        CHECK(call(row.op, {z.view(), truth.view()}) == DA_OK, "test");
        for (int i = 0; i < 5; ++i)
            CHECK(truth.get(i) == row.wanted[i], "%s element %d", op_facts()[row.op - 1].name, i);
    }
    Row<double> other(n);
    for (size_t i = 0; i < n; ++i) other[i] = i % 3 ? z[i] : std::complex<double>(z[i].real(), 9);
    CHECK(call(DA_OP_EQUAL, {z.view(), other.view(), truth.view()}) == DA_OK, "equal");
    for (size_t i = 5; i < n; ++i) CHECK(truth.get(int64_t(i)) == (i % 3 != 0), "equal %zu", i);
    CHECK(call(DA_OP_NOT_EQUAL, {z.view(), other.view(), truth.view()}) == DA_OK, "not_equal");
    for (size_t i = 5; i < n; ++i) CHECK(truth.get(int64_t(i)) == (i % 3 == 0), "differ %zu", i);
}

void casts() {
    constexpr int64_t n = 50;
    for (unsigned dtype = 0; dtype <= DA_FLOAT64; ++dtype) {
        std::mt19937_64 random(dtype);
        Tensor x(dtype, {n}, kNegative);
        x.randomise(random, true);
        Row<float> narrow(n, true);
        Row<double> wide(n);
        CHECK(call(DA_OP_CAST, {x.view(), narrow.view()}) == DA_OK, "cast");
        CHECK(call(DA_OP_CAST, {x.view(), wide.view()}) == DA_OK, "cast");
        for (int64_t i = 0; i < n; ++i) {
            const std::complex<float> wanted(float(x.get(i)), 0);
            CHECK(narrow[size_t(i)] == wanted, "%s to complex64", dtype_name(dtype));
            CHECK(wide[size_t(i)] == std::complex<double>(double(x.get(i)), 0), "%s to complex128",
                  dtype_name(dtype));
        }
    }
    Row<float> narrow(n);
    Row<double> wide(n, true);
    fill(wide, 4);
    CHECK(call(DA_OP_CAST, {wide.view(), narrow.view()}) == DA_OK, "cast");
    for (size_t i = 0; i < n; ++i)
        CHECK(narrow[i] == std::complex<float>(wide[i]), "complex128 to complex64");
}

template <class T>
void products(int64_t m, int64_t n, int64_t k) {
    Row<T> a{size_t(m * k)}, b{size_t(k * n)}, c{size_t(m * n)};
    fill(a, 5);
    fill(b, 6);
    const int64_t shapes[3][2] = {{m, k}, {k, n}, {m, n}};
    const int64_t strides[3][2] = {{1, m}, {n, 1}, {n, 1}}; // a lies transposed
    std::vector<da_tensor> tensors = {a.view(), b.view(), c.view()};
    for (size_t i = 0; i < 3; ++i) {
        tensors[i].rank = 2;
        tensors[i].shape = shapes[i];
        tensors[i].strides = strides[i];
        tensors[i].flags = i ? DA_TENSOR_CONTIGUOUS : 0;
    }
    CHECK(call(DA_OP_MATMUL, tensors) == DA_OK, "matmul");
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
            Wide sum = 0;
            long double size = 0;
            for (int64_t p = 0; p < k; ++p) {
                const Wide term = Wide(a[size_t(p * m + i)]) * Wide(b[size_t(p * n + j)]);
                sum += term;
                size += std::abs(term);
            }
            CHECK(std::abs(Wide(c[size_t(i * n + j)]) - sum) <=
                      size * static_cast<long double>(k + 4) * std::numeric_limits<T>::epsilon(),
                  "matmul %ldx%ldx%ld at %ld, %ld", long(m), long(n), long(k), long(i), long(j));
        }
}

} // namespace

void test_complex() {
    accuracy<float>();
    accuracy<double>();
    conjugates<float>();
    conjugates<double>();
    special();
    parts();
    casts();
    products<float>(3, 5, 7);
    products<double>(40, 33, 65);
}

} // namespace test
