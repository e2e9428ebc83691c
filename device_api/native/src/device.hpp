// SPDX-License-Identifier: Apache-2.0
// Loaded backends and their devices.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device_api/host.h"

namespace device_api::core {

class Allocator;
struct Device;

// One place in a type's list of devices. A reset puts a new device there; the old one is never
// freed (what was made on it still points there) and stays reachable from the new one.
class DeviceSlot {
  public:
    explicit DeviceSlot(std::unique_ptr<Device> device) : device_(device.release()) {}
    DeviceSlot(DeviceSlot&& other) noexcept : device_(other.device_.exchange(nullptr)) {}
    DeviceSlot& operator=(DeviceSlot&&) = delete;
    ~DeviceSlot();
    Device* get() const { return device_.load(std::memory_order_acquire); }
    Device* operator->() const { return get(); }
    Device& operator*() const { return *get(); }
    void replace(Device* fresh) { device_.store(fresh, std::memory_order_release); }

  private:
    std::atomic<Device*> device_;
};

// A loaded plugin. Lives until the process ends.
struct Backend {
    std::string type;
    std::string library; // file, empty for a table registered in the process
    int32_t type_id = 0;
    const dab_backend* given = nullptr; // as the plugin handed it out
    dab_backend table{};                // cut or zero-extended to this version
    dab_instance* instance = nullptr;
    std::vector<DeviceSlot> devices;
};

// One device and what the hot path needs of it. `ops`, `backend` and `properties` are constant
// once the device exists; the rest of it is made ready at first use (`open`).
struct Device {
    Backend* backend = nullptr;
    int32_t index = 0;
    dah_device handle = 0;
    dab_properties properties{};
    bool host_memory = false;
    bool synchronous = false;
    std::atomic<bool> ready{false};
    std::atomic<bool> forked{false}; // this is a child that must not use it
    dah_stream* default_stream = nullptr;
    dab_op ops[DA_OP_COUNT + 1]{}; // op == 0 where the device has none
    std::atomic<uint64_t> native_counts[DA_OP_COUNT + 1]{};
    std::atomic<uint64_t> composed_counts[DA_OP_COUNT + 1]{};
    std::unique_ptr<Allocator> allocator;
    std::mutex mutex;                         // guards opening and `streams`
    std::atomic<dah_error*> failure{nullptr}; // met by a silent wait, not yet reported; owned
    std::vector<dah_stream*> streams;
    mutable std::atomic<bool> lost{false}; // the vendor said so
    std::atomic<bool> gone{false};         // was reset, or is being: all of it is dead
    uint32_t generation = 0;               // resets before it was made
    Device* before = nullptr;              // what was here before the last reset

    std::string name() const { return backend->type + ":" + std::to_string(index); }
    const dab_backend& api() const { return backend->table; }
    dab_instance* self() const { return backend->instance; }
};

// Loads, checks and publishes a backend; on failure nothing of it stays.
da_status load_backend(const char* type, const char* library, const dab_backend* table,
                       const char* const* options, uint32_t n_options);

Backend* find_backend(const char* type);
Backend* backend_at(int32_t type_id);

// The device behind a handle, made ready; NULL with the error set when there is none. Fast when
// it is ready already.
Device* open_device(dah_device handle);
// The same without making it ready.
Device* find_device(dah_device handle);

// The first device of type "cpu", where fallbacks run; NULL with the error set.
Device* host_device();
bool is_host(const Device& device);

bool is_shut_down();

} // namespace device_api::core
