// SPDX-License-Identifier: Apache-2.0
/* Handles, structs and enums of libnvidia-ml.so.1. Versioned structs carry sizeof | version << 24.
 */
#ifndef DEVICE_API_CUDA_NVML_TYPES_H
#define DEVICE_API_CUDA_NVML_TYPES_H

#include "cuda_marks.h"

#ifndef DEVICE_API_CUDA_VENDOR_TYPES
/* clang-format off */
typedef struct nvmlDevice_st* nvmlDevice_t;
typedef struct nvmlEventSet_st* nvmlEventSet_t;

#define NVML_RETURNS(X) \
    X(NVML_SUCCESS, 0, CONFIRMED) \
    X(NVML_ERROR_UNINITIALIZED, 1, CONFIRMED) \
    X(NVML_ERROR_INVALID_ARGUMENT, 2, CONFIRMED) \
    X(NVML_ERROR_NOT_SUPPORTED, 3, CONFIRMED) \
    X(NVML_ERROR_NO_PERMISSION, 4, CONFIRMED) \
    X(NVML_ERROR_NOT_FOUND, 6, CONFIRMED) \
    X(NVML_ERROR_INSUFFICIENT_SIZE, 7, CONFIRMED) \
    X(NVML_ERROR_DRIVER_NOT_LOADED, 9, CONFIRMED) \
    X(NVML_ERROR_TIMEOUT, 10, CONFIRMED) \
    X(NVML_ERROR_LIBRARY_NOT_FOUND, 12, CONFIRMED) \
    X(NVML_ERROR_FUNCTION_NOT_FOUND, 13, CONFIRMED) \
    X(NVML_ERROR_GPU_IS_LOST, 15, CONFIRMED) \
    X(NVML_ERROR_RESET_REQUIRED, 16, CONFIRMED) \
    X(NVML_ERROR_OPERATING_SYSTEM, 17, CONFIRMED) \
    X(NVML_ERROR_LIB_RM_VERSION_MISMATCH, 18, CONFIRMED) \
    X(NVML_ERROR_IN_USE, 19, CONFIRMED) \
    X(NVML_ERROR_MEMORY, 20, CONFIRMED) \
    X(NVML_ERROR_NO_DATA, 21, CONFIRMED) \
    X(NVML_ERROR_ARGUMENT_VERSION_MISMATCH, 25, CONFIRMED) \
    X(NVML_ERROR_DEPRECATED, 26, CONFIRMED) \
    X(NVML_ERROR_NOT_READY, 27, CONFIRMED) \
    X(NVML_ERROR_GPU_NOT_FOUND, 28, CONFIRMED) \
    X(NVML_ERROR_UNKNOWN, 999, CONFIRMED)
typedef enum nvmlReturn_t CU_ENUM_INT { NVML_RETURNS(CU_ENUM_ROW) } nvmlReturn_t;
#define NVML_SENSORS(X) \
    X(NVML_TEMPERATURE_GPU, 0, CONFIRMED)
typedef enum nvmlTemperatureSensors_t CU_ENUM_INT { NVML_SENSORS(CU_ENUM_ROW) } nvmlTemperatureSensors_t;
#define NVML_THRESHOLDS(X) \
    X(NVML_TEMPERATURE_THRESHOLD_SHUTDOWN, 0, CONFIRMED) \
    X(NVML_TEMPERATURE_THRESHOLD_SLOWDOWN, 1, CONFIRMED) \
    X(NVML_TEMPERATURE_THRESHOLD_MEM_MAX, 2, CONFIRMED) \
    X(NVML_TEMPERATURE_THRESHOLD_GPU_MAX, 3, CONFIRMED)
typedef enum nvmlTemperatureThresholds_t CU_ENUM_INT { NVML_THRESHOLDS(CU_ENUM_ROW) } nvmlTemperatureThresholds_t;
#define NVML_CLOCKS(X) \
    X(NVML_CLOCK_GRAPHICS, 0, CONFIRMED) \
    X(NVML_CLOCK_SM, 1, CONFIRMED) \
    X(NVML_CLOCK_MEM, 2, CONFIRMED) \
    X(NVML_CLOCK_VIDEO, 3, CONFIRMED)
typedef enum nvmlClockType_t CU_ENUM_INT { NVML_CLOCKS(CU_ENUM_ROW) } nvmlClockType_t;
#define NVML_ENABLE_STATES(X) \
    X(NVML_FEATURE_DISABLED, 0, CONFIRMED) \
    X(NVML_FEATURE_ENABLED, 1, CONFIRMED)
typedef enum nvmlEnableState_t CU_ENUM_INT { NVML_ENABLE_STATES(CU_ENUM_ROW) } nvmlEnableState_t;
#define NVML_ECC_KINDS(X) \
    X(NVML_MEMORY_ERROR_TYPE_CORRECTED, 0, CONFIRMED) \
    X(NVML_MEMORY_ERROR_TYPE_UNCORRECTED, 1, CONFIRMED)
typedef enum nvmlMemoryErrorType_t CU_ENUM_INT { NVML_ECC_KINDS(CU_ENUM_ROW) } nvmlMemoryErrorType_t;
#define NVML_ECC_COUNTERS(X) \
    X(NVML_VOLATILE_ECC, 0, CONFIRMED) \
    X(NVML_AGGREGATE_ECC, 1, CONFIRMED)
typedef enum nvmlEccCounterType_t CU_ENUM_INT { NVML_ECC_COUNTERS(CU_ENUM_ROW) } nvmlEccCounterType_t;
#define NVML_MEMORY_LOCATIONS(X) \
    X(NVML_MEMORY_LOCATION_L1_CACHE, 0, CONFIRMED) \
    X(NVML_MEMORY_LOCATION_L2_CACHE, 1, CONFIRMED) \
    X(NVML_MEMORY_LOCATION_DEVICE_MEMORY, 2, CONFIRMED) \
    X(NVML_MEMORY_LOCATION_REGISTER_FILE, 3, CONFIRMED) \
    X(NVML_MEMORY_LOCATION_TEXTURE_MEMORY, 4, CONFIRMED) \
    X(NVML_MEMORY_LOCATION_TEXTURE_SHM, 5, CONFIRMED) \
    X(NVML_MEMORY_LOCATION_CBU, 6, CONFIRMED) \
    X(NVML_MEMORY_LOCATION_SRAM, 7, CONFIRMED)
typedef enum nvmlMemoryLocation_t CU_ENUM_INT { NVML_MEMORY_LOCATIONS(CU_ENUM_ROW) } nvmlMemoryLocation_t;
#define NVML_RETIREMENTS(X) \
    X(NVML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS, 0, CONFIRMED) \
    X(NVML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR, 1, CONFIRMED)
typedef enum nvmlPageRetirementCause_t CU_ENUM_INT { NVML_RETIREMENTS(CU_ENUM_ROW) } nvmlPageRetirementCause_t;
#define NVML_PCIE_COUNTERS(X) \
    X(NVML_PCIE_UTIL_TX_BYTES, 0, CONFIRMED) \
    X(NVML_PCIE_UTIL_RX_BYTES, 1, CONFIRMED)
typedef enum nvmlPcieUtilCounter_t CU_ENUM_INT { NVML_PCIE_COUNTERS(CU_ENUM_ROW) } nvmlPcieUtilCounter_t;
#define NVML_TOPOLOGIES(X) \
    X(NVML_TOPOLOGY_INTERNAL, 0, CONFIRMED) \
    X(NVML_TOPOLOGY_SINGLE, 10, CONFIRMED) \
    X(NVML_TOPOLOGY_MULTIPLE, 20, CONFIRMED) \
    X(NVML_TOPOLOGY_HOSTBRIDGE, 30, CONFIRMED) \
    X(NVML_TOPOLOGY_NODE, 40, CONFIRMED) \
    X(NVML_TOPOLOGY_SYSTEM, 50, CONFIRMED)
typedef enum nvmlGpuTopologyLevel_t CU_ENUM_INT { NVML_TOPOLOGIES(CU_ENUM_ROW) } nvmlGpuTopologyLevel_t;
#define NVML_P2P_STATUSES(X) \
    X(NVML_P2P_STATUS_OK, 0, CONFIRMED) \
    X(NVML_P2P_STATUS_CHIPSET_NOT_SUPPORTED, 1, CONFIRMED) \
    X(NVML_P2P_STATUS_GPU_NOT_SUPPORTED, 2, CONFIRMED) \
    X(NVML_P2P_STATUS_NOT_SUPPORTED, 5, CONFIRMED) \
    X(NVML_P2P_STATUS_UNKNOWN, 6, CONFIRMED)
typedef enum nvmlGpuP2PStatus_t CU_ENUM_INT { NVML_P2P_STATUSES(CU_ENUM_ROW) } nvmlGpuP2PStatus_t;
#define NVML_P2P_CAPS(X) \
    X(NVML_P2P_CAPS_INDEX_READ, 0, CONFIRMED) \
    X(NVML_P2P_CAPS_INDEX_WRITE, 1, CONFIRMED) \
    X(NVML_P2P_CAPS_INDEX_NVLINK, 2, CONFIRMED) \
    X(NVML_P2P_CAPS_INDEX_ATOMICS, 3, CONFIRMED) \
    X(NVML_P2P_CAPS_INDEX_PCI, 4, CONFIRMED)
typedef enum nvmlGpuP2PCapsIndex_t CU_ENUM_INT { NVML_P2P_CAPS(CU_ENUM_ROW) } nvmlGpuP2PCapsIndex_t;
#define NVML_NVLINK_COUNTERS(X) \
    X(NVML_NVLINK_ERROR_DL_REPLAY, 0, CONFIRMED) \
    X(NVML_NVLINK_ERROR_DL_RECOVERY, 1, CONFIRMED) \
    X(NVML_NVLINK_ERROR_DL_CRC_FLIT, 2, CONFIRMED) \
    X(NVML_NVLINK_ERROR_DL_CRC_DATA, 3, CONFIRMED) \
    X(NVML_NVLINK_ERROR_DL_ECC_DATA, 4, CONFIRMED)
typedef enum nvmlNvLinkErrorCounter_t CU_ENUM_INT { NVML_NVLINK_COUNTERS(CU_ENUM_ROW) } nvmlNvLinkErrorCounter_t;
typedef int nvmlPstates_t; /* 0 is the fastest; 32 is not known */

/* Reasons for a lower clock, and events: bits. */
#define NVML_CLOCK_REASONS(X) \
    X(nvmlClocksEventReasonGpuIdle, 1, CONFIRMED) \
    X(nvmlClocksEventReasonApplicationsClocksSetting, 2, CONFIRMED) \
    X(nvmlClocksEventReasonSwPowerCap, 4, CONFIRMED) \
    X(nvmlClocksEventReasonHwSlowdown, 8, CONFIRMED) \
    X(nvmlClocksEventReasonSyncBoost, 16, CONFIRMED) \
    X(nvmlClocksEventReasonSwThermalSlowdown, 32, CONFIRMED) \
    X(nvmlClocksEventReasonHwThermalSlowdown, 64, CONFIRMED) \
    X(nvmlClocksEventReasonHwPowerBrakeSlowdown, 128, CONFIRMED)
typedef enum nvmlClockReason CU_ENUM_INT { NVML_CLOCK_REASONS(CU_ENUM_ROW) } nvmlClockReason;
#define NVML_EVENT_TYPES(X) \
    X(nvmlEventTypeSingleBitEccError, 1, CONFIRMED) \
    X(nvmlEventTypeDoubleBitEccError, 2, CONFIRMED) \
    X(nvmlEventTypePState, 4, CONFIRMED) \
    X(nvmlEventTypeXidCriticalError, 8, CONFIRMED) \
    X(nvmlEventTypeClock, 16, CONFIRMED)
typedef enum nvmlEventType CU_ENUM_INT { NVML_EVENT_TYPES(CU_ENUM_ROW) } nvmlEventType;
#define NVML_FIELDS(X) \
    X(NVML_FI_DEV_ECC_CURRENT, 1, CONFIRMED) \
    X(NVML_FI_DEV_ECC_SBE_VOL_TOTAL, 3, CONFIRMED) \
    X(NVML_FI_DEV_ECC_DBE_VOL_TOTAL, 4, CONFIRMED) \
    X(NVML_FI_DEV_ECC_SBE_AGG_TOTAL, 5, CONFIRMED) \
    X(NVML_FI_DEV_ECC_DBE_AGG_TOTAL, 6, CONFIRMED) \
    X(NVML_FI_DEV_RETIRED_SBE, 29, CONFIRMED) \
    X(NVML_FI_DEV_RETIRED_DBE, 30, CONFIRMED) \
    X(NVML_FI_DEV_RETIRED_PENDING, 31, CONFIRMED) \
    X(NVML_FI_DEV_MEMORY_TEMP, 82, CONFIRMED) \
    X(NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION, 83, CONFIRMED) \
    X(NVML_FI_DEV_PCIE_REPLAY_COUNTER, 94, CONFIRMED) \
    X(NVML_FI_DEV_REMAPPED_COR, 142, CONFIRMED) \
    X(NVML_FI_DEV_REMAPPED_UNC, 143, CONFIRMED) \
    X(NVML_FI_DEV_REMAPPED_PENDING, 144, CONFIRMED) \
    X(NVML_FI_DEV_REMAPPED_FAILURE, 145, CONFIRMED)
typedef enum nvmlField CU_ENUM_INT { NVML_FIELDS(CU_ENUM_ROW) } nvmlField;

typedef struct nvmlMemory_t { unsigned long long total, free, used; } nvmlMemory_t;
typedef struct nvmlMemory_v2_t { unsigned int version; unsigned long long total, reserved, free, used; } nvmlMemory_v2_t;
typedef struct nvmlUtilization_t { unsigned int gpu, memory; } nvmlUtilization_t;
typedef struct nvmlPciInfo_t { char busIdLegacy[16]; unsigned int domain, bus, device, pciDeviceId, pciSubSystemId; char busId[32]; } nvmlPciInfo_t;
typedef struct nvmlTemperature_t { unsigned int version; nvmlTemperatureSensors_t sensorType; int temperature; } nvmlTemperature_t;
typedef struct nvmlEccErrorCounts_t { unsigned long long l1Cache, l2Cache, deviceMemory, registerFile; } nvmlEccErrorCounts_t;
typedef struct nvmlRowRemapperHistogramValues_t { unsigned int max, high, partial, low, none; } nvmlRowRemapperHistogramValues_t;
typedef struct nvmlEccSramErrorStatus_t { unsigned int version; unsigned long long aggregateUncParity, aggregateUncSecDed, aggregateCor, volatileUncParity, volatileUncSecDed, volatileCor, aggregateUncBucketL2, aggregateUncBucketSm, aggregateUncBucketPcie, aggregateUncBucketMcu, aggregateUncBucketOther; unsigned int bThresholdExceeded; } nvmlEccSramErrorStatus_t;
typedef struct nvmlFieldValue_t { unsigned int fieldId, scopeId; long long timestamp, latencyUsec; int valueType; nvmlReturn_t nvmlReturn; union { double dVal; unsigned int uiVal; unsigned long ulVal; unsigned long long ullVal; long long sllVal; } value; } nvmlFieldValue_t;
typedef struct nvmlProcessInfo_t { unsigned int pid; unsigned long long usedGpuMemory; unsigned int gpuInstanceId, computeInstanceId; } nvmlProcessInfo_t;
typedef struct nvmlEventData_t { nvmlDevice_t device; unsigned long long eventType, eventData; unsigned int gpuInstanceId, computeInstanceId; } nvmlEventData_t;
/* clang-format on */

#define NVML_SIZE_IS(type, bytes)                                                                  \
    typedef char type##_size_is_##bytes[sizeof(type) == (bytes) ? 1 : -1]
NVML_SIZE_IS(nvmlMemory_t, 24);
NVML_SIZE_IS(nvmlMemory_v2_t, 40);
NVML_SIZE_IS(nvmlPciInfo_t, 68);
NVML_SIZE_IS(nvmlTemperature_t, 12);
NVML_SIZE_IS(nvmlEccSramErrorStatus_t, 104);
NVML_SIZE_IS(nvmlFieldValue_t, 40);
NVML_SIZE_IS(nvmlProcessInfo_t, 24);
NVML_SIZE_IS(nvmlEventData_t, 32);
#endif
#endif
