// SPDX-License-Identifier: Apache-2.0
// Results of activations, of operators along an axis, and of those with outputs in the workspace.
#include "check.hpp"
#include "harness.hpp"
#include "values.hpp"

using namespace harness;
using Places = std::vector<std::int64_t>;

namespace {

struct Row {
    da_op op;
    std::vector<da_value> attributes;
    Floats x, want;
};

const std::vector<Row> rows = {
    {DA_OP_EXPM1, {}, {0, 1e-8f, -inf}, {0, 1e-8f, -1}},
    {DA_OP_ACOSH, {}, {1, 2, 0.5f}, {0, 1.3169579f, not_a_number}},
    {DA_OP_ERF, {}, {0.5f, inf, -inf}, {0.5204999f, 1, -1}},
    {DA_OP_CEIL, {}, {1.5f, -1.5f, inf}, {2, -1, inf}},
    {DA_OP_RSQRT, {}, {4, 0, -1}, {0.5f, inf, not_a_number}},
    {DA_OP_RELU, {}, {-1, 2, not_a_number}, {0, 2, not_a_number}},
    {DA_OP_SILU, {}, {1, -inf, inf}, {0.7310586f, 0, inf}},
    {DA_OP_GELU, {}, {1, -8, -inf}, {0.8413447f, -4.9767685e-15f, 0}},
    {DA_OP_GELU_TANH, {}, {1, -inf, inf}, {0.841192f, 0, inf}},
    {DA_OP_MISH, {}, {1, -inf, inf}, {0.8650984f, 0, inf}},
    {DA_OP_HARDSWISH, {}, {1, -4, 5}, {0.6666667f, 0, 5}},
    {DA_OP_SOFTPLUS, {real(2), real(3)}, {1, 2, -1}, {1.0634640f, 2, 0.06346401f}},
    {DA_OP_LEAKY_RELU, {real(0.5)}, {1, -4, not_a_number}, {1, -2, not_a_number}},
    {DA_OP_ELU, {real(2)}, {1, -1, -inf}, {1, -1.2642411f, -2}},
    {DA_OP_CUMSUM, {integer(0)}, {1, 2, 3}, {1, 3, 6}},
    {DA_OP_CUMPROD, {integer(0)}, {2, 3, 4}, {2, 6, 24}},
    {DA_OP_SORT, {integer(0), integer(0)}, {2, not_a_number, -1}, {-1, 2, not_a_number}},
    {DA_OP_SORT, {integer(0), integer(1)}, {2, not_a_number, -1}, {not_a_number, 2, -1}},
    {DA_OP_SOFTMAX, {integer(0)}, {0, 0, 0.6931472f}, {0.25f, 0.25f, 0.5f}},
    {DA_OP_SOFTMAX, {integer(0)}, Floats(3, -inf), Floats(3, not_a_number)},
    {DA_OP_LOG_SOFTMAX, {integer(0)}, {0, 0, 0.6931472f}, {-1.3862944f, -1.3862944f, -0.6931472f}},
};

} // namespace

TEST(one_input) {
    Npu npu;
    Stream s(npu);
    for (const Row& row : rows) {
        const auto n = static_cast<std::int64_t>(row.x.size());
        View x(s, s.upload(row.x), DA_FLOAT32, {n}),
            out(s, s.memory(row.x.size() * 4), DA_FLOAT32, {n});
        must(s, row.op, {x.tensor()}, out, row.attributes);
        close(s.download<float>(out.data, row.x.size()), row.want);
    }
    EQUAL(control()->misuse_count(), 0u);
}

// Equal elements keep their order, also descending; NaN is the largest.
TEST(orders) {
    Npu npu;
    Stream s(npu);
    View x(s, s.upload(Floats{3, 1, 3, not_a_number, 1}), DA_FLOAT32, {5});
    View places(s, s.memory(40), DA_INT64, {5}), best(s, s.memory(24), DA_INT64, {3});
    must(s, DA_OP_ARGSORT, {x.tensor()}, places, {integer(0), integer(0)});
    CHECK(s.download<std::int64_t>(places.data, 5) == (Places{1, 4, 0, 2, 3}));
    must(s, DA_OP_ARGSORT, {x.tensor()}, places, {integer(0), integer(1)});
    CHECK(s.download<std::int64_t>(places.data, 5) == (Places{3, 0, 2, 1, 4}));
    must(s, DA_OP_TOPK, {x.tensor()}, best, {integer(0), integer(0)});
    CHECK(s.download<std::int64_t>(best.data, 3) == (Places{3, 0, 2}));
    must(s, DA_OP_TOPK, {x.tensor()}, best, {integer(0), integer(1)});
    CHECK(s.download<std::int64_t>(best.data, 3) == (Places{1, 4, 0}));
    // A strided view takes CANN's own workspace beside the one for the values.
    View odd(s, s.upload(std::vector<std::int32_t>{5, 0, 9, 0, 7, 0}), DA_INT32, {3}, {2});
    View three(s, s.memory(24), DA_INT64, {3});
    must(s, DA_OP_ARGSORT, {odd.tensor()}, three, {integer(0), integer(0)});
    CHECK(s.download<std::int64_t>(three.data, 3) == (Places{0, 2, 1}));
    View sorted(s, s.upload(std::vector<std::int32_t>{1, 3, 3, 8}), DA_INT32, {4});
    for (const int right : {0, 1}) {
        must(s, DA_OP_SEARCHSORTED, {sorted.tensor(), odd.tensor()}, three, {integer(right)});
        CHECK(s.download<std::int64_t>(three.data, 3) == (Places{3, 4, 3}));
    }
    View single(s, s.upload(std::vector<std::uint16_t>{0x3f80}), DA_BFLOAT16, {1});
    View one(s, s.memory(8), DA_INT64, {1});
    EQUAL(run(s, DA_OP_ARGSORT, {single.tensor()}, one, {integer(0), integer(0)}),
          DA_NOT_SUPPORTED);
    EQUAL(control()->misuse_count(), 0u);
}

TEST(plans_with_scratch_are_abandoned) {
    Npu npu;
    Stream s(npu);
    View x(s, s.upload(Floats{3, 1}), DA_FLOAT32, {2}), out(s, s.memory(16), DA_INT64, {2});
    const auto live = control()->live("executor");
    std::vector<da_tensor> tensors{x.tensor(), out.tensor()};
    const da_value attributes[] = {integer(0), integer(0)};
    dab_call call{};
    call.size = sizeof call;
    call.op = DA_OP_ARGSORT;
    call.n_inputs = call.n_outputs = 1;
    call.tensors = tensors.data();
    call.attributes = attributes;
    call.stream = s.raw;
    dab_plan plan{};
    EQUAL(npu.op(DA_OP_ARGSORT)->plan(npu, &call, &plan), DA_OK);
    CHECK(plan.workspace_bytes >= 8);
    npu.op(DA_OP_ARGSORT)->abandon(npu, &plan);
    EQUAL(control()->live("executor"), live);
}

TEST(products_and_truth) {
    Npu npu;
    Stream s(npu);
    View x(s, s.upload(Floats{1, 2, 3, 4, 5, 6, 7, 0}), DA_FLOAT32, {2, 2, 2});
    View two(s, s.memory(8), DA_FLOAT32, {2}), all(s, s.memory(4), DA_FLOAT32, {});
    must(s, DA_OP_PROD, {x.tensor()}, two, {integer(6)}); // neighbours: one axis
    close(s.download<float>(two.data, 2), {24, 0});
    must(s, DA_OP_PROD, {x.tensor()}, two, {integer(3)});
    close(s.download<float>(two.data, 2), {105, 0});
    must(s, DA_OP_PROD, {x.tensor()}, all, {integer(7)});
    close(s.download<float>(all.data, 1), {0});
    EQUAL(run(s, DA_OP_PROD, {x.tensor()}, two, {integer(5)}), DA_NOT_SUPPORTED);
    View truth(s, s.memory(2), DA_BOOL, {2});
    must(s, DA_OP_ALL, {x.tensor()}, truth, {integer(6)});
    CHECK(s.download<std::uint8_t>(truth.data, 2) == (Bools{1, 0}));
    must(s, DA_OP_ANY, {x.tensor()}, truth, {integer(6)});
    CHECK(s.download<std::uint8_t>(truth.data, 2) == (Bools{1, 1}));
}

TEST(normalisations) {
    Npu npu;
    Stream s(npu);
    View x(s, s.upload(Floats{1, 3, 2, 2}), DA_FLOAT32, {2, 2}),
        out(s, s.memory(16), DA_FLOAT32, {2, 2});
    View weight(s, s.upload(Floats{2, 3}), DA_FLOAT32, {2}),
        bias(s, s.upload(Floats{0, 1}), DA_FLOAT32, {2});
    must(s, DA_OP_LAYER_NORM, {x.tensor(), weight.tensor(), bias.tensor()}, out, {real(3)});
    close(s.download<float>(out.data, 4), {-1, 2.5f, 0, 1});
    must(s, DA_OP_RMS_NORM, {x.tensor(), weight.tensor()}, out, {real(4)});
    close(s.download<float>(out.data, 4), {2.0f / 3, 3, 1.4142135f, 2.1213203f});
    EQUAL(control()->misuse_count(), 0u);
}

TEST(put_along_axis) {
    Npu npu;
    Stream s(npu);
    View x(s, s.upload(Floats{1, 2, 3}), DA_FLOAT32, {3}), out(s, s.memory(12), DA_FLOAT32, {3});
    View index(s, s.upload(std::vector<std::int32_t>{2, 0, 2}), DA_INT32, {3});
    View updates(s, s.upload(Floats{7, 8, 9}), DA_FLOAT32, {3});
    must(s, DA_OP_PUT_ALONG_AXIS, {x.tensor(), index.tensor(), updates.tensor()}, out,
         {integer(0)});
    close(s.download<float>(out.data, 3), {8, 2, 9}); // the last one counts
}
