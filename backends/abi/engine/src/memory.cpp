// SPDX-License-Identifier: Apache-2.0
// Allocator of one device's memory. See memory.hpp.
#include "memory.hpp"

#include "device_api/simctl.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace device_api::engine {
namespace {

constexpr std::size_t granule = 64 << 10; // poisoned at first touch; a multiple of the page size
constexpr std::size_t dead_kept = 256;    // freed allocations that reports can tell of
constexpr std::size_t page = 4096;
constexpr std::size_t guard = 64; // at least so many bytes between two allocations

std::size_t round_up(std::size_t n, std::size_t to) {
    return (n + to - 1) / to * to;
}

} // namespace

void poison(void* p, std::size_t bytes) noexcept {
    // By the address, so that every aligned element sees the same pattern.
    auto* c = static_cast<unsigned char*>(p);
    const auto odd = reinterpret_cast<std::uintptr_t>(p) & 1;
    const unsigned char pair[2] = {poison_unit & 0xff, poison_unit >> 8};
    std::size_t i = 0;
    for (; i < bytes && i < 64; ++i) c[i] = pair[(i + odd) & 1];
    for (std::size_t n; i < bytes; i += n) { // double what is there; i is even here
        n = std::min(i, bytes - i);
        std::memcpy(c + i, c, n);
    }
}

std::uint64_t next_allocation_id() noexcept {
    static std::atomic<std::uint64_t> next{1};
    return next.fetch_add(1, std::memory_order_relaxed);
}

std::unique_ptr<DeviceMemory> DeviceMemory::create(std::uint64_t capacity, bool reach) noexcept {
    std::unique_ptr<DeviceMemory> m(new DeviceMemory);
    m->capacity_ = m->stats_.total = capacity;
    // Twice the capacity of addresses: an address comes back late, and fragments do not matter.
    m->range_ = round_up(capacity * 2 + (64u << 20), 2u << 20);
    m->file_ = memfd_create("simulated-device-memory", MFD_CLOEXEC);
    if (m->file_ < 0 || ftruncate(m->file_, static_cast<off_t>(m->range_)) != 0) {
        fail(Status::internal, "no memory file for a simulated device of %llu bytes: %s",
             static_cast<unsigned long long>(capacity), std::strerror(errno));
        return nullptr;
    }
    void* hidden =
        mmap(nullptr, m->range_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    void* shadow =
        mmap(nullptr, m->range_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, m->file_, 0);
    if (hidden != MAP_FAILED) m->base_ = reinterpret_cast<std::uintptr_t>(hidden);
    if (shadow != MAP_FAILED) m->shadow_ = static_cast<char*>(shadow);
    if (!m->base_ || !m->shadow_) {
        fail(Status::internal,
             "no address space for a simulated device of %llu bytes: %s; set a smaller memory",
             static_cast<unsigned long long>(capacity), std::strerror(errno));
        return nullptr;
    }
    madvise(hidden, m->range_, MADV_DONTFORK);
    madvise(shadow, m->range_, MADV_DONTFORK);
    madvise(shadow, m->range_, MADV_DONTDUMP);
    m->holes_[reach ? 1u << 20 : 0] = m->range_ - (reach ? 1u << 20 : 0);
    m->reach_ = reach; // and nothing that is not the device's lies close before its memory
    if (reach) m->key_ = pkey_alloc(0, PKEY_DISABLE_ACCESS);
    return m;
}

DeviceMemory::~DeviceMemory() {
    if (key_ >= 0) pkey_free(key_);
    if (base_) munmap(reinterpret_cast<void*>(base_), range_);
    if (shadow_) munmap(shadow_, range_);
    if (file_ >= 0) ::close(file_);
}

bool DeviceMemory::take_hole_from(std::size_t from, std::size_t to, std::size_t room,
                                  std::size_t alignment, std::size_t* offset) {
    auto it = holes_.upper_bound(from);
    if (it != holes_.begin()) --it;
    for (; it != holes_.end() && it->first < to; ++it) {
        const std::size_t start = it->first, end = start + it->second;
        const std::size_t at = round_up(std::max(start, from), alignment);
        if (at + room > end || at < start) continue;
        holes_.erase(it);
        if (at > start) holes_[start] = at - start;
        if (at + room < end) holes_[at + room] = end - at - room;
        *offset = at;
        cursor_ = at + room;
        return true;
    }
    return false;
}

bool DeviceMemory::take_hole(std::size_t room, std::size_t alignment, std::size_t* offset) {
    return take_hole_from(cursor_, range_, room, alignment, offset) ||
           take_hole_from(0, range_, room, alignment, offset);
}

Status DeviceMemory::allocate(std::size_t bytes, std::size_t alignment, std::size_t padding,
                              std::uintptr_t* out) {
    if (bytes > capacity_)
        return fail(Status::out_of_memory,
                    "out of device memory: %zu bytes asked for, the device has %llu", bytes,
                    static_cast<unsigned long long>(capacity_));
    auto a = std::make_shared<Allocation>();
    a->id = next_allocation_id();
    a->size = bytes;
    a->cost = round_up(bytes + padding, alignment);
    a->room = round_up(bytes + std::max(padding, guard), alignment);
    if (reach_) {
        const std::size_t pages = round_up(bytes, page);
        a->room = pages + page;
        a->lead = alignment <= page ? pages - round_up(bytes, alignment) : 0;
    }
    a->touched.resize((bytes + granule - 1) / granule);
    a->site = Site::here();
    if (checking(DAS_CHECK_SHADOW)) a->written.resize((bytes + 63) / 64);
    std::lock_guard<std::mutex> lock(mutex_);
    std::size_t offset = 0;
    if (stats_.used + a->cost > capacity_ ||
        !take_hole(a->room, reach_ ? std::max(alignment, page) : alignment, &offset))
        return fail(Status::out_of_memory,
                    "out of device memory: %zu bytes asked for, %llu of %llu are free (%llu live "
                    "allocations)",
                    bytes, static_cast<unsigned long long>(capacity_ - stats_.used),
                    static_cast<unsigned long long>(capacity_),
                    static_cast<unsigned long long>(stats_.live));
    a->base = base_ + offset + a->lead;
    if (reach_ && (key_ >= 0 || openers_) && !show(*a)) {
        const int why = errno;
        holes_[offset] = a->room;
        return fail(Status::out_of_memory,
                    "the host has no address mapping for %zu bytes: %s; raise vm.max_map_count",
                    bytes, std::strerror(why));
    }
    stats_.used += a->cost;
    stats_.peak = std::max(stats_.peak, stats_.used);
    ++stats_.live;
    ++stats_.allocations;
    live_[a->base] = a;
    *out = a->base;
    return Status::ok;
}

AllocationPtr DeviceMemory::find_locked(std::uintptr_t p) {
    auto it = live_.upper_bound(p);
    if (it == live_.begin()) return nullptr;
    --it;
    return p < it->second->base + it->second->size ? it->second : nullptr;
}

AllocationPtr DeviceMemory::find(std::uintptr_t p) {
    std::lock_guard<std::mutex> lock(mutex_);
    return find_locked(p);
}

std::string DeviceMemory::history_locked(std::uintptr_t p) {
    AllocationPtr a = find_locked(p);
    for (auto it = dead_.begin(); !a && it != dead_.end(); ++it)
        if (p >= (*it)->base && p < (*it)->base + (*it)->size) a = *it;
    if (!a) return "";
    std::string text = " (" + std::to_string(a->size) + " bytes, allocated " + a->site.text();
    if (a->freed) text += ", freed " + a->freed_at.text();
    return text + ")";
}

std::string DeviceMemory::history(std::uintptr_t p) {
    std::lock_guard<std::mutex> lock(mutex_);
    return history_locked(p);
}

std::vector<AllocationPtr> DeviceMemory::live() {
    std::vector<AllocationPtr> all;
    std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& entry : live_) all.push_back(entry.second);
    return all;
}

Status DeviceMemory::release(std::uintptr_t p) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto it = live_.find(p);
    if (it == live_.end()) {
        if (find_locked(p))
            return misuse(Rule::wild_free, Status::invalid_address,
                          "free of %p, which is inside an allocation and not its start%s",
                          reinterpret_cast<void*>(p), history_locked(p).c_str());
        const std::string before = history_locked(p);
        return misuse(before.empty() ? Rule::wild_free : Rule::double_free, Status::invalid_address,
                      "free of %p, which is not allocated (freed before, or never)%s",
                      reinterpret_cast<void*>(p), before.c_str());
    }
    AllocationPtr a = it->second;
    a->freed_at = Site::here();
    races_free(a->id, a->base);
    dead_.push_front(a);
    if (dead_.size() > dead_kept) dead_.pop_back();
    live_.erase(it);
    stats_.used -= a->cost;
    --stats_.live;
    a->freed = true;
    if (reach_) hide(*a);
    if (a->pins == 0) give_back(a);
    return Status::ok;
}

/// Make the address range free again and drop its pages; a later allocation there is poisoned anew.
void DeviceMemory::give_back(const AllocationPtr& a) {
    const std::size_t start = a->base - base_;
    const std::size_t first = round_up(start, 4096), last = (start + a->size) / 4096 * 4096;
    if (last > first && last - first >= granule)
        (void)fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                        static_cast<off_t>(first), static_cast<off_t>(last - first));
    std::size_t offset = start - a->lead, length = a->room;
    auto next = holes_.lower_bound(offset);
    if (next != holes_.end() && next->first == offset + length) {
        length += next->second;
        next = holes_.erase(next);
    }
    if (next != holes_.begin()) {
        auto before = std::prev(next);
        if (before->first + before->second == offset) {
            before->second += length;
            return;
        }
    }
    holes_[offset] = length;
}

void DeviceMemory::poison_untouched(Allocation& a, std::size_t from, std::size_t bytes) {
    if (!bytes) return;
    for (std::size_t g = from / granule; g <= (from + bytes - 1) / granule; ++g) {
        if (a.touched[g]) continue;
        a.touched[g] = true;
        const std::size_t start = g * granule;
        poison(shadow_ + (a.base - base_) + start, std::min(granule, a.size - start));
    }
}

void* DeviceMemory::pin(std::uintptr_t p, std::size_t bytes, AllocationPtr* out) {
    std::lock_guard<std::mutex> lock(mutex_);
    *out = find_locked(p);
    if (!*out || bytes > (*out)->base + (*out)->size - p) return nullptr;
    poison_untouched(**out, p - (*out)->base, bytes);
    ++(*out)->pins;
    return shadow_ + (p - base_);
}

void DeviceMemory::unpin(const AllocationPtr& a) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (--a->pins == 0 && a->freed) give_back(a);
}

MemoryStats DeviceMemory::stats() {
    std::lock_guard<std::mutex> lock(mutex_);
    return stats_;
}

} // namespace device_api::engine
