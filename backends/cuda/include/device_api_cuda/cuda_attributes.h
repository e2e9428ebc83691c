// SPDX-License-Identifier: Apache-2.0
/* Attributes and options of the driver API: X(NAME, VALUE, MARK). A driver answers for more of them
 * than stand here; numbers never change between releases. */
#ifndef DEVICE_API_CUDA_ATTRIBUTES_H
#define DEVICE_API_CUDA_ATTRIBUTES_H

#include "cuda_marks.h"

#define CU_DEVICE_ATTRIBUTES(X)                                                                    \
    X(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1, CONFIRMED)                                     \
    X(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 2, CONFIRMED)                                           \
    X(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 3, CONFIRMED)                                           \
    X(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 4, CONFIRMED)                                           \
    X(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 5, CONFIRMED)                                            \
    X(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 6, CONFIRMED)                                            \
    X(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 7, CONFIRMED)                                            \
    X(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 8, CONFIRMED)                               \
    X(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, 9, CONFIRMED)                                     \
    X(CU_DEVICE_ATTRIBUTE_WARP_SIZE, 10, CONFIRMED)                                                \
    X(CU_DEVICE_ATTRIBUTE_MAX_PITCH, 11, CONFIRMED)                                                \
    X(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 12, CONFIRMED)                                  \
    X(CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 13, CONFIRMED)                                               \
    X(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, 14, CONFIRMED)                                        \
    X(CU_DEVICE_ATTRIBUTE_GPU_OVERLAP, 15, CONFIRMED)                                              \
    X(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 16, CONFIRMED)                                     \
    X(CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT, 17, CONFIRMED)                                      \
    X(CU_DEVICE_ATTRIBUTE_INTEGRATED, 18, CONFIRMED)                                               \
    X(CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 19, CONFIRMED)                                      \
    X(CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, 20, CONFIRMED)                                             \
    X(CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, 31, CONFIRMED)                                       \
    X(CU_DEVICE_ATTRIBUTE_ECC_ENABLED, 32, CONFIRMED)                                              \
    X(CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, 33, CONFIRMED)                                               \
    X(CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, 34, CONFIRMED)                                            \
    X(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 36, CONFIRMED)                                        \
    X(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 37, CONFIRMED)                                  \
    X(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 38, CONFIRMED)                                            \
    X(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 39, CONFIRMED)                           \
    X(CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, 40, CONFIRMED)                                       \
    X(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 41, CONFIRMED)                                       \
    X(CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, 50, CONFIRMED)                                            \
    X(CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT, 51, CONFIRMED)                                  \
    X(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75, CONFIRMED)                                 \
    X(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 76, CONFIRMED)                                 \
    X(CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED, 78, CONFIRMED)                              \
    X(CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED, 79, CONFIRMED)                                \
    X(CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED, 80, CONFIRMED)                                 \
    X(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 81, CONFIRMED)                     \
    X(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 82, CONFIRMED)                         \
    X(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 83, CONFIRMED)                                           \
    X(CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD, 84, CONFIRMED)                                          \
    X(CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID, 85, CONFIRMED)                                 \
    X(CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED, 86, CONFIRMED)                             \
    X(CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 87, CONFIRMED)                    \
    X(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, 88, CONFIRMED)                                   \
    X(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 89, CONFIRMED)                                \
    X(CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED, 90, CONFIRMED)                             \
    X(CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 91, CONFIRMED)                  \
    X(CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1, 92, CONFIRMED)                                \
    X(CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1, 93, CONFIRMED)                         \
    X(CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1, 94, CONFIRMED)                         \
    X(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 95, CONFIRMED)                                       \
    X(CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH, 96, CONFIRMED)                          \
    X(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97, CONFIRMED)                        \
    X(CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES, 98, CONFIRMED)                                  \
    X(CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, 99, CONFIRMED)                                  \
    X(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, 100, CONFIRMED)            \
    X(CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST, 101, CONFIRMED)                     \
    X(CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED, 102, CONFIRMED)                    \
    X(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 103, CONFIRMED)             \
    X(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 106, CONFIRMED)                           \
    X(CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, 107, CONFIRMED)                           \
    X(CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE, 108, CONFIRMED)                            \
    X(CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED, 110, CONFIRMED)                 \
    X(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, 111, CONFIRMED)                        \
    X(CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED, 113, CONFIRMED)                       \
    X(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 115, CONFIRMED)                                  \
    X(CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED, 116, CONFIRMED)                               \
    X(CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS, 117, CONFIRMED)                    \
    X(CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING, 118, CONFIRMED)                         \
    X(CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES, 119, CONFIRMED)                          \
    X(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, 120, CONFIRMED)                                          \
    X(CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED, 121, CONFIRMED)                   \
    X(CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 122, CONFIRMED)                           \
    X(CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR, 123, CONFIRMED)                           \
    X(CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED, 124, CONFIRMED)                                       \
    X(CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED, 125, CONFIRMED)                                     \
    X(CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT, 126, CONFIRMED)                                   \
    X(CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, 127, CONFIRMED)                             \
    X(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED, 128, CONFIRMED)                            \
    X(CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS, 129, CONFIRMED)                               \
    X(CU_DEVICE_ATTRIBUTE_NUMA_CONFIG, 130, CONFIRMED)                                             \
    X(CU_DEVICE_ATTRIBUTE_NUMA_ID, 131, CONFIRMED)                                                 \
    X(CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, 132, CONFIRMED)                                     \
    X(CU_DEVICE_ATTRIBUTE_MPS_ENABLED, 133, CONFIRMED)                                             \
    X(CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID, 134, CONFIRMED)                                            \
    X(CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID, 139, CONFIRMED)                                       \
    X(CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID, 140, CONFIRMED)                                    \
    X(CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 141, CONFIRMED)           \
    X(CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED, 142, CONFIRMED)                        \
    X(CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED, 144, CONFIRMED)                             \
    X(CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 145, CONFIRMED)
typedef enum CUdevice_attribute CU_ENUM_INT {
    CU_DEVICE_ATTRIBUTES(CU_ENUM_ROW)
} CUdevice_attribute;

#define CU_FUNCTION_ATTRIBUTES(X)                                                                  \
    X(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0, CONFIRMED)                                       \
    X(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 1, CONFIRMED)                                           \
    X(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, 2, CONFIRMED)                                            \
    X(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, 3, CONFIRMED)                                            \
    X(CU_FUNC_ATTRIBUTE_NUM_REGS, 4, CONFIRMED)                                                    \
    X(CU_FUNC_ATTRIBUTE_PTX_VERSION, 5, CONFIRMED)                                                 \
    X(CU_FUNC_ATTRIBUTE_BINARY_VERSION, 6, CONFIRMED)                                              \
    X(CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, 7, CONFIRMED)                                               \
    X(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 8, CONFIRMED)                               \
    X(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 9, CONFIRMED)                            \
    X(CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, 10, CONFIRMED)                                   \
    X(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 11, CONFIRMED)                                     \
    X(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, 12, CONFIRMED)                                    \
    X(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, 13, CONFIRMED)                                     \
    X(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 14, CONFIRMED)                          \
    X(CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, 15, CONFIRMED)
typedef enum CUfunction_attribute CU_ENUM_INT {
    CU_FUNCTION_ATTRIBUTES(CU_ENUM_ROW)
} CUfunction_attribute;

#define CU_POINTER_ATTRIBUTES(X)                                                                   \
    X(CU_POINTER_ATTRIBUTE_CONTEXT, 1, CONFIRMED)                                                  \
    X(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 2, CONFIRMED)                                              \
    X(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, 3, CONFIRMED)                                           \
    X(CU_POINTER_ATTRIBUTE_HOST_POINTER, 4, CONFIRMED)                                             \
    X(CU_POINTER_ATTRIBUTE_P2P_TOKENS, 5, CONFIRMED)                                               \
    X(CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, 6, CONFIRMED)                                              \
    X(CU_POINTER_ATTRIBUTE_BUFFER_ID, 7, CONFIRMED)                                                \
    X(CU_POINTER_ATTRIBUTE_IS_MANAGED, 8, CONFIRMED)                                               \
    X(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, 9, CONFIRMED)                                           \
    X(CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, 10, CONFIRMED)                              \
    X(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, 11, CONFIRMED)                                        \
    X(CU_POINTER_ATTRIBUTE_RANGE_SIZE, 12, CONFIRMED)                                              \
    X(CU_POINTER_ATTRIBUTE_MAPPED, 13, CONFIRMED)                                                  \
    X(CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, 14, CONFIRMED)                                    \
    X(CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE, 15, CONFIRMED)                              \
    X(CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, 16, CONFIRMED)                                            \
    X(CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, 17, CONFIRMED)                                          \
    X(CU_POINTER_ATTRIBUTE_MAPPING_SIZE, 18, CONFIRMED)                                            \
    X(CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR, 19, CONFIRMED)                                       \
    X(CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID, 20, CONFIRMED)                                         \
    X(CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE, 21, CONFIRMED)
typedef enum CUpointer_attribute CU_ENUM_INT {
    CU_POINTER_ATTRIBUTES(CU_ENUM_ROW)
} CUpointer_attribute;

#define CU_JIT_OPTIONS(X)                                                                          \
    X(CU_JIT_MAX_REGISTERS, 0, CONFIRMED)                                                          \
    X(CU_JIT_THREADS_PER_BLOCK, 1, CONFIRMED)                                                      \
    X(CU_JIT_WALL_TIME, 2, CONFIRMED)                                                              \
    X(CU_JIT_INFO_LOG_BUFFER, 3, CONFIRMED)                                                        \
    X(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, 4, CONFIRMED)                                             \
    X(CU_JIT_ERROR_LOG_BUFFER, 5, CONFIRMED)                                                       \
    X(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, 6, CONFIRMED)                                            \
    X(CU_JIT_OPTIMIZATION_LEVEL, 7, CONFIRMED)                                                     \
    X(CU_JIT_TARGET_FROM_CUCONTEXT, 8, CONFIRMED)                                                  \
    X(CU_JIT_TARGET, 9, CONFIRMED)                                                                 \
    X(CU_JIT_FALLBACK_STRATEGY, 10, CONFIRMED)                                                     \
    X(CU_JIT_GENERATE_DEBUG_INFO, 11, CONFIRMED)                                                   \
    X(CU_JIT_LOG_VERBOSE, 12, CONFIRMED)                                                           \
    X(CU_JIT_GENERATE_LINE_INFO, 13, CONFIRMED)                                                    \
    X(CU_JIT_CACHE_MODE, 14, CONFIRMED)                                                            \
    X(CU_JIT_NEW_SM3X_OPT, 15, CONFIRMED)                                                          \
    X(CU_JIT_FAST_COMPILE, 16, CONFIRMED)                                                          \
    X(CU_JIT_GLOBAL_SYMBOL_NAMES, 17, CONFIRMED)                                                   \
    X(CU_JIT_GLOBAL_SYMBOL_ADDRESSES, 18, CONFIRMED)
typedef enum CUjit_option CU_ENUM_INT { CU_JIT_OPTIONS(CU_ENUM_ROW) } CUjit_option;

#define CU_MEMPOOL_ATTRIBUTES(X)                                                                   \
    X(CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, 1, CONFIRMED)                               \
    X(CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, 2, CONFIRMED)                                     \
    X(CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, 3, CONFIRMED)                             \
    X(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, 4, CONFIRMED)                                             \
    X(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, 5, CONFIRMED)                                          \
    X(CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 6, CONFIRMED)                                             \
    X(CU_MEMPOOL_ATTR_USED_MEM_CURRENT, 7, CONFIRMED)                                              \
    X(CU_MEMPOOL_ATTR_USED_MEM_HIGH, 8, CONFIRMED)
typedef enum CUmemPool_attribute CU_ENUM_INT {
    CU_MEMPOOL_ATTRIBUTES(CU_ENUM_ROW)
} CUmemPool_attribute;

#define CU_LIMITS(X)                                                                               \
    X(CU_LIMIT_STACK_SIZE, 0, CONFIRMED)                                                           \
    X(CU_LIMIT_PRINTF_FIFO_SIZE, 1, CONFIRMED)                                                     \
    X(CU_LIMIT_MALLOC_HEAP_SIZE, 2, CONFIRMED)                                                     \
    X(CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 3, CONFIRMED)                                               \
    X(CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 4, CONFIRMED)                                     \
    X(CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 5, CONFIRMED)                                             \
    X(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 6, CONFIRMED)                                             \
    X(CU_LIMIT_SHMEM_SIZE, 7, CONFIRMED)
typedef enum CUlimit CU_ENUM_INT { CU_LIMITS(CU_ENUM_ROW) } CUlimit;

#define CU_P2P_ATTRIBUTES(X)                                                                       \
    X(CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK, 1, CONFIRMED)                                      \
    X(CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 2, CONFIRMED)                                      \
    X(CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED, 3, CONFIRMED)                               \
    X(CU_DEVICE_P2P_ATTRIBUTE_ACCESS_ACCESS_SUPPORTED, 4, CONFIRMED)
typedef enum CUdevice_P2PAttribute CU_ENUM_INT {
    CU_P2P_ATTRIBUTES(CU_ENUM_ROW)
} CUdevice_P2PAttribute;

#define CU_LAUNCH_ATTRIBUTES(X)                                                                    \
    X(CU_LAUNCH_ATTRIBUTE_IGNORE, 0, CONFIRMED)                                                    \
    X(CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, 1, CONFIRMED)                                      \
    X(CU_LAUNCH_ATTRIBUTE_COOPERATIVE, 2, CONFIRMED)                                               \
    X(CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, 3, CONFIRMED)                                    \
    X(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 4, CONFIRMED)                                         \
    X(CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, 5, CONFIRMED)                      \
    X(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, 6, CONFIRMED)                         \
    X(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT, 7, CONFIRMED)                                        \
    X(CU_LAUNCH_ATTRIBUTE_PRIORITY, 8, CONFIRMED)                                                  \
    X(CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, 9, CONFIRMED)                                       \
    X(CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN, 10, CONFIRMED)                                          \
    X(CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION, 11, CONFIRMED)                              \
    X(CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT, 12, CONFIRMED)                                  \
    X(CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE, 13, CONFIRMED)                             \
    X(CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 14, CONFIRMED)
typedef enum CUlaunchAttributeID CU_ENUM_INT {
    CU_LAUNCH_ATTRIBUTES(CU_ENUM_ROW)
} CUlaunchAttributeID;

#endif
