// SPDX-License-Identifier: Apache-2.0
// Copies in pieces, written bytes, and host buffers that change too early.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "copy.hpp"

namespace device_api::engine {

void move_bytes(TaskContext& ctx, char* to, const char* from, std::size_t bytes,
                std::uint64_t random) {
    const bool overlapping = to < from + bytes && from < to + bytes;
    if (current_schedule().strategy != DAS_SPLIT || !ctx.state()->stream || overlapping ||
        bytes < 16) {
        std::memmove(to, from, bytes);
        return;
    }
    const std::size_t pieces = 2 + random % 4, each = (bytes + pieces - 1) / pieces;
    const std::size_t first = (random >> 8) % pieces;
    for (std::size_t i = 0; i < pieces; ++i) {
        const std::size_t at = std::min(bytes, (first + i) % pieces * each);
        std::memcpy(to + at, from + at, std::min(each, bytes - at));
        std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
}

void shadow_row(const Copy& c, std::size_t y) {
    const std::uintptr_t to = c.to.at + y * c.to.pitch, from = c.from.at + y * c.from.pitch;
    if (c.to.on_device() && c.from.on_device())
        shadow_copy(to, from, c.width);
    else if (c.to.on_device())
        shadow_mark(to, c.width);
    else if (c.from.on_device())
        shadow_check(from, c.width);
}

static std::uint64_t hash_of(const Copy& c) {
    std::uint64_t h = 14695981039346656037u;
    for (std::size_t y = 0; y < c.height; ++y) {
        const auto* row = reinterpret_cast<const unsigned char*>(c.from.at) + y * c.from.pitch;
        for (std::size_t i = 0; i < c.width; ++i) h = (h ^ row[i]) * 1099511628211u;
    }
    return h;
}

std::uint64_t promised(const Copy& c) {
    if (!checking(DAS_CHECK_HOST) || !c.to.on_device() || c.from.kind != PointerKind::pinned_host)
        return 0;
    for (const auto& d : all_devices())
        for (const StreamPtr& s : streams_of(*d)) {
            std::lock_guard<std::mutex> lock(s->mutex);
            if (s->host_writers) return 0;
        }
    return hash_of(c) | 1;
}

void check_promise(const Copy& c, std::uint64_t hash) {
    Range now;
    if (!hash || !watch(c.from.at, c.from.at + 1, Access::read, &now) ||
        now.allocation != c.from.range.allocation || (hash_of(c) | 1) == hash)
        return;
    misuse(Rule::host_buffer_changed, Status::invalid_state,
           "the host buffer %p changed after its copy was queued and before it ran: wait for the "
           "copy, or use another buffer",
           reinterpret_cast<void*>(c.from.at));
}

} // namespace device_api::engine
