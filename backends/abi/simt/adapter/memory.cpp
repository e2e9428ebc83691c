// SPDX-License-Identifier: Apache-2.0
// Memory of devices and page-locked host memory; copies and fills.
#include "instance.hpp"

namespace device_api::simt {
namespace {

constexpr double mib = 1 << 20;

} // namespace

da_status alloc(Instance& self, std::int32_t device, std::uint64_t bytes, void** address) {
    if (const da_status status = use_device(self, device)) return status;
    Driver& driver = *self.parts.driver;
    const da_status status = driver.alloc(bytes, address);
    if (status != DA_OUT_OF_MEMORY) return status;
    dab_error first{};
    first.size = sizeof first;
    last_error(&first);
    std::uint64_t available = 0, total = 0;
    if (driver.memory_info(&available, &total) != DA_OK) available = total = 0;
    fail(DA_OUT_OF_MEMORY, first.remedy, "%s", first.message);
    add_context("asked %.1f MiB on device %d, which has %.1f of %.1f MiB free: ",
                static_cast<double>(bytes) / mib, device, static_cast<double>(available) / mib,
                static_cast<double>(total) / mib);
    return DA_OUT_OF_MEMORY;
}

da_status free_memory(Instance& self, std::int32_t device, void* address) {
    if (const da_status status = use_device(self, device)) return status;
    return self.parts.driver->free(address);
}

da_status memory_info(Instance& self, std::int32_t device, std::uint64_t* free_bytes,
                      std::uint64_t* total_bytes) {
    if (const da_status status = use_device(self, device)) return status;
    return self.parts.driver->memory_info(free_bytes, total_bytes);
}

da_status host_alloc(Instance& self, std::int32_t device, std::uint64_t bytes, void** address) {
    if (const da_status status = use_device(self, device)) return status;
    return self.parts.driver->host_alloc(bytes, address);
}

da_status host_free(Instance& self, std::int32_t device, void* address) {
    if (const da_status status = use_device(self, device)) return status;
    return self.parts.driver->host_free(address);
}

da_status copy(Instance& self, dab_stream stream, void* target, const void* source,
               std::uint64_t bytes, dab_copy_kind kind) {
    if (static_cast<unsigned>(kind) > DAB_DEVICE_TO_DEVICE)
        return fail(DA_INVALID_ARGUMENT, nullptr, "copy: there is no kind %d", kind);
    if (const da_status status = use(self, *stream)) return status;
    return self.parts.driver->copy(target, source, bytes, kind, stream->raw);
}

da_status copy_peer(Instance& self, dab_stream stream, std::int32_t target_device, void* target,
                    std::int32_t source_device, const void* source, std::uint64_t bytes) {
    for (const std::int32_t device : {target_device, source_device})
        if (const da_status status = use_device(self, device)) return status;
    if (target_device == source_device)
        return copy(self, stream, target, source, bytes, DAB_DEVICE_TO_DEVICE);
    if (const da_status status = use(self, *stream)) return status;
    return self.parts.driver->copy_peer(target, target_device, source, source_device, bytes,
                                        stream->raw);
}

da_status fill(Instance& self, dab_stream stream, void* target, std::uint8_t value,
               std::uint64_t bytes) {
    if (const da_status status = use(self, *stream)) return status;
    return self.parts.driver->fill(target, value, bytes, stream->raw);
}

} // namespace device_api::simt
