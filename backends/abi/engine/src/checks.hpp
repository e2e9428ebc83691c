// SPDX-License-Identifier: Apache-2.0
// Private: the checks that can be switched, and what reports are made of.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device_api/engine/rules.hpp"
#include "device_api/engine/status.hpp"
#include "device_api/engine/tensor.hpp"

namespace device_api::engine {

struct QueuedTask;
struct EventRecord;
struct Range;

// ---- which checks are on (das_checks) ----------------------------
bool checking(std::uint32_t check) noexcept;
void set_checks(std::uint32_t checks) noexcept;
/// With DAS_CHECK_HOST: tell of accesses to device memory before the signal ends the process.
void watch_host_faults() noexcept;
/// What DEVICE_API_SIM_CHECKS asks for.
std::uint32_t checks_of_environment() noexcept;

// ---- where something happened ------------------------------------
/// The vendor's call that this thread is in; null outside.
const char* current_call() noexcept;
struct RunningTask {
    const char* name = nullptr; // null: this thread runs none
    std::uint64_t sequence = 0;
    std::uint32_t stream = 0;
    int device = 0;
};
RunningTask& running_task() noexcept;
/// "; task aclnnAdd, launch 3, stream 1 of device 0; in aclrtFree", as far as it is so.
std::string where();

/// Where memory was allocated or freed.
struct Site {
    const char* call = nullptr;
    std::uint64_t launches = 0; // so many had been submitted
    void* frames[8] = {};       // callers, with DAS_CHECK_SITES
    int count = 0;

    static Site here() noexcept;
    std::string text() const; // "by aclrtMalloc after launch 12 (libfoo.so+0x12 < ...)"
};

// ---- order of accesses on streams (races.cpp) --------------------
// With DAS_CHECK_RACES: each stream has a clock of what has happened before its next task; so has
// the host. Accesses to the same bytes from two streams, or from a stream and the host, must be
// ordered by them, whatever the schedule of this run was.
void races_submit(std::uint32_t stream, const QueuedTask& t);
void races_host_knows(std::uint32_t stream, std::uint64_t number);
/// The host itself uses memory (a copy at once), or frees an allocation.
void races_host_access(const Range& r, const char* what);
void races_free(std::uint64_t allocation, std::uintptr_t base);
void races_clear();

// ---- which bytes were written (shadow.cpp) -----------------------
// With DAS_CHECK_SHADOW: one bit for each byte of an allocation.
/// uninitialised_read when an element was never written.
Status shadow_check(const std::vector<Tensor>& inputs);
void shadow_mark(const std::vector<Tensor>& outputs);
void shadow_mark(std::uintptr_t p, std::size_t bytes);
Status shadow_check(std::uintptr_t p, std::size_t bytes);
/// A copy on the device carries the bits along: what is not written may be moved, not used.
void shadow_copy(std::uintptr_t to, std::uintptr_t from, std::size_t bytes);

} // namespace device_api::engine
