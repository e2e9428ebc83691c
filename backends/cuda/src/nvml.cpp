// SPDX-License-Identifier: Apache-2.0
// Every figure is asked for by itself, and believed only when it can be true: what fails, or makes
// no sense, is unknown.
#include "nvml.hpp"

#include <cstdio>
#include <cstring>

#include "search.hpp"

namespace device_api::cuda {
namespace {

using simt::fail;

constexpr simt::CodeRow rows[] = {
    {2, DA_INVALID_ARGUMENT, "invalid argument", nullptr},
    {3, DA_NOT_SUPPORTED, "not supported on this device", nullptr},
    {4, DA_NOT_SUPPORTED, "no permission", "ask for access to the device's files"},
    {6, DA_NOT_SUPPORTED, "the device was not found", nullptr},
    {9, DA_NO_DRIVER, "the driver is not loaded", "load NVIDIA's kernel module"},
    {15, DA_DEVICE_LOST, "the device fell off the bus", "restart the machine"},
    {16, DA_DEVICE_LOST, "the device must be reset", "nvidia-smi --gpu-reset"},
    {18, DA_VERSION_MISMATCH, "kernel module and library are of different drivers",
     "restart the machine after an update of the driver"},
};
constexpr simt::CodeTable table{"NVML", rows, sizeof rows / sizeof rows[0]};

struct Chip {
    const NvmlFunctions& nvml;
    nvmlDevice_t device;
};

template <class F, class... A>
bool ask(F function, A... arguments) {
    return function && function(arguments...) == NVML_SUCCESS;
}

void read_use(const Chip& c, dab_telemetry& t) {
    nvmlUtilization_t use{};
    nvmlMemory_t memory{};
    if (ask(c.nvml.nvmlDeviceGetUtilizationRates, c.device, &use) && use.gpu <= 100 &&
        use.memory <= 100) {
        t.utilization = use.gpu / 100.0;
        t.bandwidth_utilization = use.memory / 100.0;
        t.known |= DAB_KNOWS_UTILIZATION | DAB_KNOWS_BANDWIDTH_UTILIZATION;
    }
    if (ask(c.nvml.nvmlDeviceGetMemoryInfo, c.device, &memory) && memory.total > 0 &&
        memory.used <= memory.total) {
        t.memory_used = memory.used;
        t.memory_total = memory.total;
        t.known |= DAB_KNOWS_MEMORY;
    }
}

void read_heat(const Chip& c, dab_telemetry& t) {
    unsigned int value = 0;
    if (ask(c.nvml.nvmlDeviceGetTemperature, c.device, NVML_TEMPERATURE_GPU, &value) && value > 0 &&
        value < 150) {
        t.temperature = value;
        t.known |= DAB_KNOWS_TEMPERATURE;
    }
    nvmlFieldValue_t field{};
    field.fieldId = NVML_FI_DEV_MEMORY_TEMP;
    if (ask(c.nvml.nvmlDeviceGetFieldValues, c.device, 1, &field) &&
        field.nvmlReturn == NVML_SUCCESS && field.value.uiVal > 0 && field.value.uiVal < 150) {
        t.memory_temperature = field.value.uiVal;
        t.known |= DAB_KNOWS_MEMORY_TEMPERATURE;
    }
    if (ask(c.nvml.nvmlDeviceGetPowerUsage, c.device, &value) && value > 0 && value < 10000000) {
        t.power = value / 1000.0;
        t.known |= DAB_KNOWS_POWER;
    }
    if (ask(c.nvml.nvmlDeviceGetEnforcedPowerLimit, c.device, &value) && value > 0 &&
        value < 10000000) {
        t.power_limit = value / 1000.0;
        t.known |= DAB_KNOWS_POWER_LIMIT;
    }
}

void read_clocks(const Chip& c, dab_telemetry& t) {
    unsigned int mhz = 0;
    const auto believable = [&] { return mhz > 0 && mhz < 20000; };
    if (ask(c.nvml.nvmlDeviceGetClockInfo, c.device, NVML_CLOCK_SM, &mhz) && believable()) {
        t.clock_mhz = mhz;
        t.known |= DAB_KNOWS_CLOCK;
    }
    if (ask(c.nvml.nvmlDeviceGetClockInfo, c.device, NVML_CLOCK_MEM, &mhz) && believable()) {
        t.memory_clock_mhz = mhz;
        t.known |= DAB_KNOWS_MEMORY_CLOCK;
    }
    unsigned long long reasons = 0;
    if (!ask(c.nvml.nvmlDeviceGetCurrentClocksEventReasons, c.device, &reasons) &&
        !ask(c.nvml.nvmlDeviceGetCurrentClocksThrottleReasons, c.device, &reasons))
        return;
    struct Row {
        unsigned long long mask;
        std::uint32_t why;
    };
    constexpr Row reasons_rows[] = {
        {nvmlClocksEventReasonSwThermalSlowdown | nvmlClocksEventReasonHwThermalSlowdown,
         DAB_THROTTLE_THERMAL},
        {nvmlClocksEventReasonSwPowerCap, DAB_THROTTLE_POWER},
        {nvmlClocksEventReasonHwPowerBrakeSlowdown, DAB_THROTTLE_HARDWARE},
        {nvmlClocksEventReasonSyncBoost, DAB_THROTTLE_OTHER},
    };
    for (const Row& row : reasons_rows)
        if (reasons & row.mask) t.throttle |= row.why;
    // "Hardware slowdown" is also told beside the two reasons for it that have bits of their own.
    if ((reasons & nvmlClocksEventReasonHwSlowdown) && t.throttle == 0)
        t.throttle |= DAB_THROTTLE_HARDWARE;
    t.known |= DAB_KNOWS_THROTTLE;
}

void read_errors(const Chip& c, dab_telemetry& t) {
    nvmlEnableState_t now = NVML_FEATURE_DISABLED, pending = NVML_FEATURE_DISABLED;
    if (!ask(c.nvml.nvmlDeviceGetEccMode, c.device, &now, &pending) || now != NVML_FEATURE_ENABLED)
        return;
    unsigned long long corrected = 0, uncorrected = 0;
    const auto count = [&](nvmlMemoryErrorType_t type, unsigned long long* value) {
        return ask(c.nvml.nvmlDeviceGetTotalEccErrors, c.device, type, NVML_AGGREGATE_ECC, value);
    };
    if (!count(NVML_MEMORY_ERROR_TYPE_CORRECTED, &corrected) ||
        !count(NVML_MEMORY_ERROR_TYPE_UNCORRECTED, &uncorrected))
        return;
    t.ecc_corrected = corrected;
    t.ecc_uncorrected = uncorrected;
    t.known |= DAB_KNOWS_ECC;
}

// NVML has no grade of health: it follows from what is wrong with the memory.
void read_health(const Chip& c, dab_telemetry& t) {
    unsigned int corrected = 0, uncorrected = 0, pending = 0, failed = 0;
    nvmlEnableState_t retiring = NVML_FEATURE_DISABLED;
    const bool remaps = ask(c.nvml.nvmlDeviceGetRemappedRows, c.device, &corrected, &uncorrected,
                            &pending, &failed);
    const bool retires = ask(c.nvml.nvmlDeviceGetRetiredPagesPendingStatus, c.device, &retiring);
    if (!remaps && !retires) return;
    t.known |= DAB_KNOWS_HEALTH;
    t.health = DAB_HEALTH_OK;
    if (failed) {
        t.health = DAB_HEALTH_CRITICAL;
        std::snprintf(t.health_text, sizeof t.health_text,
                      "a row of the memory is bad and could not be remapped");
    } else if (pending || retiring == NVML_FEATURE_ENABLED) {
        t.health = DAB_HEALTH_WARNING;
        std::snprintf(t.health_text, sizeof t.health_text,
                      "bad memory is replaced at the next reset (rows remapped: %u corrected, %u "
                      "uncorrected)",
                      corrected, uncorrected);
    }
}

} // namespace

da_status Nvml::open() {
    const std::lock_guard<std::mutex> guard(lock_);
    if (open_) return DA_OK;
    const linkage::Library library =
        cuda_.simulated ? linkage::open_simulated(cuda_.options.simulator, CUDA_SONAME_NVML)
                        : linkage::open_real(driver_candidates(CUDA_SONAME_NVML));
    if (!library)
        return fail(DA_NOT_SUPPORTED, "install NVIDIA's driver with its management library",
                    "telemetry needs " CUDA_SONAME_NVML ": %s", library.message.c_str());
    std::string missing;
#define CUDA_BIND(name)                                                                            \
    if (!(nvml_.name = reinterpret_cast<name##_fn>(library.symbol(#name)))) missing += " " #name;
    CUDA_NVML_REQUIRED(CUDA_BIND)
#undef CUDA_BIND
    if (!missing.empty())
        return fail(DA_VERSION_MISMATCH, "install a newer driver", "%s lacks%s",
                    library.path.c_str(), missing.c_str());
#define CUDA_BIND(name) nvml_.name = reinterpret_cast<name##_fn>(library.symbol(#name));
    CUDA_NVML_OPTIONAL(CUDA_BIND)
#undef CUDA_BIND
    if (const int code = nvml_.nvmlInit_v2())
        return simt::vendor_fail(table, code, "nvmlInit_v2",
                                 nvml_.nvmlErrorString(static_cast<nvmlReturn_t>(code)));
    char version[80] = "", driver[80] = "";
    ask(nvml_.nvmlSystemGetNVMLVersion, version, 80u);
    ask(nvml_.nvmlSystemGetDriverVersion, driver, 80u);
    source_ = std::string(CUDA_SONAME_NVML " ") + version + ", driver " + driver;
    open_ = true;
    return DA_OK;
}

// NVML counts all devices of the machine, CUDA those of the process: the id tells which is which.
da_status Nvml::handle_of(std::int32_t device, nvmlDevice_t* handle) {
    CUdevice id = 0;
    CUDA_TRY(cuda_, cuDeviceGet, &id, device);
    char bus[32] = "";
    int code = NVML_ERROR_NOT_FOUND;
    if (cuda_.cuDeviceGetPCIBusId && cuda_.cuDeviceGetPCIBusId(bus, sizeof bus, id) == CUDA_SUCCESS)
        code = nvml_.nvmlDeviceGetHandleByPciBusId_v2(bus, handle);
    if (code == NVML_SUCCESS) return DA_OK;
    return simt::vendor_fail(table, code, "nvmlDeviceGetHandleByPciBusId_v2",
                             nvml_.nvmlErrorString(static_cast<nvmlReturn_t>(code)));
}

da_status Nvml::read(std::int32_t device, dab_telemetry& t) {
    if (const da_status status = open()) return status;
    Chip chip{nvml_, nullptr};
    if (const da_status status = handle_of(device, &chip.device)) return status;
    read_use(chip, t);
    read_heat(chip, t);
    read_clocks(chip, t);
    read_errors(chip, t);
    read_health(chip, t);
    std::snprintf(t.source, sizeof t.source, "%s", source_.c_str());
    return DA_OK;
}

} // namespace device_api::cuda
