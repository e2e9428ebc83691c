// SPDX-License-Identifier: Apache-2.0
// Phase 1: arguments in, workspace size and executor out. Touches no device data.
#include "checks.hpp"
#include "executor.hpp"

namespace cann_sim {

namespace {

constexpr std::uint64_t workspace_alignment = 512;

std::uint64_t reserve(Plan* plan, std::int64_t elements, engine::DType dtype, Staging* staging) {
    staging->staged = true;
    staging->dtype = dtype;
    staging->offset = plan->workspace;
    const std::uint64_t bytes = static_cast<std::uint64_t>(elements) * engine::dtype_size(dtype);
    plan->workspace +=
        (bytes + workspace_alignment - 1) / workspace_alignment * workspace_alignment;
    return bytes;
}

bool direct(const OpRow& row, const TensorObject& t, bool output) {
    if (row.flags & strides_native) return true;
    if ((row.flags & transpose_native) && !output) return t.contiguous_or_transposed();
    return t.contiguous();
}

// Operands that are not contiguous, or of another type than the common one, go through the
// workspace.
void plan_workspace(Phase1& p) {
    Plan& plan = p.plan;
    engine::DType compute = engine::DType::f32;
    to_engine(plan.compute, &compute);
    plan.staging.resize(plan.inputs.size());
    for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
        if (!plan.inputs[i]) continue;
        const TensorObject& t = p.in(i);
        engine::DType own = compute;
        to_engine(t.dtype, &own);
        const bool casts = (p.row.flags & promotes) && !special_types(p.arguments.inputs[i].name);
        const engine::DType target = casts ? compute : own;
        if (t.numel() > 0 && (target != own || !direct(p.row, t, false)))
            reserve(&plan, t.numel(), target, &plan.staging[i]);
    }
    plan.output_staging.resize(plan.outputs.size());
    for (std::size_t i = 0; i < plan.outputs.size(); ++i) {
        if (!plan.outputs[i]) continue;
        const TensorObject& out = p.out(i);
        engine::DType own = compute;
        to_engine(out.dtype, &own);
        if (out.numel() > 0 && !direct(p.row, out, true))
            reserve(&plan, out.numel(), own, &plan.output_staging[i]);
    }
}

aclnnStatus make_executor(Phase1& p, std::shared_ptr<Plan> plan, std::uint64_t* workspace_size,
                          aclOpExecutor** executor) {
    auto e = std::make_shared<Executor>();
    e->plan = plan;
    e->thread = std::this_thread::get_id();
    e->handed_over = hands_over();
    e->device = p.call.context()->device;
    Handle h = engine::handle_create(kind_executor, e);
    if (!h)
        return p.call.fail(ACLNN_ERR_INNER_CREATE_EXECUTOR,
                           "too many live executors; phase 2 must follow each phase 1");
    *workspace_size = plan->workspace;
    *executor = static_cast<aclOpExecutor*>(h);
    return ACLNN_SUCCESS;
}

} // namespace

Arguments& Arguments::in(const char* name, const void* t, bool optional) {
    inputs.push_back({name, const_cast<void*>(t), optional});
    return *this;
}
Arguments& Arguments::scalar(const char* name, const void* s) {
    scalars.push_back({name, const_cast<void*>(s)});
    return *this;
}
Arguments& Arguments::out(const char* name, const void* t, bool optional) {
    outputs.push_back({name, const_cast<void*>(t), optional});
    return *this;
}
Arguments& Arguments::ints(const char* name, const void* a) {
    arrays.push_back({name, const_cast<void*>(a)});
    return *this;
}
Arguments& Arguments::number(std::int64_t value) {
    numbers.push_back(value);
    return *this;
}
Arguments& Arguments::real(double value) {
    reals.push_back(value);
    return *this;
}
Arguments& Arguments::dim(std::int64_t value) {
    axis = value;
    return *this;
}
Arguments& Arguments::keep(bool value) {
    keep_dims = value;
    return *this;
}
Arguments& Arguments::type(aclDataType value) {
    dtype = value;
    return *this;
}
Arguments& Arguments::cube(int value) {
    cube_math_type = value;
    return *this;
}

aclnnStatus get_workspace_size(const char* name, Op op, const Arguments& arguments,
                               std::uint64_t* workspace_size, aclOpExecutor** executor) {
    return operator_call(name, [&](Call& c) -> aclnnStatus {
        if (!workspace_size || !executor)
            return c.fail(ACLNN_ERR_PARAM_NULLPTR, "workspaceSize or executor is null");
        *workspace_size = 0;
        *executor = nullptr;
        auto plan = std::make_shared<Plan>();
        plan->row = &row_of(op);
        Phase1 p = {c, *plan->row, arguments, *plan, {}, {}};
        if (aclnnStatus s = check_arguments(p)) return s;
        if (aclnnStatus s = plan->row->family->check(p)) return s;
        plan_workspace(p);
        return make_executor(p, plan, workspace_size, executor);
    });
}

} // namespace cann_sim
