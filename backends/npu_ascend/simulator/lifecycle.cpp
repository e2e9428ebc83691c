// SPDX-License-Identifier: Apache-2.0
// Making and ending contexts. Callers that must not interleave hold State::lifecycle.
#include "lifecycle.hpp"

#include "chip.hpp"

namespace cann_sim {

std::shared_ptr<Context> make_context(int user_device, bool is_default, Status* status) {
    auto context = std::make_shared<Context>();
    context->device = engine_device(user_device);
    context->user_device = user_device;
    context->is_default = is_default;
    *status = engine::stream_create(context->device, &context->default_stream);
    if (*status != Status::ok) return nullptr;
    context->handle = engine::handle_create(kind_context, context);
    if (!context->handle) {
        engine::stream_destroy(context->default_stream, true);
        *status = engine::fail(Status::out_of_resources, "too many contexts");
        return nullptr;
    }
    State& s = state();
    std::lock_guard<std::mutex> guard(s.lock);
    s.contexts[context->handle] = context;
    if (is_default) s.default_contexts[context->device] = context;
    return context;
}

std::shared_ptr<Context> context_of_default_device() {
    State& s = state();
    int user_device;
    {
        std::lock_guard<std::mutex> guard(s.lock);
        user_device = s.default_device;
    }
    if (user_device < 0) return nullptr;
    const int device = engine_device(user_device);
    if (device < 0 || engine::device_check(device) != Status::ok) return nullptr;
    std::lock_guard<std::mutex> lifecycle(s.lifecycle);
    {
        std::lock_guard<std::mutex> guard(s.lock);
        const auto it = s.default_contexts.find(device);
        if (it != s.default_contexts.end()) return it->second;
    }
    Status status;
    return make_context(user_device, true, &status);
}

void end_context(const std::shared_ptr<Context>& context, bool force) {
    std::vector<Handle> streams;
    {
        State& s = state();
        std::lock_guard<std::mutex> guard(s.lock);
        s.contexts.erase(context->handle);
        auto it = s.default_contexts.find(context->device);
        if (it != s.default_contexts.end() && it->second == context) s.default_contexts.erase(it);
        streams.assign(context->streams.begin(), context->streams.end());
    }
    for (Handle stream : streams) {
        drop_stream_info(stream);
        engine::stream_destroy(stream, force);
    }
    engine::stream_destroy(context->default_stream, force);
    engine::handle_take<Context>(kind_context, context->handle, nullptr);
}

std::size_t end_contexts_of(int device) {
    std::vector<std::shared_ptr<Context>> doomed;
    {
        std::lock_guard<std::mutex> guard(state().lock);
        for (auto& entry : state().contexts)
            if (device < 0 || entry.second->device == device) doomed.push_back(entry.second);
    }
    std::size_t made_by_callers = 0;
    for (auto& context : doomed) {
        if (!context->is_default || context->references > 0) ++made_by_callers;
        end_context(context, true);
    }
    return made_by_callers;
}

std::size_t end_all_contexts() {
    std::lock_guard<std::mutex> lifecycle(state().lifecycle);
    {
        std::lock_guard<std::mutex> guard(state().lock);
        state().default_device = -1;
    }
    return end_contexts_of(-1);
}

} // namespace cann_sim
