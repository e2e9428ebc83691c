// SPDX-License-Identifier: Apache-2.0
// The allocator of a device that is lost or was reset.
#include "allocator_parts.hpp"
#include "error.hpp"
#include "host_pool.hpp"
#include "stream.hpp"

namespace device_api::core {
namespace {

template <class F>
void each_block(const Segment& segment, F&& function) {
    for (Block* block : segment.carved) function(block);
    for (Block *block = segment.first, *next; block; block = next) {
        next = block->next;
        function(block);
    }
}

} // namespace

Allocator::Allocator(Device& device, Allocator& before) : device_(device), unit_(before.unit_) {
    std::lock_guard<std::mutex> guard(before.mutex_);
    host_pool_ = before.host_pool_;
    limit_ = before.limit_;
    fraction_ = before.fraction_;
}

void Allocator::refuse() {
    refuses_ = true;
    attention_ = true;
}

void Allocator::accept() {
    refuses_ = false;
}

da_status Allocator::attend() {
    release_retired_streams();
    return refuses_ ? fail_lost(device_) : DA_OK;
}

void Allocator::bury() {
    std::vector<Pending> pending;
    std::vector<dah_stream*> streams;
    {
        std::lock_guard<std::mutex> guard(mutex_);
        buried_ = true;
        pending.swap(pending_);
        streams.swap(retired_);
        for (auto& pool : pools_) { // streams keep pointing to them
            pool->small.fill(nullptr);
            pool->large.clear();
            pool->slab = nullptr;
            pool->stream = nullptr;
        }
        for (Segment* segment : segments_) {
            each_block(*segment, [](Block* block) {
                if (block->is_free || block->held) {
                    delete block;
                    return;
                }
                block->segment = nullptr; // of a tensor that lives: see forget()
                block->previous = block->next = nullptr;
            });
            delete segment;
        }
        segments_.clear();
        for (Block* block : spare_) delete block;
        spare_.clear();
        stats_ = dah_memory_stats{};
        held_ = 0;
    }
    for (const Pending& p : pending) {
        for (const Use& use : p.uses) drop(use);
    }
    for (dah_stream* stream : streams) dah_stream_release(stream);
}

// The block of a tensor that has outlived the device.
bool Allocator::forget(Block* block) {
    delete block;
    return true;
}

} // namespace device_api::core
