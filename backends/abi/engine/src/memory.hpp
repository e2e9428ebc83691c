// SPDX-License-Identifier: Apache-2.0
// Memory of one device: a sparse memory file, the no-access range whose addresses are handed out,
// and the engine's mapping.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "checks.hpp"
#include "device_api/engine/status.hpp"

namespace device_api::engine {

struct Allocation {
    std::uint64_t id = 0;
    std::uintptr_t base = 0;
    std::size_t size = 0; // as asked for
    std::size_t room = 0; // address space taken, guard gap included
    std::size_t lead = 0; // of it before base
    std::size_t cost = 0; // what it counts for
    std::vector<bool>
        touched; // granules that hold data or poison; the others are poisoned at first use
    std::vector<std::uint64_t> written; // a bit for each byte, with DAS_CHECK_SHADOW
    Site site, freed_at;
    int pins = 0; // tasks that are using it now
    std::atomic<bool> freed{false};
};
using AllocationPtr = std::shared_ptr<Allocation>;

struct MemoryStats {
    std::uint64_t total = 0, used = 0, peak = 0, live = 0, allocations = 0;
};

class DeviceMemory {
  public:
    /// Null when the address space cannot be had (message set). `reach`: kernels will use the
    /// addresses themselves, see open(); then each allocation has pages of its own and ends with
    /// them.
    static std::unique_ptr<DeviceMemory> create(std::uint64_t capacity,
                                                bool reach = false) noexcept;
    ~DeviceMemory();

    Status allocate(std::size_t bytes, std::size_t alignment, std::size_t padding,
                    std::uintptr_t* out);
    Status release(std::uintptr_t p);
    bool owns(std::uintptr_t p) const { return p >= base_ && p < base_ + range_; }
    /// The live allocation that holds p; null when none.
    AllocationPtr find(std::uintptr_t p);
    /// Host view of [p, p + bytes) inside one live allocation, which is pinned until unpin(): its
    /// memory is not reused before. Null when not inside; *out says which allocation p is in, if
    /// any.
    void* pin(std::uintptr_t p, std::size_t bytes, AllocationPtr* out);
    void unpin(const AllocationPtr& a);
    /// From open() to close() the calling thread can use the addresses of live allocations (where
    /// the processor has no protection keys, every thread can). Calls are nested.
    void open() noexcept;
    void close() noexcept;
    /// Poison what nobody has used yet of the allocation that p is in, which is pinned until
    /// unpin(); null when it is in none.
    AllocationPtr touch(std::uintptr_t p);
    /// What p was and is, for reports: " (allocated ..., freed ...)"; "" when nothing is known.
    std::string history(std::uintptr_t p);
    std::vector<AllocationPtr> live();
    MemoryStats stats();

  private:
    DeviceMemory() = default;
    AllocationPtr find_locked(std::uintptr_t p);
    std::string history_locked(std::uintptr_t p);
    bool take_hole(std::size_t room, std::size_t alignment, std::size_t* offset);
    bool take_hole_from(std::size_t from, std::size_t to, std::size_t room, std::size_t alignment,
                        std::size_t* offset);
    void give_back(const AllocationPtr& a);
    bool show(const Allocation& a);
    void hide(const Allocation& a);
    void poison_untouched(Allocation& a, std::size_t from, std::size_t bytes);

    std::mutex mutex_;
    std::map<std::uintptr_t, AllocationPtr> live_;
    std::deque<AllocationPtr> dead_;           // the newest that were freed, newest first
    std::map<std::size_t, std::size_t> holes_; // offset -> length
    std::size_t cursor_ = 0; // next fit: an address is handed out again as late as can be
    std::uint64_t capacity_ = 0;
    std::size_t range_ = 0;
    std::uintptr_t base_ = 0; // what the host gets, no access
    char* shadow_ = nullptr;  // what the engine uses
    int file_ = -1;
    MemoryStats stats_;
    bool reach_ = false;
    int key_ = -1;    // of the processor, for the addresses; -1: it has none
    int openers_ = 0; // without a key: calls of open() in force
};

/// Every 16-bit unit of fresh memory: a NaN in each floating dtype, a large negative integer, never
/// a valid bool.
constexpr std::uint16_t poison_unit = 0xfff1;
void poison(void* p, std::size_t bytes) noexcept;
/// A number for each allocation ever made, device or pinned.
std::uint64_t next_allocation_id() noexcept;

/// DeviceMemory::history of the device that the address belongs to.
std::string history_of(std::uintptr_t p);

// pinned host memory (pinned.cpp)
struct Pinned {
    std::uint64_t id = 0;
    std::uintptr_t base = 0;
    std::size_t size = 0;
    bool registered = false; // the caller's memory
    Site site;
};
bool find_pinned(std::uintptr_t p, Pinned* out) noexcept;
void pinned_stats(std::uint64_t* bytes, std::uint64_t* count) noexcept;
void pinned_release_all() noexcept;
std::vector<Pinned> pinned_live();

} // namespace device_api::engine
