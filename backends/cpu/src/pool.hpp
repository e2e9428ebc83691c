// SPDX-License-Identifier: Apache-2.0
// A pool of threads for loops of independent chunks.
//
// The caller claims chunks as well, and waits only for chunks that a worker has begun; a worker
// that wakes late finds nothing to do. What a chunk is never depends on the number of threads.
#pragma once

#include <cstdint>

namespace device_api::cpu {

using ChunkFunction = void (*)(void* context, int64_t chunk);

// Runs function(context, 0 .. chunks - 1), on `threads` threads at most, the caller among them.
void parallel(int threads, int64_t chunks, ChunkFunction function, void* context);

template <class F>
void parallel(int threads, int64_t chunks, F& body) {
    parallel(threads, chunks, [](void* f, int64_t chunk) { (*static_cast<F*>(f))(chunk); }, &body);
}

// CPUs that this process may run on.
int available_cpus();

} // namespace device_api::cpu
