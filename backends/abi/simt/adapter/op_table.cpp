// SPDX-License-Identifier: Apache-2.0
// The capability table, and the way of a call into its family.
#include <array>

#include "device_api/adapter/fork.hpp"
#include "device_api/adapter/member.hpp"
#include "ops.hpp"

namespace device_api::simt {
namespace {

using Index = std::array<const OpRow*, DA_OP_COUNT + 1>;

Index make_index() {
    Index index{};
    for (const OpRows& rows : {elementwise_rows(), structured_rows()})
        for (const OpRow& row : rows) index[row.op] = &row;
    return index;
}

da_status find(Instance& self, const dab_call* call, const OpRow** row) {
    *row = row_of(call->op);
    if (!*row) return fail(DA_NOT_SUPPORTED, nullptr, "there is no kernel for op %u", call->op);
    return use(self, *call->stream);
}

da_status run(Instance& self, const dab_call* call) {
    const OpRow* row = nullptr;
    if (const da_status status = find(self, call, &row)) return status;
    return row->run({self, device_of(self, call->stream->device), *row, *call, nullptr});
}

da_status plan(Instance& self, const dab_call* call, dab_plan* plan) {
    const OpRow* row = nullptr;
    if (const da_status status = find(self, call, &row)) return status;
    plan->opaque = nullptr;
    plan->workspace_bytes = 0;
    return row->workspace({self, device_of(self, call->stream->device), *row, *call, nullptr},
                          &plan->workspace_bytes);
}

da_status launch(Instance& self, const dab_call* call, dab_plan*, void* workspace) {
    const OpRow* row = nullptr;
    if (const da_status status = find(self, call, &row)) return status;
    return row->run({self, device_of(self, call->stream->device), *row, *call, workspace});
}

void abandon(dab_instance*, dab_plan*) noexcept {} // a plan holds nothing

dab_op make_op(const OpRow& row) {
    dab_op op{};
    op.size = sizeof op;
    op.op = static_cast<std::uint16_t>(row.op);
    op.version = 1;
    op.flags = row.flags;
    op.dtypes = row.dtypes;
    op.others = row.others;
    if (!row.workspace) {
        op.run = Member<run>::call;
        return op;
    }
    op.plan = Member<plan>::call;
    op.launch = Member<launch, true>::call;
    op.abandon = abandon;
    return op;
}

} // namespace

const OpRow* row_of(unsigned op) {
    static const Index index = make_index();
    return op <= DA_OP_COUNT ? index[op] : nullptr;
}

da_status op_table(Instance& self, std::int32_t device, const dab_op** ops, std::uint32_t* count,
                   std::uint32_t* stride) {
    if (const da_status status = check_device(self, device)) return status;
    const std::lock_guard<std::mutex> guard(self.lock);
    if (!self.ops_built) {
        for (const OpRows& rows : {elementwise_rows(), structured_rows()})
            for (const OpRow& row : rows) self.ops.push_back(make_op(row));
        self.ops_built = true;
    }
    *ops = self.ops.data();
    *count = static_cast<std::uint32_t>(self.ops.size());
    *stride = sizeof(dab_op);
    return DA_OK;
}

} // namespace device_api::simt
