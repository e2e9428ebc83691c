// SPDX-License-Identifier: Apache-2.0
// Paddle's device interface over the host API.
#pragma once

#include "device_api/host.h"
#include "paddle/phi/backends/device_ext.h"

namespace bridge {

// Each fills its members of the interface; the others stay NULL, which Paddle reads as absent.
void fill_devices(C_DeviceInterface* interface);
void fill_streams(C_DeviceInterface* interface);
void fill_memory(C_DeviceInterface* interface);

// Success, or the failure kept for the user under the name of what was tried.
C_Status translate(da_status status, const char* what);

// The answer of a query: done, not yet, or failed.
C_Status translate_query(da_status status, const char* what);

inline dah_stream* stream_of(C_Stream stream) {
    return reinterpret_cast<dah_stream*>(stream);
}
inline dah_event* event_of(C_Event event) {
    return reinterpret_cast<dah_event*>(event);
}

} // namespace bridge
