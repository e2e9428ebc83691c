// SPDX-License-Identifier: Apache-2.0
// How compiled kernels reach device memory at its own addresses, and the host does not.
//
// Live allocations are mapped at their addresses under a protection key, which a thread opens while
// it runs a kernel. Without such keys they are mapped while any kernel runs, and hidden else.
#include <cerrno>
#include <sys/mman.h>

#include "memory.hpp"

namespace device_api::engine {
namespace {

constexpr std::uintptr_t page = 4096;

std::uintptr_t first_page(const Allocation& a) {
    return a.base & ~(page - 1);
}

std::size_t page_bytes(const Allocation& a) {
    return ((a.base + a.size + page - 1) & ~(page - 1)) - first_page(a);
}

} // namespace

bool DeviceMemory::show(const Allocation& a) {
    void* at = reinterpret_cast<void*>(first_page(a));
    const auto offset = static_cast<off_t>(first_page(a) - base_);
    const int open = PROT_READ | PROT_WRITE;
    const int first = key_ >= 0 ? PROT_NONE : open;
    if (mmap(at, page_bytes(a), first, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file_, offset) != at)
        return false;
    madvise(at, page_bytes(a), MADV_DONTFORK);
    return key_ < 0 || pkey_mprotect(at, page_bytes(a), open, key_) == 0;
}

void DeviceMemory::hide(const Allocation& a) {
    void* at = reinterpret_cast<void*>(first_page(a));
    if (mmap(at, page_bytes(a), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE,
             -1, 0) == at)
        madvise(at, page_bytes(a), MADV_DONTFORK);
}

void DeviceMemory::open() noexcept {
    if (key_ >= 0) {
        pkey_set(key_, 0);
        return;
    }
    std::lock_guard<std::mutex> lock(mutex_);
    if (reach_ && openers_++ == 0)
        for (const auto& entry : live_) show(*entry.second);
}

void DeviceMemory::close() noexcept {
    if (key_ >= 0) {
        pkey_set(key_, PKEY_DISABLE_ACCESS);
        return;
    }
    std::lock_guard<std::mutex> lock(mutex_);
    if (reach_ && --openers_ == 0)
        for (const auto& entry : live_) hide(*entry.second);
}

AllocationPtr DeviceMemory::touch(std::uintptr_t p) {
    std::lock_guard<std::mutex> lock(mutex_);
    AllocationPtr a = find_locked(p);
    if (a) {
        poison_untouched(*a, 0, a->size);
        ++a->pins;
    }
    return a;
}

} // namespace device_api::engine
