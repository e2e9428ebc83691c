// SPDX-License-Identifier: Apache-2.0
// Devices: listing, the current one, properties, synchronising.
#include "host.hpp"
#include "runtime.hpp"

namespace bridge {
namespace {

// Paddle asks for and sets the current device thousands of times a second: it is ours, since the
// host API names the device in every call.
thread_local int current = 0;

C_Status set_device(const C_Device device) {
    current = device->id;
    return C_SUCCESS;
}

C_Status get_device(const C_Device device) {
    device->id = current;
    return C_SUCCESS;
}

C_Status get_count(size_t* count) {
    *count = static_cast<size_t>(device_count());
    return C_SUCCESS;
}

C_Status get_list(size_t* devices) {
    for (int i = 0; i < device_count(); ++i) devices[i] = static_cast<size_t>(i);
    return C_SUCCESS;
}

C_Status synchronize(const C_Device device) {
    return translate(dah_device_synchronize(device_at(device->id), -1), "synchronizing the device");
}

// One number of the device's properties.
template <auto member>
C_Status property(const C_Device device, size_t* out) {
    dab_properties properties{};
    properties.size = sizeof properties;
    const da_status status = dah_device_properties(device_at(device->id), &properties);
    if (status == DA_OK) *out = static_cast<size_t>(properties.*member);
    return translate(status, "reading device properties");
}

C_Status capability(const C_Device device, size_t* out) {
    size_t minor = 0;
    if (const C_Status status = property<&dab_properties::capability_minor>(device, &minor))
        return status;
    const C_Status status = property<&dab_properties::capability_major>(device, out);
    *out = *out * 10 + minor;
    return status;
}

// Whether the chip computes in a type natively: what mixed precision needs first is the product.
template <da_dtype dtype>
C_Status supports(const C_Device device, bool* out) {
    const dab_op* op = dah_device_op(device_at(device->id), DA_OP_MATMUL);
    *out = op != nullptr && (op->dtypes & DA_DTYPE_BIT(dtype)) != 0;
    return C_SUCCESS;
}

} // namespace

void fill_devices(C_DeviceInterface* interface) {
    interface->set_device = set_device;
    interface->get_device = get_device;
    interface->get_device_count = get_count;
    interface->get_device_list = get_list;
    interface->synchronize_device = synchronize;
    interface->get_compute_capability = capability;
    interface->get_runtime_version = property<&dab_properties::runtime_version>;
    interface->get_driver_version = property<&dab_properties::driver_version>;
    interface->get_multi_process = property<&dab_properties::compute_units>;
    interface->get_max_threads_per_mp = property<&dab_properties::max_threads_per_unit>;
    interface->get_max_threads_per_block = property<&dab_properties::max_threads_per_block>;
    interface->is_float16_supported = supports<DA_FLOAT16>;
    interface->is_bfloat16_supported = supports<DA_BFLOAT16>;
}

C_Status translate(da_status status, const char* what) {
    if (status == DA_OK) return C_SUCCESS;
    // Paddle frees its cache and asks again when memory is short: no noise about that.
    keep_failure(host_failure(what), status != DA_OUT_OF_MEMORY);
    if (status == DA_OUT_OF_MEMORY || status == DA_BUSY) return C_FAILED;
    return status == DA_INVALID_ARGUMENT ? C_ERROR : C_INTERNAL_ERROR;
}

C_Status translate_query(da_status status, const char* what) {
    return status == DA_NOT_READY ? C_WARNING : translate(status, what);
}

} // namespace bridge
