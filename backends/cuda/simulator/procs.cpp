// SPDX-License-Identifier: Apache-2.0
// Functions by name: cuGetProcAddress.
#include <cstring>
#include <dlfcn.h>
#include <string>

#include "chip.hpp"
#include "state.hpp"

using namespace cuda_sim;

namespace {

/// A form that is newer than others of its name, and the release that it came with.
struct Newer {
    const char* name;
    int version;
};
constexpr Newer newer[] = {
    {"cuCtxCreate_v4", 12050},      {"cuEventElapsedTime_v2", 12080}, {"cuCtxGetDevice_v2", 13000},
    {"cuCtxSynchronize_v2", 13000}, {"cuGetProcAddress_v2", 12000},   {"cuDeviceGetUuid_v2", 11040},
};

void* own_symbol(const std::string& name) {
    static void* self = [] {
        Dl_info info{};
        dladdr(reinterpret_cast<void*>(&cuInit), &info);
        return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    }();
    return self ? dlsym(self, name.c_str()) : nullptr;
}

/// cuCtxCreate_v2 has other parameters than the first form, which nobody has any more.
bool too_new(const std::string& name, int version) {
    for (const Newer& n : newer)
        if (name == n.name) return version < n.version;
    return false;
}

CUresult find(const char* symbol, void** pfn, int version, CUdriverProcAddressQueryResult* found) {
    if (!symbol || !pfn || version > driver_version + 999) return CUDA_ERROR_INVALID_VALUE;
    *pfn = nullptr;
    bool known = false;
    for (const char* form : {"_v4", "_v3", "_v2", ""}) {
        const std::string name = std::string(symbol) + form;
        void* p = own_symbol(name);
        known = known || p;
        if (!p || too_new(name, version)) continue;
        *pfn = p;
        if (found) *found = CU_GET_PROC_ADDRESS_SUCCESS;
        return CUDA_SUCCESS;
    }
    if (found)
        *found = known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                       : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

} // namespace

SIM_EXPORT CUresult cuGetProcAddress_v2(const char* symbol, void** pfn, int cudaVersion, cuuint64_t,
                                        CUdriverProcAddressQueryResult* symbolStatus) {
    return find(symbol, pfn, cudaVersion, symbolStatus);
}
SIM_EXPORT CUresult cuGetProcAddress(const char* symbol, void** pfn, int cudaVersion, cuuint64_t) {
    return find(symbol, pfn, cudaVersion, nullptr);
}
