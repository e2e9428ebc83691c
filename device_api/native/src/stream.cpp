// SPDX-License-Identifier: Apache-2.0
// Streams, and each thread's current device and streams.
#include "stream.hpp"

#include <algorithm>

#include "allocator.hpp"
#include "error.hpp"
#include "waiting.hpp"

namespace device_api::core {

thread_local ThreadState thread_state;

namespace {

// Streams that this thread uses in place of default ones. Held by a reference each.
struct Overrides {
    std::vector<dah_stream*> streams;
    ~Overrides() {
        thread_state.n_streams = 0;
        for (dah_stream* stream : streams) dah_stream_release(stream);
    }
};
thread_local Overrides overrides;

std::atomic<uint64_t> next_stream_id{1};

da_status make_stream(Device& device, int32_t priority, dah_stream** out) {
    if (device.gone) return fail_gone(device);
    dab_stream handle = nullptr;
    da_status status = device.api().stream_create(device.self(), device.index, priority, &handle);
    if (status) return fail_vendor(*device.backend, &device, status, "creating a stream");
    if (!handle) {
        return fail(DA_INTERNAL, DAH_ERROR_PLUGIN,
                    "the plugin for '" + device.backend->type + "' created a stream that is NULL",
                    "report it to the plugin's maker");
    }
    *out = new dah_stream;
    (*out)->device = &device;
    (*out)->handle = handle;
    (*out)->id = next_stream_id++;
    (*out)->pool = device.allocator->make_pool(*out);
    device.streams.push_back(*out);
    return DA_OK;
}

da_status usable(dah_stream* stream) {
    if (!stream->handle) return fail_dead(*stream);
    if (stream->device->forked) {
        return fail(DA_FORKED, "the stream belongs to the parent process",
                    "start worker processes with multiprocessing.get_context('spawn')");
    }
    return DA_OK;
}

} // namespace

dah_stream* overriding_stream(const Device& device) {
    for (dah_stream* stream : overrides.streams) {
        if (stream->device == &device) return stream;
    }
    return nullptr;
}

da_status make_default_stream(Device& device) {
    return make_stream(device, device.properties.stream_priority_least, &device.default_stream);
}

void destroy_streams(Device& device) {
    std::lock_guard<std::mutex> lock(device.mutex);
    for (dah_stream* stream : device.streams) {
        if (stream->lost) device.api().stream_destroy(device.self(), stream->lost);
        stream->lost = nullptr;
        if (!stream->handle) continue;
        device.api().stream_synchronize(device.self(), stream->handle, -1);
        device.api().stream_destroy(device.self(), stream->handle);
        stream->handle = nullptr;
    }
}

da_status synchronize(dah_stream& stream, int32_t timeout_ms, uint16_t op) {
    Device& device = *stream.device;
    if (da_status status = usable(&stream)) return status;
    da_status status;
    {
        const Waiting waiting;
        status = device.api().stream_synchronize(device.self(), stream.handle, timeout_ms);
    }
    if (status == DA_TIMEOUT) return fail_timeout(device, &stream);
    return status ? fail_late(device, status, &stream, op) : take_failure(device);
}

} // namespace device_api::core

using namespace device_api::core;

static std::atomic<dah_device> process_device{-1};

dah_device dah_current_device(void) {
    if (thread_state.current >= 0) return thread_state.current;
    const dah_device chosen = process_device.load(std::memory_order_relaxed);
    if (chosen >= 0) return chosen;
    Device* host = host_device();
    return host ? host->handle : -1;
}

dah_device dah_thread_device(void) {
    return thread_state.current;
}

da_status dah_set_current_device(dah_device handle, int32_t thread) {
    if (thread && handle < 0) {
        thread_state.current = -1;
        return DA_OK;
    }
    Device* device = open_device(handle);
    if (!device) return last_status();
    if (!thread) process_device = handle;
    if (thread || thread_state.current >= 0) thread_state.current = handle;
    return DA_OK;
}

da_status dah_current_stream(dah_device handle, dah_stream** stream) {
    Device* device = open_device(handle);
    if (!device) return last_status();
    *stream = current_stream(*device);
    return DA_OK;
}

da_status dah_set_current_stream(dah_stream* stream) {
    if (da_status status = usable(stream)) return status;
    auto& list = overrides.streams;
    auto same = std::find_if(list.begin(), list.end(),
                             [&](dah_stream* s) { return s->device == stream->device; });
    if (same != list.end()) {
        dah_stream* old = *same;
        list.erase(same);
        dah_stream_release(old);
    }
    if (stream != stream->device->default_stream) {
        dah_stream_retain(stream);
        list.push_back(stream);
    }
    thread_state.n_streams = static_cast<int32_t>(list.size());
    return DA_OK;
}

da_status dah_stream_create(dah_device handle, int32_t priority, dah_stream** stream) {
    Device* device = open_device(handle);
    if (!device) return last_status();
    std::lock_guard<std::mutex> lock(device->mutex);
    return make_stream(*device, priority, stream);
}

void dah_stream_retain(dah_stream* stream) {
    stream->refs.fetch_add(1);
}

void dah_stream_release(dah_stream* stream) {
    if (stream->refs.fetch_sub(1) != 1) return;
    Device& device = *stream->device;
    if (!device.forked && stream->handle) {
        {
            const Waiting waiting;
            settle(*stream);
        }
        device.allocator->retire_pool(stream);
        if (stream->handle) device.api().stream_destroy(device.self(), stream->handle);
    }
    {
        std::lock_guard<std::mutex> lock(device.mutex);
        if (stream->lost) device.api().stream_destroy(device.self(), stream->lost);
        auto& list = device.streams;
        list.erase(std::remove(list.begin(), list.end(), stream), list.end());
    }
    delete stream;
}

dah_device dah_stream_device(const dah_stream* stream) {
    return stream->device->handle;
}
uint64_t dah_stream_id(const dah_stream* stream) {
    return stream->id;
}

da_status dah_stream_synchronize(dah_stream* stream, int32_t timeout_ms) {
    return synchronize(*stream, timeout_ms);
}

da_status dah_stream_query(dah_stream* stream) {
    if (da_status status = usable(stream)) return status;
    Device& device = *stream->device;
    if (!device.api().stream_query) return device.synchronous ? DA_OK : DA_NOT_READY;
    da_status status = device.api().stream_query(device.self(), stream->handle);
    return status && status != DA_NOT_READY ? fail_late(device, status, stream) : status;
}

da_status dah_stream_wait_event(dah_stream* stream, dah_event* event) {
    if (da_status status = usable(stream)) return status;
    Device& device = *stream->device;
    const bool native =
        device.api().stream_wait_event && event->handle && event->device->backend == device.backend;
    da_status status = DA_NOT_SUPPORTED;
    if (native) {
        status = device.api().stream_wait_event(device.self(), stream->handle, event->handle);
    }
    if (status == DA_NOT_SUPPORTED) return dah_event_synchronize(event, -1);
    return status ? fail_waiting(device, status, "waiting for an event", stream) : DA_OK;
}

da_status dah_stream_callback(dah_stream* stream, void (*fn)(void*), void* data) {
    if (da_status status = usable(stream)) return status;
    Device& device = *stream->device;
    if (device.api().stream_callback) {
        da_status status = device.api().stream_callback(device.self(), stream->handle, fn, data);
        if (status != DA_NOT_SUPPORTED) {
            return status ? fail_waiting(device, status, "enqueueing a callback", stream) : DA_OK;
        }
    }
    if (da_status status = synchronize(*stream)) return status;
    fn(data);
    return DA_OK;
}

da_status dah_device_synchronize(dah_device handle, int32_t timeout_ms) {
    Device* device = open_device(handle);
    if (!device) return last_status();
    if (device->api().device_synchronize) {
        da_status status;
        {
            const Waiting waiting;
            status = device->api().device_synchronize(device->self(), device->index, timeout_ms);
        }
        if (status == DA_TIMEOUT) return fail_timeout(*device);
        return status ? fail_late(*device, status) : take_failure(*device);
    }
    std::vector<dah_stream*> streams;
    {
        std::lock_guard<std::mutex> lock(device->mutex);
        for (dah_stream* stream : device->streams) {
            if (try_retain(*stream)) streams.push_back(stream);
        }
    }
    da_status first = DA_OK;
    for (dah_stream* stream : streams) {
        da_status status = synchronize(*stream, timeout_ms);
        if (!first) first = status;
        dah_stream_release(stream);
    }
    return first;
}
