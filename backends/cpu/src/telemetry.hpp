// SPDX-License-Identifier: Apache-2.0
// Telemetry of the machine's processors, from files of the system.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "device_api/backend.h"

namespace device_api::cpu {

/// The time that all processors have worked and idled since the machine started, in ticks.
struct Ticks {
    uint64_t busy = 0, all = 0;
};

/// What must be kept from one reading to the next.
class LoadMeter {
  public:
    /// `root`: of the file tree, "" for the system's own.
    explicit LoadMeter(std::string root);
    /// Share of the processors' time spent working since the reading before, over at least a few
    /// ticks of the clock; false while there is no such span yet.
    bool read(double* share);
    const std::string& root() const { return root_; }

  private:
    std::string root_;
    std::mutex mutex_;
    Ticks last_;
    double share_ = -1; // of the span before the last one
};

da_status telemetry(dab_instance* self, int32_t device, dab_telemetry* out);

} // namespace device_api::cpu
