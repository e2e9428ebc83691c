// SPDX-License-Identifier: Apache-2.0
// Functions that other clients than the adapter call: options read back, the process's id, logs.
#include "call.hpp"

#include "device_api_npu/cann_clients.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <unistd.h>

#include "state.hpp"

using namespace cann_sim;

namespace {

aclError read_option(Call& c, const std::map<int, std::int64_t>& options, aclSysParamOpt opt,
                     int64_t* value) {
    if (!value) return c.fail(ACL_ERROR_INVALID_PARAM, "value is null");
    if (opt < ACL_OPT_DETERMINISTIC || opt > ACL_OPT_STRONG_CONSISTENCY)
        return c.fail(ACL_ERROR_INVALID_PARAM, "option %d is unknown", static_cast<int>(opt));
    const auto found = options.find(opt);
    *value = found == options.end() ? 0 : found->second; // every option is off at first
    return ACL_SUCCESS;
}

bool is_set(const char* variable) {
    const char* value = std::getenv(variable);
    return value && std::strcmp(value, "1") == 0;
}

// Levels below this one are not printed.
int log_level() {
    const char* value = std::getenv("ASCEND_GLOBAL_LOG_LEVEL");
    return value && *value ? std::atoi(value) : ACL_ERROR;
}

} // namespace

SIM_EXPORT aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
    return call(__func__, Need::init, [&](Call& c) -> aclError {
        std::lock_guard<std::mutex> guard(state().lock);
        return read_option(c, state().options, opt, value);
    });
}

SIM_EXPORT aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
    return call(__func__, Need::context, [&](Call& c) -> aclError {
        std::lock_guard<std::mutex> guard(state().lock);
        return read_option(c, c.context()->options, opt, value);
    });
}

// Seconds. The limits are for tasks that hang: here none does but by an injected fault, which
// brings its own error. Any number is accepted, 0 for the largest one.
SIM_EXPORT aclError aclrtSetOpExecuteTimeOut(uint32_t) {
    return call(__func__, Need::init, [](Call&) -> aclError { return ACL_SUCCESS; });
}

SIM_EXPORT aclError aclrtSetOpWaitTimeout(uint32_t) {
    return call(__func__, Need::init, [](Call&) -> aclError { return ACL_SUCCESS; });
}

SIM_EXPORT aclError aclrtDeviceGetBareTgid(int32_t* pid) {
    return call(__func__, Need::nothing, [&](Call& c) -> aclError {
        if (!pid) return c.fail(ACL_ERROR_INVALID_PARAM, "pid is null");
        *pid = static_cast<int32_t>(::getpid());
        return ACL_SUCCESS;
    });
}

// The simulator keeps no log files: lines go to standard output, where the caller asked for it.
SIM_EXPORT void aclAppLog(aclLogLevel logLevel, const char* func, const char* file, uint32_t line,
                          const char* fmt, ...) {
    if (!fmt || logLevel < log_level()) return;
    if (!is_set("ASCEND_SLOG_PRINT_TO_STDOUT") && !is_set("ASCEND_LOG_PRINT_TO_STDOUT")) return;
    constexpr const char* names[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
    const int level =
        logLevel < ACL_DEBUG || logLevel > ACL_ERROR ? ACL_ERROR : static_cast<int>(logLevel);
    char text[1024];
    va_list args;
    va_start(args, fmt);
    std::vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    std::fprintf(stdout, "[%s] %s:%u %s: %s\n", names[level], file ? file : "?", line,
                 func ? func : "?", text);
    std::fflush(stdout);
}
