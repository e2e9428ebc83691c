// SPDX-License-Identifier: Apache-2.0
// A tiny test harness: cases by name, CHECK counts failures, the program's exit code tells.
#pragma once

#include <cstdio>
#include <cstring>
#include <vector>

namespace check {

inline int failures = 0;

struct Case {
    const char* name;
    void (*run)();
};
inline std::vector<Case>& cases() {
    static std::vector<Case> all;
    return all;
}
struct Register {
    Register(const char* name, void (*run)()) { cases().push_back({name, run}); }
};

/// Run the cases whose name contains argv[1] (all without it).
inline int main(int argc, char** argv) {
    int ran = 0;
    for (const Case& c : cases()) {
        if (argc > 1 && !std::strstr(c.name, argv[1])) continue;
        const int before = failures;
        ++ran;
        c.run();
        std::printf("%-50s %s\n", c.name, failures == before ? "ok" : "FAILED");
        std::fflush(stdout);
    }
    if (!ran) std::printf("no case is named like that\n");
    return failures || !ran ? 1 : 0;
}

} // namespace check

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::printf("%s:%d: CHECK(%s)\n", __FILE__, __LINE__, #condition);                     \
            ++check::failures;                                                                     \
        }                                                                                          \
    } while (0)

#define TEST(name)                                                                                 \
    static void name();                                                                            \
    static const check::Register name##_registered(#name, name);                                   \
    static void name()
