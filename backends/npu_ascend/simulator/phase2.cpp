// SPDX-License-Identifier: Apache-2.0
// Phase 2: one launch on the stream. A normal executor is gone afterwards, whatever happened.
#include "executor.hpp"

namespace cann_sim {

namespace {

using engine::Access;
using engine::Operand;
using engine::Tensor;

Tensor tensor_of(const TensorObject& t) {
    engine::DType dtype = engine::DType::f32;
    to_engine(t.dtype, &dtype);
    const auto base = reinterpret_cast<std::uintptr_t>(t.address.load());
    const std::uintptr_t first =
        base + static_cast<std::uintptr_t>(t.offset) * engine::dtype_size(dtype);
    return Tensor(dtype, first, static_cast<int>(t.dims.size()), t.dims.data(), t.strides.data());
}

Tensor staged(const Work& w, const Staging& s, const Tensor& original) {
    return Tensor(s.dtype, w.workspace + s.offset, original.rank, original.shape);
}

// On the stream's thread: copy operands in, run the kernel, copy the result out.
Status run(engine::TaskContext& task, Work w) {
    const Plan& plan = *w.plan;
    for (std::size_t i = 0; i < w.inputs.size(); ++i) {
        const Staging& s = plan.staging[i];
        if (!s.staged) continue;
        const Tensor copy = staged(w, s, w.inputs[i]);
        const Status status = engine::copy_tensor(task, w.inputs[i], copy);
        if (status != Status::ok) return status;
        w.inputs[i] = copy;
    }
    const std::vector<Tensor> targets = w.outputs;
    for (std::size_t i = 0; i < targets.size(); ++i)
        if (plan.output_staging[i].staged)
            w.outputs[i] = staged(w, plan.output_staging[i], targets[i]);
    Status status = plan.row->family->run(task, w);
    for (std::size_t i = 0; i < targets.size() && status == Status::ok; ++i)
        if (plan.output_staging[i].staged)
            status = engine::copy_tensor(task, w.outputs[i], targets[i]);
    return status;
}

// The rules on objects: alive, with an address.
aclnnStatus check_objects(const Call& c, const Plan& plan) {
    for (const auto& object : plan.needed)
        if (object->destroyed)
            return c.misuse(Rule::object_lifetime, ACLNN_ERR_INNER_NULLPTR,
                            "an aclTensor, aclScalar or array of phase 1 was destroyed before "
                            "phase 2 had returned");
    for (const auto* group : {&plan.inputs, &plan.outputs})
        for (const auto& t : *group)
            if (t && !t->address && t->numel() > 0)
                return c.misuse(Rule::tensor_address, ACLNN_ERR_PARAM_NULLPTR,
                                "an aclTensor has no device address");
    return ACLNN_SUCCESS;
}

aclnnStatus check_workspace(const Call& c, const Plan& plan, void* workspace, std::uint64_t size) {
    if (plan.workspace == 0) return ACLNN_SUCCESS;
    if (!workspace)
        return c.fail(ACLNN_ERR_PARAM_NULLPTR, "workspace is null; phase 1 asked for %llu bytes",
                      static_cast<unsigned long long>(plan.workspace));
    if (size < plan.workspace)
        return c.misuse(Rule::workspace_size, ACLNN_ERR_PARAM_INVALID,
                        "the workspace has %llu bytes; phase 1 asked for %llu",
                        static_cast<unsigned long long>(size),
                        static_cast<unsigned long long>(plan.workspace));
    return ACLNN_SUCCESS;
}

aclnnStatus check_executor(const Call& c, const Executor& e, Op op) {
    if (e.plan->row->op != op)
        return c.misuse(Rule::executor_operator, ACLNN_ERR_INNER_NULLPTR, "the executor is of %s",
                        e.plan->row->launch_name);
    if (e.thread != std::this_thread::get_id() && !e.handed_over)
        return c.misuse(Rule::executor_thread, ACLNN_ERR_INNER,
                        "phase 1 ran on another thread; run both phases on one thread");
    if (e.device != c.context()->device)
        return c.misuse(Rule::executor_device, ACLNN_ERR_RUNTIME_ERROR,
                        "phase 1 ran with device %d current, phase 2 runs with device %d", e.device,
                        c.context()->device);
    return ACLNN_SUCCESS;
}

aclnnStatus launch(const Call& c, const std::shared_ptr<const Plan>& plan, void* workspace,
                   Handle stream) {
    Work w;
    w.plan = plan;
    w.workspace = reinterpret_cast<std::uintptr_t>(workspace);
    to_engine(plan->compute, &w.compute);
    engine::Launch l;
    l.name = plan->row->launch_name;
    for (const auto& t : plan->inputs) {
        w.inputs.push_back(t ? tensor_of(*t) : Tensor());
        if (t) l.operands.emplace_back(w.inputs.back(), Access::read);
    }
    for (const auto& t : plan->outputs) {
        w.outputs.push_back(t ? tensor_of(*t) : Tensor());
        if (t) l.operands.emplace_back(w.outputs.back(), Access::write);
    }
    if (plan->workspace) l.operands.push_back(Operand::workspace(w.workspace, plan->workspace));
    l.task = [w](engine::TaskContext& task) { return run(task, w); };
    const Status status = engine::launch(stream, std::move(l));
    if (status == Status::ok) return ACLNN_SUCCESS;
    c.engine(status); // the runtime's code stays the thread's last error
    return ACLNN_ERR_RUNTIME_ERROR;
}

} // namespace

aclnnStatus execute(const char* name, Op op, void* workspace, std::uint64_t workspace_size,
                    aclOpExecutor* executor, aclrtStream stream) {
    std::shared_ptr<Executor> e;
    // The executor goes first: it is used up even when a precondition fails.
    const aclnnStatus found = call(name, Need::nothing, [&](Call& c) -> aclnnStatus {
        if (!executor) return c.fail(ACLNN_ERR_PARAM_NULLPTR, "executor is null");
        if (engine::handle_get(kind_executor, executor, &e) != Status::ok)
            return c.fail(ACLNN_ERR_INNER_NULLPTR,
                          "the executor is used up, destroyed or not one; phase 2 runs once after "
                          "each phase 1: %s",
                          engine::last_message());
        e->ran = true;
        if (!e->repeatable) engine::handle_take<Executor>(kind_executor, executor, nullptr);
        return ACLNN_SUCCESS;
    });
    if (found) return found;
    return operator_call(name, [&](Call& c) -> aclnnStatus {
        if (aclnnStatus s = check_executor(c, *e, op)) return s;
        if (aclnnStatus s = check_workspace(c, *e->plan, workspace, workspace_size)) return s;
        if (aclnnStatus s = check_objects(c, *e->plan)) return s;
        Handle h;
        if (c.stream(stream, &h)) return ACLNN_ERR_RUNTIME_ERROR;
        return launch(c, e->plan, workspace, h);
    });
}

} // namespace cann_sim
