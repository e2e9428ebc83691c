// SPDX-License-Identifier: Apache-2.0
// The state of the simulated driver: initialisation, contexts, streams and events.
//
// One state per process; it is never destroyed. Rule for locks: nothing here calls the engine while
// it holds the state's lock, because the engine calls back to drop the state (reset).
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "call.hpp"

namespace cuda_sim {

enum : std::uint32_t {
    kind_context = engine::kind_vendor,
    kind_module,
    kind_function,
    kind_library,
    kind_kernel,
    kind_pool,
};

struct Context {
    int device = 0; // the engine's
    int ordinal = 0;
    bool primary = false;
    int references = 0; // of a primary one
    unsigned flags = 0;
    Handle handle = nullptr, default_stream = nullptr;
    std::atomic<int> sticky{0}; // the failure that damaged it
    std::atomic<bool> default_used{false};

    std::mutex lock; // of what follows
    std::set<Handle> streams, blocking;
    std::size_t limits[8] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0, 0};

    bool blocking_stream(Handle s) {
        std::lock_guard<std::mutex> guard(lock);
        return blocking.count(s) != 0;
    }
};

struct StreamInfo {
    std::weak_ptr<Context> context;
    unsigned flags = 0;
    int priority = 0;
    std::uint64_t id = 0;
};
struct EventInfo {
    std::weak_ptr<Context> context;
    unsigned flags = 0;
};

/// Announce the vendor to the engine; first call of the process.
void ensure_engine();
bool initialised();
void set_initialised();

/// Devices that the process may see (CUDA_VISIBLE_DEVICES, as it was at cuInit).
int visible_count();
/// The engine's device behind an ordinal; -1 when there is none.
int engine_device(int ordinal);

ContextPtr current_context();
Handle current_handle();
std::vector<Handle>& context_stack(); // of this thread; the last is current
ContextPtr find_context(Handle handle);

/// A context with its default stream, registered; null when the engine refuses.
ContextPtr make_context(int ordinal, bool primary, Status* status);
/// Destroys its streams and forgets it; its memory stays the engine's to free.
void end_context(const ContextPtr& context, bool force);
ContextPtr primary_context(int ordinal);
void damage(Context& context, CUresult code);

std::shared_ptr<StreamInfo> stream_info(Handle stream);
std::shared_ptr<EventInfo> event_info(Handle event);
/// The default stream and the blocking ones take turns: all of one before later work of the other.
void order_with_default(Context& context, Handle stream);

/// The simulator was reset: all pools are gone.
void forget_pools();

struct State {
    std::mutex lock;
    std::mutex lifecycle; // serialises making and ending contexts
    bool initialised = false;
    std::vector<int> visible;
    std::map<Handle, ContextPtr> contexts;
    std::map<int, ContextPtr> primaries; // by ordinal
    std::map<int, unsigned> primary_flags;
    std::map<int, int> damaged; // by ordinal: what a primary context cannot recover from
    std::map<Handle, std::shared_ptr<StreamInfo>> streams;
    std::map<Handle, std::shared_ptr<EventInfo>> events;
    std::atomic<std::uint64_t> next_id{1};
};
State& state();

} // namespace cuda_sim
