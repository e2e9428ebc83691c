// SPDX-License-Identifier: Apache-2.0
// Streams, events, callbacks; modules and launches.
#include <memory>

#include "driver.hpp"

namespace device_api::cuda {
namespace {

CUstream stream_of(Handle stream) {
    return static_cast<CUstream>(stream);
}
CUevent event_of(Handle event) {
    return static_cast<CUevent>(event);
}

da_status answer(const Cuda& cuda, int code, const char* call) {
    if (code == CUDA_SUCCESS) return DA_OK;
    return code == CUDA_ERROR_NOT_READY ? DA_NOT_READY : cuda_fail(cuda, code, call);
}

struct Callback {
    void (*fn)(void*);
    void* data;
};

// Called also when earlier work failed, unlike the function of cuLaunchHostFunc.
void run_callback(CUstream, CUresult, void* data) {
    const std::unique_ptr<Callback> callback(static_cast<Callback*>(data));
    callback->fn(callback->data);
}

} // namespace

// Not synchronising with the legacy default stream, which other users of CUDA may use.
da_status CudaDriver::stream_create(std::int32_t priority, Handle* stream) {
    CUstream made = nullptr;
    CUDA_TRY(cuda_, cuStreamCreateWithPriority, &made, CU_STREAM_NON_BLOCKING, priority);
    *stream = made;
    return DA_OK;
}

da_status CudaDriver::stream_destroy(Handle stream) {
    CUDA_TRY(cuda_, cuStreamDestroy_v2, stream_of(stream));
    return DA_OK;
}

da_status CudaDriver::stream_synchronize(Handle stream) {
    CUDA_TRY(cuda_, cuStreamSynchronize, stream_of(stream));
    return DA_OK;
}

da_status CudaDriver::stream_query(Handle stream) {
    return answer(cuda_, cuda_.cuStreamQuery(stream_of(stream)), "cuStreamQuery");
}

da_status CudaDriver::stream_wait(Handle stream, Handle event) {
    CUDA_TRY(cuda_, cuStreamWaitEvent, stream_of(stream), event_of(event), 0);
    return DA_OK;
}

da_status CudaDriver::stream_callback(Handle stream, void (*fn)(void*), void* data) {
    auto callback = std::make_unique<Callback>(Callback{fn, data});
    CUDA_TRY(cuda_, cuStreamAddCallback, stream_of(stream), run_callback, callback.get(), 0);
    (void)callback.release(); // run_callback's now
    return DA_OK;
}

da_status CudaDriver::event_create(bool timing, Handle* event) {
    CUevent made = nullptr;
    CUDA_TRY(cuda_, cuEventCreate, &made, timing ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING);
    *event = made;
    return DA_OK;
}

da_status CudaDriver::event_destroy(Handle event) {
    CUDA_TRY(cuda_, cuEventDestroy_v2, event_of(event));
    return DA_OK;
}

da_status CudaDriver::event_record(Handle event, Handle stream) {
    CUDA_TRY(cuda_, cuEventRecord, event_of(event), stream_of(stream));
    return DA_OK;
}

da_status CudaDriver::event_query(Handle event) {
    return answer(cuda_, cuda_.cuEventQuery(event_of(event)), "cuEventQuery");
}

da_status CudaDriver::event_synchronize(Handle event) {
    CUDA_TRY(cuda_, cuEventSynchronize, event_of(event));
    return DA_OK;
}

da_status CudaDriver::event_elapsed(Handle start, Handle end, float* milliseconds) {
    CUDA_TRY(cuda_, cuEventElapsedTime, milliseconds, event_of(start), event_of(end));
    return DA_OK;
}

da_status CudaDriver::load(const std::string& image, Handle* module) {
    CUmodule made = nullptr;
    CUDA_TRY(cuda_, cuModuleLoadData, &made, image.data());
    *module = made;
    return DA_OK;
}

da_status CudaDriver::function(Handle module, const char* name, Handle* function) {
    CUfunction found = nullptr;
    CUDA_TRY(cuda_, cuModuleGetFunction, &found, static_cast<CUmodule>(module), name);
    *function = found;
    return DA_OK;
}

da_status CudaDriver::launch(Handle function, const simt::Grid& grid, Handle stream,
                             void** arguments) {
    CUDA_TRY(cuda_, cuLaunchKernel, static_cast<CUfunction>(function), grid.blocks[0],
             grid.blocks[1], grid.blocks[2], grid.threads, 1, 1, grid.shared_bytes,
             stream_of(stream), arguments, nullptr);
    return DA_OK;
}

} // namespace device_api::cuda
