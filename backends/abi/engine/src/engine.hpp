// SPDX-License-Identifier: Apache-2.0
// The engine's private state: one object per vendor engine library, never destroyed.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "device_api/engine/engine.hpp"
#include "device_api/simctl.h"
#include "sensors.hpp"

namespace device_api::engine {

class DeviceMemory;
struct Stream;

/// One simulated device. Replaced as a whole by the control table's reset().
struct Device {
    int index = 0;
    std::string name;
    std::unique_ptr<DeviceMemory> memory;
    std::atomic<bool> lost{false};
    Sensors sensors;
    std::mutex mutex; // of what follows
    std::string lost_reason;
    std::vector<std::weak_ptr<Stream>> streams;
    std::vector<bool> peers; // enabled from this device to that one

    ~Device();
};
using DevicePtrs = std::vector<std::shared_ptr<Device>>;

struct Schedule {
    int mode = DAS_ADVERSARIAL;
    std::uint32_t max_delay_us = 2000;
    std::uint64_t seed = 0;
    int strategy = DAS_MIXED; // never DAS_BY_SEED: that is resolved when it is set
};

/// As das_latency; 0: the chip's own.
struct Latency {
    double launch_us = 0, copy_gbps = 0, memory_gbps = 0, peer_gbps = 0, gflops = 0, realtime = 0;
};

struct Engine {
    std::mutex setup_mutex;          // serialises setup, first use and reset
    mutable std::shared_mutex mutex; // of the members up to the next remark
    Vendor vendor;
    bool vendor_set = false;
    das_setup setup{};
    bool ready = false; // devices exist
    DevicePtrs devices;
    Schedule schedule;
    Latency latency;

    std::atomic<std::uint32_t> next_stream{1};
    std::atomic<bool> exiting{false};
    std::atomic<SgemmHook> sgemm{nullptr};
};

Engine& engine() noexcept;

/// The device, after first-use set-up; null (and the message set) on error. `allow_lost`: for frees
/// and resets.
std::shared_ptr<Device> find_device(int index, Status* why, bool allow_lost = false) noexcept;
/// The device whose address range holds p; null when none.
std::shared_ptr<Device> device_of_address(std::uintptr_t p) noexcept;
DevicePtrs all_devices() noexcept;
Schedule current_schedule() noexcept;
/// With the chip's figures where the control table has set none.
Latency current_latency() noexcept;
std::uint64_t setup_seed() noexcept;

/// Nanoseconds of a monotonic clock since the engine's first use.
std::int64_t now_ns() noexcept;

// misuse report (status.cpp)
std::uint64_t misuse_count() noexcept;
bool misuse_read(std::uint64_t index, std::string* text) noexcept;
void misuse_clear() noexcept;

// handles (handle.cpp)
using HandleFilter = bool (*)(std::uint32_t kind, void* object, const void* argument);
void handle_drop_if(HandleFilter filter, const void* argument) noexcept;
std::int64_t handle_count_named(const char* kind) noexcept;

/// A small, good mixer for seeds (splitmix64's finaliser).
std::uint64_t mix(std::uint64_t x) noexcept;

} // namespace device_api::engine
