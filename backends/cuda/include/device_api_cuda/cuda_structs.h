// SPDX-License-Identifier: Apache-2.0
/* Structs of the driver API; part of cuda_types.h, which includes this file. Sizes as compiled from
 * the headers of CUDA 12.9 and 13.5, and held by the assertions at the end. */
#ifndef DEVICE_API_CUDA_STRUCTS_H
#define DEVICE_API_CUDA_STRUCTS_H

typedef struct CUmemLocation {
    CUmemLocationType type;
    int id;
} CUmemLocation;
typedef struct CUmemAccessDesc {
    CUmemLocation location;
    CUmemAccess_flags flags;
} CUmemAccessDesc;
typedef struct CUmemPoolProps {
    CUmemAllocationType allocType;
    CUmemAllocationHandleType handleTypes;
    CUmemLocation location;
    void* win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
} CUmemPoolProps;
typedef struct CUmemAllocationProp {
    CUmemAllocationType type;
    CUmemAllocationHandleType requestedHandleTypes;
    CUmemLocation location;
    void* win32HandleMetaData;
    struct {
        unsigned char compressionType;
        unsigned char gpuDirectRDMACapable;
        unsigned short usage;
        unsigned char reserved[4];
    } allocFlags;
} CUmemAllocationProp;
typedef struct CUexecAffinityParam {
    CUexecAffinityType type;
    unsigned int smCount;
} CUexecAffinityParam;
typedef struct CUctxCreateParams {
    CUexecAffinityParam* execAffinityParams;
    int numExecAffinityParams;
    void* cigParams;
} CUctxCreateParams;

/* The value is a union of 64 bytes in the vendor's header; these are the members used here. */
typedef struct CUlaunchAttribute {
    CUlaunchAttributeID id;
    char pad[4];
    union {
        char pad[64];
        int cooperative;
        int priority;
        struct {
            unsigned int x, y, z;
        } clusterDim;
        int programmaticStreamSerializationAllowed;
    } value;
} CUlaunchAttribute;
typedef struct CUlaunchConfig {
    unsigned int gridDimX, gridDimY, gridDimZ;
    unsigned int blockDimX, blockDimY, blockDimZ;
    unsigned int sharedMemBytes;
    CUstream hStream;
    CUlaunchAttribute* attrs;
    unsigned int numAttrs;
} CUlaunchConfig;

typedef struct CUDA_MEMCPY2D {
    size_t srcXInBytes, srcY;
    CUmemorytype srcMemoryType;
    const void* srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    size_t srcPitch;
    size_t dstXInBytes, dstY;
    CUmemorytype dstMemoryType;
    void* dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    size_t dstPitch;
    size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;
typedef struct CUDA_MEMCPY3D {
    size_t srcXInBytes, srcY, srcZ, srcLOD;
    CUmemorytype srcMemoryType;
    const void* srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    void* reserved0;
    size_t srcPitch, srcHeight;
    size_t dstXInBytes, dstY, dstZ, dstLOD;
    CUmemorytype dstMemoryType;
    void* dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    void* reserved1;
    size_t dstPitch, dstHeight;
    size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;

typedef struct CUDA_KERNEL_NODE_PARAMS {
    CUfunction func;
    unsigned int gridDimX, gridDimY, gridDimZ;
    unsigned int blockDimX, blockDimY, blockDimZ;
    unsigned int sharedMemBytes;
    void** kernelParams;
    void** extra;
    CUkernel kern;
    CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS;
typedef struct CUDA_MEMSET_NODE_PARAMS {
    CUdeviceptr dst;
    size_t pitch;
    unsigned int value;
    unsigned int elementSize;
    size_t width, height;
} CUDA_MEMSET_NODE_PARAMS;
typedef struct CUDA_HOST_NODE_PARAMS {
    CUhostFn fn;
    void* userData;
} CUDA_HOST_NODE_PARAMS;
typedef struct CUDA_GRAPH_INSTANTIATE_PARAMS {
    cuuint64_t flags;
    CUstream hUploadStream;
    CUgraphNode hErrNode_out;
    CUgraphInstantiateResult result_out;
} CUDA_GRAPH_INSTANTIATE_PARAMS;
typedef struct CUgraphExecUpdateResultInfo {
    CUgraphExecUpdateResult result;
    CUgraphNode errorNode;
    CUgraphNode errorFromNode;
} CUgraphExecUpdateResultInfo;
typedef struct CUgraphEdgeData {
    unsigned char from_port, to_port, type;
    unsigned char reserved[5];
} CUgraphEdgeData;

#define CU_SIZE_IS(type, bytes)                                                                    \
    typedef char type##_size_is_##bytes[sizeof(type) == (bytes) ? 1 : -1]
CU_SIZE_IS(CUmemLocation, 8);
CU_SIZE_IS(CUmemPoolProps, 88);
CU_SIZE_IS(CUmemAllocationProp, 32);
CU_SIZE_IS(CUctxCreateParams, 24);
CU_SIZE_IS(CUlaunchAttribute, 72);
CU_SIZE_IS(CUlaunchConfig, 56);
CU_SIZE_IS(CUDA_MEMCPY2D, 128);
CU_SIZE_IS(CUDA_MEMCPY3D, 200);
CU_SIZE_IS(CUDA_KERNEL_NODE_PARAMS, 72);
CU_SIZE_IS(CUDA_MEMSET_NODE_PARAMS, 40);
CU_SIZE_IS(CUDA_GRAPH_INSTANTIATE_PARAMS, 32);

#endif
