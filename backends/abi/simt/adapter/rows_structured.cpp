// SPDX-License-Identifier: Apache-2.0
// The table of the other ops. The mode of a reduction: 0 of ordered numbers, 1 its place, 2 of any
// numbers; of windows and norms: the kernel's WHAT.
#include "structured.hpp"

namespace device_api::simt {
namespace {

constexpr da_dtype_mask summed = numeric_types | complex_types;
constexpr da_dtype_mask sorted = bool_type | numeric_types;

// op, run, dtypes, flags, file, function, mode, others, workspace
constexpr OpRow rows[] = {
    {DA_OP_SUM, run_reduce, summed, strided, nullptr, "Sum", 2, 0, reduce_workspace},
    {DA_OP_PROD, run_reduce, summed, strided, nullptr, "Prod", 2, 0, reduce_workspace},
    {DA_OP_MAX, run_reduce, numeric_types, strided, nullptr, "Max", 0, 0, reduce_workspace},
    {DA_OP_MIN, run_reduce, numeric_types, strided, nullptr, "Min", 0, 0, reduce_workspace},
    {DA_OP_ANY, run_reduce, all_types, strided, nullptr, "Any", 2, 0, reduce_workspace},
    {DA_OP_ALL, run_reduce, all_types, strided, nullptr, "All", 2, 0, reduce_workspace},
    {DA_OP_ARGMAX, run_reduce, numeric_types, strided, nullptr, "ArgMax", 1, 0, reduce_workspace},
    {DA_OP_ARGMIN, run_reduce, numeric_types, strided, nullptr, "ArgMin", 1, 0, reduce_workspace},
    {DA_OP_MATMUL, run_product, summed, strided},
    {DA_OP_TAKE_ALONG_AXIS, run_take, all_types, strided, nullptr, nullptr, 0, index_types},
    {DA_OP_PUT_ALONG_AXIS, run_put, all_types, strided, nullptr, nullptr, 0, index_types,
     put_workspace},
    {DA_OP_INDEX_ACCUMULATE, run_accumulate, summed, strided, nullptr, nullptr, 0, index_types,
     accumulate_workspace},
    {DA_OP_CUMSUM, run_scan, summed, strided},
    {DA_OP_CUMPROD, run_scan, summed, strided},
    {DA_OP_SORT, run_sort, sorted, strided, nullptr, nullptr, 0, 0, sort_workspace},
    {DA_OP_ARGSORT, run_sort, sorted, strided, nullptr, nullptr, 0, 0, sort_workspace},
    {DA_OP_TOPK, run_sort, sorted, strided, nullptr, nullptr, 0, 0, sort_workspace},
    {DA_OP_SEARCHSORTED, run_search, sorted, strided},
    {DA_OP_CONVOLUTION, run_window, floating_types, strided, nullptr, nullptr, 1},
    {DA_OP_MAX_POOL, run_window, floating_types, strided, nullptr, nullptr, 2},
    {DA_OP_AVG_POOL, run_window, floating_types, strided, nullptr, nullptr, 3},
    {DA_OP_SOFTMAX, run_normalize, floating_types, strided, nullptr, nullptr, 1},
    {DA_OP_LOG_SOFTMAX, run_normalize, floating_types, strided, nullptr, nullptr, 2},
    {DA_OP_LAYER_NORM, run_normalize, floating_types, strided, nullptr, nullptr, 3},
    {DA_OP_RMS_NORM, run_normalize, floating_types, strided, nullptr, nullptr, 4},
};

} // namespace

OpRows structured_rows() {
    return {rows, sizeof rows / sizeof rows[0]};
}

} // namespace device_api::simt
