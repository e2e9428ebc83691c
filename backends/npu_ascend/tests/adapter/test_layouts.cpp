// SPDX-License-Identifier: Apache-2.0
// Views: broadcasting, strides, ranks.
#include <cstring>

#include "check.hpp"
#include "harness.hpp"
#include "values.hpp"

using namespace harness;

// Inputs come with the output's shape, and stride 0 where they broadcast.
TEST(broadcasting) {
    Npu npu;
    Stream s(npu);
    void* row = s.upload(Floats{1, 2, 3});
    void* column = s.upload(Floats{10, 20});
    View a(s, row, DA_FLOAT32, {2, 3}, {0, 1}), b(s, column, DA_FLOAT32, {2, 3}, {1, 0});
    View out(s, s.memory(24), DA_FLOAT32, {2, 3});
    must(s, DA_OP_ADD, {a.tensor(), b.tensor()}, out);
    close(s.download<float>(out.data, 6), {11, 12, 13, 21, 22, 23});
    must(s, DA_OP_ADD, {a.tensor(), a.tensor()}, out); // both broadcast along one dimension
    close(s.download<float>(out.data, 6), {2, 4, 6, 2, 4, 6});
    must(s, DA_OP_NEG, {a.tensor()}, out);
    close(s.download<float>(out.data, 6), {-1, -2, -3, -1, -2, -3});
    must(s, DA_OP_COPY, {b.tensor()}, out);
    close(s.download<float>(out.data, 6), {10, 10, 10, 20, 20, 20});
    View condition(s, s.upload(Bools{1, 0, 1}), DA_BOOL, {2, 3}, {0, 1});
    must(s, DA_OP_WHERE, {condition.tensor(), a.tensor(), b.tensor()}, out);
    close(s.download<float>(out.data, 6), {1, 10, 3, 1, 20, 3});
    View one(s, column, DA_FLOAT32, {2, 3}, {0, 0});
    must(s, DA_OP_MUL, {one.tensor(), one.tensor()}, out);
    close(s.download<float>(out.data, 6), {100, 100, 100, 100, 100, 100});
}

TEST(strided_views) {
    Npu npu;
    Stream s(npu);
    auto* x = static_cast<float*>(s.upload(Floats{0, 1, 2, 3, 4, 5, 6, 7}));
    View odd(s, x + 1, DA_FLOAT32, {3}, {2}), transposed(s, x, DA_FLOAT32, {2, 3}, {1, 2});
    View out(s, s.memory(12), DA_FLOAT32, {3}), wide(s, s.memory(24), DA_FLOAT32, {2, 3});
    must(s, DA_OP_NEG, {odd.tensor()}, out);
    close(s.download<float>(out.data, 3), {-1, -3, -5});
    must(s, DA_OP_COPY, {transposed.tensor()}, wide);
    close(s.download<float>(wide.data, 6), {0, 2, 4, 1, 3, 5});
    must(s, DA_OP_ADD, {odd.tensor(), odd.tensor()}, odd); // in place, into a strided view
    close(s.download<float>(x, 8), {0, 2, 2, 6, 4, 10, 6, 7});
    View back(s, x + 7, DA_FLOAT32, {3}, {-1});
    EQUAL(run(s, DA_OP_NEG, {back.tensor()}, out), DA_NOT_SUPPORTED);
    CHECK(std::strstr(last_error().message, "negative"));
}

// Copy alone takes negative strides; it is still one launch.
TEST(reversed_copies) {
    Npu npu;
    Stream s(npu);
    auto* x = static_cast<float*>(s.upload(Floats{0, 1, 2, 3, 4, 5}));
    auto* y = static_cast<float*>(s.memory(24));
    View whole(s, x, DA_FLOAT32, {2, 3}), out(s, y, DA_FLOAT32, {2, 3});
    View rows(s, x + 3, DA_FLOAT32, {2, 3}, {-3, 1}), both(s, x + 5, DA_FLOAT32, {2, 3}, {-3, -1});
    View back(s, y + 2, DA_FLOAT32, {2, 3}, {3, -1});
    View spread(s, x + 2, DA_FLOAT32, {2, 3}, {0, -1});
    npu.op(DA_OP_COPY);
    EQUAL(control()->launch_clear(), DAS_OK);
    must(s, DA_OP_COPY, {rows.tensor()}, out);
    close(s.download<float>(y, 6), {3, 4, 5, 0, 1, 2});
    must(s, DA_OP_COPY, {both.tensor()}, out);
    close(s.download<float>(y, 6), {5, 4, 3, 2, 1, 0});
    must(s, DA_OP_COPY, {whole.tensor()}, back); // the target runs backwards
    close(s.download<float>(y, 6), {2, 1, 0, 5, 4, 3});
    must(s, DA_OP_COPY, {both.tensor()}, back); // both do, along one dimension
    close(s.download<float>(y, 6), {3, 4, 5, 0, 1, 2});
    must(s, DA_OP_COPY, {spread.tensor()}, out);
    close(s.download<float>(y, 6), {2, 1, 0, 2, 1, 0});
    EQUAL(control()->launch_count(DAS_KERNEL), 5u);
    View wide(s, s.upload(std::vector<std::uint64_t>{1, ~0ull}), DA_UINT64, {2});
    View turned(s, static_cast<char*>(wide.data) + 8, DA_UINT64, {2}, {-1});
    View to(s, s.memory(16), DA_UINT64, {2});
    must(s, DA_OP_COPY, {turned.tensor()}, to); // bits are kept
    EQUAL(s.download<std::uint64_t>(to.data, 2)[0], ~0ull);
    EQUAL(control()->misuse_count(), 0u);
}

TEST(limits) {
    Npu npu;
    Stream s(npu);
    const std::vector<std::int64_t> nine(9, 1), eight(8, 1);
    void* a = s.upload(Floats{3});
    View deep(s, a, DA_FLOAT32, nine), fits(s, a, DA_FLOAT32, eight);
    View out(s, s.memory(4), DA_FLOAT32, nine), out8(s, s.memory(4), DA_FLOAT32, eight);
    EQUAL(run(s, DA_OP_NEG, {deep.tensor()}, out), DA_NOT_SUPPORTED);
    CHECK(std::strstr(last_error().message, "8 dimensions"));
    must(s, DA_OP_NEG, {fits.tensor()}, out8);
    close(s.download<float>(out8.data, 1), {-3});
}
