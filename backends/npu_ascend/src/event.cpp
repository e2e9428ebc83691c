// SPDX-License-Identifier: Apache-2.0
// Events, of the kind that may be recorded again at will (aclrtCreateEventExWithFlag).
#include <algorithm>
#include <memory>

#include "instance.hpp"

namespace device_api::npu {

da_status event_create(Instance& self, std::int32_t device, std::uint32_t flags, dab_event* event) {
    if (const da_status status = use_device(self, device)) return status;
    auto made = std::make_unique<dab_event_s>();
    made->device = device;
    made->generation = self.devices[static_cast<std::size_t>(device)].generation.load();
    made->timing = (flags & DAB_EVENT_TIMING) != 0;
    NPU_TRY(self.cann, aclrtCreateEventExWithFlag, &made->raw,
            ACL_EVENT_TIME_LINE | ACL_EVENT_SYNC);
    *event = made.release();
    return DA_OK;
}

da_status event_destroy(Instance& self, dab_event event) {
    const std::unique_ptr<dab_event_s> owned(event);
    const Device& device = self.devices[static_cast<std::size_t>(event->device)];
    if (event->generation != device.generation.load()) return DA_OK; // the reset took it
    if (const da_status status = use(self, *event)) return status;
    NPU_TRY(self.cann, aclrtDestroyEvent, event->raw);
    return DA_OK;
}

da_status event_record(Instance& self, dab_event event, dab_stream stream) {
    if (event->device != stream->device)
        return fail(DA_INVALID_ARGUMENT, "record it on a stream of its own device",
                    "an event of NPU %d cannot be recorded on a stream of NPU %d", event->device,
                    stream->device);
    if (const da_status status = use(self, *event)) return status;
    NPU_TRY(self.cann, aclrtRecordEvent, event->raw, stream->raw);
    event->recorded.store(true, std::memory_order_release);
    return DA_OK;
}

da_status event_query(Instance& self, dab_event event) {
    if (const da_status status = use(self, *event)) return status;
    if (!event->recorded.load(std::memory_order_acquire)) return DA_OK;
    aclrtEventRecordedStatus state = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    NPU_TRY(self.cann, aclrtQueryEventStatus, event->raw, &state);
    return state == ACL_EVENT_RECORDED_STATUS_COMPLETE ? DA_OK : DA_NOT_READY;
}

da_status event_synchronize(Instance& self, dab_event event, std::int32_t timeout_ms) {
    if (timeout_ms == 0) { // not said anywhere what 0 means to CANN
        const da_status status = event_query(self, event);
        return status == DA_NOT_READY ? fail(DA_TIMEOUT, nullptr, "the event is not reached")
                                      : status;
    }
    if (const da_status status = use(self, *event)) return status;
    if (!event->recorded.load(std::memory_order_acquire)) return DA_OK;
    NPU_TRY(self.cann, aclrtSynchronizeEventWithTimeout, event->raw, std::max(timeout_ms, -1));
    return DA_OK;
}

da_status event_elapsed(Instance& self, dab_event start, dab_event end, float* milliseconds) {
    for (const dab_event_s* event : {start, end}) {
        if (!event->timing || !event->recorded.load(std::memory_order_acquire))
            return fail(DA_INVALID_ARGUMENT, "create events with timing and record both",
                        "elapsed time needs two recorded events that were made for timing");
    }
    if (start->device != end->device)
        return fail(DA_INVALID_ARGUMENT, nullptr, "events of NPU %d and NPU %d share no clock",
                    start->device, end->device);
    for (dab_event event : {start, end})
        if (const da_status status = event_query(self, event)) return status;
    float forward = 0;
    const int code = self.cann.aclrtEventElapsedTime(&forward, start->raw, end->raw);
    if (code == ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL) { // `end` was reached first
        NPU_TRY(self.cann, aclrtEventElapsedTime, &forward, end->raw, start->raw);
        forward = -forward;
    } else if (code != ACL_SUCCESS) {
        return vendor_fail(self.cann, code, "aclrtEventElapsedTime");
    }
    *milliseconds = forward;
    return DA_OK;
}

} // namespace device_api::npu
