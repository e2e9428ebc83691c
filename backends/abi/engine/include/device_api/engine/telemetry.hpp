// SPDX-License-Identifier: Apache-2.0
// Sensors and counters of the simulated devices: figures that follow their load.
#pragma once

#include <cstdint>
#include <vector>

#include "device_api/engine/status.hpp"

namespace device_api::engine {

/// What the figures rest on; of all devices of the process.
struct TelemetryModel {
    double idle_w = 90, peak_w = 400; // power without work, and at full load
    double idle_c = 38, peak_c = 72;  // chip temperature after a long time of either
    double ambient_c = 25;            // of the air that the two temperatures hold for
    double memory_c = 4;              // how much warmer the device memory is
    double throttle_c = 95;           // from here on the clock is lowered
    double settle_s = 20;             // time constant of the temperature
    double memory_gbps = 800;         // bandwidth that counts as full use, 1e9 bytes a second
    std::uint32_t clock_mhz = 1500, memory_clock_mhz = 1600;
};
/// Figures of zero or less keep their default.
void telemetry_model(const TelemetryModel& model) noexcept;
TelemetryModel telemetry_model() noexcept;

/// Why a device is not well.
struct Ailment {
    enum Kind { lost, uncorrected_error, hot, injected } kind;
    int severity;       // 1 minor, 2 major, 3 critical
    std::uint32_t code; // of an injected one, the vendor's
};

struct TelemetryReading {
    double temperature = 0, memory_temperature = 0; // degrees Celsius
    double power = 0;                               // watts
    double utilization = 0, bandwidth = 0;          // 0 to 1, since the reading before
    std::uint64_t memory_used = 0, memory_total = 0;
    std::uint64_t ecc_corrected = 0, ecc_uncorrected = 0;
    std::uint32_t clock_mhz = 0, clock_max_mhz = 0, memory_clock_mhz = 0;
    std::vector<Ailment> ailments; // the worst first
};

/// One reading, also of a lost device. Readings less than 20 ms apart give the same figures of
/// load. `stale`: those of the reading before, whatever has happened since.
Status telemetry(int device, TelemetryReading* out, bool stale = false) noexcept;

} // namespace device_api::engine
