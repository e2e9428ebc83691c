// SPDX-License-Identifier: Apache-2.0
// Running elementwise ops, copies and fills.
#pragma once

#include "ops.hpp"

namespace device_api::simt {

da_status run_elementwise(const Call& call);

} // namespace device_api::simt
