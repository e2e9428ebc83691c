// SPDX-License-Identifier: Apache-2.0
// Devices: opening, waiting, resetting.
#include <algorithm>

#include "instance.hpp"

namespace device_api::npu {
namespace {

// Infinities and NaN instead of saturation where the chip lets one choose; what the vendor's own
// frontend does. It holds for streams made later.
da_status set_overflow_mode(Instance& self) {
    if (!(self.family & (family_a2 | family_a3)) || !self.cann.aclrtSetDeviceSatMode) return DA_OK;
    NPU_TRY(self.cann, aclrtSetDeviceSatMode, ACL_RT_OVERFLOW_MODE_INFNAN);
    return DA_OK;
}

} // namespace

da_status device_count(Instance& self, std::int32_t* count) {
    if (const da_status status = ensure_initialised(self)) return status;
    *count = self.device_count.load(std::memory_order_relaxed);
    return DA_OK;
}

da_status device_open(Instance& self, std::int32_t device) {
    if (const da_status status = use_device(self, device)) return status;
    Device& d = self.devices[static_cast<std::size_t>(device)];
    const std::lock_guard<std::mutex> guard(self.lock);
    if (d.opened.load()) return DA_OK;
    if (const da_status status = set_overflow_mode(self)) return status;
    d.opened.store(true);
    return DA_OK;
}

da_status device_synchronize(Instance& self, std::int32_t device, std::int32_t timeout_ms) {
    if (const da_status status = use_device(self, device)) return status;
    const std::int32_t ms = timeout_ms == 0 ? 1 : std::max(timeout_ms, -1); // 0 means nothing known
    NPU_TRY(self.cann, aclrtSynchronizeDeviceWithTimeout, ms);
    return DA_OK;
}

da_status device_reset(Instance& self, std::int32_t device) {
    if (const da_status status = check_device(self, device)) return status;
    Device& d = self.devices[static_cast<std::size_t>(device)];
    const std::lock_guard<std::mutex> guard(self.lock);
    d.reports.stop();
    // What no thread has set cannot be reset: then its state is asked for by setting it.
    if (d.sets.load() == 0) NPU_TRY(self.cann, aclrtSetDevice, device);
    NPU_TRY(self.cann, aclrtResetDeviceForce, device);
    d.sets.store(0);
    d.opened.store(false);
    d.generation.fetch_add(1, std::memory_order_acq_rel);
    for (Device& other : self.devices) other.peer[static_cast<std::size_t>(device)].store(0);
    for (auto& peer : d.peer) peer.store(0);
    forget_current_devices();
    return DA_OK;
}

} // namespace device_api::npu
