// SPDX-License-Identifier: Apache-2.0
// Modules, functions, and the two forms of an image.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "device_api/engine/simt.hpp"
#include "state.hpp"

namespace cuda_sim {

namespace simt = device_api::engine::simt;

/// A function of a loaded module; the address of the handle is the same for every query of it.
struct FunctionObject {
    simt::FunctionPtr code;
    std::weak_ptr<Context> context; // none: of a library
    Handle handle = nullptr, module = nullptr;
    int dynamic_limit = 0; // bytes of dynamic shared memory that a launch may ask for
};
struct ModuleObject {
    simt::ModulePtr code;
    std::weak_ptr<Context> context;
    std::mutex lock; // of what follows
    std::map<std::string, std::shared_ptr<FunctionObject>> functions;
};

/// The text that stands for PTX: a remark, the directives, and the image in base64.
std::string text_image(const std::string& image, const std::string& architecture);
/// The image behind what a client gives to load: itself, or that in the text. "": it is neither.
std::string image_of(const void* given);

CUresult load_module(Call& c, const void* image, Handle* out, std::uint32_t kind);
CUresult find_function(Call& c, Handle module, const char* name, std::uint32_t module_kind,
                       std::uint32_t kind, Handle* out);
/// A CUfunction, or a CUkernel in its place.
std::shared_ptr<FunctionObject> function_of(CUfunction f);

} // namespace cuda_sim
