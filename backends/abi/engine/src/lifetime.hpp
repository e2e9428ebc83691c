// SPDX-License-Identifier: Apache-2.0
// The engine's end: at process exit, and at a reset.
#pragma once

namespace device_api::engine {

/// Arrange (once) that at process exit no worker runs on. Registered late, so it runs before most
/// other exit handlers.
void quiesce_at_exit() noexcept;

} // namespace device_api::engine
