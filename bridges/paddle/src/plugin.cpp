// SPDX-License-Identifier: Apache-2.0
// What the library exports: Paddle's entry point, and a few questions for the Python side.
#include <dlfcn.h>

#include <cstring>
#include <string>

#include "host.hpp"
#include "kernels.hpp"
#include "runtime.hpp"

#define BRIDGE_EXPORT extern "C" __attribute__((visibility("default")))

// Called by Paddle while it is imported. Leaving `params` as it is declines: Paddle then goes on
// without the device type. A failure later on would make Paddle end the process, so everything
// that can fail is done here.
BRIDGE_EXPORT void InitPlugin(CustomRuntimeParams* params) {
    PADDLE_CUSTOM_RUNTIME_CHECK_VERSION(params);
    if (params->size != sizeof(CustomRuntimeParams) ||
        params->interface->size != sizeof(C_DeviceInterface)) {
        bridge::keep_failure("this Paddle has another device interface than the bridge was built "
                             "for; it needs paddlepaddle==" BRIDGE_PADDLE_VERSION,
                             true);
        return;
    }
    if (!bridge::open_host()) return;
    static std::string type = bridge::device_type();
    static std::string sub_type = "device_api";
    params->device_type = type.data();
    params->sub_device_type = sub_type.data();

    std::memset(static_cast<void*>(params->interface), 0, sizeof(C_DeviceInterface));
    params->interface->size = sizeof(C_DeviceInterface);
    bridge::fill_devices(params->interface);
    bridge::fill_streams(params->interface);
    bridge::fill_memory(params->interface);
    bridge::register_kernels(type.c_str());
}

// ---- for device_api_paddle, by ctypes ----------------------------------------------------------

BRIDGE_EXPORT const char* device_api_paddle_last_error() {
    return bridge::last_error();
}
BRIDGE_EXPORT const char* device_api_paddle_plugin() {
    return bridge::plugin_library();
}

// The file of the libdevice_api in use.
BRIDGE_EXPORT const char* device_api_paddle_core() {
    Dl_info info{};
    return dladdr(reinterpret_cast<void*>(dah_version), &info) ? info.dli_fname : "";
}

// Name of an op in the op table, NULL past its end; how often the bridge ran it natively.
BRIDGE_EXPORT const char* device_api_paddle_op_name(uint16_t op) {
#define BRIDGE_NAME(id, upper, name, ...) #name,
    static const char* const kNames[] = {"none", DA_OPS(BRIDGE_NAME)};
#undef BRIDGE_NAME
    return op <= DA_OP_COUNT ? kNames[op] : nullptr;
}

BRIDGE_EXPORT uint64_t device_api_paddle_native_count(uint16_t op) {
    return bridge::run_count(op);
}
