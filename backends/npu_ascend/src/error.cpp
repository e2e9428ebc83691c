// SPDX-License-Identifier: Apache-2.0
// The table from CANN's codes to statuses.
#include "error.hpp"

#include "cann.hpp"

namespace device_api::npu {
namespace {

constexpr const char* remedy_memory =
    "free arrays or the allocator's cache, use smaller batches, or look with npu-smi for other "
    "processes on the device";
constexpr const char* remedy_resources =
    "destroy streams and events that are not needed, or look for other processes on the device";
constexpr const char* remedy_setup =
    "check that driver, firmware and CANN versions fit, that the operator package is for this chip "
    "and that the container was given the device (/dev/davinciN)";
constexpr const char* remedy_kernels =
    "install the kernel package (Ascend-cann-kernels or opp_kernel) of this chip and CANN version";
constexpr const char* remedy_environment = "source CANN's set_env.sh before starting the process";
constexpr const char* remedy_lost =
    "reset the device; when that fails, look at npu-smi and the driver's log";
constexpr const char* remedy_memory_error =
    "results since the last synchronise are suspect: compute them again, and take the chip out of "
    "service when it happens again";
constexpr const char* remedy_remote =
    "look first at the errors of the other ranks: one of them failed, ended or lost its link";
constexpr const char* remedy_fault =
    "the failing work was launched earlier: synchronise after each step to find it, and look at "
    "CANN's log (ASCEND_PROCESS_LOG_PATH)";

// Sorted by code.
constexpr CodeRow rows[] = {
    {100000, DA_INVALID_ARGUMENT, "invalid parameter", nullptr},
    {100001, DA_INTERNAL, "ACL is not initialised, or was finalised by other code", nullptr},
    {100003, DA_INTERNAL, "invalid file", remedy_environment},
    {100024, DA_NOT_SUPPORTED, "operator not found", remedy_kernels},
    {100026, DA_NOT_SUPPORTED, "unsupported data type", nullptr},
    {100029, DA_NOT_SUPPORTED, "kernel not found", remedy_kernels},
    {100037, DA_INTERNAL, "ACL is finalised already", nullptr},
    {100039, DA_NO_DRIVER, "a stub library for compiling was loaded",
     "take the toolkit's devlib folder out of LD_LIBRARY_PATH"},
    {107000, DA_INVALID_ARGUMENT, "invalid parameter", nullptr},
    {107001, DA_INVALID_ARGUMENT, "invalid device, or no driver for it", remedy_setup},
    {107002, DA_INTERNAL, "the thread has no current device", nullptr},
    {107003, DA_INVALID_ARGUMENT, "the stream belongs to another device", nullptr},
    {107006, DA_INVALID_ARGUMENT, "the event was not recorded", nullptr},
    {107007, DA_INVALID_ARGUMENT, "the end event lies before the start event", nullptr},
    {107008, DA_INVALID_ARGUMENT, "unaligned address", nullptr},
    {107016, DA_INVALID_ARGUMENT, "invalid kind of memory", nullptr},
    {107017, DA_INVALID_ARGUMENT, "invalid handle or address",
     "host memory that the chip cannot map: use page-locked memory"},
    {107019, DA_TIMEOUT, "a wait ran out of time", nullptr},
    {107020, DA_INTERNAL, "a task ran out of time", remedy_fault},
    {107022, DA_INTERNAL, "the device's tasks were aborted", nullptr},
    {107023, DA_INTERNAL, "the stream was aborted", nullptr},
    {107027, DA_BUSY, "the stream is being captured", "end the capture before waiting"},
    {145000, DA_INVALID_ARGUMENT, "graph engine: invalid parameter", nullptr},
    {161001, DA_INTERNAL, "operator: null parameter", nullptr},
    {161002, DA_NOT_SUPPORTED, "operator: this combination of types or shapes is not taken",
     nullptr},
    {200000, DA_OUT_OF_MEMORY, "out of host memory", remedy_memory},
    {200001, DA_NOT_SUPPORTED, "call not supported", nullptr},
    {200002, DA_INVALID_ARGUMENT, "invalid device", nullptr},
    {200006, DA_NOT_SUPPORTED, "feature not supported", nullptr},
    {207000, DA_NOT_SUPPORTED, "feature not supported on this chip", nullptr},
    {207001, DA_OUT_OF_MEMORY, "out of memory", remedy_memory},
    {207003, DA_INTERNAL, "overflow in a kernel", nullptr},
    {207004, DA_NO_DRIVER, "no device", remedy_setup},
    {207005, DA_BUSY, "a resource could not be had", remedy_resources},
    {207006, DA_INTERNAL, "no permission",
     "add the user to the driver's group (HwHiAiUser) or give the container /dev/davinciN"},
    {207007, DA_BUSY, "no event is left", remedy_resources},
    {207008, DA_BUSY, "no stream is left", remedy_resources},
    {207012, DA_BUSY, "a limit of the chip is reached", remedy_resources},
    {207016, DA_INTERNAL, "overflow in a vector kernel", nullptr},
    {207017, DA_INTERNAL, "overflow in a kernel", nullptr},
    {207018, DA_OUT_OF_MEMORY, "memory on the device's side is exhausted", remedy_memory},
    {207020, DA_TIMEOUT, "the driver ran out of time", nullptr},
    {361001, DA_INTERNAL, "operator: the runtime failed", nullptr},
    {507000, DA_INTERNAL, "the runtime failed", remedy_fault},
    {507001, DA_INTERNAL, "the device's task scheduler failed", remedy_fault},
    {507004, DA_NOT_READY, "the stream's work is still running", nullptr},
    {507006, DA_NOT_READY, "the event is not reached yet", nullptr},
    {507008, DA_INTERNAL, "this CANN is not for this chip", remedy_setup},
    {507010, DA_DEVICE_LOST, "the device's heartbeat is lost", remedy_lost},
    {507012, DA_TIMEOUT, "no callback came in time", nullptr},
    {507013, DA_INTERNAL, "a copy failed on the device", remedy_fault},
    {507014, DA_INTERNAL, "a kernel ran out of time", remedy_fault},
    {507015, DA_INTERNAL, "a kernel failed", remedy_fault},
    {507016, DA_INTERNAL, "a kernel trapped", remedy_fault},
    {507017, DA_INTERNAL, "an AI CPU kernel ran out of time", remedy_fault},
    {507018, DA_INTERNAL, "an AI CPU kernel failed", remedy_fault},
    {507033, DA_INTERNAL, "the device did not start", remedy_setup},
    {507034, DA_INTERNAL, "a vector kernel ran out of time", remedy_fault},
    {507035, DA_INTERNAL, "a vector kernel failed", remedy_fault},
    {507036, DA_INTERNAL, "a vector kernel trapped", remedy_fault},
    {507046, DA_TIMEOUT, "the stream's work did not end in time", nullptr},
    {507047, DA_TIMEOUT, "the event was not reached in time", nullptr},
    {507048, DA_INTERNAL, "a group of tasks ran out of time", remedy_fault},
    {507049, DA_INTERNAL, "a group of tasks failed", remedy_fault},
    {507053, DA_HARDWARE_FAULT, "device memory error", remedy_memory_error},
    {507054, DA_HARDWARE_FAULT, "multi-bit ECC error in device memory", remedy_memory_error},
    {507055, DA_HARDWARE_FAULT, "suspected device memory error", remedy_memory_error},
    {507056, DA_HARDWARE_FAULT, "link error", remedy_remote},
    {507057, DA_INTERNAL, "suspected fault of the remote side", remedy_remote},
    {507899, DA_INTERNAL, "the driver failed", remedy_setup},
    {507900, DA_INTERNAL, "the AI CPU failed", remedy_fault},
    {507901, DA_DEVICE_LOST, "the channel between host and device is closed", remedy_lost},
    {507910, DA_INVALID_ARGUMENT, "the host memory is registered already", nullptr},
    {507911, DA_INVALID_ARGUMENT, "the host memory is not registered", nullptr},
    {561002, DA_NOT_SUPPORTED, "operator: no tiling for these shapes", nullptr},
    {561003, DA_NOT_SUPPORTED, "operator: no kernel for this chip is installed", remedy_kernels},
    {561103, DA_INTERNAL, "operator: inner null pointer",
     "check that the kernel package is of the same version as CANN"},
    {561107, DA_NO_DRIVER, "operator: ASCEND_OPP_PATH is not set", remedy_environment},
    {561112, DA_NO_DRIVER, "operator: the kernel package is not installed", remedy_kernels},
};

constexpr CodeTable table{"CANN", rows, sizeof rows / sizeof rows[0]};

// The operator interface has one code for all failures of the runtime below it, which keeps its
// own as the thread's last error: a lost device is then still called that.
int cause_of(const Cann& cann, int code) {
    if (code != ACLNN_ERR_RUNTIME_ERROR || !cann.aclrtGetLastError) return code;
    const int cause = cann.aclrtGetLastError(ACL_RT_THREAD_LEVEL);
    return cause ? cause : code;
}

} // namespace

da_status status_of(int code) noexcept {
    return adapter::status_of(table, code);
}

da_status vendor_fail(const Cann& cann, int reported, const char* call) noexcept {
    return adapter::vendor_fail(table, cause_of(cann, reported), call,
                                cann.aclGetRecentErrMsg ? cann.aclGetRecentErrMsg() : nullptr);
}

} // namespace device_api::npu
