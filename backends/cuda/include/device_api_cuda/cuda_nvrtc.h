// SPDX-License-Identifier: Apache-2.0
/* libnvrtc.so.12 and .13: results X(NAME, VALUE, MARK) and functions, rows as in cuda_driver.h. */
#ifndef DEVICE_API_CUDA_NVRTC_H
#define DEVICE_API_CUDA_NVRTC_H

#include "cuda_types.h"

#ifndef DEVICE_API_CUDA_VENDOR_TYPES
typedef struct _nvrtcProgram* nvrtcProgram;

/* clang-format off */
#define NVRTC_RESULTS(X) \
    X(NVRTC_SUCCESS, 0, CONFIRMED) \
    X(NVRTC_ERROR_OUT_OF_MEMORY, 1, CONFIRMED) \
    X(NVRTC_ERROR_PROGRAM_CREATION_FAILURE, 2, CONFIRMED) \
    X(NVRTC_ERROR_INVALID_INPUT, 3, CONFIRMED) \
    X(NVRTC_ERROR_INVALID_PROGRAM, 4, CONFIRMED) \
    X(NVRTC_ERROR_INVALID_OPTION, 5, CONFIRMED) \
    X(NVRTC_ERROR_COMPILATION, 6, CONFIRMED) \
    X(NVRTC_ERROR_BUILTIN_OPERATION_FAILURE, 7, CONFIRMED) \
    X(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION, 8, CONFIRMED) \
    X(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION, 9, CONFIRMED) \
    X(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID, 10, CONFIRMED) \
    X(NVRTC_ERROR_INTERNAL_ERROR, 11, CONFIRMED) \
    X(NVRTC_ERROR_TIME_FILE_WRITE_FAILED, 12, CONFIRMED) \
    X(NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED, 13, CONFIRMED) \
    X(NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED, 14, CONFIRMED) \
    X(NVRTC_ERROR_PCH_CREATE, 15, CONFIRMED) \
    X(NVRTC_ERROR_CANCELLED, 16, CONFIRMED) \
    X(NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED, 17, CONFIRMED) \
    X(NVRTC_ERROR_BUSY, 18, CONFIRMED)
typedef enum nvrtcResult CU_ENUM_INT { NVRTC_RESULTS(CU_ENUM_ROW) } nvrtcResult;
/* clang-format on */
#endif

/* clang-format off */
#define NVRTC_SYMBOLS(X) \
    X(const char*, nvrtcGetErrorString, (nvrtcResult result), 12_0, CONFIRMED) \
    X(nvrtcResult, nvrtcVersion, (int* major, int* minor), 12_0, CONFIRMED) \
    X(nvrtcResult, nvrtcGetNumSupportedArchs, (int* numArchs), 12_0, CONFIRMED) \
    X(nvrtcResult, nvrtcGetSupportedArchs, (int* supportedArchs), 12_0, CONFIRMED) \
    X(nvrtcResult, nvrtcCreateProgram, (nvrtcProgram* prog, const char* src, const char* name, int numHeaders, const char* const* headers, const char* const* includeNames), 12_0, CONFIRMED) \
    X(nvrtcResult, nvrtcDestroyProgram, (nvrtcProgram* prog), 12_0, CONFIRMED) \
    X(nvrtcResult, nvrtcCompileProgram, (nvrtcProgram prog, int numOptions, const char* const* options), 12_0, CONFIRMED) \
    X(nvrtcResult, nvrtcGetPTXSize, (nvrtcProgram prog, size_t* ptxSizeRet), 12_0, CONFIRMED) \
    X(nvrtcResult, nvrtcGetPTX, (nvrtcProgram prog, char* ptx), 12_0, CONFIRMED) \
    X(nvrtcResult, nvrtcGetCUBINSize, (nvrtcProgram prog, size_t* cubinSizeRet), 12_0, CONFIRMED) \
    X(nvrtcResult, nvrtcGetCUBIN, (nvrtcProgram prog, char* cubin), 12_0, CONFIRMED) \
    X(nvrtcResult, nvrtcGetLTOIRSize, (nvrtcProgram prog, size_t* size), 12_0, CONFIRMED) \
    X(nvrtcResult, nvrtcGetLTOIR, (nvrtcProgram prog, char* ir), 12_0, CONFIRMED) \
    X(nvrtcResult, nvrtcGetProgramLogSize, (nvrtcProgram prog, size_t* logSizeRet), 12_0, CONFIRMED) \
    X(nvrtcResult, nvrtcGetProgramLog, (nvrtcProgram prog, char* log), 12_0, CONFIRMED) \
    X(nvrtcResult, nvrtcAddNameExpression, (nvrtcProgram prog, const char* const name_expression), 12_0, CONFIRMED) \
    X(nvrtcResult, nvrtcGetLoweredName, (nvrtcProgram prog, const char* const name_expression, const char** lowered_name), 12_0, CONFIRMED) \
    X(nvrtcResult, nvrtcSetFlowCallback, (nvrtcProgram prog, int (*callback)(void*, void*), void* payload), 12_0, CONFIRMED) \
    X(nvrtcResult, nvrtcInstallBundledHeaders, (const char* installPath, unsigned int flags, const char** errorLog), 12_0, CONFIRMED)
/* clang-format on */

#ifdef __cplusplus
extern "C" {
#endif
NVRTC_SYMBOLS(CU_FN_TYPE_ROW)
#ifdef CUDA_DECLARE_PROTOTYPES
NVRTC_SYMBOLS(CU_FN_PROTOTYPE_ROW)
#endif
#ifdef __cplusplus
}
#endif
#endif
