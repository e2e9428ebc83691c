// SPDX-License-Identifier: Apache-2.0
// The members of the backend table that are about collectives.
#pragma once

#include <cstdint>

#include "device_api/backend.h"

namespace device_api::npu {

using Instance = dab_instance;

da_status comm_id(Instance& self, std::int32_t device, void* id, std::uint32_t* bytes);
da_status comm_create(Instance& self, std::int32_t device, const void* id, std::uint32_t bytes,
                      std::int32_t ranks, std::int32_t rank, std::int32_t timeout_ms,
                      dab_comm* comm);
da_status comm_destroy(Instance& self, dab_comm comm);
da_status collective(Instance& self, dab_comm comm, dab_stream stream, const dab_collective* call);
da_status comm_query(Instance& self, dab_comm comm);
da_status comm_group_begin(Instance& self);
da_status comm_group_end(Instance& self);

} // namespace device_api::npu
