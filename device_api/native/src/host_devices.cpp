// SPDX-License-Identifier: Apache-2.0
// The host API's functions on backends and devices.
#include <algorithm>
#include <cstring>

#include "error.hpp"
#include "registry.hpp"

using namespace device_api::core;

da_status dah_backend_load(const char* type, const char* library, const char* const* options,
                           uint32_t n_options) {
    if (!type || !library) return fail(DA_INVALID_ARGUMENT, "type and library must not be NULL");
    return load_backend(type, library, nullptr, options, n_options);
}

da_status dah_backend_register(const char* type, const dab_backend* table,
                               const char* const* options, uint32_t n_options) {
    if (!type || !table) return fail(DA_INVALID_ARGUMENT, "type and table must not be NULL");
    return load_backend(type, nullptr, table, options, n_options);
}

int32_t dah_type_count(void) {
    return registry().count.load();
}

const char* dah_type_name(int32_t id) {
    Backend* backend = backend_at(id);
    return backend ? backend->type.c_str() : nullptr;
}

int32_t dah_type_find(const char* type) {
    Backend* backend = type ? find_backend(type) : nullptr;
    return backend ? backend->type_id : -1;
}

const char* dah_type_library(int32_t id) {
    Backend* backend = backend_at(id);
    return backend ? backend->library.c_str() : "";
}

const dab_backend* dah_type_table(int32_t id) {
    Backend* backend = backend_at(id);
    return backend ? &backend->table : nullptr;
}

da_status dah_device_count(int32_t type_id, int32_t* count) {
    Backend* backend = backend_at(type_id);
    if (!backend) return fail(DA_INVALID_ARGUMENT, DAH_ERROR_UNKNOWN_DEVICE, "no such type");
    *count = static_cast<int32_t>(backend->devices.size());
    return DA_OK;
}

da_status dah_device_get(const char* type, int32_t index, dah_device* out) {
    Backend* backend = type ? find_backend(type) : nullptr;
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
                    "'" + backend->type + ":" + std::to_string(index) + "' does not exist: there " +
                        (n == 1 ? "is " : "are ") + std::to_string(n) + " of this type",
                    n == 1 ? "use index 0" : "use an index from 0 to " + std::to_string(n - 1));
    }
    *out = backend->devices[static_cast<size_t>(index)]->handle;
    return DA_OK;
}

da_status dah_device_properties(dah_device handle, dab_properties* out) {
    Device* device = find_device(handle);
    if (!device) return last_status();
    const uint32_t size = out->size ? out->size : static_cast<uint32_t>(sizeof *out);
    std::memcpy(out, &device->properties, std::min<size_t>(size, sizeof *out));
    out->size = size;
    return DA_OK;
}

da_status dah_device_count_given(int32_t type_id, int32_t* count) {
    Backend* backend = backend_at(type_id);
    if (!backend) return fail(DA_INVALID_ARGUMENT, DAH_ERROR_UNKNOWN_DEVICE, "no such type");
    const da_status status = backend->table.device_count(backend->instance, count);
    return status ? fail_vendor(*backend, nullptr, status, "counting devices") : DA_OK;
}

da_status dah_device_properties_given(dah_device handle, dab_properties* out) {
    Device* device = find_device(handle);
    if (!device) return last_status();
    dab_properties given{};
    given.size = sizeof given;
    const da_status status = device->api().device_properties(device->self(), device->index, &given);
    if (status) return fail_vendor(*device->backend, device, status, "reading properties");
    clean(given);
    const uint32_t size = out->size ? out->size : static_cast<uint32_t>(sizeof *out);
    std::memcpy(out, &given, std::min<size_t>(size, sizeof *out));
    out->size = size;
    return DA_OK;
}

const dab_op* dah_device_op(dah_device handle, uint16_t op) {
    Device* device = find_device(handle);
    if (!device || op == 0 || op > DA_OP_COUNT || !device->ops[op].op) return nullptr;
    return &device->ops[op];
}
