// SPDX-License-Identifier: Apache-2.0
/* Devices, contexts, streams, events, modules and launches of libcuda.so.1, one row per symbol:
 *     X(RETURN, NAME, (PARAMETERS), FIRST, MARK)
 * Column FIRST is the oldest release of CUDA whose driver is known to have the symbol. */
#ifndef DEVICE_API_CUDA_DRIVER_H
#define DEVICE_API_CUDA_DRIVER_H

#include "cuda_types.h"

/* clang-format off */
#define CU_INIT_SYMBOLS(X) \
    X(CUresult, cuInit, (unsigned int Flags), 12_0, CONFIRMED) \
    X(CUresult, cuDriverGetVersion, (int* driverVersion), 12_0, CONFIRMED) \
    X(CUresult, cuGetProcAddress_v2, (const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags, CUdriverProcAddressQueryResult* symbolStatus), 12_0, CONFIRMED) \
    X(CUresult, cuGetErrorName, (CUresult error, const char** pStr), 12_0, CONFIRMED) \
    X(CUresult, cuGetErrorString, (CUresult error, const char** pStr), 12_0, CONFIRMED) \
    X(CUresult, cuGetExportTable, (const void** ppExportTable, const CUuuid* pExportTableId), 12_0, CONFIRMED) \
    X(CUresult, cuGetProcAddress, (const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags), 12_0, CONFIRMED)

#define CU_DEVICE_SYMBOLS(X) \
    X(CUresult, cuDeviceGetCount, (int* count), 12_0, CONFIRMED) \
    X(CUresult, cuDeviceGet, (CUdevice* device, int ordinal), 12_0, CONFIRMED) \
    X(CUresult, cuDeviceGetName, (char* name, int len, CUdevice dev), 12_0, CONFIRMED) \
    X(CUresult, cuDeviceTotalMem_v2, (size_t* bytes, CUdevice dev), 12_0, CONFIRMED) \
    X(CUresult, cuDeviceGetAttribute, (int* pi, CUdevice_attribute attrib, CUdevice dev), 12_0, CONFIRMED) \
    X(CUresult, cuDeviceGetUuid_v2, (CUuuid* uuid, CUdevice dev), 12_0, CONFIRMED) \
    X(CUresult, cuDeviceGetPCIBusId, (char* pciBusId, int len, CUdevice dev), 12_0, CONFIRMED) \
    X(CUresult, cuDeviceGetByPCIBusId, (CUdevice* dev, const char* pciBusId), 12_0, CONFIRMED) \
    X(CUresult, cuDeviceComputeCapability, (int* major, int* minor, CUdevice dev), 12_0, CONFIRMED) \
    X(CUresult, cuDeviceGetDefaultMemPool, (CUmemoryPool* pool_out, CUdevice dev), 12_0, CONFIRMED) \
    X(CUresult, cuDeviceGetMemPool, (CUmemoryPool* pool, CUdevice dev), 12_0, CONFIRMED) \
    X(CUresult, cuDeviceSetMemPool, (CUdevice dev, CUmemoryPool pool), 12_0, CONFIRMED) \
    X(CUresult, cuDeviceGetUuid, (CUuuid* uuid, CUdevice dev), 12_0, CONFIRMED)

#define CU_CONTEXT_SYMBOLS(X) \
    X(CUresult, cuDevicePrimaryCtxRetain, (CUcontext* pctx, CUdevice dev), 12_0, CONFIRMED) \
    X(CUresult, cuDevicePrimaryCtxRelease_v2, (CUdevice dev), 12_0, CONFIRMED) \
    X(CUresult, cuDevicePrimaryCtxReset_v2, (CUdevice dev), 12_0, CONFIRMED) \
    X(CUresult, cuDevicePrimaryCtxSetFlags_v2, (CUdevice dev, unsigned int flags), 12_0, CONFIRMED) \
    X(CUresult, cuDevicePrimaryCtxGetState, (CUdevice dev, unsigned int* flags, int* active), 12_0, CONFIRMED) \
    X(CUresult, cuCtxCreate_v2, (CUcontext* pctx, unsigned int flags, CUdevice dev), 12_0, CONFIRMED) \
    X(CUresult, cuCtxCreate_v3, (CUcontext* pctx, CUexecAffinityParam* paramsArray, int numParams, unsigned int flags, CUdevice dev), 12_0, CONFIRMED) \
    X(CUresult, cuCtxCreate_v4, (CUcontext* pctx, CUctxCreateParams* ctxCreateParams, unsigned int flags, CUdevice dev), 13_0, CONFIRMED) \
    X(CUresult, cuCtxDestroy_v2, (CUcontext ctx), 12_0, CONFIRMED) \
    X(CUresult, cuCtxSetCurrent, (CUcontext ctx), 12_0, CONFIRMED) \
    X(CUresult, cuCtxGetCurrent, (CUcontext* pctx), 12_0, CONFIRMED) \
    X(CUresult, cuCtxPushCurrent_v2, (CUcontext ctx), 12_0, CONFIRMED) \
    X(CUresult, cuCtxPopCurrent_v2, (CUcontext* pctx), 12_0, CONFIRMED) \
    X(CUresult, cuCtxGetDevice, (CUdevice* device), 12_0, CONFIRMED) \
    X(CUresult, cuCtxGetDevice_v2, (CUdevice* device, CUcontext ctx), 13_0, CONFIRMED) \
    X(CUresult, cuCtxSynchronize, (void), 12_0, CONFIRMED) \
    X(CUresult, cuCtxSynchronize_v2, (CUcontext ctx), 13_0, CONFIRMED) \
    X(CUresult, cuCtxGetStreamPriorityRange, (int* leastPriority, int* greatestPriority), 12_0, CONFIRMED) \
    X(CUresult, cuCtxGetApiVersion, (CUcontext ctx, unsigned int* version), 12_0, CONFIRMED) \
    X(CUresult, cuCtxSetLimit, (CUlimit limit, size_t value), 12_0, CONFIRMED) \
    X(CUresult, cuCtxGetLimit, (size_t* pvalue, CUlimit limit), 12_0, CONFIRMED) \
    X(CUresult, cuCtxGetFlags, (unsigned int* flags), 12_0, CONFIRMED) \
    X(CUresult, cuCtxSetFlags, (unsigned int flags), 12_0, CONFIRMED) \
    X(CUresult, cuCtxGetId, (CUcontext ctx, unsigned long long* ctxId), 12_0, CONFIRMED) \
    X(CUresult, cuCtxGetCacheConfig, (CUfunc_cache* pconfig), 12_0, CONFIRMED) \
    X(CUresult, cuCtxSetCacheConfig, (CUfunc_cache config), 12_0, CONFIRMED)

#define CU_PEER_SYMBOLS(X) \
    X(CUresult, cuDeviceCanAccessPeer, (int* canAccessPeer, CUdevice dev, CUdevice peerDev), 12_0, CONFIRMED) \
    X(CUresult, cuCtxEnablePeerAccess, (CUcontext peerContext, unsigned int Flags), 12_0, CONFIRMED) \
    X(CUresult, cuCtxDisablePeerAccess, (CUcontext peerContext), 12_0, CONFIRMED) \
    X(CUresult, cuDeviceGetP2PAttribute, (int* value, CUdevice_P2PAttribute attrib, CUdevice srcDevice, CUdevice dstDevice), 12_0, CONFIRMED)

#define CU_STREAM_SYMBOLS(X) \
    X(CUresult, cuStreamCreate, (CUstream* phStream, unsigned int Flags), 12_0, CONFIRMED) \
    X(CUresult, cuStreamCreateWithPriority, (CUstream* phStream, unsigned int flags, int priority), 12_0, CONFIRMED) \
    X(CUresult, cuStreamDestroy_v2, (CUstream hStream), 12_0, CONFIRMED) \
    X(CUresult, cuStreamSynchronize, (CUstream hStream), 12_0, CONFIRMED) \
    X(CUresult, cuStreamQuery, (CUstream hStream), 12_0, CONFIRMED) \
    X(CUresult, cuStreamWaitEvent, (CUstream hStream, CUevent hEvent, unsigned int Flags), 12_0, CONFIRMED) \
    X(CUresult, cuStreamAddCallback, (CUstream hStream, CUstreamCallback callback, void* userData, unsigned int flags), 12_0, CONFIRMED) \
    X(CUresult, cuLaunchHostFunc, (CUstream hStream, CUhostFn fn, void* userData), 12_0, CONFIRMED) \
    X(CUresult, cuStreamGetCtx, (CUstream hStream, CUcontext* pctx), 12_0, CONFIRMED) \
    X(CUresult, cuStreamGetPriority, (CUstream hStream, int* priority), 12_0, CONFIRMED) \
    X(CUresult, cuStreamGetFlags, (CUstream hStream, unsigned int* flags), 12_0, CONFIRMED) \
    X(CUresult, cuStreamGetId, (CUstream hStream, unsigned long long* streamId), 12_0, CONFIRMED)

#define CU_EVENT_SYMBOLS(X) \
    X(CUresult, cuEventCreate, (CUevent* phEvent, unsigned int Flags), 12_0, CONFIRMED) \
    X(CUresult, cuEventRecord, (CUevent hEvent, CUstream hStream), 12_0, CONFIRMED) \
    X(CUresult, cuEventRecordWithFlags, (CUevent hEvent, CUstream hStream, unsigned int flags), 12_0, CONFIRMED) \
    X(CUresult, cuEventQuery, (CUevent hEvent), 12_0, CONFIRMED) \
    X(CUresult, cuEventSynchronize, (CUevent hEvent), 12_0, CONFIRMED) \
    X(CUresult, cuEventDestroy_v2, (CUevent hEvent), 12_0, CONFIRMED) \
    X(CUresult, cuEventElapsedTime, (float* pMilliseconds, CUevent hStart, CUevent hEnd), 12_0, CONFIRMED) \
    X(CUresult, cuEventElapsedTime_v2, (float* pMilliseconds, CUevent hStart, CUevent hEnd), 12_0, CONFIRMED)

#define CU_MODULE_SYMBOLS(X) \
    X(CUresult, cuModuleLoad, (CUmodule* module, const char* fname), 12_0, CONFIRMED) \
    X(CUresult, cuModuleLoadData, (CUmodule* module, const void* image), 12_0, CONFIRMED) \
    X(CUresult, cuModuleLoadDataEx, (CUmodule* module, const void* image, unsigned int numOptions, CUjit_option* options, void** optionValues), 12_0, CONFIRMED) \
    X(CUresult, cuModuleLoadFatBinary, (CUmodule* module, const void* fatCubin), 12_0, CONFIRMED) \
    X(CUresult, cuModuleUnload, (CUmodule hmod), 12_0, CONFIRMED) \
    X(CUresult, cuModuleGetFunction, (CUfunction* hfunc, CUmodule hmod, const char* name), 12_0, CONFIRMED) \
    X(CUresult, cuModuleGetGlobal_v2, (CUdeviceptr* dptr, size_t* bytes, CUmodule hmod, const char* name), 12_0, CONFIRMED) \
    X(CUresult, cuModuleGetLoadingMode, (CUmoduleLoadingMode* mode), 12_0, CONFIRMED) \
    X(CUresult, cuLibraryLoadData, (CUlibrary* library, const void* code, CUjit_option* jitOptions, void** jitOptionsValues, unsigned int numJitOptions, CUlibraryOption* libraryOptions, void** libraryOptionValues, unsigned int numLibraryOptions), 12_0, CONFIRMED) \
    X(CUresult, cuLibraryUnload, (CUlibrary library), 12_0, CONFIRMED) \
    X(CUresult, cuLibraryGetKernel, (CUkernel* pKernel, CUlibrary library, const char* name), 12_0, CONFIRMED) \
    X(CUresult, cuKernelGetFunction, (CUfunction* pFunc, CUkernel kernel), 12_0, CONFIRMED) \
    X(CUresult, cuLinkCreate_v2, (unsigned int numOptions, CUjit_option* options, void** optionValues, CUlinkState* stateOut), 12_0, CONFIRMED) \
    X(CUresult, cuLinkAddData_v2, (CUlinkState state, CUjitInputType type, void* data, size_t size, const char* name, unsigned int numOptions, CUjit_option* options, void** optionValues), 12_0, CONFIRMED) \
    X(CUresult, cuLinkComplete, (CUlinkState state, void** cubinOut, size_t* sizeOut), 12_0, CONFIRMED) \
    X(CUresult, cuLinkDestroy, (CUlinkState state), 12_0, CONFIRMED) \
    X(CUresult, cuFuncGetAttribute, (int* pi, CUfunction_attribute attrib, CUfunction hfunc), 12_0, CONFIRMED) \
    X(CUresult, cuFuncSetAttribute, (CUfunction hfunc, CUfunction_attribute attrib, int value), 12_0, CONFIRMED) \
    X(CUresult, cuFuncGetName, (const char** name, CUfunction hfunc), 12_0, CONFIRMED) \
    X(CUresult, cuFuncGetParamInfo, (CUfunction func, size_t paramIndex, size_t* paramOffset, size_t* paramSize), 12_0, CONFIRMED) \
    X(CUresult, cuLaunchKernel, (CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream, void** kernelParams, void** extra), 12_0, CONFIRMED) \
    X(CUresult, cuLaunchKernelEx, (const CUlaunchConfig* config, CUfunction f, void** kernelParams, void** extra), 12_0, CONFIRMED) \
    X(CUresult, cuLaunchCooperativeKernel, (CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream, void** kernelParams), 12_0, CONFIRMED) \
    X(CUresult, cuFuncGetModule, (CUmodule* hmod, CUfunction hfunc), 12_0, CONFIRMED) \
    X(CUresult, cuFuncSetCacheConfig, (CUfunction hfunc, CUfunc_cache config), 12_0, CONFIRMED) \
    X(CUresult, cuFuncIsLoaded, (CUfunctionLoadingState* state, CUfunction function), 12_0, CONFIRMED) \
    X(CUresult, cuFuncLoad, (CUfunction function), 12_0, CONFIRMED) \
    X(CUresult, cuModuleGetFunctionCount, (unsigned int* count, CUmodule mod), 12_0, CONFIRMED) \
    X(CUresult, cuModuleEnumerateFunctions, (CUfunction* functions, unsigned int numFunctions, CUmodule mod), 12_0, CONFIRMED) \
    X(CUresult, cuLibraryLoadFromFile, (CUlibrary* library, const char* fileName, CUjit_option* jitOptions, void** jitOptionsValues, unsigned int numJitOptions, CUlibraryOption* libraryOptions, void** libraryOptionValues, unsigned int numLibraryOptions), 12_0, CONFIRMED) \
    X(CUresult, cuLibraryGetModule, (CUmodule* pMod, CUlibrary library), 12_0, CONFIRMED) \
    X(CUresult, cuLibraryGetGlobal, (CUdeviceptr* dptr, size_t* bytes, CUlibrary library, const char* name), 12_0, CONFIRMED) \
    X(CUresult, cuLibraryGetKernelCount, (unsigned int* count, CUlibrary lib), 12_0, CONFIRMED) \
    X(CUresult, cuLibraryEnumerateKernels, (CUkernel* kernels, unsigned int numKernels, CUlibrary lib), 12_0, CONFIRMED) \
    X(CUresult, cuKernelGetAttribute, (int* pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev), 12_0, CONFIRMED) \
    X(CUresult, cuKernelSetAttribute, (CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev), 12_0, CONFIRMED) \
    X(CUresult, cuKernelGetName, (const char** name, CUkernel hfunc), 12_0, CONFIRMED) \
    X(CUresult, cuKernelGetLibrary, (CUlibrary* pLib, CUkernel kernel), 12_0, CONFIRMED) \
    X(CUresult, cuKernelGetParamInfo, (CUkernel kernel, size_t paramIndex, size_t* paramOffset, size_t* paramSize), 12_0, CONFIRMED)

#define CU_OCCUPANCY_SYMBOLS(X) \
    X(CUresult, cuOccupancyMaxActiveBlocksPerMultiprocessor, (int* numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize), 12_0, CONFIRMED) \
    X(CUresult, cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, (int* numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize, unsigned int flags), 12_0, CONFIRMED) \
    X(CUresult, cuOccupancyMaxPotentialBlockSize, (int* minGridSize, int* blockSize, CUfunction func, CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize, int blockSizeLimit), 12_0, CONFIRMED) \
    X(CUresult, cuOccupancyAvailableDynamicSMemPerBlock, (size_t* dynamicSmemSize, CUfunction func, int numBlocks, int blockSize), 12_0, CONFIRMED)

#define CUDA_DRIVER_SYMBOLS(X) \
    CU_INIT_SYMBOLS(X) \
    CU_DEVICE_SYMBOLS(X) \
    CU_CONTEXT_SYMBOLS(X) \
    CU_PEER_SYMBOLS(X) \
    CU_STREAM_SYMBOLS(X) \
    CU_EVENT_SYMBOLS(X) \
    CU_MODULE_SYMBOLS(X) \
    CU_OCCUPANCY_SYMBOLS(X)
/* clang-format on */

#ifdef __cplusplus
extern "C" {
#endif
CUDA_DRIVER_SYMBOLS(CU_FN_TYPE_ROW)
#ifdef CUDA_DECLARE_PROTOTYPES
CUDA_DRIVER_SYMBOLS(CU_FN_PROTOTYPE_ROW)
#endif
#ifdef __cplusplus
}
#endif
#endif
