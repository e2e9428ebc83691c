// SPDX-License-Identifier: Apache-2.0
// Phase 1 of elementwise operators, matrix products, gather and scatter.
#include "builds.hpp"

#include "builder.hpp"

namespace device_api::npu {

int build_unary(Builder& b) {
    return b.phase1<aclnnNegGetWorkspaceSize_fn>()(b.in(0), b.out(), b.workspace(), b.executor());
}

int build_isnan(Builder& b) {
    return b.phase1<aclnnNeTensorGetWorkspaceSize_fn>()(b.in(0), b.in(0), b.out(), b.workspace(),
                                                        b.executor());
}

int build_binary(Builder& b) {
    return b.phase1<aclnnMulGetWorkspaceSize_fn>()(b.operand(0), b.operand(1), b.out(),
                                                   b.workspace(), b.executor());
}

// The scalar may stand on either side of + and *.
int build_add(Builder& b) {
    for (const unsigned scalar : {0u, 1u})
        if (b.immediate(scalar))
            return b.has(1) ? b.phase1<aclnnAddsGetWorkspaceSize_fn>(1)(
                                  b.in(1 - scalar), b.scalar_input(scalar), b.one(), b.out(),
                                  b.workspace(), b.executor())
                            : b.refuse("this CANN has no aclnnAdds");
    return b.phase1<aclnnAddGetWorkspaceSize_fn>()(b.operand(0), b.operand(1), b.one(), b.out(),
                                                   b.workspace(), b.executor());
}

int build_sub(Builder& b) {
    return b.phase1<aclnnSubGetWorkspaceSize_fn>()(b.operand(0), b.operand(1), b.one(), b.out(),
                                                   b.workspace(), b.executor());
}

int build_mul(Builder& b) {
    for (const unsigned scalar : {0u, 1u})
        if (b.immediate(scalar))
            return b.has(1)
                       ? b.phase1<aclnnMulsGetWorkspaceSize_fn>(1)(b.in(1 - scalar),
                                                                   b.scalar_input(scalar), b.out(),
                                                                   b.workspace(), b.executor())
                       : b.refuse("this CANN has no aclnnMuls");
    return build_binary(b);
}

int build_gelu(Builder& b) {
    const std::int64_t by_tanh = b.op() == DA_OP_GELU_TANH;
    return b.phase1<aclnnGeluV2GetWorkspaceSize_fn>()(b.in(0), by_tanh, b.out(), b.workspace(),
                                                      b.executor());
}

int build_softplus(Builder& b) {
    return b.phase1<aclnnSoftplusGetWorkspaceSize_fn>()(
        b.in(0), b.scalar_f32(b.attribute(DA_SOFTPLUS_BETA).f),
        b.scalar_f32(b.attribute(DA_SOFTPLUS_THRESHOLD).f), b.out(), b.workspace(), b.executor());
}

int build_leaky_relu(Builder& b) {
    return b.phase1<aclnnLeakyReluGetWorkspaceSize_fn>()(
        b.in(0), b.scalar_f32(b.attribute(DA_LEAKY_RELU_SLOPE).f), b.out(), b.workspace(),
        b.executor());
}

int build_elu(Builder& b) {
    aclScalar* one = b.scalar_f32(1);
    return b.phase1<aclnnEluGetWorkspaceSize_fn>()(b.in(0),
                                                   b.scalar_f32(b.attribute(DA_ELU_ALPHA).f), one,
                                                   one, b.out(), b.workspace(), b.executor());
}

int build_where(Builder& b) {
    return b.phase1<aclnnSWhereGetWorkspaceSize_fn>()(b.operand(0), b.operand(1), b.operand(2),
                                                      b.out(), b.workspace(), b.executor());
}

int build_cast(Builder& b) {
    return b.phase1<aclnnCastGetWorkspaceSize_fn>()(b.in(0), acl_type(b.output().dtype), b.out(),
                                                    b.workspace(), b.executor());
}

int build_fill(Builder& b) {
    return b.phase1<aclnnInplaceFillScalarGetWorkspaceSize_fn>()(
        b.out(), b.scalar_attribute(DA_FILL_VALUE), b.workspace(), b.executor());
}

int build_matmul(Builder& b) {
    constexpr int max_rank = 6;
    const int rank = b.output().rank;
    if (rank > max_rank) return b.refuse("aclnnMatmul takes 6 dimensions at most");
    // Only the dimensions of the batch may broadcast.
    const unsigned left = b.broadcast_mask(0, rank - 2), right = b.broadcast_mask(1, rank - 2);
    const unsigned exact = rank == 2 ? 1 : rank == 3 && !(left | right) ? 2 : 0;
    return b.phase1<aclnnMatmulGetWorkspaceSize_fn>(b.has(exact) ? exact : 0)(
        b.in(0, left), b.in(1, right), b.out(), ACL_CUBE_KEEP_DTYPE, b.workspace(), b.executor());
}

int build_gather(Builder& b) {
    return b.phase1<aclnnGatherGetWorkspaceSize_fn>()(
        b.in(0), b.attribute(DA_TAKE_ALONG_AXIS_AXIS).i, b.in(1), b.out(), b.workspace(),
        b.executor());
}

int build_put(Builder& b) {
    constexpr std::int64_t replace = 0; // no reduction
    return b.phase1<aclnnScatterGetWorkspaceSize_fn>()(
        b.in(0), b.attribute(DA_PUT_ALONG_AXIS_AXIS).i, b.in(1), b.in(2), replace, b.out(),
        b.workspace(), b.executor());
}

int build_scatter(Builder& b) {
    return b.phase1<aclnnScatterAddGetWorkspaceSize_fn>()(
        b.in(0), b.attribute(DA_INDEX_ACCUMULATE_AXIS).i, b.in(1), b.in(2), b.out(), b.workspace(),
        b.executor());
}

} // namespace device_api::npu
