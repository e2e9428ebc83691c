// SPDX-License-Identifier: Apache-2.0
// Convolution and pools: paddings that give the output's shape, and those that CANN does not have.
#include "check.hpp"
#include "harness.hpp"
#include "values.hpp"

using namespace harness;

namespace {

std::vector<da_value> numbers(std::initializer_list<int> list) {
    std::vector<da_value> values;
    for (const int i : list) values.push_back(integer(i));
    return values;
}

struct Row {
    da_op op;
    std::vector<da_value> attributes;
    std::vector<std::int64_t>
        shape; // of 1, 2, 3, ...; the window of a convolution is (1, 1, .., 2)
    std::vector<std::int64_t> positions;
    Floats want; // none: not supported
};

// Convolution: stride, pad, dilation, groups. Pools: window, stride, pad, then dilation or
// count_pad.
const std::vector<Row> rows = {
    {DA_OP_CONVOLUTION, numbers({1, 1, 1, 0, 0, 0, 1, 1, 1, 1}), {1, 1, 4}, {1, 1, 3}, {3, 5, 7}},
    {DA_OP_CONVOLUTION, numbers({1, 1, 2, 0, 0, 1, 1, 1, 1, 1}), {1, 1, 3}, {1, 1, 2}, {1, 5}},
    {DA_OP_CONVOLUTION, numbers({1, 1, 1, 0, 0, 0, 1, 1, 1, 1}), {1, 1, 3}, {1, 1, 3}, {3, 5, 3}},
    {DA_OP_CONVOLUTION,
     numbers({1, 1, 1, 0, 0, 1, 1, 1, 2, 1}),
     {1, 1, 1, 3},
     {1, 1, 1, 3},
     {2, 4, 2}},
    {DA_OP_CONVOLUTION,
     numbers({1, 1, 1, 0, 0, 0, 1, 1, 1, 1}),
     {1, 1, 1, 1, 3},
     {1, 1, 1, 1, 2},
     {3, 5}},
    {DA_OP_CONVOLUTION,
     numbers({1, 1, 1, 0, 0, 0, 1, 1, 1, 1}),
     {1, 1, 1, 1, 3},
     {1, 1, 1, 1, 3},
     {}},
    {DA_OP_MAX_POOL, numbers({1, 1, 2, 1, 1, 2, 0, 0, 0, 1, 1, 1}), {1, 1, 5}, {1, 1, 2}, {2, 4}},
    {DA_OP_MAX_POOL,
     numbers({1, 1, 2, 1, 1, 2, 0, 0, 0, 1, 1, 1}),
     {1, 1, 5},
     {1, 1, 3},
     {2, 4, 5}},
    {DA_OP_MAX_POOL,
     numbers({1, 2, 2, 1, 1, 1, 0, 1, 0, 1, 1, 1}),
     {1, 1, 2, 3},
     {1, 1, 3, 2},
     {2, 3, 5, 6, 5, 6}},
    {DA_OP_MAX_POOL, numbers({1, 1, 2, 1, 1, 1, 0, 0, 0, 1, 1, 2}), {1, 1, 5}, {1, 1, 3}, {}},
    {DA_OP_MAX_POOL, numbers({1, 1, 2, 1, 1, 2, 0, 0, 2, 1, 1, 1}), {1, 1, 4}, {1, 1, 4}, {}},
    {DA_OP_AVG_POOL, numbers({1, 1, 2, 1, 1, 2, 0, 0, 1, 0}), {1, 1, 4}, {1, 1, 3}, {1, 2.5f, 4}},
    {DA_OP_AVG_POOL,
     numbers({1, 1, 2, 1, 1, 2, 0, 0, 1, 1}),
     {1, 1, 4},
     {1, 1, 3},
     {0.5f, 2.5f, 2}},
    {DA_OP_AVG_POOL,
     numbers({1, 1, 2, 1, 1, 2, 0, 0, 0, 0}),
     {1, 1, 5},
     {1, 1, 3},
     {1.5f, 3.5f, 5}},
    {DA_OP_AVG_POOL, numbers({1, 1, 2, 1, 1, 2, 0, 0, 0, 1}), {1, 1, 5}, {1, 1, 3}, {}},
    {DA_OP_AVG_POOL, numbers({1, 1, 1, 1, 1, 1, 0, 0, 0, 0}), {1, 1, 1, 1, 2}, {1, 1, 1, 1, 2}, {}},
};

std::size_t count(const std::vector<std::int64_t>& shape) {
    std::int64_t n = 1;
    for (const std::int64_t size : shape) n *= size;
    return static_cast<std::size_t>(n);
}

} // namespace

TEST(windows) {
    Npu npu;
    Stream s(npu);
    for (const Row& row : rows) {
        Floats values;
        for (std::size_t i = 1; i <= count(row.shape); ++i) values.push_back(static_cast<float>(i));
        std::vector<std::int64_t> window(row.shape.size(), 1);
        window.back() = 2;
        View x(s, s.upload(values), DA_FLOAT32, row.shape);
        View taps(s, s.upload(Floats{1, 1}), DA_FLOAT32, window);
        View out(s, s.memory(count(row.positions) * 4), DA_FLOAT32, row.positions);
        std::vector<da_tensor> inputs{x.tensor()};
        if (row.op == DA_OP_CONVOLUTION) inputs.push_back(taps.tensor());
        const da_status status = run(s, row.op, inputs, out, row.attributes);
        EQUAL(status, row.want.empty() ? DA_NOT_SUPPORTED : DA_OK);
        if (status == DA_OK) close(s.download<float>(out.data, row.want.size()), row.want);
    }
    EQUAL(control()->misuse_count(), 0u);
}
