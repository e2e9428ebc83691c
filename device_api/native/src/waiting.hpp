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
// The same in steps, with hooks, until the client's interruption, whose status is returned then.
da_status settle_or_interrupt(dah_stream& stream);

// A wait found that work enqueued earlier has failed: says so, and how to learn which op it was.
// `stream` is NULL for all of the device; `op`: the only one that can have failed, or 0.
da_status fail_late(Device& device, da_status status, const dah_stream* stream = nullptr,
                    uint16_t op = 0);

// A call that may have waited for work before it, such as a copy of pageable memory, has failed.
da_status fail_waiting(Device& device, da_status status, const char* doing,
                       const dah_stream* stream);
// The time given to a wait ran out.
da_status fail_timeout(const Device& device, const dah_stream* stream = nullptr);
// Adds to the error set last that it may be that of an earlier op, unless each op is waited for.
void advise_late(const Device& device);

// The failure kept for this device, set as this thread's error, once; DA_OK when there is none.
da_status take_failure(Device& device);

} // namespace device_api::core
