// SPDX-License-Identifier: Apache-2.0
// The caching allocator: size classes, splitting, merging, and what happens when memory runs out.
#include "allocator.hpp"

#include <algorithm>
#include <map>

#include "error.hpp"
#include "op_info.hpp"
#include "stream.hpp"

namespace device_api::core {

struct Segment {
    Block *first = nullptr; // large: chain of neighbours
    void *address = nullptr;
    uint64_t size = 0;
    uint64_t live = 0; // blocks in use
    bool slab = false;
    std::vector<Block *> carved; // slabs: all blocks
};

// A block that waits for other streams.
struct Allocator::Pending {
    Block *block;
    std::vector<std::pair<dah_stream *, dah_event *>> events;
};

namespace {

constexpr uint64_t small_limit = 64 << 10;
constexpr uint64_t slab_size = 2 << 20;
constexpr uint64_t segment_unit = 2 << 20;
// Requests up to here share segments of that size; above, a segment is made to measure.
constexpr uint64_t shared_limit = 1 << 20;
constexpr uint64_t shared_segment = 20 << 20;

uint64_t round_up(uint64_t n, uint64_t unit) { return (n + unit - 1) / unit * unit; }

// Classes: multiples of 64 up to 1 KiB, then four steps to each doubling up to 64 KiB.
int class_of(uint64_t bytes) {
    if (bytes <= 1024) return static_cast<int>((bytes + 63) / 64) - 1;
    const int log = 63 - __builtin_clzll(bytes - 1); // 2^log < bytes <= 2^(log+1)
    const int step = static_cast<int>((bytes - 1) >> (log - 2)) & 3;
    return 16 + (log - 10) * 4 + step;
}

uint64_t class_size(int size_class) {
    if (size_class < 16) return static_cast<uint64_t>(size_class + 1) * 64;
    const int log = 10 + (size_class - 16) / 4;
    return (uint64_t{1} << log) + (static_cast<uint64_t>((size_class - 16) % 4 + 1) << (log - 2));
}

const char *owner_name(uint16_t owner) {
    switch (owner) {
    case owner_host_data: return "data from the host";
    case owner_empty: return "empty tensors";
    case owner_raw: return "raw memory";
    case owner_workspace: return "workspaces";
    case owner_direct: return "direct allocations";
    default: return op_info(owner).name;
    }
}

std::string human(uint64_t bytes) {
    const char *units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    int unit = 0;
    double value = static_cast<double>(bytes);
    for (; value >= 1024 && unit < 6; ++unit) value /= 1024;
    char text[48];
    std::snprintf(text, sizeof text, unit ? "%.2f %s" : "%.0f %s", value, units[unit]);
    return text;
}

} // namespace

Allocator::Allocator(Device &device) : device_(device), unit_(device.properties.alignment) {}
Allocator::~Allocator() = default;

Pool *Allocator::make_pool(dah_stream *stream) {
    std::lock_guard<std::mutex> guard(mutex_);
    pools_.push_back(std::make_unique<Pool>());
    pools_.back()->stream = stream;
    return pools_.back().get();
}

void Allocator::count_allocation(Block *block) {
    stats_.allocated += block->size;
    stats_.peak_allocated = std::max(stats_.peak_allocated, stats_.allocated);
    ++stats_.live;
    ++stats_.allocations;
    block->is_free = false;
    block->refs.store(1, std::memory_order_relaxed);
    if (block->segment) ++block->segment->live;
}

Block *Allocator::new_block(Segment *segment, uint64_t offset, uint64_t size,
                            dah_stream *stream) {
    Block *block;
    if (spare_.empty()) {
        block = new Block;
    } else {
        block = spare_.back();
        spare_.pop_back();
    }
    block->device = &device_;
    block->segment = segment;
    block->address = static_cast<char *>(segment->address) + offset;
    block->size = size;
    block->stream = stream;
    block->size_class = -1;
    block->previous = block->next = nullptr;
    return block;
}

void Allocator::drop_block(Block *block) { spare_.push_back(block); }

Segment *Allocator::grow_once(uint64_t size, da_status *status) {
    void *address = nullptr;
    *status = device_.api().alloc(device_.self(), device_.index, size, &address);
    if (*status) return nullptr;
    auto *segment = new Segment;
    segment->address = address;
    segment->size = size;
    segments_.insert(segment);
    stats_.reserved += size;
    stats_.peak_reserved = std::max(stats_.peak_reserved, stats_.reserved);
    ++stats_.reserved_count;
    return segment;
}

Segment *Allocator::grow(uint64_t size, da_status *status) {
    Segment *segment = grow_once(size, status);
    if (segment || *status != DA_OUT_OF_MEMORY || segments_.empty()) return segment;
    if (!release_free_segments()) return nullptr;
    ++stats_.cache_releases;
    return grow_once(size, status);
}

Block *Allocator::take_small(int size_class, dah_stream *stream) {
    Pool &pool = *stream->pool;
    const uint64_t size = round_up(class_size(size_class), unit_);
    if (!pool.slab || pool.slab_used + size > pool.slab->size) {
        da_status status;
        Segment *segment = grow(round_up(slab_size, unit_), &status);
        if (!segment) {
            out_of_memory(size, status);
            return nullptr;
        }
        segment->slab = true;
        pool.slab = segment;
        pool.slab_used = 0;
    }
    Block *block = new_block(pool.slab, pool.slab_used, size, stream);
    block->size_class = static_cast<int8_t>(size_class);
    pool.slab->carved.push_back(block);
    pool.slab_used += size;
    return block;
}

Block *Allocator::take_large(uint64_t size, dah_stream *stream) {
    Pool &pool = *stream->pool;
    Block key;
    key.size = size;
    auto found = pool.large.lower_bound(&key);
    // A block far larger than asked would be cut up for little: leave it to larger requests.
    const bool wasteful = found != pool.large.end() && size > shared_limit &&
                          (*found)->size - size > size;
    if (found == pool.large.end() || wasteful) {
        const uint64_t want = size <= shared_limit ? shared_segment : round_up(size, segment_unit);
        da_status status = DA_OK;
        Segment *segment = grow(want, &status);
        if (!segment && want != size) segment = grow(round_up(size, unit_), &status);
        if (segment) {
            Block *block = new_block(segment, 0, segment->size, stream);
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
    Block *block = *found;
    pool.large.erase(found);
    const uint64_t rest = block->size - size;
    if (rest >= small_limit) {
        Block *tail = new_block(block->segment,
                                static_cast<uint64_t>(static_cast<char *>(block->address) -
                                                      static_cast<char *>(
                                                          block->segment->address)) + size,
                                rest, stream);
        tail->previous = block;
        tail->next = block->next;
        if (block->next) block->next->previous = tail;
        block->next = tail;
        block->size = size;
        tail->is_free = true;
        pool.large.insert(tail);
    }
    return block;
}

Block *Allocator::allocate(uint64_t bytes, dah_stream *stream, uint16_t owner) {
    if (__builtin_expect(has_retired_.load(std::memory_order_relaxed), 0)) {
        release_retired_streams();
    }
    std::lock_guard<std::mutex> guard(mutex_);
    if (__builtin_expect(!pending_.empty(), 0)) poll_pending(false);
    Block *block = nullptr;
    if (bytes <= small_limit) {
        const int size_class = class_of(std::max<uint64_t>(bytes, 1));
        Block *&head = stream->pool->small[static_cast<size_t>(size_class)];
        if (__builtin_expect(head != nullptr, 1)) {
            block = head;
            head = block->next;
        } else {
            block = take_small(size_class, stream);
        }
    } else if (bytes <= UINT64_MAX / 2) {
        block = take_large(round_up(bytes, std::max<uint64_t>(unit_, 512)), stream);
    } else {
        out_of_memory(bytes, DA_OUT_OF_MEMORY);
    }
    if (!block) return nullptr;
    block->owner = owner;
    block->stream = stream;
    count_allocation(block);
    return block;
}

Block *Allocator::allocate_direct(uint64_t bytes, uint16_t owner) {
    std::lock_guard<std::mutex> guard(mutex_);
    da_status status;
    Segment *segment = grow(round_up(bytes, unit_), &status);
    if (!segment) {
        out_of_memory(bytes, status);
        return nullptr;
    }
    Block *block = new_block(segment, 0, segment->size, nullptr);
    segment->first = block;
    block->owner = owner;
    count_allocation(block);
    return block;
}

void Allocator::deallocate(Block *block) {
    std::lock_guard<std::mutex> guard(mutex_);
    stats_.allocated -= block->size;
    --stats_.live;
    ++stats_.frees;
    if (block->segment) --block->segment->live;
    if (!block->stream) { // direct: straight back to the plugin
        wait_for_streams();
        Segment *segment = block->segment;
        drop_block(block);
        release_segment(segment);
        return;
    }
    if (__builtin_expect(block->others != nullptr, 0)) return hold_back(block);
    give_back(block);
}

void Allocator::give_back(Block *block) {
    block->is_free = true;
    Pool &pool = *block->stream->pool;
    if (block->size_class >= 0) {
        Block *&head = pool.small[static_cast<size_t>(block->size_class)];
        block->next = head;
        head = block;
        return;
    }
    merge(block);
}

// Joins a large block with its free neighbours and files it.
void Allocator::merge(Block *block) {
    auto same_pool = [&](Block *other) {
        return other && other->is_free && !other->others &&
               other->stream->pool == block->stream->pool;
    };
    Pool &pool = *block->stream->pool;
    if (Block *next = block->next; same_pool(next)) {
        pool.large.erase(next);
        block->size += next->size;
        block->next = next->next;
        if (block->next) block->next->previous = block;
        drop_block(next);
    }
    if (Block *previous = block->previous; same_pool(previous)) {
        pool.large.erase(previous);
        previous->size += block->size;
        previous->next = block->next;
        if (previous->next) previous->next->previous = previous;
        drop_block(block);
        block = previous;
    }
    pool.large.insert(block);
}

void Allocator::note_use(Block *block, dah_stream *stream) {
    std::lock_guard<std::mutex> guard(mutex_);
    if (!block->others) block->others = new std::vector<dah_stream *>;
    auto &others = *block->others;
    if (std::find(others.begin(), others.end(), stream) != others.end()) return;
    dah_stream_retain(stream);
    others.push_back(stream);
}

void Allocator::hold_back(Block *block) {
    Pending pending{block, {}};
    for (dah_stream *stream : *block->others) {
        dah_event *event = nullptr;
        const bool ok = stream->handle && dah_event_create(device_.handle, 0, &event) == DA_OK &&
                        dah_event_record(event, stream) == DA_OK;
        if (!ok) { // No event to be had: wait right here.
            if (stream->handle) synchronize(*stream);
            if (event) dah_event_destroy(event);
            event = nullptr;
        }
        pending.events.emplace_back(stream, event);
    }
    delete block->others;
    block->others = nullptr;
    pending_.push_back(std::move(pending));
}

void Allocator::poll_pending(bool wait) {
    auto passed = [&](std::pair<dah_stream *, dah_event *> &entry) {
        if (!entry.second) return true;
        const da_status status = wait ? dah_event_synchronize(entry.second, -1)
                                      : dah_event_query(entry.second);
        if (status == DA_NOT_READY) return false;
        dah_event_destroy(entry.second); // failed work does not use memory any more either
        entry.second = nullptr;
        return true;
    };
    std::vector<Pending> still;
    std::vector<dah_stream *> done;
    for (Pending &pending : pending_) {
        bool all = true;
        for (auto &entry : pending.events) all &= passed(entry);
        if (!all) {
            still.push_back(std::move(pending));
            continue;
        }
        for (auto &entry : pending.events) done.push_back(entry.first);
        give_back(pending.block);
    }
    pending_ = std::move(still);
    // The last release of a stream takes this lock again: leave it for later.
    retired_.insert(retired_.end(), done.begin(), done.end());
    if (!retired_.empty()) has_retired_ = true;
}

void Allocator::release_retired_streams() {
    std::vector<dah_stream *> streams;
    {
        std::lock_guard<std::mutex> guard(mutex_);
        streams.swap(retired_);
        has_retired_ = false;
    }
    for (dah_stream *stream : streams) dah_stream_release(stream);
}

void Allocator::retire_pool(dah_stream *stream) {
    std::lock_guard<std::mutex> guard(mutex_);
    poll_pending(true);
    Pool *from = stream->pool;
    Pool *to = device_.default_stream->pool;
    from->stream = nullptr;
    if (from == to) return;
    stream->pool = to;
    for (size_t i = 0; i < from->small.size(); ++i) {
        while (Block *block = from->small[i]) {
            from->small[i] = block->next;
            block->next = to->small[i];
            to->small[i] = block;
        }
    }
    to->large.insert(from->large.begin(), from->large.end());
    from->large.clear();
}

void Allocator::release_segment(Segment *segment) {
    device_.api().free(device_.self(), device_.index, segment->address);
    stats_.reserved -= segment->size;
    --stats_.reserved_count;
    segments_.erase(segment);
    delete segment;
}

void Allocator::wait_for_streams() {
    for (auto &pool : pools_) {
        if (pool->stream && pool->stream->handle) synchronize(*pool->stream);
    }
}

// Gives every segment without a live block back to the plugin.
uint64_t Allocator::release_free_segments() {
    wait_for_streams();
    poll_pending(true);
    std::vector<Segment *> free_segments;
    for (Segment *segment : segments_) {
        if (segment->live == 0) free_segments.push_back(segment);
    }
    auto doomed = [](const Block *block) { return block->segment->live == 0; };
    for (auto &pool : pools_) {
        for (Block *&head : pool->small) {
            Block *kept = nullptr;
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
    uint64_t released = 0;
    for (Segment *segment : free_segments) {
        released += segment->size;
        for (Block *block : segment->carved) drop_block(block);
        for (Block *block = segment->first, *next; block; block = next) {
            next = block->next;
            drop_block(block);
        }
        release_segment(segment);
    }
    return released;
}

da_status Allocator::empty_cache() {
    std::lock_guard<std::mutex> guard(mutex_);
    release_free_segments();
    return DA_OK;
}

// The largest holders of live memory, by the op that made it.
std::string Allocator::holders() const {
    std::map<uint16_t, std::pair<uint64_t, uint64_t>> by_owner;
    auto add = [&](const Block *block) {
        if (block->is_free) return;
        by_owner[block->owner].first += block->size;
        ++by_owner[block->owner].second;
    };
    for (const Segment *segment : segments_) {
        for (const Block *block : segment->carved) add(block);
        for (const Block *block = segment->first; block; block = block->next) add(block);
    }
    std::vector<std::pair<uint64_t, std::string>> rows;
    for (const auto &[owner, held] : by_owner) {
        rows.emplace_back(held.first, std::string(owner_name(owner)) + " " + human(held.first) +
                                          " in " + std::to_string(held.second) +
                                          (held.second == 1 ? " block" : " blocks"));
    }
    std::sort(rows.rbegin(), rows.rend());
    std::string text;
    for (size_t i = 0; i < rows.size() && i < 3; ++i) text += (i ? ", " : "") + rows[i].second;
    return text.empty() ? "nothing" : text;
}

void Allocator::out_of_memory(uint64_t bytes, da_status status) {
    if (status != DA_OUT_OF_MEMORY) {
        fail_vendor(*device_.backend, &device_, status, "allocating memory");
        return;
    }
    uint64_t free_bytes = 0, total = device_.properties.total_memory;
    if (device_.api().memory_info) {
        device_.api().memory_info(device_.self(), device_.index, &free_bytes, &total);
    }
    fail(DA_OUT_OF_MEMORY,
         device_.name() + " is out of memory: " + human(bytes) + " asked (" +
             std::to_string(bytes) + " bytes), " + human(free_bytes) + " of " + human(total) +
             " free on the device; this process holds " + human(stats_.allocated) +
             " in live blocks and " + human(stats_.reserved - stats_.allocated) +
             " in its cache; most is held by: " + holders(),
         "free tensors, use smaller batches, or call device_api.empty_cache() if another process "
         "needs the memory");
    annotate(DA_OUT_OF_MEMORY, 0, &device_);
}

void Allocator::remember_raw(Block *block) {
    std::lock_guard<std::mutex> guard(mutex_);
    raw_[block->address] = block;
}

Block *Allocator::take_raw(void *address) {
    std::lock_guard<std::mutex> guard(mutex_);
    auto found = raw_.find(address);
    if (found == raw_.end()) return nullptr;
    Block *block = found->second;
    raw_.erase(found);
    return block;
}

void Allocator::stats(dah_memory_stats &out) {
    std::lock_guard<std::mutex> guard(mutex_);
    out = stats_;
    for (auto &pool : pools_) {
        if (!pool->large.empty()) {
            out.largest_free = std::max(out.largest_free, (*pool->large.rbegin())->size);
        }
    }
    if (device_.api().memory_info && !device_.forked) {
        device_.api().memory_info(device_.self(), device_.index, &out.device_free,
                                  &out.device_total);
    }
}

void Allocator::reset_peak() {
    std::lock_guard<std::mutex> guard(mutex_);
    stats_.peak_allocated = stats_.allocated;
    stats_.peak_reserved = stats_.reserved;
}

void destroy(Block *block) {
    if (block->foreign) {
        if (block->release) block->release(block->context);
        delete block;
        return;
    }
    if (is_shut_down()) return; // the memory is gone already
    block->device->allocator->deallocate(block);
}

} // namespace device_api::core
