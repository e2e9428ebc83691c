// SPDX-License-Identifier: Apache-2.0
// Devices and memory of the simulated-chip engine.
//
// A device pointer is an address in a reserved no-access range: the host faults on it. Kernels and
// copies work on a second mapping of the same memory that only the engine knows. All calls are
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "device_api/engine/chip.hpp"
#include "device_api/engine/status.hpp"

extern "C" struct das_control;

namespace device_api::engine {

/// What a vendor library tells the engine once, before anything else (idempotent; first call wins).
struct Vendor {
    const char* name = "sim"; // "ascend"; in messages
    const char* device_name =
        "Simulated device"; // the control table's suffix is appended (default " (simulated)")
    int devices = 1;        // defaults, until the control table sets others
    std::uint64_t memory_bytes = 4ull << 30;
    std::size_t alignment = 64;   // of device allocations (64 or 512, a power of two)
    std::size_t padding = 0;      // bytes that each allocation costs beyond its size
    int max_streams = 1024;       // per device
    void (*on_reset)() = nullptr; // the control table reset the engine: drop vendor state
    // Chips as files (chip.hpp): the environment variable that names one, the usual one, and keys
    // of the vendor's own. Without a usual one: memory_bytes, and a chip of round figures.
    const char* chip_variable = nullptr;
    const char* chip_default = nullptr;
    const ChipKey* chip_keys = nullptr;
    std::size_t chip_key_count = 0;
    /// What only the vendor can see wrong in a chip, with the remedy; "" when all is well.
    std::string (*chip_mistake)(const Chip& chip) = nullptr;
    const char* type = "";      // of devices, "npu": what users call the vendor's faults by
    bool kernels_reach = false; // compiled kernels use device addresses as they are (simt.hpp)
    bool copies_cross = false;  // copies between devices need no peer access, unlike kernels
};
void vendor(const Vendor& v) noexcept;

/// The table that the vendor library's one non-vendor export, das_control_table(), returns.
const das_control* control_table() noexcept;

// ---- devices -----------------------------------------------------
int device_count() noexcept;                  // of this engine; 0 after fork or shutdown
const char* device_name(int device) noexcept; // "Ascend910B2 (simulated)"; "" for no such device
Status device_check(int device) noexcept;     // ok, invalid_device, device_lost, forked, shutdown
/// Wait for all streams of the device. timeout_ms < 0: forever. Returns the first deferred error of
/// any of them.
Status device_synchronize(int device, int timeout_ms = -1) noexcept;
/// Drop pending work, free all memory, streams and events of the device and heal it (device_lost,
/// hang).
Status device_reset(int device) noexcept;
/// Mark a device lost: pending work is abandoned with device_lost, calls fail until device_reset().
Status device_lose(int device, const char* reason) noexcept;

Status peer_can_access(int device, int peer, bool* can) noexcept;
Status peer_enable(int device,
                   int peer) noexcept; // one direction; invalid_state when already enabled
Status peer_disable(int device, int peer) noexcept; // invalid_state when not enabled
Status peer_enabled(int device, int peer, bool* enabled) noexcept;

// ---- device memory -----------------------------------------------
using DevicePtr = std::uintptr_t;

/// bytes > 0. alignment 0 = the vendor's. Fresh memory is poisoned (NaN in every floating dtype,
/// never zero).
Status mem_alloc(int device, std::size_t bytes, DevicePtr* out, std::size_t alignment = 0) noexcept;
/// Immediate, waits for nothing: work still queued on the memory fails with invalid_address (and is
/// a misuse).
Status mem_free(DevicePtr p) noexcept;
Status mem_info(int device, std::uint64_t* free_bytes, std::uint64_t* total_bytes) noexcept;

// ---- pinned host memory ------------------------------------------
Status host_alloc(std::size_t bytes, void** out, std::size_t alignment = 64) noexcept; // poisoned
Status host_free(void* p) noexcept;
Status host_register(void* p, std::size_t bytes) noexcept; // pin the caller's memory
Status host_unregister(void* p) noexcept;

// ---- what a pointer is -------------------------------------------
enum class PointerKind : int { pageable_host = 0, pinned_host = 1, device = 2 };
struct PointerInfo {
    PointerKind kind = PointerKind::pageable_host;
    int device = -1;         // device memory only
    std::uintptr_t base = 0; // of the live allocation; 0 for pageable host memory
    std::size_t size = 0;    // as asked for
    bool live = false;       // false for a device address that is in no live allocation
};
Status pointer_info(const void* p, PointerInfo* out) noexcept;

} // namespace device_api::engine
