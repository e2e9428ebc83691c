// SPDX-License-Identifier: Apache-2.0
// Choice of the instruction-set level, once, by what the processor and the system support.
#include <cstring>
#include <mutex>

#include "instance.hpp"

namespace device_api::cpu {
namespace {

struct Level {
    const char* name;
    bool (*available)();
    void (*install)(Kernels*);
};

void install_scalar(Kernels* table) {
    scalar::install_activation(table);
    scalar::install_complex_arithmetic(table);
    scalar::install_complex_math(table);
    scalar::install_integer(table);
    scalar::install_real(table);
}

#define DA_CPU_INSTALL(ns)                                                                         \
    [](Kernels* table) {                                                                           \
        table->level = #ns;                                                                        \
        install_scalar(table);                                                                     \
        ns::install_binary(table);                                                                 \
        ns::install_bits(table);                                                                   \
        ns::install_complex(table);                                                                \
        ns::install_activation(table);                                                             \
        ns::install_special(table);                                                                \
        ns::install_divide(table);                                                                 \
        ns::install_compare(table);                                                                \
        ns::install_unary(table);                                                                  \
        ns::install_math(table);                                                                   \
        ns::install_convert(table);                                                                \
        ns::install_move(table);                                                                   \
        ns::install_reduce(table);                                                                 \
        ns::install_normalize(table);                                                              \
        ns::install_convolution(table);                                                            \
        ns::install_matmul(table);                                                                 \
        ns::install_random(table);                                                                 \
    }

#if defined(__x86_64__)
[[maybe_unused]] bool has_v2() {
    return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("ssse3") &&
           __builtin_cpu_supports("popcnt");
}
[[maybe_unused]] bool has_v3() {
    return has_v2() && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("f16c") && __builtin_cpu_supports("lzcnt");
}
[[maybe_unused]] bool has_v4() {
    return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
// The best one first; a test build may leave levels out.
constexpr Level kLevels[] = {
#ifdef DA_CPU_LEVEL_v4
    {"v4", has_v4, DA_CPU_INSTALL(v4)},
#endif
#ifdef DA_CPU_LEVEL_v3
    {"v3", has_v3, DA_CPU_INSTALL(v3)},
#endif
#ifdef DA_CPU_LEVEL_v2
    {"v2", has_v2, DA_CPU_INSTALL(v2)},
#endif
};
#else
constexpr Level kLevels[] = {{"generic", [] { return true; }, DA_CPU_INSTALL(generic)}};
#endif
constexpr int kLevelCount = sizeof kLevels / sizeof kLevels[0];

Kernels tables[kLevelCount];
std::mutex tables_mutex;

const Kernels* table_of(int index) {
    const std::lock_guard<std::mutex> lock(tables_mutex);
    if (!tables[index].level) kLevels[index].install(&tables[index]);
    return &tables[index];
}

} // namespace

std::string levels_of_machine() {
    std::string names;
    for (const Level& level : kLevels)
        if (level.available()) names += (names.empty() ? "" : " ") + std::string(level.name);
    return names;
}

const Kernels* kernels_for(const char* wanted) {
    for (int i = 0; i < kLevelCount; ++i) {
        const bool named = std::strcmp(kLevels[i].name, wanted) == 0;
        if (*wanted && !named) continue;
        if (kLevels[i].available()) return table_of(i);
        if (!named) continue;
        fail(DA_NOT_SUPPORTED, "unset DEVICE_API_CPU_LEVEL (or option level) to use the best one",
             "this machine lacks the instruction-set level %s; it has: %s", wanted,
             levels_of_machine().c_str());
        return nullptr;
    }
    if (*wanted)
        fail(DA_INVALID_ARGUMENT, "levels are v2, v3 and v4 on x86-64 and generic elsewhere",
             "unknown instruction-set level \"%s\"", wanted);
    else
        fail(DA_NOT_SUPPORTED, "use a machine with SSE4.2 (x86-64-v2) or newer",
             "this processor has none of the supported instruction-set levels");
    return nullptr;
}

} // namespace device_api::cpu
