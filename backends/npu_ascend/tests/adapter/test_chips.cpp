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
    for (const da_op op : {DA_OP_RANDOM_BITS, DA_OP_ROUND, DA_OP_REMAINDER, DA_OP_HARDSIGMOID})
        CHECK(!npu.op(op));
    CHECK(!takes(npu, DA_OP_FLOOR_DIVIDE, DA_FLOAT32) && takes(npu, DA_OP_FLOOR_DIVIDE, DA_INT8));
    CHECK(!takes(npu, DA_OP_SEARCHSORTED, DA_FLOAT32) && !takes(npu, DA_OP_SORT, DA_FLOAT64));
    CHECK(takes(npu, DA_OP_CUMPROD, DA_UINT64) && !takes(npu, DA_OP_MAX_POOL, DA_BFLOAT16));
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

TEST(older_cann) {
    Npu npu(1, {{"api", "8.1"}});
    CHECK(!npu.op(DA_OP_SHIFT_LEFT) && !npu.op(DA_OP_SHIFT_RIGHT)); // since 9
    CHECK(npu.op(DA_OP_BITWISE_XOR) && npu.op(DA_OP_SORT));
}

TEST(unknown_chip) {
    choose("Ascend2000");
    Npu npu;
    std::int32_t count = 0;
    EQUAL(npu->device_count(npu, &count), DA_INVALID_ARGUMENT); // CANN's refusal, in its words
    CHECK(last_words().find("Ascend2000") != std::string::npos);
}
