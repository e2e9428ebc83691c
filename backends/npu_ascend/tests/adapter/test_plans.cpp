// SPDX-License-Identifier: Apache-2.0
// One launch for each op, and plans that are dropped or refused.
#include <cstring>

#include "check.hpp"
#include "harness.hpp"
#include "values.hpp"

using namespace harness;

// What the host counts as one native op is one launch on the device, and nothing else.
TEST(one_launch_each) {
    Npu npu;
    Stream s(npu);
    View x(s, s.upload(Floats{1, 2, 3, 4}), DA_FLOAT32, {2, 2});
    View y(s, s.memory(16), DA_FLOAT32, {2, 2}), b(s, s.memory(4), DA_BOOL, {2, 2});
    View row(s, s.memory(8), DA_FLOAT32, {2}), column(s, x.data, DA_FLOAT32, {2, 2}, {1, 0});
    npu.op(DA_OP_ADD);
    EQUAL(control()->launch_clear(), DAS_OK);
    int ops = 0;
    for (const da_op op : {DA_OP_NEG, DA_OP_EXP, DA_OP_COPY}) must(s, op, {x.tensor()}, y), ++ops;
    must(s, DA_OP_ISNAN, {x.tensor()}, b), ++ops;
    for (const da_op op : {DA_OP_ADD, DA_OP_DIV, DA_OP_MATMUL})
        must(s, op, {x.tensor(), column.tensor()}, y), ++ops;
    must(s, DA_OP_MUL, {x.tensor(), Scalar(2).tensor()}, y), ++ops;
    must(s, DA_OP_FILL, {}, y, {real(1)}), ++ops;
    must(s, DA_OP_IOTA, {}, row, {real(0), real(1)}), ++ops;
    must(s, DA_OP_SUM, {x.tensor()}, row, {integer(1)}), ++ops;
    s.wait();
    EQUAL(control()->launch_count(DAS_KERNEL), static_cast<std::uint64_t>(ops));
    EQUAL(control()->launch_count(DAS_COPY | DAS_FILL | DAS_HOST), 0u);
    EQUAL(control()->misuse_count(), 0u);
}

namespace {

void nothing_is_left() {
    for (const char* kind : {"aclTensor", "aclScalar", "aclIntArray", "aclOpExecutor"})
        if (control()->live(kind) != 0)
            check::failed(__FILE__, __LINE__, std::string(kind) + " leaked");
}

} // namespace

TEST(abandoned_plans_leave_nothing) {
    Npu npu;
    Stream s(npu);
    View x(s, s.upload(Floats{1, 2, 3, 4}), DA_FLOAT32, {2, 2}), y(s, s.memory(8), DA_FLOAT32, {2});
    const da_value axes = integer(1);
    const std::vector<da_tensor> tensors{x.tensor(), y.tensor()};
    dab_call call{sizeof call, DA_OP_SUM, 1, 1, tensors.data(), &axes, s.raw, 0, 0};
    const dab_op* op = npu.op(DA_OP_SUM);
    dab_plan plans[8] = {};
    for (dab_plan& plan : plans) EQUAL(op->plan(npu, &call, &plan), DA_OK); // more than are pooled
    for (dab_plan& plan : plans) op->abandon(npu, &plan);
    nothing_is_left();
    EQUAL(control()->misuse_count(), 0u);
    must(s, DA_OP_SUM, {x.tensor()}, y, {integer(1)});
    close(s.download<float>(y.data, 2), {4, 6});
    must(s, DA_OP_ADD, {y.tensor(), y.tensor()}, y);
    must(s, DA_OP_IOTA, {}, y, {real(1), real(2)});
    nothing_is_left();
}

TEST(failed_plans_and_launches_leave_nothing) {
    Npu npu;
    Stream s(npu);
    View x(s, s.upload(Floats{1, 2, 3, 4}), DA_FLOAT32, {4}), y(s, s.memory(16), DA_FLOAT32, {4});
    View wrong(s, s.memory(16), DA_FLOAT32, {2, 2});
    EQUAL(run(s, DA_OP_NEG, {x.tensor()}, wrong), DA_NOT_SUPPORTED); // refused by phase 1
    EQUAL(last_error().vendor_code, 161002);
    CHECK(std::strstr(last_error().message, "aclnnNeg"));
    nothing_is_left();
    inject(DAS_FAULT_LAUNCH, "aclnnNeg");
    EQUAL(run(s, DA_OP_NEG, {x.tensor()}, y), DA_INTERNAL);
    nothing_is_left();
    must(s, DA_OP_NEG, {x.tensor()}, y);
    close(s.download<float>(y.data, 4), {-1, -2, -3, -4});
}
