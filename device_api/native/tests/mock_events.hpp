// SPDX-License-Identifier: Apache-2.0
// The mock backend with events that are reached when the test says so, and with pinned memory.
#pragma once

#include <set>

#include "mock_backend.hpp"

namespace mock {

// Marks that have not been reached; a wait for any stream reaches all of them.
struct Marks {
    std::set<dab_event> open;
    int alive = 0;
    uint64_t pinned = 0, pinned_limit = 16 << 20;
    std::map<void*, uint64_t> pages;
    da_status peer = DA_OK; // what copy_peer answers
    int peer_calls = 0;
};
inline Marks marks;

inline da_status event_create(dab_instance*, int32_t, uint32_t, dab_event* event) {
    *event = reinterpret_cast<dab_event>(new int);
    ++marks.alive;
    return DA_OK;
}
inline da_status event_destroy(dab_instance*, dab_event event) {
    marks.open.erase(event);
    --marks.alive;
    delete reinterpret_cast<int*>(event);
    return DA_OK;
}
inline da_status event_record(dab_instance*, dab_event event, dab_stream) {
    marks.open.insert(event);
    return DA_OK;
}
inline da_status event_query(dab_instance*, dab_event event) {
    return marks.open.count(event) ? DA_NOT_READY : DA_OK;
}
inline da_status event_synchronize(dab_instance*, dab_event event, int32_t) {
    marks.open.erase(event);
    return DA_OK;
}
inline da_status event_elapsed(dab_instance*, dab_event, dab_event, float* milliseconds) {
    *milliseconds = 0;
    return DA_OK;
}
inline da_status synchronize_all(dab_instance* self, dab_stream stream, int32_t timeout) {
    marks.open.clear();
    return stream_synchronize(self, stream, timeout);
}

inline da_status host_alloc(dab_instance*, int32_t, uint64_t bytes, void** address) {
    if (marks.pinned + bytes > marks.pinned_limit) return state.last = DA_OUT_OF_MEMORY;
    *address = std::malloc(bytes);
    marks.pages[*address] = bytes;
    marks.pinned += bytes;
    return DA_OK;
}
inline da_status host_free(dab_instance*, int32_t, void* address) {
    auto found = marks.pages.find(address);
    if (found == marks.pages.end()) std::abort(); // freed twice, or never allocated
    marks.pinned -= found->second;
    marks.pages.erase(found);
    std::free(address);
    return DA_OK;
}

inline da_status copy_peer(dab_instance*, dab_stream, int32_t, void* target, int32_t,
                           const void* source, uint64_t bytes) {
    ++marks.peer_calls;
    if (marks.peer) return state.last = marks.peer;
    std::memcpy(target, source, bytes);
    return DA_OK;
}

inline const dab_backend* table_with_events() {
    static dab_backend t = *table();
    t.event_create = event_create;
    t.event_destroy = event_destroy;
    t.event_record = event_record;
    t.event_query = event_query;
    t.event_synchronize = event_synchronize;
    t.event_elapsed = event_elapsed;
    t.stream_synchronize = synchronize_all;
    t.host_alloc = host_alloc;
    t.host_free = host_free;
    t.copy_peer = copy_peer;
    return &t;
}

} // namespace mock
