// SPDX-License-Identifier: Apache-2.0
// Checks of a plugin's table against the contract, before it is used.
#pragma once

#include "device.hpp"

namespace device_api::core {

// Reads the table into `backend.table`, cut or zero-extended to this version.
da_status read_table(Backend& backend, const char* type, const dab_backend* given);

// Reads the device's op table into `device.ops`.
da_status read_ops(Device& device);

} // namespace device_api::core
