// SPDX-License-Identifier: Apache-2.0
/* HCCL, CANN's library of collectives: types, and CANN_HCCL_SYMBOLS(X), one row per symbol:
 *     X(RETURN, NAME, (PARAMETERS), LIBRARY, SINCE, MARK)
 * HCCL lies in libhccl.so (8.x: all of it); in 9.x the management of groups moved to libhcomm.so,
 * where it is looked for next. */
#ifndef DEVICE_API_NPU_CANN_HCCL_H
#define DEVICE_API_NPU_CANN_HCCL_H

#include "cann_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void* HcclComm;

/* Another numbering than aclDataType; no bool, no complex. */
#define CANN_HCCL_DATA_TYPES(X)                                                                    \
    X(HCCL_DATA_TYPE_INT8, 0, 8_1, CONFIRMED)                                                      \
    X(HCCL_DATA_TYPE_INT16, 1, 8_1, CONFIRMED)                                                     \
    X(HCCL_DATA_TYPE_INT32, 2, 8_1, CONFIRMED)                                                     \
    X(HCCL_DATA_TYPE_FP16, 3, 8_1, CONFIRMED)                                                      \
    X(HCCL_DATA_TYPE_FP32, 4, 8_1, CONFIRMED)                                                      \
    X(HCCL_DATA_TYPE_INT64, 5, 8_1, CONFIRMED)                                                     \
    X(HCCL_DATA_TYPE_UINT64, 6, 8_1, CONFIRMED)                                                    \
    X(HCCL_DATA_TYPE_UINT8, 7, 8_1, CONFIRMED)                                                     \
    X(HCCL_DATA_TYPE_UINT16, 8, 8_1, CONFIRMED)                                                    \
    X(HCCL_DATA_TYPE_UINT32, 9, 8_1, CONFIRMED)                                                    \
    X(HCCL_DATA_TYPE_FP64, 10, 8_1, CONFIRMED)                                                     \
    X(HCCL_DATA_TYPE_BFP16, 11, 8_1, CONFIRMED)                                                    \
    X(HCCL_DATA_TYPE_INT128, 12, 8_1, CONFIRMED)                                                   \
    X(HCCL_DATA_TYPE_HIF8, 14, 9, CONFIRMED)                                                       \
    X(HCCL_DATA_TYPE_FP8E4M3, 15, 9, CONFIRMED)                                                    \
    X(HCCL_DATA_TYPE_FP8E5M2, 16, 9, CONFIRMED)                                                    \
    X(HCCL_DATA_TYPE_FP8E8M0, 17, 9, CONFIRMED)                                                    \
    X(HCCL_DATA_TYPE_RESERVED, 255, 8_1, CONFIRMED)
typedef enum HcclDataType CANN_ENUM_INT { CANN_HCCL_DATA_TYPES(CANN_ENUM_ROW) } HcclDataType;

/* There is no average. */
typedef enum HcclReduceOp CANN_ENUM_INT {
    HCCL_REDUCE_SUM = 0,
    HCCL_REDUCE_PROD = 1,
    HCCL_REDUCE_MAX = 2,
    HCCL_REDUCE_MIN = 3,
    HCCL_REDUCE_RESERVED = 255
} HcclReduceOp;

#define CANN_HCCL_RESULTS(X)                                                                       \
    X(HCCL_SUCCESS, 0, 8_1, CONFIRMED)                                                             \
    X(HCCL_E_PARA, 1, 8_1, CONFIRMED)                                                              \
    X(HCCL_E_PTR, 2, 8_1, CONFIRMED)                                                               \
    X(HCCL_E_MEMORY, 3, 8_1, CONFIRMED)                                                            \
    X(HCCL_E_INTERNAL, 4, 8_1, CONFIRMED)                                                          \
    X(HCCL_E_NOT_SUPPORT, 5, 8_1, CONFIRMED)                                                       \
    X(HCCL_E_NOT_FOUND, 6, 8_1, CONFIRMED)                                                         \
    X(HCCL_E_UNAVAIL, 7, 8_1, CONFIRMED)                                                           \
    X(HCCL_E_SYSCALL, 8, 8_1, CONFIRMED)                                                           \
    X(HCCL_E_TIMEOUT, 9, 8_1, CONFIRMED)                                                           \
    X(HCCL_E_OPEN_FILE_FAILURE, 10, 8_1, CONFIRMED)                                                \
    X(HCCL_E_TCP_CONNECT, 11, 8_1, CONFIRMED)                                                      \
    X(HCCL_E_ROCE_CONNECT, 12, 8_1, CONFIRMED)                                                     \
    X(HCCL_E_TCP_TRANSFER, 13, 8_1, CONFIRMED)                                                     \
    X(HCCL_E_ROCE_TRANSFER, 14, 8_1, CONFIRMED)                                                    \
    X(HCCL_E_RUNTIME, 15, 8_1, CONFIRMED)                                                          \
    X(HCCL_E_DRV, 16, 8_1, CONFIRMED)                                                              \
    X(HCCL_E_PROFILING, 17, 8_1, CONFIRMED)                                                        \
    X(HCCL_E_CCE, 18, 8_1, CONFIRMED)                                                              \
    X(HCCL_E_NETWORK, 19, 8_1, CONFIRMED)                                                          \
    X(HCCL_E_AGAIN, 20, 8_1, CONFIRMED)                                                            \
    X(HCCL_E_REMOTE, 21, 8_1, CONFIRMED)                                                           \
    X(HCCL_E_SUSPENDING, 22, 8_1, CONFIRMED)                                                       \
    X(HCCL_E_OPRETRY_FAIL, 23, 9, CONFIRMED)                                                       \
    X(HCCL_E_OOM, 24, 9, CONFIRMED)
typedef enum HcclResult CANN_ENUM_INT { CANN_HCCL_RESULTS(CANN_ENUM_ROW) } HcclResult;

#define HCCL_ROOT_INFO_BYTES 4108
typedef struct HcclRootInfo {
    char internal[HCCL_ROOT_INFO_BYTES];
} HcclRootInfo;

#define HCCL_COMM_NAME_BYTES 128

typedef struct HcclSendRecvItem {
    int32_t sendRecvType; /* 0: send, 1: receive */
    void* buf;
    uint64_t count;
    HcclDataType dataType;
    uint32_t remoteRank;
} HcclSendRecvItem;

/* The part that is common to all versions of the configuration; in 8.1 the whole has 300 bytes. */
#define HCCL_COMM_CONFIG_MAGIC 0xf0f0f0f0u
typedef struct HcclCommConfigHead {
    size_t size;
    uint32_t magic;
    uint32_t version;
    uint64_t reserved;
} HcclCommConfigHead;
typedef struct HcclCommConfig HcclCommConfig;

typedef enum HcclConfig CANN_ENUM_INT { HCCL_DETERMINISTIC = 0 } HcclConfig;
typedef union HcclConfigValue {
    int32_t value;
} HcclConfigValue;

/* clang-format off */
#define CANN_HCCL_GROUP_SYMBOLS(X) \
    X(HcclResult, HcclGetRootInfo, (HcclRootInfo* rootInfo), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclCommInitRootInfo, (uint32_t nRanks, const HcclRootInfo* rootInfo, uint32_t rank, HcclComm* comm), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclCommInitRootInfoConfig, (uint32_t nRanks, const HcclRootInfo* rootInfo, uint32_t rank, const HcclCommConfig* config, HcclComm* comm), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclCommInitAll, (uint32_t ndev, int32_t* devices, HcclComm* comms), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclCommInitClusterInfo, (const char* clusterInfo, uint32_t rank, HcclComm* comm), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclCommInitClusterInfoConfig, (const char* clusterInfo, uint32_t rank, HcclCommConfig* config, HcclComm* comm), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclCreateSubCommConfig, (HcclComm* comm, uint32_t rankNum, uint32_t* rankIds, uint64_t subCommId, uint32_t subCommRankId, HcclCommConfig* config, HcclComm* subComm), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclCommDestroy, (HcclComm comm), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclGetRankSize, (HcclComm comm, uint32_t* rankSize), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclGetRankId, (HcclComm comm, uint32_t* rank), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclGetCommName, (HcclComm comm, char* name), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclGetCommAsyncError, (HcclComm comm, HcclResult* asyncError), HCCL, 8_1, CONFIRMED) \
    X(const char*, HcclGetErrorString, (HcclResult code), HCCL, 8_1, CONFIRMED) \
    X(uint32_t, HcclGetCommConfigCapability, (void), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclSetConfig, (HcclConfig config, HcclConfigValue value), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclGetConfig, (HcclConfig config, HcclConfigValue* value), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclCommSuspend, (HcclComm comm), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclCommResume, (HcclComm comm), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclGroupStart, (void), HCCL, 9, CONFIRMED) \
    X(HcclResult, HcclGroupEnd, (void), HCCL, 9, CONFIRMED)

#define CANN_HCCL_CALL_SYMBOLS(X) \
    X(HcclResult, HcclAllReduce, (void* sendBuf, void* recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp op, HcclComm comm, aclrtStream stream), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclBroadcast, (void* buf, uint64_t count, HcclDataType dataType, uint32_t root, HcclComm comm, aclrtStream stream), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclReduce, (void* sendBuf, void* recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp op, uint32_t root, HcclComm comm, aclrtStream stream), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclAllGather, (void* sendBuf, void* recvBuf, uint64_t sendCount, HcclDataType dataType, HcclComm comm, aclrtStream stream), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclReduceScatter, (void* sendBuf, void* recvBuf, uint64_t recvCount, HcclDataType dataType, HcclReduceOp op, HcclComm comm, aclrtStream stream), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclScatter, (void* sendBuf, void* recvBuf, uint64_t recvCount, HcclDataType dataType, uint32_t root, HcclComm comm, aclrtStream stream), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclSend, (void* sendBuf, uint64_t count, HcclDataType dataType, uint32_t destRank, HcclComm comm, aclrtStream stream), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclRecv, (void* recvBuf, uint64_t count, HcclDataType dataType, uint32_t srcRank, HcclComm comm, aclrtStream stream), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclBatchSendRecv, (HcclSendRecvItem* items, uint32_t itemNum, HcclComm comm, aclrtStream stream), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclAlltoAll, (const void* sendBuf, uint64_t sendCount, HcclDataType sendType, const void* recvBuf, uint64_t recvCount, HcclDataType recvType, HcclComm comm, aclrtStream stream), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclAlltoAllV, (const void* sendBuf, const void* sendCounts, const void* sdispls, HcclDataType sendType, const void* recvBuf, const void* recvCounts, const void* rdispls, HcclDataType recvType, HcclComm comm, aclrtStream stream), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclAllGatherV, (void* sendBuf, uint64_t sendCount, void* recvBuf, const void* recvCounts, const void* recvDispls, HcclDataType dataType, HcclComm comm, aclrtStream stream), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclReduceScatterV, (void* sendBuf, const void* sendCounts, const void* sendDispls, void* recvBuf, uint64_t recvCount, HcclDataType dataType, HcclReduceOp op, HcclComm comm, aclrtStream stream), HCCL, 8_1, CONFIRMED) \
    X(HcclResult, HcclBarrier, (HcclComm comm, aclrtStream stream), HCCL, 8_1, CONFIRMED)

#define CANN_HCCL_SYMBOLS(X) \
    CANN_HCCL_GROUP_SYMBOLS(X) \
    CANN_HCCL_CALL_SYMBOLS(X)
/* clang-format on */

#define CANN_HCCL_FN_TYPE_ROW(ret, name, params, library, since, mark)                             \
    typedef ret(*name##_fn) params;
#define CANN_HCCL_PROTOTYPE_ROW(ret, name, params, library, since, mark) ret name params;
CANN_HCCL_SYMBOLS(CANN_HCCL_FN_TYPE_ROW)
#ifdef CANN_DECLARE_PROTOTYPES
CANN_HCCL_SYMBOLS(CANN_HCCL_PROTOTYPE_ROW)
#endif

#ifdef __cplusplus
}
#endif
#endif
