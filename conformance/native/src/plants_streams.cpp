// SPDX-License-Identifier: Apache-2.0
// Defects of streams, events and callbacks.
#include <chrono>
#include <mutex>
#include <thread>

#include "rows.hpp"

namespace device_api::planted {

namespace {

struct Late {
    void (*fn)(void*);
    void* data;
};

std::mutex held; // a driver's lock that waits and callbacks take

void never(void*) {}

template <int How>
void elapsed(dab_backend& t) {
    if (!t.event_elapsed) return;
    t.event_elapsed = [](dab_instance* s, dab_event a, dab_event b, float* ms) {
        const da_status status = inner().event_elapsed(s, a, b, ms);
        if (status != DA_OK) return status;
        struck();
        if (How == 0) *ms = -*ms - 0.01f;
        if (How == 1) *ms *= 1000;
        if (How == 2) *ms = 0;
        if (How == 3 && *ms > 1) *ms = 1; // as if the host had not slept
        return status;
    };
}

const Plant rows[] = {
    member("S-synchronize-early", "waiting for a stream returns at once", "F03",
           [](dab_backend& t) {
               t.stream_synchronize = [](dab_instance*, dab_stream, std::int32_t) {
                   return struck(), DA_OK;
               };
           }),
    member("S-device-synchronize-early", "waiting for a device returns at once", "F03",
           [](dab_backend& t) {
               t.device_synchronize = [](dab_instance*, std::int32_t, std::int32_t) {
                   return struck(), DA_OK;
               };
           }),
    member("S-query-early", "a stream says at once that it is idle", "",
           [](dab_backend& t) {
               t.stream_query = [](dab_instance*, dab_stream) { return struck(), DA_OK; };
           }),
    member("S-event-query-early", "an event is said to be reached at once", "",
           [](dab_backend& t) {
               t.event_query = [](dab_instance*, dab_event) { return struck(), DA_OK; };
           }),
    member("S-event-query-never", "an event is never reached", "",
           [](dab_backend& t) {
               t.event_query = [](dab_instance*, dab_event) { return struck(), DA_NOT_READY; };
           }),
    member("S-event-synchronize-early", "waiting for an event returns at once", "",
           [](dab_backend& t) {
               t.event_synchronize = [](dab_instance*, dab_event, std::int32_t) {
                   return struck(), DA_OK;
               };
           }),
    member("S-wait-event-dropped", "a stream does not wait for an event", "S01",
           [](dab_backend& t) {
               t.stream_wait_event = [](dab_instance*, dab_stream, dab_event) {
                   return struck(), DA_OK;
               };
           }),
    member("S-record-first-only", "an event keeps its first record", "S12",
           [](dab_backend& t) {
               t.event_record = [](dab_instance* s, dab_event e, dab_stream q) {
                   static std::uint64_t seen = 0;
                   if (++seen % 2 == 0) return struck(), DA_OK;
                   return inner().event_record(s, e, q);
               };
           }),
    member("S-record-dropped", "an event is never recorded", "S12",
           [](dab_backend& t) {
               t.event_record = [](dab_instance*, dab_event, dab_stream) {
                   return struck(), DA_OK;
               };
           }),
    member("S-elapsed-negative", "the time between two events is negative", "S14", elapsed<0>),
    member("S-elapsed-microseconds", "the time between events is in microseconds", "", elapsed<1>),
    member("S-elapsed-zero", "the time between events is 0", "", elapsed<2>),
    member("S-elapsed-host-slept", "the time does not count while the host sleeps", "S13",
           elapsed<3>),
    member("S-callback-never", "a callback never comes", "",
           [](dab_backend& t) {
               t.stream_callback = [](dab_instance* s, dab_stream q, void (*)(void*), void*) {
                   struck();
                   return inner().stream_callback(s, q, never, nullptr);
               };
           }),
    member("S-callback-early", "a callback comes before the work", "",
           [](dab_backend& t) {
               t.stream_callback = [](dab_instance*, dab_stream, void (*fn)(void*), void* data) {
                   std::thread([=] { fn(data); }).detach();
                   return struck(), DA_OK;
               };
           }),
    member("S-callback-late", "the stream does not wait for a callback", "",
           [](dab_backend& t) {
               t.stream_callback = [](dab_instance* s, dab_stream q, void (*fn)(void*),
                                      void* data) {
                   struck();
                   return inner().stream_callback(
                       s, q,
                       [](void* p) {
                           std::thread([p] {
                               std::this_thread::sleep_for(std::chrono::milliseconds(300));
                               const auto* late = static_cast<Late*>(p);
                               late->fn(late->data);
                               delete late;
                           }).detach();
                       },
                       new Late{fn, data});
               };
           }),
    member("S-callback-deadlock", "a callback needs a lock that waiting holds", "F09",
           [](dab_backend& t) {
               t.stream_callback = [](dab_instance* s, dab_stream q, void (*fn)(void*),
                                      void* data) {
                   struck();
                   return inner().stream_callback(
                       s, q,
                       [](void* p) {
                           std::this_thread::sleep_for(std::chrono::milliseconds(100));
                           std::lock_guard<std::mutex> guard(held);
                           const auto* late = static_cast<Late*>(p);
                           late->fn(late->data);
                           delete late;
                       },
                       new Late{fn, data});
               };
               t.stream_synchronize = [](dab_instance* s, dab_stream q, std::int32_t) {
                   std::lock_guard<std::mutex> guard(held);
                   return inner().stream_synchronize(s, q, -1);
               };
           }),
    member("S-streams-are-one", "every stream is the first one", "",
           [](dab_backend& t) {
               t.stream_create = [](dab_instance* s, std::int32_t d, std::int32_t priority,
                                    dab_stream* q) {
                   static dab_stream kept = nullptr;
                   if (kept) return *q = kept, struck(), DA_OK;
                   const da_status status = inner().stream_create(s, d, priority, q);
                   kept = *q;
                   return status;
               };
               t.stream_destroy = [](dab_instance*, dab_stream) { return DA_OK; };
           }),
    member("S-synchronize-busy", "waiting for a stream fails now and then", "",
           [](dab_backend& t) {
               t.stream_synchronize = [](dab_instance* s, dab_stream q, std::int32_t ms) {
                   static std::uint64_t seen = 0;
                   const da_status status = inner().stream_synchronize(s, q, ms);
                   if (++seen % 50 != 0) return status;
                   return struck(), DA_BUSY;
               };
           }),
    member("S-order-side-stream", "a copy runs on a stream of its own", "S01",
           [](dab_backend& t) {
               t.copy = [](dab_instance* s, dab_stream q, void* to, const void* from,
                           std::uint64_t n, dab_copy_kind kind) {
                   static dab_stream side = nullptr;
                   if (!side && inner().stream_create(s, 0, 0, &side) != DA_OK) side = q;
                   struck();
                   const da_status status = inner().copy(s, side, to, from, n, kind);
                   return status == DA_OK ? inner().stream_synchronize(s, side, -1) : status;
               };
           }),
};

} // namespace

Table streams() {
    return {rows, std::size(rows)};
}

} // namespace device_api::planted
