// SPDX-License-Identifier: Apache-2.0
// The caching allocator that all backends share: one per device, stream-aware.
//
// Small requests are carved from slabs into size classes and never merged; large ones are taken
// best fit from segments, split and merged again. A free block goes back to the pool of the stream
// it was allocated for and may be given out again at once there, since streams run in order. A
// block that other streams used too is held back until those have passed.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

#include "device.hpp"
#include "device_api/host_memory.h"

namespace device_api::core {

class HostPool;
struct Segment;
struct Use;

// A piece of device memory; also the storage that tensors count references to.
struct Block {
    std::atomic<int32_t> refs{1};
    uint16_t owner = 0; // op that asked for it; beyond DA_OP_COUNT: see Owner
    bool is_free = false;
    bool held = false;      // given up, but other streams may still use it
    bool foreign = false;   // not the allocator's: `release(context)` ends it
    int8_t size_class = -1; // small blocks; -1 for large
    Device* device = nullptr;
    void* address = nullptr;
    uint64_t size = 0;
    struct Pool* pool = nullptr; // where it goes back to; NULL for direct ones
    uint64_t stream_id = 0;      // of the stream it was allocated for; never used again
    Segment* segment = nullptr;
    Block* previous = nullptr; // neighbours in the segment
    Block* next = nullptr;     // or next in a free list
    void (*release)(void*) = nullptr;
    void* context = nullptr;
    std::vector<dah_stream*>* others = nullptr; // further streams that used it
    uint64_t born = 0;                          // number of the allocation that it serves
    double born_at = 0; // seconds of the steady clock; large blocks only, else 0
};

// Who asked for a block when it was no op.
enum Owner : uint16_t {
    owner_host_data = 1000,
    owner_empty,
    owner_raw,
    owner_workspace,
    owner_direct
};

constexpr int n_size_classes = 48;

// Free blocks of one stream.
struct Pool {
    std::array<Block*, n_size_classes> small{};
    struct BySize {
        bool operator()(const Block* a, const Block* b) const {
            return a->size != b->size ? a->size < b->size : a->address < b->address;
        }
    };
    std::set<Block*, BySize> large;
    // The slab that small blocks are being carved from.
    Segment* slab = nullptr;
    uint64_t slab_used = 0;
    dah_stream* stream = nullptr; // NULL once the stream is gone; a new one may take the pool over
};

class Allocator {
  public:
    explicit Allocator(Device& device);
    // Of the same device after a reset: with its pinned memory and its limit.
    Allocator(Device& device, Allocator& before);
    ~Allocator();

    // A block of at least `bytes`; NULL with the error set.
    Block* allocate(uint64_t bytes, dah_stream* stream, uint16_t owner);
    // The last reference is gone.
    void deallocate(Block* block);
    // `stream` used the block too: it is not given out again before that work is done.
    void note_use(Block* block, dah_stream* stream);

    Block* allocate_direct(uint64_t bytes, uint16_t owner);
    // Blocks known by their address: `take_raw` forgets it, NULL when there is none.
    void remember_raw(Block* block);
    Block* take_raw(void* address);

    // The stream that the block was allocated for, with a reference; NULL when it is gone.
    dah_stream* maker(const Block& block);

    Pool* make_pool(dah_stream* stream);
    void retire_pool(dah_stream* stream);
    da_status empty_cache();
    void stats(dah_memory_stats& out);
    void details(dah_memory_details& out);
    std::vector<dah_memory_piece> snapshot();
    void reset_peak();
    // Of the device's memory, in (0, 1]; 1 takes the limit away.
    da_status set_fraction(double fraction);

    HostPool& host_pool() { return *host_pool_; }
    // Copies to this device from others of its type.
    std::atomic<uint64_t> peer_copies{0}, staged_copies{0};

    // The device is lost or reset: no memory is given out any more, nor anything given back.
    void refuse();
    void accept(); // again: it was not reset after all
    // Its memory is gone: forget all of it. Blocks that are still in use are dropped one by one.
    void bury();

    void lock();
    void unlock();
    // In the child, under the lock: the thread that gave segments back is not there.
    void after_fork() { releasing_ = false; }

  private:
    struct Pending;

    da_status attend(); // to what `attention_` was raised for
    bool forget(Block* block);
    Block* take_small(int size_class, Pool& pool);
    Block* take_large(uint64_t size, Pool& pool);
    // A segment from the plugin; when memory is short the cache is given back and it tries again.
    Segment* grow(uint64_t size, da_status* status);
    Segment* grow_once(uint64_t size, da_status* status);
    void wait_for_streams();                     // gives the lock up meanwhile
    da_status wait_or_interrupt();               // the same, until the client's interruption
    std::vector<dah_stream*> retained_streams(); // all that live
    void release_retired_streams();
    void forget_idle(std::vector<dah_stream*>& streams);
    Block* new_block(Segment* segment, uint64_t offset, uint64_t size, Pool* pool);
    void drop_block(Block* block);
    void give_back(Block* block);
    void merge(Block* block);
    void deallocate_shared(Block* block);
    uint64_t total_memory();
    void poll_pending();
    uint64_t release_free_segments();
    std::vector<Segment*> detach_free_segments();
    void release_segment(Segment* segment);
    void count_allocation(Block* block);
    void out_of_memory(uint64_t bytes, da_status status);
    std::string holders() const;

    Device& device_;
    uint64_t unit_; // all sizes are multiples of it
    std::mutex mutex_;
    std::vector<std::unique_ptr<Pool>> pools_;
    std::set<Segment*> segments_;
    std::vector<Block*> spare_; // Block structs for reuse
    std::vector<Pending> pending_;
    std::unordered_map<void*, Block*> raw_; // given out by address
    dah_memory_stats stats_{};
    uint64_t limit_ = 0;  // of what is held from the plugin; 0: none
    double fraction_ = 1; // the limit as it was given
    uint64_t held_ = 0;   // bytes in `pending_`
    std::shared_ptr<HostPool> host_pool_;
    std::vector<dah_stream*> retired_;   // references to give up outside the lock
    std::atomic<bool> attention_{false}; // `retired_` is not empty, or memory is refused
    std::atomic<bool> refuses_{false};
    bool buried_ = false;
    bool releasing_ = false; // a thread gives segments back, and has given the lock up meanwhile
    std::condition_variable released_;
};

inline void retain(Block* block) {
    block->refs.fetch_add(1, std::memory_order_relaxed);
}
void destroy(Block* block);
inline void release(Block* block) {
    if (block->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(block);
}

} // namespace device_api::core
