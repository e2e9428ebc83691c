// SPDX-License-Identifier: Apache-2.0
// Private: what the control table needs of other parts.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device_api/simctl.h"

namespace device_api::engine {

/// das_control.reset, once the caller is known to be allowed.
int reset_all() noexcept;
/// das_control.set_telemetry.
int control_set_telemetry(const das_telemetry* given) noexcept;
/// das_control.set_chip and chip_read.
int control_set_chip(const char* name) noexcept;
int control_chip_read(const char* name, std::int32_t what, char* text, std::size_t room) noexcept;

} // namespace device_api::engine
