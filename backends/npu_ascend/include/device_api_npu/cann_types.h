// SPDX-License-Identifier: Apache-2.0
/* Handles, structs and enums of CANN.  Long enums come from a table X(NAME, VALUE, SINCE, MARK);
 * the short ones without a table, and the structs, are CONFIRMED and in CANN since 8.1 (aclrtUuid:
 * since 9). */
#ifndef DEVICE_API_NPU_CANN_TYPES_H
#define DEVICE_API_NPU_CANN_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cann_marks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Enums are 4 bytes and may hold any value that a caller gave: in C++ that needs saying. */
#ifdef __cplusplus
#define CANN_ENUM_INT : int
#else
#define CANN_ENUM_INT
#endif

#define CANN_ENUM_ROW(name, value, since, mark) name = (value),

/* --- opaque handles -------------------------------------------------------------------------- */
typedef void* aclrtStream;
typedef void* aclrtEvent;
typedef void* aclrtContext;
typedef void* aclrtNotify;
typedef int aclError;
typedef int32_t aclnnStatus;
typedef uint16_t aclFloat16;

typedef struct aclTensor aclTensor;
typedef struct aclScalar aclScalar;
typedef struct aclIntArray aclIntArray;
typedef struct aclFloatArray aclFloatArray;
typedef struct aclBoolArray aclBoolArray;
typedef struct aclTensorList aclTensorList;
typedef struct aclScalarList aclScalarList;
typedef struct aclOpExecutor aclOpExecutor;

/* --- aclDataType, aclFormat ------------------------------------------------------------------ */
#define CANN_DATA_TYPES(X)                                                                         \
    X(ACL_DT_UNDEFINED, -1, 8_1, CONFIRMED)                                                        \
    X(ACL_FLOAT, 0, 8_1, CONFIRMED)                                                                \
    X(ACL_FLOAT16, 1, 8_1, CONFIRMED)                                                              \
    X(ACL_INT8, 2, 8_1, CONFIRMED)                                                                 \
    X(ACL_INT32, 3, 8_1, CONFIRMED)                                                                \
    X(ACL_UINT8, 4, 8_1, CONFIRMED)                                                                \
    X(ACL_INT16, 6, 8_1, CONFIRMED)                                                                \
    X(ACL_UINT16, 7, 8_1, CONFIRMED)                                                               \
    X(ACL_UINT32, 8, 8_1, CONFIRMED)                                                               \
    X(ACL_INT64, 9, 8_1, CONFIRMED)                                                                \
    X(ACL_UINT64, 10, 8_1, CONFIRMED)                                                              \
    X(ACL_DOUBLE, 11, 8_1, CONFIRMED)                                                              \
    X(ACL_BOOL, 12, 8_1, CONFIRMED)                                                                \
    X(ACL_STRING, 13, 8_1, CONFIRMED)                                                              \
    X(ACL_COMPLEX64, 16, 8_1, CONFIRMED)                                                           \
    X(ACL_COMPLEX128, 17, 8_1, CONFIRMED)                                                          \
    X(ACL_BF16, 27, 8_1, CONFIRMED)                                                                \
    X(ACL_INT4, 29, 8_1, CONFIRMED)                                                                \
    X(ACL_UINT1, 30, 8_1, CONFIRMED)                                                               \
    X(ACL_COMPLEX32, 33, 8_1, CONFIRMED)                                                           \
    X(ACL_HIFLOAT8, 34, 9, CONFIRMED)                                                              \
    X(ACL_FLOAT8_E5M2, 35, 9, CONFIRMED)                                                           \
    X(ACL_FLOAT8_E4M3FN, 36, 9, CONFIRMED)                                                         \
    X(ACL_FLOAT8_E8M0, 37, 9, CONFIRMED)                                                           \
    X(ACL_FLOAT6_E3M2, 38, 9, CONFIRMED)                                                           \
    X(ACL_FLOAT6_E2M3, 39, 9, CONFIRMED)                                                           \
    X(ACL_FLOAT4_E2M1, 40, 9, CONFIRMED)                                                           \
    X(ACL_FLOAT4_E1M2, 41, 9, CONFIRMED)
typedef enum aclDataType CANN_ENUM_INT { CANN_DATA_TYPES(CANN_ENUM_ROW) } aclDataType;

#define CANN_FORMATS(X)                                                                            \
    X(ACL_FORMAT_UNDEFINED, -1, 8_1, CONFIRMED)                                                    \
    X(ACL_FORMAT_NCHW, 0, 8_1, CONFIRMED)                                                          \
    X(ACL_FORMAT_NHWC, 1, 8_1, CONFIRMED)                                                          \
    X(ACL_FORMAT_ND, 2, 8_1, CONFIRMED)                                                            \
    X(ACL_FORMAT_NC1HWC0, 3, 8_1, CONFIRMED)                                                       \
    X(ACL_FORMAT_FRACTAL_Z, 4, 8_1, CONFIRMED)                                                     \
    X(ACL_FORMAT_HWCN, 16, 8_1, CONFIRMED)                                                         \
    X(ACL_FORMAT_NDHWC, 27, 8_1, CONFIRMED)                                                        \
    X(ACL_FORMAT_FRACTAL_NZ, 29, 8_1, CONFIRMED)                                                   \
    X(ACL_FORMAT_NCDHW, 30, 8_1, CONFIRMED)                                                        \
    X(ACL_FORMAT_NC, 35, 8_1, CONFIRMED)                                                           \
    X(ACL_FORMAT_NCL, 47, 8_1, CONFIRMED)
typedef enum aclFormat CANN_ENUM_INT { CANN_FORMATS(CANN_ENUM_ROW) } aclFormat;

/* --- memory ---------------------------------------------------------------------------------- */
#define CANN_MEMCPY_KINDS(X)                                                                       \
    X(ACL_MEMCPY_HOST_TO_HOST, 0, 8_1, CONFIRMED)                                                  \
    X(ACL_MEMCPY_HOST_TO_DEVICE, 1, 8_1, CONFIRMED)                                                \
    X(ACL_MEMCPY_DEVICE_TO_HOST, 2, 8_1, CONFIRMED)                                                \
    X(ACL_MEMCPY_DEVICE_TO_DEVICE, 3, 8_1, CONFIRMED)                                              \
    X(ACL_MEMCPY_DEFAULT, 4, 8_1, CONFIRMED)                                                       \
    X(ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, 5, 8_1, CONFIRMED)                                         \
    X(ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, 6, 8_1, CONFIRMED)                                        \
    X(ACL_MEMCPY_INTER_DEVICE_TO_DEVICE, 7, 8_1, CONFIRMED)
typedef enum aclrtMemcpyKind CANN_ENUM_INT { CANN_MEMCPY_KINDS(CANN_ENUM_ROW) } aclrtMemcpyKind;

#define CANN_MALLOC_POLICIES(X)                                                                    \
    X(ACL_MEM_MALLOC_HUGE_FIRST, 0, 8_1, CONFIRMED)                                                \
    X(ACL_MEM_MALLOC_HUGE_ONLY, 1, 8_1, CONFIRMED)                                                 \
    X(ACL_MEM_MALLOC_NORMAL_ONLY, 2, 8_1, CONFIRMED)                                               \
    X(ACL_MEM_MALLOC_HUGE_FIRST_P2P, 3, 8_1, CONFIRMED)                                            \
    X(ACL_MEM_MALLOC_HUGE_ONLY_P2P, 4, 8_1, CONFIRMED)                                             \
    X(ACL_MEM_MALLOC_NORMAL_ONLY_P2P, 5, 8_1, CONFIRMED)                                           \
    X(ACL_MEM_MALLOC_HUGE1G_ONLY, 6, 8_1, CONFIRMED)                                               \
    X(ACL_MEM_MALLOC_HUGE1G_ONLY_P2P, 7, 8_1, CONFIRMED)                                           \
    X(ACL_MEM_TYPE_LOW_BAND_WIDTH, 0x100, 8_1, CONFIRMED)                                          \
    X(ACL_MEM_TYPE_HIGH_BAND_WIDTH, 0x1000, 8_1, CONFIRMED)                                        \
    X(ACL_MEM_ACCESS_USER_SPACE_READONLY, 0x100000, 8_1, CONFIRMED)
typedef enum aclrtMemMallocPolicy CANN_ENUM_INT {
    CANN_MALLOC_POLICIES(CANN_ENUM_ROW)
} aclrtMemMallocPolicy;

#define CANN_MEM_ATTRS(X)                                                                          \
    X(ACL_DDR_MEM, 0, 8_1, CONFIRMED)                                                              \
    X(ACL_HBM_MEM, 1, 8_1, CONFIRMED)                                                              \
    X(ACL_DDR_MEM_HUGE, 2, 8_1, CONFIRMED)                                                         \
    X(ACL_DDR_MEM_NORMAL, 3, 8_1, CONFIRMED)                                                       \
    X(ACL_HBM_MEM_HUGE, 4, 8_1, CONFIRMED)                                                         \
    X(ACL_HBM_MEM_NORMAL, 5, 8_1, CONFIRMED)                                                       \
    X(ACL_DDR_MEM_P2P_HUGE, 6, 8_1, CONFIRMED)                                                     \
    X(ACL_DDR_MEM_P2P_NORMAL, 7, 8_1, CONFIRMED)                                                   \
    X(ACL_HBM_MEM_P2P_HUGE, 8, 8_1, CONFIRMED)                                                     \
    X(ACL_HBM_MEM_P2P_NORMAL, 9, 8_1, CONFIRMED)                                                   \
    X(ACL_HBM_MEM_HUGE1G, 10, 8_1, CONFIRMED)                                                      \
    X(ACL_HBM_MEM_P2P_HUGE1G, 11, 8_1, CONFIRMED)
typedef enum aclrtMemAttr CANN_ENUM_INT { CANN_MEM_ATTRS(CANN_ENUM_ROW) } aclrtMemAttr;

#define CANN_MEM_LOCATIONS(X)                                                                      \
    X(ACL_MEM_LOCATION_TYPE_HOST, 0, 8_1, CONFIRMED)                                               \
    X(ACL_MEM_LOCATION_TYPE_DEVICE, 1, 8_1, CONFIRMED)                                             \
    X(ACL_MEM_LOCATION_TYPE_UNREGISTERED, 2, 9, CONFIRMED)                                         \
    X(ACL_MEM_LOCATION_TYPE_MANAGED, 3, 9, CONFIRMED)
typedef enum aclrtMemLocationType CANN_ENUM_INT {
    CANN_MEM_LOCATIONS(CANN_ENUM_ROW)
} aclrtMemLocationType;

typedef enum aclrtHostRegisterType CANN_ENUM_INT {
    ACL_HOST_REGISTER_MAPPED = 0
} aclrtHostRegisterType;

/* 28 bytes. On 8.1 an ordinary host pointer reads HOST; 9.x distinguishes UNREGISTERED. */
typedef struct aclrtPtrAttributes {
    struct {
        uint32_t id;
        aclrtMemLocationType type;
    } location;
    uint32_t pageSize;
    uint32_t rsv[4];
} aclrtPtrAttributes;

typedef struct aclrtMallocConfig {
    void* attrs;
    size_t numAttrs;
} aclrtMallocConfig;

/* --- device ---------------------------------------------------------------------------------- */
typedef enum aclrtRunMode CANN_ENUM_INT { ACL_DEVICE = 0, ACL_HOST = 1 } aclrtRunMode;
typedef enum aclrtLastErrLevel CANN_ENUM_INT { ACL_RT_THREAD_LEVEL = 0 } aclrtLastErrLevel;
typedef enum aclrtFloatOverflowMode CANN_ENUM_INT {
    ACL_RT_OVERFLOW_MODE_SATURATION = 0,
    ACL_RT_OVERFLOW_MODE_INFNAN = 1
} aclrtFloatOverflowMode;
typedef enum aclrtDeviceStatus CANN_ENUM_INT {
    ACL_RT_DEVICE_STATUS_NORMAL = 0,
    ACL_RT_DEVICE_STATUS_ABNORMAL = 1,
    ACL_RT_DEVICE_STATUS_END = 0xFFFF
} aclrtDeviceStatus;
typedef enum aclDeviceInfo CANN_ENUM_INT {
    ACL_DEVICE_INFO_AI_CORE_NUM = 0,
    ACL_DEVICE_INFO_VECTOR_CORE_NUM = 1,
    ACL_DEVICE_INFO_L2_SIZE = 2
} aclDeviceInfo;
typedef enum aclCannAttr CANN_ENUM_INT {
    ACL_CANN_ATTR_INF_NAN = 0,
    ACL_CANN_ATTR_BF16 = 1,
    ACL_CANN_ATTR_JIT_COMPILE = 2
} aclCannAttr;
typedef enum aclSysParamOpt CANN_ENUM_INT {
    ACL_OPT_DETERMINISTIC = 0,
    ACL_OPT_ENABLE_DEBUG_KERNEL = 1,
    ACL_OPT_STRONG_CONSISTENCY = 2
} aclSysParamOpt;

#define CANN_DEVICE_ATTRS(X)                                                                       \
    X(ACL_DEV_ATTR_AICPU_CORE_NUM, 1, 9, CONFIRMED)                                                \
    X(ACL_DEV_ATTR_AICORE_CORE_NUM, 101, 9, CONFIRMED)                                             \
    X(ACL_DEV_ATTR_CUBE_CORE_NUM, 102, 9, CONFIRMED)                                               \
    X(ACL_DEV_ATTR_VECTOR_CORE_NUM, 201, 9, CONFIRMED)                                             \
    X(ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE, 204, 9, CONFIRMED)                                        \
    X(ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, 301, 9, CONFIRMED)                                       \
    X(ACL_DEV_ATTR_L2_CACHE_SIZE, 302, 9, CONFIRMED)                                               \
    X(ACL_DEV_ATTR_PHY_CHIP_ID, 402, 9, CONFIRMED)                                                 \
    X(ACL_DEV_ATTR_HD_CONNECT_TYPE, 408, 9, CONFIRMED)                                             \
    X(ACL_DEV_ATTR_IS_VIRTUAL, 501, 9, CONFIRMED)                                                  \
    X(ACL_DEV_ATTR_NPU_ARCH, 601, 9, CONFIRMED)
typedef enum aclrtDevAttr CANN_ENUM_INT { CANN_DEVICE_ATTRS(CANN_ENUM_ROW) } aclrtDevAttr;

/* 24 bytes; extend must be NULL, memory is always -1 in current releases. Percent. */
typedef struct aclrtUtilizationInfo {
    int32_t cubeUtilization;
    int32_t vectorUtilization;
    int32_t aicpuUtilization;
    int32_t memoryUtilization;
    void* utilizationExtend;
} aclrtUtilizationInfo;

typedef struct aclrtUuid {
    char bytes[16];
} aclrtUuid;

typedef enum aclCANNPackageName CANN_ENUM_INT {
    ACL_PKG_NAME_CANN = 0,
    ACL_PKG_NAME_RUNTIME = 1,
    ACL_PKG_NAME_COMPILER = 2,
    ACL_PKG_NAME_HCCL = 3,
    ACL_PKG_NAME_TOOLKIT = 4,
    ACL_PKG_NAME_OPP = 5,
    ACL_PKG_NAME_OPP_KERNEL = 6,
    ACL_PKG_NAME_DRIVER = 7
} aclCANNPackageName;

/* 512 bytes. */
typedef struct aclCANNPackageVersion {
    char version[128];
    char majorVersion[64];
    char minorVersion[64];
    char releaseVersion[64];
    char patchVersion[64];
    char reserved[128];
} aclCANNPackageVersion;

/* --- streams, events, callbacks -------------------------------------------------------------- */
typedef enum aclrtStreamStatus CANN_ENUM_INT {
    ACL_STREAM_STATUS_COMPLETE = 0,
    ACL_STREAM_STATUS_NOT_READY = 1
} aclrtStreamStatus;
enum {
    ACL_STREAM_FAST_LAUNCH = 1,
    ACL_STREAM_FAST_SYNC = 2,
    ACL_STREAM_PERSISTENT = 4,
    ACL_STREAM_HUGE = 8,
    ACL_STREAM_DEVICE_USE_ONLY = 0x20
};

enum {
    ACL_EVENT_SYNC = 1,
    ACL_EVENT_CAPTURE_STREAM_PROGRESS = 2,
    ACL_EVENT_TIME_LINE = 8,
    ACL_EVENT_EXTERNAL = 0x20
};
/* Note the opposite numbering of the first and the next two. */
typedef enum aclrtEventRecordedStatus CANN_ENUM_INT {
    ACL_EVENT_RECORDED_STATUS_NOT_READY = 0,
    ACL_EVENT_RECORDED_STATUS_COMPLETE = 1
} aclrtEventRecordedStatus;
typedef enum aclrtEventStatus CANN_ENUM_INT {
    ACL_EVENT_STATUS_COMPLETE = 0,
    ACL_EVENT_STATUS_NOT_READY = 1
} aclrtEventStatus;
typedef enum aclrtEventWaitStatus CANN_ENUM_INT {
    ACL_EVENT_WAIT_STATUS_COMPLETE = 0,
    ACL_EVENT_WAIT_STATUS_NOT_READY = 1,
    ACL_EVENT_WAIT_STATUS_RESERVED = 0xFFFF
} aclrtEventWaitStatus;

typedef enum aclrtCallbackBlockType CANN_ENUM_INT {
    ACL_CALLBACK_NO_BLOCK = 0,
    ACL_CALLBACK_BLOCK = 1
} aclrtCallbackBlockType;
typedef void (*aclrtCallback)(void* userData);
typedef void (*aclrtHostFunc)(void* args);
/* The info record is opaque here: its accessors are not needed by an adapter of the two-phase
 * operators. */
typedef struct aclrtExceptionInfo aclrtExceptionInfo;
typedef void (*aclrtExceptionInfoCallback)(aclrtExceptionInfo* exceptionInfo);

/* --- matmul ---------------------------------------------------------------------------------- */
/* cubeMathType of the matrix operators (passed as int8_t). */
#define CANN_CUBE_MATH_TYPES(X)                                                                    \
    X(ACL_CUBE_KEEP_DTYPE, 0, 8_1, CONFIRMED)                                                      \
    X(ACL_CUBE_ALLOW_FP32_DOWN_PRECISION, 1, 8_1, CONFIRMED)                                       \
    X(ACL_CUBE_USE_FP16, 2, 8_1, CONFIRMED)                                                        \
    X(ACL_CUBE_USE_HF32, 3, 8_1, CONFIRMED)                                                        \
    X(ACL_CUBE_USE_FP32_ADD, 4, 9, CONFIRMED)
enum { CANN_CUBE_MATH_TYPES(CANN_ENUM_ROW) };

#ifdef __cplusplus
}
#endif
#endif
