// SPDX-License-Identifier: Apache-2.0
// Waiting with a limit, where the vendor can only be asked: often at first, then ever more seldom.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

#include "device_api/simt/error.hpp"

namespace device_api::simt {

/// Ask until the answer is not DA_NOT_READY, at most `timeout_ms` long.
template <class Query>
da_status wait_with_limit(std::int32_t timeout_ms, const char* what, Query query) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now(), end = begin + std::chrono::milliseconds(timeout_ms);
    constexpr std::chrono::microseconds eager(50), longest(500);
    for (;;) {
        const da_status status = query();
        if (status != DA_NOT_READY) return status;
        const auto now = Clock::now();
        if (now >= end)
            return fail(DA_TIMEOUT, nullptr, "%s was not done in %d ms", what, timeout_ms);
        if (now - begin < eager) continue;
        const auto pause = std::chrono::duration_cast<std::chrono::microseconds>((now - begin) / 8);
        std::this_thread::sleep_for(
            std::min({pause, longest,
                      std::chrono::duration_cast<std::chrono::microseconds>(end - now) +
                          std::chrono::microseconds(1)}));
    }
}

} // namespace device_api::simt
