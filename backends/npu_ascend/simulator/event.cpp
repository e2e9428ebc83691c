// SPDX-License-Identifier: Apache-2.0
// Events: the plain kind, the kind with flags, and the extended kind.
//
// Query numbering differs on purpose: aclrtQueryEventStatus has 1 for complete, the two others 0.
#include "call.hpp"

#include "state.hpp"

using namespace cann_sim;

namespace {

aclError create(Call& c, aclrtEvent* event, EventKind kind, std::uint32_t flags) {
    constexpr std::uint32_t known = ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS |
                                    ACL_EVENT_TIME_LINE | ACL_EVENT_EXTERNAL;
    if (!event) return c.fail(ACL_ERROR_INVALID_PARAM, "event is null");
    if (flags == 0 || (flags & ~known))
        return c.fail(ACL_ERROR_RT_PARAM_INVALID, "flag 0x%x is unknown", flags);
    Handle h = nullptr;
    const Status status = engine::event_create(&h);
    if (status == Status::out_of_resources)
        return c.fail(ACL_ERROR_RT_NO_EVENT_RESOURCE, "no more events");
    if (status != Status::ok) return c.engine(status);
    auto info = std::make_shared<EventInfo>();
    info->kind = kind;
    info->flags = flags;
    add_event_info(h, info);
    *event = h;
    return ACL_SUCCESS;
}

aclError find(Call& c, aclrtEvent event, std::shared_ptr<EventInfo>* out) {
    if (!event) return c.fail(ACL_ERROR_INVALID_PARAM, "event is null");
    const Status status = engine::event_query(event); // also tells a bad handle
    if (status != Status::ok && status != Status::not_ready) return c.engine(status);
    *out = event_info(event);
    return *out ? ACL_SUCCESS : c.fail(ACL_ERROR_RT_INVALID_HANDLE, "the event is destroyed");
}

// The older queries and the reset are refused on an extended event. (The code they return there is
// not documented; this one is a choice.)
aclError refuse_extended(Call& c, const EventInfo& info) {
    if (info.kind != EventKind::extended) return ACL_SUCCESS;
    return c.misuse(Rule::event_kind, ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                    "not for an event of aclrtCreateEventExWithFlag; use aclrtQueryEventStatus");
}

aclError older_query(Call& c, aclrtEvent event, int* status) {
    if (!status) return c.fail(ACL_ERROR_INVALID_PARAM, "status is null");
    std::shared_ptr<EventInfo> info;
    if (aclError error = find(c, event, &info)) return error;
    if (aclError error = refuse_extended(c, *info)) return error;
    const bool done = info->recorded && engine::event_query(event) == Status::ok;
    *status = done ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
    return ACL_SUCCESS;
}

aclError synchronize(Call& c, aclrtEvent event, int timeout) {
    if (timeout < -1) return c.fail(ACL_ERROR_RT_PARAM_INVALID, "timeout %d is below -1", timeout);
    std::shared_ptr<EventInfo> info;
    if (aclError error = find(c, event, &info)) return error;
    return c.deferred(engine::event_synchronize(event, timeout), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
}

// Both have a time line, are recorded and finished?
aclError check_timed(Call& c, aclrtEvent event, const char* which) {
    std::shared_ptr<EventInfo> info;
    if (aclError error = find(c, event, &info)) return error;
    if (!(info->flags & ACL_EVENT_TIME_LINE))
        return c.misuse(Rule::event_kind, ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
                        "the %s event was created without ACL_EVENT_TIME_LINE", which);
    if (!info->recorded)
        return c.fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, "the %s event is not recorded", which);
    if (engine::event_query(event) == Status::not_ready)
        return c.fail(ACL_ERROR_RT_EVENT_NOT_COMPLETE, "the %s event has not completed", which);
    return ACL_SUCCESS;
}

constexpr std::uint32_t plain_flags =
    ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE;

} // namespace

SIM_EXPORT aclError aclrtCreateEvent(aclrtEvent* event) {
    return call(__func__, Need::work,
                [&](Call& c) { return create(c, event, EventKind::plain, plain_flags); });
}

SIM_EXPORT aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag) {
    return call(__func__, Need::work,
                [&](Call& c) { return create(c, event, EventKind::flagged, flag); });
}

SIM_EXPORT aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag) {
    return call(__func__, Need::work,
                [&](Call& c) { return create(c, event, EventKind::extended, flag); });
}

SIM_EXPORT aclError aclrtDestroyEvent(aclrtEvent event) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        std::shared_ptr<EventInfo> info;
        if (aclError error = find(c, event, &info)) return error;
        drop_event_info(event);
        return c.engine(engine::event_destroy(event));
    });
}

SIM_EXPORT aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        Handle h;
        if (aclError error = c.stream(stream, &h)) return error;
        std::shared_ptr<EventInfo> info;
        if (aclError error = find(c, event, &info)) return error;
        const aclError error = c.engine(engine::event_record(event, h));
        if (!error) info->recorded = true;
        return error;
    });
}

SIM_EXPORT aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        Handle h;
        if (aclError error = c.stream(stream, &h)) return error;
        std::shared_ptr<EventInfo> info;
        if (aclError error = find(c, event, &info)) return error;
        if (aclError error = refuse_extended(c, *info)) return error;
        if (info->kind != EventKind::flagged || !(info->flags & ACL_EVENT_SYNC))
            return c.misuse(Rule::event_kind, ACL_ERROR_RT_PARAM_INVALID,
                            "only an event of aclrtCreateEventWithFlag with ACL_EVENT_SYNC resets");
        info->recorded = false;
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status) {
    return call(__func__, Need::context, [&](Call& c) -> aclError {
        if (!status) return c.fail(ACL_ERROR_INVALID_PARAM, "status is null");
        std::shared_ptr<EventInfo> info;
        if (aclError error = find(c, event, &info)) return error;
        const bool done = info->recorded ? engine::event_query(event) == Status::ok
                                         : info->kind == EventKind::extended;
        *status = done ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status) {
    return call(__func__, Need::context, [&](Call& c) {
        int value = 0;
        const aclError error = older_query(c, event, status ? &value : nullptr);
        if (!error) *status = static_cast<aclrtEventStatus>(value);
        return error;
    });
}

// Complete when the record is: a stream that waits goes on then.
SIM_EXPORT aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus* status) {
    return call(__func__, Need::context, [&](Call& c) {
        int value = 0;
        const aclError error = older_query(c, event, status ? &value : nullptr);
        if (!error) *status = static_cast<aclrtEventWaitStatus>(value);
        return error;
    });
}

SIM_EXPORT aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        Handle h;
        if (aclError error = c.stream(stream, &h)) return error;
        std::shared_ptr<EventInfo> info;
        if (aclError error = find(c, event, &info)) return error;
        if (!(info->flags & ACL_EVENT_SYNC))
            return c.misuse(Rule::event_kind, ACL_ERROR_RT_PARAM_INVALID,
                            "the event was created without ACL_EVENT_SYNC");
        return c.engine(engine::stream_wait_event(h, event));
    });
}

SIM_EXPORT aclError aclrtSynchronizeEvent(aclrtEvent event) {
    return call(__func__, Need::work, [&](Call& c) { return synchronize(c, event, -1); });
}

SIM_EXPORT aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
    return call(__func__, Need::work, [&](Call& c) { return synchronize(c, event, timeout); });
}

SIM_EXPORT aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent, aclrtEvent endEvent) {
    return call(__func__, Need::context, [&](Call& c) -> aclError {
        if (!ms) return c.fail(ACL_ERROR_INVALID_PARAM, "ms is null");
        if (aclError error = check_timed(c, startEvent, "start")) return error;
        if (aclError error = check_timed(c, endEvent, "end")) return error;
        double value = 0;
        const Status status = engine::event_elapsed(startEvent, endEvent, &value);
        if (status != Status::ok) return c.engine(status, ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
        if (value < 0)
            return c.fail(ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL,
                          "the end event was recorded before the start event");
        *ms = static_cast<float>(value);
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp) {
    return call(__func__, Need::context, [&](Call& c) -> aclError {
        if (!timestamp) return c.fail(ACL_ERROR_INVALID_PARAM, "timestamp is null");
        if (aclError error = check_timed(c, event, "given")) return error;
        std::uint64_t ns = 0;
        const Status status = engine::event_timestamp(event, &ns);
        *timestamp = ns / 1000; // microseconds
        return c.engine(status, ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
    });
}
