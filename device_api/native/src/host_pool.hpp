// SPDX-License-Identifier: Apache-2.0
// Page-locked host memory of one device, cached: locking pages is slow, so pieces are kept for
// reuse.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "stream_uses.hpp"

namespace device_api::core {

class HostPool {
  public:
    explicit HostPool(Device& device) : device_(device) {}

    // Aligned to 4096 where it is the pool's own memory; else as the plugin does it.
    da_status take(uint64_t bytes, void** address);
    // The piece is given out again once the streams that use it have passed.
    da_status give(void* address);
    // `stream` uses the memory that `address` lies in; nothing to do where it is not the pool's.
    void note_use(const void* address, dah_stream* stream);
    bool owns(const void* address);
    // Gives what is not in use back to the plugin; waits for streams that use freed pieces.
    void empty();

    struct Figures {
        uint64_t reserved = 0, allocated = 0, live = 0;
    };
    Figures figures();

    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }

  private:
    struct Piece {
        uint64_t size = 0;
        bool live = false;
        std::vector<dah_stream*> streams; // that use it; held by a reference each
    };
    struct Pending {
        void* address;
        std::vector<Use> uses;
    };

    Piece* find(const void* address); // that it lies in and is in use
    void* take_cached(uint64_t size);
    da_status lock_pages(uint64_t size, void** address);
    void unlock_pages(void* address);
    // Moves what has passed to the free pieces; returns its streams, to be released unlocked.
    std::vector<dah_stream*> poll();
    std::vector<void*> take_all_free();

    Device& device_;
    std::mutex mutex_;
    std::map<const char*, Piece> pieces_; // by address
    std::multimap<uint64_t, void*> free_; // by size
    std::vector<Pending> pending_;
    Figures figures_;
};

} // namespace device_api::core
