// SPDX-License-Identifier: Apache-2.0
// The smallest test frame: named cases, each run in a process of its own; a failed check ends it.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

namespace check {

struct Case {
    const char* name;
    void (*run)();
};

inline std::vector<Case>& cases() {
    static std::vector<Case> all;
    return all;
}

struct Registered {
    Registered(const char* name, void (*run)()) { cases().push_back({name, run}); }
};

[[noreturn]] inline void failed(const char* file, int line, const std::string& what) {
    std::fprintf(stderr, "%s:%d: %s\n", file, line, what.c_str());
    std::exit(1);
}

template <class T>
std::string text(const T& value) {
    if constexpr (std::is_enum_v<T>)
        return std::to_string(static_cast<long long>(value));
    else if constexpr (std::is_arithmetic_v<T>)
        return std::to_string(value);
    else
        return std::string(value);
}

template <class A, class B>
void equal(const char* file, int line, const char* what, const A& a, const B& b) {
    if (!(a == b)) failed(file, line, std::string(what) + ": " + text(a) + " != " + text(b));
}

} // namespace check

#define TEST(name)                                                                                 \
    static void test_##name();                                                                     \
    static const check::Registered registered_##name(#name, test_##name);                          \
    static void test_##name()

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) check::failed(__FILE__, __LINE__, #condition);                           \
    } while (false)

#define EQUAL(a, b) check::equal(__FILE__, __LINE__, #a " == " #b, a, b)
