// SPDX-License-Identifier: Apache-2.0
// The tables of plants, one for each subject.
#pragma once

#include "plant.hpp"

namespace device_api::planted {

struct Table {
    const Plant* rows;
    std::size_t count;
};

Table numerics(); // plants_numerics.cpp

using TableFn = Table (*)();
constexpr TableFn tables[] = {&numerics};

} // namespace device_api::planted
