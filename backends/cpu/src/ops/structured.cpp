// SPDX-License-Identifier: Apache-2.0
// Ops that are not elementwise: the function of each, where there is one.
#include "ops/structured.hpp"

namespace device_api::cpu {

Family structured_family(da_op op) {
    constexpr uint32_t strided = DAB_OP_STRIDED;
    switch (op) {
    case DA_OP_SUM:
    case DA_OP_PROD:
    case DA_OP_MAX:
    case DA_OP_MIN: return {run_reduction, strided, kAllTypes};
    case DA_OP_ANY:
    case DA_OP_ALL: return {run_truth, strided, kAllTypes};
    case DA_OP_ARGMAX:
    case DA_OP_ARGMIN: return {run_arg_extreme, strided, kRealTypes};
    case DA_OP_INDEX_ACCUMULATE: return {run_index_accumulate, strided, kAllTypes};
    default: return {nullptr, 0, 0};
    }
}

} // namespace device_api::cpu
