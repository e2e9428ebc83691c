// SPDX-License-Identifier: Apache-2.0
// The fork handler. It only sets a flag: a child that never touches the accelerator is not harmed.
#include "fork.hpp"

#include <mutex>
#include <pthread.h>

#include "device_api/simt/error.hpp"

namespace device_api::simt {

std::atomic<bool> forked_child{false};

void watch_forks() noexcept {
    static std::once_flag once;
    std::call_once(once, [] {
        pthread_atfork(nullptr, nullptr,
                       [] { forked_child.store(true, std::memory_order_relaxed); });
    });
}

da_status refuse_forked() noexcept {
    return fail(
        DA_FORKED, "start child processes with the method \"spawn\"",
        "this process was forked from one that uses the device; the driver's state does not "
        "survive that");
}

} // namespace device_api::simt
