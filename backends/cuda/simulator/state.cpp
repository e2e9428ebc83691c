// SPDX-License-Identifier: Apache-2.0
// Storage of the driver's state, and the life of contexts.
#include "state.hpp"

#include <cstdlib>
#include <cstring>
#include <sstream>

#include "chip.hpp"
#include "device_api/simctl.h"

namespace cuda_sim {
namespace {

// The simulator was reset: all that was given out is dead, and cuInit is to be called again.
void forget_everything() {
    forget_pools();
    State& s = state();
    std::lock_guard<std::mutex> guard(s.lock);
    s.initialised = false;
    s.visible.clear();
    s.contexts.clear();
    s.primaries.clear();
    s.primary_flags.clear();
    s.damaged.clear();
    s.streams.clear();
    s.events.clear();
}

template <class Map>
typename Map::mapped_type find(const Map& map, typename Map::key_type key) {
    std::lock_guard<std::mutex> guard(state().lock);
    const auto it = map.find(key);
    return it == map.end() ? typename Map::mapped_type() : it->second;
}

/// Indices and UUIDs in the order given; the list ends at the first that is none.
std::vector<int> devices_by_environment(int count) {
    std::vector<int> all;
    const char* text = std::getenv("CUDA_VISIBLE_DEVICES");
    if (!text) {
        for (int i = 0; i < count; ++i) all.push_back(i);
        return all;
    }
    std::stringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        char* end = nullptr;
        long index = std::strtol(part.c_str(), &end, 10);
        if (end == part.c_str() || *end) {
            index = -1;
            for (int i = 0; i < count; ++i)
                if (!part.empty() && uuid_text(i).compare(0, part.size(), part) == 0) index = i;
        }
        if (index < 0 || index >= count) break;
        for (const int known : all)
            if (known == index) return {};
        all.push_back(static_cast<int>(index));
    }
    return all;
}

} // namespace

State& state() {
    static State* s = new State;
    return *s;
}

void ensure_engine() {
    static std::once_flag once;
    std::call_once(once, [] {
        engine::Vendor v;
        v.name = "cuda";
        v.type = "cuda";
        v.device_name = vendor_device_name;
        v.alignment = 256;
        v.kernels_reach = true;
        v.copies_cross = true; // they go by the host where there is no peer access
        v.on_reset = forget_everything;
        describe_chips(&v);
        engine::vendor(v);
        const struct {
            std::uint32_t kind;
            const char* name;
        } names[] = {{kind_context, "CUcontext"},   {kind_module, "CUmodule"},
                     {kind_function, "CUfunction"}, {kind_library, "CUlibrary"},
                     {kind_kernel, "CUkernel"},     {kind_pool, "CUmemoryPool"}};
        for (const auto& n : names) engine::handle_kind_name(n.kind, n.name);
    });
}

bool initialised() {
    std::lock_guard<std::mutex> guard(state().lock);
    return state().initialised;
}

void set_initialised() {
    const std::vector<int> visible = devices_by_environment(engine::device_count());
    std::lock_guard<std::mutex> guard(state().lock);
    if (!state().initialised) state().visible = visible;
    state().initialised = true;
}

int visible_count() {
    std::lock_guard<std::mutex> guard(state().lock);
    return static_cast<int>(state().visible.size());
}

int engine_device(int ordinal) {
    std::lock_guard<std::mutex> guard(state().lock);
    const auto& all = state().visible;
    if (ordinal < 0 || ordinal >= static_cast<int>(all.size())) return -1;
    return all[static_cast<std::size_t>(ordinal)];
}

std::vector<Handle>& context_stack() {
    static thread_local std::vector<Handle> stack;
    return stack;
}

Handle current_handle() {
    return context_stack().empty() ? nullptr : context_stack().back();
}

ContextPtr find_context(Handle handle) {
    return handle ? find(state().contexts, handle) : nullptr;
}

ContextPtr current_context() {
    return find_context(current_handle());
}

ContextPtr make_context(int ordinal, bool primary, Status* status) {
    auto context = std::make_shared<Context>();
    context->device = engine_device(ordinal);
    context->ordinal = ordinal;
    context->primary = primary;
    *status = engine::stream_create(context->device, &context->default_stream);
    if (*status != Status::ok) return nullptr;
    context->handle = engine::handle_create(kind_context, context);
    State& s = state();
    std::lock_guard<std::mutex> guard(s.lock);
    s.contexts[context->handle] = context;
    if (primary) {
        s.primaries[ordinal] = context;
        context->flags = s.primary_flags[ordinal];
        if (s.damaged.count(ordinal)) context->sticky = s.damaged[ordinal];
    }
    return context;
}

void end_context(const ContextPtr& context, bool force) {
    std::vector<Handle> streams;
    {
        State& s = state();
        std::lock_guard<std::mutex> guard(s.lock);
        s.contexts.erase(context->handle);
        const auto it = s.primaries.find(context->ordinal);
        if (it != s.primaries.end() && it->second == context) s.primaries.erase(it);
        std::lock_guard<std::mutex> own(context->lock);
        streams.assign(context->streams.begin(), context->streams.end());
        for (const Handle h : streams) s.streams.erase(h);
    }
    for (const Handle h : streams) engine::stream_destroy(h, force);
    engine::stream_destroy(context->default_stream, force);
    engine::handle_take<Context>(kind_context, context->handle, nullptr);
}

ContextPtr primary_context(int ordinal) {
    return find(state().primaries, ordinal);
}

void damage(Context& context, CUresult code) {
    int none = 0;
    if (!context.sticky.compare_exchange_strong(none, code) || !context.primary) return;
    std::lock_guard<std::mutex> guard(state().lock);
    state().damaged[context.ordinal] = code;
}

std::shared_ptr<StreamInfo> stream_info(Handle stream) {
    return find(state().streams, stream);
}

std::shared_ptr<EventInfo> event_info(Handle event) {
    return find(state().events, event);
}

void order_with_default(Context& context, Handle stream) {
    const bool is_default = stream == context.default_stream;
    if (is_default) context.default_used = true;
    if (!context.default_used) return;
    std::vector<Handle> others;
    {
        std::lock_guard<std::mutex> guard(context.lock);
        if (is_default)
            others.assign(context.blocking.begin(), context.blocking.end());
        else
            others.push_back(context.default_stream);
    }
    for (const Handle other : others) {
        Handle event = nullptr;
        if (engine::event_create(&event) != Status::ok) return;
        if (engine::event_record(event, other) == Status::ok)
            engine::stream_wait_event(stream, event);
        engine::event_destroy(event);
    }
}

} // namespace cuda_sim

SIM_EXPORT const das_control* das_control_table() {
    cuda_sim::ensure_engine();
    return cuda_sim::engine::control_table();
}
