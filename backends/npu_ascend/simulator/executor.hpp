// SPDX-License-Identifier: Apache-2.0
// The executor between the two phases.
#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "operator.hpp"

namespace cann_sim {

struct Executor {
    std::shared_ptr<Plan> plan;
    std::thread::id thread;   // of phase 1
    bool handed_over = false; // phase 2 may run on another thread
    int device = 0;           // the engine's, of phase 1
    std::atomic<bool> repeatable{false};
    std::atomic<bool> ran{false};
};

/// Does this thread prepare executors for another thread? Between InitHugeMemThreadLocal and
/// UnInitHugeMemThreadLocal it does.
bool& hands_over();

/// Run `body(Call&)` for a function of the operator interface: a precondition of the runtime that
/// fails is 361001 there, while the thread's last error keeps the runtime's own code.
template <class Body>
aclnnStatus operator_call(const char* name, Body body) noexcept {
    aclError blocked = ACL_SUCCESS;
    const aclError result = call(name, Need::nothing, [&](Call&) -> aclError {
        Call c(name, Need::work);
        blocked = c.blocked();
        return blocked ? ACLNN_ERR_RUNTIME_ERROR : body(c);
    });
    return result;
}

} // namespace cann_sim
