// SPDX-License-Identifier: Apache-2.0
// The plugin's state: one instance for each `create`, with its devices, streams and events.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "cann.hpp"
#include "chip.hpp"
#include "dcmi.hpp"
#include "device_api/backend.h"
#include "error.hpp"
#include "hccl.hpp"
#include "ops.hpp"
#include "report.hpp"

namespace device_api::npu {

constexpr int max_devices = 64;

struct Device {
    std::atomic<bool> opened{false};
    std::atomic<std::uint32_t> generation{0}; // counts resets: handles of an older one are dead
    std::atomic<std::uint32_t> sets{0};       // aclrtSetDevice calls to give back
    std::array<std::atomic<std::uint8_t>, max_devices> peer{}; // 0 unknown, 1 enabled, 2 no
    ReportThread reports; // runs host callbacks where CANN has no thread for them
};

} // namespace device_api::npu

struct dab_instance {
    device_api::npu::Cann cann;
    device_api::npu::Dcmi dcmi;
    device_api::npu::Hccl hccl;
    std::mutex lock; // initialisation, opening and resetting devices, the op table
    std::atomic<bool> initialised{false};
    std::atomic<std::int32_t> device_count{0};
    std::string soc; // "Ascend910B3", without a label
    device_api::npu::Family family = device_api::npu::family_unknown;
    std::array<device_api::npu::Device, device_api::npu::max_devices> devices;
    std::vector<dab_op> ops;                                          // the capability table
    std::array<device_api::npu::OpEntry, DA_OP_COUNT + 1> op_entries; // by da_op
    bool ops_built = false;
};

struct dab_stream_s {
    aclrtStream raw;
    std::int32_t device;
    std::uint32_t generation;
    bool reports; // served by the device's report thread
};

struct dab_event_s {
    aclrtEvent raw;
    std::int32_t device;
    std::uint32_t generation;
    bool timing;
    std::atomic<bool> recorded;
};

namespace device_api::npu {

using Instance = dab_instance;

/// Initialise ACL and count the devices, once. Does not touch a device.
da_status ensure_initialised(Instance& self);

/// Give back one user's share of ACL; ends it when the last share of this library goes and ACL was
/// initialised here.
void release_acl(Instance& self);

/// DA_OK when `device` is one of the instance's.
da_status check_device(Instance& self, std::int32_t device);

/// Make `device` current for the calling thread; one comparison when it is already.
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

/// Every thread's idea of its current device is void: a device was reset or ACL finalised.
void forget_current_devices();

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

} // namespace device_api::npu
