// SPDX-License-Identifier: Apache-2.0
// The one CPU device: facts and memory.
#pragma once

#include "instance.hpp"

namespace device_api::cpu {

da_status device_count(dab_instance* self, int32_t* count);
da_status device_properties(dab_instance* self, int32_t device, dab_properties* out);
da_status device_open(dab_instance* self, int32_t device);
da_status device_synchronize(dab_instance* self, int32_t device, int32_t timeout_ms);

da_status alloc(dab_instance* self, int32_t device, uint64_t bytes, void** address);
da_status free_memory(dab_instance* self, int32_t device, void* address);
da_status memory_info(dab_instance* self, int32_t device, uint64_t* free_bytes, uint64_t* total);

// DA_OK for device 0.
da_status check_device(int32_t device);

} // namespace device_api::cpu
