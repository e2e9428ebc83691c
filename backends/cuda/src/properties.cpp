// SPDX-License-Identifier: Apache-2.0
// What a device says of itself, without a context.
#include <cstdio>
#include <cstring>

#include "driver.hpp"

namespace device_api::cuda {
namespace {

template <std::size_t N>
void set_text(char (&to)[N], const std::string& from) {
    std::snprintf(to, N, "%s", from.c_str());
}

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// As nvidia-smi writes it.
std::string uuid_text(const CUuuid& id) {
    std::string text = "GPU-";
    char hex[3];
    for (unsigned i = 0; i < sizeof id.bytes; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text += "-";
        std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned char>(id.bytes[i]));
        text += hex;
    }
    return text;
}

} // namespace

int CudaDriver::attribute(std::int32_t device, CUdevice_attribute which) const {
    CUdevice id = 0;
    int value = 0;
    const bool ok = cuda_.cuDeviceGet(&id, device) == CUDA_SUCCESS &&
                    cuda_.cuDeviceGetAttribute(&value, which, id) == CUDA_SUCCESS;
    return ok && value > 0 ? value : 0;
}

void CudaDriver::facts(std::int32_t device, dab_properties& p) const {
    const auto ask = [&](CUdevice_attribute which) {
        return static_cast<std::uint32_t>(attribute(device, which));
    };
    p.compute_units = ask(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    p.max_threads_per_unit = ask(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    p.max_threads_per_block = ask(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    p.max_grid[0] = ask(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
    p.max_grid[1] = ask(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
    p.max_grid[2] = ask(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
    p.capability_major = ask(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    p.capability_minor = ask(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
}

// Only a context tells the range. Before there is one, the range that NVIDIA documents; numbers
// beyond a chip's own are taken as its nearest.
void CudaDriver::priorities(std::int32_t device, dab_properties& p) {
    if (!attribute(device, CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED)) return;
    int least = 0, greatest = -5;
    const bool open = contexts_[static_cast<std::size_t>(device)].load() != nullptr;
    if (open && cuda_.cuCtxGetStreamPriorityRange && use(device) == DA_OK)
        cuda_.cuCtxGetStreamPriorityRange(&least, &greatest);
    p.stream_priority_least = least;
    p.stream_priority_greatest = greatest;
}

da_status CudaDriver::properties(std::int32_t device, dab_properties& p) {
    CUdevice id = 0;
    CUDA_TRY(cuda_, cuDeviceGet, &id, device);
    std::size_t total = 0;
    CUDA_TRY(cuda_, cuDeviceTotalMem_v2, &total, id);
    char name[128] = "";
    CUDA_TRY(cuda_, cuDeviceGetName, name, sizeof name, id);
    p.total_memory = total;
    p.alignment = 256; // of cuMemAlloc, by the vendor's documentation
    p.dlpack_type = 2; // kDLCUDA
    facts(device, p);
    priorities(device, p);
    std::string text = name;
    if (cuda_.simulated && text.find("simulated") == std::string::npos) text += " (simulated)";
    set_text(p.name, text);
    set_text(p.arch,
             "sm_" + std::to_string(p.capability_major) + std::to_string(p.capability_minor));
    CUuuid uuid{};
    if (cuda_.cuDeviceGetUuid_v2 && cuda_.cuDeviceGetUuid_v2(&uuid, id) == CUDA_SUCCESS)
        set_text(p.uuid, uuid_text(uuid));
    if (cuda_.cuDeviceGetPCIBusId) cuda_.cuDeviceGetPCIBusId(p.pci_bus_id, sizeof p.pci_bus_id, id);
    p.driver_version = p.runtime_version = cuda_.version;
    set_text(p.driver, "CUDA " + version_text(cuda_.version));
    set_text(p.runtime, "CUDA " + version_text(cuda_.version));
    return DA_OK;
}

da_status CudaDriver::chip(std::int32_t device, simt::Chip& out) {
    dab_properties p{};
    facts(device, p);
    if (p.capability_major < 6)
        return simt::fail(DA_NOT_SUPPORTED, "use a chip of compute capability 6.0 or newer",
                          "device %d is of compute capability %u.%u, which no run-time compiler of "
                          "CUDA 12 or 13 that is used here makes code for",
                          device, p.capability_major, p.capability_minor);
    out.arch = "sm_" + std::to_string(p.capability_major) + std::to_string(p.capability_minor);
    if (p.compute_units) out.compute_units = p.compute_units;
    if (p.max_threads_per_unit) out.threads_per_unit = p.max_threads_per_unit;
    if (p.max_threads_per_block) out.threads_per_block = p.max_threads_per_block;
    if (p.max_grid[0]) out.grid_x = p.max_grid[0];
    return DA_OK;
}

} // namespace device_api::cuda
