// SPDX-License-Identifier: Apache-2.0
// Telemetry through NVML, opened at the first reading. Needs no context.
#pragma once

#include <mutex>
#include <string>

#include "cuda.hpp"
#include "device_api/simt/driver.hpp"
#include "device_api_cuda/cuda_nvml.h"

#define CUDA_NVML_REQUIRED(X)                                                                      \
    X(nvmlInit_v2)                                                                                 \
    X(nvmlErrorString)                                                                             \
    X(nvmlDeviceGetHandleByUUID)                                                                   \
    X(nvmlDeviceGetHandleByPciBusId_v2)
#define CUDA_NVML_OPTIONAL(X)                                                                      \
    X(nvmlSystemGetDriverVersion)                                                                  \
    X(nvmlSystemGetNVMLVersion)                                                                    \
    X(nvmlDeviceGetMemoryInfo)                                                                     \
    X(nvmlDeviceGetUtilizationRates)                                                               \
    X(nvmlDeviceGetTemperature)                                                                    \
    X(nvmlDeviceGetPowerUsage)                                                                     \
    X(nvmlDeviceGetEnforcedPowerLimit)                                                             \
    X(nvmlDeviceGetClockInfo)                                                                      \
    X(nvmlDeviceGetCurrentClocksEventReasons)                                                      \
    X(nvmlDeviceGetCurrentClocksThrottleReasons)                                                   \
    X(nvmlDeviceGetEccMode)                                                                        \
    X(nvmlDeviceGetTotalEccErrors)                                                                 \
    X(nvmlDeviceGetRemappedRows)                                                                   \
    X(nvmlDeviceGetRetiredPagesPendingStatus)                                                      \
    X(nvmlDeviceGetFieldValues)

namespace device_api::cuda {

struct NvmlFunctions {
#define CUDA_MEMBER(name) name##_fn name = nullptr;
    CUDA_NVML_REQUIRED(CUDA_MEMBER)
    CUDA_NVML_OPTIONAL(CUDA_MEMBER)
#undef CUDA_MEMBER
};

class Nvml : public simt::Telemetry {
  public:
    explicit Nvml(const Cuda& cuda) : cuda_(cuda) {}
    da_status read(std::int32_t device, dab_telemetry& out) override;

  private:
    da_status open();
    da_status handle_of(std::int32_t device, nvmlDevice_t* handle);

    const Cuda& cuda_;
    std::mutex lock_;
    bool open_ = false;
    NvmlFunctions nvml_;
    std::string source_;
};

} // namespace device_api::cuda
