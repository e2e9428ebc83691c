// SPDX-License-Identifier: Apache-2.0
// Is this process a forked child of one that initialised the accelerator?
#pragma once

#include <atomic>
#include <mutex>
#include <pthread.h>

#include "device_api/adapter/error.hpp"

namespace device_api::adapter {

// The fork handler only sets this flag: a child that never touches the accelerator is not harmed.
inline std::atomic<bool> forked_child{false};

/// Cheap, takes no lock.
inline bool forked() noexcept {
    return forked_child.load(std::memory_order_relaxed);
}

/// From now on a forked child is one. Called before the vendor's library is initialised.
inline void watch_forks() noexcept {
    static std::once_flag once;
    std::call_once(once, [] {
        pthread_atfork(nullptr, nullptr,
                       [] { forked_child.store(true, std::memory_order_relaxed); });
    });
}

/// The error of a call in a forked child.
inline da_status refuse_forked() noexcept {
    return fail(DA_FORKED, "start child processes with the method \"spawn\"",
                "this process was forked from one that uses the device; the driver's state does "
                "not survive that");
}

} // namespace device_api::adapter
