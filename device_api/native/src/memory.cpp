// SPDX-License-Identifier: Apache-2.0
// Memory for clients of the host API: raw, pinned, its figures and its limits.
#include <algorithm>
#include <cstring>

#include "error.hpp"
#include "host_pool.hpp"
#include "observe.hpp"
#include "tensor.hpp"

using namespace device_api::core;

da_status dah_malloc(dah_device handle, uint64_t bytes, dah_stream* stream, void** address) {
    Device* device = open_device(handle);
    if (!device) return last_status();
    if (!bytes) return fail(DA_INVALID_ARGUMENT, "an allocation has at least one byte");
    Block* block = told(
        device->allocator->allocate(bytes, stream ? stream : current_stream(*device), owner_raw));
    if (!block) return last_status();
    device->allocator->remember_raw(block);
    *address = block->address;
    return DA_OK;
}

da_status dah_malloc_direct(dah_device handle, uint64_t bytes, void** address) {
    Device* device = open_device(handle);
    if (!device) return last_status();
    if (!bytes) return fail(DA_INVALID_ARGUMENT, "an allocation has at least one byte");
    Block* block = told(device->allocator->allocate_direct(bytes, owner_direct));
    if (!block) return last_status();
    device->allocator->remember_raw(block);
    *address = block->address;
    return DA_OK;
}

da_status dah_free(dah_device handle, void* address) {
    Device* device = open_device(handle);
    if (!device) return last_status();
    Block* block = nullptr; // of a device that was reset it is lost, and may be freed all the same
    for (; device && !block; device = device->before) block = device->allocator->take_raw(address);
    if (!block) {
        return fail(DA_INVALID_ARGUMENT,
                    "the address was not allocated here, or has been freed already",
                    "free each address of dah_malloc exactly once");
    }
    release(block);
    return DA_OK;
}

da_status dah_host_malloc(dah_device handle, uint64_t bytes, void** address) {
    Device* device = open_device(handle);
    return device ? device->allocator->host_pool().take(bytes, address) : last_status();
}

da_status dah_host_free(dah_device handle, void* address) {
    Device* device = open_device(handle);
    return device ? device->allocator->host_pool().give(address) : last_status();
}

int32_t dah_host_is_pinned(dah_device handle, const void* address) {
    Device* device = find_device(handle);
    return device && device->allocator->host_pool().owns(address);
}

da_status dah_tensor_record_stream(dah_tensor* x, dah_stream* stream) {
    if (da_status status = dah_tensor_check(x)) return status;
    if (stream->device != x->device) {
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_DEVICE_MISMATCH,
                    "a stream of " + stream->device->name() + " cannot use a tensor of " +
                        x->device->name(),
                    "give a stream of the tensor's device");
    }
    if (!open_device(x->device->handle)) return last_status();
    Block* block = x->block;
    if (!block || block->stream_id == stream->id) return DA_OK;
    if (block->foreign) {
        return fail(DA_NOT_SUPPORTED,
                    "the tensor's memory belongs to another library, which decides when it ends",
                    "keep the tensor until the stream has been synchronised");
    }
    if (block->pool && !x->device->synchronous) x->device->allocator->note_use(block, stream);
    return DA_OK;
}

da_status dah_set_memory_fraction(dah_device handle, double fraction) {
    Device* device = open_device(handle);
    return device ? device->allocator->set_fraction(fraction) : last_status();
}

da_status dah_get_memory_stats(dah_device handle, dah_memory_stats* out) {
    Device* device = open_device(handle);
    if (!device) return last_status();
    dah_memory_stats stats{};
    const uint32_t size = out->size ? out->size : static_cast<uint32_t>(sizeof stats);
    device->allocator->stats(stats);
    std::memcpy(out, &stats, std::min<size_t>(size, sizeof stats));
    out->size = size;
    return DA_OK;
}

da_status dah_get_memory_details(dah_device handle, dah_memory_details* out) {
    Device* device = open_device(handle);
    if (!device) return last_status();
    dah_memory_details details{};
    const uint32_t size = out->size ? out->size : static_cast<uint32_t>(sizeof details);
    device->allocator->details(details);
    std::memcpy(out, &details, std::min<size_t>(size, sizeof details));
    out->size = size;
    return DA_OK;
}

da_status dah_memory_snapshot(dah_device handle,
                              void (*visit)(const dah_memory_piece* piece, void* data),
                              void* data) {
    Device* device = open_device(handle);
    if (!device) return last_status();
    for (const dah_memory_piece& piece : device->allocator->snapshot()) visit(&piece, data);
    return DA_OK;
}

da_status dah_reset_peak_memory(dah_device handle) {
    Device* device = open_device(handle);
    if (!device) return last_status();
    device->allocator->reset_peak();
    return DA_OK;
}

da_status dah_empty_cache(dah_device handle) {
    Device* device = open_device(handle);
    if (!device) return last_status();
    return device->allocator->empty_cache();
}
