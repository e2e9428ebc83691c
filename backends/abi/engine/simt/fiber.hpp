// SPDX-License-Identifier: Apache-2.0
// Private: the smallest switch between stacks, and stacks with a page before them that nobody may
// touch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace device_api::engine::simt {

constexpr std::size_t fiber_stack = 128 << 10;

/// Save where this stack is into *from and go on at `to`.
extern "C" void simt_switch_stack(void** from, void* to) noexcept;

/// A stack that enters `function(argument)` when it is first switched to; the function never
/// returns.
void* fiber_start(void* stack_base, void (*function)(void*), void* argument) noexcept;

/// Grows to what a block needs; one for each thread that runs kernels.
class Stacks {
  public:
    ~Stacks();
    /// Base of stack i; null when there is no memory for it.
    void* base(std::size_t i);
    /// Whether p is in the forbidden page before a stack: it was used up.
    bool overflowed(std::uintptr_t p) const;

  private:
    static constexpr std::size_t group = 32;
    std::vector<char*> groups_;
};

} // namespace device_api::engine::simt
