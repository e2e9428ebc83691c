// SPDX-License-Identifier: Apache-2.0
// Private: what the runner and compiled kernels share; the layout of prelude/core.h.
#pragma once

#include <cstdint>

namespace device_api::engine::simt {

struct Index3 {
    unsigned x, y, z;
};
struct Call {
    const unsigned char* params;
    Index3 grid, block, index;
    unsigned first, count;
    int backward;
    void* dynamic;
    unsigned dynamic_bytes;
};
struct Runtime {
    unsigned long (*meet)(unsigned thread, unsigned op, unsigned long mask, unsigned long value,
                          unsigned long other, unsigned line);
    void (*trap)(unsigned why, const char* text, unsigned line);
    unsigned long (*clock)();
};
struct EntryParam {
    unsigned offset, size;
};
struct Entry {
    const char* name;
    const void* address;
    void (*run)(const Call*);
    const EntryParam* params;
    unsigned count, bytes, max_threads, expression;
};
/// The one symbol that a module is found by.
struct Table {
    unsigned version, warp, level, count;
    const char* architecture;
    const Entry* entries;
    const Runtime** runtime;
};
constexpr unsigned table_version = 1;
constexpr const char* table_symbol = "simt_module_table";
/// In every image, with a word to whoever looks into it.
constexpr char image_mark[] = "SIMT-IMAGE-1: host code for a simulated device";

enum Op : unsigned {
    barrier,
    barrier_count,
    barrier_and,
    barrier_or,
    warp_sync,
    warp_shuffle,
    warp_ballot,
    warp_match,
    warp_add,
    warp_min_u,
    warp_max_u,
    warp_min_i,
    warp_max_i,
    warp_and,
    warp_or,
    warp_xor,
};
enum Trap : unsigned { trap_instruction = 1, trap_assertion = 2 };

/// How wide the vectors of the host are that images are compiled for.
enum Level : unsigned { level_baseline = 0, level_v3 = 1 };
unsigned host_level() noexcept;

extern const Runtime runtime;

} // namespace device_api::engine::simt
