// SPDX-License-Identifier: Apache-2.0
// Streams and events.
#include <algorithm>
#include <memory>

#include "instance.hpp"
#include "wait.hpp"

namespace device_api::simt {
namespace {

void forget(Device& device, Handle stream) {
    const std::lock_guard<std::mutex> guard(device.streams_lock);
    const auto found = std::find(device.streams.begin(), device.streams.end(), stream);
    if (found != device.streams.end()) device.streams.erase(found);
}

} // namespace

da_status stream_create(Instance& self, std::int32_t device, std::int32_t priority,
                        dab_stream* stream) {
    if (const da_status status = use_device(self, device)) return status;
    auto made = std::make_unique<dab_stream_s>();
    made->device = device;
    made->generation = device_of(self, device).generation.load();
    if (const da_status status = self.parts.driver->stream_create(priority, &made->raw))
        return status;
    Device& d = device_of(self, device);
    const std::lock_guard<std::mutex> guard(d.streams_lock);
    d.streams.push_back(made->raw);
    *stream = made.release();
    return DA_OK;
}

da_status stream_destroy(Instance& self, dab_stream stream) {
    const std::unique_ptr<dab_stream_s> owned(stream);
    if (lost(self, stream->device, stream->generation)) return DA_OK; // the reset took it
    if (const da_status status = use(self, *stream)) return status;
    if (self.parts.blas) self.parts.blas->stream_gone(stream->raw);
    forget(device_of(self, stream->device), stream->raw);
    return self.parts.driver->stream_destroy(stream->raw);
}

da_status stream_synchronize(Instance& self, dab_stream stream, std::int32_t timeout_ms) {
    if (const da_status status = use(self, *stream)) return status;
    Driver& driver = *self.parts.driver;
    if (timeout_ms < 0) return driver.stream_synchronize(stream->raw);
    return wait_with_limit(timeout_ms, "the stream's work", [&] {
        return lost(self, stream->device, stream->generation) ? use(self, *stream)
                                                              : driver.stream_query(stream->raw);
    });
}

da_status stream_query(Instance& self, dab_stream stream) {
    if (const da_status status = use(self, *stream)) return status;
    return self.parts.driver->stream_query(stream->raw);
}

da_status stream_wait_event(Instance& self, dab_stream stream, dab_event event) {
    if (const da_status status = use(self, *stream)) return status;
    if (!event->recorded.load(std::memory_order_acquire)) return DA_OK;
    if (lost(self, event->device, event->generation)) return use(self, *event);
    return self.parts.driver->stream_wait(stream->raw, event->raw);
}

da_status stream_callback(Instance& self, dab_stream stream, void (*fn)(void*), void* data) {
    if (const da_status status = use(self, *stream)) return status;
    return self.parts.driver->stream_callback(stream->raw, fn, data);
}

da_status event_create(Instance& self, std::int32_t device, std::uint32_t flags, dab_event* event) {
    if (const da_status status = use_device(self, device)) return status;
    auto made = std::make_unique<dab_event_s>();
    made->device = device;
    made->generation = device_of(self, device).generation.load();
    made->timing = (flags & DAB_EVENT_TIMING) != 0;
    if (const da_status status = self.parts.driver->event_create(made->timing, &made->raw))
        return status;
    *event = made.release();
    return DA_OK;
}

da_status event_destroy(Instance& self, dab_event event) {
    const std::unique_ptr<dab_event_s> owned(event);
    if (lost(self, event->device, event->generation)) return DA_OK; // the reset took it
    if (const da_status status = use(self, *event)) return status;
    return self.parts.driver->event_destroy(event->raw);
}

da_status event_record(Instance& self, dab_event event, dab_stream stream) {
    if (event->device != stream->device)
        return fail(DA_INVALID_ARGUMENT, "record it on a stream of its own device",
                    "an event of device %d cannot be recorded on a stream of device %d",
                    event->device, stream->device);
    if (const da_status status = use(self, *event)) return status;
    if (const da_status status = self.parts.driver->event_record(event->raw, stream->raw))
        return status;
    event->recorded.store(true, std::memory_order_release);
    return DA_OK;
}

da_status event_query(Instance& self, dab_event event) {
    if (const da_status status = use(self, *event)) return status;
    if (!event->recorded.load(std::memory_order_acquire)) return DA_OK;
    return self.parts.driver->event_query(event->raw);
}

da_status event_synchronize(Instance& self, dab_event event, std::int32_t timeout_ms) {
    if (const da_status status = use(self, *event)) return status;
    if (!event->recorded.load(std::memory_order_acquire)) return DA_OK;
    Driver& driver = *self.parts.driver;
    if (timeout_ms < 0) return driver.event_synchronize(event->raw);
    return wait_with_limit(timeout_ms, "the event", [&] {
        return lost(self, event->device, event->generation) ? use(self, *event)
                                                            : driver.event_query(event->raw);
    });
}

da_status event_elapsed(Instance& self, dab_event start, dab_event end, float* milliseconds) {
    for (const dab_event_s* event : {start, end})
        if (!event->timing || !event->recorded.load(std::memory_order_acquire))
            return fail(DA_INVALID_ARGUMENT, "create events with timing and record both",
                        "elapsed time needs two recorded events that were made for timing");
    if (start->device != end->device)
        return fail(DA_INVALID_ARGUMENT, nullptr,
                    "events of device %d and device %d share no clock", start->device, end->device);
    for (dab_event event : {start, end})
        if (const da_status status = event_query(self, event)) return status;
    return self.parts.driver->event_elapsed(start->raw, end->raw, milliseconds);
}

} // namespace device_api::simt
