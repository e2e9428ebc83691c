// SPDX-License-Identifier: Apache-2.0
// Observers of ops, memory and copies. Unused, each place costs a relaxed load and a branch.
#pragma once

#include "dispatch.hpp"

namespace device_api::core {

// Kinds that somebody observes, and whether each op is waited for. Read on the hot path.
constexpr uint32_t watch_sync = 1u << 31;
extern std::atomic<uint32_t> watched_kinds;

inline bool watched(uint32_t kinds) {
    return __builtin_expect(watched_kinds.load(std::memory_order_relaxed) & kinds, 0);
}

// Runs the call by `run`, observed, and waits for it where that is asked for.
da_status run_observed(Call& call, da_status (*run)(Call&));

// Natively, for calls that need nothing else; the long way where somebody watches.
inline da_status run_short(Call& call) {
    return watched(DAH_OBSERVE_OP | watch_sync) ? execute(call) : run_native(call);
}

void tell_memory(const Block& block, uint32_t kind);
void tell_fallback(const Call& call, const char* reason, uint64_t bytes, double seconds);
void tell_composed(const Call& call);

// A block just given out, or NULL; told of it.
inline Block* told(Block* block) {
    if (watched(DAH_OBSERVE_ALLOC) && block) tell_memory(*block, DAH_OBSERVE_ALLOC);
    return block;
}

// Round a copy of bytes; copies that it is made of are not told of.
class CopySpan {
  public:
    CopySpan(const Device* target, const Device* source, uint64_t bytes, dah_stream* stream) {
        if (watched(DAH_OBSERVE_COPY)) begin(target, source, bytes, stream);
    }
    ~CopySpan() {
        if (span_) end();
    }
    CopySpan(const CopySpan&) = delete;
    CopySpan& operator=(const CopySpan&) = delete;
    da_status ends(da_status status) {
        status_ = status;
        return status;
    }

  private:
    void begin(const Device* target, const Device* source, uint64_t bytes, dah_stream* stream);
    void end();
    dah_observation seen(uint32_t phase) const;

    uint64_t span_ = 0;
    da_status status_ = DA_OK;
    const Device* target_ = nullptr;
    const Device* source_ = nullptr;
    uint64_t bytes_ = 0;
    dah_stream* stream_ = nullptr;
};

} // namespace device_api::core
