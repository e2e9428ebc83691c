// SPDX-License-Identifier: Apache-2.0
// The simulated NVRTC: programs, options, results.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "device_api_cuda/cuda_nvrtc.h"
#include "module.hpp"

using namespace cuda_sim;

struct _nvrtcProgram {
    simt::Source source;
    simt::Compiled compiled;
    bool done = false, binary = false;
    std::string ptx, log;
};

namespace {

constexpr int architectures[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 107, 110, 120, 121};
constexpr const char* results[] = {"NVRTC_SUCCESS",
                                   "NVRTC_ERROR_OUT_OF_MEMORY",
                                   "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                   "NVRTC_ERROR_INVALID_INPUT",
                                   "NVRTC_ERROR_INVALID_PROGRAM",
                                   "NVRTC_ERROR_INVALID_OPTION",
                                   "NVRTC_ERROR_COMPILATION",
                                   "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                   "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                   "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                   "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                   "NVRTC_ERROR_INTERNAL_ERROR"};

// Options that say nothing to the simulated device; "=": with a value.
constexpr const char* ignored[] = {"--use_fast_math",
                                   "-use_fast_math",
                                   "--device-debug",
                                   "-G",
                                   "--ftz=",
                                   "-ftz=",
                                   "--prec-div=",
                                   "-prec-div=",
                                   "--prec-sqrt=",
                                   "-prec-sqrt=",
                                   "--device-as-default-execution-space",
                                   "-default-device",
                                   "--extra-device-vectorization",
                                   "--device-int128",
                                   "-device-int128",
                                   "--maxrregcount=",
                                   "-maxrregcount=",
                                   "--relocatable-device-code=",
                                   "-rdc=",
                                   "--ptxas-options=",
                                   "-Xptxas",
                                   "--minimal",
                                   "-minimal",
                                   "--no-source-include",
                                   "-no-source-include",
                                   "--disable-warnings",
                                   "-w",
                                   "--restrict",
                                   "-restrict",
                                   "--diag-suppress=",
                                   "-diag-suppress=",
                                   "--split-compile=",
                                   "-split-compile=",
                                   "--extensible-whole-program",
                                   "-ewp",
                                   "--dopt=",
                                   "-dopt=",
                                   "--version-ident="};

bool begins(const std::string& text, const char* prefix) {
    return text.compare(0, std::strlen(prefix), prefix) == 0;
}

/// The value of an option that is spelled in one of these ways, "--std=c++17".
bool value_of(const std::string& option, std::initializer_list<const char*> names,
              std::string* out) {
    for (const char* name : names)
        if (begins(option, name)) {
            *out = option.substr(std::strlen(name));
            return true;
        }
    return false;
}

bool known_architecture(const std::string& text) {
    const std::size_t at = text.find('_');
    const int n = at == std::string::npos ? 0 : std::atoi(text.c_str() + at + 1);
    return (begins(text, "sm_") || begins(text, "compute_")) &&
           std::find(std::begin(architectures), std::end(architectures), n) !=
               std::end(architectures);
}

bool ignorable(const std::string& option) {
    for (const char* name : ignored) {
        const bool valued = name[std::strlen(name) - 1] == '=';
        if (valued ? begins(option, name) : option == name) return true;
    }
    return false;
}

/// "" when the option is taken; else what is wrong with it.
std::string take(_nvrtcProgram* p, const std::string& option, const char* next, int* used) {
    simt::Source& s = p->source;
    std::string value;
    const auto split = [&](const char* name) { // "-I dir" as two options
        if (option != name || !next) return false;
        value = next;
        *used = 2;
        return true;
    };
    if (value_of(option, {"--gpu-architecture=", "-arch="}, &value) || split("-arch")) {
        s.architecture = value;
        p->binary = begins(value, "sm_");
        return known_architecture(value) ? "" : "invalid value for --gpu-architecture (-arch)";
    }
    if (value_of(option, {"--std=", "-std="}, &value)) {
        s.standard = value;
        return begins(value, "c++") ? "" : "invalid value for --std";
    }
    if (split("-I") || split("--include-path") ||
        value_of(option, {"--include-path=", "-I"}, &value))
        return s.folders.push_back(value), "";
    if (split("-D") || split("--define-macro") ||
        value_of(option, {"--define-macro=", "-D"}, &value))
        return s.definitions.push_back(value), "";
    if (value_of(option, {"--fmad=", "-fmad="}, &value)) return s.contract = value == "true", "";
    if (option == "-lineinfo" || option == "--generate-line-info") return s.line_info = true, "";
    if (ignorable(option)) return "";
    return "unrecognized option " + option + " found";
}

template <class T>
nvrtcResult size_to(size_t* out, const T& text, size_t extra) {
    if (!out) return NVRTC_ERROR_INVALID_INPUT;
    *out = text.size() + extra;
    return NVRTC_SUCCESS;
}

nvrtcResult text_to(char* out, const std::string& text, size_t extra) {
    if (!out) return NVRTC_ERROR_INVALID_INPUT;
    std::memcpy(out, text.c_str(), text.size() + extra);
    return NVRTC_SUCCESS;
}

nvrtcResult compile(_nvrtcProgram* p, int count, const char* const* options) {
    p->source.architecture = "compute_75";
    for (int i = 0, used = 1; i < count; i += used, used = 1) {
        const std::string wrong =
            take(p, options[i], i + 1 < count ? options[i + 1] : nullptr, &used);
        if (wrong.empty()) continue;
        p->log = "nvrtc: error: " + wrong + "\n";
        return NVRTC_ERROR_INVALID_OPTION;
    }
    const std::string number = p->source.architecture.substr(p->source.architecture.find('_') + 1);
    p->source.definitions.push_back("__CUDA_ARCH__=" + std::to_string(std::atoi(number.c_str())) +
                                    "0");
    p->source.definitions.push_back("__CUDACC__=1");
    p->source.definitions.push_back("__NVCC__=1");
    p->compiled = simt::compile(p->source);
    p->log = p->compiled.log;
    p->done = p->compiled.outcome == simt::Outcome::ok;
    if (p->done) p->ptx = text_image(p->compiled.image, p->source.architecture);
    if (p->done) return NVRTC_SUCCESS;
    return p->compiled.outcome == simt::Outcome::errors ? NVRTC_ERROR_COMPILATION
                                                        : NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
}

} // namespace

SIM_EXPORT const char* nvrtcGetErrorString(nvrtcResult result) {
    const auto n = static_cast<std::size_t>(result);
    return n < sizeof results / sizeof results[0] ? results[n] : "NVRTC_ERROR unknown";
}

SIM_EXPORT nvrtcResult nvrtcVersion(int* major, int* minor) {
    if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
    *major = 13;
    *minor = 0;
    return NVRTC_SUCCESS;
}

SIM_EXPORT nvrtcResult nvrtcGetNumSupportedArchs(int* numArchs) {
    if (!numArchs) return NVRTC_ERROR_INVALID_INPUT;
    *numArchs = static_cast<int>(sizeof architectures / sizeof architectures[0]);
    return NVRTC_SUCCESS;
}

SIM_EXPORT nvrtcResult nvrtcGetSupportedArchs(int* supportedArchs) {
    if (!supportedArchs) return NVRTC_ERROR_INVALID_INPUT;
    std::copy(std::begin(architectures), std::end(architectures), supportedArchs);
    return NVRTC_SUCCESS;
}

SIM_EXPORT nvrtcResult nvrtcCreateProgram(nvrtcProgram* prog, const char* src, const char* name,
                                          int numHeaders, const char* const* headers,
                                          const char* const* includeNames) {
    if (!prog || !src || numHeaders < 0 || (numHeaders && (!headers || !includeNames)))
        return NVRTC_ERROR_INVALID_INPUT;
    auto p = std::make_unique<_nvrtcProgram>();
    p->source.text = src;
    if (name && *name) p->source.name = name;
    for (int i = 0; i < numHeaders; ++i)
        p->source.headers.emplace_back(includeNames[i], headers[i]);
    *prog = p.release();
    return NVRTC_SUCCESS;
}

SIM_EXPORT nvrtcResult nvrtcDestroyProgram(nvrtcProgram* prog) {
    if (!prog || !*prog) return NVRTC_ERROR_INVALID_PROGRAM;
    delete *prog;
    *prog = nullptr;
    return NVRTC_SUCCESS;
}

SIM_EXPORT nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions,
                                           const char* const* options) {
    if (!prog) return NVRTC_ERROR_INVALID_PROGRAM;
    if (numOptions && !options) return NVRTC_ERROR_INVALID_INPUT;
    return compile(prog, numOptions, options);
}

SIM_EXPORT nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t* ptxSizeRet) {
    return prog && prog->done ? size_to(ptxSizeRet, prog->ptx, 1) : NVRTC_ERROR_INVALID_PROGRAM;
}
SIM_EXPORT nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char* ptx) {
    return prog && prog->done ? text_to(ptx, prog->ptx, 1) : NVRTC_ERROR_INVALID_PROGRAM;
}
// Only for real architectures; else there is none, and its size is 0.
SIM_EXPORT nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t* cubinSizeRet) {
    if (!prog || !prog->done) return NVRTC_ERROR_INVALID_PROGRAM;
    return size_to(cubinSizeRet, prog->binary ? prog->compiled.image : std::string(), 0);
}
SIM_EXPORT nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char* cubin) {
    if (!prog || !prog->done) return NVRTC_ERROR_INVALID_PROGRAM;
    return prog->binary ? text_to(cubin, prog->compiled.image, 0) : NVRTC_ERROR_INVALID_INPUT;
}
SIM_EXPORT nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t* logSizeRet) {
    return prog ? size_to(logSizeRet, prog->log, 1) : NVRTC_ERROR_INVALID_PROGRAM;
}
SIM_EXPORT nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char* log) {
    return prog ? text_to(log, prog->log, 1) : NVRTC_ERROR_INVALID_PROGRAM;
}

SIM_EXPORT nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog,
                                              const char* const name_expression) {
    if (!prog) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!name_expression) return NVRTC_ERROR_INVALID_INPUT;
    if (prog->done) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    auto& all = prog->source.expressions;
    if (std::find(all.begin(), all.end(), name_expression) == all.end())
        all.push_back(name_expression);
    return NVRTC_SUCCESS;
}

SIM_EXPORT nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char* const name_expression,
                                           const char** lowered_name) {
    if (!prog) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!name_expression || !lowered_name) return NVRTC_ERROR_INVALID_INPUT;
    if (!prog->done) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    const auto it = prog->compiled.lowered.find(name_expression);
    if (it == prog->compiled.lowered.end()) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *lowered_name = it->second.c_str();
    return NVRTC_SUCCESS;
}
