// SPDX-License-Identifier: Apache-2.0
// The launch log and the injected faults: what was submitted, and what is to go wrong with it.
#pragma once

#include <cstdint>

#include "device_api/engine/status.hpp"
#include "device_api/simctl.h"

namespace device_api::engine {

/// Append an entry; returns its sequence number.
std::uint64_t log_launch(std::uint32_t kind, int device, std::uint32_t stream, const char* name,
                         std::uint64_t bytes) noexcept;
/// The newest sequence number.
std::uint64_t log_sequence() noexcept;
std::uint64_t log_count(std::uint32_t kinds) noexcept;
std::uint64_t log_kept() noexcept;
bool log_read(std::uint64_t index, das_launch* out) noexcept;
void log_clear() noexcept;

/// What is to happen to one task; decided at submission, so that it does not depend on thread
/// timing.
struct FaultHit {
    int kind = 0; // das_fault_kind, 0 = nothing
    int id = 0;
    int code = 0;
    double value = 0;
    std::uint64_t random = 0;
};
/// What a fault may strike.
struct FaultTarget {
    std::uint32_t kind; // of task: DAS_KERNEL, DAS_COPY ..., or 0 for an allocation
    int device;
    const char* name;
    std::uint64_t bytes;
    std::uint32_t stream; // small id; 0: none
};
/// The first fault that strikes it.
FaultHit fault_for(const FaultTarget& target) noexcept;
int fault_add(const das_fault& f) noexcept;
bool fault_remove(int id) noexcept;
/// None left, and ids start anew: a run after it repeats one before it.
void fault_reset() noexcept;
bool fault_strikes(int id, std::uint64_t* strikes) noexcept;
/// Whether a fault's figures make sense; else the message says why not.
bool fault_valid(const das_fault& f) noexcept;
/// The faults that a text describes for this vendor (the syntax of DEVICE_API_SIM_FAULTS), added
/// or only checked: how many, or DAS_INVALID with the message set and none added.
int fault_add_text(const char* text, int add) noexcept;
/// Those of the environment, once the devices are made: false, with the message, when it is wrong.
bool fault_add_environment() noexcept;

} // namespace device_api::engine
