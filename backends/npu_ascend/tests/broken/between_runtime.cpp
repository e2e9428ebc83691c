// SPDX-License-Identifier: Apache-2.0
// Streams, events, callbacks and devices on their way to the simulated CANN.
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>

#include "between.hpp"

namespace broken {
namespace {

Variant chosen() {
    const char* name = std::getenv("BROKEN_ADAPTER");
    for (const Row& row : rows)
        if (name && std::strcmp(name, row.name) == 0) return row.variant;
    return Variant::none;
}

struct Known {
    std::mutex mutex;
    std::map<aclrtStream, int> streams; // with their devices
};
Known& known() {
    static auto* k = new Known;
    return *k;
}

int current_device() {
    std::int32_t device = -1;
    REAL(aclrtGetDevice)(&device);
    return device;
}

} // namespace

bool is(Variant v) {
    static const Variant variant = chosen();
    return variant == v;
}

void* symbol(const char* name) {
    static void* const engine = dlopen("libdevice_api_sim_npu.so", RTLD_NOW | RTLD_NOLOAD);
    void* found = engine ? dlsym(engine, name) : nullptr;
    if (!found) std::abort();
    return found;
}

aclrtStream other_stream(aclrtStream s) {
    Known& k = known();
    std::lock_guard<std::mutex> lock(k.mutex);
    const auto own = k.streams.find(s);
    for (const auto& entry : k.streams)
        if (own != k.streams.end() && entry.first != s && entry.second == own->second)
            return entry.first;
    return nullptr;
}

} // namespace broken

using namespace broken;

// ---- streams -----------------------------------------------------

BETWEEN aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority,
                                             uint32_t flag) {
    const aclError code = REAL(aclrtCreateStreamWithConfig)(stream, priority, flag);
    if (code) return code;
    std::lock_guard<std::mutex> lock(known().mutex);
    known().streams[*stream] = current_device();
    return code;
}

BETWEEN aclError aclrtDestroyStream(aclrtStream stream) {
    {
        std::lock_guard<std::mutex> lock(known().mutex);
        known().streams.erase(stream);
    }
    if (is(Variant::stream_kept)) return ACL_SUCCESS;
    if (is(Variant::stream_destroyed_by_force)) return REAL(aclrtDestroyStreamForce)(stream);
    const aclError code = REAL(aclrtDestroyStream)(stream);
    if (is(Variant::stream_destroyed_twice)) REAL(aclrtDestroyStream)(stream);
    return code;
}

BETWEEN aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
    if (is(Variant::missing_wait)) return ACL_SUCCESS;
    const aclError code = REAL(aclrtSynchronizeStreamWithTimeout)(stream, timeout);
    return is(Variant::late_error_swallowed) ? ACL_SUCCESS : code;
}

BETWEEN aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status) {
    const aclError code = REAL(aclrtStreamQuery)(stream, status);
    if (!code && is(Variant::stream_query_says_done)) *status = ACL_STREAM_STATUS_COMPLETE;
    return code;
}

BETWEEN aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
    if (is(Variant::missing_stream_wait)) return ACL_SUCCESS;
    if (is(Variant::wait_on_wrong_stream)) stream = other_stream(stream);
    return REAL(aclrtStreamWaitEvent)(stream, event);
}

// ---- events ------------------------------------------------------

BETWEEN aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
    static std::mutex mutex;
    static std::map<aclrtEvent, bool> recorded;
    if (is(Variant::event_not_recorded)) return ACL_SUCCESS;
    if (is(Variant::event_on_wrong_stream)) stream = other_stream(stream);
    if (is(Variant::event_recorded_once)) {
        std::lock_guard<std::mutex> lock(mutex);
        if (recorded[event]) return ACL_SUCCESS;
        recorded[event] = true;
    }
    const aclError code = REAL(aclrtRecordEvent)(event, stream);
    if (is(Variant::event_destroyed_early)) REAL(aclrtDestroyEvent)(event);
    return code;
}

BETWEEN aclError aclrtDestroyEvent(aclrtEvent event) {
    return is(Variant::event_kept) ? ACL_SUCCESS : REAL(aclrtDestroyEvent)(event);
}

BETWEEN aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status) {
    const aclError code = REAL(aclrtQueryEventStatus)(event, status);
    if (!code && is(Variant::event_query_says_done)) *status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
    return code;
}

BETWEEN aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
    if (is(Variant::missing_event_synchronise)) return ACL_SUCCESS;
    return REAL(aclrtSynchronizeEventWithTimeout)(event, timeout);
}

BETWEEN aclError aclrtEventElapsedTime(float* ms, aclrtEvent start, aclrtEvent end) {
    const aclError code = REAL(aclrtEventElapsedTime)(ms, start, end);
    if (!code && is(Variant::elapsed_swapped)) *ms = -*ms;
    return code;
}

// ---- callbacks ---------------------------------------------------

BETWEEN aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args) {
    if (is(Variant::callback_dropped)) return ACL_SUCCESS;
    if (is(Variant::callback_at_once)) return fn(args), ACL_SUCCESS;
    if (is(Variant::callback_on_wrong_stream)) stream = other_stream(stream);
    return REAL(aclrtLaunchHostFunc)(stream, fn, args);
}

// ---- devices -----------------------------------------------------

BETWEEN aclError aclrtSetDevice(int32_t device) {
    static std::mutex mutex;
    static bool first_known = false;
    static thread_local bool first = false;
    if (is(Variant::wrong_device)) device = 0;
    if (is(Variant::device_set_once)) {
        std::lock_guard<std::mutex> lock(mutex);
        if (!first_known) first = first_known = true;
        if (!first) return ACL_SUCCESS;
    }
    return REAL(aclrtSetDevice)(device);
}

BETWEEN aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
    if (is(Variant::missing_device_wait)) return ACL_SUCCESS;
    return REAL(aclrtSynchronizeDeviceWithTimeout)(timeout);
}
