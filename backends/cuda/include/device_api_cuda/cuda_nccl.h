// SPDX-License-Identifier: Apache-2.0
/* libnccl.so.2: enums X(NAME, VALUE, MARK) and functions, rows as in cuda_driver.h; FIRST says
 * nothing here: which release of NCCL has a symbol is to be asked of the library. */
#ifndef DEVICE_API_CUDA_NCCL_H
#define DEVICE_API_CUDA_NCCL_H

#include "cuda_blas.h"

#ifndef DEVICE_API_CUDA_VENDOR_TYPES
/* clang-format off */
typedef struct ncclComm* ncclComm_t;
/* Passed by value. */
typedef struct ncclUniqueId { char internal[128]; } ncclUniqueId;
/* The prefix that all releases share; size says how much the caller has. */
typedef struct ncclConfig_t { size_t size; unsigned int magic; unsigned int version; int blocking; int cgaClusterSize; int minCTAs; int maxCTAs; const char* netName; int splitShare; } ncclConfig_t;
typedef struct ncclSimInfo_t { size_t size; unsigned int magic; unsigned int version; float estimatedTime; } ncclSimInfo_t;
#define NCCL_CONFIG_MAGIC 0xcafebeefu
#define NCCL_RESULTS(X) \
    X(ncclSuccess, 0, CONFIRMED) \
    X(ncclUnhandledCudaError, 1, CONFIRMED) \
    X(ncclSystemError, 2, CONFIRMED) \
    X(ncclInternalError, 3, CONFIRMED) \
    X(ncclInvalidArgument, 4, CONFIRMED) \
    X(ncclInvalidUsage, 5, CONFIRMED) \
    X(ncclRemoteError, 6, CONFIRMED) \
    X(ncclInProgress, 7, CONFIRMED)
typedef enum ncclResult_t CU_ENUM_INT { NCCL_RESULTS(CU_ENUM_ROW) } ncclResult_t;

#define NCCL_OPERATIONS(X) \
    X(ncclSum, 0, CONFIRMED) \
    X(ncclProd, 1, CONFIRMED) \
    X(ncclMax, 2, CONFIRMED) \
    X(ncclMin, 3, CONFIRMED) \
    X(ncclAvg, 4, CONFIRMED)
typedef enum ncclRedOp_t CU_ENUM_INT { NCCL_OPERATIONS(CU_ENUM_ROW) } ncclRedOp_t;

#define NCCL_DATA_TYPES(X) \
    X(ncclInt8, 0, CONFIRMED) \
    X(ncclUint8, 1, CONFIRMED) \
    X(ncclInt32, 2, CONFIRMED) \
    X(ncclUint32, 3, CONFIRMED) \
    X(ncclInt64, 4, CONFIRMED) \
    X(ncclUint64, 5, CONFIRMED) \
    X(ncclFloat16, 6, CONFIRMED) \
    X(ncclFloat32, 7, CONFIRMED) \
    X(ncclFloat64, 8, CONFIRMED) \
    X(ncclBfloat16, 9, CONFIRMED) \
    X(ncclFloat8e4m3, 10, CONFIRMED) \
    X(ncclFloat8e5m2, 11, CONFIRMED)
typedef enum ncclDataType_t CU_ENUM_INT { NCCL_DATA_TYPES(CU_ENUM_ROW) } ncclDataType_t;

#define NCCL_RESIDENCES(X) \
    X(ncclScalarDevice, 0, CONFIRMED) \
    X(ncclScalarHostImmediate, 1, CONFIRMED)
typedef enum ncclScalarResidence_t CU_ENUM_INT { NCCL_RESIDENCES(CU_ENUM_ROW) } ncclScalarResidence_t;
/* clang-format on */
#endif

/* clang-format off */
#define NCCL_SYMBOLS(X) \
    X(ncclResult_t, ncclGetVersion, (int* version), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclGetUniqueId, (ncclUniqueId* uniqueId), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclCommInitRank, (ncclComm_t* comm, int nranks, ncclUniqueId commId, int rank), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclCommInitAll, (ncclComm_t* comm, int ndev, const int* devlist), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclCommInitRankConfig, (ncclComm_t* comm, int nranks, ncclUniqueId commId, int rank, ncclConfig_t* config), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclCommInitRankScalable, (ncclComm_t* newcomm, int nranks, int myrank, int nId, ncclUniqueId* commIds, ncclConfig_t* config), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclCommFinalize, (ncclComm_t comm), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclCommDestroy, (ncclComm_t comm), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclCommAbort, (ncclComm_t comm), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclCommSplit, (ncclComm_t comm, int color, int key, ncclComm_t* newcomm, ncclConfig_t* config), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclCommShrink, (ncclComm_t comm, int* excludeRanksList, int excludeRanksCount, ncclComm_t* newcomm, ncclConfig_t* config, int shrinkFlags), 12_0, CONFIRMED) \
    X(const char*, ncclGetErrorString, (ncclResult_t result), 12_0, CONFIRMED) \
    X(const char*, ncclGetLastError, (ncclComm_t comm), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclCommGetAsyncError, (ncclComm_t comm, ncclResult_t* asyncError), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclCommCount, (const ncclComm_t comm, int* count), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclCommCuDevice, (const ncclComm_t comm, int* device), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclCommUserRank, (const ncclComm_t comm, int* rank), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclCommRegister, (const ncclComm_t comm, void* buff, size_t size, void** handle), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclCommDeregister, (const ncclComm_t comm, void* handle), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclMemAlloc, (void** ptr, size_t size), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclMemFree, (void* ptr), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclRedOpCreatePreMulSum, (ncclRedOp_t* op, void* scalar, ncclDataType_t datatype, ncclScalarResidence_t residence, ncclComm_t comm), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclRedOpDestroy, (ncclRedOp_t op, ncclComm_t comm), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclReduce, (const void* sendbuff, void* recvbuff, size_t count, ncclDataType_t datatype, ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclBroadcast, (const void* sendbuff, void* recvbuff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclBcast, (void* buff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclAllReduce, (const void* sendbuff, void* recvbuff, size_t count, ncclDataType_t datatype, ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclReduceScatter, (const void* sendbuff, void* recvbuff, size_t recvcount, ncclDataType_t datatype, ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclAllGather, (const void* sendbuff, void* recvbuff, size_t sendcount, ncclDataType_t datatype, ncclComm_t comm, cudaStream_t stream), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclAlltoAll, (const void* sendbuff, void* recvbuff, size_t count, ncclDataType_t datatype, ncclComm_t comm, cudaStream_t stream), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclGather, (const void* sendbuff, void* recvbuff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclScatter, (const void* sendbuff, void* recvbuff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclSend, (const void* sendbuff, size_t count, ncclDataType_t datatype, int peer, ncclComm_t comm, cudaStream_t stream), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclRecv, (void* recvbuff, size_t count, ncclDataType_t datatype, int peer, ncclComm_t comm, cudaStream_t stream), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclGroupStart, (void), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclGroupEnd, (void), 12_0, CONFIRMED) \
    X(ncclResult_t, ncclGroupSimulateEnd, (ncclSimInfo_t* simInfo), 12_0, CONFIRMED)
/* clang-format on */

#ifdef __cplusplus
extern "C" {
#endif
NCCL_SYMBOLS(CU_FN_TYPE_ROW)
#ifdef CUDA_DECLARE_PROTOTYPES
NCCL_SYMBOLS(CU_FN_PROTOTYPE_ROW)
#endif
#ifdef __cplusplus
}
#endif
#endif
