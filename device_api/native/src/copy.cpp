// SPDX-License-Identifier: Apache-2.0
// Copies of bytes between any two places.
#include "copy.hpp"

#include <cstring>
#include <memory>
#include <new>

#include "allocator.hpp"
#include "error.hpp"
#include "host_pool.hpp"
#include "observe.hpp"
#include "waiting.hpp"

namespace device_api::core {
namespace {

da_status enqueue(Device& device, dah_stream* stream, void* target, const void* source,
                  uint64_t bytes, dab_copy_kind kind) {
    if (!stream->handle) return fail_dead(*stream);
    da_status status;
    {
        const Waiting waiting; // with pageable memory the vendor may wait for the stream here
        status = device.api().copy(device.self(), stream->handle, target, source, bytes, kind);
    }
    if (!status) return DA_OK;
    return fail_waiting(device, status, "copying memory", stream);
}

// Through host memory, in pieces.
da_status staged(Device& target_device, void* target, Device& source_device, const void* source,
                 uint64_t bytes) {
    constexpr uint64_t piece = 16 << 20;
    const uint64_t size = bytes < piece ? bytes : piece;
    std::unique_ptr<char[]> buffer(new (std::nothrow) char[size]);
    if (!buffer) return fail(DA_OUT_OF_MEMORY, "no host memory to stage a copy through");
    for (uint64_t done = 0; done < bytes; done += size) {
        const uint64_t n = std::min(size, bytes - done);
        da_status status = copy_bytes(nullptr, buffer.get(), &source_device,
                                      static_cast<const char*>(source) + done, n, nullptr);
        if (!status) {
            status = copy_bytes(&target_device, static_cast<char*>(target) + done, nullptr,
                                buffer.get(), n, nullptr);
        }
        if (status) return status;
    }
    return DA_OK;
}

da_status between(Device& target_device, void* target, Device& source_device, const void* source,
                  uint64_t bytes) {
    dah_stream* stream = current_stream(target_device);
    // The source's pending work comes first.
    if (da_status status = synchronize(*current_stream(source_device))) return status;
    if (target_device.backend == source_device.backend && target_device.api().copy_peer) {
        da_status status =
            target_device.api().copy_peer(target_device.self(), stream->handle, target_device.index,
                                          target, source_device.index, source, bytes);
        if (!status) {
            ++target_device.allocator->peer_copies;
            return synchronize(*stream);
        }
        if (status != DA_NOT_SUPPORTED) {
            return fail_waiting(target_device, status, "copying between devices", stream);
        }
    }
    ++target_device.allocator->staged_copies;
    return staged(target_device, target, source_device, source, bytes);
}

} // namespace

static da_status move_bytes(Device* target_device, void* target, Device* source_device,
                            const void* source, uint64_t bytes, dah_stream* stream) {
    // Memory that the host can use counts as host memory once its device's work is done.
    if (target_device && target_device->synchronous && target_device->host_memory) {
        target_device = nullptr;
    }
    if (source_device && source_device->synchronous && source_device->host_memory) {
        source_device = nullptr;
    }
    if (!target_device && !source_device) {
        std::memcpy(target, source, bytes);
        return DA_OK;
    }
    if (target_device && source_device && target_device != source_device) {
        return between(*target_device, target, *source_device, source, bytes);
    }
    Device& device = *(target_device ? target_device : source_device);
    if (!stream || stream->device != &device) stream = current_stream(device);
    const dab_copy_kind kind = !source_device   ? DAB_HOST_TO_DEVICE
                               : !target_device ? DAB_DEVICE_TO_HOST
                                                : DAB_DEVICE_TO_DEVICE;
    if (da_status status = enqueue(device, stream, target, source, bytes, kind)) return status;
    return synchronize(*stream);
}

da_status copy_bytes(Device* target_device, void* target, Device* source_device, const void* source,
                     uint64_t bytes, dah_stream* stream) {
    if (!bytes) return DA_OK;
    CopySpan span(target_device, source_device, bytes, stream);
    return span.ends(move_bytes(target_device, target, source_device, source, bytes, stream));
}

} // namespace device_api::core

using namespace device_api::core;

static da_status enqueue_copy(Device* to, void* target, Device* from, const void* source,
                              uint64_t bytes, dah_stream& stream) {
    if (to && from && to != from) {
        Device& owner = *stream.device;
        da_status status = DA_NOT_SUPPORTED;
        if (to->backend == from->backend && owner.api().copy_peer) {
            status = owner.api().copy_peer(owner.self(), stream.handle, to->index, target,
                                           from->index, source, bytes);
        }
        if (status == DA_OK) ++to->allocator->peer_copies;
        if (status != DA_NOT_SUPPORTED) {
            return status ? fail_waiting(owner, status, "copying between devices", &stream) : DA_OK;
        }
        if (da_status bad = synchronize(stream)) return bad;
        return copy_bytes(to, target, from, source, bytes, nullptr);
    }
    Device* device = to ? to : from;
    if (!device || stream.device != device) {
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_DEVICE_MISMATCH,
                    "the stream belongs to neither device of the copy");
    }
    const dab_copy_kind kind = !from ? DAB_HOST_TO_DEVICE
                               : !to ? DAB_DEVICE_TO_HOST
                                     : DAB_DEVICE_TO_DEVICE;
    const void* host = !from ? source : !to ? target : nullptr;
    if (host) device->allocator->host_pool().note_use(host, &stream);
    return enqueue(*device, &stream, target, source, bytes, kind);
}

da_status dah_copy(dah_device target_handle, void* target, dah_device source_handle,
                   const void* source, uint64_t bytes, dah_stream* stream) {
    Device *to = nullptr, *from = nullptr;
    if (target_handle != DAH_HOST && !(to = open_device(target_handle))) return last_status();
    if (source_handle != DAH_HOST && !(from = open_device(source_handle))) return last_status();
    if (!stream || !bytes) return copy_bytes(to, target, from, source, bytes, stream);
    CopySpan span(to, from, bytes, stream);
    return span.ends(enqueue_copy(to, target, from, source, bytes, *stream));
}

da_status dah_fill(dah_device handle, void* target, uint8_t value, uint64_t bytes,
                   dah_stream* stream) {
    Device* device = open_device(handle);
    if (!device) return last_status();
    const bool wait = !stream;
    if (!stream) stream = current_stream(*device);
    if (!bytes) return DA_OK;
    da_status status = DA_NOT_SUPPORTED;
    if (device->api().fill) {
        status = device->api().fill(device->self(), stream->handle, target, value, bytes);
    }
    if (status == DA_NOT_SUPPORTED) {
        std::unique_ptr<char[]> image(new (std::nothrow) char[bytes]);
        if (!image) return fail(DA_OUT_OF_MEMORY, "no host memory to fill from");
        std::memset(image.get(), value, bytes);
        return copy_bytes(device, target, nullptr, image.get(), bytes, stream);
    }
    if (status) return fail_waiting(*device, status, "filling memory", stream);
    return wait ? synchronize(*stream) : DA_OK;
}
