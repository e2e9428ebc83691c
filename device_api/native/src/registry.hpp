// SPDX-License-Identifier: Apache-2.0
// The registry of loaded backends.
#pragma once

#include "device.hpp"

namespace device_api::core {

constexpr int32_t max_types = 64;
constexpr int32_t max_devices = 256; // of one type; see dah_device

// Never destroyed: threads may still use devices while the process ends.
struct Registry {
    std::mutex mutex; // guards loading and the end
    std::atomic<int32_t> count{0};
    std::atomic<Backend*> backends[max_types]{};
    std::atomic<Device*> host{nullptr}; // where fallbacks run
    std::atomic<bool> shut_down{false};
};
Registry& registry();

// Makes a whole backend visible; with the registry's mutex held.
void publish(Backend* backend);

// Texts end, and are UTF-8.
void clean(dab_properties& properties);

} // namespace device_api::core
