// SPDX-License-Identifier: Apache-2.0
// What every function of the simulated HCCL begins and ends with, and what each chip takes.
#pragma once

#include "call.hpp"
#include "state.hpp"

namespace cann_sim {

/// Run `body(Call&)`, which returns an HcclResult, under the rules of Call.
template <class Body>
HcclResult hccl(const char* name, Need need, Body body) noexcept {
    HcclResult result = HCCL_E_RUNTIME;
    const aclError error = call(name, need, [&](Call& c) -> aclError {
        result = body(c);
        return ACL_SUCCESS;
    });
    return error ? HCCL_E_RUNTIME : result;
}

HcclResult hccl_fail(Call& c, HcclResult result, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
/// A status of the engine as a result, its message as the text.
HcclResult hccl_engine(Call& c, Status status);

enum class CollectiveFamily { reduce, gather, move, barrier };
/// What the chip takes (docs of 9.x): HCCL_SUCCESS, or the failure and its text.
HcclResult check_dtype(Call& c, CollectiveFamily family, HcclDataType type, HcclReduceOp op,
                       engine::DType* out);

engine::Reduction reduction_of(HcclReduceOp op);

/// Limits by the environment: HCCL_CONNECT_TIMEOUT, HCCL_EXEC_TIMEOUT,
/// DEVICE_API_SIM_COLLECTIVE_TIMEOUT.
HcclResult limits_of_environment(Call& c, engine::CommLimits* out);

/// Between HcclGroupStart and HcclGroupEnd sends and receives of a thread are held back.
bool hold_back(HcclComm comm, Handle stream, const engine::Transfer& item);

} // namespace cann_sim
