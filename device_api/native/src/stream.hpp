// SPDX-License-Identifier: Apache-2.0
// Streams and events of the core, and each thread's current device and streams.
#pragma once

#include <atomic>

#include "device.hpp"

namespace device_api::core {
struct Pool;
}

struct dah_stream {
    std::atomic<int32_t> refs{1};
    device_api::core::Device* device;
    std::atomic<dab_stream> handle; // NULL once destroyed, or lost with its device
    dab_stream lost = nullptr;      // what it was when its device was reset: to be destroyed
    uint64_t id;
    device_api::core::Pool* pool;  // free blocks for this stream; the allocator's
    std::atomic<int32_t> noted{0}; // references that blocks hold: see Allocator::note_use
};

struct dah_event {
    device_api::core::Device* device;
    dab_event handle; // NULL where the plugin has no events
    uint32_t flags;
    bool recorded = false;
    double host_time = 0; // seconds, where the plugin has no events
};

namespace device_api::core {

// With the device's mutex held.
da_status make_default_stream(Device& device);
void destroy_streams(Device& device);

struct ThreadState {
    dah_device current = -1; // -1: the process default
    int32_t n_streams = 0;   // overrides of default streams in force
    int32_t policy = -1;     // fallback policy of this thread, -1: the process's
};
// Small and trivial, so it may use the fast kind of thread-local storage.
extern __attribute__((tls_model("initial-exec"))) thread_local ThreadState thread_state;

dah_stream* overriding_stream(const Device& device);

inline dah_stream* current_stream(const Device& device) {
    if (__builtin_expect(thread_state.n_streams != 0, 0)) {
        if (dah_stream* stream = overriding_stream(device)) return stream;
    }
    return device.default_stream;
}

// A further reference, unless the last one has just been given up.
inline bool try_retain(dah_stream& stream) {
    int32_t n = stream.refs.load();
    while (n > 0 && !stream.refs.compare_exchange_weak(n, n + 1)) {
    }
    return n > 0;
}

// Waits for the stream's work; names device and stream in the error. `op`: the only op that can
// have failed, 0 when it may have been any of those enqueued.
da_status synchronize(dah_stream& stream, int32_t timeout_ms = -1, uint16_t op = 0);

} // namespace device_api::core
