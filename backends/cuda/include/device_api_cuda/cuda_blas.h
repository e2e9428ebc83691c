// SPDX-License-Identifier: Apache-2.0
/* libcublas.so.12 and .13, column-major: enums X(NAME, VALUE, MARK) and functions, rows as in
 * cuda_driver.h. alpha and beta are of the type that the compute type says, on the host or the
 * device by the pointer mode. */
#ifndef DEVICE_API_CUDA_BLAS_H
#define DEVICE_API_CUDA_BLAS_H

#include "cuda_types.h"

#ifndef DEVICE_API_CUDA_VENDOR_TYPES
typedef struct cublasContext* cublasHandle_t;
typedef CUstream cudaStream_t;

/* clang-format off */
#define CUBLAS_STATUSES(X) \
    X(CUBLAS_STATUS_SUCCESS, 0, CONFIRMED) \
    X(CUBLAS_STATUS_NOT_INITIALIZED, 1, CONFIRMED) \
    X(CUBLAS_STATUS_ALLOC_FAILED, 3, CONFIRMED) \
    X(CUBLAS_STATUS_INVALID_VALUE, 7, CONFIRMED) \
    X(CUBLAS_STATUS_ARCH_MISMATCH, 8, CONFIRMED) \
    X(CUBLAS_STATUS_MAPPING_ERROR, 11, CONFIRMED) \
    X(CUBLAS_STATUS_EXECUTION_FAILED, 13, CONFIRMED) \
    X(CUBLAS_STATUS_INTERNAL_ERROR, 14, CONFIRMED) \
    X(CUBLAS_STATUS_NOT_SUPPORTED, 15, CONFIRMED) \
    X(CUBLAS_STATUS_LICENSE_ERROR, 16, CONFIRMED)
typedef enum cublasStatus_t CU_ENUM_INT { CUBLAS_STATUSES(CU_ENUM_ROW) } cublasStatus_t;

#define CUBLAS_OPERATIONS(X) \
    X(CUBLAS_OP_N, 0, CONFIRMED) \
    X(CUBLAS_OP_T, 1, CONFIRMED) \
    X(CUBLAS_OP_C, 2, CONFIRMED)
typedef enum cublasOperation_t CU_ENUM_INT { CUBLAS_OPERATIONS(CU_ENUM_ROW) } cublasOperation_t;

#define CUBLAS_POINTER_MODES(X) \
    X(CUBLAS_POINTER_MODE_HOST, 0, CONFIRMED) \
    X(CUBLAS_POINTER_MODE_DEVICE, 1, CONFIRMED)
typedef enum cublasPointerMode_t CU_ENUM_INT { CUBLAS_POINTER_MODES(CU_ENUM_ROW) } cublasPointerMode_t;

#define CUBLAS_ATOMICS_MODES(X) \
    X(CUBLAS_ATOMICS_NOT_ALLOWED, 0, CONFIRMED) \
    X(CUBLAS_ATOMICS_ALLOWED, 1, CONFIRMED)
typedef enum cublasAtomicsMode_t CU_ENUM_INT { CUBLAS_ATOMICS_MODES(CU_ENUM_ROW) } cublasAtomicsMode_t;

#define CUBLAS_MATH_MODES(X) \
    X(CUBLAS_DEFAULT_MATH, 0, CONFIRMED) \
    X(CUBLAS_TENSOR_OP_MATH, 1, CONFIRMED) \
    X(CUBLAS_PEDANTIC_MATH, 2, CONFIRMED) \
    X(CUBLAS_TF32_TENSOR_OP_MATH, 3, CONFIRMED) \
    X(CUBLAS_FP32_EMULATED_BF16X9_MATH, 4, CONFIRMED) \
    X(CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION, 16, CONFIRMED)
typedef enum cublasMath_t CU_ENUM_INT { CUBLAS_MATH_MODES(CU_ENUM_ROW) } cublasMath_t;

#define CUBLAS_ALGORITHMS(X) \
    X(CUBLAS_GEMM_DEFAULT, -1, CONFIRMED) \
    X(CUBLAS_GEMM_DEFAULT_TENSOR_OP, 99, CONFIRMED)
typedef enum cublasGemmAlgo_t CU_ENUM_INT { CUBLAS_ALGORITHMS(CU_ENUM_ROW) } cublasGemmAlgo_t;

#define CUBLAS_COMPUTE_TYPES(X) \
    X(CUBLAS_COMPUTE_16F, 64, CONFIRMED) \
    X(CUBLAS_COMPUTE_16F_PEDANTIC, 65, CONFIRMED) \
    X(CUBLAS_COMPUTE_32F, 68, CONFIRMED) \
    X(CUBLAS_COMPUTE_32F_PEDANTIC, 69, CONFIRMED) \
    X(CUBLAS_COMPUTE_64F, 70, CONFIRMED) \
    X(CUBLAS_COMPUTE_64F_PEDANTIC, 71, CONFIRMED) \
    X(CUBLAS_COMPUTE_32I, 72, CONFIRMED) \
    X(CUBLAS_COMPUTE_32I_PEDANTIC, 73, CONFIRMED) \
    X(CUBLAS_COMPUTE_32F_FAST_16F, 74, CONFIRMED) \
    X(CUBLAS_COMPUTE_32F_FAST_16BF, 75, CONFIRMED) \
    X(CUBLAS_COMPUTE_32F_FAST_TF32, 77, CONFIRMED) \
    X(CUBLAS_COMPUTE_32F_EMULATED_16BFX9, 78, CONFIRMED) \
    X(CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT, 79, CONFIRMED)
typedef enum cublasComputeType_t CU_ENUM_INT { CUBLAS_COMPUTE_TYPES(CU_ENUM_ROW) } cublasComputeType_t;

#define CUDA_DATA_TYPES(X) \
    X(CUDA_R_32F, 0, CONFIRMED) \
    X(CUDA_R_64F, 1, CONFIRMED) \
    X(CUDA_R_16F, 2, CONFIRMED) \
    X(CUDA_R_8I, 3, CONFIRMED) \
    X(CUDA_C_32F, 4, CONFIRMED) \
    X(CUDA_C_64F, 5, CONFIRMED) \
    X(CUDA_C_16F, 6, CONFIRMED) \
    X(CUDA_R_8U, 8, CONFIRMED) \
    X(CUDA_R_32I, 10, CONFIRMED) \
    X(CUDA_R_32U, 12, CONFIRMED) \
    X(CUDA_R_16BF, 14, CONFIRMED) \
    X(CUDA_R_4I, 16, CONFIRMED) \
    X(CUDA_R_16I, 20, CONFIRMED) \
    X(CUDA_R_64I, 24, CONFIRMED) \
    X(CUDA_R_8F_E4M3, 28, CONFIRMED) \
    X(CUDA_R_8F_E5M2, 29, CONFIRMED)
typedef enum cudaDataType CU_ENUM_INT { CUDA_DATA_TYPES(CU_ENUM_ROW) } cudaDataType;
typedef cudaDataType cudaDataType_t;
/* clang-format on */
#endif

/* clang-format off */
#define CUBLAS_SYMBOLS(X) \
    X(cublasStatus_t, cublasCreate_v2, (cublasHandle_t* handle), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasDestroy_v2, (cublasHandle_t handle), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasGetVersion_v2, (cublasHandle_t handle, int* version), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasSetStream_v2, (cublasHandle_t handle, cudaStream_t streamId), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasGetStream_v2, (cublasHandle_t handle, cudaStream_t* streamId), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasSetWorkspace_v2, (cublasHandle_t handle, void* workspace, size_t workspaceSizeInBytes), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasSetPointerMode_v2, (cublasHandle_t handle, cublasPointerMode_t mode), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasGetPointerMode_v2, (cublasHandle_t handle, cublasPointerMode_t* mode), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasSetMathMode, (cublasHandle_t handle, cublasMath_t mode), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasGetMathMode, (cublasHandle_t handle, cublasMath_t* mode), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasSetAtomicsMode, (cublasHandle_t handle, cublasAtomicsMode_t mode), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasSgemm_v2, (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const float* alpha, const float* A, int lda, const float* B, int ldb, const float* beta, float* C, int ldc), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasSgemm_v2_64, (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const float* alpha, const float* A, int64_t lda, const float* B, int64_t ldb, const float* beta, float* C, int64_t ldc), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasDgemm_v2, (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const double* alpha, const double* A, int lda, const double* B, int ldb, const double* beta, double* C, int ldc), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasSgemmEx, (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const float* alpha, const void* A, cudaDataType Atype, int lda, const void* B, cudaDataType Btype, int ldb, const float* beta, void* C, cudaDataType Ctype, int ldc), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasGemmEx, (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const void* alpha, const void* A, cudaDataType Atype, int lda, const void* B, cudaDataType Btype, int ldb, const void* beta, void* C, cudaDataType Ctype, int ldc, cublasComputeType_t computeType, cublasGemmAlgo_t algo), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasGemmEx_64, (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const void* alpha, const void* A, cudaDataType Atype, int64_t lda, const void* B, cudaDataType Btype, int64_t ldb, const void* beta, void* C, cudaDataType Ctype, int64_t ldc, cublasComputeType_t computeType, cublasGemmAlgo_t algo), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasGemmBatchedEx, (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const void* alpha, const void* const Aarray[], cudaDataType Atype, int lda, const void* const Barray[], cudaDataType Btype, int ldb, const void* beta, void* const Carray[], cudaDataType Ctype, int ldc, int batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasGemmBatchedEx_64, (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const void* alpha, const void* const Aarray[], cudaDataType Atype, int64_t lda, const void* const Barray[], cudaDataType Btype, int64_t ldb, const void* beta, void* const Carray[], cudaDataType Ctype, int64_t ldc, int64_t batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasGemmStridedBatchedEx, (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const void* alpha, const void* A, cudaDataType Atype, int lda, long long int strideA, const void* B, cudaDataType Btype, int ldb, long long int strideB, const void* beta, void* C, cudaDataType Ctype, int ldc, long long int strideC, int batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasGemmStridedBatchedEx_64, (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const void* alpha, const void* A, cudaDataType Atype, int64_t lda, long long int strideA, const void* B, cudaDataType Btype, int64_t ldb, long long int strideB, const void* beta, void* C, cudaDataType Ctype, int64_t ldc, long long int strideC, int64_t batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasSgemmStridedBatched, (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const float* alpha, const float* A, int lda, long long int strideA, const float* B, int ldb, long long int strideB, const float* beta, float* C, int ldc, long long int strideC, int batchCount), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasGemmGroupedBatchedEx, (cublasHandle_t handle, const cublasOperation_t transa_array[], const cublasOperation_t transb_array[], const int m_array[], const int n_array[], const int k_array[], const void* alpha_array, const void* const Aarray[], cudaDataType_t Atype, const int lda_array[], const void* const Barray[], cudaDataType_t Btype, const int ldb_array[], const void* beta_array, void* const Carray[], cudaDataType_t Ctype, const int ldc_array[], int group_count, const int group_size[], cublasComputeType_t computeType), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasSgemv_v2, (cublasHandle_t handle, cublasOperation_t trans, int m, int n, const float* alpha, const float* A, int lda, const float* x, int incx, const float* beta, float* y, int incy), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasSaxpy_v2, (cublasHandle_t handle, int n, const float* alpha, const float* x, int incx, float* y, int incy), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasSdot_v2, (cublasHandle_t handle, int n, const float* x, int incx, const float* y, int incy, float* result), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasSnrm2_v2, (cublasHandle_t handle, int n, const float* x, int incx, float* result), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasSscal_v2, (cublasHandle_t handle, int n, const float* alpha, float* x, int incx), 12_0, CONFIRMED) \
    X(const char*, cublasGetStatusName, (cublasStatus_t status), 12_0, CONFIRMED) \
    X(const char*, cublasGetStatusString, (cublasStatus_t status), 12_0, CONFIRMED) \
    X(cublasStatus_t, cublasSetSmCountTarget, (cublasHandle_t handle, int smCountTarget), 12_0, CONFIRMED)
/* clang-format on */

#ifdef __cplusplus
extern "C" {
#endif
CUBLAS_SYMBOLS(CU_FN_TYPE_ROW)
#ifdef CUDA_DECLARE_PROTOTYPES
CUBLAS_SYMBOLS(CU_FN_PROTOTYPE_ROW)
#endif
#ifdef __cplusplus
}
#endif
#endif
