// SPDX-License-Identifier: Apache-2.0
// Ops that are not elementwise: the function of each, where there is one.
#include "ops/ops.hpp"

namespace device_api::cpu {

Family structured_family(da_op op) {
    switch (op) {
    case DA_OP_SUM: return {run_sum, DAB_OP_STRIDED, kRealTypes};
    case DA_OP_MAX: return {run_max, DAB_OP_STRIDED, kRealTypes};
    case DA_OP_ARGMAX: return {run_argmax, DAB_OP_STRIDED, kRealTypes};
    case DA_OP_INDEX_ACCUMULATE: return {run_index_accumulate, DAB_OP_STRIDED, kAllTypes};
    default: return {nullptr, 0, 0};
    }
}

} // namespace device_api::cpu
