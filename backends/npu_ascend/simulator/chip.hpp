// SPDX-License-Identifier: Apache-2.0
// Which Ascend chip is simulated, and what it can do: by a data file (docs/chips.md).
//
// The environment variable DEVICE_API_SIM_NPU_CHIP names one of chips/ or gives a file's path
// (default Ascend910B3). It is read when a device is first needed, again after a reset.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device_api/engine/device.hpp"

namespace cann_sim {

// Product families, as the operator documentation tells them apart. No file of 950 or 310B is
// shipped.
enum : unsigned {
    chip_910a = 1,
    chip_a2 = 2,
    chip_a3 = 4,
    chip_310p = 8,
    chip_310b = 16,
    chip_950 = 32
};

struct Chip {
    std::string name;
    const char* soc = "";
    unsigned family = 0;
    std::uint64_t lacking = 0; // data types (dtype.hpp) that it does not have
    bool bf16 = false;
    bool hbm = true;            // else DDR
    bool inf_nan = false;       // knows the inf/nan overflow mode
    bool host_register = false; // aclrtHostRegister
    bool pci_id = false;
    int max_streams = 0;
    // For the report of properties only.
    int cube_cores = 0, vector_cores = 0, aicpu_cores = 0;
    std::int64_t l2_bytes = 0;
    std::int64_t npu_arch = 0;
};

constexpr const char* vendor_device_name = "Ascend";

/// The chip; of no name when its file cannot be had (engine::chip_problem says why).
const Chip& chip();
/// Read the environment again when it is next needed.
void forget_chip();
/// The part of the vendor's description that is about chips.
void describe_chips(device_api::engine::Vendor* v);
/// The name aclrtGetSocName returns: the chip's, and the control table's label if one was given.
const char* soc_name();

/// Engine device behind a device id of the user (ASCEND_RT_VISIBLE_DEVICES); -1 when there is none.
int engine_device(int user_device);
struct VisibleDevices {
    bool duplicate = false; // the variable names a device twice: no device is usable
    std::vector<int> devices;
};
VisibleDevices visible_devices();

} // namespace cann_sim
