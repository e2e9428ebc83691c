// SPDX-License-Identifier: Apache-2.0
// HCCL's functions as this process has them: opened at the first use of a collective.
#pragma once

#include "cann.hpp"

// Functions without which there are no collectives.
#define NPU_HCCL_REQUIRED(X)                                                                       \
    X(HcclGetRootInfo)                                                                             \
    X(HcclCommInitRootInfo)                                                                        \
    X(HcclCommDestroy)                                                                             \
    X(HcclAllReduce)                                                                               \
    X(HcclAllGather)                                                                               \
    X(HcclReduceScatter)

// Functions whose absence takes away one kind of collective.
#define NPU_HCCL_OPTIONAL(X)                                                                       \
    X(HcclBroadcast)                                                                               \
    X(HcclReduce)                                                                                  \
    X(HcclAlltoAll)                                                                                \
    X(HcclSend)                                                                                    \
    X(HcclRecv)                                                                                    \
    X(HcclBatchSendRecv)                                                                           \
    X(HcclBarrier)                                                                                 \
    X(HcclGetCommAsyncError)                                                                       \
    X(HcclGetErrorString)

namespace device_api::npu {

struct Hccl {
#define NPU_MEMBER(name) name##_fn name = nullptr;
    NPU_HCCL_REQUIRED(NPU_MEMBER)
    NPU_HCCL_OPTIONAL(NPU_MEMBER)
#undef NPU_MEMBER
    std::string path; // of the library; empty until it is opened
};

/// Open libhccl.so, and libhcomm.so for what is not in it. DA_NOT_SUPPORTED when it is not there.
da_status open_hccl(const Cann& cann, Hccl& hccl);

/// Record that `call` returned HCCL's `code`; returns the status that it means.
da_status hccl_fail(const Cann& cann, const Hccl& hccl, int code, const char* call);

} // namespace device_api::npu
