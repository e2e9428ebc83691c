// SPDX-License-Identifier: Apache-2.0
// The driver's management library as this process has it: opened when telemetry is first asked for.
#pragma once

#include <mutex>
#include <string>

#include "cann.hpp"
#include "device_api_npu/dcmi.h"

// Without these there is no way to a chip; all others are one figure each.
#define NPU_DCMI_REQUIRED(X)                                                                       \
    X(dcmi_init)                                                                                   \
    X(dcmi_get_card_id_device_id_from_logicid)
#define NPU_DCMI_OPTIONAL(X)                                                                       \
    X(dcmi_get_dcmi_version)                                                                       \
    X(dcmi_get_driver_version)                                                                     \
    X(dcmi_get_device_health)                                                                      \
    X(dcmi_get_device_errorcode_v2)                                                                \
    X(dcmi_get_device_errorcode_string)                                                            \
    X(dcmi_get_device_temperature)                                                                 \
    X(dcmi_get_device_power_info)                                                                  \
    X(dcmi_get_device_utilization_rate)                                                            \
    X(dcmi_get_device_hbm_info)                                                                    \
    X(dcmi_get_device_memory_info_v3)                                                              \
    X(dcmi_get_device_ecc_info)                                                                    \
    X(dcmi_get_device_frequency)

namespace device_api::npu {

/// Function pointers; null where this driver lacks the symbol, all null before `open_dcmi`.
struct Dcmi {
#define NPU_MEMBER(name) name##_fn name = nullptr;
    NPU_DCMI_REQUIRED(NPU_MEMBER)
    NPU_DCMI_OPTIONAL(NPU_MEMBER)
#undef NPU_MEMBER
    std::mutex lock; // of opening
    bool opened = false;
    std::string source; // the file, with versions
};

/// Open and start it, once; an attempt that failed is made again by the next call.
/// DA_NOT_SUPPORTED, with the files tried, when it is not on this machine.
da_status open_dcmi(const Cann& cann, Dcmi& dcmi);

/// Record that `call` returned DCMI's `code`; returns the status that it means.
da_status dcmi_fail(int code, const char* call);

} // namespace device_api::npu
