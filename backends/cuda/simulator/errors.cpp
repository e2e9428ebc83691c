// SPDX-License-Identifier: Apache-2.0
// Names and texts of results.
#include <cctype>
#include <map>
#include <mutex>
#include <string>

#include "call.hpp"

namespace {

struct Row {
    CUresult code;
    const char* name;
};
#define NAME_ROW(name, value, mark) {name, #name},
constexpr Row rows[] = {CU_RESULTS(NAME_ROW)};

struct Text {
    CUresult code;
    const char* text;
};
// As drivers say them; the others are made of the name.
constexpr Text texts[] = {
    {CUDA_SUCCESS, "no error"},
    {CUDA_ERROR_INVALID_VALUE, "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "out of memory"},
    {CUDA_ERROR_NOT_INITIALIZED, "initialization error"},
    {CUDA_ERROR_DEINITIALIZED, "driver shutting down"},
    {CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected"},
    {CUDA_ERROR_INVALID_DEVICE, "invalid device ordinal"},
    {CUDA_ERROR_INVALID_IMAGE, "device kernel image is invalid"},
    {CUDA_ERROR_INVALID_CONTEXT, "invalid device context"},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, "no kernel image is available for execution on the device"},
    {CUDA_ERROR_ECC_UNCORRECTABLE, "uncorrectable ECC error encountered"},
    {CUDA_ERROR_INVALID_PTX, "a PTX JIT compilation failed"},
    {CUDA_ERROR_INVALID_HANDLE, "invalid resource handle"},
    {CUDA_ERROR_NOT_FOUND, "named symbol not found"},
    {CUDA_ERROR_NOT_READY, "device not ready"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "an illegal memory access was encountered"},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "too many resources requested for launch"},
    {CUDA_ERROR_ASSERT, "device-side assert triggered"},
    {CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned address"},
    {CUDA_ERROR_ILLEGAL_INSTRUCTION, "an illegal instruction was encountered"},
    {CUDA_ERROR_LAUNCH_FAILED, "unspecified launch failure"},
    {CUDA_ERROR_NOT_SUPPORTED, "operation not supported"},
    {CUDA_ERROR_UNKNOWN, "unknown error"},
};

const char* name_of(CUresult code) {
    for (const Row& row : rows)
        if (row.code == code) return row.name;
    return nullptr;
}

const char* text_of(CUresult code) {
    for (const Text& t : texts)
        if (t.code == code) return t.text;
    const char* name = name_of(code);
    if (!name) return nullptr;
    static std::mutex* lock = new std::mutex;
    static auto* made = new std::map<int, std::string>; // pointers stay valid
    std::lock_guard<std::mutex> guard(*lock);
    std::string& text = (*made)[code];
    if (text.empty())
        for (const char* c = name + sizeof "CUDA_ERROR"; *c; ++c)
            text += *c == '_' ? ' ' : static_cast<char>(std::tolower(*c));
    return text.c_str();
}

CUresult answer(const char* found, const char** out) {
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    *out = found;
    return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

} // namespace

SIM_EXPORT CUresult cuGetErrorName(CUresult error, const char** pStr) {
    return answer(name_of(error), pStr);
}

SIM_EXPORT CUresult cuGetErrorString(CUresult error, const char** pStr) {
    return answer(text_of(error), pStr);
}
