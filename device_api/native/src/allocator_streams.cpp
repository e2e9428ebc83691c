// SPDX-License-Identifier: Apache-2.0
// The allocator and streams: blocks that several streams use are held back.
#include <algorithm>

#include "allocator_parts.hpp"
#include "stream.hpp"
#include "waiting.hpp"

namespace device_api::core {

Pool* Allocator::make_pool(dah_stream* stream) {
    std::lock_guard<std::mutex> guard(mutex_);
    auto unused = std::find_if(pools_.begin(), pools_.end(),
                               [](const auto& pool) { return pool->stream == nullptr; });
    if (unused == pools_.end()) unused = pools_.insert(unused, std::make_unique<Pool>());
    (*unused)->stream = stream;
    return unused->get();
}

dah_stream* Allocator::maker(const Block& block) {
    std::lock_guard<std::mutex> guard(mutex_);
    dah_stream* stream = block.pool->stream;
    return stream && stream->id == block.stream_id && try_retain(*stream) ? stream : nullptr;
}

void Allocator::note_use(Block* block, dah_stream* stream) {
    std::lock_guard<std::mutex> guard(mutex_);
    if (!block->others) block->others = new std::vector<dah_stream*>;
    auto& others = *block->others;
    if (std::find(others.begin(), others.end(), stream) != others.end()) return;
    dah_stream_retain(stream);
    others.push_back(stream);
}

void Allocator::hold_back(Block* block) {
    Pending pending{block, {}};
    for (dah_stream* stream : *block->others) {
        dah_event* event = nullptr;
        const bool ok = stream->handle && dah_event_create(device_.handle, 0, &event) == DA_OK &&
                        dah_event_record(event, stream) == DA_OK;
        if (!ok) { // No event to be had: wait right here.
            settle(*stream);
            if (event) dah_event_destroy(event);
            event = nullptr;
        }
        pending.events.emplace_back(stream, event);
    }
    delete block->others;
    block->others = nullptr;
    pending_.push_back(std::move(pending));
}

void Allocator::poll_pending() {
    auto passed = [&](std::pair<dah_stream*, dah_event*>& entry) {
        if (!entry.second) return true;
        const da_status status = dah_event_query(entry.second);
        if (status == DA_NOT_READY) return false;
        dah_event_destroy(entry.second); // failed work does not use memory any more either
        entry.second = nullptr;
        return true;
    };
    std::vector<Pending> still;
    std::vector<dah_stream*> done;
    for (Pending& pending : pending_) {
        bool all = true;
        for (auto& entry : pending.events) all &= passed(entry);
        if (!all) {
            still.push_back(std::move(pending));
            continue;
        }
        for (auto& entry : pending.events) done.push_back(entry.first);
        give_back(pending.block);
    }
    pending_ = std::move(still);
    // The last release of a stream takes this lock again: leave it for later.
    retired_.insert(retired_.end(), done.begin(), done.end());
    if (!retired_.empty()) has_retired_ = true;
}

void Allocator::release_retired_streams() {
    std::vector<dah_stream*> streams;
    {
        std::lock_guard<std::mutex> guard(mutex_);
        streams.swap(retired_);
        has_retired_ = false;
    }
    for (dah_stream* stream : streams) dah_stream_release(stream);
}

void Allocator::retire_pool(dah_stream* stream) {
    std::lock_guard<std::mutex> guard(mutex_);
    // Its blocks, also those still alive, are free of the stream's work: the next one may use them.
    stream->pool->stream = nullptr;
}

// Without the lock, which the caller holds before and after: a callback that the wait waits for may
// free tensors.
void Allocator::wait_for_streams() {
    std::vector<dah_stream*> streams;
    for (auto& pool : pools_) {
        if (pool->stream && try_retain(*pool->stream)) streams.push_back(pool->stream);
    }
    mutex_.unlock();
    {
        const Waiting waiting;
        for (dah_stream* stream : streams) settle(*stream);
    }
    for (dah_stream* stream : streams) dah_stream_release(stream);
    mutex_.lock();
}

} // namespace device_api::core
