// SPDX-License-Identifier: Apache-2.0
// Preconditions, error texts and the translation of the engine's statuses to CANN's codes.
#include "call.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "chip.hpp"
#include "state.hpp"

namespace cann_sim {

namespace {

// Trivially destructible, so that calls from static destructors still find it.
struct ThreadErrors {
    aclError last;
    char pending[4096];
    char given[4096];
};
thread_local ThreadErrors errors;

// The prefix of a message tells its class: operator arguments, inner errors of operators, runtime.
const char* prefix_of(aclError code) {
    if (code > 0 && code < 100) return "EI0001"; // of HCCL
    if (code >= 161000 && code < 162000) return "EZ1001";
    if ((code >= 361000 && code < 362000) || (code >= 561000 && code < 562000)) return "EZ9999";
    return "EE1001";
}

struct CodeRow {
    Status status;
    aclError code;
};

// 0: the code depends on the call, which passes it in.
constexpr CodeRow codes[] = {
    {Status::ok, ACL_SUCCESS},
    {Status::invalid_value, 0},
    {Status::invalid_device, ACL_ERROR_RT_INVALID_DEVICEID},
    {Status::invalid_handle, ACL_ERROR_RT_INVALID_HANDLE},
    {Status::invalid_address, 0},
    {Status::invalid_state, 0},
    {Status::out_of_memory, ACL_ERROR_RT_MEMORY_ALLOCATION},
    {Status::out_of_resources, ACL_ERROR_RT_RESOURCE_ALLOC_FAIL},
    {Status::not_ready, ACL_ERROR_RT_STREAM_NOT_COMPLETE},
    {Status::timeout, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT},
    {Status::not_supported, ACL_ERROR_RT_FEATURE_NOT_SUPPORT},
    {Status::launch_failure, ACL_ERROR_RT_INTERNAL_ERROR},
    {Status::kernel_fault, ACL_ERROR_RT_AICORE_EXCEPTION},
    {Status::hardware_fault, ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR},
    {Status::device_lost, ACL_ERROR_RT_LOST_HEARTBEAT},
    {Status::forked, ACL_ERROR_RT_DRV_INTERNAL_ERROR},
    {Status::shutdown, ACL_ERROR_UNINITIALIZE},
    {Status::internal, ACL_ERROR_RT_INTERNAL_ERROR},
    {Status::remote_fault, ACL_ERROR_RT_SUSPECT_REMOTE_ERROR},
    {Status::remote_timeout, ACL_ERROR_RT_FFTS_PLUS_TIMEOUT},
};

aclError code_of(Status status, aclError invalid) {
    for (const CodeRow& row : codes)
        if (row.status == status) return row.code || status == Status::ok ? row.code : invalid;
    return ACL_ERROR_RT_INTERNAL_ERROR;
}

// Which unit failed: copies run on the DMA engine, matrix work on the AI cores, the rest on the
// vector cores of chips that have them apart.
aclError fault_code(const std::string& task) {
    if (task.compare(0, 3, "mem") == 0) return ACL_ERROR_RT_SYS_DMA;
    const bool matrix = task.find("Matmul") != std::string::npos ||
                        task.find("MatMul") != std::string::npos || task == "aclnnMm";
    const bool split = (chip().family & (chip_a2 | chip_a3)) != 0;
    return split && !matrix ? ACL_ERROR_RT_VECTOR_CORE_EXCEPTION : ACL_ERROR_RT_AICORE_EXCEPTION;
}

} // namespace

void remember_error(aclError code, const char* function, const char* text) {
    errors.last = code;
    char line[1200];
    const int n = std::snprintf(line, sizeof line, "%s: %s: %s [%d]\n", prefix_of(code), function,
                                text, code);
    const std::size_t length = n < 0 ? 0 : std::min<std::size_t>(n, sizeof line - 1);
    std::size_t used = std::strlen(errors.pending);
    if (used + length + 1 > sizeof errors.pending) used = 0; // keep the newest
    std::memcpy(errors.pending + used, line, length + 1);
}

const char* take_error_text() {
    if (!errors.pending[0]) return nullptr;
    std::memcpy(errors.given, errors.pending, sizeof errors.given);
    errors.pending[0] = '\0';
    return errors.given;
}

bool& in_callback() {
    static thread_local bool inside = false;
    return inside;
}

aclError last_error(bool clear) {
    const aclError code = errors.last;
    if (clear) errors.last = ACL_SUCCESS;
    return code;
}

Call::Call(const char* name, Need need) : name_(name), in_call_(name) {
    ensure_engine();
    const Status status = engine::alive();
    if (status != Status::ok) {
        blocked_ = engine(status);
    } else if (need != Need::nothing && !initialised()) {
        blocked_ = misuse(Rule::not_initialised, ACL_ERROR_UNINITIALIZE,
                          "ACL is not initialised; call aclInit first");
    } else if (need == Need::work && in_callback()) {
        blocked_ = misuse(Rule::call_in_callback, ACL_ERROR_RT_PARAM_INVALID,
                          "called inside a host callback, which must not allocate, launch or wait");
    } else if (need >= Need::context && !(context_ = current_context())) {
        blocked_ = fail(ACL_ERROR_RT_CONTEXT_NULL,
                        "the calling thread has no current device or context; call aclrtSetDevice "
                        "or aclrtSetCurrentContext on this thread");
    }
}

aclError Call::fail(aclError code, const char* format, ...) const {
    char text[1024];
    va_list args;
    va_start(args, format);
    std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    remember_error(code, name_, text);
    return code;
}

aclError Call::misuse(Rule rule, aclError code, const char* format, ...) const {
    char text[1024];
    va_list args;
    va_start(args, format);
    std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    engine::misuse(rule, Status::invalid_state, "%s: %s [%d]", name_, text, code);
    remember_error(code, name_, text);
    return code;
}

aclError Call::engine(Status status, aclError invalid) const {
    if (status == Status::ok) return ACL_SUCCESS;
    return fail(code_of(status, invalid), "%s", engine::last_message());
}

aclError Call::deferred(Status status, aclError on_timeout) const {
    if (status == Status::ok) return ACL_SUCCESS;
    if (status == Status::timeout)
        return fail(on_timeout, "the wait ran out of time; the work goes on");
    if (status == Status::invalid_handle || status == Status::forked || status == Status::shutdown)
        return engine(status);
    const engine::StreamError& error = engine::last_stream_error();
    aclError code = error.code ? error.code : code_of(status, 0);
    if (code == 0 || code == ACL_ERROR_RT_AICORE_EXCEPTION ||
        code == ACL_ERROR_RT_FEATURE_NOT_SUPPORT)
        code = error.code ? error.code : fault_code(error.task);
    const char* text = error.message[0] ? error.message : engine::last_message();
    return fail(code, "task %s, launched earlier, failed on the device: %s", error.task, text);
}

aclError Call::waited(Status status) const {
    const bool late = status != Status::ok && engine::last_stream_error().status == status;
    return late ? deferred(status, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) : engine(status);
}

aclError Call::stream(aclrtStream stream, Handle* out) const {
    if (!stream) {
        *out = context_->default_stream;
        return ACL_SUCCESS;
    }
    int device = -1;
    const Status status = engine::stream_device(stream, &device);
    if (status != Status::ok) return engine(status);
    std::shared_ptr<StreamInfo> info = stream_info(stream);
    if (!info) return fail(ACL_ERROR_RT_INVALID_HANDLE, "the stream is destroyed");
    if (info->context.lock() != context_)
        return misuse(Rule::wrong_context, ACL_ERROR_RT_STREAM_CONTEXT,
                      "the stream belongs to %s device %d, the current context to device %d",
                      device == context_->device ? "another context of" : "", device,
                      context_->device);
    *out = stream;
    return ACL_SUCCESS;
}

} // namespace cann_sim
