// SPDX-License-Identifier: Apache-2.0
// The table of the other operators: which aclnn operator is which op.
//
// random_bits is missing on purpose: no aclnn operator gives Philox 4x32-10 bit by bit.
#include "builds.hpp"
#include "op_masks.hpp"

namespace device_api::npu {
namespace {

constexpr da_dtype_mask sortable = up_to_f32 | integers | wide_unsigned;

// op, build, symbols, flags, families, dtypes, others, chips that lack types, the types,
// unconfirmed types, the belief
constexpr OpRow rows[] = {
    {DA_OP_SUM, build_sum, {"ReduceSum"}, strided, not_on(family_310b), numbers},
    {DA_OP_MAX, build_max, {"Amax"}, strided, not_on(family_310b), numbers},
    {DA_OP_MIN, build_min, {"Amin"}, strided, not_on(family_310b), numbers},
    {DA_OP_PROD, build_prod, {"ProdDim", "Prod"}, strided, not_on(family_310b), numbers},
    {DA_OP_ANY, build_any, {"Any"}, strided, family_all, numbers | boolean},
    {DA_OP_ALL, build_any, {"All"}, strided, family_all, numbers | boolean},
    {DA_OP_ARGMAX, build_argmax, {"ArgMax"}, strided, not_on(family_310b), numbers},
    {DA_OP_ARGMIN, build_argmax, {"ArgMin"}, strided, not_on(family_310b), numbers},
    {DA_OP_CUMSUM, build_cumsum, {"Cumsum"}, strided, family_all, numbers},
    {DA_OP_CUMPROD,
     build_cumprod,
     {"Cumprod"},
     strided,
     family_a2 | family_a3,
     numbers | wide_unsigned},

    // Both are aclnnSort, which alone is documented to be stable.
    {DA_OP_SORT,
     build_sort,
     {"Sort"},
     strided,
     not_on(family_310b),
     sortable | boolean,
     0,
     all_but_950,
     wide_unsigned,
     real,
     CANN_BELIEF_SORT_NAN_LAST},
    {DA_OP_ARGSORT,
     build_argsort,
     {"Sort"},
     strided,
     not_on(family_310b),
     sortable | boolean,
     0,
     all_but_950,
     wide_unsigned,
     real,
     CANN_BELIEF_SORT_NAN_LAST},
    {DA_OP_TOPK,
     build_topk,
     {"Topk"},
     strided,
     not_on(family_310b),
     sortable | bits(DA_FLOAT64),
     0,
     all_but_950,
     wide_unsigned,
     everything,
     CANN_BELIEF_TOPK_FIRST_OF_EQUALS},
    // By its formula aclnnSearchSorted does not take NaN as the largest: integers only.
    {DA_OP_SEARCHSORTED, build_searchsorted, {"SearchSorted"}, strided, not_on(old_310), integers},

    // cubeMathType 0 keeps float32; the first generation rejects it with float32.
    {DA_OP_MATMUL,
     build_matmul,
     {"Matmul", "Mm", "BatchMatMul"},
     strided,
     not_on(family_310b),
     up_to_f32,
     0,
     family_310p | family_910a,
     bits(DA_FLOAT32)},
    {DA_OP_TAKE_ALONG_AXIS,
     build_gather,
     {"Gather"},
     strided,
     family_a2 | family_a3,
     everything,
     indices},
    // 16-bit floats must accumulate in float32; whether aclnnScatterAdd does, is not documented.
    {DA_OP_INDEX_ACCUMULATE,
     build_scatter,
     {"ScatterAdd"},
     adds_up,
     not_on(old_310 | family_910a),
     numbers & ~short_floats,
     indices},
    {DA_OP_PUT_ALONG_AXIS,
     build_put,
     {"Scatter"},
     strided,
     not_on(old_310 | family_910a),
     numbers | boolean,
     indices,
     0,
     0,
     everything,
     CANN_BELIEF_SCATTER_LAST_WINS},

    {DA_OP_CONVOLUTION,
     build_convolution,
     {"Convolution"},
     strided,
     not_on(family_910a),
     up_to_f32,
     0,
     old_310,
     bits(DA_FLOAT32)},
    {DA_OP_MAX_POOL,
     build_max_pool,
     {"MaxPool"},
     strided,
     not_on(old_310),
     bits(DA_FLOAT16, DA_FLOAT32),
     0,
     family_910a,
     bits(DA_FLOAT32)},
    {DA_OP_AVG_POOL,
     build_avg_pool,
     {"AvgPool2d"},
     strided,
     not_on(family_310b),
     up_to_f32,
     0,
     family_310p | family_910a,
     bits(DA_FLOAT32)},
    {DA_OP_SOFTMAX, build_softmax, {"Softmax"}, strided, family_all, real},
    {DA_OP_LOG_SOFTMAX, build_softmax, {"LogSoftmax"}, strided, not_on(family_310b), real},
    {DA_OP_LAYER_NORM, build_layer_norm, {"LayerNorm"}, strided, not_on(family_310p), up_to_f32},
    {DA_OP_RMS_NORM,
     build_rms_norm,
     {"RmsNorm"},
     strided,
     not_on(family_310b | family_910a),
     up_to_f32},
};

} // namespace

OpRows structured_rows() {
    return {rows, sizeof rows / sizeof rows[0]};
}

} // namespace device_api::npu
