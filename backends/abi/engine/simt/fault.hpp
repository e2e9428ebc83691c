// SPDX-License-Identifier: Apache-2.0
// Private: signals that kernels raise.
#pragma once

namespace device_api::engine::simt {

/// See to it that signals of fibers come to Runner::take_signal, whoever has installed handlers
/// since; other signals go to the handlers that were there.
void watch_signals() noexcept;

} // namespace device_api::engine::simt
