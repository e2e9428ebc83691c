// SPDX-License-Identifier: Apache-2.0
// The simulated DCMI: health, temperature, power, use, memory, errors and clocks of a chip.
#include "dcmi.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstring>

#include "chip.hpp"

using namespace cann_sim;

namespace {

using engine::Ailment;
using engine::TelemetryReading;

// Alarms of the simulator. That these codes exist is public; which alarm has which is not.
struct AlarmRow {
    Ailment::Kind kind;
    unsigned int code;
    const char* words;
};
constexpr AlarmRow alarms[] = {
    {Ailment::uncorrected_error, 0x80E01801, "uncorrected error of the on-chip memory (simulated)"},
    {Ailment::lost, 0x80CF8000, "the chip does not answer (simulated)"},
    {Ailment::hot, 0x80E18401, "the chip is too hot, its clock is lowered (simulated)"},
};

unsigned int code_of(const Ailment& a) {
    for (const AlarmRow& row : alarms)
        if (row.kind == a.kind) return row.code;
    return a.code;
}

const char* words_of(unsigned int code) {
    for (const AlarmRow& row : alarms)
        if (row.code == code) return row.words;
    return "alarm set by the simulator's control table";
}

/// Run `body(reading, spoilt)` with the chip's figures.
template <class Body>
int read_chip(const char* name, int card, int device, Body body) {
    return dcmi_chip_call(name, card, device, [&](int logic, const Spoilt& spoilt) -> int {
        TelemetryReading r;
        if (engine::telemetry(logic, &r, spoilt.stale) != Status::ok) return DCMI_INNER;
        return body(r, spoilt);
    });
}

int whole(double value) {
    return static_cast<int>(std::lround(value));
}
unsigned int percent(double share) {
    return static_cast<unsigned int>(std::lround(share * 100));
}
constexpr std::uint64_t mega = 1 << 20;

double memory_share(const TelemetryReading& r) {
    return r.memory_total ? double(r.memory_used) / double(r.memory_total) : 0;
}

// -1: not on this chip.
double use_of(const TelemetryReading& r, int type) {
    const bool hbm = chip().hbm;
    const bool split = (chip().family & (chip_a2 | chip_a3)) != 0; // vector cores apart
    switch (type) {
    case DCMI_USE_AICORE: return r.utilization;
    case DCMI_USE_AICPU:
    case DCMI_USE_CTRLCPU: return 0;
    case DCMI_USE_OVERALL: return split ? r.utilization : -1;
    case DCMI_USE_VECTOR: return split ? r.utilization : -1;
    case DCMI_USE_HBM: return hbm ? memory_share(r) : -1;
    case DCMI_USE_HBM_BANDWIDTH: return hbm ? r.bandwidth : -1;
    case DCMI_USE_MEMORY:
    case DCMI_USE_DDR: return hbm ? -1 : memory_share(r);
    case DCMI_USE_MEMORY_BANDWIDTH: return hbm ? -1 : r.bandwidth;
    default: return -1;
    }
}

// 0: not on this chip.
unsigned int frequency_of(const TelemetryReading& r, int type) {
    switch (type) {
    case DCMI_FREQUENCY_DDR: return chip().hbm ? 0 : r.memory_clock_mhz;
    case DCMI_FREQUENCY_HBM: return chip().hbm ? r.memory_clock_mhz : 0;
    case DCMI_FREQUENCY_CTRLCPU: return 2000;
    case DCMI_FREQUENCY_AICORE: return r.clock_mhz;
    case DCMI_FREQUENCY_AICORE_MAX: return r.clock_max_mhz;
    case DCMI_FREQUENCY_VECTOR: return chip().family & (chip_a2 | chip_a3) ? r.clock_mhz : 0;
    default: return 0;
    }
}

} // namespace

SIM_EXPORT int dcmi_get_device_health(int card_id, int device_id, unsigned int* health) {
    return read_chip(__func__, card_id, device_id, [&](const auto& r, const Spoilt& spoilt) {
        const int worst = r.ailments.empty() ? 0 : r.ailments.front().severity;
        return dcmi_give(health, static_cast<unsigned int>(worst), spoilt);
    });
}

SIM_EXPORT int dcmi_get_driver_health(unsigned int* health) {
    return dcmi_call(__func__, [&] { return dcmi_give(health, 0u, Spoilt{}); });
}

SIM_EXPORT int dcmi_get_device_errorcode_v2(int card_id, int device_id, int* count,
                                            unsigned int* list, unsigned int list_len) {
    return read_chip(__func__, card_id, device_id, [&](const auto& r, const Spoilt& spoilt) -> int {
        if (!count || !list || list_len < r.ailments.size()) return DCMI_INVALID_PARAMETER;
        if (!spoilt.short_answer)
            for (std::size_t i = 0; i < r.ailments.size(); ++i) list[i] = code_of(r.ailments[i]);
        return dcmi_give(count, static_cast<int>(r.ailments.size()), spoilt);
    });
}

SIM_EXPORT int dcmi_get_device_errorcode_string(int card_id, int device_id, unsigned int code,
                                                unsigned char* buf, int buf_size) {
    return read_chip(__func__, card_id, device_id, [&](const auto&, const Spoilt&) -> int {
        if (!buf || buf_size < 48) return DCMI_INVALID_PARAMETER;
        std::snprintf(reinterpret_cast<char*>(buf), static_cast<std::size_t>(buf_size), "%s",
                      words_of(code));
        return DCMI_OK;
    });
}

SIM_EXPORT int dcmi_get_device_temperature(int card_id, int device_id, int* celsius) {
    return read_chip(__func__, card_id, device_id, [&](const auto& r, const Spoilt& spoilt) {
        return dcmi_give(celsius, whole(r.temperature), spoilt);
    });
}

SIM_EXPORT int dcmi_get_device_power_info(int card_id, int device_id, int* power) {
    return read_chip(__func__, card_id, device_id, [&](const auto& r, const Spoilt& spoilt) {
        return dcmi_give(power, whole(r.power * 10), spoilt);
    });
}

SIM_EXPORT int dcmi_get_device_voltage(int card_id, int device_id, unsigned int* voltage) {
    return read_chip(__func__, card_id, device_id, [&](const auto& r, const Spoilt& spoilt) {
        return dcmi_give(voltage, 80u + 10u * (r.utilization > 0.5), spoilt);
    });
}

SIM_EXPORT int dcmi_get_device_utilization_rate(int card_id, int device_id, int type,
                                                unsigned int* rate) {
    return read_chip(__func__, card_id, device_id, [&](const auto& r, const Spoilt& spoilt) -> int {
        const double use = use_of(r, type);
        return use < 0 ? int{DCMI_NOT_SUPPORTED} : dcmi_give(rate, percent(use), spoilt);
    });
}

SIM_EXPORT int dcmi_get_device_hbm_info(int card_id, int device_id, dcmi_hbm_info* info) {
    return read_chip(__func__, card_id, device_id, [&](const auto& r, const Spoilt& spoilt) -> int {
        if (!chip().hbm) return DCMI_NOT_SUPPORTED;
        dcmi_hbm_info full{};
        full.memory_size = r.memory_total / mega;
        full.freq = r.memory_clock_mhz;
        full.memory_usage = (r.memory_used + mega - 1) / mega;
        full.temp = whole(r.memory_temperature);
        full.bandwith_util_rate = percent(r.bandwidth);
        return dcmi_give(info, full, spoilt);
    });
}

SIM_EXPORT int dcmi_get_device_memory_info_v3(int card_id, int device_id,
                                              dcmi_memory_info_v3* info) {
    return read_chip(__func__, card_id, device_id, [&](const auto& r, const Spoilt& spoilt) -> int {
        if (chip().hbm) return DCMI_NOT_SUPPORTED;
        dcmi_memory_info_v3 full{};
        full.memory_size = r.memory_total / mega;
        full.memory_available = (r.memory_total - r.memory_used) / mega;
        full.freq = r.memory_clock_mhz;
        full.utiliza = percent(memory_share(r));
        return dcmi_give(info, full, spoilt);
    });
}

SIM_EXPORT int dcmi_get_device_ecc_info(int card_id, int device_id, dcmi_ecc_type type,
                                        dcmi_ecc_info* info) {
    return read_chip(__func__, card_id, device_id, [&](const auto& r, const Spoilt& spoilt) -> int {
        if (type != (chip().hbm ? DCMI_ECC_HBM : DCMI_ECC_DDR)) return DCMI_NOT_SUPPORTED;
        dcmi_ecc_info full{};
        full.enable = 1;
        full.single = full.total_single = static_cast<unsigned int>(r.ecc_corrected);
        full.doubles = full.total_double = static_cast<unsigned int>(r.ecc_uncorrected);
        return dcmi_give(info, full, spoilt);
    });
}

SIM_EXPORT int dcmi_get_device_frequency(int card_id, int device_id, dcmi_frequency_type type,
                                         unsigned int* mhz) {
    return read_chip(__func__, card_id, device_id, [&](const auto& r, const Spoilt& spoilt) -> int {
        const unsigned int found = frequency_of(r, type);
        return found ? dcmi_give(mhz, found, spoilt) : int{DCMI_NOT_SUPPORTED};
    });
}

SIM_EXPORT int dcmi_get_device_aicore_info(int card_id, int device_id, dcmi_aicore_info* info) {
    return read_chip(__func__, card_id, device_id, [&](const auto& r, const Spoilt& spoilt) {
        return dcmi_give(info, dcmi_aicore_info{r.clock_max_mhz, r.clock_mhz}, spoilt);
    });
}

// The simulator's devices belong to this process alone.
SIM_EXPORT int dcmi_get_device_resource_info(int card_id, int device_id, dcmi_process_memory* list,
                                             int* num) {
    return read_chip(__func__, card_id, device_id, [&](const auto& r, const Spoilt& spoilt) -> int {
        if (!list || !num) return DCMI_INVALID_PARAMETER;
        const int count = r.memory_used ? 1 : 0;
        if (count && !spoilt.short_answer) list[0] = {getpid(), r.memory_used};
        return dcmi_give(num, count, spoilt);
    });
}
