// SPDX-License-Identifier: Apache-2.0
// The two phases of an op: plan, then launch or abandon.
#pragma once

#include "instance.hpp"

namespace device_api::npu {

da_status plan(Instance& self, const dab_call* call, dab_plan* out);
da_status launch(Instance& self, const dab_call* call, dab_plan* planned, void* workspace);
void abandon(dab_instance* self, dab_plan* planned) noexcept;

} // namespace device_api::npu
