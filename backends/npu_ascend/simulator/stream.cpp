// SPDX-License-Identifier: Apache-2.0
// Streams. NULL is the default stream of the current context.
#include "call.hpp"

#include "chip.hpp"
#include "state.hpp"

using namespace cann_sim;

namespace {

std::size_t streams_of_device(int device) {
    State& s = state();
    std::lock_guard<std::mutex> guard(s.lock);
    std::size_t n = 0;
    for (auto& entry : s.contexts)
        if (entry.second->device == device) n += 1 + entry.second->streams.size();
    return n;
}

aclError create(Call& c, aclrtStream* stream) {
    if (!stream) return c.fail(ACL_ERROR_INVALID_PARAM, "stream is null");
    *stream = nullptr;
    const int most = chip().max_streams;
    Status status = Status::out_of_resources;
    Handle h = nullptr;
    if (streams_of_device(c.context()->device) < static_cast<std::size_t>(most))
        status = engine::stream_create(c.context()->device, &h);
    if (status == Status::out_of_resources)
        return c.fail(ACL_ERROR_RT_NO_STREAM_RESOURCE, "all %d streams of the device are in use",
                      most);
    if (status != Status::ok) return c.engine(status);
    auto info = std::make_shared<StreamInfo>();
    info->context = c.context();
    add_stream_info(h, info);
    *stream = h;
    return ACL_SUCCESS;
}

aclError destroy(Call& c, aclrtStream stream, bool force) {
    if (!stream) return c.fail(ACL_ERROR_INVALID_PARAM, "the default stream is not destroyed so");
    Handle h;
    if (aclError error = c.stream(stream, &h)) return error;
    drop_stream_info(h);
    const Status status = engine::stream_destroy(h, force);
    return force ? ACL_SUCCESS : c.deferred(status, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
}

aclError synchronize(Call& c, aclrtStream stream, int timeout) {
    if (timeout < -1) return c.fail(ACL_ERROR_RT_PARAM_INVALID, "timeout %d is below -1", timeout);
    Handle h;
    if (aclError error = c.stream(stream, &h)) return error;
    return c.deferred(engine::stream_synchronize(h, timeout), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
}

} // namespace

SIM_EXPORT aclError aclrtCreateStream(aclrtStream* stream) {
    return call(__func__, Need::work, [&](Call& c) { return create(c, stream); });
}

SIM_EXPORT aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority,
                                                uint32_t flag) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        constexpr uint32_t known = ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC |
                                   ACL_STREAM_PERSISTENT | ACL_STREAM_HUGE |
                                   ACL_STREAM_DEVICE_USE_ONLY;
        if (priority != 0)
            return c.fail(ACL_ERROR_RT_PARAM_INVALID, "priority is reserved and must be 0");
        if (flag & ~known) return c.fail(ACL_ERROR_RT_PARAM_INVALID, "flag 0x%x is unknown", flag);
        return create(c, stream);
    });
}

SIM_EXPORT aclError aclrtDestroyStream(aclrtStream stream) {
    return call(__func__, Need::work, [&](Call& c) { return destroy(c, stream, false); });
}

SIM_EXPORT aclError aclrtDestroyStreamForce(aclrtStream stream) {
    return call(__func__, Need::work, [&](Call& c) { return destroy(c, stream, true); });
}

SIM_EXPORT aclError aclrtSynchronizeStream(aclrtStream stream) {
    return call(__func__, Need::work, [&](Call& c) { return synchronize(c, stream, -1); });
}

SIM_EXPORT aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
    return call(__func__, Need::work, [&](Call& c) { return synchronize(c, stream, timeout); });
}

SIM_EXPORT aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status) {
    return call(__func__, Need::context, [&](Call& c) -> aclError {
        if (!status) return c.fail(ACL_ERROR_INVALID_PARAM, "status is null");
        Handle h;
        if (aclError error = c.stream(stream, &h)) return error;
        const Status s = engine::stream_query(h);
        if (s != Status::ok && s != Status::not_ready) return c.engine(s);
        *status = s == Status::ok ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtStreamGetId(aclrtStream stream, int32_t* streamId) {
    return call(__func__, Need::context, [&](Call& c) -> aclError {
        if (!streamId) return c.fail(ACL_ERROR_INVALID_PARAM, "streamId is null");
        Handle h;
        if (aclError error = c.stream(stream, &h)) return error;
        std::uint32_t id = 0;
        const aclError error = c.engine(engine::stream_id(h, &id));
        *streamId = static_cast<int32_t>(id);
        return error;
    });
}

SIM_EXPORT aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        if (!stream)
            return c.fail(ACL_ERROR_INVALID_PARAM, "not for the default stream of a context");
        if (mode > 1) return c.fail(ACL_ERROR_INVALID_PARAM, "mode is 0 or 1");
        Handle h;
        if (aclError error = c.stream(stream, &h)) return error;
        std::shared_ptr<StreamInfo> info = stream_info(h);
        if (!info || info->failure_mode_set.exchange(true))
            return c.fail(ACL_ERROR_RT_PARAM_INVALID, "the mode is set once per stream");
        return c.engine(engine::stream_failure_mode(h, mode ? engine::FailureMode::stop
                                                            : engine::FailureMode::go_on));
    });
}

SIM_EXPORT aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority,
                                                      int32_t* greatestPriority) {
    return call(__func__, Need::context, [&](Call& c) -> aclError {
        if (!leastPriority || !greatestPriority)
            return c.fail(ACL_ERROR_INVALID_PARAM, "an output pointer is null");
        *leastPriority = *greatestPriority = 0;
        return ACL_SUCCESS;
    });
}
