// SPDX-License-Identifier: Apache-2.0
// Devices and contexts: set, get and reset per thread, with counts; peer access.
#include "call.hpp"

#include "chip.hpp"
#include "lifecycle.hpp"
#include "state.hpp"

using namespace cann_sim;

namespace {

aclError no_such_device(Call& c, int user_device) {
    return c.fail(ACL_ERROR_RT_INVALID_DEVICEID, "there is no device %d; this process sees %zu",
                  user_device, visible_devices().devices.size());
}

// The engine's device behind a user's id, checked; -1 leaves the error in *error.
int checked_device(Call& c, int user_device, aclError* error) {
    const int device = engine_device(user_device);
    if (device < 0) {
        *error = no_such_device(c, user_device);
        return -1;
    }
    *error = c.engine(engine::device_check(device));
    return *error ? -1 : device;
}

std::shared_ptr<Context> default_context(int device) {
    State& s = state();
    std::lock_guard<std::mutex> guard(s.lock);
    auto it = s.default_contexts.find(device);
    return it == s.default_contexts.end() ? nullptr : it->second;
}

std::size_t streams_left(const Context& context) {
    std::lock_guard<std::mutex> guard(state().lock);
    return context.streams.size();
}

aclError reset_device(Call& c, int user_device, bool force) {
    const int device = engine_device(user_device);
    if (device < 0) return no_such_device(c, user_device);
    std::lock_guard<std::mutex> lifecycle(state().lifecycle);
    std::shared_ptr<Context> context = default_context(device);
    if (!context)
        return c.misuse(Rule::device_pairing, ACL_ERROR_RT_CONTEXT_NULL,
                        "device %d is not set; aclrtResetDevice pairs with aclrtSetDevice",
                        user_device);
    const bool lost = engine::device_check(device) == Status::device_lost;
    context->references = force ? 0 : context->references - 1;
    if (context->references > 0) return ACL_SUCCESS;
    if (!force && !lost) {
        const std::size_t streams = streams_left(*context);
        end_context(context, false);
        if (streams)
            c.misuse(Rule::teardown_order, ACL_SUCCESS,
                     "%zu streams of device %d were left; destroy them first", streams,
                     user_device);
        return ACL_SUCCESS;
    }
    end_contexts_of(device); // what the engine drops now, the explicit ones too
    return c.engine(engine::device_reset(device));
}

aclError find_context(Call& c, aclrtContext handle, std::shared_ptr<Context>* out) {
    if (!handle) return c.fail(ACL_ERROR_INVALID_PARAM, "context is null");
    const Status status = engine::handle_get(kind_context, handle, out);
    return status == Status::ok ? ACL_SUCCESS : c.engine(status);
}

} // namespace

SIM_EXPORT aclError aclrtGetDeviceCount(uint32_t* count) {
    return call(__func__, Need::nothing, [&](Call& c) -> aclError {
        if (!count) return c.fail(ACL_ERROR_INVALID_PARAM, "count is null");
        *count = 0;
        const VisibleDevices v = visible_devices();
        if (v.duplicate)
            return c.fail(ACL_ERROR_RT_NO_DEVICE, "ASCEND_RT_VISIBLE_DEVICES names a device twice");
        if (v.devices.empty()) return c.fail(ACL_ERROR_RT_NO_DEVICE, "no device is visible");
        *count = static_cast<uint32_t>(v.devices.size());
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtSetDevice(int32_t deviceId) {
    return call(__func__, Need::init, [&](Call& c) -> aclError {
        aclError error;
        const int device = checked_device(c, deviceId, &error);
        if (error) return error;
        std::lock_guard<std::mutex> lifecycle(state().lifecycle);
        std::shared_ptr<Context> context = default_context(device);
        if (!context) {
            Status status;
            context = make_context(deviceId, true, &status);
            if (!context) return c.engine(status);
        }
        ++context->references;
        set_current_context(context->handle);
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtGetDevice(int32_t* deviceId) {
    return call(__func__, Need::context, [&](Call& c) -> aclError {
        if (!deviceId) return c.fail(ACL_ERROR_INVALID_PARAM, "deviceId is null");
        *deviceId = c.context()->user_device;
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtResetDevice(int32_t deviceId) {
    return call(__func__, Need::init, [&](Call& c) { return reset_device(c, deviceId, false); });
}

SIM_EXPORT aclError aclrtResetDeviceForce(int32_t deviceId) {
    return call(__func__, Need::init, [&](Call& c) { return reset_device(c, deviceId, true); });
}

SIM_EXPORT aclError aclrtSynchronizeDevice(void) {
    return call(__func__, Need::work, [&](Call& c) {
        return c.deferred(engine::device_synchronize(c.context()->device),
                          ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    });
}

SIM_EXPORT aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        if (timeout < -1)
            return c.fail(ACL_ERROR_RT_PARAM_INVALID, "timeout %d is below -1", timeout);
        return c.deferred(engine::device_synchronize(c.context()->device, timeout),
                          ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    });
}

SIM_EXPORT aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus* deviceStatus) {
    return call(__func__, Need::init, [&](Call& c) -> aclError {
        if (!deviceStatus) return c.fail(ACL_ERROR_INVALID_PARAM, "deviceStatus is null");
        const int device = engine_device(deviceId);
        if (device < 0) return no_such_device(c, deviceId);
        *deviceStatus = engine::device_check(device) == Status::ok ? ACL_RT_DEVICE_STATUS_NORMAL
                                                                   : ACL_RT_DEVICE_STATUS_ABNORMAL;
        return ACL_SUCCESS;
    });
}

// ---- contexts ----------------------------------------------------------------------------------

SIM_EXPORT aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId) {
    return call(__func__, Need::init, [&](Call& c) -> aclError {
        if (!context) return c.fail(ACL_ERROR_INVALID_PARAM, "context is null");
        aclError error;
        checked_device(c, deviceId, &error);
        if (error) return error;
        std::lock_guard<std::mutex> lifecycle(state().lifecycle);
        Status status;
        std::shared_ptr<Context> made = make_context(deviceId, false, &status);
        if (!made) return c.engine(status);
        set_current_context(made->handle);
        *context = made->handle;
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtDestroyContext(aclrtContext context) {
    return call(__func__, Need::init, [&](Call& c) -> aclError {
        std::lock_guard<std::mutex> lifecycle(state().lifecycle);
        std::shared_ptr<Context> found;
        if (aclError error = find_context(c, context, &found)) return error;
        if (found->is_default)
            return c.misuse(Rule::default_context, ACL_ERROR_INVALID_PARAM,
                            "a default context ends with aclrtResetDevice only");
        end_context(found, false);
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtSetCurrentContext(aclrtContext context) {
    return call(__func__, Need::init, [&](Call& c) -> aclError {
        std::shared_ptr<Context> found;
        if (aclError error = find_context(c, context, &found)) return error;
        set_current_context(found->handle);
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtGetCurrentContext(aclrtContext* context) {
    return call(__func__, Need::context, [&](Call& c) -> aclError {
        if (!context) return c.fail(ACL_ERROR_INVALID_PARAM, "context is null");
        *context = c.context()->handle;
        return ACL_SUCCESS;
    });
}

// ---- peers -------------------------------------------------------------------------------------

SIM_EXPORT aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId,
                                             int32_t peerDeviceId) {
    return call(__func__, Need::init, [&](Call& c) -> aclError {
        if (!canAccessPeer) return c.fail(ACL_ERROR_INVALID_PARAM, "canAccessPeer is null");
        if (deviceId == peerDeviceId)
            return c.fail(ACL_ERROR_RT_PARAM_INVALID, "the two device ids must differ");
        aclError error;
        const int device = checked_device(c, deviceId, &error);
        if (error) return error;
        const int peer = checked_device(c, peerDeviceId, &error);
        if (error) return error;
        bool can = false;
        error = c.engine(engine::peer_can_access(device, peer, &can));
        *canAccessPeer = can;
        return error;
    });
}

SIM_EXPORT aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        if (flags != 0) return c.fail(ACL_ERROR_RT_PARAM_INVALID, "flags must be 0");
        aclError error;
        const int peer = checked_device(c, peerDeviceId, &error);
        if (error) return error;
        // Enabling twice is taken as done.
        const Status status = engine::peer_enable(c.context()->device, peer);
        return status == Status::invalid_state ? ACL_SUCCESS : c.engine(status);
    });
}

SIM_EXPORT aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        aclError error;
        const int peer = checked_device(c, peerDeviceId, &error);
        if (error) return error;
        return c.engine(engine::peer_disable(c.context()->device, peer));
    });
}

SIM_EXPORT aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId,
                                                int32_t* status) {
    return call(__func__, Need::init, [&](Call& c) -> aclError {
        if (!status) return c.fail(ACL_ERROR_INVALID_PARAM, "status is null");
        aclError error;
        const int device = checked_device(c, deviceId, &error);
        if (error) return error;
        const int peer = checked_device(c, peerDeviceId, &error);
        if (error) return error;
        bool enabled = false;
        error = c.engine(engine::peer_enabled(device, peer, &enabled));
        *status = enabled;
        return error;
    });
}
