// SPDX-License-Identifier: Apache-2.0
// Devices: set-up at first use, state, peers, memory calls.
#include <chrono>
#include <cstring>

#include "chip_file.hpp"
#include "memory.hpp"
#include "model.hpp"
#include "stream.hpp"

namespace device_api::engine {

Engine& engine() noexcept {
    static auto* e = new Engine;
    return *e;
}

Device::~Device() = default;

std::int64_t now_ns() noexcept {
    using clock = std::chrono::steady_clock;
    static const clock::time_point start = clock::now();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - start).count();
}

void vendor(const Vendor& v) noexcept {
    Engine& e = engine();
    std::lock_guard<std::shared_mutex> lock(e.mutex);
    if (!e.vendor_set) e.vendor = v;
    e.vendor_set = true;
}

namespace {

std::string full_name(const Engine& e) {
    std::string suffix = e.setup.name_suffix;
    if (suffix.find("simulated") == std::string::npos) suffix += " (simulated)";
    return e.vendor.device_name + suffix;
}

/// Make the devices, once. Reserving the address space is all it costs.
Status set_up() {
    Engine& e = engine();
    std::lock_guard<std::mutex> once(e.setup_mutex);
    {
        std::shared_lock<std::shared_mutex> lock(e.mutex);
        if (e.ready) return Status::ok;
    }
    if (checking(DAS_CHECK_HOST)) watch_host_faults(); // asked for by the environment
    const ChipPtr of = chip();
    if (!of) return fail(Status::invalid_value, "%s", chip_problem().c_str());
    if (!of->file.empty()) chip_telemetry(*of); // else as the vendor has set it
    DevicePtrs made;
    const int count = e.setup.devices < 0 ? 0
                      : e.setup.devices   ? e.setup.devices
                                          : e.vendor.devices;
    const std::uint64_t usual = of->file.empty()
                                    ? e.vendor.memory_bytes
                                    : static_cast<std::uint64_t>(of->integer("memory.bytes"));
    const std::uint64_t bytes = e.setup.memory_bytes ? e.setup.memory_bytes : usual;
    for (int i = 0; i < count; ++i) {
        auto d = std::make_shared<Device>();
        d->index = i;
        d->name = full_name(e);
        d->memory = DeviceMemory::create(bytes, e.vendor.kernels_reach);
        if (!d->memory) return Status::internal;
        d->peers.resize(static_cast<std::size_t>(count));
        made.push_back(std::move(d));
    }
    if (!fault_add_environment()) return Status::invalid_value;
    std::lock_guard<std::shared_mutex> lock(e.mutex);
    e.devices = std::move(made);
    e.ready = true;
    return Status::ok;
}

std::shared_ptr<Device> device_or_null(int index) {
    Engine& e = engine();
    std::shared_lock<std::shared_mutex> lock(e.mutex);
    if (!e.ready || index < 0 || index >= static_cast<int>(e.devices.size())) return nullptr;
    return e.devices[static_cast<std::size_t>(index)];
}

} // namespace

std::shared_ptr<Device> find_device(int index, Status* why, bool allow_lost) noexcept {
    *why = alive();
    if (*why != Status::ok) return nullptr;
    auto d = device_or_null(index);
    if (!d) {
        *why = set_up();
        if (*why != Status::ok) return nullptr;
        d = device_or_null(index);
    }
    if (!d) {
        *why = fail(Status::invalid_device, "no device %d: there are %d", index, device_count());
    } else if (d->lost && !allow_lost) {
        std::lock_guard<std::mutex> lock(d->mutex);
        *why = fail(Status::device_lost, "device %d is lost: %s; reset it", index,
                    d->lost_reason.c_str());
        return nullptr;
    }
    return d;
}

std::shared_ptr<Device> device_of_address(std::uintptr_t p) noexcept {
    Engine& e = engine();
    std::shared_lock<std::shared_mutex> lock(e.mutex);
    for (const auto& d : e.devices)
        if (d->memory->owns(p)) return d;
    return nullptr;
}

DevicePtrs all_devices() noexcept {
    Engine& e = engine();
    std::shared_lock<std::shared_mutex> lock(e.mutex);
    return e.devices;
}

int device_count() noexcept {
    if (alive() != Status::ok || set_up() != Status::ok) return 0;
    return static_cast<int>(all_devices().size());
}

const char* device_name(int device) noexcept {
    thread_local char name[128];
    Status why;
    auto d = find_device(device, &why, true);
    std::snprintf(name, sizeof name, "%s", d ? d->name.c_str() : "");
    return name;
}

Status device_check(int device) noexcept {
    Status why;
    find_device(device, &why);
    return why;
}

Status device_synchronize(int device, int timeout_ms) noexcept {
    if (Status s = not_in_task("waiting for a device"); s != Status::ok) return s;
    Status why;
    auto d = find_device(device, &why);
    if (!d) return why;
    const std::int64_t start = now_ns();
    Status first = Status::ok;
    char message[512] = "";
    for (const StreamPtr& s : streams_of(*d)) {
        std::uint64_t last;
        {
            std::lock_guard<std::mutex> lock(s->mutex);
            last = s->submitted;
        }
        int left = timeout_ms;
        if (timeout_ms >= 0)
            left = std::max<std::int64_t>(0, timeout_ms - (now_ns() - start) / 1000000);
        const Status status = s->wait(last, left, true);
        if (status == Status::timeout) return status;
        if (status == Status::ok || first != Status::ok) continue;
        first = status;
        std::strncpy(message, last_message(), sizeof message - 1);
    }
    return first == Status::ok ? device_check(device) : fail(first, "%s", message);
}

Status device_lose(int device, const char* reason) noexcept {
    Status why;
    auto d = find_device(device, &why, true);
    if (!d) return why;
    std::lock_guard<std::mutex> lock(d->mutex);
    if (!d->lost) d->lost_reason = reason ? reason : "no reason given";
    d->lost = true;
    return Status::ok;
}

// ---- peers -------------------------------------------------------

namespace {

Status peer_pair(int device, int peer, std::shared_ptr<Device>* out) {
    Status why;
    *out = find_device(device, &why);
    if (why != Status::ok || !find_device(peer, &why)) return why;
    return device == peer ? fail(Status::invalid_value, "device %d is no peer of itself", device)
                          : Status::ok;
}

Status peer_set(int device, int peer, bool on) {
    std::shared_ptr<Device> d;
    if (Status s = peer_pair(device, peer, &d); s != Status::ok) return s;
    if (on && !peer_access(device, peer).access)
        return fail(Status::not_supported,
                    "devices %d and %d of this chip have no peer access to each other", device,
                    peer);
    std::lock_guard<std::mutex> lock(d->mutex);
    if (d->peers[static_cast<std::size_t>(peer)] == on)
        return fail(Status::invalid_state, "peer access from device %d to %d is %s enabled", device,
                    peer, on ? "already" : "not");
    d->peers[static_cast<std::size_t>(peer)] = on;
    return Status::ok;
}

} // namespace

Status peer_can_access(int device, int peer, bool* can) noexcept {
    std::shared_ptr<Device> d;
    if (Status s = peer_pair(device, peer, &d); s != Status::ok) return s;
    *can = peer_access(device, peer).access;
    return Status::ok;
}
Status peer_enable(int device, int peer) noexcept {
    return peer_set(device, peer, true);
}
Status peer_disable(int device, int peer) noexcept {
    return peer_set(device, peer, false);
}
Status peer_enabled(int device, int peer, bool* enabled) noexcept {
    std::shared_ptr<Device> d;
    if (Status s = peer_pair(device, peer, &d); s != Status::ok) return s;
    std::lock_guard<std::mutex> lock(d->mutex);
    *enabled = d->peers[static_cast<std::size_t>(peer)];
    return Status::ok;
}

// ---- memory ------------------------------------------------------

Status mem_alloc(int device, std::size_t bytes, DevicePtr* out, std::size_t alignment) noexcept {
    Status why;
    auto d = find_device(device, &why);
    if (!d) return why;
    const Vendor& v = engine().vendor;
    if (!alignment) alignment = v.alignment;
    if (!out || !bytes || (alignment & (alignment - 1)) || alignment > 4096)
        return fail(Status::invalid_value,
                    "device allocation of %zu bytes, alignment %zu: a positive size and a power of "
                    "two up to 4096 are needed",
                    bytes, alignment);
    if (FaultHit hit = fault_for({0, device, "", bytes, 0}); hit.kind)
        return fail(Status::out_of_memory,
                    "out of device memory: %zu bytes asked for (injected fault %d)", bytes, hit.id);
    return d->memory->allocate(bytes, alignment, v.padding, out);
}

std::string history_of(std::uintptr_t p) {
    auto d = device_of_address(p);
    return d ? d->memory->history(p) : "";
}

Status mem_free(DevicePtr p) noexcept {
    if (Status s = alive(); s != Status::ok) return s;
    auto d = device_of_address(p);
    if (!d)
        return misuse(Rule::wild_free, Status::invalid_address,
                      "free of %p, which is no device address", reinterpret_cast<void*>(p));
    return d->memory->release(p);
}

Status mem_info(int device, std::uint64_t* free_bytes, std::uint64_t* total_bytes) noexcept {
    Status why;
    auto d = find_device(device, &why);
    if (!d) return why;
    const MemoryStats s = d->memory->stats();
    if (free_bytes) *free_bytes = s.total - s.used;
    if (total_bytes) *total_bytes = s.total;
    return Status::ok;
}

} // namespace device_api::engine
