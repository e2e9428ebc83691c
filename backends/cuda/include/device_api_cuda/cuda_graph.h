// SPDX-License-Identifier: Apache-2.0
/* Stream capture and graphs of libcuda.so.1; rows as in cuda_driver.h. */
#ifndef DEVICE_API_CUDA_GRAPH_H
#define DEVICE_API_CUDA_GRAPH_H

#include "cuda_types.h"

/* clang-format off */
#define CU_GRAPH_SYMBOLS(X) \
    X(CUresult, cuStreamBeginCapture_v2, (CUstream hStream, CUstreamCaptureMode mode), 12_0, CONFIRMED) \
    X(CUresult, cuStreamEndCapture, (CUstream hStream, CUgraph* phGraph), 12_0, CONFIRMED) \
    X(CUresult, cuStreamIsCapturing, (CUstream hStream, CUstreamCaptureStatus* captureStatus), 12_0, CONFIRMED) \
    X(CUresult, cuStreamGetCaptureInfo_v2, (CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t* id_out, CUgraph* graph_out, const CUgraphNode** dependencies_out, size_t* numDependencies_out), 12_0, CONFIRMED) \
    X(CUresult, cuStreamGetCaptureInfo_v3, (CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t* id_out, CUgraph* graph_out, const CUgraphNode** dependencies_out, const CUgraphEdgeData** edgeData_out, size_t* numDependencies_out), 12_0, CONFIRMED) \
    X(CUresult, cuThreadExchangeStreamCaptureMode, (CUstreamCaptureMode* mode), 12_0, CONFIRMED) \
    X(CUresult, cuGraphCreate, (CUgraph* phGraph, unsigned int flags), 12_0, CONFIRMED) \
    X(CUresult, cuGraphDestroy, (CUgraph hGraph), 12_0, CONFIRMED) \
    X(CUresult, cuGraphAddKernelNode_v2, (CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS* nodeParams), 12_0, CONFIRMED) \
    X(CUresult, cuGraphAddMemcpyNode, (CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t numDependencies, const CUDA_MEMCPY3D* copyParams, CUcontext ctx), 12_0, CONFIRMED) \
    X(CUresult, cuGraphAddMemsetNode, (CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t numDependencies, const CUDA_MEMSET_NODE_PARAMS* memsetParams, CUcontext ctx), 12_0, CONFIRMED) \
    X(CUresult, cuGraphAddHostNode, (CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t numDependencies, const CUDA_HOST_NODE_PARAMS* nodeParams), 12_0, CONFIRMED) \
    X(CUresult, cuGraphGetNodes, (CUgraph hGraph, CUgraphNode* nodes, size_t* numNodes), 12_0, CONFIRMED) \
    X(CUresult, cuGraphInstantiateWithFlags, (CUgraphExec* phGraphExec, CUgraph hGraph, unsigned long long flags), 12_0, CONFIRMED) \
    X(CUresult, cuGraphInstantiateWithParams, (CUgraphExec* phGraphExec, CUgraph hGraph, CUDA_GRAPH_INSTANTIATE_PARAMS* instantiateParams), 12_0, CONFIRMED) \
    X(CUresult, cuGraphExecUpdate_v2, (CUgraphExec hGraphExec, CUgraph hGraph, CUgraphExecUpdateResultInfo* resultInfo), 12_0, CONFIRMED) \
    X(CUresult, cuGraphLaunch, (CUgraphExec hGraphExec, CUstream hStream), 12_0, CONFIRMED) \
    X(CUresult, cuGraphUpload, (CUgraphExec hGraphExec, CUstream hStream), 12_0, CONFIRMED) \
    X(CUresult, cuGraphExecDestroy, (CUgraphExec hGraphExec), 12_0, CONFIRMED) \
    X(CUresult, cuGraphDebugDotPrint, (CUgraph hGraph, const char* path, unsigned int flags), 12_0, CONFIRMED) \
    X(CUresult, cuGraphClone, (CUgraph* phGraphClone, CUgraph originalGraph), 12_0, CONFIRMED) \
    X(CUresult, cuGraphAddEmptyNode, (CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t numDependencies), 12_0, CONFIRMED) \
    X(CUresult, cuGraphNodeGetType, (CUgraphNode hNode, CUgraphNodeType* type), 12_0, CONFIRMED)

#define CUDA_GRAPH_SYMBOLS(X) \
    CU_GRAPH_SYMBOLS(X)
/* clang-format on */

#ifdef __cplusplus
extern "C" {
#endif
CUDA_GRAPH_SYMBOLS(CU_FN_TYPE_ROW)
#ifdef CUDA_DECLARE_PROTOTYPES
CUDA_GRAPH_SYMBOLS(CU_FN_PROTOTYPE_ROW)
#endif
#ifdef __cplusplus
}
#endif
#endif
