// SPDX-License-Identifier: Apache-2.0
// cuBLAS, opened at the first matrix product. One handle for each stream: a handle's workspace then
// serves one stream's work at a time.
#pragma once

#include <atomic>
#include <map>
#include <mutex>

#include "cuda.hpp"
#include "device_api/simt/driver.hpp"
#include "device_api_cuda/cuda_blas.h"

#define CUDA_CUBLAS(X)                                                                             \
    X(cublasCreate_v2)                                                                             \
    X(cublasDestroy_v2)                                                                            \
    X(cublasSetStream_v2)                                                                          \
    X(cublasSetMathMode)                                                                           \
    X(cublasGemmStridedBatchedEx)                                                                  \
    X(cublasGetStatusString)

namespace device_api::cuda {

class Cublas : public simt::Blas {
  public:
    explicit Cublas(const Cuda& cuda) : cuda_(cuda) {}

    bool available() override;
    da_dtype_mask dtypes() const override;
    da_status multiply(const simt::Product& product, std::int32_t device,
                       simt::Handle stream) override;
    void stream_gone(simt::Handle stream) override;
    void device_gone(std::int32_t device) override;

  private:
    struct Entry {
        cublasHandle_t handle;
        std::int32_t device;
    };
    da_status handle_of(std::int32_t device, simt::Handle stream, cublasHandle_t* handle);
    da_status failed(int code, const char* call) const;

#define CUDA_MEMBER(name) name##_fn name##_ = nullptr;
    CUDA_CUBLAS(CUDA_MEMBER)
#undef CUDA_MEMBER
    const Cuda& cuda_;
    std::mutex lock_;
    std::atomic<int> state_{0}; // 0 not looked for, 1 there, 2 not there
    std::map<simt::Handle, Entry> handles_;
};

} // namespace device_api::cuda
