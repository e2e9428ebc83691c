// SPDX-License-Identifier: Apache-2.0
// Private: what a device's telemetry rests on. It counts what runs and knows no device.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "device_api/engine/telemetry.hpp"

namespace device_api::engine {

struct Sensors {
    std::mutex mutex; // of all below

    int running = 0; // tasks on all streams
    std::int64_t busy_since = 0, busy_ns = 0;
    double bytes = 0; // moved by tasks

    std::int64_t read_ns = 0; // the last step of the model
    std::int64_t busy_then = 0;
    double bytes_then = 0;
    bool begun = false; // read_ns and temperature hold
    double ambient = 0; // 0: the model's
    double forced = -1; // load set from outside; < 0: as measured
    double temperature = 0, load = 0, bandwidth = 0;
    double clock = 1; // share of the full clock
    TelemetryReading last;

    std::uint64_t ecc_corrected = 0, ecc_uncorrected = 0;
    bool ecc_alarm = false; // an uncorrected error since the last reset
    std::vector<Ailment> injected;

    /// Let `seconds` of a load pass.
    void pass(const TelemetryModel& model, double seconds);
    /// The model as of now.
    void step(const TelemetryModel& model, std::int64_t now);
    /// After a reset of the device: alarms end; counters, temperature and settings go on.
    void take_over(Sensors& before);
    void uncorrected_error();
};

/// While it lives, a task of this device counts as running; null: none does.
class Busy {
  public:
    Busy(Sensors* sensors, double bytes);
    ~Busy();
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

  private:
    Sensors* sensors_;
};

} // namespace device_api::engine
