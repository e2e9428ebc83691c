// SPDX-License-Identifier: Apache-2.0
// Copies of bytes between any two places.
#pragma once

#include "stream.hpp"

namespace device_api::core {

// Device NULL means host memory. Done on return; ordered after `stream`'s work (of the source's or
// target's device), and after the other device's current stream when both sides are devices.
da_status copy_bytes(Device* target_device, void* target, Device* source_device, const void* source,
                     uint64_t bytes, dah_stream* stream);

} // namespace device_api::core
