// SPDX-License-Identifier: Apache-2.0
// The exported operators: for each row of CANN_ACLNN_SYMBOLS the two phases, with the signature
// that the table gives it. A pack turns the parameters of a signature into Arguments.
#include "operator.hpp"

using namespace cann_sim;

#define IN(x)        .in(#x, x)
#define OUT(x)       .out(#x, x)
#define SCALAR(x)    .scalar(#x, x)
#define INTS(x)      .ints(#x, x)
#define MAYBE_IN(x)  .in(#x, x, true)
#define MAYBE_OUT(x) .out(#x, x, true)

// clang-format off
#define PACK_UNARY            IN(self) OUT(out)
#define PACK_BINARY           IN(self) IN(other) OUT(out)
#define PACK_BINARY_ALPHA     IN(self) IN(other) SCALAR(alpha) OUT(out)
#define PACK_SCALAR           IN(self) SCALAR(other) OUT(out)
#define PACK_SCALAR_CONST_OUT IN(self) SCALAR(other) OUT(out)
#define PACK_SCALAR_ALPHA     IN(self) SCALAR(other) SCALAR(alpha) OUT(out)
#define PACK_SELECT           IN(condition) IN(self) IN(other) OUT(out)
#define PACK_CAST             IN(self).type(dtype) OUT(out)
#define PACK_COPY             IN(src) OUT(selfRef)
#define PACK_FILL             SCALAR(value) OUT(selfRef)
#define PACK_INPLACE          OUT(selfRef)
#define PACK_ARANGE           SCALAR(start) SCALAR(end) SCALAR(step) OUT(out)
#define PACK_REDUCE_DTYPE     IN(self) INTS(dims).keep(keepDims).type(dtype) OUT(out)
#define PACK_REDUCE           IN(self) INTS(dim).keep(keepDim) OUT(out)
#define PACK_ARG_REDUCE       IN(self).dim(dim).keep(keepdim) OUT(out)
#define PACK_MATMUL           IN(self) IN(mat2).cube(cubeMathType) OUT(out)
#define PACK_GATHER           IN(self).dim(dim) IN(index) OUT(out)
#define PACK_SCATTER_ADD      IN(self).dim(dim) IN(index) IN(src) OUT(out)
#define PACK_FLIP             IN(self) INTS(dims) OUT(out)
#define PACK_GELU_V2          IN(x).number(approximate) OUT(y)
#define PACK_LEAKY_RELU       IN(self) SCALAR(negativeSlope) OUT(out)
#define PACK_ELU              IN(self) SCALAR(alpha) SCALAR(scale) SCALAR(inputScale) OUT(out)
#define PACK_SOFTPLUS         IN(self) SCALAR(beta) SCALAR(threshold) OUT(out)
#define PACK_LEFT_SHIFT       IN(self) IN(shiftBits) OUT(out)
#define PACK_RIGHT_SHIFT      IN(input) IN(shiftBits) OUT(out)
#define PACK_PROD             IN(self).type(dtype) OUT(out)
#define PACK_PROD_DIM         IN(self).dim(dim).keep(keepDim).type(dtype) OUT(out)
#define PACK_REDUCE_LOGICAL   IN(self) INTS(dim).keep(keepdim) OUT(out)
#define PACK_CUMSUM           IN(self).dim(dim).type(dtype) OUT(out)
#define PACK_CUMPROD          IN(input) SCALAR(dim).type(dtype) OUT(out)
#define PACK_SORT \
    IN(self).number(stable).dim(dim).number(descending) OUT(valuesOut) OUT(indicesOut)
#define PACK_TOPK \
    IN(self).number(k).dim(dim).number(largest).number(sorted) OUT(valuesOut) OUT(indicesOut)
#define PACK_SEARCH_SORTED \
    IN(sortedSequence) IN(self).number(outInt32).number(right) MAYBE_IN(sorter) OUT(out)
#define PACK_SCATTER          IN(self).dim(dim) IN(index) IN(src).number(reduce) OUT(out)
#define PACK_SOFTMAX          IN(self).dim(dim) OUT(out)
#define PACK_LAYER_NORM \
    IN(input) INTS(normalizedShape) MAYBE_IN(weightOptional) MAYBE_IN(biasOptional).real(eps) \
    OUT(out) MAYBE_OUT(meanOutOptional) MAYBE_OUT(rstdOutOptional)
#define PACK_RMS_NORM         IN(x) IN(gamma).real(epsilon) OUT(yOut) OUT(rstdOut)
#define PACK_CONVOLUTION \
    IN(input) IN(weight) MAYBE_IN(bias) INTS(stride) INTS(padding) \
    INTS(dilation).number(transposed) INTS(outputPadding).number(groups).cube(cubeMathType) \
    OUT(output)
#define PACK_MAX_POOL \
    IN(self) INTS(kernelShape) INTS(strides).number(autoPad) INTS(pads) \
    INTS(dilations).number(ceilMode) OUT(out)
#define PACK_AVG_POOL_2D \
    IN(self) INTS(kernelSize) INTS(strides) \
    INTS(paddings).number(ceilMode).number(countIncludePad).number(divisorOverride).cube(cubeMathType) \
    OUT(out)
// clang-format on

#define EXPORT_OPERATOR(op, signature, library, since, mark)                                       \
    SIM_EXPORT aclnnStatus aclnn##op##GetWorkspaceSize(                                            \
        CANN_SIG_##signature, uint64_t* workspaceSize, aclOpExecutor** executor) {                 \
        Arguments arguments;                                                                       \
        arguments PACK_##signature;                                                                \
        return get_workspace_size("aclnn" #op "GetWorkspaceSize", Op::op, arguments,               \
                                  workspaceSize, executor);                                        \
    }                                                                                              \
    SIM_EXPORT aclnnStatus aclnn##op(void* workspace, uint64_t workspaceSize,                      \
                                     aclOpExecutor* executor, aclrtStream stream) {                \
        return execute("aclnn" #op, Op::op, workspace, workspaceSize, executor, stream);           \
    }

CANN_ACLNN_SYMBOLS(EXPORT_OPERATOR)
