// SPDX-License-Identifier: Apache-2.0
// The simulated NVML: devices, and sensors that follow their load. It sees all devices, whatever
// CUDA_VISIBLE_DEVICES says, and needs no cuInit.
#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>

#include "chip.hpp"
#include "state.hpp"

#include "device_api_cuda/cuda_nvml.h"

using namespace cuda_sim;

namespace {

std::atomic<int> users{0};

/// A handle is the device's index + 1, which is no address.
int index_of(nvmlDevice_t device) {
    const auto n = reinterpret_cast<std::uintptr_t>(device);
    return n >= 1 && n <= static_cast<std::uintptr_t>(engine::device_count()) ? int(n) - 1 : -1;
}

nvmlReturn_t text(char* out, unsigned length, const std::string& value) {
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    if (value.size() + 1 > length) return NVML_ERROR_INSUFFICIENT_SIZE;
    std::memcpy(out, value.c_str(), value.size() + 1);
    return NVML_SUCCESS;
}

/// `body(index)` for a device, after the checks that all calls have.
template <class Body>
nvmlReturn_t with(nvmlDevice_t device, const void* out, Body body) {
    ensure_engine();
    if (!users) return NVML_ERROR_UNINITIALIZED;
    if (engine::alive() != Status::ok) return NVML_ERROR_UNKNOWN;
    const int i = index_of(device);
    if (i < 0 || !out) return NVML_ERROR_INVALID_ARGUMENT;
    return body(i);
}

/// `body(reading, index)` with a fresh reading of the sensors.
template <class Body>
nvmlReturn_t read(nvmlDevice_t device, const void* out, Body body) {
    return with(device, out, [&](int i) -> nvmlReturn_t {
        engine::TelemetryReading r;
        const Status status = engine::telemetry(i, &r);
        if (status == Status::device_lost) return NVML_ERROR_GPU_IS_LOST;
        if (status != Status::ok) return NVML_ERROR_UNKNOWN;
        for (const engine::Ailment& a : r.ailments)
            if (a.kind == engine::Ailment::lost) return NVML_ERROR_GPU_IS_LOST;
        body(r, i);
        return NVML_SUCCESS;
    });
}

nvmlReturn_t give(nvmlDevice_t* out, int index) {
    if (!users) return NVML_ERROR_UNINITIALIZED;
    if (!out || index < 0 || index >= engine::device_count()) return NVML_ERROR_INVALID_ARGUMENT;
    *out = reinterpret_cast<nvmlDevice_t>(static_cast<std::uintptr_t>(index + 1));
    return NVML_SUCCESS;
}

nvmlReturn_t initialise() {
    ensure_engine();
    if (!chip()) return NVML_ERROR_DRIVER_NOT_LOADED;
    ++users;
    return NVML_SUCCESS;
}

} // namespace

SIM_EXPORT nvmlReturn_t nvmlInit_v2(void) {
    return initialise();
}
SIM_EXPORT nvmlReturn_t nvmlInitWithFlags(unsigned int) {
    return initialise();
}
SIM_EXPORT nvmlReturn_t nvmlShutdown(void) {
    int n = users;
    while (n > 0 && !users.compare_exchange_weak(n, n - 1)) {
    }
    return n > 0 ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
}

SIM_EXPORT const char* nvmlErrorString(nvmlReturn_t result) {
#define NAME_CASE(name, value, mark)                                                               \
    case name: return #name;
    switch (result) {
        NVML_RETURNS(NAME_CASE)
    default: return "Unknown Error";
    }
}

SIM_EXPORT nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned int length) {
    return text(version, length, "580.00 (simulated)");
}
SIM_EXPORT nvmlReturn_t nvmlSystemGetNVMLVersion(char* version, unsigned int length) {
    return text(version, length, "13.580.00");
}
SIM_EXPORT nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int* cudaDriverVersion) {
    if (!cudaDriverVersion) return NVML_ERROR_INVALID_ARGUMENT;
    *cudaDriverVersion = driver_version;
    return NVML_SUCCESS;
}

SIM_EXPORT nvmlReturn_t nvmlSystemGetCudaDriverVersion(int* cudaDriverVersion) {
    return nvmlSystemGetCudaDriverVersion_v2(cudaDriverVersion);
}

SIM_EXPORT nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* deviceCount) {
    if (!users) return NVML_ERROR_UNINITIALIZED;
    if (!deviceCount) return NVML_ERROR_INVALID_ARGUMENT;
    *deviceCount = static_cast<unsigned>(engine::device_count());
    return NVML_SUCCESS;
}
SIM_EXPORT nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* device) {
    return give(device, static_cast<int>(index));
}
SIM_EXPORT nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* device) {
    for (int i = 0; uuid && i < engine::device_count(); ++i)
        if (uuid_text(i) == uuid) return give(device, i);
    return users ? NVML_ERROR_NOT_FOUND : NVML_ERROR_UNINITIALIZED;
}
SIM_EXPORT nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char* pciBusId,
                                                         nvmlDevice_t* device) {
    for (int i = 0; pciBusId && i < engine::device_count(); ++i)
        if (bus_id(i) == pciBusId || "0000" + bus_id(i) == pciBusId) return give(device, i);
    return users ? NVML_ERROR_NOT_FOUND : NVML_ERROR_UNINITIALIZED;
}

SIM_EXPORT nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned int length) {
    return with(device, name, [&](int i) { return text(name, length, device_name(i)); });
}
SIM_EXPORT nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char* uuid, unsigned int length) {
    return with(device, uuid, [&](int i) { return text(uuid, length, uuid_text(i)); });
}
SIM_EXPORT nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t* pci) {
    return with(device, pci, [&](int i) -> nvmlReturn_t {
        *pci = {};
        pci->bus = static_cast<unsigned>(attribute(i, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID));
        std::snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "%s", bus_id(i).c_str());
        std::snprintf(pci->busId, sizeof pci->busId, "0000%s", bus_id(i).c_str());
        return NVML_SUCCESS;
    });
}
SIM_EXPORT nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned int* minorNumber) {
    return with(device, minorNumber, [&](int i) {
        *minorNumber = static_cast<unsigned>(i);
        return NVML_SUCCESS;
    });
}
SIM_EXPORT nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int* major,
                                                           int* minor) {
    return with(device, major && minor ? major : nullptr, [&](int i) {
        *major = attribute(i, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
        *minor = attribute(i, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        return NVML_SUCCESS;
    });
}

SIM_EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
    return read(device, memory, [&](const engine::TelemetryReading& r, int) {
        *memory = {r.memory_total, r.memory_total - r.memory_used, r.memory_used};
    });
}
SIM_EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t* memory) {
    constexpr unsigned version = sizeof(nvmlMemory_v2_t) | 2u << 24;
    if (memory && memory->version != version) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    return read(device, memory, [&](const engine::TelemetryReading& r, int) {
        *memory = {version, r.memory_total, 0, r.memory_total - r.memory_used, r.memory_used};
    });
}
SIM_EXPORT nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device,
                                                      nvmlUtilization_t* utilization) {
    return read(device, utilization, [&](const engine::TelemetryReading& r, int) {
        *utilization = {static_cast<unsigned>(r.utilization * 100),
                        static_cast<unsigned>(r.bandwidth * 100)};
    });
}
SIM_EXPORT nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device,
                                                 nvmlTemperatureSensors_t sensor,
                                                 unsigned int* temp) {
    if (sensor != NVML_TEMPERATURE_GPU) return NVML_ERROR_INVALID_ARGUMENT;
    return read(device, temp, [&](const engine::TelemetryReading& r, int) {
        *temp = static_cast<unsigned>(r.temperature);
    });
}
SIM_EXPORT nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int* power) {
    return read(device, power, [&](const engine::TelemetryReading& r, int) {
        *power = static_cast<unsigned>(r.power * 1000);
    });
}
SIM_EXPORT nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned int* limit) {
    return with(device, limit, [&](int) {
        *limit = static_cast<unsigned>(chip()->number("telemetry.peak_w") * 1000);
        return NVML_SUCCESS;
    });
}
SIM_EXPORT nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device,
                                                          unsigned int* limit) {
    return nvmlDeviceGetEnforcedPowerLimit(device, limit);
}
SIM_EXPORT nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type,
                                               unsigned int* clock) {
    if (type < 0 || type > NVML_CLOCK_VIDEO) return NVML_ERROR_INVALID_ARGUMENT;
    return read(device, clock, [&](const engine::TelemetryReading& r, int) {
        *clock = type == NVML_CLOCK_MEM ? r.memory_clock_mhz : r.clock_mhz;
    });
}
SIM_EXPORT nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type,
                                                  unsigned int* clock) {
    if (type < 0 || type > NVML_CLOCK_VIDEO) return NVML_ERROR_INVALID_ARGUMENT;
    return read(device, clock, [&](const engine::TelemetryReading& r, int) {
        *clock = type == NVML_CLOCK_MEM ? r.memory_clock_mhz : r.clock_max_mhz;
    });
}
SIM_EXPORT nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device,
                                                               unsigned long long* reasons) {
    return read(device, reasons, [&](const engine::TelemetryReading& r, int) {
        *reasons = r.utilization > 0 ? 0 : nvmlClocksEventReasonGpuIdle;
        for (const engine::Ailment& a : r.ailments)
            if (a.kind == engine::Ailment::hot) *reasons |= nvmlClocksEventReasonSwThermalSlowdown;
    });
}
SIM_EXPORT nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device,
                                                                  unsigned long long* reasons) {
    return nvmlDeviceGetCurrentClocksEventReasons(device, reasons);
}
SIM_EXPORT nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device, nvmlEnableState_t* current,
                                             nvmlEnableState_t* pending) {
    return with(device, current && pending ? current : nullptr, [&](int) {
        *current = *pending =
            chip()->flag("cuda.ecc") ? NVML_FEATURE_ENABLED : NVML_FEATURE_DISABLED;
        return NVML_SUCCESS;
    });
}
SIM_EXPORT nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t device, nvmlMemoryErrorType_t type,
                                                    nvmlEccCounterType_t,
                                                    unsigned long long* eccCounts) {
    if (type < 0 || type > NVML_MEMORY_ERROR_TYPE_UNCORRECTED) return NVML_ERROR_INVALID_ARGUMENT;
    return read(device, eccCounts, [&](const engine::TelemetryReading& r, int) {
        const bool corrected = type == NVML_MEMORY_ERROR_TYPE_CORRECTED;
        *eccCounts = corrected ? r.ecc_corrected : r.ecc_uncorrected;
    });
}
