// SPDX-License-Identifier: Apache-2.0
// Conversions between all pairs of types.
#include <cmath>

#include "support.hpp"

namespace test {
namespace {

Value lowest(unsigned dtype) {
    return is_signed(dtype) ? -std::ldexp(1.0L, mantissa_bits(dtype)) : 0;
}
Value above(unsigned dtype) {
    return std::ldexp(1.0L, mantissa_bits(dtype));
}

// Values outside the range of an integer type saturate here, though the op table leaves it open.
Value truncated(unsigned dtype, Value x) {
    if (std::isnan(x)) return 0;
    x = std::trunc(x);
    return x < lowest(dtype) ? lowest(dtype) : x >= above(dtype) ? above(dtype) - 1 : x;
}

Value expected(unsigned from, unsigned to, Value x) {
    if (to == DA_BOOL) return x != 0;
    if (is_float(to)) return rounded(to, x);
    return is_float(from) ? truncated(to, x) : wrapped(to, __int128(x));
}

// Half-way cases, and values whose float64 or float32 rounding would hide on which side they lie.
void hard_values(Tensor& t) {
    const Value values[] = {0x1p62L + 0x1p54L + 1,
                            0x1p62L + 0x1p54L - 1,
                            0x1p62L + 0x1p54L,
                            0x1p30L + 0x1p22L + 1,
                            0x1p30L + 0x1p22L,
                            2049,
                            2051,
                            65519,
                            65520,
                            65521,
                            257,
                            259,
                            16777217,
                            1.0L + 0x1p-11L,
                            1.0L + 0x1p-11L + 0x1p-40L,
                            1.0L + 0x1p-9L,
                            1.0L + 0x1p-8L + 0x1p-45L,
                            0x1p-25L,
                            0x1p-25L + 0x1p-60L,
                            0x1.8p-25L,
                            0x1p-134L,
                            0x1.8p-134L,
                            1e300L,
                            -1e300L,
                            0.5L,
                            -0.9L,
                            127.5L};
    int64_t i = 0;
    for (const Value v : values) {
        const bool fits =
            is_float(t.dtype) ||
            (v == std::trunc(v) && std::fabs(v) < above(t.dtype) && v >= lowest(t.dtype));
        if (fits && t.dtype != DA_BOOL) t.set(i++, rounded(t.dtype, v));
    }
}

void one_case(unsigned from, unsigned to, const std::vector<int64_t>& shape, int layout) {
    std::mt19937_64 random(from * 100 + to);
    Tensor in(from, shape, Layout((layout + 1) % kLayouts)), out(to, shape, Layout(layout));
    in.randomise(random);
    if (in.count() > 60) hard_values(in);
    CHECK(run(DA_OP_CAST, {&in}, out) == DA_OK, "cast %s to %s", dtype_name(from), dtype_name(to));
    CHECK(surroundings_untouched(out), "cast writes outside");
    for (int64_t i = 0; i < in.count(); ++i) {
        const Value x = in.get(i), wanted = expected(from, to, x), got = out.get(i);
        const bool same = std::isnan(wanted)
                              ? std::isnan(got)
                              : got == wanted && std::signbit(got) == std::signbit(wanted);
        CHECK(same || (got == 0 && wanted == 0 && !is_float(to)),
              "cast %s to %s layout %d: %.20Lg gave %.20Lg, not %.20Lg", dtype_name(from),
              dtype_name(to), layout, x, got, wanted);
    }
}

} // namespace

void test_cast() {
    for (unsigned from = 0; from <= DA_FLOAT64; ++from)
        for (unsigned to = 0; to <= DA_FLOAT64; ++to)
            for (int layout = 0; layout < kLayouts; ++layout) {
                one_case(from, to, {5, 131}, layout);
                one_case(from, to, {}, layout);
            }
    one_case(DA_FLOAT32, DA_FLOAT16, {400000}, kDense);
}

} // namespace test
