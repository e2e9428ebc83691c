// SPDX-License-Identifier: Apache-2.0
// The engine's end: what happens at process exit, at a device's reset and at a reset of all.
#include "lifetime.hpp"

#include <algorithm>
#include <cstdlib>

#include "chip_file.hpp"
#include "control.hpp"
#include "leaks.hpp"
#include "stream.hpp"

namespace device_api::engine {
namespace {

constexpr int exit_patience_ms =
    1000; // for a task that does not end, such as a callback that waits for a lock

/// Pending work is dropped; the task that runs is waited for. Nothing is freed: other threads may
/// still be in a call.
void at_exit() {
    if (alive() == Status::forked) return; // the child has none of the threads
    std::vector<StreamPtr> streams;
    for (const auto& d : all_devices())
        for (auto& s : streams_of(*d)) streams.push_back(std::move(s));
    report_at_exit();
    engine().exiting = true;
    for (const auto& s : streams) s->abandon();
    const std::int64_t start = now_ns();
    for (const auto& s : streams) {
        const auto used = static_cast<int>((now_ns() - start) / 1000000);
        s->join(std::max(0, exit_patience_ms - used));
    }
}

bool stream_of(std::uint32_t kind, void* object, const void* device) {
    return kind == kind_stream && static_cast<Stream*>(object)->device.get() == device;
}
bool any(std::uint32_t, void*, const void*) {
    return true;
}

void stop_streams(Device& d) {
    const auto streams = streams_of(d);
    for (const auto& s : streams) s->abandon();
    for (const auto& s : streams) s->join(-1);
}

} // namespace

void quiesce_at_exit() noexcept {
    static std::once_flag once;
    std::call_once(once, [] { std::atexit(at_exit); });
}

Status device_reset(int device) noexcept {
    if (Status s = not_in_task("resetting a device"); s != Status::ok) return s;
    Status why;
    auto old = find_device(device, &why, true);
    if (!old) return why;
    stop_streams(*old);
    handle_drop_if(stream_of, old.get());
    auto fresh = std::make_shared<Device>();
    fresh->index = old->index;
    fresh->name = old->name;
    fresh->memory = DeviceMemory::create(old->memory->stats().total);
    if (!fresh->memory) return Status::internal;
    fresh->peers.resize(old->peers.size());
    fresh->sensors.take_over(old->sensors);
    model_reset(device);
    Engine& e = engine();
    std::lock_guard<std::shared_mutex> lock(e.mutex);
    e.devices[static_cast<std::size_t>(device)] = fresh;
    return Status::ok;
}

int reset_all() noexcept {
    Engine& e = engine();
    std::lock_guard<std::mutex> once(e.setup_mutex);
    for (const auto& d : all_devices()) stop_streams(*d);
    chip_forget();
    if (e.vendor.on_reset) e.vendor.on_reset();
    handle_drop_if(any, nullptr);
    pinned_release_all();
    fault_reset();
    model_reset(-1);
    log_clear();
    misuse_clear();
    races_clear();
    set_checks(checks_of_environment());
    std::lock_guard<std::shared_mutex> lock(e.mutex);
    e.next_stream = 1;
    e.devices.clear();
    e.ready = false;
    e.setup = das_setup{};
    e.schedule = Schedule{};
    e.latency = Latency{};
    return DAS_OK;
}

} // namespace device_api::engine
