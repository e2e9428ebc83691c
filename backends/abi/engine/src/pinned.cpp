// SPDX-License-Identifier: Apache-2.0
// Pinned host memory: allocated here or registered by the caller, so that it can be told from
// pageable memory.
#include <cstdlib>
#include <map>

#include "engine.hpp"
#include "memory.hpp"

namespace device_api::engine {
namespace {

struct Table {
    std::mutex mutex;
    std::map<std::uintptr_t, Pinned> ranges;
    std::uint64_t bytes = 0;
};
Table& table() {
    static auto* t = new Table;
    return *t;
}

bool overlaps(Table& t, std::uintptr_t p, std::size_t bytes) {
    auto it = t.ranges.lower_bound(p + bytes);
    return it != t.ranges.begin() && std::prev(it)->second.base + std::prev(it)->second.size > p;
}

Status drop(void* p, bool registered) {
    Table& t = table();
    {
        std::lock_guard<std::mutex> lock(t.mutex);
        auto it = t.ranges.find(reinterpret_cast<std::uintptr_t>(p));
        if (it == t.ranges.end() || it->second.registered != registered)
            return misuse(Rule::wild_free, Status::invalid_address,
                          "%s of %p, which is no live %s host memory",
                          registered ? "unregister" : "free", p,
                          registered ? "registered" : "pinned");
        races_free(it->second.id, it->second.base);
        t.bytes -= it->second.size;
        t.ranges.erase(it);
    }
    if (!registered) std::free(p);
    return Status::ok;
}

} // namespace

Status host_alloc(std::size_t bytes, void** out, std::size_t alignment) noexcept {
    if (Status s = alive(); s != Status::ok) return s;
    if (!out || !bytes || !alignment || (alignment & (alignment - 1)))
        return fail(Status::invalid_value,
                    "pinned allocation of %zu bytes, alignment %zu: a positive size, a power of "
                    "two and a place for the result are needed",
                    bytes, alignment);
    if (alignment < 64) alignment = 64;
    void* p = bytes > SIZE_MAX / 2
                  ? nullptr
                  : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!p)
        return fail(Status::out_of_memory, "the host has no %zu bytes for pinned memory", bytes);
    if (bytes <= (64u << 20)) poison(p, bytes); // beyond, it would only cost time
    Table& t = table();
    std::lock_guard<std::mutex> lock(t.mutex);
    const auto base = reinterpret_cast<std::uintptr_t>(p);
    t.ranges[base] = Pinned{next_allocation_id(), base, bytes, false, Site::here()};
    t.bytes += bytes;
    *out = p;
    return Status::ok;
}

Status host_free(void* p) noexcept {
    if (Status s = alive(); s != Status::ok) return s;
    return drop(p, false);
}

Status host_register(void* p, std::size_t bytes) noexcept {
    if (Status s = alive(); s != Status::ok) return s;
    const auto base = reinterpret_cast<std::uintptr_t>(p);
    if (!p || !bytes || device_of_address(base))
        return fail(Status::invalid_value,
                    "cannot pin %zu bytes at %p: host memory and a positive size are needed", bytes,
                    p);
    Table& t = table();
    std::lock_guard<std::mutex> lock(t.mutex);
    if (overlaps(t, base, bytes))
        return misuse(Rule::pinned_twice, Status::invalid_state,
                      "%zu bytes at %p overlap host memory that is pinned already", bytes, p);
    t.ranges[base] = Pinned{next_allocation_id(), base, bytes, true, Site::here()};
    t.bytes += bytes;
    return Status::ok;
}

Status host_unregister(void* p) noexcept {
    if (Status s = alive(); s != Status::ok) return s;
    return drop(p, true);
}

bool find_pinned(std::uintptr_t p, Pinned* out) noexcept {
    Table& t = table();
    std::lock_guard<std::mutex> lock(t.mutex);
    auto it = t.ranges.upper_bound(p);
    if (it == t.ranges.begin()) return false;
    --it;
    if (p >= it->second.base + it->second.size) return false;
    *out = it->second;
    return true;
}

void pinned_stats(std::uint64_t* bytes, std::uint64_t* count) noexcept {
    Table& t = table();
    std::lock_guard<std::mutex> lock(t.mutex);
    *bytes = t.bytes;
    *count = t.ranges.size();
}

std::vector<Pinned> pinned_live() {
    std::vector<Pinned> all;
    Table& t = table();
    std::lock_guard<std::mutex> lock(t.mutex);
    for (const auto& entry : t.ranges) all.push_back(entry.second);
    return all;
}

void pinned_release_all() noexcept {
    Table& t = table();
    std::lock_guard<std::mutex> lock(t.mutex);
    for (auto& [base, range] : t.ranges)
        if (!range.registered) std::free(reinterpret_cast<void*>(base));
    t.ranges.clear();
    t.bytes = 0;
}

Status pointer_info(const void* p, PointerInfo* out) noexcept {
    if (Status s = alive(); s != Status::ok) return s;
    if (!out) return fail(Status::invalid_value, "no place for the pointer's description");
    *out = PointerInfo{};
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    if (auto device = device_of_address(address)) {
        out->kind = PointerKind::device;
        out->device = device->index;
        if (AllocationPtr a = device->memory->find(address)) {
            out->base = a->base;
            out->size = a->size;
            out->live = true;
        }
        return Status::ok;
    }
    Pinned pinned;
    if (find_pinned(address, &pinned)) {
        out->kind = PointerKind::pinned_host;
        out->base = pinned.base;
        out->size = pinned.size;
        out->live = true;
    }
    return Status::ok;
}

} // namespace device_api::engine
