// SPDX-License-Identifier: Apache-2.0
// The table of releases, and the choice among them.
#include "generation.hpp"

#include <cstdlib>
#include <cstring>

namespace cann_sim {
namespace {

constexpr Generation generations[] = {
    {"9.1", {1, 17, 0}, "9.1.0.simulated", "9", "1", "0", 9010000}, // unless one is named
    {"9.0", {1, 17, 0}, "9.0.0.simulated", "9", "0", "0", 9000000},
    {"8.1", {1, 13, 0}, "8.1.RC1.simulated", "8", "1", "RC1", 8010000},
};

struct Choice {
    const Generation* runtime = &generations[0];
    const Generation* operators = &generations[0];
    std::string problem;

    const Generation* named(const char* variable, const Generation* otherwise) {
        const char* name = std::getenv(variable);
        if (!name || !*name) return otherwise;
        for (const Generation& g : generations)
            if (std::strcmp(g.name, name) == 0) return &g;
        problem = std::string(variable) + "=" + name + " is not simulated; choose one of";
        for (const Generation& g : generations) problem += std::string(" ") + g.name;
        return otherwise;
    }
    Choice() {
        runtime = named("DEVICE_API_SIM_NPU_CANN", runtime);
        operators = named("DEVICE_API_SIM_NPU_OPP", runtime);
    }
};

const Choice& choice() {
    static const Choice* made = new Choice;
    return *made;
}

} // namespace

const Generation& generation() {
    return *choice().runtime;
}
const Generation& operator_generation() {
    return *choice().operators;
}
const std::string& generation_problem() {
    return choice().problem;
}

} // namespace cann_sim
