// SPDX-License-Identifier: Apache-2.0
// Compiling kernels.
#include "nvrtc.hpp"

#include <algorithm>
#include <cstdlib>

#include "search.hpp"

namespace device_api::cuda {
namespace {

using simt::fail;

constexpr simt::CodeRow rows[] = {
    {1, DA_OUT_OF_MEMORY, "out of host memory", nullptr},
    {4, DA_INTERNAL, "invalid program", nullptr},
    {5, DA_NOT_SUPPORTED, "an option is not known to it", nullptr},
    {6, DA_INTERNAL, "the kernel does not compile", nullptr},
    {7, DA_INTERNAL, "libnvrtc-builtins was not found, or is of another version",
     "it must lie beside libnvrtc, from the same release: reinstall nvidia-cuda-nvrtc"},
    {11, DA_INTERNAL, "failure inside the compiler", nullptr},
};
constexpr simt::CodeTable table{"NVRTC", rows, sizeof rows / sizeof rows[0]};

// The first error of a log: what a message has room for.
std::string headline(const std::string& log) {
    const std::size_t at = log.find("error");
    const std::size_t line = at == std::string::npos ? 0 : log.rfind('\n', at) + 1;
    return log.substr(line, 240);
}

} // namespace

da_status Nvrtc::open() {
    if (!path_.empty()) return DA_OK;
    int major = 0;
    const linkage::Library library = open_toolkit(cuda_, CUDA_SONAME_NVRTC, "cuda_nvrtc", &major);
    if (!library)
        return fail(DA_NO_DRIVER,
                    "pip install nvidia-cuda-nvrtc (CUDA 13) or nvidia-cuda-nvrtc-cu12 (CUDA 12), "
                    "of the driver's major version or older",
                    "kernels need NVIDIA's run-time compiler: %s", library.message.c_str());
    std::string missing;
#define CUDA_BIND(name)                                                                            \
    if (!(name##_ = reinterpret_cast<name##_fn>(library.symbol(#name)))) missing += " " #name;
    CUDA_NVRTC(CUDA_BIND)
#undef CUDA_BIND
    if (!missing.empty())
        return fail(DA_VERSION_MISMATCH, "install NVRTC of CUDA 12 or 13", "%s lacks%s",
                    library.path.c_str(), missing.c_str());
    int count = 0;
    if (nvrtcVersion_(&major_, &minor_) != NVRTC_SUCCESS ||
        nvrtcGetNumSupportedArchs_(&count) != NVRTC_SUCCESS)
        return fail(DA_INTERNAL, nullptr, "%s does not tell its version", library.path.c_str());
    archs_.resize(static_cast<std::size_t>(std::max(count, 0)));
    if (count > 0) nvrtcGetSupportedArchs_(archs_.data());
    path_ = library.path;
    return DA_OK;
}

da_status Nvrtc::identify(std::string* identity) {
    const std::lock_guard<std::mutex> guard(lock_);
    if (const da_status status = open()) return status;
    *identity = "NVRTC " + std::to_string(major_) + "." + std::to_string(minor_) +
                (cuda_.simulated ? " simulated" : "");
    return DA_OK;
}

// Machine code for the very chip; for one newer than the compiler the nearest intermediate code,
// which the driver translates.
da_status Nvrtc::target(const std::string& arch, std::string* option) {
    const int wanted = std::atoi(arch.c_str() + 3);
    int best = 0;
    for (const int known : archs_)
        if (known <= wanted) best = std::max(best, known);
    if (best == 0)
        return fail(DA_NOT_SUPPORTED,
                    "install an older compiler (pip install nvidia-cuda-nvrtc-cu12)",
                    "NVRTC %d.%d makes no code for %s, which is too old for it", major_, minor_,
                    arch.c_str());
    *option = "--gpu-architecture=" + (best == wanted ? arch : "compute_" + std::to_string(best));
    return DA_OK;
}

da_status Nvrtc::build(nvrtcProgram program, const std::vector<std::string>& options) {
    std::vector<const char*> texts;
    for (const std::string& option : options) texts.push_back(option.c_str());
    const int code = nvrtcCompileProgram_(program, static_cast<int>(texts.size()), texts.data());
    if (code == NVRTC_SUCCESS) return DA_OK;
    std::size_t bytes = 0;
    std::string log;
    if (nvrtcGetProgramLogSize_(program, &bytes) == NVRTC_SUCCESS && bytes > 1) {
        log.resize(bytes);
        nvrtcGetProgramLog_(program, log.data());
    }
    const da_status status = simt::vendor_fail(table, code, "nvrtcCompileProgram", log.c_str());
    if (!log.empty()) simt::add_context("%s: ", headline(log).c_str());
    return status;
}

da_status Nvrtc::fetch(nvrtcProgram program, std::string* image) {
    std::size_t bytes = 0;
    const bool machine = nvrtcGetCUBINSize_(program, &bytes) == NVRTC_SUCCESS && bytes > 0;
    if (!machine && (nvrtcGetPTXSize_(program, &bytes) != NVRTC_SUCCESS || bytes == 0))
        return fail(DA_INTERNAL, nullptr, "NVRTC gave no code");
    image->assign(bytes, '\0');
    const int code =
        machine ? nvrtcGetCUBIN_(program, image->data()) : nvrtcGetPTX_(program, image->data());
    return code ? simt::vendor_fail(table, code, "nvrtcGetCUBIN", nullptr) : DA_OK;
}

da_status Nvrtc::compile(const std::string& name, const std::string& source,
                         const std::string& arch, const std::vector<std::string>& options,
                         std::string* image) {
    std::string chip;
    {
        const std::lock_guard<std::mutex> guard(lock_);
        if (const da_status status = open()) return status;
        if (const da_status status = target(arch, &chip)) return status;
    }
    std::vector<std::string> all{chip};
    all.insert(all.end(), options.begin(), options.end());
    nvrtcProgram program = nullptr;
    if (const int code =
            nvrtcCreateProgram_(&program, source.c_str(), name.c_str(), 0, nullptr, nullptr))
        return simt::vendor_fail(table, code, "nvrtcCreateProgram", nullptr);
    da_status status = build(program, all);
    if (status == DA_OK) status = fetch(program, image);
    nvrtcDestroyProgram_(&program);
    return status;
}

} // namespace device_api::cuda
