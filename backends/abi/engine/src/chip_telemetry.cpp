// SPDX-License-Identifier: Apache-2.0
// The chip's figures for the sensors of its devices.
#include "chip_file.hpp"
#include "device_api/engine/telemetry.hpp"

namespace device_api::engine {

void chip_telemetry(const Chip& c) noexcept {
    TelemetryModel m;
    m.idle_w = c.number("telemetry.idle_w");
    m.peak_w = c.number("telemetry.peak_w");
    m.idle_c = c.number("telemetry.idle_c");
    m.peak_c = c.number("telemetry.peak_c");
    m.ambient_c = c.number("telemetry.ambient_c");
    m.memory_c = c.number("telemetry.memory_c");
    m.throttle_c = c.number("telemetry.throttle_c");
    m.settle_s = c.number("telemetry.settle_s");
    m.memory_gbps = c.number("memory.bandwidth_gbps");
    m.clock_mhz = static_cast<std::uint32_t>(c.integer("telemetry.clock_mhz"));
    m.memory_clock_mhz = static_cast<std::uint32_t>(c.integer("telemetry.memory_clock_mhz"));
    telemetry_model(m);
}

} // namespace device_api::engine
