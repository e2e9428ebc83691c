// SPDX-License-Identifier: Apache-2.0
// Injected faults of what is no task of a stream: a vendor library asks after them by itself.
#pragma once

namespace device_api::engine {

struct InjectedFault {
    int id = 0;       // 0: none strikes
    int code = 0;     // the vendor's code to report; 0: its usual one
    double value = 0; // das_fault.value
    explicit operator bool() const { return id != 0; }
};

/// Does a fault of this kind (DAS_FAULT_TELEMETRY ..., see simctl.h) strike this call of `device`?
/// Asking counts. `name` is the vendor's function.
InjectedFault injected_fault(int kind, int device, const char* name) noexcept;

/// Whether the fault is still there: for what hangs until it is removed.
bool fault_active(int id) noexcept;

} // namespace device_api::engine
