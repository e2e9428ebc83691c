// SPDX-License-Identifier: Apache-2.0
// Loading modules and libraries, and what their functions are.
#include "module.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include "chip.hpp"

namespace cuda_sim {

namespace {

/// The last digits of "sm_90a", "compute_80": 90, 80; 0 for none.
int number_of(const std::string& architecture) {
    const std::size_t at = architecture.find('_');
    return at == std::string::npos ? 0 : std::atoi(architecture.c_str() + at + 1);
}

CUresult runs_here(const Call& c, const simt::Module& m) {
    const std::string wanted = simt::architecture(m);
    const int code = number_of(wanted);
    const int chip = attribute(0, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 +
                     attribute(0, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    const bool binary = wanted.compare(0, 3, "sm_") == 0;
    const bool fits = binary ? code / 10 == chip / 10 && code <= chip : code <= chip;
    if (fits || !code) return CUDA_SUCCESS;
    return c.fail(CUDA_ERROR_NO_BINARY_FOR_GPU, "the image is for %s, the chip is sm_%d",
                  wanted.c_str(), chip);
}

std::string file_text(const char* name) {
    std::ifstream in(name, std::ios::binary);
    std::stringstream all;
    all << in.rdbuf();
    return in ? all.str() : "";
}

} // namespace

CUresult load_module(Call& c, const void* image, Handle* out, std::uint32_t kind) {
    if (!image || !out) return c.fail(CUDA_ERROR_INVALID_VALUE, "image or module is null");
    const bool text = std::memcmp(image, "\x7f", 1) != 0;
    const std::string bytes = image_of(image);
    if (bytes.empty())
        return c.fail(text ? CUDA_ERROR_INVALID_PTX : CUDA_ERROR_NO_BINARY_FOR_GPU,
                      "the simulated driver runs only what the simulated NVRTC has compiled");
    auto m = std::make_shared<ModuleObject>();
    if (CUresult why =
            c.engine(simt::load(bytes.data(), bytes.size(), &m->code), CUDA_ERROR_INVALID_IMAGE))
        return why;
    if (CUresult why = runs_here(c, *m->code)) return why;
    m->context = c.context();
    *out = engine::handle_create(kind, m);
    return *out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult find_function(Call& c, Handle module, const char* name, std::uint32_t module_kind,
                       std::uint32_t kind, Handle* out) {
    std::shared_ptr<ModuleObject> m;
    if (CUresult why = c.engine(engine::handle_get(module_kind, module, &m))) return why;
    if (!name || !out) return c.fail(CUDA_ERROR_INVALID_VALUE, "name or result is null");
    std::lock_guard<std::mutex> guard(m->lock);
    std::shared_ptr<FunctionObject>& f = m->functions[name];
    if (!f) {
        const simt::FunctionPtr code = simt::find_function(m->code, name);
        if (!code) {
            m->functions.erase(name);
            return c.fail(CUDA_ERROR_NOT_FOUND, "the module has no kernel %s", name);
        }
        f = std::make_shared<FunctionObject>();
        f->code = code;
        f->context = m->context;
        f->module = module;
        f->dynamic_limit =
            std::max(0, attribute(0, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK) -
                            static_cast<int>(code->static_shared));
        f->handle = engine::handle_create(kind, f);
    }
    *out = f->handle;
    return CUDA_SUCCESS;
}

std::shared_ptr<FunctionObject> function_of(CUfunction f) {
    std::shared_ptr<FunctionObject> found;
    const auto h = reinterpret_cast<Handle>(f);
    if (engine::handle_get(kind_function, h, &found) != Status::ok &&
        engine::handle_get(kind_kernel, h, &found) != Status::ok)
        return nullptr;
    return found;
}

} // namespace cuda_sim

using namespace cuda_sim;

namespace {

CUresult load(const char* name, CUmodule* module, const void* image) {
    return call(name, Need::context, [&](Call& c) -> CUresult {
        Handle h = nullptr;
        const CUresult why = load_module(c, image, module ? &h : nullptr, kind_module);
        if (!why) *module = static_cast<CUmodule>(h);
        return why;
    });
}

CUresult unload(const char* name, Handle h, std::uint32_t kind) {
    return call(name, Need::init, [&](Call& c) -> CUresult {
        std::shared_ptr<ModuleObject> m;
        if (CUresult why = c.engine(engine::handle_take(kind, h, &m))) return why;
        std::lock_guard<std::mutex> guard(m->lock);
        for (auto& f : m->functions)
            engine::handle_take<FunctionObject>(kind == kind_module ? kind_function : kind_kernel,
                                                f.second->handle, nullptr);
        return CUDA_SUCCESS;
    });
}

CUresult attribute_of(Call& c, const std::shared_ptr<FunctionObject>& f, int attribute, int* out) {
    if (!f) return c.fail(CUDA_ERROR_INVALID_HANDLE, "no such function");
    if (!out) return c.fail(CUDA_ERROR_INVALID_VALUE, "pi is null");
    const int chip = cuda_sim::attribute(0, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 +
                     cuda_sim::attribute(0, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *out = f->code->max_threads ? f->code->max_threads : 1024;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *out = static_cast<int>(f->code->static_shared);
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *out = 32; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *out = chip; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *out = f->dynamic_limit;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *out = -1; return CUDA_SUCCESS;
    default: break;
    }
    if (attribute < 0 || attribute > 15)
        return c.fail(CUDA_ERROR_INVALID_VALUE, "no attribute %d", attribute);
    *out = 0;
    return CUDA_SUCCESS;
}

CUresult set_attribute(Call& c, const std::shared_ptr<FunctionObject>& f, int attribute,
                       int value) {
    if (!f) return c.fail(CUDA_ERROR_INVALID_HANDLE, "no such function");
    if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) return CUDA_SUCCESS;
    const int most = cuda_sim::attribute(0, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) -
                     static_cast<int>(f->code->static_shared);
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 || value > most)
        return c.fail(CUDA_ERROR_INVALID_VALUE, "attribute %d cannot be %d; at most %d", attribute,
                      value, most);
    f->dynamic_limit = value;
    return CUDA_SUCCESS;
}

std::shared_ptr<FunctionObject> kernel_of(CUkernel k) {
    return function_of(reinterpret_cast<CUfunction>(k));
}

CUresult param_info(Call& c, const std::shared_ptr<FunctionObject>& f, size_t i, size_t* offset,
                    size_t* size) {
    if (!f) return c.fail(CUDA_ERROR_INVALID_HANDLE, "no such function");
    if (!offset || i >= f->code->params.size())
        return c.fail(CUDA_ERROR_INVALID_VALUE, "no parameter %zu", i);
    *offset = f->code->params[i].offset;
    if (size) *size = f->code->params[i].size;
    return CUDA_SUCCESS;
}

} // namespace

SIM_EXPORT CUresult cuModuleLoadData(CUmodule* module, const void* image) {
    return load(__func__, module, image);
}
SIM_EXPORT CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int,
                                       CUjit_option*, void**) {
    return load(__func__, module, image);
}
SIM_EXPORT CUresult cuModuleLoad(CUmodule* module, const char* fname) {
    const std::string text = fname ? file_text(fname) : "";
    return text.empty() ? CUDA_ERROR_FILE_NOT_FOUND : load(__func__, module, text.c_str());
}
SIM_EXPORT CUresult cuModuleUnload(CUmodule hmod) {
    return unload(__func__, hmod, kind_module);
}
SIM_EXPORT CUresult cuModuleGetFunction(CUfunction* hfunc, CUmodule hmod, const char* name) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        Handle h = nullptr;
        const CUresult why =
            find_function(c, hmod, name, kind_module, kind_function, hfunc ? &h : nullptr);
        if (!why) *hfunc = static_cast<CUfunction>(h);
        return why;
    });
}
SIM_EXPORT CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
    if (!mode) return CUDA_ERROR_INVALID_VALUE;
    *mode = CU_MODULE_EAGER_LOADING;
    return CUDA_SUCCESS;
}

SIM_EXPORT CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option*, void**,
                                      unsigned int, CUlibraryOption*, void**, unsigned int) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        Handle h = nullptr;
        const CUresult why = load_module(c, code, library ? &h : nullptr, kind_library);
        if (!why) *library = static_cast<CUlibrary>(h);
        return why;
    });
}
SIM_EXPORT CUresult cuLibraryUnload(CUlibrary library) {
    return unload(__func__, library, kind_library);
}
SIM_EXPORT CUresult cuLibraryGetKernel(CUkernel* pKernel, CUlibrary library, const char* name) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        Handle h = nullptr;
        const CUresult why =
            find_function(c, library, name, kind_library, kind_kernel, pKernel ? &h : nullptr);
        if (!why) *pKernel = static_cast<CUkernel>(h);
        return why;
    });
}
SIM_EXPORT CUresult cuLibraryGetKernelCount(unsigned int* count, CUlibrary lib) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        std::shared_ptr<ModuleObject> m;
        if (CUresult why = c.engine(engine::handle_get(kind_library, static_cast<Handle>(lib), &m)))
            return why;
        if (!count) return c.fail(CUDA_ERROR_INVALID_VALUE, "count is null");
        *count = static_cast<unsigned>(simt::function_names(*m->code).size());
        return CUDA_SUCCESS;
    });
}
SIM_EXPORT CUresult cuKernelGetFunction(CUfunction* pFunc, CUkernel kernel) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        if (!pFunc || !kernel_of(kernel))
            return c.fail(CUDA_ERROR_INVALID_HANDLE, "no such kernel");
        *pFunc = reinterpret_cast<CUfunction>(kernel);
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuFuncGetAttribute(int* pi, CUfunction_attribute attrib, CUfunction hfunc) {
    return call(__func__, Need::context,
                [&](Call& c) { return attribute_of(c, function_of(hfunc), attrib, pi); });
}
SIM_EXPORT CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value) {
    return call(__func__, Need::context,
                [&](Call& c) { return set_attribute(c, function_of(hfunc), attrib, value); });
}
SIM_EXPORT CUresult cuKernelGetAttribute(int* pi, CUfunction_attribute attrib, CUkernel kernel,
                                         CUdevice) {
    return call(__func__, Need::init,
                [&](Call& c) { return attribute_of(c, kernel_of(kernel), attrib, pi); });
}
SIM_EXPORT CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel,
                                         CUdevice) {
    return call(__func__, Need::init,
                [&](Call& c) { return set_attribute(c, kernel_of(kernel), attrib, val); });
}
SIM_EXPORT CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t* paramOffset,
                                       size_t* paramSize) {
    return call(__func__, Need::context, [&](Call& c) {
        return param_info(c, function_of(func), paramIndex, paramOffset, paramSize);
    });
}
SIM_EXPORT CUresult cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t* paramOffset,
                                         size_t* paramSize) {
    return call(__func__, Need::init, [&](Call& c) {
        return param_info(c, kernel_of(kernel), paramIndex, paramOffset, paramSize);
    });
}
SIM_EXPORT CUresult cuFuncGetName(const char** name, CUfunction hfunc) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        const auto f = function_of(hfunc);
        if (!f || !name) return c.fail(CUDA_ERROR_INVALID_HANDLE, "no such function");
        *name = f->code->name.c_str();
        return CUDA_SUCCESS;
    });
}
