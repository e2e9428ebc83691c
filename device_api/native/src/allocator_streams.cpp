// SPDX-License-Identifier: Apache-2.0
// The allocator and streams: blocks that several streams use are held back.
#include <algorithm>

#include "allocator_parts.hpp"
#include "error.hpp"
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
    if (others.size() >= few_streams) forget_idle(others);
    dah_stream_retain(stream);
    ++stream->noted;
    others.push_back(stream);
}

// A block that lives long would keep every stream that ever used it: give up those that only blocks
// still hold, so that nobody can put more work on them, and that are idle.
void Allocator::forget_idle(std::vector<dah_stream*>& streams) {
    const auto unused = [](dah_stream* stream) {
        return stream->refs == stream->noted && dah_stream_query(stream) != DA_NOT_READY;
    };
    const auto kept = std::partition(streams.begin(), streams.end(),
                                     [&](dah_stream* stream) { return !unused(stream); });
    for (auto s = kept; s != streams.end(); ++s) {
        --(*s)->noted;
        retired_.push_back(*s);
    }
    if (kept == streams.end()) return;
    streams.erase(kept, streams.end());
    attention_ = true; // the last release of a stream takes the lock
}

// The marks are set without the lock: where there are no events, that waits for the streams, and a
// callback or the client's hooks may free tensors meanwhile.
void Allocator::deallocate_shared(Block* block) {
    const std::unique_ptr<std::vector<dah_stream*>> others(block->others);
    block->others = nullptr;
    for (dah_stream* stream : *others) --stream->noted; // the marks hold them from here on
    Pending pending{block, mark(device_, *others)};
    std::unique_lock<std::mutex> guard(mutex_);
    if (buried_ && forget(block)) {
        guard.unlock();
        for (const Use& use : pending.uses) drop(use);
        return;
    }
    stats_.allocated -= block->size;
    --stats_.live;
    ++stats_.frees;
    block->held = true; // and still one of its segment's, which must stay until then
    held_ += block->size;
    pending_.push_back(std::move(pending));
}

void Allocator::poll_pending() {
    std::vector<Pending> still;
    for (Pending& pending : pending_) {
        if (!passed(pending.uses)) {
            still.push_back(std::move(pending));
            continue;
        }
        // The last release of a stream takes this lock again: leave it for later.
        for (const Use& use : pending.uses) retired_.push_back(use.stream);
        pending.block->held = false;
        held_ -= pending.block->size;
        --pending.block->segment->live;
        give_back(pending.block);
    }
    pending_ = std::move(still);
    if (!retired_.empty()) attention_ = true;
}

void Allocator::release_retired_streams() {
    std::vector<dah_stream*> streams;
    {
        std::lock_guard<std::mutex> guard(mutex_);
        streams.swap(retired_);
        attention_ = refuses_.load();
    }
    for (dah_stream* stream : streams) dah_stream_release(stream);
}

void Allocator::retire_pool(dah_stream* stream) {
    std::lock_guard<std::mutex> guard(mutex_);
    // Its blocks, also those still alive, are free of the stream's work: the next one may use them.
    stream->pool->stream = nullptr;
}

std::vector<dah_stream*> Allocator::retained_streams() {
    std::vector<dah_stream*> streams;
    for (auto& pool : pools_) {
        if (pool->stream && try_retain(*pool->stream)) streams.push_back(pool->stream);
    }
    return streams;
}

da_status Allocator::wait_or_interrupt() {
    const std::vector<dah_stream*> streams = retained_streams();
    mutex_.unlock();
    da_status status = DA_OK;
    for (dah_stream* stream : streams) {
        if (!status) status = settle_or_interrupt(*stream);
    }
    const dah_error error = *dah_last_error(); // the releases may set another
    for (dah_stream* stream : streams) dah_stream_release(stream);
    if (status) fail(error);
    mutex_.lock();
    return status;
}

// Without the lock, which the caller holds before and after: a callback that the wait waits for may
// free tensors.
void Allocator::wait_for_streams() {
    const std::vector<dah_stream*> streams = retained_streams();
    mutex_.unlock();
    {
        const Waiting waiting;
        for (dah_stream* stream : streams) settle(*stream);
    }
    for (dah_stream* stream : streams) dah_stream_release(stream);
    mutex_.lock();
}

} // namespace device_api::core
