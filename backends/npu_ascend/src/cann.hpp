// SPDX-License-Identifier: Apache-2.0
// CANN's functions as this process has them: opened at run time, real or simulated.
#pragma once

#include <string>
#include <vector>

#include "device_api/backend.h"
#include "device_api_npu/cann.h"

// Functions without which there is no device; all of them are in CANN 8.1 and later.
#define NPU_RUNTIME_REQUIRED(X)                                                                    \
    X(aclInit)                                                                                     \
    X(aclFinalize)                                                                                 \
    X(aclGetRecentErrMsg)                                                                          \
    X(aclrtGetVersion)                                                                             \
    X(aclrtGetDeviceCount)                                                                         \
    X(aclrtGetSocName)                                                                             \
    X(aclrtSetDevice)                                                                              \
    X(aclrtResetDevice)                                                                            \
    X(aclrtResetDeviceForce)                                                                       \
    X(aclrtSynchronizeDeviceWithTimeout)                                                           \
    X(aclrtGetMemInfo)                                                                             \
    X(aclrtMallocAlign32)                                                                          \
    X(aclrtFree)                                                                                   \
    X(aclrtMallocHost)                                                                             \
    X(aclrtFreeHost)                                                                               \
    X(aclrtMemcpyAsync)                                                                            \
    X(aclrtMemsetAsync)                                                                            \
    X(aclrtCreateStreamWithConfig)                                                                 \
    X(aclrtDestroyStream)                                                                          \
    X(aclrtSynchronizeStreamWithTimeout)                                                           \
    X(aclrtStreamQuery)                                                                            \
    X(aclrtStreamWaitEvent)                                                                        \
    X(aclrtCreateEventExWithFlag)                                                                  \
    X(aclrtDestroyEvent)                                                                           \
    X(aclrtRecordEvent)                                                                            \
    X(aclrtQueryEventStatus)                                                                       \
    X(aclrtSynchronizeEventWithTimeout)                                                            \
    X(aclrtEventElapsedTime)

// Functions whose absence takes away one feature.
#define NPU_RUNTIME_OPTIONAL(X)                                                                    \
    X(aclFinalizeReference)                                                                        \
    X(aclrtGetLastError)                                                                           \
    X(aclsysGetVersionStr)                                                                         \
    X(aclsysGetCANNVersion)                                                                        \
    X(aclGetDeviceCapability)                                                                      \
    X(aclrtGetDeviceInfo)                                                                          \
    X(aclrtDeviceGetPCIBusId)                                                                      \
    X(aclrtGetLogicDevIdByUserDevId)                                                               \
    X(aclrtDeviceGetUuid)                                                                          \
    X(aclrtSetDeviceSatMode)                                                                       \
    X(aclrtDeviceCanAccessPeer)                                                                    \
    X(aclrtDeviceEnablePeerAccess)                                                                 \
    X(aclrtLaunchHostFunc)                                                                         \
    X(aclrtSubscribeReport)                                                                        \
    X(aclrtProcessReport)                                                                          \
    X(aclrtLaunchCallback)                                                                         \
    X(aclrtUnSubscribeReport)

// Functions without which there are no operators.
#define NPU_OPERATOR_OBJECTS(X)                                                                    \
    X(aclCreateTensor)                                                                             \
    X(aclDestroyTensor)                                                                            \
    X(aclCreateScalar)                                                                             \
    X(aclDestroyScalar)                                                                            \
    X(aclCreateIntArray)                                                                           \
    X(aclDestroyIntArray)                                                                          \
    X(aclSetAclOpExecutorRepeatable)                                                               \
    X(aclDestroyAclOpExecutor)

namespace device_api::npu {

/// How to open CANN: the plugin's options.
struct Options {
    bool simulate = false;
    std::string simulator; // folder of the simulated libraries
    bool only_8_1 = false; // simulated only: act as if symbols newer than 8.1 were missing
};

/// Function pointers; null where this CANN lacks the symbol.
struct Cann {
#define NPU_MEMBER(name) name##_fn name = nullptr;
    NPU_RUNTIME_REQUIRED(NPU_MEMBER)
    NPU_RUNTIME_OPTIONAL(NPU_MEMBER)
    NPU_OPERATOR_OBJECTS(NPU_MEMBER)
#undef NPU_MEMBER
    bool simulated = false;
    bool only_8_1 = false;
    bool allow_unconfirmed = false; // a simulated chip, or DEVICE_API_UNCONFIRMED=1
    void* runtime = nullptr;        // handle of libascendcl.so or libacl_rt.so
    std::string runtime_path;
    std::string simulator;        // folder, when simulated
    std::vector<void*> operators; // handles, in search order; filled by open_operators
    bool operators_whole = false; // libopapi.so is among them
    bool operators_split = false; // libopapi_*.so are
};

/// Open the runtime library and find its functions. DA_NO_DRIVER when it is not there.
da_status open_runtime(const Options& options, Cann& cann);

/// Open the operator libraries (once) and find the functions for tensors.
da_status open_operators(Cann& cann);

/// A symbol of the operator libraries, first in their search order; null when none has it.
void* operator_symbol(const Cann& cann, const char* name);

/// May the adapter rely on this behaviour? Confirmed ones always; others on a simulated chip or
/// with DEVICE_API_UNCONFIRMED=1.
bool relies_on(const Cann& cann, cannBelief belief);
/// The error for a behaviour that it may not rely on.
da_status refuse_belief(cannBelief belief, const char* what);

} // namespace device_api::npu
