// SPDX-License-Identifier: Apache-2.0
// The allocator's blocks: size classes, slabs, best fit, splitting and merging.
#include <algorithm>
#include <chrono>

#include "allocator_parts.hpp"
#include "stream.hpp"

namespace device_api::core {
namespace {

constexpr uint64_t slab_size = 2 << 20;
constexpr uint64_t segment_unit = 2 << 20;
// Requests up to here share segments of that size; above, a segment is made to measure.
constexpr uint64_t shared_limit = 1 << 20;
constexpr uint64_t shared_segment = 20 << 20;

uint64_t class_size(int size_class) {
    if (size_class < 16) return static_cast<uint64_t>(size_class + 1) * 64;
    const int log = 10 + (size_class - 16) / 4;
    return (uint64_t{1} << log) + (static_cast<uint64_t>((size_class - 16) % 4 + 1) << (log - 2));
}

} // namespace

double seconds() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

int size_class_of(uint64_t bytes) {
    if (bytes <= 1024) return static_cast<int>((bytes + 63) / 64) - 1;
    const int log = 63 - __builtin_clzll(bytes - 1); // 2^log < bytes <= 2^(log+1)
    const int step = static_cast<int>((bytes - 1) >> (log - 2)) & 3;
    return 16 + (log - 10) * 4 + step;
}

Block* Allocator::new_block(Segment* segment, uint64_t offset, uint64_t size, Pool* pool) {
    Block* block;
    if (spare_.empty()) {
        block = new Block;
    } else {
        block = spare_.back();
        spare_.pop_back();
    }
    block->device = &device_;
    block->segment = segment;
    block->address = static_cast<char*>(segment->address) + offset;
    block->size = size;
    block->pool = pool;
    block->size_class = -1;
    block->previous = block->next = nullptr;
    block->owner = 0;
    block->stream_id = block->born = 0;
    block->born_at = 0;
    return block;
}

void Allocator::drop_block(Block* block) {
    spare_.push_back(block);
}

Segment* Allocator::grow_once(uint64_t size, da_status* status) {
    void* address = nullptr;
    *status = DA_DEVICE_LOST;
    if (refuses_) return nullptr;
    *status = DA_OUT_OF_MEMORY;
    if (limit_ && (size > limit_ || stats_.reserved > limit_ - size)) return nullptr;
    *status = device_.api().alloc(device_.self(), device_.index, size, &address);
    if (*status) return nullptr;
    if (!address || reinterpret_cast<uintptr_t>(address) % unit_) {
        *status = DA_INTERNAL; // a plugin that breaks the contract
        return nullptr;
    }
    auto* segment = new Segment;
    segment->address = address;
    segment->size = size;
    segments_.insert(segment);
    stats_.reserved += size;
    stats_.peak_reserved = std::max(stats_.peak_reserved, stats_.reserved);
    ++stats_.reserved_count;
    return segment;
}

Segment* Allocator::grow(uint64_t size, da_status* status) {
    Segment* segment = grow_once(size, status);
    if (segment || *status != DA_OUT_OF_MEMORY) return segment;
    if (wait_or_interrupt()) { // before anything is taken apart
        *status = interrupted;
        return nullptr;
    }
    if (!release_free_segments()) return nullptr;
    ++stats_.cache_releases;
    return grow_once(size, status);
}

Block* Allocator::take_small(int size_class, Pool& pool) {
    const uint64_t size = round_up(class_size(size_class), unit_);
    if (!pool.slab || pool.slab_used + size > pool.slab->size) {
        da_status status;
        Segment* segment = grow(round_up(slab_size, unit_), &status);
        if (!segment && status == DA_OUT_OF_MEMORY) segment = grow_once(size, &status);
        if (!segment) {
            out_of_memory(size, status);
            return nullptr;
        }
        segment->slab = true;
        pool.slab = segment;
        pool.slab_used = 0;
    }
    Block* block = new_block(pool.slab, pool.slab_used, size, &pool);
    block->size_class = static_cast<int8_t>(size_class);
    pool.slab->carved.push_back(block);
    pool.slab_used += size;
    return block;
}

Block* Allocator::take_large(uint64_t size, Pool& pool) {
    Block key;
    key.size = size;
    auto found = pool.large.lower_bound(&key);
    // A block far larger than asked would be cut up for little: leave it to larger requests.
    const bool wasteful =
        found != pool.large.end() && size > shared_limit && (*found)->size - size > size;
    if (found == pool.large.end() || wasteful) {
        const uint64_t want = size <= shared_limit ? shared_segment : round_up(size, segment_unit);
        da_status status = DA_OK;
        Segment* segment = grow(want, &status);
        if (!segment && want != size && status != interrupted)
            segment = grow(round_up(size, unit_), &status);
        if (segment) {
            Block* block = new_block(segment, 0, segment->size, &pool);
            segment->first = block;
            block->is_free = true;
            pool.large.insert(block);
        }
        found = pool.large.lower_bound(&key); // growing may have emptied the cache
        if (found == pool.large.end()) {
            out_of_memory(size, status);
            return nullptr;
        }
    }
    Block* block = *found;
    pool.large.erase(found);
    const uint64_t rest = block->size - size;
    if (rest >= small_limit) {
        Block* tail = new_block(block->segment,
                                static_cast<uint64_t>(static_cast<char*>(block->address) -
                                                      static_cast<char*>(block->segment->address)) +
                                    size,
                                rest, &pool);
        tail->previous = block;
        tail->next = block->next;
        if (block->next) block->next->previous = tail;
        block->next = tail;
        block->size = size;
        tail->is_free = true;
        pool.large.insert(tail);
    }
    block->born_at = seconds();
    return block;
}

void Allocator::give_back(Block* block) {
    block->is_free = true;
    Pool& pool = *block->pool;
    if (block->size_class >= 0) {
        Block*& head = pool.small[static_cast<size_t>(block->size_class)];
        block->next = head;
        head = block;
        return;
    }
    merge(block);
}

// Joins a large block with its free neighbours and files it.
void Allocator::merge(Block* block) {
    auto same_pool = [&](Block* other) {
        return other && other->is_free && !other->others && other->pool == block->pool;
    };
    Pool& pool = *block->pool;
    if (Block* next = block->next; same_pool(next)) {
        pool.large.erase(next);
        block->size += next->size;
        block->next = next->next;
        if (block->next) block->next->previous = block;
        drop_block(next);
    }
    if (Block* previous = block->previous; same_pool(previous)) {
        pool.large.erase(previous);
        previous->size += block->size;
        previous->next = block->next;
        if (previous->next) previous->next->previous = previous;
        drop_block(block);
        block = previous;
    }
    pool.large.insert(block);
}

} // namespace device_api::core
