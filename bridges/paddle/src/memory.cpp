// SPDX-License-Identifier: Apache-2.0
// Memory and copies. Paddle keeps its own cache, so blocks come straight from the backend.
#include "host.hpp"
#include "runtime.hpp"

namespace bridge {
namespace {

// Paddle rounds every tensor up to this, and so every tensor starts at a multiple of it.
constexpr size_t kChunk = 512;

// Out of memory is told by a null address: Paddle then gives back its cache and tries again, and
// in the end raises its own error with the sizes. A failing status would end the attempt.
C_Status allocate(const C_Device device, void** address, size_t bytes) {
    *address = nullptr;
    const da_status status = dah_malloc_direct(device_at(device->id), bytes, address);
    const C_Status result = translate(status, "allocating device memory");
    return status == DA_OUT_OF_MEMORY ? C_SUCCESS : result;
}

C_Status deallocate(const C_Device device, void* address, size_t) {
    // Paddle gives blocks back when its cache is trimmed, while its streams may still use them.
    if (const da_status status = dah_device_synchronize(device_at(device->id), -1))
        return translate(status, "waiting before device memory is freed");
    return translate(dah_free(device_at(device->id), address), "freeing device memory");
}

C_Status allocate_host(const C_Device device, void** address, size_t bytes) {
    return translate(dah_host_malloc(device_at(device->id), bytes, address),
                     "allocating page-locked host memory");
}

C_Status deallocate_host(const C_Device device, void* address, size_t) {
    return translate(dah_host_free(device_at(device->id), address),
                     "freeing page-locked host memory");
}

C_Status fill(const C_Device device, void* target, unsigned char value, size_t bytes) {
    return translate(dah_fill(device_at(device->id), target, value, bytes, nullptr),
                     "setting device memory");
}

da_status move(dah_device to, void* target, dah_device from, const void* source, size_t bytes,
               C_Stream stream) {
    return bytes == 0 ? DA_OK : dah_copy(to, target, from, source, bytes, stream_of(stream));
}

C_Status copy_h2d(const C_Device device, void* target, const void* source, size_t bytes) {
    return translate(move(device_at(device->id), target, DAH_HOST, source, bytes, nullptr),
                     "copying to the device");
}

C_Status copy_d2h(const C_Device device, void* target, const void* source, size_t bytes) {
    return translate(move(DAH_HOST, target, device_at(device->id), source, bytes, nullptr),
                     "copying from the device");
}

C_Status copy_d2d(const C_Device device, void* target, const void* source, size_t bytes) {
    const dah_device place = device_at(device->id);
    return translate(move(place, target, place, source, bytes, nullptr), "copying on the device");
}

C_Status copy_p2p(const C_Device to, const C_Device from, void* target, const void* source,
                  size_t bytes) {
    return translate(move(device_at(to->id), target, device_at(from->id), source, bytes, nullptr),
                     "copying between devices");
}

// Paddle hands over host memory that it may change as soon as this returns, and reads results only
// after a synchronise: so the copy from the host waits, the others do not.
C_Status copy_h2d_async(const C_Device device, C_Stream stream, void* target, const void* source,
                        size_t bytes) {
    da_status status = move(device_at(device->id), target, DAH_HOST, source, bytes, stream);
    if (status == DA_OK) status = dah_stream_synchronize(stream_of(stream), -1);
    return translate(status, "copying to the device");
}

C_Status copy_d2h_async(const C_Device device, C_Stream stream, void* target, const void* source,
                        size_t bytes) {
    return translate(move(DAH_HOST, target, device_at(device->id), source, bytes, stream),
                     "copying from the device");
}

C_Status copy_d2d_async(const C_Device device, C_Stream stream, void* target, const void* source,
                        size_t bytes) {
    const dah_device place = device_at(device->id);
    return translate(move(place, target, place, source, bytes, stream), "copying on the device");
}

C_Status copy_p2p_async(const C_Device to, const C_Device from, C_Stream stream, void* target,
                        const void* source, size_t bytes) {
    return translate(move(device_at(to->id), target, device_at(from->id), source, bytes, stream),
                     "copying between devices");
}

C_Status stats(const C_Device device, size_t* total, size_t* free_bytes) {
    dah_memory_stats numbers{};
    numbers.size = sizeof numbers;
    const da_status status = dah_get_memory_stats(device_at(device->id), &numbers);
    *total = numbers.device_total;
    *free_bytes = numbers.device_free;
    return translate(status, "reading memory statistics");
}

C_Status min_chunk(const C_Device, size_t* bytes) {
    *bytes = kChunk;
    return C_SUCCESS;
}

} // namespace

void fill_memory(C_DeviceInterface* interface) {
    interface->device_memory_allocate = allocate;
    interface->device_memory_deallocate = deallocate;
    interface->device_memory_set = fill;
    interface->host_memory_allocate = allocate_host;
    interface->host_memory_deallocate = deallocate_host;
    interface->memory_copy_h2d = copy_h2d;
    interface->memory_copy_d2h = copy_d2h;
    interface->memory_copy_d2d = copy_d2d;
    interface->memory_copy_p2p = copy_p2p;
    interface->async_memory_copy_h2d = copy_h2d_async;
    interface->async_memory_copy_d2h = copy_d2h_async;
    interface->async_memory_copy_d2d = copy_d2d_async;
    interface->async_memory_copy_p2p = copy_p2p_async;
    interface->device_memory_stats = stats;
    interface->device_min_chunk_size = min_chunk;
}

} // namespace bridge
