// SPDX-License-Identifier: Apache-2.0
// The allocator's figures, the limit, and the snapshot of all segments and blocks.
#include <algorithm>
#include <chrono>

#include "allocator_parts.hpp"
#include "error.hpp"
#include "host_pool.hpp"
#include "op_info.hpp"

namespace device_api::core {
namespace {

uint16_t use_of(const Segment& segment) {
    if (segment.slab) return DAH_MEMORY_SMALL;
    return segment.first && segment.first->pool ? DAH_MEMORY_LARGE : DAH_MEMORY_DIRECT;
}

dah_memory_piece describe(const Block& block, uint16_t use, uint64_t allocations, double now) {
    dah_memory_piece piece{};
    piece.state = block.is_free ? DAH_MEMORY_FREE : block.held ? DAH_MEMORY_HELD : DAH_MEMORY_LIVE;
    piece.use = use;
    piece.address = block.address;
    piece.bytes = block.size;
    piece.owner = block.owner;
    piece.stream = block.stream_id;
    piece.age = block.born ? allocations - block.born : 0;
    piece.seconds = block.born_at > 0 ? now - block.born_at : -1;
    return piece;
}

// The part of a segment that is not cut up yet; none of 0 bytes.
uint64_t uncarved(const Segment& segment) {
    uint64_t rest = segment.slab ? segment.size : 0;
    for (const Block* block : segment.carved) rest -= block->size;
    return rest;
}

template <class F>
void each_block(const Segment& segment, F&& function) {
    for (const Block* block : segment.carved) function(*block);
    for (const Block* block = segment.first; block; block = block->next) function(*block);
}

} // namespace

void Allocator::stats(dah_memory_stats& out) {
    std::lock_guard<std::mutex> guard(mutex_);
    out = stats_;
    for (auto& pool : pools_) {
        if (!pool->large.empty()) {
            out.largest_free = std::max(out.largest_free, (*pool->large.rbegin())->size);
        }
    }
    if (device_.api().memory_info && !device_.forked) {
        device_.api().memory_info(device_.self(), device_.index, &out.device_free,
                                  &out.device_total);
    }
}

void Allocator::details(dah_memory_details& out) {
    const HostPool::Figures host = host_pool_->figures();
    std::lock_guard<std::mutex> guard(mutex_);
    if (!pending_.empty()) poll_pending();
    uint64_t free_large = 0;
    for (const Segment* segment : segments_) {
        uint64_t free_here = uncarved(*segment);
        each_block(*segment, [&](const Block& block) {
            if (!block.is_free) return;
            free_here += block.size;
            if (segment->slab) return;
            free_large += block.size;
            out.largest_free = std::max(out.largest_free, block.size);
        });
        out.cached += free_here;
        if (segment->live) out.stranded += free_here;
    }
    if (free_large) {
        out.fragmentation =
            1 - static_cast<double>(out.largest_free) / static_cast<double>(free_large);
    }
    out.limit = limit_;
    out.held_back = held_;
    out.pinned_reserved = host.reserved;
    out.pinned_allocated = host.allocated;
    out.pinned_live = host.live;
    out.peer_copies = peer_copies;
    out.staged_copies = staged_copies;
}

std::vector<dah_memory_piece> Allocator::snapshot() {
    std::lock_guard<std::mutex> guard(mutex_);
    if (!pending_.empty()) poll_pending();
    const double now = seconds();
    std::vector<dah_memory_piece> pieces;
    for (const Segment* segment : segments_) {
        dah_memory_piece whole{};
        whole.state = DAH_MEMORY_SEGMENT;
        whole.use = use_of(*segment);
        whole.address = segment->address;
        whole.bytes = segment->size;
        whole.seconds = -1;
        pieces.push_back(whole);
        each_block(*segment, [&](const Block& block) {
            pieces.push_back(describe(block, whole.use, stats_.allocations, now));
        });
        if (const uint64_t rest = uncarved(*segment)) {
            whole.state = DAH_MEMORY_UNCARVED;
            whole.address = static_cast<char*>(segment->address) + (segment->size - rest);
            whole.bytes = rest;
            pieces.push_back(whole);
        }
    }
    return pieces;
}

void Allocator::reset_peak() {
    std::lock_guard<std::mutex> guard(mutex_);
    stats_.peak_allocated = stats_.allocated;
    stats_.peak_reserved = stats_.reserved;
}

uint64_t Allocator::total_memory() {
    uint64_t available = 0, total = 0;
    if (device_.api().memory_info) {
        device_.api().memory_info(device_.self(), device_.index, &available, &total);
    }
    return total ? total : device_.properties.total_memory;
}

da_status Allocator::set_fraction(double fraction) {
    if (!(fraction > 0 && fraction <= 1)) {
        return fail(DA_INVALID_ARGUMENT,
                    "a memory fraction lies above 0 and is at most 1, not " +
                        std::to_string(fraction),
                    "give a number such as 0.5; 1 takes the limit away");
    }
    const uint64_t total = total_memory();
    if (!total) {
        return fail(DA_NOT_SUPPORTED,
                    "the plugin of " + device_.name() + " does not say how much memory there is",
                    "leave the fraction at 1");
    }
    std::lock_guard<std::mutex> guard(mutex_);
    fraction_ = fraction;
    limit_ = fraction < 1 ? static_cast<uint64_t>(static_cast<double>(total) * fraction) : 0;
    if (fraction < 1 && !limit_) limit_ = 1;
    return DA_OK;
}

} // namespace device_api::core

const char* dah_memory_owner(uint16_t owner) {
    using namespace device_api::core;
    switch (owner) {
    case DA_OP_NONE: return "";
    case owner_host_data: return "data from the host";
    case owner_empty: return "empty tensors";
    case owner_raw: return "raw memory";
    case owner_workspace: return "workspaces";
    case owner_direct: return "direct allocations";
    default: return owner <= DA_OP_COUNT ? op_info(owner).name : "";
    }
}
