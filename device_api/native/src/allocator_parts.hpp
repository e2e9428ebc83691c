// SPDX-License-Identifier: Apache-2.0
// What the files of the allocator share.
#pragma once

#include "allocator.hpp"
#include "stream_uses.hpp"

namespace device_api::core {

struct Segment {
    Block* first = nullptr; // large: chain of neighbours
    void* address = nullptr;
    uint64_t size = 0;
    uint64_t live = 0; // blocks in use
    bool slab = false;
    std::vector<Block*> carved; // slabs: all blocks
};

// A block that waits for other streams.
struct Allocator::Pending {
    Block* block;
    std::vector<Use> uses;
};

// The client has interrupted a wait for memory, and the error is set: no status of a plugin.
constexpr auto interrupted = static_cast<da_status>(15);

// Requests up to here are small: they come from slabs, by size class.
constexpr uint64_t small_limit = 64 << 10;

// So many streams a block remembers before it looks whether some are done with.
constexpr size_t few_streams = 8;

inline uint64_t round_up(uint64_t n, uint64_t unit) {
    return (n + unit - 1) / unit * unit;
}

double seconds(); // of the steady clock

// Classes: multiples of 64 up to 1 KiB, then four steps to each doubling up to 64 KiB.
int size_class_of(uint64_t bytes);

} // namespace device_api::core
