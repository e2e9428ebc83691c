// SPDX-License-Identifier: Apache-2.0
// NVRTC, opened at the first kernel.
#pragma once

#include <mutex>

#include "cuda.hpp"
#include "device_api/simt/driver.hpp"

#define CUDA_NVRTC(X)                                                                              \
    X(nvrtcGetErrorString)                                                                         \
    X(nvrtcVersion)                                                                                \
    X(nvrtcCreateProgram)                                                                          \
    X(nvrtcDestroyProgram)                                                                         \
    X(nvrtcCompileProgram)                                                                         \
    X(nvrtcGetCUBINSize)                                                                           \
    X(nvrtcGetCUBIN)                                                                               \
    X(nvrtcGetPTXSize)                                                                             \
    X(nvrtcGetPTX)                                                                                 \
    X(nvrtcGetProgramLogSize)                                                                      \
    X(nvrtcGetProgramLog)                                                                          \
    X(nvrtcGetNumSupportedArchs)                                                                   \
    X(nvrtcGetSupportedArchs)

namespace device_api::cuda {

class Nvrtc : public simt::Compiler {
  public:
    explicit Nvrtc(const Cuda& cuda) : cuda_(cuda) {}

    da_status identify(std::string* identity) override;
    da_status compile(const std::string& name, const std::string& source, const std::string& arch,
                      const std::vector<std::string>& options, std::string* image) override;

  private:
    da_status open();
    da_status target(const std::string& arch, std::string* option);
    da_status build(nvrtcProgram program, const std::vector<std::string>& options);
    da_status fetch(nvrtcProgram program, std::string* image);

#define CUDA_MEMBER(name) name##_fn name##_ = nullptr;
    CUDA_NVRTC(CUDA_MEMBER)
#undef CUDA_MEMBER
    const Cuda& cuda_;
    std::mutex lock_;
    std::string path_; // empty until it is open
    int major_ = 0, minor_ = 0;
    std::vector<int> archs_;
};

} // namespace device_api::cuda
