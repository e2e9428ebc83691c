// SPDX-License-Identifier: Apache-2.0
/* aclError and aclnnStatus values: X(NAME, VALUE, SINCE, MARK).
 * Classes of aclError: 1xxxxx caller error, 2xxxxx resource or support, 3xxxxx limit, 5xxxxx
 * internal or hardware. */
#ifndef DEVICE_API_NPU_CANN_ERRORS_H
#define DEVICE_API_NPU_CANN_ERRORS_H

#include "cann_types.h"

#define CANN_ACL_ERRORS(X)                                                                         \
    X(ACL_SUCCESS, 0, 8_1, CONFIRMED)                                                              \
    X(ACL_ERROR_INVALID_PARAM, 100000, 8_1, CONFIRMED)                                             \
    X(ACL_ERROR_UNINITIALIZE, 100001, 8_1, CONFIRMED)                                              \
    X(ACL_ERROR_REPEAT_INITIALIZE, 100002, 8_1, CONFIRMED)                                         \
    X(ACL_ERROR_INVALID_FILE, 100003, 8_1, CONFIRMED)                                              \
    X(ACL_ERROR_OP_NOT_FOUND, 100024, 8_1, CONFIRMED)                                              \
    X(ACL_ERROR_UNSUPPORTED_DATA_TYPE, 100026, 8_1, CONFIRMED)                                     \
    X(ACL_ERROR_KERNEL_NOT_FOUND, 100029, 8_1, CONFIRMED)                                          \
    X(ACL_ERROR_REPEAT_FINALIZE, 100037, 8_1, CONFIRMED)                                           \
    X(ACL_ERROR_COMPILING_STUB_MODE, 100039, 8_1, CONFIRMED)                                       \
    X(ACL_ERROR_RT_PARAM_INVALID, 107000, 8_1, CONFIRMED)                                          \
    X(ACL_ERROR_RT_INVALID_DEVICEID, 107001, 8_1, CONFIRMED)                                       \
    X(ACL_ERROR_RT_CONTEXT_NULL, 107002, 8_1, CONFIRMED)                                           \
    X(ACL_ERROR_RT_STREAM_CONTEXT, 107003, 8_1, CONFIRMED)                                         \
    X(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, 107006, 8_1, CONFIRMED)                                \
    X(ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL, 107007, 8_1, CONFIRMED)                               \
    X(ACL_ERROR_RT_ADDR_UNALIGNED, 107008, 8_1, CONFIRMED)                                         \
    X(ACL_ERROR_RT_STREAM_SUBSCRIBE, 107011, 8_1, CONFIRMED)                                       \
    X(ACL_ERROR_RT_THREAD_SUBSCRIBE, 107012, 8_1, CONFIRMED)                                       \
    X(ACL_ERROR_RT_STREAM_NO_CB_REG, 107015, 8_1, CONFIRMED)                                       \
    X(ACL_ERROR_RT_INVALID_MEMORY_TYPE, 107016, 8_1, CONFIRMED)                                    \
    X(ACL_ERROR_RT_INVALID_HANDLE, 107017, 8_1, CONFIRMED)                                         \
    X(ACL_ERROR_RT_WAIT_TIMEOUT, 107019, 8_1, CONFIRMED)                                           \
    X(ACL_ERROR_RT_TASK_TIMEOUT, 107020, 8_1, CONFIRMED)                                           \
    X(ACL_ERROR_RT_DEVICE_TASK_ABORT, 107022, 8_1, CONFIRMED)                                      \
    X(ACL_ERROR_RT_STREAM_ABORT, 107023, 8_1, CONFIRMED)                                           \
    X(ACL_ERROR_RT_STREAM_CAPTURED, 107027, 8_1, CONFIRMED)                                        \
    X(ACL_ERROR_BAD_ALLOC, 200000, 8_1, CONFIRMED)                                                 \
    X(ACL_ERROR_API_NOT_SUPPORT, 200001, 8_1, CONFIRMED)                                           \
    X(ACL_ERROR_INVALID_DEVICE, 200002, 8_1, CONFIRMED)                                            \
    X(ACL_ERROR_FEATURE_UNSUPPORTED, 200006, 8_1, CONFIRMED)                                       \
    X(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, 207000, 8_1, CONFIRMED)                                    \
    X(ACL_ERROR_RT_MEMORY_ALLOCATION, 207001, 8_1, CONFIRMED)                                      \
    X(ACL_ERROR_RT_MEMORY_FREE, 207002, 8_1, CONFIRMED)                                            \
    X(ACL_ERROR_RT_AICORE_OVER_FLOW, 207003, 8_1, CONFIRMED)                                       \
    X(ACL_ERROR_RT_NO_DEVICE, 207004, 8_1, CONFIRMED)                                              \
    X(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, 207005, 8_1, CONFIRMED)                                    \
    X(ACL_ERROR_RT_NO_PERMISSION, 207006, 8_1, CONFIRMED)                                          \
    X(ACL_ERROR_RT_NO_EVENT_RESOURCE, 207007, 8_1, CONFIRMED)                                      \
    X(ACL_ERROR_RT_NO_STREAM_RESOURCE, 207008, 8_1, CONFIRMED)                                     \
    X(ACL_ERROR_RT_OVER_LIMIT, 207012, 8_1, CONFIRMED)                                             \
    X(ACL_ERROR_RT_REPEATED_INIT, 207015, 8_1, CONFIRMED)                                          \
    X(ACL_ERROR_RT_DEVICE_OOM, 207018, 8_1, CONFIRMED)                                             \
    X(ACL_ERROR_RT_TIMEOUT, 207020, 9, CONFIRMED)                                                  \
    X(ACL_ERROR_INTERNAL_ERROR, 500000, 8_1, CONFIRMED)                                            \
    X(ACL_ERROR_FAILURE, 500001, 8_1, CONFIRMED)                                                   \
    X(ACL_ERROR_GE_FAILURE, 500002, 8_1, CONFIRMED)                                                \
    X(ACL_ERROR_RT_FAILURE, 500003, 8_1, CONFIRMED)                                                \
    X(ACL_ERROR_DRV_FAILURE, 500004, 8_1, CONFIRMED)                                               \
    X(ACL_ERROR_RT_INTERNAL_ERROR, 507000, 8_1, CONFIRMED)                                         \
    X(ACL_ERROR_RT_TS_ERROR, 507001, 8_1, CONFIRMED)                                               \
    X(ACL_ERROR_RT_STREAM_NOT_COMPLETE, 507004, 8_1, CONFIRMED)                                    \
    X(ACL_ERROR_RT_EVENT_NOT_COMPLETE, 507006, 8_1, CONFIRMED)                                     \
    X(ACL_ERROR_RT_SOC_VERSION, 507008, 8_1, CONFIRMED)                                            \
    X(ACL_ERROR_RT_LOST_HEARTBEAT, 507010, 8_1, CONFIRMED)                                         \
    X(ACL_ERROR_RT_MODEL_EXECUTE, 507011, 8_1, CONFIRMED)                                          \
    X(ACL_ERROR_RT_REPORT_TIMEOUT, 507012, 8_1, CONFIRMED)                                         \
    X(ACL_ERROR_RT_SYS_DMA, 507013, 8_1, CONFIRMED)                                                \
    X(ACL_ERROR_RT_AICORE_TIMEOUT, 507014, 8_1, CONFIRMED)                                         \
    X(ACL_ERROR_RT_AICORE_EXCEPTION, 507015, 8_1, CONFIRMED)                                       \
    X(ACL_ERROR_RT_AICORE_TRAP_EXCEPTION, 507016, 8_1, CONFIRMED)                                  \
    X(ACL_ERROR_RT_AICPU_TIMEOUT, 507017, 8_1, CONFIRMED)                                          \
    X(ACL_ERROR_RT_AICPU_EXCEPTION, 507018, 8_1, CONFIRMED)                                        \
    X(ACL_ERROR_RT_DEV_SETUP_ERROR, 507033, 8_1, CONFIRMED)                                        \
    X(ACL_ERROR_RT_VECTOR_CORE_TIMEOUT, 507034, 8_1, CONFIRMED)                                    \
    X(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, 507035, 8_1, CONFIRMED)                                  \
    X(ACL_ERROR_RT_VECTOR_CORE_TRAP, 507036, 8_1, CONFIRMED)                                       \
    X(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, 507046, 8_1, CONFIRMED)                                    \
    X(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, 507047, 8_1, CONFIRMED)                                     \
    X(ACL_ERROR_RT_FFTS_PLUS_TIMEOUT, 507048, 8_1, CONFIRMED)                                      \
    X(ACL_ERROR_RT_FFTS_PLUS_EXCEPTION, 507049, 8_1, CONFIRMED)                                    \
    X(ACL_ERROR_RT_DEVICE_MEM_ERROR, 507053, 8_1, CONFIRMED)                                       \
    X(ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR, 507054, 8_1, CONFIRMED)                                \
    X(ACL_ERROR_RT_SUSPECT_DEVICE_MEM_ERROR, 507055, 9, CONFIRMED)                                 \
    X(ACL_ERROR_RT_LINK_ERROR, 507056, 9, CONFIRMED)                                               \
    X(ACL_ERROR_RT_SUSPECT_REMOTE_ERROR, 507057, 9, CONFIRMED)                                     \
    X(ACL_ERROR_RT_DRV_INTERNAL_ERROR, 507899, 8_1, CONFIRMED)                                     \
    X(ACL_ERROR_RT_AICPU_INTERNAL_ERROR, 507900, 8_1, CONFIRMED)                                   \
    X(ACL_ERROR_RT_SOCKET_CLOSE, 507901, 8_1, CONFIRMED)                                           \
    X(ACL_ERROR_RT_COMM_OP_RETRY_FAIL, 507904, 9, CONFIRMED)
enum { CANN_ACL_ERRORS(CANN_ENUM_ROW) };

#define CANN_ACLNN_ERRORS(X)                                                                       \
    X(ACLNN_SUCCESS, 0, 8_1, CONFIRMED)                                                            \
    X(ACLNN_ERR_PARAM_NULLPTR, 161001, 8_1, CONFIRMED)                                             \
    X(ACLNN_ERR_PARAM_INVALID, 161002, 8_1, CONFIRMED)                                             \
    X(ACLNN_ERR_RUNTIME_ERROR, 361001, 8_1, CONFIRMED)                                             \
    X(ACLNN_ERR_INNER, 561000, 8_1, CONFIRMED)                                                     \
    X(ACLNN_ERR_INNER_INFERSHAPE_ERROR, 561001, 8_1, CONFIRMED)                                    \
    X(ACLNN_ERR_INNER_TILING_ERROR, 561002, 8_1, CONFIRMED)                                        \
    X(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, 561003, 8_1, CONFIRMED)                                   \
    X(ACLNN_ERR_INNER_CREATE_EXECUTOR, 561101, 8_1, CONFIRMED)                                     \
    X(ACLNN_ERR_INNER_NOT_TRANS_EXECUTOR, 561102, 8_1, CONFIRMED)                                  \
    X(ACLNN_ERR_INNER_NULLPTR, 561103, 8_1, CONFIRMED)                                             \
    X(ACLNN_ERR_INNER_OPP_PATH_NOT_FOUND, 561107, 8_1, CONFIRMED)                                  \
    X(ACLNN_ERR_INNER_OPP_KERNEL_PKG_NOT_FOUND, 561112, 8_1, CONFIRMED)
enum { CANN_ACLNN_ERRORS(CANN_ENUM_ROW) };

#endif
