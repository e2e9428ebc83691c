// SPDX-License-Identifier: Apache-2.0
// Executors that run again, their operands' addresses, their end; aclnnInit and aclnnFinalize.
#include "executor.hpp"

#include "device_api_npu/cann_clients.h"

using namespace cann_sim;

namespace {

template <class Body>
aclnnStatus with_executor(const char* name, aclOpExecutor* executor, Body body) {
    return call(name, Need::nothing, [&](Call& c) -> aclnnStatus {
        if (!executor) return c.fail(ACLNN_ERR_INNER_NULLPTR, "executor is null");
        std::shared_ptr<Executor> e;
        if (engine::handle_get(kind_executor, executor, &e) != Status::ok)
            return c.fail(ACLNN_ERR_INNER_NULLPTR, "%s", engine::last_message());
        return body(c, *e);
    });
}

// `index` counts inputs, then outputs, as `first` tells.
aclnnStatus rebind(const char* name, aclOpExecutor* executor, std::size_t index, aclTensor* tensor,
                   void* addr, bool inputs, bool outputs) {
    return with_executor(name, executor, [&](Call& c, Executor& e) -> aclnnStatus {
        if (!tensor) return c.fail(ACLNN_ERR_PARAM_NULLPTR, "tensor is null");
        std::vector<std::shared_ptr<TensorObject>> operands;
        if (inputs) operands = e.plan->inputs;
        if (outputs)
            operands.insert(operands.end(), e.plan->outputs.begin(), e.plan->outputs.end());
        if (index >= operands.size())
            return c.fail(ACLNN_ERR_PARAM_INVALID, "index %zu is out of range", index);
        auto t = object<TensorObject>(kind_tensor, tensor);
        if (!t || t != operands[index])
            return c.misuse(Rule::executor_operands, ACLNN_ERR_PARAM_INVALID,
                            "the tensor is not operand %zu of phase 1", index);
        t->address = addr;
        return ACLNN_SUCCESS;
    });
}

} // namespace

namespace cann_sim {

bool& hands_over() {
    static thread_local bool on = false;
    return on;
}

} // namespace cann_sim

SIM_EXPORT int InitHugeMemThreadLocal(void*, bool) {
    hands_over() = true;
    return ACLNN_SUCCESS;
}

SIM_EXPORT void UnInitHugeMemThreadLocal(void*, bool) {
    hands_over() = false;
}

// On the thread of phase 2, after it: the simulator holds nothing there.
SIM_EXPORT void ReleaseHugeMem(void*, bool) {}

SIM_EXPORT aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor) {
    return with_executor(__func__, executor, [&](Call& c, Executor& e) -> aclnnStatus {
        if (e.ran)
            return c.misuse(Rule::executor_once, ACLNN_ERR_INNER, "must follow phase 1 at once");
        e.repeatable = true;
        return ACLNN_SUCCESS;
    });
}

// Documented for repeatable executors only; the simulator frees a normal one as well.
SIM_EXPORT aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
    return with_executor(__func__, executor, [&](Call&, Executor&) -> aclnnStatus {
        engine::handle_take<Executor>(kind_executor, executor, nullptr);
        return ACLNN_SUCCESS;
    });
}

SIM_EXPORT aclnnStatus aclSetInputTensorAddr(aclOpExecutor* executor, const size_t index,
                                             aclTensor* tensor, void* addr) {
    return rebind(__func__, executor, index, tensor, addr, true, false);
}

SIM_EXPORT aclnnStatus aclSetOutputTensorAddr(aclOpExecutor* executor, const size_t index,
                                              aclTensor* tensor, void* addr) {
    return rebind(__func__, executor, index, tensor, addr, false, true);
}

SIM_EXPORT aclnnStatus aclSetTensorAddr(aclOpExecutor* executor, const size_t index,
                                        aclTensor* tensor, void* addr) {
    return rebind(__func__, executor, index, tensor, addr, true, true);
}

SIM_EXPORT aclnnStatus aclnnInit(const char* configPath) {
    (void)configPath;
    return call(__func__, Need::nothing, [&](Call& c) -> aclnnStatus {
        bool again;
        {
            std::lock_guard<std::mutex> guard(state().lock);
            again = state().operators_initialised;
            state().operators_initialised = true;
        }
        if (again)
            return c.misuse(Rule::initialised_once, ACLNN_ERR_RUNTIME_ERROR,
                            "aclnnInit is for once per process");
        return ACLNN_SUCCESS;
    });
}

SIM_EXPORT aclnnStatus aclnnFinalize(void) {
    return call(__func__, Need::nothing, [&](Call&) -> aclnnStatus {
        std::lock_guard<std::mutex> guard(state().lock);
        state().operators_initialised = false;
        return ACLNN_SUCCESS;
    });
}
