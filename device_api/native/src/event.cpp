// SPDX-License-Identifier: Apache-2.0
// Events; where a plugin has none, the stream is waited for and the host's clock is read.
#include <chrono>

#include "error.hpp"
#include "stream.hpp"
#include "waiting.hpp"

using namespace device_api::core;

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

da_status usable(const dah_event* event) {
    if (event->device->gone) return fail_gone(*event->device);
    if (!event->device->forked) return DA_OK;
    return fail(DA_FORKED, "the event belongs to the parent process",
                "start worker processes with multiprocessing.get_context('spawn')");
}

da_status result(const dah_event& event, da_status status, const char* doing) {
    if (status == DA_OK || status == DA_NOT_READY || status == DA_TIMEOUT) return status;
    return fail_vendor(*event.device->backend, event.device, status, doing);
}

// Of a question whether the event has passed: a failure is that of the work before it.
da_status passed(Device& device, da_status status) {
    if (status == DA_OK || status == DA_NOT_READY) return status;
    if (status == DA_TIMEOUT) return fail_timeout(device);
    return fail_late(device, status);
}

} // namespace

da_status dah_event_create(dah_device handle, uint32_t flags, dah_event** out) {
    Device* device = open_device(handle);
    if (!device) return last_status();
    auto event = std::make_unique<dah_event>();
    event->device = device;
    event->flags = flags;
    event->handle = nullptr;
    if (device->api().event_create) {
        da_status status =
            device->api().event_create(device->self(), device->index, flags, &event->handle);
        if (status) return fail_vendor(*device->backend, device, status, "creating an event");
    }
    *out = event.release();
    return DA_OK;
}

void dah_event_destroy(dah_event* event) {
    Device& device = *event->device;
    if (event->handle && !device.forked && !is_shut_down()) {
        device.api().event_destroy(device.self(), event->handle);
    }
    delete event;
}

dah_device dah_event_device(const dah_event* event) {
    return event->device->handle;
}

da_status dah_event_record(dah_event* event, dah_stream* stream) {
    if (da_status status = usable(event)) return status;
    if (stream->device != event->device) {
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_DEVICE_MISMATCH,
                    "an event of " + event->device->name() + " cannot be recorded on a stream of " +
                        stream->device->name(),
                    "create the event on the stream's device");
    }
    Device& device = *event->device;
    if (event->handle) {
        da_status status = device.api().event_record(device.self(), event->handle, stream->handle);
        if (status) return result(*event, status, "recording an event");
    } else {
        if (da_status status = synchronize(*stream)) return status;
        event->host_time = now();
    }
    event->recorded = true;
    return DA_OK;
}

da_status dah_event_query(dah_event* event) {
    if (da_status status = usable(event)) return status;
    Device& device = *event->device;
    if (!event->handle) return DA_OK;
    return passed(device, device.api().event_query(device.self(), event->handle));
}

da_status dah_event_synchronize(dah_event* event, int32_t timeout_ms) {
    if (da_status status = usable(event)) return status;
    Device& device = *event->device;
    if (!event->handle) return DA_OK;
    da_status status;
    {
        const Waiting waiting;
        status = device.api().event_synchronize(device.self(), event->handle, timeout_ms);
    }
    return passed(device, status);
}

da_status dah_event_elapsed(dah_event* start, dah_event* end, double* milliseconds) {
    if (da_status status = usable(start)) return status;
    if (start->device != end->device) {
        return fail(
            DA_INVALID_ARGUMENT, DAH_ERROR_DEVICE_MISMATCH,
            "the two events belong to different devices, whose clocks have nothing in common",
            "record both on streams of one device, or take the host's time after "
            "synchronize() on each");
    }
    if (!(start->flags & end->flags & DAB_EVENT_TIMING)) {
        return fail(DA_INVALID_ARGUMENT, "an event was created without timing",
                    "create both with Event(enable_timing=True)");
    }
    if (!start->recorded || !end->recorded) {
        return fail(DA_INVALID_ARGUMENT, "an event has not been recorded",
                    "call record() on both events first");
    }
    Device& device = *start->device;
    if (!start->handle) {
        *milliseconds = (end->host_time - start->host_time) * 1e3;
        return DA_OK;
    }
    float elapsed = 0;
    da_status status =
        device.api().event_elapsed(device.self(), start->handle, end->handle, &elapsed);
    if (status == DA_NOT_READY) {
        return fail(DA_NOT_READY, "the work before an event is not finished",
                    "call synchronize() on the later event first");
    }
    *milliseconds = elapsed;
    return result(*start, status, "reading the time between events");
}
