// SPDX-License-Identifier: Apache-2.0
// The calling thread's current device. CANN keeps one for each thread; this remembers which.
#include "instance.hpp"

namespace device_api::npu {
namespace {

// Raised when a reset makes every thread's current device void.
std::atomic<std::uint64_t> epoch{1};

struct Current {
    std::uint64_t epoch; // 0: this thread has none yet
    std::int32_t device;
};
thread_local Current current;

da_status switch_device(Instance& self, std::int32_t device) {
    if (const da_status status = check_device(self, device)) return status;
    const std::uint64_t now = epoch.load(std::memory_order_acquire);
    NPU_TRY(self.cann, aclrtSetDevice, device);
    self.devices[static_cast<std::size_t>(device)].sets.fetch_add(1);
    current = {now, device};
    return DA_OK;
}

} // namespace

da_status check_device(Instance& self, std::int32_t device) {
    if (const da_status status = ensure_initialised(self)) return status;
    const std::int32_t count = self.device_count.load(std::memory_order_relaxed);
    if (device >= 0 && device < count) return DA_OK;
    return fail(DA_INVALID_ARGUMENT, "ASCEND_RT_VISIBLE_DEVICES chooses the devices of a process",
                "there is no NPU device %d; this process sees %d", device, count);
}

da_status use_device(Instance& self, std::int32_t device) {
    if (current.device == device && current.epoch == epoch.load(std::memory_order_acquire))
        return DA_OK;
    return switch_device(self, device);
}

da_status use_handle_device(Instance& self, std::int32_t device, std::uint32_t generation,
                            const char* what) {
    const Device& d = self.devices[static_cast<std::size_t>(device)];
    if (generation != d.generation.load(std::memory_order_acquire))
        return fail(DA_DEVICE_LOST, "make a new one", "the %s was lost when device %d was reset",
                    what, device);
    return use_device(self, device);
}

void forget_current_devices() {
    epoch.fetch_add(1, std::memory_order_acq_rel);
}

} // namespace device_api::npu
