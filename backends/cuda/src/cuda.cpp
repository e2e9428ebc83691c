// SPDX-License-Identifier: Apache-2.0
// Opening libcuda.so.1, and what its results mean.
#include "cuda.hpp"

#include "search.hpp"

namespace device_api::cuda {
namespace {

using simt::CodeRow;
using simt::fail;

constexpr const char* remedy_install =
    "install NVIDIA's driver (in a container: start it with the driver mounted), or simulate the "
    "chip: DEVICE_API_SIMULATE=cuda";
constexpr const char* remedy_memory =
    "free arrays or the allocator's cache, use smaller batches, or look with nvidia-smi for other "
    "processes on the device";
constexpr const char* remedy_lost =
    "the context is lost and the memory with it: start the process anew; CUDA_LAUNCH_BLOCKING=1 "
    "finds the launch that did it";
constexpr const char* remedy_hardware =
    "results since the last synchronise are suspect; take the chip out of service when it happens "
    "again";
constexpr const char* remedy_driver = "install a newer driver, or an older CUDA toolkit";
constexpr const char* remedy_capture = "end the capture before waiting or allocating";

// Sorted by code. 700 and its kin stick: every later call of the context returns them.
constexpr CodeRow rows[] = {
    {1, DA_INVALID_ARGUMENT, "invalid value", nullptr},
    {2, DA_OUT_OF_MEMORY, "out of memory", remedy_memory},
    {3, DA_INTERNAL, "the driver is not initialised", nullptr},
    {4, DA_INTERNAL, "the driver is shutting down", nullptr},
    {34, DA_NO_DRIVER, "a stub library for linking was loaded",
     "take the toolkit's stubs folder out of LD_LIBRARY_PATH"},
    {36, DA_VERSION_MISMATCH, "the call needs a newer driver", remedy_driver},
    {46, DA_BUSY, "the device is in use by another process, or not usable now", nullptr},
    {100, DA_NO_DRIVER, "no device", "look with nvidia-smi, and at CUDA_VISIBLE_DEVICES"},
    {101, DA_INVALID_ARGUMENT, "invalid device", nullptr},
    {200, DA_INTERNAL, "the code's image is invalid", nullptr},
    {201, DA_INTERNAL, "invalid context", nullptr},
    {209, DA_NOT_SUPPORTED, "the code was compiled for another chip", nullptr},
    {214, DA_HARDWARE_FAULT, "an ECC error that was not corrected", remedy_hardware},
    {217, DA_NOT_SUPPORTED, "the devices have no direct access to each other", nullptr},
    {218, DA_INTERNAL, "the intermediate code (PTX) is invalid", nullptr},
    {220, DA_HARDWARE_FAULT, "an NVLink error that was not corrected", remedy_hardware},
    {221, DA_VERSION_MISMATCH, "the driver's own compiler was not found", remedy_driver},
    {222, DA_VERSION_MISMATCH, "the intermediate code (PTX) is newer than the driver",
     remedy_driver},
    {226, DA_HARDWARE_FAULT, "a fault that the device contained", remedy_hardware},
    {304, DA_INTERNAL, "the operating system refused", nullptr},
    {400, DA_INVALID_ARGUMENT, "invalid handle", nullptr},
    {401, DA_BUSY, "the resource is in no state for this call", nullptr},
    {500, DA_INTERNAL, "not found", nullptr},
    {600, DA_NOT_READY, "the work is still running", nullptr},
    {700, DA_DEVICE_LOST, "a kernel accessed an illegal address", remedy_lost},
    {701, DA_NOT_SUPPORTED, "the launch needs more registers or shared memory than there are",
     nullptr},
    {702, DA_DEVICE_LOST, "a kernel ran out of time", remedy_lost},
    {704, DA_BUSY, "peer access is enabled already", nullptr},
    {708, DA_BUSY, "the primary context is active", nullptr},
    {709, DA_DEVICE_LOST, "the context was destroyed", remedy_lost},
    {710, DA_DEVICE_LOST, "an assertion in a kernel failed", remedy_lost},
    {712, DA_INVALID_ARGUMENT, "the host memory is registered already", nullptr},
    {713, DA_INVALID_ARGUMENT, "the host memory is not registered", nullptr},
    {714, DA_DEVICE_LOST, "a kernel's stack was damaged", remedy_lost},
    {715, DA_DEVICE_LOST, "a kernel had an illegal instruction", remedy_lost},
    {716, DA_DEVICE_LOST, "a kernel accessed a misaligned address", remedy_lost},
    {717, DA_DEVICE_LOST, "a kernel used an address of the wrong space", remedy_lost},
    {718, DA_DEVICE_LOST, "a kernel jumped to an invalid address", remedy_lost},
    {719, DA_DEVICE_LOST, "a kernel failed", remedy_lost},
    {800, DA_NOT_SUPPORTED, "not permitted", nullptr},
    {801, DA_NOT_SUPPORTED, "not supported", nullptr},
    {802, DA_NO_DRIVER, "the system is not ready",
     "check that the fabric manager (nvidia-fabricmanager) runs"},
    {803, DA_VERSION_MISMATCH, "kernel module and libcuda.so.1 are of different drivers",
     "reboot, or take an older cuda-compat out of LD_LIBRARY_PATH"},
    {804, DA_VERSION_MISMATCH, "forward compatibility is not for this chip",
     "take cuda-compat out of LD_LIBRARY_PATH"},
    {900, DA_BUSY, "not possible while the stream is captured", remedy_capture},
    {901, DA_BUSY, "the capture was invalidated by an earlier error", remedy_capture},
    {906, DA_BUSY, "not possible while a stream is captured", remedy_capture},
    {908, DA_BUSY, "the capture was begun on another thread", remedy_capture},
    {999, DA_INTERNAL, "failure that the driver does not name", nullptr},
};

constexpr simt::CodeTable table{"CUDA", rows, sizeof rows / sizeof rows[0]};

da_status not_opened(const linkage::Library& library, bool simulated) {
    if (library.outcome == linkage::Outcome::refused)
        return fail(DA_BUSY, "use real or simulated chips in one process, never both", "%s",
                    library.message.c_str());
    if (simulated)
        return fail(DA_NO_DRIVER, "reinstall device-api-cuda, or give the right folder",
                    "the simulated CUDA driver cannot be opened: %s", library.message.c_str());
    if (library.outcome == linkage::Outcome::broken)
        return fail(DA_NO_DRIVER, remedy_install,
                    "NVIDIA's driver is installed but does not load: %s", library.message.c_str());
    return fail(DA_NO_DRIVER, remedy_install,
                "NVIDIA's driver is not on this machine: " CUDA_SONAME_DRIVER
                " is not on the loader's path or in the usual folders");
}

} // namespace

da_status open_driver(const Options& options, Cuda& cuda) {
    const linkage::Library library =
        options.simulate ? linkage::open_simulated(options.simulator, CUDA_SONAME_DRIVER)
                         : linkage::open_real(driver_candidates(CUDA_SONAME_DRIVER));
    if (!library) return not_opened(library, options.simulate);
    cuda.options = options;
    cuda.simulated = options.simulate;
    cuda.path = library.path;
    std::string missing;
#define CUDA_BIND(name) cuda.name = reinterpret_cast<name##_fn>(library.symbol(#name));
    CUDA_REQUIRED(CUDA_BIND)
    CUDA_OPTIONAL(CUDA_BIND)
#undef CUDA_BIND
#define CUDA_CHECK(name)                                                                           \
    if (!cuda.name) missing += " " #name;
    CUDA_REQUIRED(CUDA_CHECK)
#undef CUDA_CHECK
    if (missing.empty()) return DA_OK;
    return fail(DA_VERSION_MISMATCH, "install a driver of CUDA 12.0 or newer", "%s lacks%s",
                library.path.c_str(), missing.c_str());
}

da_status cuda_fail(const Cuda& cuda, int code, const char* call) {
    const char *name = nullptr, *text = nullptr;
    const auto result = static_cast<CUresult>(code);
    if (cuda.cuGetErrorName) cuda.cuGetErrorName(result, &name);
    if (cuda.cuGetErrorString) cuda.cuGetErrorString(result, &text);
    const std::string words =
        std::string(name ? name : "") + (text ? ": " : "") + (text ? text : "");
    return simt::vendor_fail(table, code, call, words.c_str());
}

} // namespace device_api::cuda
