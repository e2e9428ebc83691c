// SPDX-License-Identifier: Apache-2.0
// The caching allocator: requests, returns, and the figures.
#include "allocator.hpp"

#include <algorithm>

#include "allocator_parts.hpp"
#include "host_pool.hpp"
#include "observe.hpp"
#include "stream.hpp"

namespace device_api::core {

Allocator::Allocator(Device& device)
    : device_(device),
      unit_(device.properties.alignment),
      host_pool_(std::make_unique<HostPool>(device)) {}
Allocator::~Allocator() = default;

void Allocator::lock() {
    mutex_.lock();
    if (!buried_) host_pool_->lock(); // else it is the next one's
}
void Allocator::unlock() {
    if (!buried_) host_pool_->unlock();
    mutex_.unlock();
}

void Allocator::count_allocation(Block* block) {
    stats_.allocated += block->size;
    stats_.peak_allocated = std::max(stats_.peak_allocated, stats_.allocated);
    ++stats_.live;
    block->born = ++stats_.allocations;
    block->is_free = false;
    block->refs.store(1, std::memory_order_relaxed);
    if (block->segment) ++block->segment->live;
}

Block* Allocator::allocate(uint64_t bytes, dah_stream* stream, uint16_t owner) {
    if (__builtin_expect(attention_.load(std::memory_order_relaxed), 0) && attend()) return nullptr;
    std::lock_guard<std::mutex> guard(mutex_);
    if (__builtin_expect(!pending_.empty(), 0)) poll_pending();
    Block* block = nullptr;
    if (bytes <= small_limit) {
        const int size_class = size_class_of(std::max<uint64_t>(bytes, 1));
        Block*& head = stream->pool->small[static_cast<size_t>(size_class)];
        if (__builtin_expect(head != nullptr, 1)) {
            block = head;
            head = block->next;
        } else {
            block = take_small(size_class, *stream->pool);
        }
    } else if (bytes <= UINT64_MAX / 2) {
        block = take_large(round_up(bytes, std::max<uint64_t>(unit_, 512)), *stream->pool);
    } else {
        out_of_memory(bytes, DA_OUT_OF_MEMORY);
    }
    if (!block) return nullptr;
    block->owner = owner;
    block->pool = stream->pool;
    block->stream_id = stream->id;
    count_allocation(block);
    return block;
}

Block* Allocator::allocate_direct(uint64_t bytes, uint16_t owner) {
    if (attention_.load() && attend()) return nullptr;
    std::lock_guard<std::mutex> guard(mutex_);
    da_status status;
    Segment* segment = grow(round_up(bytes, unit_), &status);
    if (!segment) {
        out_of_memory(bytes, status);
        return nullptr;
    }
    Block* block = new_block(segment, 0, segment->size, nullptr);
    segment->first = block;
    block->owner = owner;
    count_allocation(block);
    return block;
}

void Allocator::deallocate(Block* block) {
    if (__builtin_expect(block->others != nullptr, 0)) return deallocate_shared(block);
    std::lock_guard<std::mutex> guard(mutex_);
    if (__builtin_expect(buried_, 0) && forget(block)) return;
    stats_.allocated -= block->size;
    --stats_.live;
    ++stats_.frees;
    if (!block->pool) { // direct: straight back to the plugin; live until then, so that it stays
        wait_for_streams();
        if (buried_ && forget(block)) return; // meanwhile
        Segment* segment = block->segment;
        drop_block(block);
        release_segment(segment);
        return;
    }
    --block->segment->live;
    give_back(block);
}

da_status Allocator::empty_cache() {
    {
        std::lock_guard<std::mutex> guard(mutex_);
        if (da_status status = wait_or_interrupt()) return status;
    }
    host_pool_->empty();
    std::lock_guard<std::mutex> guard(mutex_);
    release_free_segments();
    return DA_OK;
}

void Allocator::remember_raw(Block* block) {
    std::lock_guard<std::mutex> guard(mutex_);
    raw_[block->address] = block;
}

Block* Allocator::take_raw(void* address) {
    std::lock_guard<std::mutex> guard(mutex_);
    auto found = raw_.find(address);
    if (found == raw_.end()) return nullptr;
    Block* block = found->second;
    raw_.erase(found);
    return block;
}

void destroy(Block* block) {
    if (block->foreign) {
        if (block->release) block->release(block->context);
        delete block;
        return;
    }
    if (is_shut_down()) return; // the memory is gone already
    if (watched(DAH_OBSERVE_FREE)) tell_memory(*block, DAH_OBSERVE_FREE);
    block->device->allocator->deallocate(block);
}

} // namespace device_api::core
