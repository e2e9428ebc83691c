// SPDX-License-Identifier: Apache-2.0
// Events: each recording is an object of its own, so that recording again does not disturb who
// waits for the last one.
#include <chrono>
#include <cstring>

#include "stream.hpp"

namespace device_api::engine {
namespace {

struct Event {
    std::mutex mutex;
    EventRecordPtr record; // the newest; null: never recorded
};
using EventPtr = std::shared_ptr<Event>;

Status newest(Handle h, EventRecordPtr* out) {
    EventPtr e;
    if (Status s = handle_get(kind_event, h, &e); s != Status::ok) return s;
    std::lock_guard<std::mutex> lock(e->mutex);
    *out = e->record;
    return Status::ok;
}

void demand(const EventRecordPtr& r) {
    if (StreamPtr s = r->stream.lock()) s->demand(r->number);
}

Status finished_time(Handle h, const char* which, double* ns) {
    EventRecordPtr r;
    if (Status s = newest(h, &r); s != Status::ok) return s;
    if (!r) return fail(Status::invalid_state, "the %s event was never recorded", which);
    demand(r);
    std::lock_guard<std::mutex> lock(r->mutex);
    if (!r->done)
        return fail(Status::not_ready, "the %s event has not been reached by its stream", which);
    *ns = r->time_ns;
    races_host_knows(r->stream_id, r->number);
    return Status::ok;
}

} // namespace

void complete(const EventRecordPtr& r, double time_ns) {
    std::lock_guard<std::mutex> lock(r->mutex);
    r->time_ns = time_ns;
    r->done = true;
    r->changed.notify_all();
}

Status event_create(Handle* out) noexcept {
    if (Status s = alive(); s != Status::ok) return s;
    if (!out) return fail(Status::invalid_value, "no place for the event's handle");
    const std::uint64_t limit = event_limit() * static_cast<std::uint64_t>(device_count());
    if (limit && handle_count(kind_event) >= limit)
        return fail(Status::out_of_resources, "all %llu events of the devices are in use",
                    static_cast<unsigned long long>(limit));
    *out = handle_create(kind_event, std::make_shared<Event>());
    return *out ? Status::ok : Status::out_of_resources;
}

Status event_destroy(Handle h) noexcept {
    return handle_take<Event>(kind_event, h, nullptr);
}

Status event_record(Handle h, Handle stream) noexcept {
    EventPtr e;
    StreamPtr s;
    if (Status why = handle_get(kind_event, h, &e); why != Status::ok) return why;
    if (Status why = find_stream(stream, &s); why != Status::ok) return why;
    QueuedTask t;
    std::strcpy(t.name, "event_record");
    t.kind = DAS_EVENT;
    t.record = std::make_shared<EventRecord>();
    t.record->stream = s;
    t.record->stream_id = s->id;
    EventRecordPtr r = t.record;
    wait_for_room(*s); // before the event's lock: a callback may ask for the event
    std::lock_guard<std::mutex> lock(e->mutex); // keeps the order of two threads' records
    Status why = submit(s, std::move(t));
    if (why == Status::ok) e->record = r;
    return why;
}

Status stream_wait_event(Handle stream, Handle h) noexcept {
    StreamPtr s;
    EventRecordPtr r;
    if (Status why = find_stream(stream, &s); why != Status::ok) return why;
    if (Status why = newest(h, &r); why != Status::ok) return why;
    if (!r) return Status::ok;
    QueuedTask t;
    std::strcpy(t.name, "event_wait");
    t.kind = DAS_EVENT;
    t.wait = r;
    return submit(s, std::move(t));
}

Status event_query(Handle h) noexcept {
    EventRecordPtr r;
    if (Status why = newest(h, &r); why != Status::ok) return why;
    if (!r) return Status::ok;
    {
        std::lock_guard<std::mutex> lock(r->mutex);
        if (r->done) {
            races_host_knows(r->stream_id, r->number);
            return Status::ok;
        }
    }
    if (StreamPtr s = r->stream.lock()) s->ask(r->number);
    return fail(Status::not_ready, "the event has not been reached by its stream");
}

Status event_recorded(Handle h, bool* recorded) noexcept {
    EventRecordPtr r;
    if (Status why = newest(h, &r); why != Status::ok) return why;
    *recorded = r != nullptr;
    return Status::ok;
}

Status event_synchronize(Handle h, int timeout_ms) noexcept {
    if (Status why = not_in_task("waiting for an event"); why != Status::ok) return why;
    EventRecordPtr r;
    if (Status why = newest(h, &r); why != Status::ok) return why;
    if (!r) return Status::ok;
    if (StreamPtr s = r->stream.lock()) others_first(*s);
    demand(r);
    HostWait waited;
    // In slices, so that process exit ends the wait.
    const auto deadline = std::chrono::steady_clock::now() +
                          std::chrono::milliseconds(timeout_ms < 0 ? 0 : timeout_ms);
    std::unique_lock<std::mutex> lock(r->mutex);
    while (!r->done) {
        if (Status s = alive(); s != Status::ok) return s;
        auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
        if (timeout_ms >= 0 && deadline < until) until = deadline;
        r->changed.wait_until(lock, until);
        if (!r->done && timeout_ms >= 0 && std::chrono::steady_clock::now() >= deadline)
            return fail(Status::timeout, "the event was not reached within %d ms", timeout_ms);
    }
    waited.until(r->time_ns);
    races_host_knows(r->stream_id, r->number);
    return Status::ok;
}

Status event_elapsed(Handle start, Handle end, double* ms) noexcept {
    double a = 0, b = 0;
    if (!ms) return fail(Status::invalid_value, "no place for the elapsed time");
    if (Status s = finished_time(start, "start", &a); s != Status::ok) return s;
    if (Status s = finished_time(end, "end", &b); s != Status::ok) return s;
    *ms = (b - a) * 1e-6;
    return Status::ok;
}

Status event_timestamp(Handle h, std::uint64_t* ns) noexcept {
    double t = 0;
    if (!ns) return fail(Status::invalid_value, "no place for the time");
    if (Status s = finished_time(h, "given", &t); s != Status::ok) return s;
    *ns = static_cast<std::uint64_t>(t);
    return Status::ok;
}

} // namespace device_api::engine
