// SPDX-License-Identifier: Apache-2.0
// Memory of devices and page-locked host memory; copies and fills.
#include <algorithm>

#include "instance.hpp"

namespace device_api::npu {
namespace {

constexpr double mib = 1 << 20;

da_status out_of_memory(Instance& self, std::int32_t device, std::uint64_t bytes, int code) {
    const da_status status = vendor_fail(self.cann, code, "aclrtMallocAlign32");
    std::size_t free_bytes = 0, total = 0;
    if (self.cann.aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total) == ACL_SUCCESS)
        add_context("asked %.1f MiB on NPU %d, which has %.1f of %.1f MiB free: ",
                    static_cast<double>(bytes) / mib, device, static_cast<double>(free_bytes) / mib,
                    static_cast<double>(total) / mib);
    return status;
}

constexpr aclrtMemcpyKind copy_kinds[] = {ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST,
                                          ACL_MEMCPY_DEVICE_TO_DEVICE};

// Peer access is enabled for one direction, from the current device to the other.
bool enable_peer(Instance& self, std::int32_t from, std::int32_t to) {
    auto& known = self.devices[static_cast<std::size_t>(from)].peer[static_cast<std::size_t>(to)];
    if (const std::uint8_t answer = known.load()) return answer == 1;
    std::int32_t can = 0;
    const Cann& cann = self.cann;
    const bool usable = cann.aclrtDeviceCanAccessPeer && cann.aclrtDeviceEnablePeerAccess &&
                        use_device(self, from) == DA_OK &&
                        cann.aclrtDeviceCanAccessPeer(&can, from, to) == ACL_SUCCESS && can == 1 &&
                        cann.aclrtDeviceEnablePeerAccess(to, 0) == ACL_SUCCESS;
    known.store(usable ? 1 : 2);
    return usable;
}

} // namespace

// The padding-free call: with plain aclrtMalloc a block of whole huge pages would take one more.
da_status alloc(Instance& self, std::int32_t device, std::uint64_t bytes, void** address) {
    if (const da_status status = use_device(self, device)) return status;
    void* memory = nullptr;
    const int code = self.cann.aclrtMallocAlign32(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    if (code != ACL_SUCCESS) return out_of_memory(self, device, bytes, code);
    *address = memory;
    return DA_OK;
}

da_status free_memory(Instance& self, std::int32_t device, void* address) {
    if (const da_status status = use_device(self, device)) return status;
    NPU_TRY(self.cann, aclrtFree, address);
    return DA_OK;
}

da_status memory_info(Instance& self, std::int32_t device, std::uint64_t* free_bytes,
                      std::uint64_t* total_bytes) {
    if (const da_status status = use_device(self, device)) return status;
    std::size_t available = 0, total = 0;
    NPU_TRY(self.cann, aclrtGetMemInfo, ACL_HBM_MEM, &available, &total);
    if (total == 0) NPU_TRY(self.cann, aclrtGetMemInfo, ACL_DDR_MEM, &available, &total);
    *free_bytes = available;
    *total_bytes = total;
    return DA_OK;
}

da_status host_alloc(Instance& self, std::int32_t device, std::uint64_t bytes, void** address) {
    if (const da_status status = use_device(self, device)) return status;
    void* memory = nullptr;
    NPU_TRY(self.cann, aclrtMallocHost, &memory, bytes);
    *address = memory;
    return DA_OK;
}

da_status host_free(Instance& self, std::int32_t device, void* address) {
    if (const da_status status = use_device(self, device)) return status;
    NPU_TRY(self.cann, aclrtFreeHost, address);
    return DA_OK;
}

da_status copy(Instance& self, dab_stream stream, void* target, const void* source,
               std::uint64_t bytes, dab_copy_kind kind) {
    if (static_cast<unsigned>(kind) > DAB_DEVICE_TO_DEVICE)
        return fail(DA_INVALID_ARGUMENT, nullptr, "copy: there is no kind %d", kind);
    if (const da_status status = use(self, *stream)) return status;
    NPU_TRY(self.cann, aclrtMemcpyAsync, target, bytes, source, bytes, copy_kinds[kind],
            stream->raw);
    return DA_OK;
}

da_status copy_peer(Instance& self, dab_stream stream, std::int32_t target_device, void* target,
                    std::int32_t source_device, const void* source, std::uint64_t bytes) {
    for (const std::int32_t device : {target_device, source_device})
        if (const da_status status = check_device(self, device)) return status;
    if (target_device == source_device)
        return copy(self, stream, target, source, bytes, DAB_DEVICE_TO_DEVICE);
    const bool linked = enable_peer(self, target_device, source_device) &&
                        enable_peer(self, source_device, target_device);
    if (!linked)
        return fail(DA_NOT_SUPPORTED, nullptr, "NPU %d and NPU %d have no direct link",
                    source_device, target_device);
    return copy(self, stream, target, source, bytes, DAB_DEVICE_TO_DEVICE);
}

da_status fill(Instance& self, dab_stream stream, void* target, std::uint8_t value,
               std::uint64_t bytes) {
    if (const da_status status = use(self, *stream)) return status;
    NPU_TRY(self.cann, aclrtMemsetAsync, target, bytes, value, bytes, stream->raw);
    return DA_OK;
}

} // namespace device_api::npu
