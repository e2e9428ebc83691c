// SPDX-License-Identifier: Apache-2.0
// The exported operators: for each row of CANN_ACLNN_SYMBOLS the two phases, with the signature
// that the table gives it. A pack turns the parameters of a signature into Arguments.
#include "operator.hpp"

using namespace cann_sim;

#define IN(x)     .in(#x, x)
#define OUT(x)    .out(#x, x)
#define SCALAR(x) .scalar(#x, x)

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
#define PACK_REDUCE_DTYPE     IN(self).axes("dims", dims).keep(keepDims).type(dtype) OUT(out)
#define PACK_REDUCE           IN(self).axes("dim", dim).keep(keepDim) OUT(out)
#define PACK_ARG_REDUCE       IN(self).dim(dim).keep(keepdim) OUT(out)
#define PACK_MATMUL           IN(self) IN(mat2).cube(cubeMathType) OUT(out)
#define PACK_GATHER           IN(self).dim(dim) IN(index) OUT(out)
#define PACK_SCATTER_ADD      IN(self).dim(dim) IN(index) IN(src) OUT(out)
#define PACK_FLIP             IN(self).axes("dims", dims) OUT(out)

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
