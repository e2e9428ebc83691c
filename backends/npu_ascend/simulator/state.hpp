// SPDX-License-Identifier: Apache-2.0
// The state of the simulated runtime: initialisation, contexts, streams and events.
//
// One state per process; it is never destroyed.  Rule for locks: nothing here calls the engine
// while it holds the state's lock, because the engine calls back to drop the state (reset).
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "call.hpp"

namespace cann_sim {

enum : std::uint32_t {
    kind_context = engine::kind_vendor,
    kind_tensor,
    kind_scalar,
    kind_int_array,
    kind_float_array,
    kind_bool_array,
    kind_tensor_list,
    kind_scalar_list,
    kind_executor
};

struct Context {
    int device = 0;          // the engine's
    int user_device = 0;     // as aclrtSetDevice counts (ASCEND_RT_VISIBLE_DEVICES)
    bool is_default = false; // made by aclrtSetDevice
    int references = 0;      // of a default context
    Handle handle = nullptr;
    Handle default_stream = nullptr;
    std::set<Handle> streams; // made in it, the default one apart; under the state's lock
    std::map<int, std::int64_t> options;
};

enum class CallbackStyle { none, report, host_func };

struct StreamInfo {
    std::weak_ptr<Context> context;
    std::atomic<std::uint64_t> report_thread{0}; // aclrtSubscribeReport; 0: none
    std::atomic<CallbackStyle> style{CallbackStyle::none};
    std::atomic<bool> failure_mode_set{false};
};

enum class EventKind { plain, flagged, extended };

struct EventInfo {
    EventKind kind = EventKind::plain;
    std::uint32_t flags = 0;
    std::atomic<bool> recorded{false}; // since creation or the last reset
};

/// Announce the vendor to the engine; first call of the process or after a reset of the simulator.
void ensure_engine();

bool initialised();
std::shared_ptr<Context> current_context();
void set_current_context(Handle context);

std::shared_ptr<StreamInfo> stream_info(Handle stream);
void add_stream_info(Handle stream, std::shared_ptr<StreamInfo> info);
void drop_stream_info(Handle stream);

std::shared_ptr<EventInfo> event_info(Handle event);
void add_event_info(Handle event, std::shared_ptr<EventInfo> info);
void drop_event_info(Handle event);

struct State {
    std::mutex lock;
    std::mutex lifecycle; // serialises set, reset and destruction of devices and contexts
    bool engine_known = false;
    std::uint64_t init_count = 0;
    bool finalised = false;
    std::string config;
    int default_device = -1;            // of the configuration, as aclrtSetDevice counts; -1: none
    bool operators_initialised = false; // aclnnInit
    std::map<Handle, std::shared_ptr<Context>> contexts;
    std::map<int, std::shared_ptr<Context>> default_contexts; // by the engine's device
    std::map<Handle, std::shared_ptr<StreamInfo>> streams;
    std::map<Handle, std::shared_ptr<EventInfo>> events;
    std::map<int, std::int64_t> options; // aclrtSetSysParamOpt
    std::map<int, int> saturation;       // by device; absent: the chip's default
};
State& state();

} // namespace cann_sim
