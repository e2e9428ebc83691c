// SPDX-License-Identifier: Apache-2.0
/* The operator interface of CANN (aclnn): objects and the two-phase operators.
 *
 * CANN_NNOPBASE_SYMBOLS(X): rows as in cann_runtime.h,
 *     X(RETURN, NAME, (PARAMETERS), LIBRARY, SINCE, MARK)
 * CANN_ACLNN_SYMBOLS(X): one row per operator, X(OP, SIGNATURE, LIBRARY, SINCE, MARK), two symbols:
 *     aclnnStatus aclnn<OP>GetWorkspaceSize(CANN_SIG_<SIGNATURE>, uint64_t*, aclOpExecutor**)
 *     aclnnStatus aclnn<OP>(void* workspace, uint64_t size, aclOpExecutor*, aclrtStream)
 * MARK speaks of name and signature.  Which libopapi_*.so has the symbol is a hint only: search
 * all of them.
 */
#ifndef DEVICE_API_NPU_CANN_ACLNN_H
#define DEVICE_API_NPU_CANN_ACLNN_H

#include "cann_types.h"

/* clang-format off */
#define CANN_NNOPBASE_SYMBOLS(X) \
    X(aclTensor*, aclCreateTensor, (const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType, const int64_t* stride, int64_t offset, aclFormat format, const int64_t* storageDims, uint64_t storageDimsNum, void* tensorData), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclInitTensor, (aclTensor* tensor, const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType, const int64_t* stride, int64_t offset, aclFormat format, const int64_t* storageDims, uint64_t storageDimsNum, void* tensorData), NNOPBASE, 8_1, CONFIRMED) \
    X(aclScalar*, aclCreateScalar, (void* value, aclDataType dataType), NNOPBASE, 8_1, CONFIRMED) \
    X(aclIntArray*, aclCreateIntArray, (const int64_t* value, uint64_t size), NNOPBASE, 8_1, CONFIRMED) \
    X(aclFloatArray*, aclCreateFloatArray, (const float* value, uint64_t size), NNOPBASE, 8_1, CONFIRMED) \
    X(aclBoolArray*, aclCreateBoolArray, (const bool* value, uint64_t size), NNOPBASE, 8_1, CONFIRMED) \
    X(aclTensorList*, aclCreateTensorList, (const aclTensor* const* value, uint64_t size), NNOPBASE, 8_1, CONFIRMED) \
    X(aclScalarList*, aclCreateScalarList, (const aclScalar* const* value, uint64_t size), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclDestroyTensor, (const aclTensor* tensor), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclDestroyScalar, (const aclScalar* scalar), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclDestroyIntArray, (const aclIntArray* array), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclDestroyFloatArray, (const aclFloatArray* array), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclDestroyBoolArray, (const aclBoolArray* array), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclDestroyTensorList, (const aclTensorList* array), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclDestroyScalarList, (const aclScalarList* array), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclGetViewShape, (const aclTensor* tensor, int64_t** viewDims, uint64_t* viewDimsNum), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclGetStorageShape, (const aclTensor* tensor, int64_t** storageDims, uint64_t* storageDimsNum), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclGetViewStrides, (const aclTensor* tensor, int64_t** strides, uint64_t* stridesNum), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclGetViewOffset, (const aclTensor* tensor, int64_t* offset), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclGetFormat, (const aclTensor* tensor, aclFormat* format), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclGetDataType, (const aclTensor* tensor, aclDataType* dataType), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclGetIntArraySize, (const aclIntArray* array, uint64_t* size), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclGetFloatArraySize, (const aclFloatArray* array, uint64_t* size), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclGetBoolArraySize, (const aclBoolArray* array, uint64_t* size), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclGetTensorListSize, (const aclTensorList* list, uint64_t* size), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclGetScalarListSize, (const aclScalarList* list, uint64_t* size), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclGetRawTensorAddr, (const aclTensor* tensor, void** addr), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclSetRawTensorAddr, (aclTensor* tensor, void* addr), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclSetAclOpExecutorRepeatable, (aclOpExecutor* executor), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclDestroyAclOpExecutor, (aclOpExecutor* executor), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclSetInputTensorAddr, (aclOpExecutor* executor, const size_t index, aclTensor* tensor, void* addr), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclSetOutputTensorAddr, (aclOpExecutor* executor, const size_t index, aclTensor* tensor, void* addr), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclSetTensorAddr, (aclOpExecutor* executor, const size_t index, aclTensor* tensor, void* addr), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclnnInit, (const char* configPath), NNOPBASE, 8_1, CONFIRMED) \
    X(aclnnStatus, aclnnFinalize, (void), NNOPBASE, 8_1, CONFIRMED)
/* clang-format on */

/* Parameters of phase 1 by signature, without the last two (which are the same for every operator).
 * */
#define CANN_SIG_UNARY  const aclTensor *self, aclTensor *out
#define CANN_SIG_BINARY const aclTensor *self, const aclTensor *other, aclTensor *out
#define CANN_SIG_BINARY_ALPHA                                                                      \
    const aclTensor *self, const aclTensor *other, const aclScalar *alpha, aclTensor *out
#define CANN_SIG_SCALAR const aclTensor *self, const aclScalar *other, aclTensor *out
#define CANN_SIG_SCALAR_CONST_OUT                                                                  \
    const aclTensor *self, const aclScalar *other, const aclTensor *out
#define CANN_SIG_SCALAR_ALPHA                                                                      \
    const aclTensor *self, const aclScalar *other, const aclScalar *alpha, aclTensor *out
#define CANN_SIG_SELECT                                                                            \
    const aclTensor *condition, const aclTensor *self, const aclTensor *other, aclTensor *out
#define CANN_SIG_CAST    const aclTensor *self, const aclDataType dtype, aclTensor *out
#define CANN_SIG_COPY    aclTensor *selfRef, const aclTensor *src
#define CANN_SIG_FILL    aclTensor *selfRef, const aclScalar *value
#define CANN_SIG_INPLACE aclTensor* selfRef
#define CANN_SIG_ARANGE                                                                            \
    const aclScalar *start, const aclScalar *end, const aclScalar *step, aclTensor *out
#define CANN_SIG_REDUCE_DTYPE                                                                      \
    const aclTensor *self, const aclIntArray *dims, bool keepDims, aclDataType dtype, aclTensor *out
#define CANN_SIG_REDUCE const aclTensor *self, const aclIntArray *dim, bool keepDim, aclTensor *out
#define CANN_SIG_ARG_REDUCE const aclTensor *self, int64_t dim, bool keepdim, aclTensor *out
#define CANN_SIG_MATMUL                                                                            \
    const aclTensor *self, const aclTensor *mat2, aclTensor *out, int8_t cubeMathType
#define CANN_SIG_GATHER                                                                            \
    const aclTensor *self, const int64_t dim, const aclTensor *index, aclTensor *out
#define CANN_SIG_SCATTER_ADD                                                                       \
    const aclTensor *self, int64_t dim, const aclTensor *index, const aclTensor *src, aclTensor *out

#define CANN_SIG_FLIP const aclTensor *self, const aclIntArray *dims, aclTensor *out

#define CANN_ACLNN_UNARY_SYMBOLS(X)                                                                \
    X(Neg, UNARY, MATH, 8_1, CONFIRMED)                                                            \
    X(Abs, UNARY, MATH, 8_1, CONFIRMED)                                                            \
    X(Exp, UNARY, MATH, 8_1, CONFIRMED)                                                            \
    X(Log, UNARY, MATH, 8_1, CONFIRMED)                                                            \
    X(Sqrt, UNARY, MATH, 8_1, CONFIRMED)                                                           \
    X(Rsqrt, UNARY, MATH, 8_1, CONFIRMED)                                                          \
    X(Reciprocal, UNARY, MATH, 8_1, CONFIRMED)                                                     \
    X(Tanh, UNARY, MATH, 8_1, CONFIRMED)                                                           \
    X(Floor, UNARY, MATH, 8_1, CONFIRMED)                                                          \
    X(Sign, UNARY, MATH, 8_1, CONFIRMED)                                                           \
    X(Relu, UNARY, NN, 8_1, CONFIRMED)                                                             \
    X(Sigmoid, UNARY, NN, 8_1, CONFIRMED)                                                          \
    X(LogicalNot, UNARY, MATH, 8_1, CONFIRMED)

#define CANN_ACLNN_BINARY_SYMBOLS(X)                                                               \
    X(Add, BINARY_ALPHA, MATH, 8_1, CONFIRMED)                                                     \
    X(Sub, BINARY_ALPHA, MATH, 8_1, CONFIRMED)                                                     \
    X(Mul, BINARY, MATH, 8_1, CONFIRMED)                                                           \
    X(Div, BINARY, MATH, 8_1, CONFIRMED)                                                           \
    X(Maximum, BINARY, MATH, 8_1, CONFIRMED)                                                       \
    X(Minimum, BINARY, MATH, 8_1, CONFIRMED)                                                       \
    X(PowTensorTensor, BINARY, MATH, 8_1, CONFIRMED)                                               \
    X(EqTensor, BINARY, MATH, 8_1, CONFIRMED)                                                      \
    X(NeTensor, BINARY, MATH, 8_1, CONFIRMED)                                                      \
    X(LtTensor, BINARY, MATH, 8_1, CONFIRMED)                                                      \
    X(LeTensor, BINARY, MATH, 8_1, CONFIRMED)                                                      \
    X(GtTensor, BINARY, MATH, 8_1, CONFIRMED)                                                      \
    X(GeTensor, BINARY, MATH, 8_1, CONFIRMED)                                                      \
    X(LogicalAnd, BINARY, MATH, 8_1, CONFIRMED)                                                    \
    X(LogicalOr, BINARY, MATH, 8_1, CONFIRMED)                                                     \
    X(Adds, SCALAR_ALPHA, MATH, 8_1, CONFIRMED)                                                    \
    X(Subs, SCALAR_ALPHA, MATH, 8_1, CONFIRMED)                                                    \
    X(Muls, SCALAR, MATH, 8_1, CONFIRMED)                                                          \
    X(Divs, SCALAR, MATH, 8_1, CONFIRMED)                                                          \
    X(PowTensorScalar, SCALAR_CONST_OUT, MATH, 8_1, CONFIRMED)

#define CANN_ACLNN_OTHER_SYMBOLS(X)                                                                \
    X(SWhere, SELECT, MATH, 8_1, CONFIRMED)                                                        \
    X(Cast, CAST, MATH, 8_1, CONFIRMED)                                                            \
    X(InplaceCopy, COPY, MATH, 8_1, CONFIRMED)                                                     \
    X(InplaceFillScalar, FILL, MATH, 8_1, CONFIRMED)                                               \
    X(InplaceZero, INPLACE, MATH, 8_1, CONFIRMED)                                                  \
    X(Arange, ARANGE, MATH, 8_1, CONFIRMED)                                                        \
    X(ReduceSum, REDUCE_DTYPE, MATH, 8_1, CONFIRMED)                                               \
    X(Amax, REDUCE, MATH, 8_1, CONFIRMED)                                                          \
    X(Amin, REDUCE, MATH, 8_1, CONFIRMED)                                                          \
    X(ArgMax, ARG_REDUCE, MATH, 8_1, CONFIRMED)                                                    \
    X(ArgMin, ARG_REDUCE, MATH, 8_1, CONFIRMED)                                                    \
    X(Matmul, MATMUL, NN, 8_1, CONFIRMED)                                                          \
    X(Mm, MATMUL, NN, 8_1, CONFIRMED)                                                              \
    X(BatchMatMul, MATMUL, NN, 8_1, CONFIRMED)                                                     \
    X(Gather, GATHER, NN, 8_1, CONFIRMED)                                                          \
    X(ScatterAdd, SCATTER_ADD, NN, 8_1, CONFIRMED)                                                 \
    X(Flip, FLIP, MATH, 8_1, CONFIRMED)

#define CANN_ACLNN_SYMBOLS(X)                                                                      \
    CANN_ACLNN_UNARY_SYMBOLS(X) CANN_ACLNN_BINARY_SYMBOLS(X) CANN_ACLNN_OTHER_SYMBOLS(X)

#ifdef __cplusplus
extern "C" {
#endif

/* Phase 2 has one signature for every operator. */
typedef aclnnStatus (*aclnnRun_fn)(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#define CANN_NNOPBASE_TYPE_ROW(ret, name, params, library, since, mark)                            \
    typedef ret(*name##_fn) params;
#define CANN_NNOPBASE_PROTOTYPE_ROW(ret, name, params, library, since, mark) ret name params;
#define CANN_ACLNN_TYPE_ROW(op, signature, library, since, mark)                                   \
    typedef aclnnStatus (*aclnn##op##GetWorkspaceSize_fn)(                                         \
        CANN_SIG_##signature, uint64_t* workspaceSize, aclOpExecutor** executor);
#define CANN_ACLNN_PROTOTYPE_ROW(op, signature, library, since, mark)                              \
    aclnnStatus aclnn##op##GetWorkspaceSize(CANN_SIG_##signature, uint64_t* workspaceSize,         \
                                            aclOpExecutor** executor);                             \
    aclnnStatus aclnn##op(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,        \
                          aclrtStream stream);

CANN_NNOPBASE_SYMBOLS(CANN_NNOPBASE_TYPE_ROW)
CANN_ACLNN_SYMBOLS(CANN_ACLNN_TYPE_ROW)
#ifdef CANN_DECLARE_PROTOTYPES
CANN_NNOPBASE_SYMBOLS(CANN_NNOPBASE_PROTOTYPE_ROW)
CANN_ACLNN_SYMBOLS(CANN_ACLNN_PROTOTYPE_ROW)
#endif

#ifdef __cplusplus
}
#endif
#endif
