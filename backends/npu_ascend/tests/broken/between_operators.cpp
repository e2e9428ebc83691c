// SPDX-License-Identifier: Apache-2.0
// Tensors, scalars and both phases of operators on their way to the simulated CANN.
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "between.hpp"

using namespace broken;

namespace {

thread_local aclTensor* newest_tensor = nullptr;

aclnnStatus on_another_thread(aclnnRun_fn run, void* workspace, uint64_t size,
                              aclOpExecutor* executor, aclrtStream stream) {
    aclnnStatus status = ACLNN_SUCCESS;
    aclrtContext context = nullptr;
    REAL(aclrtGetCurrentContext)(&context);
    std::thread([&] {
        REAL(aclrtSetCurrentContext)(context);
        status = run(workspace, size, executor, stream);
    }).join();
    return status;
}

aclnnStatus with_own_workspace(aclnnRun_fn run, uint64_t real_size, uint64_t size,
                               aclOpExecutor* executor, aclrtStream stream) {
    void* own = nullptr;
    if (REAL(aclrtMallocAlign32)(&own, real_size, ACL_MEM_MALLOC_HUGE_FIRST)) return 1;
    const aclnnStatus status = run(own, size, executor, stream);
    if (is(Variant::workspace_too_small)) // after the work: only the size is wrong
        REAL(aclrtSynchronizeStreamWithTimeout)(stream, -1);
    REAL(aclrtFree)(own);
    return status;
}

// One workspace for each device, given back with it.
struct Shared {
    std::mutex mutex;
    std::map<std::int32_t, void*> workspaces;
};
Shared& shared() {
    static auto* s = new Shared;
    return *s;
}

void* shared_workspace(void* given, uint64_t size) {
    constexpr uint64_t most = 1 << 20;
    std::int32_t device = -1;
    REAL(aclrtGetDevice)(&device);
    std::lock_guard<std::mutex> lock(shared().mutex);
    void*& workspace = shared().workspaces[device];
    if (!workspace) REAL(aclrtMallocAlign32)(&workspace, most, ACL_MEM_MALLOC_HUGE_FIRST);
    return size <= most ? workspace : given;
}

aclnnStatus phase_2(const char* name, void* workspace, uint64_t size, aclOpExecutor* executor,
                    aclrtStream stream) {
    const auto run = real<aclnnRun_fn>(name);
    if (is(Variant::launch_dropped)) {
        REAL(aclSetAclOpExecutorRepeatable)(executor);
        REAL(aclDestroyAclOpExecutor)(executor);
        return ACLNN_SUCCESS;
    }
    if (is(Variant::op_on_wrong_stream)) stream = other_stream(stream);
    if (is(Variant::op_on_default_stream)) stream = nullptr;
    if (is(Variant::tensor_destroyed_early)) REAL(aclDestroyTensor)(newest_tensor);
    if (is(Variant::phase_2_on_another_thread))
        return on_another_thread(run, workspace, size, executor, stream);
    if (size && is(Variant::workspace_freed_early))
        return with_own_workspace(run, size, size, executor, stream);
    if (size && is(Variant::workspace_too_small))
        return with_own_workspace(run, size / 2, size, executor, stream);
    if (size && is(Variant::workspace_missing)) workspace = nullptr;
    if (size && is(Variant::workspace_shared)) workspace = shared_workspace(workspace, size);
    const aclnnStatus status = run(workspace, size, executor, stream);
    if (is(Variant::executor_reused)) run(workspace, size, executor, stream);
    return status;
}

} // namespace

void broken::drop_workspace(std::int32_t device) {
    std::lock_guard<std::mutex> lock(shared().mutex);
    const auto found = shared().workspaces.find(device);
    if (found == shared().workspaces.end()) return;
    REAL(aclrtFree)(found->second);
    shared().workspaces.erase(found);
}

BETWEEN aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum,
                                   aclDataType dataType, const int64_t* stride, int64_t offset,
                                   aclFormat format, const int64_t* storageDims,
                                   uint64_t storageDimsNum, void* tensorData) {
    std::vector<int64_t> dense(viewDimsNum, 1);
    for (uint64_t i = viewDimsNum; i-- > 1;) dense[i - 1] = dense[i] * viewDims[i];
    if (is(Variant::strides_ignored)) stride = dense.data();
    if (is(Variant::offset_ignored)) offset = 0;
    newest_tensor = REAL(aclCreateTensor)(viewDims, viewDimsNum, dataType, stride, offset, format,
                                          storageDims, storageDimsNum, tensorData);
    return newest_tensor;
}

BETWEEN aclnnStatus aclDestroyTensor(const aclTensor* tensor) {
    return is(Variant::tensor_kept) ? ACLNN_SUCCESS : REAL(aclDestroyTensor)(tensor);
}

BETWEEN aclScalar* aclCreateScalar(void* value, aclDataType dataType) {
    if (is(Variant::scalar_wrong_type) && dataType == ACL_FLOAT) dataType = ACL_INT32;
    return REAL(aclCreateScalar)(value, dataType);
}

BETWEEN aclnnStatus aclDestroyScalar(const aclScalar* scalar) {
    return is(Variant::scalar_kept) ? ACLNN_SUCCESS : REAL(aclDestroyScalar)(scalar);
}

BETWEEN aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
    return is(Variant::executor_kept) ? ACLNN_SUCCESS : REAL(aclDestroyAclOpExecutor)(executor);
}

#define BROKEN_PHASE_2(op, signature, library, since, mark)                                        \
    BETWEEN aclnnStatus aclnn##op(void* workspace, uint64_t size, aclOpExecutor* executor,         \
                                  aclrtStream stream) {                                            \
        return phase_2("aclnn" #op, workspace, size, executor, stream);                            \
    }
CANN_ACLNN_SYMBOLS(BROKEN_PHASE_2)
#undef BROKEN_PHASE_2
