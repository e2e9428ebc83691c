// SPDX-License-Identifier: Apache-2.0
// The CUDA driver's functions as this process has them, and the options of the plugin.
#pragma once

#include <string>

#include "device_api/simt/error.hpp"
#include "device_api_cuda/cuda_abi.h"

// Functions of libcuda.so.1 without which nothing works.
#define CUDA_REQUIRED(X)                                                                           \
    X(cuInit)                                                                                      \
    X(cuDriverGetVersion)                                                                          \
    X(cuDeviceGetCount)                                                                            \
    X(cuDeviceGet)                                                                                 \
    X(cuDeviceGetName)                                                                             \
    X(cuDeviceTotalMem_v2)                                                                         \
    X(cuDeviceGetAttribute)                                                                        \
    X(cuDevicePrimaryCtxRetain)                                                                    \
    X(cuDevicePrimaryCtxRelease_v2)                                                                \
    X(cuDevicePrimaryCtxReset_v2)                                                                  \
    X(cuCtxSetCurrent)                                                                             \
    X(cuCtxGetCurrent)                                                                             \
    X(cuCtxSynchronize)                                                                            \
    X(cuMemAlloc_v2)                                                                               \
    X(cuMemFree_v2)                                                                                \
    X(cuMemGetInfo_v2)                                                                             \
    X(cuMemHostAlloc)                                                                              \
    X(cuMemFreeHost)                                                                               \
    X(cuMemcpyHtoDAsync_v2)                                                                        \
    X(cuMemcpyDtoHAsync_v2)                                                                        \
    X(cuMemcpyDtoDAsync_v2)                                                                        \
    X(cuMemsetD8Async)                                                                             \
    X(cuStreamCreateWithPriority)                                                                  \
    X(cuStreamDestroy_v2)                                                                          \
    X(cuStreamSynchronize)                                                                         \
    X(cuStreamQuery)                                                                               \
    X(cuStreamWaitEvent)                                                                           \
    X(cuStreamAddCallback)                                                                         \
    X(cuEventCreate)                                                                               \
    X(cuEventDestroy_v2)                                                                           \
    X(cuEventRecord)                                                                               \
    X(cuEventQuery)                                                                                \
    X(cuEventSynchronize)                                                                          \
    X(cuEventElapsedTime)                                                                          \
    X(cuModuleLoadData)                                                                            \
    X(cuModuleGetFunction)                                                                         \
    X(cuLaunchKernel)

// Functions whose absence takes a fact or a shortcut away.
#define CUDA_OPTIONAL(X)                                                                           \
    X(cuGetErrorName)                                                                              \
    X(cuGetErrorString)                                                                            \
    X(cuDeviceGetUuid_v2)                                                                          \
    X(cuDeviceGetPCIBusId)                                                                         \
    X(cuCtxGetStreamPriorityRange)                                                                 \
    X(cuDeviceCanAccessPeer)                                                                       \
    X(cuMemcpyPeerAsync)

namespace device_api::cuda {

/// How to open the libraries: the plugin's options.
struct Options {
    bool simulate = false;
    std::string simulator; // folder of the simulated libraries
    std::string wheels;    // folder that holds nvidia/..., where there is one
};

struct Cuda {
#define CUDA_MEMBER(name) name##_fn name = nullptr;
    CUDA_REQUIRED(CUDA_MEMBER)
    CUDA_OPTIONAL(CUDA_MEMBER)
#undef CUDA_MEMBER
    Options options;
    std::string path; // of libcuda.so.1
    int version = 0;  // cuDriverGetVersion; 0 until it is asked
    bool simulated = false;
};

/// Open libcuda.so.1 and find its functions. DA_NO_DRIVER when it is not there.
da_status open_driver(const Options& options, Cuda& cuda);

/// Record that `call` returned `code`.
da_status cuda_fail(const Cuda& cuda, int code, const char* call);

} // namespace device_api::cuda

/// Call the driver's function `fn`; return from the caller when it fails.
#define CUDA_TRY(library, fn, ...)                                                                 \
    do {                                                                                           \
        if (const int cuda_code = (library).fn(__VA_ARGS__))                                       \
            return ::device_api::cuda::cuda_fail(library, cuda_code, #fn);                         \
    } while (false)
