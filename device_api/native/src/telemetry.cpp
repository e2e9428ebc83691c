// SPDX-License-Identifier: Apache-2.0
// Telemetry: a plugin's reading, with what cannot be true taken out.
#include "device_api/host_telemetry.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "error.hpp"
#include "registry.hpp"

namespace device_api::core {
namespace {

// Bounds beyond which a number is no reading but a mistake.
struct Bounds {
    uint32_t bit;
    double dab_telemetry::* member;
    double least, most;
};
const Bounds bounds[] = {
    {DAB_KNOWS_TEMPERATURE, &dab_telemetry::temperature, -100, 500},
    {DAB_KNOWS_MEMORY_TEMPERATURE, &dab_telemetry::memory_temperature, -100, 500},
    {DAB_KNOWS_POWER, &dab_telemetry::power, 0, 1e5},
    {DAB_KNOWS_POWER_LIMIT, &dab_telemetry::power_limit, 0, 1e5},
    {DAB_KNOWS_UTILIZATION, &dab_telemetry::utilization, 0, 1},
    {DAB_KNOWS_BANDWIDTH_UTILIZATION, &dab_telemetry::bandwidth_utilization, 0, 1},
};

template <class T>
void keep(dab_telemetry& t, uint32_t bit, T& member) {
    if (!(t.known & bit)) member = T{};
}

void drop_unknown(dab_telemetry& t) {
    for (const Bounds& b : bounds) keep(t, b.bit, t.*b.member);
    keep(t, DAB_KNOWS_HEALTH, t.health);
    keep(t, DAB_KNOWS_THROTTLE, t.throttle);
    keep(t, DAB_KNOWS_MEMORY, t.memory_used);
    keep(t, DAB_KNOWS_MEMORY, t.memory_total);
    keep(t, DAB_KNOWS_ECC, t.ecc_corrected);
    keep(t, DAB_KNOWS_ECC, t.ecc_uncorrected);
    keep(t, DAB_KNOWS_CLOCK, t.clock_mhz);
    keep(t, DAB_KNOWS_MEMORY_CLOCK, t.memory_clock_mhz);
}

void sift(dab_telemetry& t) {
    for (const Bounds& b : bounds) {
        const double value = t.*b.member;
        if (!(value >= b.least && value <= b.most)) t.known &= ~b.bit; // NaN too
    }
    if (t.health > DAB_HEALTH_CRITICAL || t.health == DAB_HEALTH_UNKNOWN)
        t.known &= ~uint32_t{DAB_KNOWS_HEALTH};
    if (t.memory_total == 0 || t.memory_used > t.memory_total)
        t.known &= ~uint32_t{DAB_KNOWS_MEMORY};
    drop_unknown(t);
}

da_status ask(Device& device, dab_telemetry* reading) {
    if (is_shut_down())
        return fail(DA_INVALID_ARGUMENT, "device_api has been shut down in this process");
    if (device.forked)
        return fail(DA_FORKED, "'" + device.name() + "' was in use when this process was forked",
                    "start worker processes with multiprocessing.get_context('spawn')");
    if (!device.api().telemetry)
        return fail(DA_NOT_SUPPORTED,
                    "the plugin for '" + device.backend->type + "' gives no telemetry",
                    "install a version of the plugin that has it");
    const da_status status = device.api().telemetry(device.self(), device.index, reading);
    if (status) return fail_vendor(*device.backend, &device, status, "reading telemetry");
    clean_text(reading->health_text);
    clean_text(reading->source);
    return DA_OK;
}

da_status read(dah_device handle, dab_telemetry* out, bool as_given) {
    if (!out || out->size < offsetof(dab_telemetry, health))
        return fail(DA_INVALID_ARGUMENT, "the reading's size is not filled in");
    Device* device = find_device(handle);
    if (!device) return last_status();
    dab_telemetry reading{};
    reading.size = sizeof reading;
    if (da_status status = ask(*device, &reading)) return status;
    if (!as_given) sift(reading);
    const uint32_t size = out->size;
    std::memset(out, 0, size);
    std::memcpy(out, &reading, std::min<size_t>(size, sizeof reading));
    out->size = size;
    return DA_OK;
}

} // namespace
} // namespace device_api::core

using namespace device_api::core;

da_status dah_device_telemetry(dah_device handle, dab_telemetry* out) {
    return read(handle, out, false);
}

da_status dah_device_telemetry_given(dah_device handle, dab_telemetry* out) {
    return read(handle, out, true);
}
