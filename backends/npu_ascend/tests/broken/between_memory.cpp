// SPDX-License-Identifier: Apache-2.0
// Memory and copies on their way to the simulated CANN.
#include <cstring>
#include <mutex>

#include "between.hpp"

using namespace broken;

namespace {

// The one pinned buffer of host_buffer_reused, given back with the device.
struct Buffer {
    std::mutex mutex;
    void* memory = nullptr;
    std::size_t bytes = 0;
};
Buffer& buffer() {
    static auto* b = new Buffer;
    return *b;
}

void drop_buffer() {
    Buffer& b = buffer();
    std::lock_guard<std::mutex> lock(b.mutex);
    if (b.memory) REAL(aclrtFreeHost)(b.memory);
    b.memory = nullptr;
    b.bytes = 0;
}

aclError upload_from_freed(void* to, std::size_t room, const void* from, std::size_t count,
                           aclrtStream stream) {
    void* staging = nullptr;
    if (aclError code = REAL(aclrtMallocHost)(&staging, count)) return code;
    std::memcpy(staging, from, count);
    const aclError code =
        REAL(aclrtMemcpyAsync)(to, room, staging, count, ACL_MEMCPY_HOST_TO_DEVICE, stream);
    REAL(aclrtFreeHost)(staging);
    return code;
}

aclError upload_from_reused(void* to, std::size_t room, const void* from, std::size_t count,
                            aclrtStream stream) {
    constexpr std::size_t size = 1 << 20;
    Buffer& b = buffer();
    std::lock_guard<std::mutex> lock(b.mutex);
    if (!b.memory) {
        if (aclError code = REAL(aclrtMallocHost)(&b.memory, size)) return code;
        b.bytes = size;
    }
    if (count > b.bytes) return ACL_ERROR_BAD_ALLOC;
    std::memcpy(b.memory, from, count);
    return REAL(aclrtMemcpyAsync)(to, room, b.memory, count, ACL_MEMCPY_HOST_TO_DEVICE, stream);
}

} // namespace

BETWEEN aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
    const aclError code = REAL(aclrtMallocAlign32)(devPtr, size, policy);
    if (code && is(Variant::out_of_memory_swallowed)) {
        *devPtr = reinterpret_cast<void*>(std::uintptr_t{64});
        return ACL_SUCCESS;
    }
    return code;
}

BETWEEN aclError aclrtFree(void* devPtr) {
    if (is(Variant::free_missing)) return ACL_SUCCESS;
    const aclError code = REAL(aclrtFree)(devPtr);
    if (is(Variant::free_twice)) REAL(aclrtFree)(devPtr);
    return code;
}

BETWEEN aclError aclrtFreeHost(void* hostPtr) {
    return is(Variant::host_free_missing) ? ACL_SUCCESS : REAL(aclrtFreeHost)(hostPtr);
}

BETWEEN aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count,
                                  aclrtMemcpyKind kind, aclrtStream stream) {
    const bool up = kind == ACL_MEMCPY_HOST_TO_DEVICE, down = kind == ACL_MEMCPY_DEVICE_TO_HOST;
    if ((up && is(Variant::synchronous_upload)) || (down && is(Variant::synchronous_download)))
        return REAL(aclrtMemcpy)(dst, destMax, src, count, kind);
    if (up && is(Variant::host_buffer_freed_early))
        return upload_from_freed(dst, destMax, src, count, stream);
    if (up && is(Variant::host_buffer_reused))
        return upload_from_reused(dst, destMax, src, count, stream);
    if (up && is(Variant::wrong_copy_kind)) kind = ACL_MEMCPY_DEVICE_TO_DEVICE;
    if (is(Variant::upload_too_short)) --count;
    if (is(Variant::copy_on_wrong_stream)) stream = other_stream(stream);
    return REAL(aclrtMemcpyAsync)(dst, destMax, src, count, kind, stream);
}

BETWEEN aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count,
                                  aclrtStream stream) {
    if (is(Variant::fill_value_ignored)) value = 0;
    if (is(Variant::fill_on_wrong_stream)) stream = other_stream(stream);
    return REAL(aclrtMemsetAsync)(devPtr, maxCount, value, count, stream);
}

// The last call for a device: what this library took for itself goes first.
BETWEEN aclError aclrtResetDevice(int32_t device) {
    drop_buffer();
    drop_workspace(device);
    return is(Variant::device_kept) ? ACL_SUCCESS : REAL(aclrtResetDevice)(device);
}
