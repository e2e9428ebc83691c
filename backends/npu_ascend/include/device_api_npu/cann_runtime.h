// SPDX-License-Identifier: Apache-2.0
/* The runtime functions of CANN: CANN_RUNTIME_SYMBOLS(X), one row per symbol:
 *     X(RETURN, NAME, (PARAMETERS), LIBRARY, SINCE, MARK)
 * Column LIBRARY is a cannLibrary without its prefix.  A required pointer that is NULL returns
 * 100000.
 */
#ifndef DEVICE_API_NPU_CANN_RUNTIME_H
#define DEVICE_API_NPU_CANN_RUNTIME_H

#include "cann_types.h"

/* clang-format off */
#define CANN_RT_INIT_SYMBOLS(X) \
    X(aclError, aclInit, (const char* configPath), ACL, 8_1, CONFIRMED) \
    X(aclError, aclFinalize, (void), ACL, 8_1, CONFIRMED) \
    X(aclError, aclFinalizeReference, (uint64_t* refCount), ACL, 9, CONFIRMED) \
    X(const char*, aclGetRecentErrMsg, (void), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtPeekAtLastError, (aclrtLastErrLevel level), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtGetLastError, (aclrtLastErrLevel level), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtSetExceptionInfoCallback, (aclrtExceptionInfoCallback callback), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtGetVersion, (int32_t* major, int32_t* minor, int32_t* patch), ACL, 8_1, CONFIRMED) \
    X(aclError, aclsysGetCANNVersion, (aclCANNPackageName name, aclCANNPackageVersion* version), ACL, 8_1, CONFIRMED) \
    X(aclError, aclsysGetVersionStr, (char* pkgName, char* version), ACL, 9, CONFIRMED) \
    X(aclError, aclsysGetVersionNum, (char* pkgName, int32_t* version), ACL, 9, CONFIRMED)

#define CANN_RT_DEVICE_SYMBOLS(X) \
    X(aclError, aclrtGetDeviceCount, (uint32_t* count), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtSetDevice, (int32_t deviceId), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtGetDevice, (int32_t* deviceId), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtResetDevice, (int32_t deviceId), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtResetDeviceForce, (int32_t deviceId), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtSynchronizeDevice, (void), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtSynchronizeDeviceWithTimeout, (int32_t timeout), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtQueryDeviceStatus, (int32_t deviceId, aclrtDeviceStatus* deviceStatus), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtGetRunMode, (aclrtRunMode* runMode), ACL, 8_1, CONFIRMED) \
    X(const char*, aclrtGetSocName, (void), ACL, 8_1, CONFIRMED) \
    X(aclError, aclGetDeviceCapability, (uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t* value), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtGetDeviceInfo, (uint32_t deviceId, aclrtDevAttr attr, int64_t* value), ACL, 9, CONFIRMED) \
    X(aclError, aclGetCannAttribute, (aclCannAttr cannAttr, int32_t* value), ACL, 8_1, CONFIRMED) \
    X(aclError, aclGetCannAttributeList, (const aclCannAttr** cannAttrList, size_t* num), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtGetDeviceUtilizationRate, (int32_t deviceId, aclrtUtilizationInfo* utilizationInfo), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtDeviceGetPCIBusId, (int32_t deviceId, char* pciBusId, int32_t len), ACL, 9, CONFIRMED) \
    X(aclError, aclrtDeviceGetUuid, (int32_t deviceId, aclrtUuid* uuid), ACL, 9, CONFIRMED) \
    X(aclError, aclrtGetPhyDevIdByUserDevId, (const int32_t userDevId, int32_t* const phyDevId), ACL, 9, CONFIRMED) \
    X(aclError, aclrtGetLogicDevIdByUserDevId, (const int32_t userDevid, int32_t* const logicDevId), ACL, 9, CONFIRMED) \
    X(aclError, aclrtGetPhyDevIdByLogicDevId, (const int32_t logicDevId, int32_t* const phyDevId), ACL, 9, CONFIRMED) \
    X(aclError, aclrtSetDeviceSatMode, (aclrtFloatOverflowMode mode), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtGetDeviceSatMode, (aclrtFloatOverflowMode* mode), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtSetSysParamOpt, (aclSysParamOpt opt, int64_t value), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtCtxSetSysParamOpt, (aclSysParamOpt opt, int64_t value), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtCreateContext, (aclrtContext* context, int32_t deviceId), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtDestroyContext, (aclrtContext context), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtSetCurrentContext, (aclrtContext context), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtGetCurrentContext, (aclrtContext* context), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtDeviceCanAccessPeer, (int32_t* canAccessPeer, int32_t deviceId, int32_t peerDeviceId), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtDeviceEnablePeerAccess, (int32_t peerDeviceId, uint32_t flags), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtDeviceDisablePeerAccess, (int32_t peerDeviceId), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtDevicePeerAccessStatus, (int32_t deviceId, int32_t peerDeviceId, int32_t* status), ACL, 9, CONFIRMED)

#define CANN_RT_MEMORY_SYMBOLS(X) \
    X(aclError, aclrtGetMemInfo, (aclrtMemAttr attr, size_t* free, size_t* total), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtMalloc, (void** devPtr, size_t size, aclrtMemMallocPolicy policy), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtMallocAlign32, (void** devPtr, size_t size, aclrtMemMallocPolicy policy), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtMallocCached, (void** devPtr, size_t size, aclrtMemMallocPolicy policy), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtMallocWithCfg, (void** devPtr, size_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig* cfg), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtFree, (void* devPtr), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtFreeWithDevSync, (void* devPtr), ACL, 9, CONFIRMED) \
    X(aclError, aclrtMallocHost, (void** hostPtr, size_t size), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtFreeHost, (void* hostPtr), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtHostRegister, (void* ptr, uint64_t size, aclrtHostRegisterType type, void** devPtr), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtHostUnregister, (void* ptr), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtPointerGetAttributes, (const void* ptr, aclrtPtrAttributes* attributes), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtMemcpy, (void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtMemcpyAsync, (void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind, aclrtStream stream), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtMemcpy2d, (void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height, aclrtMemcpyKind kind), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtMemcpy2dAsync, (void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height, aclrtMemcpyKind kind, aclrtStream stream), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtMemset, (void* devPtr, size_t maxCount, int32_t value, size_t count), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtMemsetAsync, (void* devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream), ACL, 8_1, CONFIRMED)

#define CANN_RT_STREAM_SYMBOLS(X) \
    X(aclError, aclrtCreateStream, (aclrtStream* stream), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtCreateStreamWithConfig, (aclrtStream* stream, uint32_t priority, uint32_t flag), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtDestroyStream, (aclrtStream stream), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtDestroyStreamForce, (aclrtStream stream), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtSynchronizeStream, (aclrtStream stream), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtSynchronizeStreamWithTimeout, (aclrtStream stream, int32_t timeout), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtStreamQuery, (aclrtStream stream, aclrtStreamStatus* status), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtStreamWaitEvent, (aclrtStream stream, aclrtEvent event), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtStreamGetId, (aclrtStream stream, int32_t* streamId), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtSetStreamFailureMode, (aclrtStream stream, uint64_t mode), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtDeviceGetStreamPriorityRange, (int32_t* leastPriority, int32_t* greatestPriority), ACL, 9, CONFIRMED)

#define CANN_RT_EVENT_SYMBOLS(X) \
    X(aclError, aclrtCreateEvent, (aclrtEvent* event), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtCreateEventWithFlag, (aclrtEvent* event, uint32_t flag), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtCreateEventExWithFlag, (aclrtEvent* event, uint32_t flag), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtDestroyEvent, (aclrtEvent event), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtRecordEvent, (aclrtEvent event, aclrtStream stream), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtResetEvent, (aclrtEvent event, aclrtStream stream), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtQueryEventStatus, (aclrtEvent event, aclrtEventRecordedStatus* status), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtQueryEvent, (aclrtEvent event, aclrtEventStatus* status), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtQueryEventWaitStatus, (aclrtEvent event, aclrtEventWaitStatus* status), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtSynchronizeEvent, (aclrtEvent event), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtSynchronizeEventWithTimeout, (aclrtEvent event, int32_t timeout), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtEventElapsedTime, (float* ms, aclrtEvent startEvent, aclrtEvent endEvent), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtEventGetTimestamp, (aclrtEvent event, uint64_t* timestamp), ACL, 8_1, CONFIRMED)

#define CANN_RT_CALLBACK_SYMBOLS(X) \
    X(aclError, aclrtSubscribeReport, (uint64_t threadId, aclrtStream stream), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtProcessReport, (int32_t timeout), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtLaunchCallback, (aclrtCallback fn, void* userData, aclrtCallbackBlockType blockType, aclrtStream stream), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtUnSubscribeReport, (uint64_t threadId, aclrtStream stream), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtLaunchHostFunc, (aclrtStream stream, aclrtHostFunc fn, void* args), ACL, 9, CONFIRMED)
#define CANN_RUNTIME_SYMBOLS(X) \
    CANN_RT_INIT_SYMBOLS(X) \
    CANN_RT_DEVICE_SYMBOLS(X) \
    CANN_RT_MEMORY_SYMBOLS(X) \
    CANN_RT_STREAM_SYMBOLS(X) \
    CANN_RT_EVENT_SYMBOLS(X) \
    CANN_RT_CALLBACK_SYMBOLS(X)
/* clang-format on */

#ifdef __cplusplus
extern "C" {
#endif

#define CANN_FN_TYPE_ROW(ret, name, params, library, since, mark) typedef ret(*name##_fn) params;
#define CANN_FN_PROTOTYPE_ROW(ret, name, params, library, since, mark) ret name params;

CANN_RUNTIME_SYMBOLS(CANN_FN_TYPE_ROW)
#ifdef CANN_DECLARE_PROTOTYPES
CANN_RUNTIME_SYMBOLS(CANN_FN_PROTOTYPE_ROW)
#endif

#ifdef __cplusplus
}
#endif
#endif
