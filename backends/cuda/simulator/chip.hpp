// SPDX-License-Identifier: Apache-2.0
// What this vendor takes from the chip's file.
#pragma once

#include <string>

#include "device_api/engine/engine.hpp"
#include "device_api_cuda/cuda_types.h"

namespace cuda_sim {

constexpr const char* vendor_device_name = "NVIDIA";
constexpr int driver_version = 13000; // CUDA 13.0

/// The chip's figures; null when its file cannot be had.
device_api::engine::ChipPtr chip();
/// The part of the vendor's description that is about chips.
void describe_chips(device_api::engine::Vendor* v);
/// "NVIDIA H100 80GB HBM3 (simulated)"
std::string device_name(int device);
/// Of the engine's device: 16 bytes, the same in every process.
CUuuid uuid_of(int device);
std::string uuid_text(int device); // "GPU-..."
std::string bus_id(int device);    // "0000:1B:00.0"
/// The value of a device attribute; 0 for what the chip does not have.
int attribute(int device, int attribute);

} // namespace cuda_sim
