// SPDX-License-Identifier: Apache-2.0
// What is said of a device that is lost or was reset, and of what was made on it.
#include "allocator.hpp"
#include "error.hpp"
#include "stream.hpp"
#include "tensor.hpp"

namespace device_api::core {
namespace {

std::string how_to_get_back(const Device& device) {
    if (device.api().device_reset) {
        return "device_api.reset_device('" + device.name() +
               "') brings the device back; what was in its memory stays lost";
    }
    return "the plugin for '" + device.backend->type +
           "' cannot reset a device: go on with another one, or start a new process";
}

} // namespace

void note_loss(const Device& device) {
    device.lost = true;
    if (device.allocator) device.allocator->refuse();
    const std::string vendors = dah_last_error()->remedy;
    advise(how_to_get_back(device) + (vendors.empty() ? "" : "; " + vendors));
}

da_status fail_lost(const Device& device) {
    if (device.gone) return fail_gone(device);
    fail(DA_DEVICE_LOST, "'" + device.name() + "' is lost: an earlier call has said so",
         how_to_get_back(device));
    return annotate(DA_DEVICE_LOST, 0, &device);
}

da_status fail_gone(const Device& device) {
    fail(DA_DEVICE_LOST,
         "this was lost when '" + device.name() +
             "' was reset: its arrays, streams and events of before are dead for good",
         "make new ones: the device works again");
    return annotate(DA_DEVICE_LOST, 0, &device);
}

da_status fail_dead(const dah_stream& stream) {
    if (stream.device->gone) return annotate(fail_gone(*stream.device), 0, nullptr, &stream);
    if (is_shut_down()) {
        return fail(DA_INVALID_ARGUMENT, "device_api has been shut down in this process");
    }
    return fail(DA_INVALID_ARGUMENT, "the stream has been destroyed");
}

} // namespace device_api::core

using namespace device_api::core;

da_status dah_tensor_check(const dah_tensor* x) {
    const Device& device = *x->device;
    return device.gone || device.lost ? fail_lost(device) : DA_OK;
}
