// SPDX-License-Identifier: Apache-2.0
// The table behind opaque handles. Layout of a handle, from the top: 16 bits tag of this engine (a
// non-canonical address), 8 bits kind, 20 bits generation, 20 bits slot.
#include <unistd.h>

#include <cstring>
#include <ctime>

#include "engine.hpp"
#include "leaks.hpp"

namespace device_api::engine {
namespace {

constexpr std::uint32_t slot_bits = 20, slot_mask = (1u << slot_bits) - 1,
                        max_slots = 1u << slot_bits;

struct Slot {
    std::shared_ptr<void> object;
    std::uint32_t generation = 0, kind = 0;
};

struct Table {
    std::mutex mutex;
    std::deque<Slot> slots;
    std::deque<std::uint32_t> free; // oldest first, so that a slot is reused as late as can be
    std::array<std::uint64_t, 256> live{};
    std::array<const char*, 256> names{};
    std::uint64_t tag;

    Table() {
        names[kind_stream] = "stream";
        names[kind_event] = "event";
        names[kind_comm] = "communicator";
        // Differs between the engines of a process (addresses) and between processes.
        std::uint64_t salt =
            mix(reinterpret_cast<std::uintptr_t>(this) ^ (std::uint64_t(getpid()) << 40) ^
                std::uint64_t(std::time(nullptr)));
        tag = 0x4000 + (salt & 0x7fff); // 0x4000..0xbfff: no such address exists
    }
    const char* name(std::uint32_t kind) const {
        return kind < names.size() && names[kind] ? names[kind] : "object";
    }
};

Table& table() {
    static auto* t = new Table;
    return *t;
}

Status refuse(const Table& t, std::uint32_t kind, std::uint64_t bits, const Slot* slot) {
    void* h = reinterpret_cast<void*>(bits);
    const std::uint64_t tag = bits >> 48;
    const std::uint32_t was = (bits >> 40) & 0xff;
    if (!bits)
        return misuse(Rule::null_handle, Status::invalid_handle, "a null %s handle was given",
                      t.name(kind));
    if (tag != t.tag)
        return misuse(Rule::wrong_handle, Status::invalid_handle, "%p is not a %s handle: %s", h,
                      t.name(kind),
                      tag >= 0x4000 && tag < 0xc000
                          ? "it comes from another simulated vendor or is garbage"
                          : "it is an address, or a handle of something else");
    if (was != kind)
        return misuse(Rule::wrong_handle, Status::invalid_handle,
                      "%p is a handle of kind %s, not %s", h, t.name(was), t.name(kind));
    return misuse(Rule::dead_handle, Status::invalid_handle, "%s %p %s", t.name(kind), h,
                  slot ? "was destroyed before this use" : "never existed");
}

} // namespace

void handle_kind_name(std::uint32_t kind, const char* name) noexcept {
    Table& t = table();
    std::lock_guard<std::mutex> lock(t.mutex);
    if (kind < t.names.size()) t.names[kind] = name;
}

namespace detail {

Handle handle_add(std::uint32_t kind, std::shared_ptr<void> object) noexcept {
    Table& t = table();
    std::lock_guard<std::mutex> lock(t.mutex);
    std::uint32_t index;
    if (t.slots.size() < max_slots && t.free.size() < 1024) { // keep dead slots dead for a while
        index = static_cast<std::uint32_t>(t.slots.size());
        t.slots.emplace_back();
    } else if (!t.free.empty()) {
        index = t.free.front();
        t.free.pop_front();
    } else {
        fail(Status::out_of_resources, "more than %u live handles", max_slots);
        return nullptr;
    }
    Slot& s = t.slots[index];
    s.generation = (s.generation + 1) & slot_mask;
    if (!s.generation) s.generation = 1;
    s.kind = kind;
    s.object = std::move(object);
    ++t.live[kind & 0xff];
    return reinterpret_cast<Handle>((t.tag << 48) | (std::uint64_t(kind & 0xff) << 40) |
                                    (std::uint64_t(s.generation) << slot_bits) | index);
}

Status handle_get(std::uint32_t kind, Handle h, std::shared_ptr<void>* out, bool take) noexcept {
    if (Status s = alive(); s != Status::ok) return s;
    Table& t = table();
    const auto bits = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(h));
    std::lock_guard<std::mutex> lock(t.mutex);
    const std::uint32_t index = bits & slot_mask, generation = (bits >> slot_bits) & slot_mask;
    Slot* slot = index < t.slots.size() ? &t.slots[index] : nullptr;
    if ((bits >> 48) != t.tag || ((bits >> 40) & 0xff) != kind || !slot ||
        slot->generation != generation || !slot->object)
        return refuse(t, kind, bits, slot);
    if (!take) {
        *out = slot->object;
        return Status::ok;
    }
    *out = std::move(slot->object);
    slot->object.reset();
    --t.live[kind & 0xff];
    t.free.push_back(index);
    return Status::ok;
}

} // namespace detail

std::uint64_t handle_count(std::uint32_t kind) noexcept {
    Table& t = table();
    std::lock_guard<std::mutex> lock(t.mutex);
    return kind < t.live.size() ? t.live[kind] : 0;
}

std::int64_t handle_count_named(const char* kind) noexcept {
    Table& t = table();
    std::lock_guard<std::mutex> lock(t.mutex);
    for (std::size_t k = 0; k < t.names.size(); ++k)
        if (t.names[k] && !std::strcmp(t.names[k], kind))
            return static_cast<std::int64_t>(t.live[k]);
    return -1;
}

std::vector<std::pair<std::string, std::uint64_t>> handle_counts() {
    std::vector<std::pair<std::string, std::uint64_t>> counts;
    Table& t = table();
    std::lock_guard<std::mutex> lock(t.mutex);
    for (std::size_t k = 0; k < t.live.size(); ++k)
        if (t.live[k]) counts.emplace_back(t.name(static_cast<std::uint32_t>(k)), t.live[k]);
    return counts;
}

void handle_drop_if(HandleFilter filter, const void* argument) noexcept {
    std::vector<std::shared_ptr<void>>
        dropped; // destroyed after the lock: destructors may use handles
    Table& t = table();
    std::lock_guard<std::mutex> lock(t.mutex);
    for (std::uint32_t i = 0; i < t.slots.size(); ++i) {
        Slot& s = t.slots[i];
        if (!s.object || !filter(s.kind, s.object.get(), argument)) continue;
        dropped.push_back(std::move(s.object));
        s.object.reset();
        --t.live[s.kind & 0xff];
        t.free.push_back(i);
    }
}

std::uint64_t mix(std::uint64_t x) noexcept {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

} // namespace device_api::engine
