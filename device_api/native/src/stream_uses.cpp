// SPDX-License-Identifier: Apache-2.0
// Marks behind the work of streams that still use some memory.
#include "stream_uses.hpp"

#include "waiting.hpp"

namespace device_api::core {

std::vector<Use> mark(Device& device, const std::vector<dah_stream*>& streams) {
    std::vector<Use> uses;
    for (dah_stream* stream : streams) {
        dah_event* event = nullptr;
        const bool ok = stream->handle && dah_event_create(device.handle, 0, &event) == DA_OK &&
                        dah_event_record(event, stream) == DA_OK;
        if (!ok) { // No event to be had: wait right here.
            settle(*stream);
            if (event) dah_event_destroy(event);
            event = nullptr;
        }
        uses.push_back({stream, event});
    }
    return uses;
}

void drop(const Use& use) {
    if (use.event) dah_event_destroy(use.event);
    dah_stream_release(use.stream);
}

bool passed(std::vector<Use>& uses) {
    bool all = true;
    for (Use& use : uses) {
        if (!use.event) continue;
        if (dah_event_query(use.event) == DA_NOT_READY) {
            all = false;
            continue;
        }
        dah_event_destroy(use.event); // failed work does not use memory any more either
        use.event = nullptr;
    }
    return all;
}

} // namespace device_api::core
