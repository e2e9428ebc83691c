// SPDX-License-Identifier: Apache-2.0
// Marks behind the work of streams that still use some memory.
#pragma once

#include <vector>

#include "stream.hpp"

namespace device_api::core {

// Holds a reference to the stream, which whoever forgets the use gives up (under no lock: the last
// release waits).
struct Use {
    dah_stream* stream;
    dah_event* event; // NULL once it has passed
};

// Sets a mark on each stream and takes over its reference; waits where no event is to be had. Under
// no lock that the client's code may want.
std::vector<Use> mark(Device& device, const std::vector<dah_stream*>& streams);

// Gives up the mark and the stream.
void drop(const Use& use);

// Whether all marks have been passed; never waits.
bool passed(std::vector<Use>& uses);

} // namespace device_api::core
