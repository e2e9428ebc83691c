// SPDX-License-Identifier: Apache-2.0
// Switching stacks on x86-64: what a called function must keep, and the stack pointer.
#include "fiber.hpp"

#include <sys/mman.h>

namespace device_api::engine::simt {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t slot = fiber_stack + page;

} // namespace

#if defined(__x86_64__)
__asm__(R"(
.text
.globl simt_switch_stack
.hidden simt_switch_stack
.type simt_switch_stack, @function
simt_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size simt_switch_stack, .-simt_switch_stack

.globl simt_enter_fiber
.hidden simt_enter_fiber
.type simt_enter_fiber, @function
simt_enter_fiber:
    movq %r12, %rdi
    callq *%r13
    ud2
.size simt_enter_fiber, .-simt_enter_fiber
)");
extern "C" void simt_enter_fiber();

void* fiber_start(void* stack_base, void (*function)(void*), void* argument) noexcept {
    auto top = (reinterpret_cast<std::uintptr_t>(stack_base) + fiber_stack) & ~std::uintptr_t{15};
    auto* frame = reinterpret_cast<std::uintptr_t*>(top) - 9; // so that calls find it aligned
    frame[0] = frame[1] = 0;                                  // r15, r14
    frame[2] = reinterpret_cast<std::uintptr_t>(function);    // r13
    frame[3] = reinterpret_cast<std::uintptr_t>(argument);    // r12
    frame[4] = frame[5] = 0;                                  // rbx, rbp
    frame[6] = reinterpret_cast<std::uintptr_t>(&simt_enter_fiber);
    frame[7] = frame[8] = 0;
    return frame;
}
#else
extern "C" void simt_switch_stack(void**, void*) noexcept {
    __builtin_trap(); // load() refuses every image on such a host
}
void* fiber_start(void*, void (*)(void*), void*) noexcept {
    return nullptr;
}
#endif

Stacks::~Stacks() {
    for (char* g : groups_) munmap(g, group * slot);
}

void* Stacks::base(std::size_t i) {
    while (groups_.size() <= i / group) {
        void* p = mmap(nullptr, group * slot, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) return nullptr;
        for (std::size_t k = 0; k < group; ++k)
            mprotect(static_cast<char*>(p) + k * slot, page, PROT_NONE);
        groups_.push_back(static_cast<char*>(p));
    }
    return groups_[i / group] + (i % group) * slot + page;
}

bool Stacks::overflowed(std::uintptr_t p) const {
    for (const char* g : groups_) {
        const auto begin = reinterpret_cast<std::uintptr_t>(g);
        if (p >= begin && p < begin + group * slot && (p - begin) % slot < page) return true;
    }
    return false;
}

} // namespace device_api::engine::simt
