// SPDX-License-Identifier: Apache-2.0
/* Functions of CANN that the adapter does not call, but other clients do.
 *
 * CANN_CLIENT_SYMBOLS(X): simulated; rows as in cann_runtime.h,
 *     X(RETURN, NAME, (PARAMETERS), LIBRARY, SINCE, MARK)
 * CANN_HANDOVER_SYMBOLS(X): the same, for phases on two threads
 * CANN_REFUSED_SYMBOLS(X): the simulator exports them, since clients are linked against them, and
 * refuses every call:
 *     X(KIND, NAME, WHAT, MARK)
 * KIND is what it returns: code (an aclError), status (another non-zero int), handle (a null
 * pointer), undefined (-1), nothing, or number (0). WHAT is the part of CANN that is not simulated.
 * CONFIRMED: declared in the public headers of ACL API 1.17.0. UNCONFIRMED: only the name is known,
 * from the imports of a client.
 */
#ifndef DEVICE_API_NPU_CANN_CLIENTS_H
#define DEVICE_API_NPU_CANN_CLIENTS_H

#include "cann_types.h"

typedef enum aclLogLevel CANN_ENUM_INT {
    ACL_DEBUG = 0,
    ACL_INFO = 1,
    ACL_WARNING = 2,
    ACL_ERROR = 3
} aclLogLevel;

/* clang-format off */
#define CANN_CLIENT_SYMBOLS(X) \
    X(aclError, aclrtGetSysParamOpt, (aclSysParamOpt opt, int64_t* value), ACL, 9, CONFIRMED) \
    X(aclError, aclrtCtxGetSysParamOpt, (aclSysParamOpt opt, int64_t* value), ACL, 9, CONFIRMED) \
    X(aclError, aclrtSetOpExecuteTimeOut, (uint32_t timeout), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtSetOpWaitTimeout, (uint32_t timeout), ACL, 8_1, CONFIRMED) \
    X(aclError, aclrtDeviceGetBareTgid, (int32_t* pid), ACL, 9, CONFIRMED) \
    X(void, aclAppLog, (aclLogLevel logLevel, const char* func, const char* file, uint32_t line, const char* fmt, ...), ACL, 9, CONFIRMED)

/* Around phase 1, by a client that runs phase 2 on another thread; the last one after phase 2.
 * Types and order of calls are those of torch_npu; the vendor's headers do not have them. */
#define CANN_HANDOVER_SYMBOLS(X) \
    X(int, InitHugeMemThreadLocal, (void* unused, bool sync), NNOPBASE, 8_1, UNCONFIRMED) \
    X(void, UnInitHugeMemThreadLocal, (void* unused, bool sync), NNOPBASE, 8_1, UNCONFIRMED) \
    X(void, ReleaseHugeMem, (void* unused, bool sync), NNOPBASE, 8_1, UNCONFIRMED)

#define CANN_REFUSED_SYMBOLS(X) \
    X(handle, aclCreateDataBuffer, "operators compiled from graphs", CONFIRMED) \
    X(code, aclDestroyDataBuffer, "operators compiled from graphs", CONFIRMED) \
    X(handle, aclCreateTensorDesc, "operators compiled from graphs", CONFIRMED) \
    X(nothing, aclDestroyTensorDesc, "operators compiled from graphs", CONFIRMED) \
    X(code, aclGetTensorDescDimV2, "operators compiled from graphs", CONFIRMED) \
    X(undefined, aclGetTensorDescFormat, "operators compiled from graphs", CONFIRMED) \
    X(number, aclGetTensorDescNumDims, "operators compiled from graphs", CONFIRMED) \
    X(undefined, aclGetTensorDescType, "operators compiled from graphs", CONFIRMED) \
    X(nothing, aclSetTensorDescName, "operators compiled from graphs", CONFIRMED) \
    X(code, aclSetTensorFormat, "operators compiled from graphs", CONFIRMED) \
    X(code, aclSetTensorPlaceMent, "operators compiled from graphs", CONFIRMED) \
    X(code, aclSetTensorShape, "operators compiled from graphs", CONFIRMED) \
    X(handle, aclopCreateAttr, "operators compiled from graphs", CONFIRMED) \
    X(nothing, aclopDestroyAttr, "operators compiled from graphs", CONFIRMED) \
    X(code, aclopSetAttrBool, "operators compiled from graphs", CONFIRMED) \
    X(code, aclopSetAttrDataType, "operators compiled from graphs", CONFIRMED) \
    X(code, aclopSetAttrFloat, "operators compiled from graphs", CONFIRMED) \
    X(code, aclopSetAttrInt, "operators compiled from graphs", CONFIRMED) \
    X(code, aclopSetAttrListBool, "operators compiled from graphs", CONFIRMED) \
    X(code, aclopSetAttrListFloat, "operators compiled from graphs", CONFIRMED) \
    X(code, aclopSetAttrListInt, "operators compiled from graphs", CONFIRMED) \
    X(code, aclopSetAttrListListInt, "operators compiled from graphs", CONFIRMED) \
    X(code, aclopSetAttrString, "operators compiled from graphs", CONFIRMED) \
    X(code, aclopCompileAndExecute, "operators compiled from graphs", CONFIRMED) \
    X(code, aclSetCompileopt, "operators compiled from graphs", CONFIRMED) \
    X(code, aclmdlInitDump, "dumps of operands", CONFIRMED) \
    X(code, aclmdlSetDump, "dumps of operands", CONFIRMED) \
    X(code, aclmdlFinalizeDump, "dumps of operands", CONFIRMED) \
    X(code, aclrtBinaryLoadFromData, "kernels of the client's own", CONFIRMED) \
    X(code, aclrtBinaryGetFunction, "kernels of the client's own", CONFIRMED) \
    X(code, aclrtGetFunctionAddr, "kernels of the client's own", CONFIRMED) \
    X(status, rtDevBinaryRegister, "kernels of the client's own", UNCONFIRMED) \
    X(status, rtFunctionRegister, "kernels of the client's own", UNCONFIRMED) \
    X(status, rtKernelLaunch, "kernels of the client's own", UNCONFIRMED) \
    X(status, rtGetC2cCtrlAddr, "kernels of the client's own", UNCONFIRMED) \
    X(code, aclrtReserveMemAddress, "virtual memory", CONFIRMED) \
    X(code, aclrtReleaseMemAddress, "virtual memory", CONFIRMED) \
    X(code, aclrtMallocPhysical, "virtual memory", CONFIRMED) \
    X(code, aclrtFreePhysical, "virtual memory", CONFIRMED) \
    X(code, aclrtMapMem, "virtual memory", CONFIRMED) \
    X(code, aclrtUnmapMem, "virtual memory", CONFIRMED) \
    X(code, aclrtMemExportToShareableHandle, "memory shared between processes", CONFIRMED) \
    X(code, aclrtMemImportFromShareableHandle, "memory shared between processes", CONFIRMED) \
    X(code, aclrtMemSetPidToShareableHandle, "memory shared between processes", CONFIRMED) \
    X(status, MsprofRegisterCallback, "the profiler", CONFIRMED) \
    X(status, MsprofReportApi, "the profiler", CONFIRMED) \
    X(status, MsprofReportCompactInfo, "the profiler", CONFIRMED) \
    X(status, MsprofReportAdditionalInfo, "the profiler", CONFIRMED) \
    X(number, MsprofGetHashId, "the profiler", CONFIRMED) \
    X(number, MsprofSysCycleTime, "the profiler", CONFIRMED)
/* clang-format on */

#ifdef __cplusplus
extern "C" {
#endif

#define CANN_CLIENT_TYPE_ROW(ret, name, params, library, since, mark)                              \
    typedef ret(*name##_fn) params;
#define CANN_CLIENT_PROTOTYPE_ROW(ret, name, params, library, since, mark) ret name params;

CANN_CLIENT_SYMBOLS(CANN_CLIENT_TYPE_ROW)
CANN_HANDOVER_SYMBOLS(CANN_CLIENT_TYPE_ROW)
#ifdef CANN_DECLARE_PROTOTYPES
CANN_CLIENT_SYMBOLS(CANN_CLIENT_PROTOTYPE_ROW)
CANN_HANDOVER_SYMBOLS(CANN_CLIENT_PROTOTYPE_ROW)
#endif

#ifdef __cplusplus
}
#endif
#endif
