// SPDX-License-Identifier: Apache-2.0
// The plugin's state: one instance for each `create`, with its devices, streams and events.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

#include "device_api/simt/driver.hpp"
#include "device_api/simt/error.hpp"

namespace device_api::simt {

struct Device {
    std::atomic<bool> opened{false};
    std::atomic<std::uint32_t> generation{0}; // counts resets: handles of an older one are dead
    Chip chip;                                // valid once opened
    std::mutex streams_lock;
    std::vector<Handle> streams; // live ones
    std::shared_mutex kernels_lock;
    std::unordered_map<std::uint64_t, Handle> kernels; // functions, by key
    std::unordered_map<std::uint64_t, Handle> modules;
};

} // namespace device_api::simt

struct dab_instance {
    device_api::simt::Parts parts;
    std::mutex lock; // initialisation, opening and resetting devices, the op table
    std::atomic<bool> initialised{false};
    std::atomic<std::int32_t> device_count{0};
    std::array<device_api::simt::Device, device_api::simt::max_devices> devices;
    std::vector<dab_op> ops;
    bool ops_built = false;
    std::mutex compiler_lock;
    std::string compiler; // what identifies it; empty until it is opened
};

struct dab_stream_s {
    device_api::simt::Handle raw;
    std::int32_t device;
    std::uint32_t generation;
};

struct dab_event_s {
    device_api::simt::Handle raw;
    std::int32_t device;
    std::uint32_t generation;
    bool timing;
    std::atomic<bool> recorded;
};

struct dab_comm_s {
    device_api::simt::Handle raw;
    std::int32_t device;
    std::uint32_t generation;
    std::int32_t ranks;
};

namespace device_api::simt {

using Instance = dab_instance;

/// Initialise the driver and count the devices, once.
da_status ensure_initialised(Instance& self);
/// DA_OK when `device` is one of the instance's.
da_status check_device(Instance& self, std::int32_t device);
/// Open the device where it is not, and make it current for the calling thread.
da_status use_device(Instance& self, std::int32_t device);
/// The same for the device of a handle; an error for handles from before a reset.
da_status use_handle_device(Instance& self, std::int32_t device, std::uint32_t generation,
                            const char* what);
inline da_status use(Instance& self, const dab_stream_s& s) {
    return use_handle_device(self, s.device, s.generation, "stream");
}
inline da_status use(Instance& self, const dab_event_s& e) {
    return use_handle_device(self, e.device, e.generation, "event");
}
inline Device& device_of(Instance& self, std::int32_t device) {
    return self.devices[static_cast<std::size_t>(device)];
}
/// Is a handle from before a reset?
inline bool lost(Instance& self, std::int32_t device, std::uint32_t generation) {
    return generation != device_of(self, device).generation.load(std::memory_order_acquire);
}

// The members of the backend table, each called with forks and exceptions already dealt with.
da_status create(const dab_config* config, dab_instance** out);
void destroy(Instance& self);
da_status device_count(Instance& self, std::int32_t* count);
da_status device_properties(Instance& self, std::int32_t device, dab_properties* out);
da_status device_open(Instance& self, std::int32_t device);
da_status device_synchronize(Instance& self, std::int32_t device, std::int32_t timeout_ms);
da_status device_reset(Instance& self, std::int32_t device);
da_status alloc(Instance& self, std::int32_t device, std::uint64_t bytes, void** address);
da_status free_memory(Instance& self, std::int32_t device, void* address);
da_status memory_info(Instance& self, std::int32_t device, std::uint64_t* free_bytes,
                      std::uint64_t* total_bytes);
da_status host_alloc(Instance& self, std::int32_t device, std::uint64_t bytes, void** address);
da_status host_free(Instance& self, std::int32_t device, void* address);
da_status copy(Instance& self, dab_stream stream, void* target, const void* source,
               std::uint64_t bytes, dab_copy_kind kind);
da_status copy_peer(Instance& self, dab_stream stream, std::int32_t target_device, void* target,
                    std::int32_t source_device, const void* source, std::uint64_t bytes);
da_status fill(Instance& self, dab_stream stream, void* target, std::uint8_t value,
               std::uint64_t bytes);
da_status stream_create(Instance& self, std::int32_t device, std::int32_t priority,
                        dab_stream* stream);
da_status stream_destroy(Instance& self, dab_stream stream);
da_status stream_synchronize(Instance& self, dab_stream stream, std::int32_t timeout_ms);
da_status stream_query(Instance& self, dab_stream stream);
da_status stream_wait_event(Instance& self, dab_stream stream, dab_event event);
da_status stream_callback(Instance& self, dab_stream stream, void (*fn)(void*), void* data);
da_status event_create(Instance& self, std::int32_t device, std::uint32_t flags, dab_event* event);
da_status event_destroy(Instance& self, dab_event event);
da_status event_record(Instance& self, dab_event event, dab_stream stream);
da_status event_query(Instance& self, dab_event event);
da_status event_synchronize(Instance& self, dab_event event, std::int32_t timeout_ms);
da_status event_elapsed(Instance& self, dab_event start, dab_event end, float* milliseconds);
da_status op_table(Instance& self, std::int32_t device, const dab_op** ops, std::uint32_t* count,
                   std::uint32_t* stride);
da_status telemetry(Instance& self, std::int32_t device, dab_telemetry* out);
da_status comm_id(Instance& self, std::int32_t device, void* id, std::uint32_t* bytes);
da_status comm_create(Instance& self, std::int32_t device, const void* id, std::uint32_t bytes,
                      std::int32_t ranks, std::int32_t rank, std::int32_t timeout_ms,
                      dab_comm* comm);
da_status comm_destroy(Instance& self, dab_comm comm);
da_status collective(Instance& self, dab_comm comm, dab_stream stream, const dab_collective* call);
da_status comm_query(Instance& self, dab_comm comm);
da_status comm_abort(Instance& self, dab_comm comm);
da_status comm_group_begin(Instance& self);
da_status comm_group_end(Instance& self);

} // namespace device_api::simt
