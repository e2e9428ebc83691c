// SPDX-License-Identifier: Apache-2.0
/* Memory and copies of libcuda.so.1; rows as in cuda_driver.h. */
#ifndef DEVICE_API_CUDA_MEMORY_H
#define DEVICE_API_CUDA_MEMORY_H

#include "cuda_types.h"

/* clang-format off */
#define CU_MEMORY_SYMBOLS(X) \
    X(CUresult, cuMemGetInfo_v2, (size_t* free, size_t* total), 12_0, CONFIRMED) \
    X(CUresult, cuMemAlloc_v2, (CUdeviceptr* dptr, size_t bytesize), 12_0, CONFIRMED) \
    X(CUresult, cuMemFree_v2, (CUdeviceptr dptr), 12_0, CONFIRMED) \
    X(CUresult, cuMemGetAddressRange_v2, (CUdeviceptr* pbase, size_t* psize, CUdeviceptr dptr), 12_0, CONFIRMED) \
    X(CUresult, cuMemAllocAsync, (CUdeviceptr* dptr, size_t bytesize, CUstream hStream), 12_0, CONFIRMED) \
    X(CUresult, cuMemFreeAsync, (CUdeviceptr dptr, CUstream hStream), 12_0, CONFIRMED) \
    X(CUresult, cuMemAllocFromPoolAsync, (CUdeviceptr* dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream), 12_0, CONFIRMED) \
    X(CUresult, cuMemPoolCreate, (CUmemoryPool* pool, const CUmemPoolProps* poolProps), 12_0, CONFIRMED) \
    X(CUresult, cuMemPoolDestroy, (CUmemoryPool pool), 12_0, CONFIRMED) \
    X(CUresult, cuMemPoolTrimTo, (CUmemoryPool pool, size_t minBytesToKeep), 12_0, CONFIRMED) \
    X(CUresult, cuMemPoolSetAttribute, (CUmemoryPool pool, CUmemPool_attribute attr, void* value), 12_0, CONFIRMED) \
    X(CUresult, cuMemPoolGetAttribute, (CUmemoryPool pool, CUmemPool_attribute attr, void* value), 12_0, CONFIRMED) \
    X(CUresult, cuMemPoolSetAccess, (CUmemoryPool pool, const CUmemAccessDesc* map, size_t count), 12_0, CONFIRMED) \
    X(CUresult, cuMemHostAlloc, (void** pp, size_t bytesize, unsigned int Flags), 12_0, CONFIRMED) \
    X(CUresult, cuMemAllocHost_v2, (void** pp, size_t bytesize), 12_0, CONFIRMED) \
    X(CUresult, cuMemFreeHost, (void* p), 12_0, CONFIRMED) \
    X(CUresult, cuMemHostRegister_v2, (void* p, size_t bytesize, unsigned int Flags), 12_0, CONFIRMED) \
    X(CUresult, cuMemHostUnregister, (void* p), 12_0, CONFIRMED) \
    X(CUresult, cuMemHostGetDevicePointer_v2, (CUdeviceptr* pdptr, void* p, unsigned int Flags), 12_0, CONFIRMED) \
    X(CUresult, cuMemAllocManaged, (CUdeviceptr* dptr, size_t bytesize, unsigned int flags), 12_0, CONFIRMED) \
    X(CUresult, cuPointerGetAttribute, (void* data, CUpointer_attribute attribute, CUdeviceptr ptr), 12_0, CONFIRMED) \
    X(CUresult, cuPointerGetAttributes, (unsigned int numAttributes, CUpointer_attribute* attributes, void** data, CUdeviceptr ptr), 12_0, CONFIRMED) \
    X(CUresult, cuMemPoolGetAccess, (CUmemAccess_flags* flags, CUmemoryPool memPool, CUmemLocation* location), 12_0, CONFIRMED) \
    X(CUresult, cuMemHostGetFlags, (unsigned int* pFlags, void* p), 12_0, CONFIRMED)

#define CU_COPY_SYMBOLS(X) \
    X(CUresult, cuMemcpyHtoD_v2, (CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount), 12_0, CONFIRMED) \
    X(CUresult, cuMemcpyDtoH_v2, (void* dstHost, CUdeviceptr srcDevice, size_t ByteCount), 12_0, CONFIRMED) \
    X(CUresult, cuMemcpyDtoD_v2, (CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount), 12_0, CONFIRMED) \
    X(CUresult, cuMemcpyHtoDAsync_v2, (CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount, CUstream hStream), 12_0, CONFIRMED) \
    X(CUresult, cuMemcpyDtoHAsync_v2, (void* dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream), 12_0, CONFIRMED) \
    X(CUresult, cuMemcpyDtoDAsync_v2, (CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream), 12_0, CONFIRMED) \
    X(CUresult, cuMemcpy, (CUdeviceptr dst, CUdeviceptr src, size_t ByteCount), 12_0, CONFIRMED) \
    X(CUresult, cuMemcpyAsync, (CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream), 12_0, CONFIRMED) \
    X(CUresult, cuMemcpy2D_v2, (const CUDA_MEMCPY2D* pCopy), 12_0, CONFIRMED) \
    X(CUresult, cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D* pCopy, CUstream hStream), 12_0, CONFIRMED) \
    X(CUresult, cuMemcpyPeer, (CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext, size_t ByteCount), 12_0, CONFIRMED) \
    X(CUresult, cuMemcpyPeerAsync, (CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext, size_t ByteCount, CUstream hStream), 12_0, CONFIRMED) \
    X(CUresult, cuMemsetD8_v2, (CUdeviceptr dstDevice, unsigned char uc, size_t N), 12_0, CONFIRMED) \
    X(CUresult, cuMemsetD16_v2, (CUdeviceptr dstDevice, unsigned short us, size_t N), 12_0, CONFIRMED) \
    X(CUresult, cuMemsetD32_v2, (CUdeviceptr dstDevice, unsigned int ui, size_t N), 12_0, CONFIRMED) \
    X(CUresult, cuMemsetD8Async, (CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream), 12_0, CONFIRMED) \
    X(CUresult, cuMemsetD16Async, (CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream), 12_0, CONFIRMED) \
    X(CUresult, cuMemsetD32Async, (CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream), 12_0, CONFIRMED)

#define CU_MAPPING_SYMBOLS(X) \
    X(CUresult, cuIpcGetMemHandle, (CUipcMemHandle* pHandle, CUdeviceptr dptr), 12_0, CONFIRMED) \
    X(CUresult, cuIpcOpenMemHandle_v2, (CUdeviceptr* pdptr, CUipcMemHandle handle, unsigned int Flags), 12_0, CONFIRMED) \
    X(CUresult, cuIpcCloseMemHandle, (CUdeviceptr dptr), 12_0, CONFIRMED) \
    X(CUresult, cuMemAddressReserve, (CUdeviceptr* ptr, size_t size, size_t alignment, CUdeviceptr addr, unsigned long long flags), 12_0, CONFIRMED) \
    X(CUresult, cuMemCreate, (CUmemGenericAllocationHandle* handle, size_t size, const CUmemAllocationProp* prop, unsigned long long flags), 12_0, CONFIRMED) \
    X(CUresult, cuMemMap, (CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle, unsigned long long flags), 12_0, CONFIRMED) \
    X(CUresult, cuMemSetAccess, (CUdeviceptr ptr, size_t size, const CUmemAccessDesc* desc, size_t count), 12_0, CONFIRMED) \
    X(CUresult, cuMemUnmap, (CUdeviceptr ptr, size_t size), 12_0, CONFIRMED) \
    X(CUresult, cuMemRelease, (CUmemGenericAllocationHandle handle), 12_0, CONFIRMED) \
    X(CUresult, cuMemAddressFree, (CUdeviceptr ptr, size_t size), 12_0, CONFIRMED) \
    X(CUresult, cuMemGetAllocationGranularity, (size_t* granularity, const CUmemAllocationProp* prop, CUmemAllocationGranularity_flags option), 12_0, CONFIRMED)

#define CUDA_MEMORY_SYMBOLS(X) \
    CU_MEMORY_SYMBOLS(X) \
    CU_COPY_SYMBOLS(X) \
    CU_MAPPING_SYMBOLS(X)
/* clang-format on */

#ifdef __cplusplus
extern "C" {
#endif
CUDA_MEMORY_SYMBOLS(CU_FN_TYPE_ROW)
#ifdef CUDA_DECLARE_PROTOTYPES
CUDA_MEMORY_SYMBOLS(CU_FN_PROTOTYPE_ROW)
#endif
#ifdef __cplusplus
}
#endif
#endif
