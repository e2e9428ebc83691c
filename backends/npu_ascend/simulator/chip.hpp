// SPDX-License-Identifier: Apache-2.0
// Chip profiles: which Ascend chip is simulated, and what it can do.
//
// The environment variable DEVICE_API_SIM_NPU_CHIP names the chip (default Ascend910B3). It is read
// when the library is first used and again after the simulator was reset.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cann_sim {

// Product families, as the operator documentation tells them apart. 950 and 310B have no profile:
// their bits only keep the operator table complete.
enum : unsigned {
    chip_910a = 1,
    chip_a2 = 2,
    chip_a3 = 4,
    chip_310p = 8,
    chip_310b = 16,
    chip_950 = 32
};

struct Chip {
    const char* soc;
    unsigned family;
    bool bf16;
    bool hbm;           // else DDR
    bool inf_nan;       // knows the inf/nan overflow mode
    bool host_register; // aclrtHostRegister
    bool pci_id;
    int max_streams;
    // Plausible sizes, for the report of properties only.
    int cube_cores, vector_cores, aicpu_cores;
    std::int64_t l2_bytes;
    std::int64_t npu_arch;
};

constexpr const char* vendor_device_name = "Ascend";

const Chip& chip();
/// Read the environment again.
void choose_chip();
/// Why the environment's choice could not be had; "" when it could.
const std::string& chip_problem();
/// The name aclrtGetSocName returns: the chip's with the label "(simulated)".
const char* soc_name();

/// Engine device behind a device id of the user (ASCEND_RT_VISIBLE_DEVICES); -1 when there is none.
int engine_device(int user_device);
struct VisibleDevices {
    bool duplicate = false; // the variable names a device twice: no device is usable
    std::vector<int> devices;
};
VisibleDevices visible_devices();

} // namespace cann_sim
