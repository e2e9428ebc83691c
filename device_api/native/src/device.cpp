// SPDX-License-Identifier: Apache-2.0
// The registry of backends and devices: finding, opening, forking, the end.
#include "registry.hpp"

#include <pthread.h>

#include "allocator.hpp"
#include "error.hpp"
#include "stream.hpp"

namespace device_api::core {
namespace {

template <class F>
void each_device(F&& function) {
    Registry& r = registry();
    for (int32_t i = 0; i < r.count.load(std::memory_order_acquire); ++i) {
        for (auto& slot : r.backends[i].load()->devices) {
            for (Device* device = slot.get(); device; device = device->before) function(*device);
        }
    }
}

// fork() copies locks as they are: all are taken before it, so that both sides can release them.
void before_fork() {
    registry().mutex.lock();
    each_device([](Device& d) {
        d.mutex.lock();
        d.allocator->lock();
    });
}
void unlock_after_fork() {
    each_device([](Device& d) {
        d.allocator->unlock();
        d.mutex.unlock();
    });
    registry().mutex.unlock();
}
void after_fork_in_child() {
    each_device([](Device& d) {
        if (!is_host(d) && d.ready) d.forked = true;
        d.allocator->after_fork();
    });
    unlock_after_fork();
}

da_status open_slowly(Device& device) {
    std::lock_guard<std::mutex> lock(device.mutex);
    if (device.ready) return DA_OK;
    if (device.api().device_open) {
        da_status status = device.api().device_open(device.self(), device.index);
        if (status) return fail_vendor(*device.backend, &device, status, "opening the device");
    }
    if (da_status status = make_default_stream(device)) return status;
    device.ready.store(true, std::memory_order_release);
    return DA_OK;
}

} // namespace

DeviceSlot::~DeviceSlot() {
    delete device_.load();
}

Registry& registry() {
    static Registry* instance = new Registry;
    return *instance;
}

void publish(Backend* backend) {
    Registry& r = registry();
    static std::once_flag once;
    std::call_once(once,
                   [] { pthread_atfork(before_fork, unlock_after_fork, after_fork_in_child); });
    r.backends[backend->type_id].store(backend);
    r.count.store(backend->type_id + 1, std::memory_order_release);
    // Not any device whose memory the host can use: it must have every op, and end its work at
    // once.
    if (backend->type == "cpu" && !backend->devices.empty()) {
        r.host.store(backend->devices[0].get());
    }
}

bool is_shut_down() {
    return registry().shut_down.load(std::memory_order_relaxed);
}

Backend* backend_at(int32_t type_id) {
    Registry& r = registry();
    if (type_id < 0 || type_id >= r.count.load(std::memory_order_acquire)) return nullptr;
    return r.backends[type_id].load(std::memory_order_relaxed);
}

Backend* find_backend(const char* type) {
    for (int32_t i = 0; Backend* backend = backend_at(i); ++i) {
        if (backend->type == type) return backend;
    }
    return nullptr;
}

Device* find_device(dah_device handle) {
    Backend* backend = handle < 0 ? nullptr : backend_at(handle / max_devices);
    if (!backend) {
        fail(DA_INVALID_ARGUMENT, DAH_ERROR_UNKNOWN_DEVICE,
             "no device has the number " + std::to_string(handle));
        return nullptr;
    }
    const auto index = static_cast<size_t>(handle % max_devices);
    if (index >= backend->devices.size()) {
        fail(DA_INVALID_ARGUMENT, DAH_ERROR_DEVICE_INDEX,
             "'" + backend->type + ":" + std::to_string(index) + "' does not exist: there are " +
                 std::to_string(backend->devices.size()) + " devices of this type");
        return nullptr;
    }
    return backend->devices[index].get();
}

Device* open_device(dah_device handle) {
    Device* device = find_device(handle);
    if (!device) return nullptr;
    if (is_shut_down()) {
        fail(DA_INVALID_ARGUMENT, "device_api has been shut down in this process");
        return nullptr;
    }
    if (device->forked) {
        fail(DA_FORKED, "'" + device->name() + "' was in use when this process was forked",
             "start worker processes with multiprocessing.get_context('spawn')");
        return nullptr;
    }
    if (!device->ready.load(std::memory_order_acquire) && open_slowly(*device)) return nullptr;
    return device;
}

bool is_host(const Device& device) {
    return registry().host.load() == &device;
}

Device* host_device() {
    Device* device = registry().host.load();
    if (device) return open_device(device->handle);
    fail(DA_NOT_SUPPORTED, DAH_ERROR_UNKNOWN_DEVICE,
         "no backend of type 'cpu' is loaded, so nothing can fall back to it",
         "install device-api-cpu");
    return nullptr;
}

} // namespace device_api::core

using namespace device_api::core;

void dah_shutdown(void) {
    Registry& r = registry();
    if (r.shut_down.exchange(true)) return;
    std::lock_guard<std::mutex> lock(r.mutex);
    for (int32_t i = 0; i < r.count.load(); ++i) {
        Backend* backend = r.backends[i].load();
        bool used = false;
        for (auto& slot : backend->devices) {
            for (Device* device = slot.get(); device; device = device->before) {
                if (!device->ready || device->forked) continue;
                used = true;
                for (dab_op& op : device->ops) op = dab_op{}; // later calls find no op here
                destroy_streams(*device);
            }
        }
        if (used && backend->table.destroy) backend->table.destroy(backend->instance);
    }
}
