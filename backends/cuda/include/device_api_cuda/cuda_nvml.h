// SPDX-License-Identifier: Apache-2.0
/* libnvidia-ml.so.1: functions, rows as in cuda_driver.h; types in cuda_nvml_types.h. */
#ifndef DEVICE_API_CUDA_NVML_H
#define DEVICE_API_CUDA_NVML_H

#include "cuda_nvml_types.h"

/* clang-format off */
#define NVML_SYMBOLS(X) \
    X(nvmlReturn_t, nvmlInit_v2, (void), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlInitWithFlags, (unsigned int flags), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlShutdown, (void), 12_0, CONFIRMED) \
    X(const char*, nvmlErrorString, (nvmlReturn_t result), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlSystemGetDriverVersion, (char* version, unsigned int length), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlSystemGetNVMLVersion, (char* version, unsigned int length), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlSystemGetCudaDriverVersion, (int* cudaDriverVersion), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlSystemGetCudaDriverVersion_v2, (int* cudaDriverVersion), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetCount_v2, (unsigned int* deviceCount), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetHandleByIndex_v2, (unsigned int index, nvmlDevice_t* device), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetHandleByUUID, (const char* uuid, nvmlDevice_t* device), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetHandleByPciBusId_v2, (const char* pciBusId, nvmlDevice_t* device), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetName, (nvmlDevice_t device, char* name, unsigned int length), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetUUID, (nvmlDevice_t device, char* uuid, unsigned int length), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetPciInfo_v3, (nvmlDevice_t device, nvmlPciInfo_t* pci), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetMinorNumber, (nvmlDevice_t device, unsigned int* minorNumber), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetSerial, (nvmlDevice_t device, char* serial, unsigned int length), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetCudaComputeCapability, (nvmlDevice_t device, int* major, int* minor), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetMemoryInfo, (nvmlDevice_t device, nvmlMemory_t* memory), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetMemoryInfo_v2, (nvmlDevice_t device, nvmlMemory_v2_t* memory), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetUtilizationRates, (nvmlDevice_t device, nvmlUtilization_t* utilization), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetTemperature, (nvmlDevice_t device, nvmlTemperatureSensors_t sensorType, unsigned int* temp), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetTemperatureV, (nvmlDevice_t device, nvmlTemperature_t* temperature), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetTemperatureThreshold, (nvmlDevice_t device, nvmlTemperatureThresholds_t thresholdType, unsigned int* temp), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetPowerUsage, (nvmlDevice_t device, unsigned int* power), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetEnforcedPowerLimit, (nvmlDevice_t device, unsigned int* limit), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetPowerManagementLimit, (nvmlDevice_t device, unsigned int* limit), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetTotalEnergyConsumption, (nvmlDevice_t device, unsigned long long* energy), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetClockInfo, (nvmlDevice_t device, nvmlClockType_t type, unsigned int* clock), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetMaxClockInfo, (nvmlDevice_t device, nvmlClockType_t type, unsigned int* clock), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetPerformanceState, (nvmlDevice_t device, nvmlPstates_t* pState), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetCurrentClocksEventReasons, (nvmlDevice_t device, unsigned long long* clocksEventReasons), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetCurrentClocksThrottleReasons, (nvmlDevice_t device, unsigned long long* clocksThrottleReasons), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetSupportedClocksEventReasons, (nvmlDevice_t device, unsigned long long* supportedClocksEventReasons), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetEccMode, (nvmlDevice_t device, nvmlEnableState_t* current, nvmlEnableState_t* pending), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetTotalEccErrors, (nvmlDevice_t device, nvmlMemoryErrorType_t errorType, nvmlEccCounterType_t counterType, unsigned long long* eccCounts), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetMemoryErrorCounter, (nvmlDevice_t device, nvmlMemoryErrorType_t errorType, nvmlEccCounterType_t counterType, nvmlMemoryLocation_t locationType, unsigned long long* count), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetDetailedEccErrors, (nvmlDevice_t device, nvmlMemoryErrorType_t errorType, nvmlEccCounterType_t counterType, nvmlEccErrorCounts_t* eccCounts), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetRetiredPages, (nvmlDevice_t device, nvmlPageRetirementCause_t cause, unsigned int* pageCount, unsigned long long* addresses), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetRetiredPages_v2, (nvmlDevice_t device, nvmlPageRetirementCause_t cause, unsigned int* pageCount, unsigned long long* addresses, unsigned long long* timestamps), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetRetiredPagesPendingStatus, (nvmlDevice_t device, nvmlEnableState_t* isPending), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetRemappedRows, (nvmlDevice_t device, unsigned int* corrRows, unsigned int* uncRows, unsigned int* isPending, unsigned int* failureOccurred), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetRowRemapperHistogram, (nvmlDevice_t device, nvmlRowRemapperHistogramValues_t* values), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetSramEccErrorStatus, (nvmlDevice_t device, nvmlEccSramErrorStatus_t* status), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetFieldValues, (nvmlDevice_t device, int valuesCount, nvmlFieldValue_t* values), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetComputeRunningProcesses_v3, (nvmlDevice_t device, unsigned int* infoCount, nvmlProcessInfo_t* infos), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetPcieThroughput, (nvmlDevice_t device, nvmlPcieUtilCounter_t counter, unsigned int* value), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetPcieReplayCounter, (nvmlDevice_t device, unsigned int* value), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetCurrPcieLinkGeneration, (nvmlDevice_t device, unsigned int* currLinkGen), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetCurrPcieLinkWidth, (nvmlDevice_t device, unsigned int* currLinkWidth), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetNvLinkState, (nvmlDevice_t device, unsigned int link, nvmlEnableState_t* isActive), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetNvLinkErrorCounter, (nvmlDevice_t device, unsigned int link, nvmlNvLinkErrorCounter_t counter, unsigned long long* counterValue), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetTopologyCommonAncestor, (nvmlDevice_t device1, nvmlDevice_t device2, nvmlGpuTopologyLevel_t* pathInfo), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetP2PStatus, (nvmlDevice_t device1, nvmlDevice_t device2, nvmlGpuP2PCapsIndex_t p2pIndex, nvmlGpuP2PStatus_t* p2pStatus), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetCpuAffinity, (nvmlDevice_t device, unsigned int cpuSetSize, unsigned long* cpuSet), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlEventSetCreate, (nvmlEventSet_t* set), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceRegisterEvents, (nvmlDevice_t device, unsigned long long eventTypes, nvmlEventSet_t set), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetSupportedEventTypes, (nvmlDevice_t device, unsigned long long* eventTypes), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlEventSetWait_v2, (nvmlEventSet_t set, nvmlEventData_t* data, unsigned int timeoutms), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlEventSetFree, (nvmlEventSet_t set), 12_0, CONFIRMED) \
    X(nvmlReturn_t, nvmlDeviceGetMigMode, (nvmlDevice_t device, unsigned int* currentMode, unsigned int* pendingMode), 12_0, CONFIRMED)
/* clang-format on */

#ifdef __cplusplus
extern "C" {
#endif
NVML_SYMBOLS(CU_FN_TYPE_ROW)
#ifdef CUDA_DECLARE_PROTOTYPES
NVML_SYMBOLS(CU_FN_PROTOTYPE_ROW)
#endif
#ifdef __cplusplus
}
#endif
#endif
