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
    case DA_OP_CUMSUM:
    case DA_OP_CUMPROD: return {run_scan, strided, kAllTypes};
    case DA_OP_SORT:
    case DA_OP_ARGSORT:
    case DA_OP_TOPK: return {run_sort, strided, kRealTypes};
    case DA_OP_SEARCHSORTED: return {run_searchsorted, strided, kRealTypes};
    case DA_OP_PUT_ALONG_AXIS: return {run_put_along_axis, strided, kAllTypes};
    case DA_OP_SOFTMAX:
    case DA_OP_LOG_SOFTMAX: return {run_softmax, strided, kRealTypes};
    case DA_OP_LAYER_NORM:
    case DA_OP_RMS_NORM: return {run_norm, strided, kRealTypes};
    case DA_OP_CONVOLUTION: return {run_convolution, strided, kRealTypes};
    case DA_OP_MAX_POOL:
    case DA_OP_AVG_POOL: return {run_pool, strided, kRealTypes};
    case DA_OP_INDEX_ACCUMULATE: return {run_index_accumulate, strided, kAllTypes};
    default: return {nullptr, 0, 0};
    }
}

da_status check_axis(const dab_call* call, int64_t axis) {
    const int rank = call->tensors[0].rank;
    if (axis >= 0 && axis < rank) return DA_OK;
    return fail(DA_INVALID_ARGUMENT, "pass 0 <= axis < rank", "op %d: axis %lld of rank %d",
                int(call->op), static_cast<long long>(axis), rank);
}

} // namespace device_api::cpu
