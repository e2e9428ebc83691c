// SPDX-License-Identifier: Apache-2.0
// Lifetime of the instance and of its devices: opening, waiting, resetting.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

#include "device_api/adapter/fork.hpp"
#include "instance.hpp"
#include "wait.hpp"

namespace device_api::simt {
namespace {

da_status open_locked(Instance& self, std::int32_t device) {
    Device& d = device_of(self, device);
    const std::lock_guard<std::mutex> guard(self.lock);
    if (d.opened.load(std::memory_order_relaxed)) return DA_OK;
    if (const da_status status = self.parts.driver->open(device)) return status;
    if (const da_status status = self.parts.driver->chip(device, d.chip)) return status;
    d.opened.store(true, std::memory_order_release);
    return DA_OK;
}

da_status query_streams(Instance& self, std::int32_t device, std::uint32_t generation) {
    if (lost(self, device, generation))
        return fail(DA_DEVICE_LOST, nullptr, "device %d was reset", device);
    Device& d = device_of(self, device);
    const std::lock_guard<std::mutex> guard(d.streams_lock);
    for (Handle stream : d.streams)
        if (const da_status status = self.parts.driver->stream_query(stream)) return status;
    return DA_OK;
}

void forget_kernels(Device& device) {
    const std::lock_guard<std::shared_mutex> guard(device.kernels_lock);
    device.kernels.clear();
    device.modules.clear();
}

} // namespace

da_status create(const dab_config* config, dab_instance** out) {
    if (!config || !out || !DAB_HAS(dab_config, config->size, n_options))
        return fail(DA_INVALID_ARGUMENT, nullptr, "create: config or result is missing");
    if (forked()) return refuse_forked();
    auto instance = std::make_unique<dab_instance>();
    if (const da_status status = plugin.open(*config, instance->parts)) return status;
    if (instance->parts.simulated) watch_forks(); // they are in use once they are loaded
    *out = instance.release();
    return DA_OK;
}

da_status ensure_initialised(Instance& self) {
    if (self.initialised.load(std::memory_order_acquire)) return DA_OK;
    const std::lock_guard<std::mutex> guard(self.lock);
    if (self.initialised.load(std::memory_order_relaxed)) return DA_OK;
    watch_forks();
    std::int32_t count = 0;
    if (const da_status status = self.parts.driver->initialise(&count)) return status;
    self.device_count.store(std::min(count, max_devices));
    self.initialised.store(true, std::memory_order_release);
    return DA_OK;
}

da_status check_device(Instance& self, std::int32_t device) {
    if (const da_status status = ensure_initialised(self)) return status;
    const std::int32_t count = self.device_count.load(std::memory_order_relaxed);
    if (device >= 0 && device < count) return DA_OK;
    char remedy[96];
    std::snprintf(remedy, sizeof remedy, "%s chooses the devices of a process", plugin.visible);
    return fail(DA_INVALID_ARGUMENT, remedy, "there is no %s device %d; this process sees %d",
                plugin.type, device, count);
}

da_status use_device(Instance& self, std::int32_t device) {
    if (const da_status status = check_device(self, device)) return status;
    if (!device_of(self, device).opened.load(std::memory_order_acquire))
        if (const da_status status = open_locked(self, device)) return status;
    return self.parts.driver->use(device);
}

da_status use_handle_device(Instance& self, std::int32_t device, std::uint32_t generation,
                            const char* what) {
    if (lost(self, device, generation))
        return fail(DA_DEVICE_LOST, "make a new one", "the %s was lost when device %d was reset",
                    what, device);
    return self.parts.driver->use(device);
}

da_status device_count(Instance& self, std::int32_t* count) {
    if (const da_status status = ensure_initialised(self)) return status;
    *count = self.device_count.load(std::memory_order_relaxed);
    return DA_OK;
}

da_status device_properties(Instance& self, std::int32_t device, dab_properties* out) {
    if (const da_status status = check_device(self, device)) return status;
    dab_properties p{};
    if (const da_status status = self.parts.driver->properties(device, p)) return status;
    if (self.parts.simulated) p.flags |= DAB_DEVICE_SIMULATED;
    const std::uint32_t size = out->size;
    p.size = std::min<std::uint32_t>(size, sizeof p);
    std::memcpy(out, &p, p.size);
    out->size = size;
    return DA_OK;
}

da_status device_open(Instance& self, std::int32_t device) {
    return use_device(self, device);
}

da_status device_synchronize(Instance& self, std::int32_t device, std::int32_t timeout_ms) {
    if (const da_status status = use_device(self, device)) return status;
    Driver& driver = *self.parts.driver;
    if (timeout_ms < 0) return driver.synchronize();
    // No driver waits for a device with a limit: its streams are asked, all of them.
    const std::uint32_t generation = device_of(self, device).generation.load();
    return wait_with_limit(timeout_ms, "the device's work",
                           [&] { return query_streams(self, device, generation); });
}

da_status device_reset(Instance& self, std::int32_t device) {
    if (const da_status status = use_device(self, device)) return status;
    Device& d = device_of(self, device);
    const std::lock_guard<std::mutex> guard(self.lock);
    d.generation.fetch_add(1, std::memory_order_acq_rel);
    forget_kernels(d);
    {
        const std::lock_guard<std::mutex> streams(d.streams_lock);
        d.streams.clear();
    }
    if (self.parts.blas) self.parts.blas->device_gone(device);
    return self.parts.driver->reset(device);
}

void destroy(Instance& self) {
    for (std::int32_t i = 0; i < self.device_count.load(); ++i) {
        Device& d = device_of(self, i);
        if (!d.opened.load()) continue;
        if (self.parts.driver->use(i) == DA_OK) self.parts.driver->synchronize();
        if (self.parts.blas) self.parts.blas->device_gone(i);
        self.parts.driver->close(i);
    }
    delete &self;
}

da_status telemetry(Instance& self, std::int32_t device, dab_telemetry* out) {
    if (const da_status status = check_device(self, device)) return status;
    if (!self.parts.telemetry)
        return fail(DA_NOT_SUPPORTED, nullptr, "this backend has no telemetry");
    dab_telemetry t{};
    if (const da_status status = self.parts.telemetry->read(device, t)) return status;
    const std::uint32_t size = out->size;
    t.size = size;
    std::memcpy(out, &t, std::min<std::size_t>(size, sizeof t));
    return DA_OK;
}

} // namespace device_api::simt
