// SPDX-License-Identifier: Apache-2.0
// When memory runs out: giving the cache back, and saying who holds what.
#include <algorithm>
#include <map>

#include "allocator_parts.hpp"
#include "error.hpp"
#include "waiting.hpp"

namespace device_api::core {
namespace {

std::string human(uint64_t bytes) {
    const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    int unit = 0;
    double value = static_cast<double>(bytes);
    for (; value >= 1024 && unit < 6; ++unit) value /= 1024;
    char text[48];
    std::snprintf(text, sizeof text, unit ? "%.2f %s" : "%.0f %s", value, units[unit]);
    return text;
}

} // namespace

void Allocator::release_segment(Segment* segment) {
    // Of a device that was reset the address may be another's by now.
    if (!device_.gone) device_.api().free(device_.self(), device_.index, segment->address);
    stats_.reserved -= segment->size;
    --stats_.reserved_count;
    segments_.erase(segment);
    delete segment;
}

// Takes every segment without a live block out of the pools, so that nobody is given its memory.
std::vector<Segment*> Allocator::detach_free_segments() {
    std::vector<Segment*> detached;
    for (Segment* segment : segments_) {
        if (segment->live == 0) detached.push_back(segment);
    }
    auto doomed = [](const Block* block) { return block->segment->live == 0; };
    for (auto& pool : pools_) {
        for (Block*& head : pool->small) {
            Block* kept = nullptr;
            for (Block *block = head, *next; block; block = next) {
                next = block->next;
                if (doomed(block)) continue; // dropped with its slab below
                block->next = kept;
                kept = block;
            }
            head = kept;
        }
        for (auto it = pool->large.begin(); it != pool->large.end();) {
            it = doomed(*it) ? pool->large.erase(it) : std::next(it);
        }
        if (pool->slab && pool->slab->live == 0) pool->slab = nullptr;
    }
    for (Segment* segment : detached) {
        for (Block* block : segment->carved) drop_block(block);
        for (Block *block = segment->first, *next; block; block = next) {
            next = block->next;
            drop_block(block);
        }
        segments_.erase(segment);
    }
    return detached;
}

// Gives every segment without a live block back to the plugin. The streams are waited for only
// after nobody can use these segments any more: the lock is given up meanwhile.
uint64_t Allocator::release_free_segments() {
    if (releasing_) { // what another thread gives back will do
        mutex_.unlock();
        {
            const Waiting waiting;
            std::unique_lock<std::mutex> lock(mutex_);
            while (releasing_) released_.wait(lock);
        }
        mutex_.lock();
        return 1;
    }
    releasing_ = true;
    uint64_t released = 0;
    // Twice: blocks that were held back for other streams are free after the first wait.
    for (int pass = 0; pass < 2; ++pass) {
        const std::vector<Segment*> detached = detach_free_segments();
        if (detached.empty() && pending_.empty()) break;
        wait_for_streams();
        for (Segment* segment : detached) {
            released += segment->size;
            release_segment(segment);
        }
        poll_pending();
    }
    releasing_ = false;
    released_.notify_all();
    return released;
}

// The largest holders of live memory, by the op that made it.
std::string Allocator::holders() const {
    std::map<uint16_t, std::pair<uint64_t, uint64_t>> by_owner;
    auto add = [&](const Block* block) {
        if (block->is_free || block->held) return;
        by_owner[block->owner].first += block->size;
        ++by_owner[block->owner].second;
    };
    for (const Segment* segment : segments_) {
        for (const Block* block : segment->carved) add(block);
        for (const Block* block = segment->first; block; block = block->next) add(block);
    }
    std::vector<std::pair<uint64_t, std::string>> rows;
    for (const auto& [owner, held] : by_owner) {
        rows.emplace_back(held.first, std::string(dah_memory_owner(owner)) + " " +
                                          human(held.first) + " in " + std::to_string(held.second) +
                                          (held.second == 1 ? " block" : " blocks"));
    }
    std::sort(rows.rbegin(), rows.rend());
    std::string text;
    for (size_t i = 0; i < rows.size() && i < 3; ++i) text += (i ? ", " : "") + rows[i].second;
    return text.empty() ? "nothing" : text;
}

void Allocator::out_of_memory(uint64_t bytes, da_status status) {
    if (status == interrupted) return; // the error is set
    if (refuses_) {
        fail_lost(device_);
        return;
    }
    if (status != DA_OUT_OF_MEMORY) {
        fail_vendor(*device_.backend, &device_, status, "allocating memory");
        return;
    }
    const bool limited = limit_ && (bytes > limit_ || stats_.reserved > limit_ - bytes);
    uint64_t free_bytes = 0, total = device_.properties.total_memory;
    if (device_.api().memory_info) {
        device_.api().memory_info(device_.self(), device_.index, &free_bytes, &total);
    }
    const std::string held = "; this process holds " + human(stats_.allocated) +
                             " in live blocks and " + human(stats_.reserved - stats_.allocated) +
                             " in its cache; most is held by: " + holders();
    const std::string asked = human(bytes) + " asked (" + std::to_string(bytes) + " bytes), ";
    if (limited) {
        char share[32];
        std::snprintf(share, sizeof share, "%g", fraction_);
        fail(DA_OUT_OF_MEMORY,
             device_.name() + " has reached the memory limit of this process: " + asked +
                 "the limit is " + human(limit_) + " (the fraction " + share +
                 " set by set_memory_fraction)" + held,
             "free tensors, use smaller batches, or raise the limit with "
             "device_api.set_memory_fraction()");
    } else {
        fail(DA_OUT_OF_MEMORY,
             device_.name() + " is out of memory: " + asked + human(free_bytes) + " of " +
                 human(total) + " free on the device" + held,
             "free tensors, use smaller batches, or call device_api.empty_cache() if another "
             "process needs the memory");
        add_vendor(*device_.backend, status);
    }
    annotate(DA_OUT_OF_MEMORY, 0, &device_);
}

} // namespace device_api::core
