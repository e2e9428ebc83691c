// SPDX-License-Identifier: Apache-2.0
// Errors of a SIMT plugin: those of every plugin.
#pragma once

#include "device_api/adapter/error.hpp"

namespace device_api::simt {

using namespace adapter; // CodeRow, CodeTable, fail, vendor_fail, status_of, add_context ...

} // namespace device_api::simt
