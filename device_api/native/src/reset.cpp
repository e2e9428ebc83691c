// SPDX-License-Identifier: Apache-2.0
// Resetting a device: a new one takes the place of the old, whose arrays, streams and events are
// dead for good.
#include <algorithm>

#include "allocator.hpp"
#include "error.hpp"
#include "registry.hpp"
#include "stream.hpp"
#include "waiting.hpp"

namespace device_api::core {
namespace {

std::mutex& one_at_a_time() {
    static auto* mutex = new std::mutex;
    return *mutex;
}

std::unique_ptr<Device> successor(Device& old) {
    auto fresh = std::make_unique<Device>();
    fresh->backend = old.backend;
    fresh->index = old.index;
    fresh->handle = old.handle;
    fresh->properties = old.properties;
    fresh->host_memory = old.host_memory;
    fresh->synchronous = old.synchronous;
    fresh->generation = old.generation + 1;
    fresh->before = &old;
    std::copy(std::begin(old.ops), std::end(old.ops), fresh->ops);
    for (int op = 0; op <= DA_OP_COUNT; ++op) {
        fresh->native_counts[op] = old.native_counts[op].load();
        fresh->composed_counts[op] = old.composed_counts[op].load();
    }
    fresh->allocator = std::make_unique<Allocator>(*fresh, *old.allocator);
    return fresh;
}

// From here on nothing that belongs to the device reaches the plugin, but for what other threads
// have begun, which the plugin ends or refuses.
void close(Device& old) {
    old.gone = true;
    old.allocator->refuse();
    std::lock_guard<std::mutex> lock(old.mutex); // a stream that was being made is there now
}

void reopen(Device& old) {
    old.gone = false;
    if (!old.lost) old.allocator->accept();
}

void bury(Device& old) {
    {
        std::lock_guard<std::mutex> lock(old.mutex);
        for (dah_stream* stream : old.streams) stream->lost = stream->handle.exchange(nullptr);
    }
    old.allocator->bury();
    delete old.failure.exchange(nullptr);
}

da_status refused(const Device& device) {
    fail(DA_NOT_SUPPORTED, "'" + device.name() + "' cannot be reset: its plugin does not do that",
         device.lost ? "go on with another device, or start a new process"
                     : "free its arrays and call device_api.empty_cache() instead");
    return annotate(DA_NOT_SUPPORTED, 0, &device);
}

da_status reset(Device& old, DeviceSlot& slot) {
    std::unique_ptr<Device> fresh = successor(old);
    close(old);
    da_status status;
    {
        const Waiting waiting;
        status = old.api().device_reset(old.self(), old.index);
    }
    if (status) {
        reopen(old);
        if (status == DA_NOT_SUPPORTED) return refused(old);
        return fail_vendor(*old.backend, &old, status, "resetting the device");
    }
    bury(old);
    slot.replace(fresh.release());
    return open_device(old.handle) ? DA_OK : last_status();
}

} // namespace
} // namespace device_api::core

using namespace device_api::core;

da_status dah_device_reset(dah_device handle) {
    Device* device = find_device(handle);
    if (!device) return last_status();
    std::unique_lock<std::mutex> one(one_at_a_time(), std::try_to_lock);
    if (!one) {
        const Waiting waiting;
        one.lock();
    }
    device = find_device(handle); // as an other thread's reset has left it
    if (!device->api().device_reset || is_host(*device)) return refused(*device);
    if (is_shut_down() || device->forked) {
        open_device(handle); // says why not
        return last_status();
    }
    // Of a device that was never opened there is nothing to lose; it may be lost all the same.
    if (!device->ready && open_device(handle)) return DA_OK;
    const auto index = static_cast<size_t>(device->index);
    return reset(*device, device->backend->devices[index]);
}

uint32_t dah_device_generation(dah_device handle) {
    const Device* device = find_device(handle);
    return device ? device->generation : 0;
}
