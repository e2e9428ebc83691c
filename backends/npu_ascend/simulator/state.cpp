// SPDX-License-Identifier: Apache-2.0
// Storage of the runtime's state and its registries.
#include "state.hpp"

#include "chip.hpp"
#include "lifecycle.hpp"

namespace cann_sim {

namespace {

thread_local Handle current = nullptr;

// The simulator was reset: all that was given out is dead.
void forget_everything() {
    State& s = state();
    std::lock_guard<std::mutex> guard(s.lock);
    s.init_count = 0;
    s.finalised = false;
    s.config.clear();
    s.default_device = -1;
    s.operators_initialised = false;
    s.contexts.clear();
    s.default_contexts.clear();
    s.streams.clear();
    s.events.clear();
    s.options.clear();
    s.saturation.clear();
    forget_chip();
}

struct KindName {
    std::uint32_t kind;
    const char* name;
};
constexpr KindName kind_names[] = {
    {kind_context, "aclrtContext"},      {kind_tensor, "aclTensor"},
    {kind_scalar, "aclScalar"},          {kind_int_array, "aclIntArray"},
    {kind_float_array, "aclFloatArray"}, {kind_bool_array, "aclBoolArray"},
    {kind_tensor_list, "aclTensorList"}, {kind_scalar_list, "aclScalarList"},
    {kind_executor, "aclOpExecutor"},
};

template <class Map>
typename Map::mapped_type find(const Map& map, Handle key) {
    std::lock_guard<std::mutex> guard(state().lock);
    auto it = map.find(key);
    return it == map.end() ? nullptr : it->second;
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
        v.name = "ascend";
        v.type = "npu";
        v.device_name = vendor_device_name;
        v.devices = 1;
        v.alignment = 64;
        v.padding = 32; // aclrtMalloc takes 32 bytes more than asked for
        v.max_streams = 2048;
        v.on_reset = forget_everything;
        describe_chips(&v);
        engine::vendor(v);
        for (const KindName& row : kind_names) engine::handle_kind_name(row.kind, row.name);
    });
}

bool initialised() {
    State& s = state();
    std::lock_guard<std::mutex> guard(s.lock);
    return s.init_count > 0 || s.operators_initialised;
}

std::shared_ptr<Context> current_context() {
    std::shared_ptr<Context> context = current ? find(state().contexts, current) : nullptr;
    return context ? context : context_of_default_device();
}

void set_current_context(Handle context) {
    current = context;
}

std::shared_ptr<StreamInfo> stream_info(Handle stream) {
    return find(state().streams, stream);
}

void add_stream_info(Handle stream, std::shared_ptr<StreamInfo> info) {
    std::shared_ptr<Context> context = info->context.lock();
    std::lock_guard<std::mutex> guard(state().lock);
    state().streams[stream] = std::move(info);
    if (context) context->streams.insert(stream);
}

void drop_stream_info(Handle stream) {
    std::lock_guard<std::mutex> guard(state().lock);
    auto it = state().streams.find(stream);
    if (it == state().streams.end()) return;
    if (std::shared_ptr<Context> context = it->second->context.lock())
        context->streams.erase(stream);
    state().streams.erase(it);
}

std::shared_ptr<EventInfo> event_info(Handle event) {
    return find(state().events, event);
}

void add_event_info(Handle event, std::shared_ptr<EventInfo> info) {
    std::lock_guard<std::mutex> guard(state().lock);
    state().events[event] = std::move(info);
}

void drop_event_info(Handle event) {
    std::lock_guard<std::mutex> guard(state().lock);
    state().events.erase(event);
}

} // namespace cann_sim

/// The one export that is not the vendor's: by it a simulated library is told from a real one.
SIM_EXPORT const das_control* das_control_table() {
    cann_sim::ensure_engine();
    return cann_sim::engine::control_table();
}
