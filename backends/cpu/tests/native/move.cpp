// SPDX-License-Identifier: Apache-2.0
// Copies between layouts, bit for bit.
#include <algorithm>
#include <cstring>

#include "support.hpp"

namespace test {
namespace {

void compare(const Tensor& in, const Tensor& out, const char* what) {
    CHECK(surroundings_untouched(out), "copy %s writes outside", what);
    for (int64_t i = 0; i < in.count(); ++i)
        if (std::memcmp(&in.memory[size_t(in.offset_of(i)) * in.size],
                        &out.memory[size_t(out.offset_of(i)) * out.size], in.size) != 0) {
            CHECK(false, "copy %s %s: element %ld differs", what, dtype_name(in.dtype), long(i));
            return;
        }
}

void fill_with_bits(Tensor& t) {
    std::mt19937_64 random(t.dtype);
    for (int64_t i = 0; i < t.count(); ++i) {
        const uint64_t bits = t.dtype == DA_BOOL ? random() & 1 : random();
        std::memcpy(&t.memory[size_t(t.offset_of(i)) * t.size], &bits, t.size);
    }
}

void layouts(unsigned dtype, const std::vector<int64_t>& shape) {
    for (int from = 0; from < kLayouts; ++from)
        for (int to = 0; to < kLayouts; ++to) {
            Tensor in(dtype, shape, Layout(from)), out(dtype, shape, Layout(to));
            fill_with_bits(in);
            CHECK(run(DA_OP_COPY, {&in}, out) == DA_OK, "copy");
            compare(in, out, "layouts");
        }
}

// A view of `t` with its dimensions in another order.
Tensor permuted(const Tensor& t, const std::vector<int>& order) {
    Tensor view = t;
    for (size_t d = 0; d < order.size(); ++d) {
        view.shape[d] = t.shape[size_t(order[d])];
        view.strides[d] = t.strides[size_t(order[d])];
    }
    return view;
}

void permutations(unsigned dtype) {
    std::vector<int> order = {0, 1, 2};
    do {
        Tensor base(dtype, {37, 70, 21});
        fill_with_bits(base);
        const Tensor in = permuted(base, order);
        Tensor out(dtype, in.shape);
        CHECK(run(DA_OP_COPY, {&in}, out) == DA_OK, "copy");
        compare(in, out, "permuted");
    } while (std::next_permutation(order.begin(), order.end()));
}

// Large enough for stores past the caches and several threads.
void large() {
    for (const int layout : {kDense, kTransposed, kSliced}) {
        Tensor in(DA_FLOAT64, {1261, 1263}, Layout(layout)), out(DA_FLOAT64, {1261, 1263});
        fill_with_bits(in);
        CHECK(run(DA_OP_COPY, {&in}, out) == DA_OK, "copy");
        compare(in, out, "large");
    }
    Tensor row(DA_INT16, {3, 1000, 7});
    fill_with_bits(row);
    row.repeat(0);
    row.repeat(2);
    Tensor out(DA_INT16, {3, 1000, 7}, kTransposed);
    CHECK(run(DA_OP_COPY, {&row}, out) == DA_OK, "copy");
    compare(row, out, "repeated");
}

void many_dimensions() {
    const std::vector<int64_t> shape(16, 2);
    Tensor in(DA_FLOAT64, shape, kMixed), out(DA_FLOAT64, shape, kTransposed);
    fill_with_bits(in);
    CHECK(run(DA_OP_COPY, {&in}, out) == DA_OK, "copy");
    compare(in, out, "of rank 16");
    Tensor sum(DA_FLOAT64, shape, kNegative);
    CHECK(run(DA_OP_NEG, {&in}, sum) == DA_OK, "neg of rank 16");
}

} // namespace

void test_move() {
    for (unsigned dtype = 0; dtype <= DA_FLOAT64; ++dtype) {
        layouts(dtype, {});
        layouts(dtype, {19});
        layouts(dtype, {33, 70});
        layouts(dtype, {3, 4, 5, 6});
        permutations(dtype);
    }
    large();
    many_dimensions();
}

} // namespace test
