// SPDX-License-Identifier: Apache-2.0
// NCCL, opened at the first collective.
#pragma once

#include <mutex>
#include <string>

#include "cuda.hpp"
#include "device_api/simt/driver.hpp"
#include "device_api_cuda/cuda_nccl.h"

#define CUDA_NCCL_REQUIRED(X)                                                                      \
    X(ncclGetVersion)                                                                              \
    X(ncclGetUniqueId)                                                                             \
    X(ncclCommInitRank)                                                                            \
    X(ncclCommDestroy)                                                                             \
    X(ncclCommAbort)                                                                               \
    X(ncclCommGetAsyncError)                                                                       \
    X(ncclGetErrorString)                                                                          \
    X(ncclAllReduce)                                                                               \
    X(ncclReduce)                                                                                  \
    X(ncclBroadcast)                                                                               \
    X(ncclAllGather)                                                                               \
    X(ncclReduceScatter)                                                                           \
    X(ncclSend)                                                                                    \
    X(ncclRecv)                                                                                    \
    X(ncclGroupStart)                                                                              \
    X(ncclGroupEnd)
#define CUDA_NCCL_OPTIONAL(X)                                                                      \
    X(ncclCommInitRankConfig)                                                                      \
    X(ncclGetLastError)

namespace device_api::cuda {

struct NcclFunctions {
#define CUDA_MEMBER(name) name##_fn name = nullptr;
    CUDA_NCCL_REQUIRED(CUDA_MEMBER)
    CUDA_NCCL_OPTIONAL(CUDA_MEMBER)
#undef CUDA_MEMBER
};

class Nccl : public simt::Collectives {
  public:
    explicit Nccl(const Cuda& cuda) : cuda_(cuda) {}

    da_status make_id(void* id, std::uint32_t* bytes) override;
    da_status create(const void* id, std::uint32_t bytes, std::int32_t ranks, std::int32_t rank,
                     std::int32_t timeout_ms, simt::Handle* comm) override;
    da_status destroy(simt::Handle comm) override;
    da_status run(simt::Handle comm, std::int32_t ranks, simt::Handle stream,
                  const dab_collective& call) override;
    da_status query(simt::Handle comm) override;
    da_status abort(simt::Handle comm) override;
    da_status group_begin() override;
    da_status group_end() override;

  private:
    struct Comm {
        ncclComm_t raw;
        void* barrier; // a byte of device memory that barriers reduce
        bool aborted;
    };
    da_status open();
    da_status failed(int code, const char* call, ncclComm_t comm) const;
    da_status join(const ncclUniqueId& id, std::int32_t ranks, std::int32_t rank,
                   std::int32_t timeout_ms, ncclComm_t* comm);
    da_status all_to_all(const Comm& comm, std::int32_t ranks, cudaStream_t stream,
                         const dab_collective& call);

    const Cuda& cuda_;
    std::mutex lock_;
    NcclFunctions nccl_;
    std::string path_; // empty until it is open
};

} // namespace device_api::cuda
