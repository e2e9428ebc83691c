// SPDX-License-Identifier: Apache-2.0
// plan is CANN's phase 1, launch its phase 2: one op of the host is one launch on the device.
#include "plan.hpp"

#include <new>

#include "builder.hpp"
#include "device_api/adapter/fork.hpp"

namespace device_api::npu {
namespace {

// A thread seldom has more than one plan open. Trivially destructible: usable until it ends.
constexpr unsigned pool_size = 4;
thread_local Plan pool[pool_size];

Plan* new_plan() {
    for (Plan& p : pool) {
        if (p.used) continue;
        p = Plan{};
        p.used = p.pooled = true;
        return &p;
    }
    return new Plan{};
}

void delete_plan(Plan* p) {
    if (p->pooled)
        p->used = false;
    else
        delete p;
}

// An executor whose phase 2 never ran. Destroying is documented for repeatable ones: make it one.
// Where even that fails, the rest rests on an unconfirmed fact; without it the executor leaks.
void drop_executor(const Cann& cann, aclOpExecutor* executor) {
    const bool repeatable = cann.aclSetAclOpExecutorRepeatable(executor) == ACLNN_SUCCESS;
    if (repeatable || relies_on(cann, CANN_BELIEF_EXECUTOR_ABANDON))
        cann.aclDestroyAclOpExecutor(executor);
}

// CANN's objects may go as soon as phase 2 has returned.
void drop_objects(const Cann& cann, Plan* p) {
    if (p->executor) drop_executor(cann, p->executor);
    for (unsigned i = 0; i < p->n_tensors; ++i) cann.aclDestroyTensor(p->tensors[i]);
    for (unsigned i = 0; i < p->n_scalars; ++i) cann.aclDestroyScalar(p->scalars[i]);
    for (unsigned i = 0; i < p->n_ints; ++i) cann.aclDestroyIntArray(p->ints[i]);
    p->executor = nullptr;
    p->n_tensors = p->n_scalars = p->n_ints = 0;
}

void release(const Cann& cann, Plan* p) {
    drop_objects(cann, p);
    delete_plan(p);
}

da_status build(Instance& self, const dab_call& call, const OpEntry& entry, Plan& p,
                void* scratch) {
    Builder builder(self, call, entry, p, scratch);
    if (const da_status status = builder.check()) return status;
    const int code = entry.row->build(builder);
    if (code == ACLNN_SUCCESS) return DA_OK;
    if (code == Builder::refused) return DA_NOT_SUPPORTED;
    const da_status status = vendor_fail(self.cann, code, "GetWorkspaceSize");
    add_context("aclnn%s", entry.row->symbols[0]);
    return status;
}

} // namespace

da_status plan(Instance& self, const dab_call* call, dab_plan* out) {
    const OpEntry* entry = call->op <= DA_OP_COUNT ? &self.op_entries[call->op] : nullptr;
    if (!entry || !entry->row)
        return fail(DA_NOT_SUPPORTED, nullptr, "the NPU has no native op %u", call->op);
    if (const da_status status = use(self, *call->stream)) return status;
    Plan* p = new_plan();
    void* somewhere = call->tensors[call->n_inputs].storage;
    if (const da_status status = build(self, *call, *entry, *p, somewhere)) {
        release(self.cann, p);
        return status;
    }
    if (p->scratch) drop_objects(self.cann, p); // only the sizes are of use
    out->opaque = p;
    out->workspace_bytes = p->scratch + p->workspace;
    return DA_OK;
}

namespace {

// An output that the op does not have lies in the workspace, whose address phase 1 needs: it runs
// again. CANN documents new addresses for repeatable executors only.
da_status build_again(Instance& self, const dab_call& call, Plan& p, void* workspace) {
    const std::uint64_t scratch = p.scratch, expected = p.workspace;
    p.scratch = p.workspace = 0;
    const OpEntry& entry = self.op_entries[call.op];
    if (const da_status status = build(self, call, entry, p, workspace)) return status;
    if (p.scratch == scratch && p.workspace <= expected) return DA_OK;
    return fail(DA_INTERNAL, nullptr, "aclnn%s asks for another workspace the second time",
                entry.row->symbols[0]);
}

} // namespace

da_status launch(Instance& self, const dab_call* call, dab_plan* planned, void* workspace) {
    auto* p = static_cast<Plan*>(planned->opaque);
    planned->opaque = nullptr;
    if (const da_status status = use(self, *call->stream)) {
        release(self.cann, p);
        return status;
    }
    if (p->scratch) {
        if (const da_status status = build_again(self, *call, *p, workspace)) {
            release(self.cann, p);
            return status;
        }
        workspace = p->workspace ? static_cast<char*>(workspace) + p->scratch : nullptr;
    }
    const int code = p->run(workspace, p->workspace, p->executor, call->stream->raw);
    p->executor = nullptr; // phase 2 consumes it, also when it fails
    da_status status = DA_OK;
    if (code != ACLNN_SUCCESS) {
        status = vendor_fail(self.cann, code, self.op_entries[call->op].row->symbols[0]);
        add_context("launch of aclnn");
    }
    release(self.cann, p);
    return status;
}

void abandon(dab_instance* self, dab_plan* planned) noexcept {
    if (forked() || !self || !planned || !planned->opaque) return;
    release(self->cann, static_cast<Plan*>(planned->opaque));
    planned->opaque = nullptr;
}

} // namespace device_api::npu
