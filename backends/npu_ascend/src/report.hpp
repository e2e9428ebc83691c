// SPDX-License-Identifier: Apache-2.0
// The thread that runs host callbacks where CANN has none of its own (before aclrtLaunchHostFunc).
#pragma once

#include <atomic>
#include <pthread.h>

#include "cann.hpp"

namespace device_api::npu {

/// One for each device, started by its first callback. Not thread-safe: the caller holds a lock.
class ReportThread {
  public:
    /// Start the thread if it does not run yet.
    da_status start(const Cann& cann, int device);
    /// The id that CANN wants for subscribing streams; valid once started.
    std::uint64_t id() const { return static_cast<std::uint64_t>(thread_); }
    bool running() const { return running_; }
    /// End the thread and wait for it.
    void stop();

  private:
    static void* run(void* self);

    const Cann* cann_ = nullptr;
    int device_ = 0;
    pthread_t thread_{};
    bool running_ = false;
    std::atomic<bool> stopping_{false};
};

} // namespace device_api::npu
