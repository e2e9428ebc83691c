// SPDX-License-Identifier: Apache-2.0
// Names of rules, and where a thread is when it breaks one.
#include <cstdio>

#include "checks.hpp"

namespace device_api::engine {
namespace {

struct Row {
    const char *name, *words;
};
constexpr Row rows[] = {
#define DEVICE_API_RULE(name, words) {#name, words},
    DEVICE_API_RULES(DEVICE_API_RULE)
#undef DEVICE_API_RULE
};

thread_local const char* call = nullptr;
thread_local RunningTask task;

} // namespace

const char* rule_name(Rule r) noexcept {
    return rows[static_cast<std::size_t>(r)].name;
}
const char* rule_words(Rule r) noexcept {
    return rows[static_cast<std::size_t>(r)].words;
}

InCall::InCall(const char* name) noexcept : before_(call) {
    call = name;
}
InCall::~InCall() {
    call = before_;
}
const char* current_call() noexcept {
    return call;
}
RunningTask& running_task() noexcept {
    return task;
}

std::string where() {
    std::string text;
    if (task.name) {
        char words[160];
        std::snprintf(words, sizeof words, "; task %s, launch %llu, stream %u of device %d",
                      task.name, static_cast<unsigned long long>(task.sequence), task.stream,
                      task.device);
        text += words;
    }
    if (call) text += std::string("; in ") + call;
    return text;
}

} // namespace device_api::engine
