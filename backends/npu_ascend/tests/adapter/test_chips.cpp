// SPDX-License-Identifier: Apache-2.0
// The capability table tells each chip's limits.
#include <cstdlib>

#include "check.hpp"
#include "harness.hpp"

using namespace harness;

namespace {

bool takes(Npu& npu, da_op op, da_dtype dtype) {
    const dab_op* entry = npu.op(op);
    return entry && (entry->dtypes & DA_DTYPE_BIT(dtype));
}

void choose(const char* chip) {
    setenv("DEVICE_API_SIM_NPU_CHIP", chip, 1);
}

} // namespace

TEST(a2) {
    choose("Ascend910B1");
    Npu npu;
    for (const da_dtype dtype : {DA_FLOAT32, DA_FLOAT16, DA_BFLOAT16})
        CHECK(takes(npu, DA_OP_MATMUL, dtype) && takes(npu, DA_OP_ADD, dtype));
    CHECK(!takes(npu, DA_OP_MATMUL, DA_FLOAT64) && !takes(npu, DA_OP_MATMUL, DA_INT32));
    CHECK(takes(npu, DA_OP_ADD, DA_FLOAT64) && !takes(npu, DA_OP_TANH, DA_FLOAT64));
    for (const da_dtype dtype : {DA_UINT16, DA_UINT32, DA_UINT64}) {
        CHECK(!takes(npu, DA_OP_ADD, dtype) && !takes(npu, DA_OP_EQUAL, dtype));
        CHECK(takes(npu, DA_OP_COPY, dtype) && takes(npu, DA_OP_FILL, dtype));
        CHECK(takes(npu, DA_OP_LESS, dtype));
    }
    CHECK(!takes(npu, DA_OP_FLOOR, DA_BFLOAT16) && !takes(npu, DA_OP_INDEX_ACCUMULATE, DA_FLOAT16));
    CHECK(!npu.op(DA_OP_RANDOM_BITS));
    EQUAL(npu.op(DA_OP_TAKE_ALONG_AXIS)->others, DA_DTYPE_BIT(DA_INT32) | DA_DTYPE_BIT(DA_INT64));
}

TEST(first_generation) {
    choose("Ascend910A");
    Npu npu;
    CHECK(takes(npu, DA_OP_MATMUL, DA_FLOAT16) && !takes(npu, DA_OP_MATMUL, DA_FLOAT32));
    for (int op = 1; op <= DA_OP_COUNT; ++op) {
        const dab_op* entry = npu.op(static_cast<da_op>(op));
        CHECK(!entry || !((entry->dtypes | entry->others) & DA_DTYPE_BIT(DA_BFLOAT16)));
    }
    CHECK(!npu.op(DA_OP_EXP) && !npu.op(DA_OP_TAKE_ALONG_AXIS));
    CHECK(!takes(npu, DA_OP_FILL, DA_UINT32) && takes(npu, DA_OP_COPY, DA_UINT32));
}

TEST(inference_series) {
    choose("Ascend310P3");
    Npu npu;
    CHECK(!npu.op(DA_OP_ADD) && !npu.op(DA_OP_NEG));
    CHECK(takes(npu, DA_OP_MUL, DA_FLOAT32) && takes(npu, DA_OP_COPY, DA_FLOAT32));
    Stream s(npu);
    std::uint64_t free_bytes = 0, total = 0;
    EQUAL(npu->memory_info(npu, 0, &free_bytes, &total), DA_OK);
    CHECK(total > 0);
}

TEST(unknown_chip) {
    choose("Ascend2000");
    Npu npu;
    std::int32_t count = 0;
    EQUAL(npu->device_count(npu, &count), DA_INVALID_ARGUMENT); // CANN's refusal, in its words
    CHECK(last_words().find("Ascend2000") != std::string::npos);
}

namespace {

std::vector<da_value> range(da_dtype type) {
    const bool whole = type < DA_FLOAT16;
    return whole ? std::vector<da_value>{integer(0), integer(1)}
                 : std::vector<da_value>{real(0), real(1)};
}

struct Operands {
    Operands(Stream& s, da_dtype dtype)
        : type(dtype),
          x(s, s.upload(zeros), type, {4}),
          y(s, s.upload(zeros), type, {4}),
          truth(s, s.upload(zeros), DA_BOOL, {4}),
          one(s, s.memory(8), type, {}),
          place(s, s.memory(8), DA_INT64, {}),
          matrix(s, x.data, type, {2, 2}),
          product(s, y.data, type, {2, 2}) {}
    std::vector<unsigned char> zeros = std::vector<unsigned char>(64, 0);
    da_dtype type;
    View x, y, truth, one, place, matrix, product;
};

void elementwise(Stream& s, Operands& o) {
    for (int id = DA_OP_NEG; id <= DA_OP_LOGICAL_OR; ++id) {
        const auto op = static_cast<da_op>(id);
        if (!takes(s.npu, op, o.type)) continue;
        const bool to_bool = op == DA_OP_ISNAN || op == DA_OP_EQUAL || op == DA_OP_LESS;
        std::vector<da_tensor> inputs{o.x.tensor()};
        if (id >= DA_OP_ADD) inputs.push_back(o.x.tensor());
        must(s, op, inputs, to_bool ? o.truth : o.y);
    }
    if (takes(s.npu, DA_OP_WHERE, o.type))
        must(s, DA_OP_WHERE, {o.truth.tensor(), o.x.tensor(), o.x.tensor()}, o.y);
}

void created(Stream& s, Operands& o) {
    if (takes(s.npu, DA_OP_COPY, o.type)) must(s, DA_OP_COPY, {o.x.tensor()}, o.y);
    if (takes(s.npu, DA_OP_FILL, o.type)) must(s, DA_OP_FILL, {}, o.y, {integer(0)});
    if (takes(s.npu, DA_OP_IOTA, o.type)) must(s, DA_OP_IOTA, {}, o.y, range(o.type));
    if (!takes(s.npu, DA_OP_CAST, o.type)) return;
    for (int to = 0; to <= DA_FLOAT64; ++to) {
        if (!(s.npu.op(DA_OP_CAST)->others & DA_DTYPE_BIT(to))) continue;
        View target(s, s.memory(64), static_cast<da_dtype>(to), {4});
        must(s, DA_OP_CAST, {o.x.tensor()}, target);
    }
}

void structured(Stream& s, Operands& o) {
    if (takes(s.npu, DA_OP_SUM, o.type)) must(s, DA_OP_SUM, {o.x.tensor()}, o.one, {integer(1)});
    if (takes(s.npu, DA_OP_MAX, o.type)) must(s, DA_OP_MAX, {o.x.tensor()}, o.one, {integer(1)});
    if (takes(s.npu, DA_OP_ARGMAX, o.type))
        must(s, DA_OP_ARGMAX, {o.x.tensor()}, o.place, {integer(0)});
    if (takes(s.npu, DA_OP_MATMUL, o.type))
        must(s, DA_OP_MATMUL, {o.matrix.tensor(), o.matrix.tensor()}, o.product);
    for (const da_dtype index_type : {DA_INT32, DA_INT64}) {
        View index(s, s.upload(o.zeros), index_type, {4});
        if (takes(s.npu, DA_OP_TAKE_ALONG_AXIS, o.type))
            must(s, DA_OP_TAKE_ALONG_AXIS, {o.x.tensor(), index.tensor()}, o.y, {integer(0)});
        if (takes(s.npu, DA_OP_INDEX_ACCUMULATE, o.type))
            must(s, DA_OP_INDEX_ACCUMULATE, {o.x.tensor(), index.tensor(), o.x.tensor()}, o.y,
                 {integer(0)});
    }
}

// Every op of the table runs for every type that it claims: the vendor's library agrees.
void claims_hold(const char* chip) {
    choose(chip);
    Npu npu;
    Stream s(npu);
    for (int dtype = 0; dtype <= DA_FLOAT64; ++dtype) {
        Operands operands(s, static_cast<da_dtype>(dtype));
        elementwise(s, operands);
        created(s, operands);
        structured(s, operands);
        s.wait();
    }
    EQUAL(control()->misuse_count(), 0u);
}

} // namespace

TEST(claims_of_910b3) {
    claims_hold("Ascend910B3");
}
TEST(claims_of_910_9391) {
    claims_hold("Ascend910_9391");
}
TEST(claims_of_910a) {
    claims_hold("Ascend910A");
}
TEST(claims_of_310p3) {
    claims_hold("Ascend310P3");
}
