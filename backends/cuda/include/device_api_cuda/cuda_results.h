// SPDX-License-Identifier: Apache-2.0
/* CUresult: X(NAME, VALUE, MARK). */
#ifndef DEVICE_API_CUDA_RESULTS_H
#define DEVICE_API_CUDA_RESULTS_H

#include "cuda_marks.h"

#define CU_RESULTS(X)                                                                              \
    X(CUDA_SUCCESS, 0, CONFIRMED)                                                                  \
    X(CUDA_ERROR_INVALID_VALUE, 1, CONFIRMED)                                                      \
    X(CUDA_ERROR_OUT_OF_MEMORY, 2, CONFIRMED)                                                      \
    X(CUDA_ERROR_NOT_INITIALIZED, 3, CONFIRMED)                                                    \
    X(CUDA_ERROR_DEINITIALIZED, 4, CONFIRMED)                                                      \
    X(CUDA_ERROR_PROFILER_DISABLED, 5, CONFIRMED)                                                  \
    X(CUDA_ERROR_PROFILER_NOT_INITIALIZED, 6, CONFIRMED)                                           \
    X(CUDA_ERROR_PROFILER_ALREADY_STARTED, 7, CONFIRMED)                                           \
    X(CUDA_ERROR_PROFILER_ALREADY_STOPPED, 8, CONFIRMED)                                           \
    X(CUDA_ERROR_STUB_LIBRARY, 34, CONFIRMED)                                                      \
    X(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, 36, CONFIRMED)                                        \
    X(CUDA_ERROR_DEVICE_UNAVAILABLE, 46, CONFIRMED)                                                \
    X(CUDA_ERROR_MULTICAST_RESOURCE_FULL, 47, CONFIRMED)                                           \
    X(CUDA_ERROR_NO_DEVICE, 100, CONFIRMED)                                                        \
    X(CUDA_ERROR_INVALID_DEVICE, 101, CONFIRMED)                                                   \
    X(CUDA_ERROR_DEVICE_NOT_LICENSED, 102, CONFIRMED)                                              \
    X(CUDA_ERROR_INVALID_IMAGE, 200, CONFIRMED)                                                    \
    X(CUDA_ERROR_INVALID_CONTEXT, 201, CONFIRMED)                                                  \
    X(CUDA_ERROR_CONTEXT_ALREADY_CURRENT, 202, CONFIRMED)                                          \
    X(CUDA_ERROR_MAP_FAILED, 205, CONFIRMED)                                                       \
    X(CUDA_ERROR_UNMAP_FAILED, 206, CONFIRMED)                                                     \
    X(CUDA_ERROR_ARRAY_IS_MAPPED, 207, CONFIRMED)                                                  \
    X(CUDA_ERROR_ALREADY_MAPPED, 208, CONFIRMED)                                                   \
    X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209, CONFIRMED)                                                \
    X(CUDA_ERROR_ALREADY_ACQUIRED, 210, CONFIRMED)                                                 \
    X(CUDA_ERROR_NOT_MAPPED, 211, CONFIRMED)                                                       \
    X(CUDA_ERROR_NOT_MAPPED_AS_ARRAY, 212, CONFIRMED)                                              \
    X(CUDA_ERROR_NOT_MAPPED_AS_POINTER, 213, CONFIRMED)                                            \
    X(CUDA_ERROR_ECC_UNCORRECTABLE, 214, CONFIRMED)                                                \
    X(CUDA_ERROR_UNSUPPORTED_LIMIT, 215, CONFIRMED)                                                \
    X(CUDA_ERROR_CONTEXT_ALREADY_IN_USE, 216, CONFIRMED)                                           \
    X(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217, CONFIRMED)                                          \
    X(CUDA_ERROR_INVALID_PTX, 218, CONFIRMED)                                                      \
    X(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT, 219, CONFIRMED)                                         \
    X(CUDA_ERROR_NVLINK_UNCORRECTABLE, 220, CONFIRMED)                                             \
    X(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221, CONFIRMED)                                           \
    X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222, CONFIRMED)                                          \
    X(CUDA_ERROR_JIT_COMPILATION_DISABLED, 223, CONFIRMED)                                         \
    X(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, 224, CONFIRMED)                                        \
    X(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC, 225, CONFIRMED)                                         \
    X(CUDA_ERROR_CONTAINED, 226, CONFIRMED)                                                        \
    X(CUDA_ERROR_INSUFFICIENT_LOADER_VERSION, 227, CONFIRMED)                                      \
    X(CUDA_ERROR_INVALID_SOURCE, 300, CONFIRMED)                                                   \
    X(CUDA_ERROR_FILE_NOT_FOUND, 301, CONFIRMED)                                                   \
    X(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, 302, CONFIRMED)                                   \
    X(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, 303, CONFIRMED)                                        \
    X(CUDA_ERROR_OPERATING_SYSTEM, 304, CONFIRMED)                                                 \
    X(CUDA_ERROR_INVALID_HANDLE, 400, CONFIRMED)                                                   \
    X(CUDA_ERROR_ILLEGAL_STATE, 401, CONFIRMED)                                                    \
    X(CUDA_ERROR_LOSSY_QUERY, 402, CONFIRMED)                                                      \
    X(CUDA_ERROR_NOT_FOUND, 500, CONFIRMED)                                                        \
    X(CUDA_ERROR_NOT_READY, 600, CONFIRMED)                                                        \
    X(CUDA_ERROR_ILLEGAL_ADDRESS, 700, CONFIRMED)                                                  \
    X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701, CONFIRMED)                                          \
    X(CUDA_ERROR_LAUNCH_TIMEOUT, 702, CONFIRMED)                                                   \
    X(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, 703, CONFIRMED)                                    \
    X(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704, CONFIRMED)                                      \
    X(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705, CONFIRMED)                                          \
    X(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, 708, CONFIRMED)                                           \
    X(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709, CONFIRMED)                                             \
    X(CUDA_ERROR_ASSERT, 710, CONFIRMED)                                                           \
    X(CUDA_ERROR_TOO_MANY_PEERS, 711, CONFIRMED)                                                   \
    X(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712, CONFIRMED)                                   \
    X(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713, CONFIRMED)                                       \
    X(CUDA_ERROR_HARDWARE_STACK_ERROR, 714, CONFIRMED)                                             \
    X(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715, CONFIRMED)                                              \
    X(CUDA_ERROR_MISALIGNED_ADDRESS, 716, CONFIRMED)                                               \
    X(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717, CONFIRMED)                                            \
    X(CUDA_ERROR_INVALID_PC, 718, CONFIRMED)                                                       \
    X(CUDA_ERROR_LAUNCH_FAILED, 719, CONFIRMED)                                                    \
    X(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720, CONFIRMED)                                     \
    X(CUDA_ERROR_TENSOR_MEMORY_LEAK, 721, CONFIRMED)                                               \
    X(CUDA_ERROR_NOT_PERMITTED, 800, CONFIRMED)                                                    \
    X(CUDA_ERROR_NOT_SUPPORTED, 801, CONFIRMED)                                                    \
    X(CUDA_ERROR_SYSTEM_NOT_READY, 802, CONFIRMED)                                                 \
    X(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803, CONFIRMED)                                           \
    X(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, 804, CONFIRMED)                                   \
    X(CUDA_ERROR_MPS_CONNECTION_FAILED, 805, CONFIRMED)                                            \
    X(CUDA_ERROR_MPS_RPC_FAILURE, 806, CONFIRMED)                                                  \
    X(CUDA_ERROR_MPS_SERVER_NOT_READY, 807, CONFIRMED)                                             \
    X(CUDA_ERROR_MPS_MAX_CLIENTS_REACHED, 808, CONFIRMED)                                          \
    X(CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED, 809, CONFIRMED)                                      \
    X(CUDA_ERROR_MPS_CLIENT_TERMINATED, 810, CONFIRMED)                                            \
    X(CUDA_ERROR_CDP_NOT_SUPPORTED, 811, CONFIRMED)                                                \
    X(CUDA_ERROR_CDP_VERSION_MISMATCH, 812, CONFIRMED)                                             \
    X(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 900, CONFIRMED)                                       \
    X(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, 901, CONFIRMED)                                       \
    X(CUDA_ERROR_STREAM_CAPTURE_MERGE, 902, CONFIRMED)                                             \
    X(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, 903, CONFIRMED)                                         \
    X(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, 904, CONFIRMED)                                          \
    X(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, 905, CONFIRMED)                                         \
    X(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, 906, CONFIRMED)                                          \
    X(CUDA_ERROR_CAPTURED_EVENT, 907, CONFIRMED)                                                   \
    X(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, 908, CONFIRMED)                                      \
    X(CUDA_ERROR_TIMEOUT, 909, CONFIRMED)                                                          \
    X(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, 910, CONFIRMED)                                        \
    X(CUDA_ERROR_EXTERNAL_DEVICE, 911, CONFIRMED)                                                  \
    X(CUDA_ERROR_INVALID_CLUSTER_SIZE, 912, CONFIRMED)                                             \
    X(CUDA_ERROR_FUNCTION_NOT_LOADED, 913, CONFIRMED)                                              \
    X(CUDA_ERROR_INVALID_RESOURCE_TYPE, 914, CONFIRMED)                                            \
    X(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, 915, CONFIRMED)                                   \
    X(CUDA_ERROR_KEY_ROTATION, 916, CONFIRMED)                                                     \
    X(CUDA_ERROR_STREAM_DETACHED, 917, CONFIRMED)                                                  \
    X(CUDA_ERROR_GRAPH_RECAPTURE_FAILURE, 918, CONFIRMED)                                          \
    X(CUDA_ERROR_FABRIC_NOT_READY, 919, CONFIRMED)                                                 \
    X(CUDA_ERROR_UNKNOWN, 999, CONFIRMED)
typedef enum CUresult CU_ENUM_INT { CU_RESULTS(CU_ENUM_ROW) } CUresult;

#endif
