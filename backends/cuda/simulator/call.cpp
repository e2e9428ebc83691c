// SPDX-License-Identifier: Apache-2.0
// Preconditions and the translation of the engine's statuses to CUDA's codes.
#include "call.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "state.hpp"

namespace cuda_sim {
namespace {

struct CodeRow {
    Status status;
    CUresult code;
};
// CUDA_SUCCESS: the code depends on the call, which passes it in.
constexpr CodeRow codes[] = {
    {Status::invalid_value, CUDA_SUCCESS},
    {Status::invalid_device, CUDA_ERROR_INVALID_DEVICE},
    {Status::invalid_handle, CUDA_ERROR_INVALID_HANDLE},
    {Status::invalid_address, CUDA_SUCCESS},
    {Status::invalid_state, CUDA_SUCCESS},
    {Status::out_of_memory, CUDA_ERROR_OUT_OF_MEMORY},
    {Status::out_of_resources, CUDA_ERROR_OUT_OF_MEMORY},
    {Status::not_ready, CUDA_ERROR_NOT_READY},
    {Status::timeout, CUDA_ERROR_LAUNCH_TIMEOUT},
    {Status::not_supported, CUDA_ERROR_NOT_SUPPORTED},
    {Status::launch_failure, CUDA_ERROR_LAUNCH_FAILED},
    {Status::kernel_fault, CUDA_ERROR_LAUNCH_FAILED},
    {Status::hardware_fault, CUDA_ERROR_ECC_UNCORRECTABLE},
    {Status::device_lost, CUDA_ERROR_LAUNCH_FAILED},
    {Status::forked, CUDA_ERROR_NOT_INITIALIZED},
    {Status::shutdown, CUDA_ERROR_DEINITIALIZED},
    {Status::internal, CUDA_ERROR_UNKNOWN},
    {Status::aborted, CUDA_ERROR_LAUNCH_FAILED},
};

CUresult code_of(Status status, CUresult invalid) {
    for (const CodeRow& row : codes)
        if (row.status == status) return row.code ? row.code : invalid;
    return CUDA_ERROR_UNKNOWN;
}

void log_failure(const char* name, int code, const char* text) {
    static const char* wanted = std::getenv("DEVICE_API_SIM_CUDA_LOG");
    if (wanted && *wanted && *wanted != '0')
        std::fprintf(stderr, "simulated cuda: %s: %s [%d]\n", name, text, code);
}

} // namespace

bool& in_callback() {
    static thread_local bool inside = false;
    return inside;
}

Call::Call(const char* name, Need need) : name_(name), in_call_(name) {
    ensure_engine();
    const Status status = engine::alive();
    if (status != Status::ok) {
        blocked_ = code_of(status, CUDA_ERROR_UNKNOWN);
    } else if (need != Need::nothing && !initialised()) {
        blocked_ = misuse(Rule::not_initialised, CUDA_ERROR_NOT_INITIALIZED,
                          "the driver is not initialised; call cuInit first");
    } else if (need == Need::context && in_callback()) {
        blocked_ = misuse(Rule::call_in_callback, CUDA_ERROR_NOT_PERMITTED,
                          "called inside a callback of a stream, which must not call the driver");
    } else if (need == Need::context) {
        context_ = current_context();
        if (!context_)
            blocked_ = fail(CUDA_ERROR_INVALID_CONTEXT,
                            "the calling thread has no current context; call cuCtxSetCurrent");
        else if (const int sticky = context_->sticky)
            blocked_ = fail(static_cast<CUresult>(sticky),
                            "an earlier kernel has damaged the context: start the process anew");
    }
}

CUresult Call::fail(CUresult code, const char* format, ...) const {
    char text[1024];
    va_list args;
    va_start(args, format);
    std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    log_failure(name_, code, text);
    return code;
}

CUresult Call::misuse(Rule rule, CUresult code, const char* format, ...) const {
    char text[1024];
    va_list args;
    va_start(args, format);
    std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    engine::misuse(rule, Status::invalid_state, "%s: %s [%d]", name_, text, code);
    log_failure(name_, code, text);
    return code;
}

CUresult Call::engine(Status status, CUresult invalid) const {
    if (status == Status::ok) return CUDA_SUCCESS;
    return fail(code_of(status, invalid), "%s", engine::last_message());
}

CUresult Call::waited(Status status) const {
    if (status == Status::ok) return CUDA_SUCCESS;
    if (context_ && context_->sticky)
        return fail(static_cast<CUresult>(context_->sticky.load()), "%s", engine::last_message());
    const engine::StreamError& error = engine::last_stream_error();
    const bool late = error.status == status;
    const CUresult code = late && error.code ? static_cast<CUresult>(error.code)
                                             : code_of(status, CUDA_ERROR_ILLEGAL_ADDRESS);
    // What a kernel has damaged stays so; a lost device is the engine's to remember.
    if (context_ && late && status != Status::device_lost && status != Status::aborted)
        damage(*context_, code);
    return fail(code, "%s", late && error.message[0] ? error.message : engine::last_message());
}

CUresult Call::stream(CUstream stream, Handle* out, ContextPtr* owner) const {
    ContextPtr of = context_;
    const bool special = !stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
    if (special) {
        *out = of->default_stream;
    } else {
        const auto info = stream_info(stream);
        int device = -1;
        if (!info) return engine(engine::stream_device(stream, &device), CUDA_ERROR_INVALID_HANDLE);
        of = info->context.lock();
        if (!of) return fail(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the stream's context is destroyed");
        *out = stream;
    }
    if (owner) *owner = of;
    if (special || of->blocking_stream(stream)) order_with_default(*of, *out);
    return CUDA_SUCCESS;
}

} // namespace cuda_sim
