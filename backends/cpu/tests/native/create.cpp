// SPDX-License-Identifier: Apache-2.0
// fill, iota and random_bits.
#include <cmath>
#include <cstring>

#include "support.hpp"

namespace test {
namespace {

da_value attribute(unsigned dtype, Value v) {
    da_value a = {};
    if (is_float(dtype))
        a.f = double(v);
    else if (is_signed(dtype))
        a.i = int64_t(v);
    else
        a.u = uint64_t(v);
    return a;
}

void fills(unsigned dtype, int layout) {
    const Value values[] = {0, 1, 100, -3, 2.7L, 65520, 1.0L + 0x1p-11L + 0x1p-40L, NAN, INFINITY};
    for (Value v : values) {
        if (!is_float(dtype)) {
            if (std::isnan(v) || std::isinf(v)) continue;
            v = wrapped(dtype, __int128(v));
        }
        if (dtype == DA_BOOL) v = v != 0;
        for (const auto& shape : std::vector<std::vector<int64_t>>{{}, {3}, {9, 130}}) {
            Tensor out(dtype, shape, Layout(layout));
            CHECK(run(DA_OP_FILL, {}, out, {attribute(dtype, v)}) == DA_OK, "fill");
            CHECK(surroundings_untouched(out), "fill writes outside");
            for (int64_t i = 0; i < out.count(); ++i)
                CHECK(ulp_distance(dtype, out.get(i),
                                   rounded(dtype, is_float(dtype) ? double(v) : v)) == 0,
                      "fill %s with %Lg gave %Lg", dtype_name(dtype), v, out.get(i));
        }
    }
}

void iotas(unsigned dtype, int layout) {
    const Value start = is_float(dtype) ? 0.1L : is_signed(dtype) ? -5 : 5;
    const Value step = is_float(dtype) ? 0.7L : 3;
    for (const auto& shape : std::vector<std::vector<int64_t>>{{1}, {2500}, {7, 300}}) {
        Tensor out(dtype, shape, Layout(layout));
        CHECK(run(DA_OP_IOTA, {}, out, {attribute(dtype, start), attribute(dtype, step)}) == DA_OK,
              "iota");
        CHECK(surroundings_untouched(out), "iota writes outside");
        for (int64_t i = 0; i < out.count(); ++i) {
            const Value exact = is_float(dtype)
                                    ? Value(double(start)) + Value(i) * Value(double(step))
                                    : wrapped(dtype, __int128(start) + i * __int128(step));
            CHECK(ulp_distance(dtype, out.get(i), exact) <= (is_float(dtype) ? 0.501 : 0),
                  "iota %s [%ld] = %Lg, not %Lg", dtype_name(dtype), long(i), out.get(i), exact);
        }
    }
}

// One block, word by word, from the algorithm's description.
void philox(const uint32_t* counter, uint64_t seed, uint32_t* x) {
    uint32_t key[2] = {uint32_t(seed), uint32_t(seed >> 32)};
    std::memcpy(x, counter, 16);
    for (int round = 0; round < 10; ++round) {
        const uint64_t a = uint64_t(0xD2511F53u) * x[0], b = uint64_t(0xCD9E8D57u) * x[2];
        const uint32_t next[4] = {uint32_t(b >> 32) ^ x[1] ^ key[0], uint32_t(b),
                                  uint32_t(a >> 32) ^ x[3] ^ key[1], uint32_t(a)};
        std::memcpy(x, next, 16);
        key[0] += 0x9E3779B9u;
        key[1] += 0xBB67AE85u;
    }
}

// The published vectors of the algorithm, for the reference above and, where the op can have the
// counter, for the op.
void published_vectors() {
    const uint32_t zeros[4] = {}, ones[4] = {~0u, ~0u, ~0u, ~0u};
    const uint32_t pi[4] = {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344};
    const uint32_t of_zeros[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    const uint32_t of_ones[4] = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
    const uint32_t of_pi[4] = {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
    uint32_t x[4];
    philox(zeros, 0, x);
    CHECK(std::memcmp(x, of_zeros, 16) == 0, "reference, zeros");
    philox(ones, ~uint64_t(0), x);
    CHECK(std::memcmp(x, of_ones, 16) == 0, "reference, ones");
    philox(pi, 0x299f31d0a4093822u, x);
    CHECK(std::memcmp(x, of_pi, 16) == 0, "reference, pi");
    Tensor out(DA_UINT32, {4});
    CHECK(run(DA_OP_RANDOM_BITS, {}, out, {da_value{}, da_value{}}) == DA_OK, "random_bits");
    for (int i = 0; i < 4; ++i) CHECK(out.get(i) == of_zeros[i], "random_bits, zeros, word %d", i);
}

void random_bits(int layout, int64_t n, uint64_t seed, uint64_t offset) {
    Tensor out(DA_UINT32, {n}, Layout(layout));
    da_value attributes[2] = {};
    attributes[DA_RANDOM_BITS_SEED].u = seed;
    attributes[DA_RANDOM_BITS_OFFSET].u = offset;
    CHECK(run(DA_OP_RANDOM_BITS, {}, out, {attributes[0], attributes[1]}) == DA_OK, "random_bits");
    CHECK(surroundings_untouched(out), "random_bits writes outside");
    for (int64_t i = 0; i < n; ++i) {
        const uint64_t low = offset + uint64_t(i) / 4;
        const uint32_t counter[4] = {uint32_t(low), uint32_t(low >> 32), 0, 0};
        uint32_t x[4];
        philox(counter, seed, x);
        CHECK(out.get(i) == x[i % 4], "random_bits, word %ld of %ld", long(i), long(n));
    }
}

} // namespace

void test_create() {
    for (int layout = 0; layout < kLayouts; ++layout) {
        for (unsigned dtype = 0; dtype <= DA_FLOAT64; ++dtype) {
            fills(dtype, layout);
            if (dtype != DA_BOOL) iotas(dtype, layout);
        }
        random_bits(layout, 4099, 0x123456789abcdefu, 0xfffffffffffffff0u);
    }
    for (int64_t n = 1; n < 12; ++n) random_bits(kDense, n, 7, 0xffffffffu);
    random_bits(kDense, 300001, 42, 5);
    published_vectors();
}

} // namespace test
