// SPDX-License-Identifier: Apache-2.0
// Waits for a device: the client's hooks round them, and failures that a silent wait has met.
#pragma once

#include "stream.hpp"

namespace device_api::core {

// Round a wait that may take long. Not under a lock that the client's code may want.
class Waiting {
  public:
    Waiting();
    ~Waiting() noexcept(false); // the client's `after` may end the thread
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

  private:
    void* token_;
};

// Waits for the stream's work on the core's own behalf, without hooks. A failure of that work is
// kept for the next wait that reports to the user.
void settle(dah_stream& stream);

// A wait found that work enqueued earlier has failed: says so, and how to learn which op it was.
// `stream` is NULL for all of the device; `op`: the only one that can have failed, or 0.
da_status fail_late(Device& device, da_status status, const dah_stream* stream = nullptr,
                    uint16_t op = 0);

// The failure kept for this device, set as this thread's error, once; DA_OK when there is none.
da_status take_failure(Device& device);

} // namespace device_api::core
