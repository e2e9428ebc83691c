// SPDX-License-Identifier: Apache-2.0
// Devices and contexts; memory and copies.
#include "driver.hpp"

#include <cstdlib>

namespace device_api::cuda {
namespace {

CUdeviceptr address_of(const void* pointer) {
    return reinterpret_cast<CUdeviceptr>(pointer);
}
CUstream stream_of(Handle stream) {
    return static_cast<CUstream>(stream);
}

} // namespace

da_status CudaDriver::initialise(std::int32_t* devices) {
    CUDA_TRY(cuda_, cuDriverGetVersion, &cuda_.version);
    const int code = cuda_.cuInit(0);
    *devices = 0;
    if (code == CUDA_ERROR_NO_DEVICE) return DA_OK;
    if (code) return cuda_fail(cuda_, code, "cuInit");
    if (cuda_.version < 12000)
        return simt::fail(
            DA_VERSION_MISMATCH, "install a driver of CUDA 12.0 or newer",
            "the driver is of CUDA %d.%d, older than what this backend was written for",
            cuda_.version / 1000, cuda_.version % 1000 / 10);
    CUDA_TRY(cuda_, cuDeviceGetCount, devices);
    return DA_OK;
}

// The primary context is one for the whole process, shared with all other users of CUDA.
da_status CudaDriver::open(std::int32_t device) {
    CUdevice id = 0;
    CUDA_TRY(cuda_, cuDeviceGet, &id, device);
    CUcontext context = nullptr;
    CUDA_TRY(cuda_, cuDevicePrimaryCtxRetain, &context, id);
    contexts_[static_cast<std::size_t>(device)].store(context, std::memory_order_release);
    CUDA_TRY(cuda_, cuCtxSetCurrent, context);
    return DA_OK;
}

void CudaDriver::close(std::int32_t device) {
    CUdevice id = 0;
    if (contexts_[static_cast<std::size_t>(device)].exchange(nullptr) == nullptr) return;
    if (cuda_.cuDeviceGet(&id, device) == CUDA_SUCCESS) cuda_.cuDevicePrimaryCtxRelease_v2(id);
}

// A context that a kernel damaged is often beyond repair in this process; then the first
// allocation fails, and that is said.
da_status CudaDriver::reset(std::int32_t device) {
    CUdevice id = 0;
    CUDA_TRY(cuda_, cuDeviceGet, &id, device);
    CUDA_TRY(cuda_, cuDevicePrimaryCtxReset_v2, id);
    CUcontext context = nullptr;
    CUDA_TRY(cuda_, cuDevicePrimaryCtxRetain, &context, id);
    contexts_[static_cast<std::size_t>(device)].store(context, std::memory_order_release);
    cuda_.cuDevicePrimaryCtxRelease_v2(id); // the share of before the reset is still counted
    CUDA_TRY(cuda_, cuCtxSetCurrent, context);
    CUdeviceptr probe = 0;
    const int code = cuda_.cuMemAlloc_v2(&probe, 64);
    if (code == CUDA_SUCCESS) {
        cuda_.cuMemFree_v2(probe);
        return DA_OK;
    }
    cuda_fail(cuda_, code, "cuMemAlloc_v2");
    return simt::fail(DA_NOT_SUPPORTED, "start the process anew",
                      "CUDA cannot bring device %d back in this process (error %d)", device, code);
}

// Other users of CUDA in the process may have switched this thread's context: it is asked for.
da_status CudaDriver::use(std::int32_t device) {
    CUcontext wanted = contexts_[static_cast<std::size_t>(device)].load(std::memory_order_acquire);
    CUcontext current = nullptr;
    CUDA_TRY(cuda_, cuCtxGetCurrent, &current);
    if (current == wanted) return DA_OK;
    CUDA_TRY(cuda_, cuCtxSetCurrent, wanted);
    return DA_OK;
}

da_status CudaDriver::synchronize() {
    CUDA_TRY(cuda_, cuCtxSynchronize);
    return DA_OK;
}

da_status CudaDriver::alloc(std::uint64_t bytes, void** address) {
    CUdeviceptr memory = 0;
    CUDA_TRY(cuda_, cuMemAlloc_v2, &memory, bytes);
    *address = reinterpret_cast<void*>(memory);
    return DA_OK;
}

da_status CudaDriver::free(void* address) {
    CUDA_TRY(cuda_, cuMemFree_v2, address_of(address));
    return DA_OK;
}

da_status CudaDriver::memory_info(std::uint64_t* free_bytes, std::uint64_t* total_bytes) {
    std::size_t available = 0, total = 0;
    CUDA_TRY(cuda_, cuMemGetInfo_v2, &available, &total);
    *free_bytes = available;
    *total_bytes = total;
    return DA_OK;
}

// Portable: pinned for all contexts, as the host's memory may serve several devices.
da_status CudaDriver::host_alloc(std::uint64_t bytes, void** address) {
    CUDA_TRY(cuda_, cuMemHostAlloc, address, bytes, CU_MEMHOSTALLOC_PORTABLE);
    return DA_OK;
}

da_status CudaDriver::host_free(void* address) {
    CUDA_TRY(cuda_, cuMemFreeHost, address);
    return DA_OK;
}

da_status CudaDriver::copy(void* target, const void* source, std::uint64_t bytes,
                           dab_copy_kind kind, Handle stream) {
    if (kind == DAB_HOST_TO_DEVICE)
        CUDA_TRY(cuda_, cuMemcpyHtoDAsync_v2, address_of(target), source, bytes, stream_of(stream));
    else if (kind == DAB_DEVICE_TO_HOST)
        CUDA_TRY(cuda_, cuMemcpyDtoHAsync_v2, target, address_of(source), bytes, stream_of(stream));
    else
        CUDA_TRY(cuda_, cuMemcpyDtoDAsync_v2, address_of(target), address_of(source), bytes,
                 stream_of(stream));
    return DA_OK;
}

// Direct where the chips can, through the host's memory where not: the driver's own choice.
da_status CudaDriver::copy_peer(void* target, std::int32_t target_device, const void* source,
                                std::int32_t source_device, std::uint64_t bytes, Handle stream) {
    if (!cuda_.cuMemcpyPeerAsync)
        return simt::fail(DA_NOT_SUPPORTED, nullptr, "this driver has no copies between devices");
    const auto context = [this](std::int32_t device) {
        return contexts_[static_cast<std::size_t>(device)].load(std::memory_order_acquire);
    };
    CUDA_TRY(cuda_, cuMemcpyPeerAsync, address_of(target), context(target_device),
             address_of(source), context(source_device), bytes, stream_of(stream));
    return DA_OK;
}

da_status CudaDriver::fill(void* target, std::uint8_t value, std::uint64_t bytes, Handle stream) {
    CUDA_TRY(cuda_, cuMemsetD8Async, address_of(target), value, bytes, stream_of(stream));
    return DA_OK;
}

} // namespace device_api::cuda
