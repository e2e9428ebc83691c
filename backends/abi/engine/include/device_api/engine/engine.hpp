// SPDX-License-Identifier: Apache-2.0
// The simulated-chip engine: everything a simulated vendor library needs. It knows no vendor.
//
// One static library, linked (hidden) into one engine library per vendor, so each vendor has its
// own state. The state is never destroyed: it is safe to call from any thread until the process
// ends; during exit calls return Status::shutdown.
#pragma once

#include "device_api/engine/chip.hpp"
#include "device_api/engine/collective.hpp"
#include "device_api/engine/device.hpp"
#include "device_api/engine/faults.hpp"
#include "device_api/engine/handle.hpp"
#include "device_api/engine/kernels.hpp"
#include "device_api/engine/status.hpp"
#include "device_api/engine/stream.hpp"
#include "device_api/engine/telemetry.hpp"
#include "device_api/engine/tensor.hpp"
