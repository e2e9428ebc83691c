// SPDX-License-Identifier: Apache-2.0
// Private: what the control table needs of other parts.
#pragma once

namespace device_api::engine {

/// das_control.reset, once the caller is known to be allowed.
int reset_all() noexcept;

} // namespace device_api::engine
