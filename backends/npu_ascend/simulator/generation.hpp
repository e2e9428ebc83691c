// SPDX-License-Identifier: Apache-2.0
// Which CANN is simulated: DEVICE_API_SIM_NPU_CANN names the release of runtime and operators,
// DEVICE_API_SIM_NPU_OPP another one for the operators alone (a mixed installation). Read when the
// library is first used. The folders of generations/ hold the libraries' names of each.
#pragma once

#include <string>

namespace cann_sim {

struct Generation {
    const char* name; // as in the variables
    int api[3];       // of aclrtGetVersion
    const char* package;
    const char *major, *minor, *release;
    int number; // of aclsysGetVersionNum
};

/// Of the runtime, and of the operator packages.
const Generation& generation();
const Generation& operator_generation();
/// Why the environment's choice could not be had; "" when it could.
const std::string& generation_problem();

} // namespace cann_sim
