// SPDX-License-Identifier: Apache-2.0
// Private: what the control table needs of other parts.
#pragma once

#include "device_api/simctl.h"

namespace device_api::engine {

/// das_control.reset, once the caller is known to be allowed.
int reset_all() noexcept;
/// das_control.set_telemetry.
int control_set_telemetry(const das_telemetry* given) noexcept;

} // namespace device_api::engine
