// SPDX-License-Identifier: Apache-2.0
// The bridge's hold on libdevice_api: one loaded backend, its devices, its errors.
#pragma once

#include <cstdint>
#include <string>

#include "device_api/host.h"

namespace bridge {

// Reads the settings that the Python side left in the environment and loads the backend:
//   DEVICE_API_PADDLE_TYPE     device type, for example "npu"
//   DEVICE_API_PADDLE_PLUGIN   the backend's library, in full
//   DEVICE_API_PADDLE_OPTIONS  options for the backend, one "key=value" a line; may be absent
// A backend of that type that is already loaded from the same file is shared. Returns false, and
// keeps the reason (see last_error), when the device cannot be used.
bool open_host();

const char* device_type();
const char* plugin_library();
int32_t device_count();
dah_device device_at(int index);

// Keeps a failure for the Python side; says it on the standard error stream too when `loud`, since
// Paddle's device interface carries no message.
void keep_failure(const std::string& text, bool loud);

// The failure that libdevice_api reported last on this thread, as one text.
std::string host_failure(const char* what);

// Of the last failure in this process; "" when there was none. Valid until the thread's next call.
const char* last_error();

} // namespace bridge
