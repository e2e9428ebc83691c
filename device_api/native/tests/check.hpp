// SPDX-License-Identifier: Apache-2.0
// The check of the native tests: says where and what, goes on, and fails the program at its end.
#pragma once

#include <cstdio>
#include <cstring>
#include <string>

#include "device_api/host.h"

inline int failed_checks = 0;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::printf("%s:%d: CHECK(%s) failed; last error: %s\n", __FILE__, __LINE__,           \
                        #condition, dah_last_error()->message);                                    \
            ++failed_checks;                                                                       \
        }                                                                                          \
    } while (0)

#define CHECK_OK(call) CHECK((call) == DA_OK)

// The last error's message holds `text`.
inline bool error_says(const char* text) {
    return std::strstr(dah_last_error()->message, text) != nullptr;
}

inline int report() {
    std::printf(failed_checks ? "%d checks failed\n" : "all checks passed\n", failed_checks);
    return failed_checks ? 1 : 0;
}
