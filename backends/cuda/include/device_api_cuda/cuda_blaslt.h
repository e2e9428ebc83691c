// SPDX-License-Identifier: Apache-2.0
/* libcublasLt.so.12 and .13: enums X(NAME, VALUE, MARK) and functions, rows as in cuda_driver.h. */
#ifndef DEVICE_API_CUDA_BLASLT_H
#define DEVICE_API_CUDA_BLASLT_H

#include "cuda_blas.h"

#ifndef DEVICE_API_CUDA_VENDOR_TYPES
/* clang-format off */
typedef struct cublasLtContext* cublasLtHandle_t;
typedef struct cublasLtMatmulDescOpaque_t* cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayoutOpaque_t* cublasLtMatrixLayout_t;
typedef struct cublasLtMatmulPreferenceOpaque_t* cublasLtMatmulPreference_t;
typedef struct cublasLtMatrixTransformDescOpaque_t* cublasLtMatrixTransformDesc_t;
typedef struct { uint64_t data[8]; } cublasLtMatmulAlgo_t;
typedef struct { cublasLtMatmulAlgo_t algo; size_t workspaceSize; cublasStatus_t state; float wavesCount; int reserved[4]; } cublasLtMatmulHeuristicResult_t;
#define CUBLASLT_MATMUL_DESC_ATTRIBUTES(X) \
    X(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, 0, CONFIRMED) \
    X(CUBLASLT_MATMUL_DESC_SCALE_TYPE, 1, CONFIRMED) \
    X(CUBLASLT_MATMUL_DESC_POINTER_MODE, 2, CONFIRMED) \
    X(CUBLASLT_MATMUL_DESC_TRANSA, 3, CONFIRMED) \
    X(CUBLASLT_MATMUL_DESC_TRANSB, 4, CONFIRMED) \
    X(CUBLASLT_MATMUL_DESC_EPILOGUE, 7, CONFIRMED) \
    X(CUBLASLT_MATMUL_DESC_BIAS_POINTER, 8, CONFIRMED) \
    X(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, 17, CONFIRMED) \
    X(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, 18, CONFIRMED) \
    X(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, 19, CONFIRMED) \
    X(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, 20, CONFIRMED) \
    X(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, 21, CONFIRMED) \
    X(CUBLASLT_MATMUL_DESC_FAST_ACCUM, 25, CONFIRMED)
typedef enum cublasLtMatmulDescAttributes_t CU_ENUM_INT { CUBLASLT_MATMUL_DESC_ATTRIBUTES(CU_ENUM_ROW) } cublasLtMatmulDescAttributes_t;

#define CUBLASLT_LAYOUT_ATTRIBUTES(X) \
    X(CUBLASLT_MATRIX_LAYOUT_TYPE, 0, CONFIRMED) \
    X(CUBLASLT_MATRIX_LAYOUT_ORDER, 1, CONFIRMED) \
    X(CUBLASLT_MATRIX_LAYOUT_ROWS, 2, CONFIRMED) \
    X(CUBLASLT_MATRIX_LAYOUT_COLS, 3, CONFIRMED) \
    X(CUBLASLT_MATRIX_LAYOUT_LD, 4, CONFIRMED) \
    X(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, 5, CONFIRMED) \
    X(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, 6, CONFIRMED)
typedef enum cublasLtMatrixLayoutAttribute_t CU_ENUM_INT { CUBLASLT_LAYOUT_ATTRIBUTES(CU_ENUM_ROW) } cublasLtMatrixLayoutAttribute_t;

#define CUBLASLT_PREFERENCE_ATTRIBUTES(X) \
    X(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, 1, CONFIRMED)
typedef enum cublasLtMatmulPreferenceAttributes_t CU_ENUM_INT { CUBLASLT_PREFERENCE_ATTRIBUTES(CU_ENUM_ROW) } cublasLtMatmulPreferenceAttributes_t;

#define CUBLASLT_ORDERS(X) \
    X(CUBLASLT_ORDER_COL, 0, CONFIRMED) \
    X(CUBLASLT_ORDER_ROW, 1, CONFIRMED)
typedef enum cublasLtOrder_t CU_ENUM_INT { CUBLASLT_ORDERS(CU_ENUM_ROW) } cublasLtOrder_t;

#define CUBLASLT_EPILOGUES(X) \
    X(CUBLASLT_EPILOGUE_DEFAULT, 1, CONFIRMED) \
    X(CUBLASLT_EPILOGUE_RELU, 2, CONFIRMED) \
    X(CUBLASLT_EPILOGUE_BIAS, 4, CONFIRMED) \
    X(CUBLASLT_EPILOGUE_RELU_BIAS, 6, CONFIRMED) \
    X(CUBLASLT_EPILOGUE_GELU, 32, CONFIRMED) \
    X(CUBLASLT_EPILOGUE_GELU_BIAS, 36, CONFIRMED)
typedef enum cublasLtEpilogue_t CU_ENUM_INT { CUBLASLT_EPILOGUES(CU_ENUM_ROW) } cublasLtEpilogue_t;
/* clang-format on */
#endif

/* clang-format off */
#define CUBLASLT_SYMBOLS(X) \
    X(cublasStatus_t, cublasLtCreate, (cublasLtHandle_t* lightHandle), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasLtDestroy, (cublasLtHandle_t lightHandle), 12_0, CONFIRMED) \
    X(size_t, cublasLtGetVersion, (void), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasLtMatmul, (cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t computeDesc, const void* alpha, const void* A, cublasLtMatrixLayout_t Adesc, const void* B, cublasLtMatrixLayout_t Bdesc, const void* beta, const void* C, cublasLtMatrixLayout_t Cdesc, void* D, cublasLtMatrixLayout_t Ddesc, const cublasLtMatmulAlgo_t* algo, void* workspace, size_t workspaceSizeInBytes, cudaStream_t stream), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasLtMatmulDescCreate, (cublasLtMatmulDesc_t* matmulDesc, cublasComputeType_t computeType, cudaDataType_t scaleType), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasLtMatmulDescDestroy, (cublasLtMatmulDesc_t matmulDesc), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasLtMatmulDescSetAttribute, (cublasLtMatmulDesc_t matmulDesc, cublasLtMatmulDescAttributes_t attr, const void* buf, size_t sizeInBytes), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasLtMatrixLayoutCreate, (cublasLtMatrixLayout_t* matLayout, cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasLtMatrixLayoutDestroy, (cublasLtMatrixLayout_t matLayout), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasLtMatrixLayoutSetAttribute, (cublasLtMatrixLayout_t matLayout, cublasLtMatrixLayoutAttribute_t attr, const void* buf, size_t sizeInBytes), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasLtMatmulPreferenceCreate, (cublasLtMatmulPreference_t* pref), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasLtMatmulPreferenceDestroy, (cublasLtMatmulPreference_t pref), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasLtMatmulPreferenceSetAttribute, (cublasLtMatmulPreference_t pref, cublasLtMatmulPreferenceAttributes_t attr, const void* buf, size_t sizeInBytes), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasLtMatmulAlgoGetHeuristic, (cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc, cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc, cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc, cublasLtMatmulPreference_t preference, int requestedAlgoCount, cublasLtMatmulHeuristicResult_t heuristicResultsArray[], int* returnAlgoCount), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasLtMatmulAlgoInit, (cublasLtHandle_t lightHandle, cublasComputeType_t computeType, cudaDataType_t scaleType, cudaDataType_t Atype, cudaDataType_t Btype, cudaDataType_t Ctype, cudaDataType_t Dtype, int algoId, cublasLtMatmulAlgo_t* algo), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasLtMatmulAlgoCheck, (cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc, cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc, cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc, const cublasLtMatmulAlgo_t* algo, cublasLtMatmulHeuristicResult_t* result), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasLtMatrixTransform, (cublasLtHandle_t lightHandle, cublasLtMatrixTransformDesc_t transformDesc, const void* alpha, const void* A, cublasLtMatrixLayout_t Adesc, const void* beta, const void* B, cublasLtMatrixLayout_t Bdesc, void* C, cublasLtMatrixLayout_t Cdesc, cudaStream_t stream), 12_0, CONFIRMED)
/* clang-format on */

#ifdef __cplusplus
extern "C" {
#endif
CUBLASLT_SYMBOLS(CU_FN_TYPE_ROW)
#ifdef CUDA_DECLARE_PROTOTYPES
CUBLASLT_SYMBOLS(CU_FN_PROTOTYPE_ROW)
#endif
#ifdef __cplusplus
}
#endif
#endif
