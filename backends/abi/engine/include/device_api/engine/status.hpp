// SPDX-License-Identifier: Apache-2.0
// Status codes, the thread's last message, and the misuse report of the simulated-chip engine.
//
// Every engine call returns a Status; the reason in words is last_message() on the same thread
// until its next engine call that fails. A vendor library maps Status to its own codes (one table).
// No engine call throws.
#pragma once

#include "device_api/engine/rules.hpp"

#include <cstdint>
#include <string>

namespace device_api::engine {

enum class Status : int {
    ok = 0,
    invalid_value,    // a null pointer, a size or an enum that is out of range
    invalid_device,   // no such device
    invalid_handle,   // null, foreign, destroyed or of another kind: a misuse, reported as such
    invalid_address,  // not (or no longer) in a live allocation, or out of its bounds
    invalid_state,    // the call is not allowed now (e.g. elapsed time of an event never recorded)
    out_of_memory,    // device memory exhausted
    out_of_resources, // too many streams or handles
    not_ready,        // queries: the work has not finished
    timeout,          // a wait ran out of time; the work goes on
    not_supported,    // the engine does not do this (dtype, rank, op)
    launch_failure,   // a kernel could not be started (injected)
    kernel_fault,     // a kernel failed while running; reported late
    hardware_fault,   // ECC and kin; reported late
    device_lost,      // sticky for the device until device_reset()
    forked,           // the process is a child of the one that initialised the engine
    shutdown,         // the process is exiting; the engine takes no new work
    internal,
    aborted,        // the stream's work was abandoned by stream_abort()
    remote_fault,   // another rank of a group of devices failed, left or ended; reported late
    remote_timeout, // another rank did not come in time; reported late
};

/// Stable lower-case name, e.g. "out_of_memory".
const char* status_name(Status s) noexcept;

/// Why the last failing engine call of this thread failed; "" when none. Valid until the next
/// failing call.
const char* last_message() noexcept;

/// Record `message` for last_message() and return `s` (for vendor libraries that add checks of
/// their own).
Status fail(Status s, const char* format, ...) noexcept __attribute__((format(printf, 2, 3)));

/// Like fail(), and count it as a breach of `rule` in the misuse report (das_control), which also
/// tells in which call or task it happened.
Status misuse(Rule rule, Status s, const char* format, ...) noexcept
    __attribute__((format(printf, 3, 4)));

/// ok, or forked / shutdown. Takes no lock; every engine call starts with it. A vendor call that
/// touches no engine function should call it first.
Status alive() noexcept;

} // namespace device_api::engine
