// SPDX-License-Identifier: Apache-2.0
// The tables of plants, one for each subject.
#pragma once

#include "plant.hpp"

namespace device_api::planted {

struct Table {
    const Plant* rows;
    std::size_t count;
};

Table numerics();     // plants_numerics.cpp
Table accumulation(); // plants_accumulation.cpp
Table edges();        // plants_edges.cpp
Table casts();        // plants_casts.cpp
Table layouts();      // plants_layouts.cpp
Table shapes();       // plants_shapes.cpp
Table states();       // plants_states.cpp
Table memory();       // plants_memory.cpp
Table streams();      // plants_streams.cpp
Table failures();     // plants_failures.cpp
Table devices();      // plants_devices.cpp
Table peers();        // plants_peers.cpp
Table groups();       // plants_groups.cpp
Table runtime();      // plants_runtime.cpp

using TableFn = Table (*)();
constexpr TableFn tables[] = {&numerics, &accumulation, &edges,  &casts,   &layouts,
                              &shapes,   &states,       &memory, &streams, &failures,
                              &devices,  &peers,        &groups, &runtime};

} // namespace device_api::planted
