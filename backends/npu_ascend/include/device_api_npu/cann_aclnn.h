// SPDX-License-Identifier: Apache-2.0
/* The operator interface of CANN (aclnn): objects and the two-phase operators.
 *
 * CANN_NNOPBASE_SYMBOLS(X): rows as in cann_runtime.h,
 *     X(RETURN, NAME, (PARAMETERS), LIBRARY, SINCE, MARK)
 * CANN_ACLNN_SYMBOLS(X): the operators, in cann_operators.h.
 */
#ifndef DEVICE_API_NPU_CANN_ACLNN_H
#define DEVICE_API_NPU_CANN_ACLNN_H

#include "cann_operators.h"
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
