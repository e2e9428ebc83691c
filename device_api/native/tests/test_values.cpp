// SPDX-License-Identifier: Apache-2.0
// Promotion, host scalars, and the merging of dimensions.
#include <cmath>

#include "check.hpp"
#include "dtype.hpp"
#include "shape.hpp"

using namespace device_api::core;

namespace {

void promotion_is_the_array_apis() {
    struct Row {
        int a, b, result;
    };
    const Row rows[] = {
        {DA_INT8, DA_INT32, DA_INT32},
        {DA_UINT8, DA_INT8, DA_INT16},
        {DA_UINT32, DA_INT8, DA_INT64},
        {DA_UINT8, DA_INT64, DA_INT64},
        {DA_UINT64, DA_INT8, -1},
        {DA_FLOAT32, DA_FLOAT64, DA_FLOAT64},
        {DA_FLOAT16, DA_BFLOAT16, DA_FLOAT32},
        {DA_FLOAT32, DA_COMPLEX64, DA_COMPLEX64},
        {DA_FLOAT64, DA_COMPLEX64, DA_COMPLEX128},
        {DA_BOOL, DA_INT8, DA_INT8},
        {DA_INT64, DA_FLOAT16, DA_FLOAT16},
        {DA_BOOL, DA_BOOL, DA_BOOL},
    };
    for (const Row& row : rows) {
        CHECK(dah_promote(uint16_t(row.a), uint16_t(row.b)) == row.result);
        CHECK(dah_promote(uint16_t(row.b), uint16_t(row.a)) == row.result);
    }
    CHECK(dah_promote(99, 0) == -1);
}

uint16_t half(double x) {
    const dah_scalar scalar{da_value{.f = x}, 'f'};
    uint16_t bits = 0;
    store_scalar(scalar, DA_FLOAT16, &bits);
    return bits;
}

uint16_t brain(double x) {
    const dah_scalar scalar{da_value{.f = x}, 'f'};
    uint16_t bits = 0;
    store_scalar(scalar, DA_BFLOAT16, &bits);
    return bits;
}

void scalars_round_half_to_even_once() {
    CHECK(half(1.0) == 0x3c00 && half(-2.0) == 0xc000 && half(0.0) == 0 && half(-0.0) == 0x8000);
    CHECK(half(65504) == 0x7bff && half(65519) == 0x7bff && half(65520) == 0x7c00);
    CHECK(half(INFINITY) == 0x7c00 && (half(NAN) & 0x7c00) == 0x7c00 && (half(NAN) & 0x3ff));
    CHECK(half(std::ldexp(1, -24)) == 1 && half(std::ldexp(1, -25)) == 0);
    CHECK(half(std::ldexp(1.5, -25)) == 1 && half(std::ldexp(1023.75, -24)) == 0x400);
    CHECK(half(1 + std::ldexp(1, -11)) == 0x3c00);                      // a tie, to even
    CHECK(half(1 + std::ldexp(1, -11) + std::ldexp(1, -40)) == 0x3c01); // float would lose it
    CHECK(brain(1.0) == 0x3f80 && brain(3.4e38) == 0x7f80 && brain(1e-40) == 0x0001);
    CHECK(brain(1 + std::ldexp(1, -8)) == 0x3f80 && brain(1 + std::ldexp(3, -8)) == 0x3f82);
}

void integers_that_do_not_fit_are_told() {
    uint64_t bits = 0;
    const dah_scalar negative{{.i = -1}, 'i'}, large{{.i = 300}, 'i'};
    dah_scalar huge{{.u = UINT64_MAX}, 'u'};
    CHECK(!store_scalar(negative, DA_UINT8, &bits));
    CHECK(!store_scalar(large, DA_INT8, &bits) && store_scalar(large, DA_INT16, &bits));
    CHECK(store_scalar(huge, DA_UINT64, &bits) && bits == UINT64_MAX);
    CHECK(!store_scalar(huge, DA_INT64, &bits));
    bits = 0;
    CHECK(store_scalar(negative, DA_INT8, &bits) && bits == 0xff);
}

dah_scalar complex(double real, double imaginary) {
    dah_scalar scalar{{}, 'c'};
    scalar.value.c[0] = real;
    scalar.value.c[1] = imaginary;
    return scalar;
}

void complex_scalars_keep_the_precision() {
    CHECK(dah_promote_scalar(DA_FLOAT32, 'c') == DA_COMPLEX64);
    CHECK(dah_promote_scalar(DA_FLOAT64, 'c') == DA_COMPLEX128);
    CHECK(dah_promote_scalar(DA_BFLOAT16, 'c') == DA_COMPLEX64);
    CHECK(dah_promote_scalar(DA_INT64, 'c') == DA_COMPLEX64);
    CHECK(dah_promote_scalar(DA_BOOL, 'c') == DA_COMPLEX64);
    CHECK(dah_promote_scalar(DA_COMPLEX128, 'c') == DA_COMPLEX128);
    CHECK(dah_promote_scalar(DA_COMPLEX64, 'f') == DA_COMPLEX64);
    float parts[2] = {};
    CHECK(store_scalar(complex(1.5, -2), DA_COMPLEX64, parts) && parts[0] == 1.5f);
    CHECK(parts[1] == -2.0f);
    double wide[2] = {9, 9};
    const dah_scalar real{da_value{.f = 0.5}, 'f'};
    CHECK(store_scalar(real, DA_COMPLEX128, wide) && wide[0] == 0.5 && wide[1] == 0);
    CHECK(!store_scalar(complex(1, 0), DA_FLOAT32, parts)); // not even without imaginary part
    CHECK(!store_scalar(complex(1, 0), DA_INT8, parts));
    uint8_t truth = 2;
    CHECK(store_scalar(complex(0, 1), DA_BOOL, &truth) && truth == 1);
    CHECK(store_scalar(complex(0, 0), DA_BOOL, &truth) && truth == 0);
}

void dimensions_merge_where_all_operands_allow_it() {
    Loop loop;
    loop.rank = 3;
    loop.n = 2;
    const int64_t shape[3] = {4, 1, 6}, a[3] = {6, 99, 1}, b[3] = {0, 0, 0};
    std::memcpy(loop.shape, shape, sizeof shape);
    std::memcpy(loop.strides[1], a, sizeof a);
    std::memcpy(loop.strides[0], b, sizeof b);
    coalesce(loop);
    CHECK(loop.rank == 1 && loop.shape[0] == 24);
    CHECK(loop.strides[0][0] == 0 && loop.strides[1][0] == 1);
}

void outputs_are_written_in_memory_order() {
    Loop loop;
    loop.rank = 2;
    loop.n = 2;
    const int64_t shape[2] = {3, 5}, in[2] = {5, 1}, out[2] = {1, 3};
    std::memcpy(loop.shape, shape, sizeof shape);
    std::memcpy(loop.strides[0], in, sizeof in);
    std::memcpy(loop.strides[1], out, sizeof out);
    coalesce(loop);
    CHECK(loop.rank == 2 && loop.shape[0] == 5 && loop.strides[1][1] == 1);
    CHECK(loop.strides[0][0] == 1 && loop.strides[0][1] == 5);
}

} // namespace

int main() {
    promotion_is_the_array_apis();
    scalars_round_half_to_even_once();
    integers_that_do_not_fit_are_told();
    complex_scalars_keep_the_precision();
    dimensions_merge_where_all_operands_allow_it();
    outputs_are_written_in_memory_order();
    return report();
}
