// SPDX-License-Identifier: Apache-2.0
// State of the plugin, and how its parts report errors.
#pragma once

#include <string>

#include "device_api/backend.h"
#include "kernels.hpp"

namespace device_api::cpu {

class Blas;
class LoadMeter;

// Records the error of this thread's failing call and returns its status.
da_status fail(da_status status, const char* remedy, const char* format, ...)
    __attribute__((format(printf, 3, 4), cold));
da_status last_status();
void last_error(dab_instance* self, dab_error* error);

// The table of a level: "" for the best one that this machine has. NULL after fail().
const Kernels* kernels_for(const char* level);
// Space-separated names of the levels that this machine has.
std::string levels_of_machine();

} // namespace device_api::cpu

struct dab_instance {
    const device_api::cpu::Kernels* kernels = nullptr;
    int threads = 1; // the calling thread included
    device_api::cpu::Blas* blas = nullptr;
    device_api::cpu::LoadMeter* load = nullptr;
};
