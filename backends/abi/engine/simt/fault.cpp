// SPDX-License-Identifier: Apache-2.0
// A kernel's bad access ends its launch and not the process.
#include "fault.hpp"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <ucontext.h>

#include "../src/engine.hpp"
#include "../src/memory.hpp"
#include "runner.hpp"

namespace device_api::engine::simt {
namespace {

constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
struct Before {
    struct sigaction first, last; // when we came first, and now
    bool known = false;
} before[NSIG];

void pass_on(const struct sigaction& to, int signal, siginfo_t* info, void* context) {
    if (to.sa_flags & SA_SIGINFO) return to.sa_sigaction(signal, info, context);
    if (to.sa_handler == SIG_IGN) return;
    if (to.sa_handler != SIG_DFL) return to.sa_handler(signal);
    struct sigaction usual{};
    usual.sa_handler = SIG_DFL; // the access runs again, and ends the process
    sigaction(signal, &usual, nullptr);
}

void on_signal(int signal, siginfo_t* info, void* context) {
    static thread_local int depth = 0;
    if (Runner* r = Runner::running())
        if (r->take_signal(signal, info, context)) return;
    // Two libraries that have each put themselves before the other would pass it round for ever.
    const struct sigaction to = depth == 0 ? before[signal].last : before[signal].first;
    ++depth;
    pass_on(to, signal, info, context);
    --depth;
}

#if defined(__x86_64__)
/// Is it a move of a whole vector that wants it aligned? Else a general protection fault of a
/// kernel is one of an address that no memory can have.
bool aligned_move(const unsigned char* at) {
    while (*at == 0x66 || (*at & 0xf0) == 0x40) ++at;
    const bool two = *at == 0xc5, three = *at == 0xc4;
    const unsigned pp = two ? at[1] & 3u : three ? at[2] & 3u : 1u;
    const unsigned op = two ? at[2] : three ? at[3] : *at == 0x0f ? at[1] : 0u;
    if (op == 0x6f || op == 0x7f) return pp == 1; // the others of these are not aligned
    return op == 0x28 || op == 0x29 || op == 0x2b || op == 0xe7;
}
#endif

void go_on_in_main() {
    Runner::running()->stop(Fault::none, "");
}

std::string address_text(std::uintptr_t p, bool write) {
    char text[96];
    std::snprintf(text, sizeof text, "%s at 0x%llx, which is no live memory of the device",
                  write ? "a write" : "a read", static_cast<unsigned long long>(p));
    return text + history_of(p);
}

} // namespace

bool Runner::take_signal(int signal, siginfo_t* info, void* context) {
#if defined(__x86_64__)
    if (!in_fiber_) return false;
    auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const auto p = reinterpret_cast<std::uintptr_t>(info->si_addr);
    constexpr long general_protection = 13;
    Failure why;
    if (signal == SIGFPE) {
        why = {Fault::arithmetic, "an integer division by zero, or one whose result is too large: "
                                  "a chip gives an unspecified result"};
    } else if (signal == SIGILL) {
        why = {Fault::illegal_instruction, "an illegal instruction"};
    } else if (stacks_.overflowed(p)) {
        why = {Fault::stack_overflow, "the stack of a thread is used up"};
    } else if (registers[REG_TRAPNO] == general_protection) {
        const bool aligned =
            aligned_move(reinterpret_cast<const unsigned char*>(registers[REG_RIP]));
        why = {aligned ? Fault::misaligned_address : Fault::illegal_address,
               aligned ? "an access of a vector that is not aligned to its size"
                       : "an access at an address that no memory can have"};
    } else {
        why = {Fault::illegal_address, address_text(p, registers[REG_ERR] & 2)};
    }
    why.text += ";" + now();
    failure_ = why;
    if (last_stack_.empty()) last_stack_.resize(16 << 10);
    const auto top = reinterpret_cast<std::uintptr_t>(last_stack_.data() + last_stack_.size());
    registers[REG_RSP] = static_cast<greg_t>((top & ~std::uintptr_t{15}) - 8);
    registers[REG_RIP] = reinterpret_cast<greg_t>(&go_on_in_main);
    return true;
#else
    (void)signal, (void)info, (void)context;
    return false;
#endif
}

void watch_signals() noexcept {
    static std::mutex lock;
    std::lock_guard<std::mutex> guard(lock);
    struct sigaction mine{};
    mine.sa_sigaction = on_signal;
    mine.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&mine.sa_mask);
    for (const int signal : signals) {
        struct sigaction now{};
        sigaction(signal, nullptr, &now);
        if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_signal) continue;
        before[signal].last = now;
        if (!before[signal].known) before[signal].first = now;
        before[signal].known = true;
        sigaction(signal, &mine, nullptr);
    }
}

} // namespace device_api::engine::simt
