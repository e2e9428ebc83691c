// SPDX-License-Identifier: Apache-2.0
// The host touched device memory: said on stderr before the process ends by the signal.
#include <csignal>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <unistd.h>

#include "checks.hpp"
#include "engine.hpp"
#include "memory.hpp"

namespace device_api::engine {
namespace {

struct sigaction before[NSIG];

void say(const char* text) {
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

/// The process is lost: looking up the allocation may take locks, which an alarm bounds.
void on_fault(int signal, siginfo_t* info, void*) {
    sigaction(signal, &before[signal], nullptr); // the faulting access runs again, and ends it
    const auto p = reinterpret_cast<std::uintptr_t>(info->si_addr);
    char text[160];
    alarm(2);
    if (!device_of_address(p)) {
        alarm(0);
        return;
    }
    std::snprintf(text, sizeof text,
                  "simulated %s: misuse: the host touched device memory at %p [rule %s]",
                  engine().vendor.name, info->si_addr, rule_name(Rule::host_access));
    say(text);
    say(where().c_str());
    say(history_of(p).c_str());
    say("\n");
    alarm(0);
}

} // namespace

void watch_host_faults() noexcept {
    static std::once_flag once;
    std::call_once(once, [] {
        struct sigaction mine{};
        mine.sa_sigaction = on_fault;
        mine.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&mine.sa_mask);
        for (const int signal : {SIGSEGV, SIGBUS}) sigaction(signal, &mine, &before[signal]);
    });
}

} // namespace device_api::engine
