// SPDX-License-Identifier: Apache-2.0
// Loading of a plugin: its library, its table, its instance and its devices.
#include <cstdlib>
#include <dlfcn.h>

#include "allocator.hpp"
#include "contract.hpp"
#include "error.hpp"
#include "registry.hpp"

namespace device_api::core {

void clean(dab_properties& p) {
    clean_text(p.name);
    clean_text(p.arch);
    clean_text(p.uuid);
    clean_text(p.pci_bus_id);
    clean_text(p.driver);
    clean_text(p.runtime);
}

namespace {

da_status make_devices(Backend& backend) {
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
        dab_properties& p = device->properties;
        status = backend.table.device_properties(backend.instance, i, &p);
        if (status) return fail_vendor(backend, device.get(), status, "reading properties");
        clean(p);
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
        backend.devices.emplace_back(std::move(device));
    }
    return DA_OK;
}

da_status create_instance(Backend& backend, const char* const* options, uint32_t n_options) {
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

da_status open_library(Backend& backend, const dab_backend** table) {
    const char* library = backend.library.c_str();
    if (library[0] != '/') {
        return fail(DA_INVALID_ARGUMENT,
                    "a plugin's library is named by its full path, not '" + backend.library + "'");
    }
    void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
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

} // namespace

da_status load_backend(const char* type, const char* library, const dab_backend* table,
                       const char* const* options, uint32_t n_options) {
    Registry& r = registry();
    std::lock_guard<std::mutex> lock(r.mutex);
    if (Backend* loaded = find_backend(type)) {
        if (table ? loaded->given == table : loaded->library == library) return DA_OK;
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_PLUGIN,
                    std::string("the type '") + type + "' is served by " +
                        (loaded->library.empty() ? "a table of this process" : loaded->library) +
                        " already; " + (library ? library : "another table") + " cannot replace it",
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

} // namespace device_api::core
