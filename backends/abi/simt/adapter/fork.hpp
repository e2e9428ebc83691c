// SPDX-License-Identifier: Apache-2.0
// Is this process a forked child of one that initialised the accelerator?
#pragma once

#include <atomic>

#include "device_api/types.h"

namespace device_api::simt {

extern std::atomic<bool> forked_child;

/// Cheap, takes no lock.
inline bool forked() noexcept {
    return forked_child.load(std::memory_order_relaxed);
}

/// From now on a forked child is one. Called before the vendor's library is initialised.
void watch_forks() noexcept;

/// The error of a call in a forked child.
da_status refuse_forked() noexcept;

} // namespace device_api::simt
