// SPDX-License-Identifier: Apache-2.0
// Loading of backends, and the registry of devices.
#include "device.hpp"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>

#include "allocator.hpp"
#include "contract.hpp"
#include "error.hpp"
#include "op_info.hpp"
#include "stream.hpp"

namespace device_api::core {
namespace {

constexpr int32_t max_types = 64;
constexpr int32_t max_devices = 256;

// Never destroyed: threads may still use devices while the process ends.
struct Registry {
    std::mutex mutex;
    std::atomic<int32_t> count{0};
    std::atomic<Backend *> backends[max_types]{};
    std::atomic<Device *> host{nullptr};
    std::atomic<bool> shut_down{false};
};
Registry &registry() {
    static Registry *instance = new Registry;
    return *instance;
}

template <class F> void each_device(F &&function) {
    Registry &r = registry();
    for (int32_t i = 0; i < r.count.load(std::memory_order_acquire); ++i) {
        for (auto &device : r.backends[i].load()->devices) function(*device);
    }
}

// fork() copies locks as they are: all are taken before it, so that both sides can release them.
void before_fork() {
    registry().mutex.lock();
    each_device([](Device &d) {
        d.mutex.lock();
        d.allocator->lock();
    });
}
void unlock_after_fork() {
    each_device([](Device &d) {
        d.allocator->unlock();
        d.mutex.unlock();
    });
    registry().mutex.unlock();
}
void after_fork_in_child() {
    each_device([](Device &d) {
        if (!d.host_memory && d.ready) d.forked = true;
    });
    unlock_after_fork();
}

da_status make_devices(Backend &backend) {
    int32_t count = 0;
    da_status status = backend.table.device_count(backend.instance, &count);
    if (status) return fail_vendor(backend, nullptr, status, "counting devices");
    if (count < 0 || count > max_devices) {
        return fail(DA_INTERNAL, DAH_ERROR_PLUGIN,
                    "the plugin for '" + backend.type + "' reports " + std::to_string(count) +
                        " devices",
                    "report it to the plugin's maker");
    }
    for (int32_t i = 0; i < count; ++i) {
        auto device = std::make_unique<Device>();
        device->backend = &backend;
        device->index = i;
        device->handle = backend.type_id * max_devices + i;
        device->properties.size = sizeof(dab_properties);
        dab_properties &p = device->properties;
        status = backend.table.device_properties(backend.instance, i, &p);
        if (status) return fail_vendor(backend, device.get(), status, "reading properties");
        p.alignment = std::max<uint64_t>(p.alignment, 64);
        if (p.alignment & (p.alignment - 1)) {
            return fail(DA_INTERNAL, DAH_ERROR_PLUGIN,
                        "the plugin for '" + backend.type + "' reports an alignment of " +
                            std::to_string(p.alignment) + " bytes, not a power of two",
                        "report it to the plugin's maker");
        }
        device->host_memory = p.flags & DAB_DEVICE_HOST_MEMORY;
        device->synchronous = p.flags & DAB_DEVICE_SYNCHRONOUS;
        if (da_status bad = read_ops(*device)) return bad;
        device->allocator = std::make_unique<Allocator>(*device);
        backend.devices.push_back(std::move(device));
    }
    return DA_OK;
}

da_status create_instance(Backend &backend, const char *const *options, uint32_t n_options) {
    dab_config config{};
    config.size = sizeof(config);
    config.abi_major = DAB_ABI_MAJOR;
    config.abi_minor = DAB_ABI_MINOR;
    config.options = options;
    config.n_options = n_options;
    const std::string doing = "starting the plugin for '" + backend.type + "'";
    da_status status = backend.table.create(&config, &backend.instance);
    if (status) return fail_vendor(backend, nullptr, status, doing.c_str());
    if (!backend.instance) {
        return fail(DA_INTERNAL, DAH_ERROR_PLUGIN, doing + " gave no instance",
                    "report it to the plugin's maker");
    }
    return DA_OK;
}

da_status open_library(Backend &backend, const dab_backend **table) {
    const char *library = backend.library.c_str();
    if (library[0] != '/') {
        return fail(DA_INVALID_ARGUMENT, "a plugin's library is named by its full path, not '" +
                                             backend.library + "'");
    }
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        return fail(DA_INTERNAL, DAH_ERROR_PLUGIN,
                    "the plugin's library " + backend.library + " cannot be loaded: " + dlerror(),
                    "reinstall the plugin of the device type '" + backend.type + "'");
    }
    // Never closed: vendor libraries rarely survive that.
    auto entry = reinterpret_cast<dab_entry>(dlsym(handle, DAB_ENTRY_SYMBOL));
    if (!entry) {
        return fail(DA_VERSION_MISMATCH, DAH_ERROR_PLUGIN,
                    backend.library + " is not a backend plugin: it does not export '" +
                        DAB_ENTRY_SYMBOL + "'",
                    "reinstall the plugin of the device type '" + backend.type + "'");
    }
    *table = entry(DAB_ABI_MAJOR, DAB_ABI_MINOR);
    return DA_OK;
}

void publish(Backend *backend) {
    Registry &r = registry();
    static std::once_flag once;
    std::call_once(once,
                   [] { pthread_atfork(before_fork, unlock_after_fork, after_fork_in_child); });
    r.backends[backend->type_id].store(backend);
    r.count.store(backend->type_id + 1, std::memory_order_release);
    if (!r.host.load() && !backend->devices.empty() && backend->devices[0]->host_memory) {
        r.host.store(backend->devices[0].get());
    }
}

da_status open_slowly(Device &device) {
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

bool is_shut_down() { return registry().shut_down.load(std::memory_order_relaxed); }

da_status load_backend(const char *type, const char *library, const dab_backend *table,
                       const char *const *options, uint32_t n_options) {
    Registry &r = registry();
    std::lock_guard<std::mutex> lock(r.mutex);
    if (Backend *loaded = find_backend(type)) {
        if (table ? loaded->given == table : loaded->library == library) return DA_OK;
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_PLUGIN,
                    std::string("the type '") + type + "' is served by " +
                        (loaded->library.empty() ? "a table of this process" : loaded->library) +
                        " already; " + (library ? library : "another table") +
                        " cannot replace it",
                    "uninstall one of the two plugins");
    }
    auto backend = std::make_unique<Backend>();
    backend->type = type;
    backend->library = library ? library : "";
    backend->type_id = r.count.load();
    if (backend->type_id == max_types) return fail(DA_INTERNAL, "too many device types");
    if (library) {
        if (da_status status = open_library(*backend, &table)) return status;
    }
    if (da_status status = read_table(*backend, type, table)) return status;
    if (da_status status = create_instance(*backend, options, n_options)) return status;
    if (da_status status = make_devices(*backend)) {
        if (backend->table.destroy) backend->table.destroy(backend->instance);
        return status;
    }
    publish(backend.release());
    return DA_OK;
}

Backend *backend_at(int32_t type_id) {
    Registry &r = registry();
    if (type_id < 0 || type_id >= r.count.load(std::memory_order_acquire)) return nullptr;
    return r.backends[type_id].load(std::memory_order_relaxed);
}

Backend *find_backend(const char *type) {
    for (int32_t i = 0; Backend *backend = backend_at(i); ++i) {
        if (backend->type == type) return backend;
    }
    return nullptr;
}

Device *find_device(dah_device handle) {
    Backend *backend = handle < 0 ? nullptr : backend_at(handle / max_devices);
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

Device *open_device(dah_device handle) {
    Device *device = find_device(handle);
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

Device *host_device() {
    Device *device = registry().host.load();
    if (device) return open_device(device->handle);
    fail(DA_NOT_SUPPORTED, DAH_ERROR_UNKNOWN_DEVICE,
         "no backend with host memory is loaded, so nothing can fall back to it",
         "install device-api-cpu");
    return nullptr;
}

} // namespace device_api::core

using namespace device_api::core;

da_status dah_backend_load(const char *type, const char *library, const char *const *options,
                           uint32_t n_options) {
    if (!type || !library) return fail(DA_INVALID_ARGUMENT, "type and library must not be NULL");
    return load_backend(type, library, nullptr, options, n_options);
}

da_status dah_backend_register(const char *type, const dab_backend *table,
                               const char *const *options, uint32_t n_options) {
    if (!type || !table) return fail(DA_INVALID_ARGUMENT, "type and table must not be NULL");
    return load_backend(type, nullptr, table, options, n_options);
}

int32_t dah_type_count(void) { return registry().count.load(); }

const char *dah_type_name(int32_t id) {
    Backend *backend = backend_at(id);
    return backend ? backend->type.c_str() : nullptr;
}

int32_t dah_type_find(const char *type) {
    Backend *backend = type ? find_backend(type) : nullptr;
    return backend ? backend->type_id : -1;
}

const char *dah_type_library(int32_t id) {
    Backend *backend = backend_at(id);
    return backend ? backend->library.c_str() : "";
}

const dab_backend *dah_type_table(int32_t id) {
    Backend *backend = backend_at(id);
    return backend ? &backend->table : nullptr;
}

da_status dah_device_count(int32_t type_id, int32_t *count) {
    Backend *backend = backend_at(type_id);
    if (!backend) return fail(DA_INVALID_ARGUMENT, DAH_ERROR_UNKNOWN_DEVICE, "no such type");
    *count = static_cast<int32_t>(backend->devices.size());
    return DA_OK;
}

da_status dah_device_get(const char *type, int32_t index, dah_device *out) {
    Backend *backend = type ? find_backend(type) : nullptr;
    if (!backend) {
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_UNKNOWN_DEVICE,
                    std::string("no backend for the device type '") + (type ? type : "") +
                        "' is loaded");
    }
    if (backend->devices.empty()) {
        return fail(DA_NOT_SUPPORTED, DAH_ERROR_NO_DEVICE,
                    std::string("the plugin for '") + type + "' finds no device",
                    "run `device-api doctor`");
    }
    if (index < 0 || static_cast<size_t>(index) >= backend->devices.size()) {
        const size_t n = backend->devices.size();
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_DEVICE_INDEX,
                    "'" + backend->type + ":" + std::to_string(index) +
                        "' does not exist: there " + (n == 1 ? "is " : "are ") +
                        std::to_string(n) + " of this type",
                    n == 1 ? "use index 0" : "use an index from 0 to " + std::to_string(n - 1));
    }
    *out = backend->devices[static_cast<size_t>(index)]->handle;
    return DA_OK;
}

da_status dah_device_properties(dah_device handle, dab_properties *out) {
    Device *device = find_device(handle);
    if (!device) return static_cast<da_status>(dah_last_error()->status);
    const uint32_t size = out->size ? out->size : static_cast<uint32_t>(sizeof *out);
    std::memcpy(out, &device->properties, std::min<size_t>(size, sizeof *out));
    out->size = size;
    return DA_OK;
}

const dab_op *dah_device_op(dah_device handle, uint16_t op) {
    Device *device = find_device(handle);
    if (!device || op == 0 || op > DA_OP_COUNT || !device->ops[op].op) return nullptr;
    return &device->ops[op];
}

void dah_shutdown(void) {
    Registry &r = registry();
    if (r.shut_down.exchange(true)) return;
    std::lock_guard<std::mutex> lock(r.mutex);
    for (int32_t i = 0; i < r.count.load(); ++i) {
        Backend *backend = r.backends[i].load();
        bool used = false;
        for (auto &device : backend->devices) {
            if (!device->ready || device->forked) continue;
            used = true;
            for (dab_op &op : device->ops) op = dab_op{}; // later calls find no op here
            destroy_streams(*device);
        }
        if (used && backend->table.destroy) backend->table.destroy(backend->instance);
    }
}
