// SPDX-License-Identifier: Apache-2.0
/* device_api_cuda/cuda_abi.h - our own declarations of NVIDIA CUDA's C ABI.
 *
 * Both sides read this one header: the adapter (which opens the vendor's libraries) and the
 * simulator (which exports the same symbols). Nothing here is vendor text: names, numbers and
 * orders of parameters are facts, restated from the public headers of CUDA 12.9 and 13.5.
 *
 *   cuda_marks.h      the columns of every table: FIRST, MARK; sonames
 *   cuda_results.h    CU_RESULTS(X): CUresult
 *   cuda_attributes.h attributes and options of the driver API
 *   cuda_types.h      handles, short enums; cuda_structs.h: structs
 *   cuda_driver.h     CUDA_DRIVER_SYMBOLS(X): devices, contexts, streams, events, modules, launches
 *   cuda_memory.h     CUDA_MEMORY_SYMBOLS(X): memory and copies
 *   cuda_graph.h      CUDA_GRAPH_SYMBOLS(X): capture and graphs
 *   cuda_nvrtc.h      NVRTC_SYMBOLS(X): the run-time compiler
 *   cuda_blas.h, cuda_blaslt.h, cuda_nccl.h, cuda_nvml.h   further libraries
 *
 * Symbols stand under the names that the libraries export (cuMemAlloc_v2), never under those that
 * the vendor's header renames: the bare name may be an obsolete ABI. Every function NAME of a table
 * also gets the pointer type NAME_fn. Define CUDA_DECLARE_PROTOTYPES before the first inclusion to
 * get the prototypes too (the simulator does: a signature that differs then fails to compile).
 * ABI basics: plain C, 64-bit Linux, enums are 4 bytes, handles are pointers.
 */
#ifndef DEVICE_API_CUDA_ABI_H
#define DEVICE_API_CUDA_ABI_H

#include "cuda_blas.h"
#include "cuda_blaslt.h"
#include "cuda_driver.h"
#include "cuda_graph.h"
#include "cuda_memory.h"
#include "cuda_nccl.h"
#include "cuda_nvml.h"
#include "cuda_nvrtc.h"

#endif
