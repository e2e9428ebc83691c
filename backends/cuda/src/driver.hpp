// SPDX-License-Identifier: Apache-2.0
// The driver API as the shared adapter wants it.
#pragma once

#include <array>
#include <atomic>
#include <mutex>

#include "cuda.hpp"
#include "device_api/simt/driver.hpp"

namespace device_api::cuda {

using simt::Handle;

class CudaDriver : public simt::Driver {
  public:
    explicit CudaDriver(Cuda& cuda) : cuda_(cuda) {}

    da_status initialise(std::int32_t* devices) override;
    da_status properties(std::int32_t device, dab_properties& out) override;
    da_status chip(std::int32_t device, simt::Chip& out) override;
    da_status open(std::int32_t device) override;
    void close(std::int32_t device) override;
    da_status reset(std::int32_t device) override;
    da_status use(std::int32_t device) override;
    da_status synchronize() override;
    da_status alloc(std::uint64_t bytes, void** address) override;
    da_status free(void* address) override;
    da_status memory_info(std::uint64_t* free_bytes, std::uint64_t* total_bytes) override;
    da_status host_alloc(std::uint64_t bytes, void** address) override;
    da_status host_free(void* address) override;
    da_status copy(void* target, const void* source, std::uint64_t bytes, dab_copy_kind kind,
                   Handle stream) override;
    da_status copy_peer(void* target, std::int32_t target_device, const void* source,
                        std::int32_t source_device, std::uint64_t bytes, Handle stream) override;
    da_status fill(void* target, std::uint8_t value, std::uint64_t bytes, Handle stream) override;
    da_status stream_create(std::int32_t priority, Handle* stream) override;
    da_status stream_destroy(Handle stream) override;
    da_status stream_synchronize(Handle stream) override;
    da_status stream_query(Handle stream) override;
    da_status stream_wait(Handle stream, Handle event) override;
    da_status stream_callback(Handle stream, void (*fn)(void*), void* data) override;
    da_status event_create(bool timing, Handle* event) override;
    da_status event_destroy(Handle event) override;
    da_status event_record(Handle event, Handle stream) override;
    da_status event_query(Handle event) override;
    da_status event_synchronize(Handle event) override;
    da_status event_elapsed(Handle start, Handle end, float* milliseconds) override;
    da_status load(const std::string& image, Handle* module) override;
    da_status function(Handle module, const char* name, Handle* function) override;
    da_status launch(Handle function, const simt::Grid& grid, Handle stream,
                     void** arguments) override;

  private:
    int attribute(std::int32_t device, CUdevice_attribute which) const;
    void facts(std::int32_t device, dab_properties& out) const;
    void priorities(std::int32_t device, dab_properties& out);

    Cuda& cuda_;
    std::array<std::atomic<CUcontext>, simt::max_devices> contexts_{}; // primary ones, retained
};

} // namespace device_api::cuda
