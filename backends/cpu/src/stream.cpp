// SPDX-License-Identifier: Apache-2.0
// Streams and events: work is done when the enqueueing call returns, so there is nothing to wait
// for. Two threads that use one stream are ordered by the host, which serialises their calls.
#include "stream.hpp"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

#include "device.hpp"
#include "pool.hpp"

struct dab_stream_s {
    int32_t device;
};

struct dab_event_s {
    uint32_t flags;
    std::atomic<int64_t> nanoseconds; // of the last record; 0 before the first
};

namespace device_api::cpu {
namespace {

constexpr uint64_t kParallelBytes = 8 << 20;
constexpr uint64_t kPart = 1 << 20;

int64_t now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return int64_t(t.tv_sec) * 1000000000 + t.tv_nsec;
}

template <class T>
da_status deliver(T* made, T** handle, const char* what) {
    if (!made) return fail(DA_OUT_OF_MEMORY, "free memory", "no memory for %s", what);
    *handle = made;
    return DA_OK;
}

} // namespace

da_status copy(dab_instance* self, dab_stream, void* target, const void* source, uint64_t bytes,
               dab_copy_kind) {
    if (bytes < kParallelBytes) {
        std::memmove(target, source, bytes);
        return DA_OK;
    }
    auto body = [&](int64_t part) {
        const uint64_t first = uint64_t(part) * kPart;
        std::memcpy(static_cast<char*>(target) + first, static_cast<const char*>(source) + first,
                    std::min(kPart, bytes - first));
    };
    parallel(self->threads, int64_t((bytes + kPart - 1) / kPart), body);
    return DA_OK;
}

da_status copy_peer(dab_instance* self, dab_stream stream, int32_t target_device, void* target,
                    int32_t source_device, const void* source, uint64_t bytes) {
    if (const da_status bad = check_device(target_device)) return bad;
    if (const da_status bad = check_device(source_device)) return bad;
    return copy(self, stream, target, source, bytes, DAB_DEVICE_TO_DEVICE);
}

da_status fill(dab_instance*, dab_stream, void* target, uint8_t value, uint64_t bytes) {
    std::memset(target, value, bytes);
    return DA_OK;
}

da_status stream_create(dab_instance*, int32_t device, int32_t, dab_stream* stream) {
    if (const da_status bad = check_device(device)) return bad;
    return deliver(new (std::nothrow) dab_stream_s{device}, stream, "a stream");
}

da_status stream_destroy(dab_instance*, dab_stream stream) {
    delete stream;
    return DA_OK;
}

da_status stream_synchronize(dab_instance*, dab_stream, int32_t) {
    return DA_OK;
}
da_status stream_query(dab_instance*, dab_stream) {
    return DA_OK;
}
da_status stream_wait_event(dab_instance*, dab_stream, dab_event) {
    return DA_OK;
}

da_status stream_callback(dab_instance*, dab_stream, void (*fn)(void*), void* data) {
    fn(data);
    return DA_OK;
}

da_status event_create(dab_instance*, int32_t device, uint32_t flags, dab_event* event) {
    if (const da_status bad = check_device(device)) return bad;
    return deliver(new (std::nothrow) dab_event_s{flags, {0}}, event, "an event");
}

da_status event_destroy(dab_instance*, dab_event event) {
    delete event;
    return DA_OK;
}

da_status event_record(dab_instance*, dab_event event, dab_stream) {
    event->nanoseconds.store(now());
    return DA_OK;
}

da_status event_query(dab_instance*, dab_event) {
    return DA_OK;
}
da_status event_synchronize(dab_instance*, dab_event, int32_t) {
    return DA_OK;
}

da_status event_elapsed(dab_instance*, dab_event start, dab_event end, float* milliseconds) {
    if (!(start->flags & end->flags & DAB_EVENT_TIMING))
        return fail(DA_INVALID_ARGUMENT, "create both events with DAB_EVENT_TIMING",
                    "the time between events that do not measure time");
    const int64_t from = start->nanoseconds.load(), to = end->nanoseconds.load();
    if (from == 0 || to == 0)
        return fail(DA_INVALID_ARGUMENT, "record both events first",
                    "the time between events of which one was never recorded");
    *milliseconds = float(double(to - from) * 1e-6);
    return DA_OK;
}

} // namespace device_api::cpu
