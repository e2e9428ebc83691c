// SPDX-License-Identifier: Apache-2.0
// Page-locked host memory of one device, cached.
#include "host_pool.hpp"

#include <algorithm>
#include <cstdlib>

#include "error.hpp"
#include "waiting.hpp"

namespace device_api::core {
namespace {

constexpr uint64_t page = 4096;
constexpr uint64_t doubling_limit = 1 << 20; // above: multiples of it

// Sizes of pieces are coarse, so that they fit again.
uint64_t piece_size(uint64_t bytes) {
    if (bytes > doubling_limit)
        return (bytes + doubling_limit - 1) / doubling_limit * doubling_limit;
    uint64_t size = page;
    while (size < bytes) size *= 2;
    return size;
}

void release_all(const std::vector<dah_stream*>& streams) {
    for (dah_stream* stream : streams) dah_stream_release(stream);
}

} // namespace

da_status HostPool::lock_pages(uint64_t size, void** address) {
    if (!device_.api().host_alloc) {
        *address = std::aligned_alloc(page, size);
        return *address ? DA_OK : DA_OUT_OF_MEMORY;
    }
    return device_.api().host_alloc(device_.self(), device_.index, size, address);
}

void HostPool::unlock_pages(void* address) {
    if (!device_.api().host_alloc) return std::free(address);
    if (device_.api().host_free) device_.api().host_free(device_.self(), device_.index, address);
}

// A free piece of at most twice the size, so that little is wasted.
void* HostPool::take_cached(uint64_t size) {
    auto found = free_.lower_bound(size);
    if (found == free_.end() || found->first > 2 * size) return nullptr;
    void* address = found->second;
    free_.erase(found);
    return address;
}

da_status HostPool::take(uint64_t bytes, void** address) {
    if (!bytes) return fail(DA_INVALID_ARGUMENT, "an allocation has at least one byte");
    if (bytes > UINT64_MAX / 4) return fail(DA_OUT_OF_MEMORY, "the host is out of memory");
    const uint64_t size = piece_size(bytes);
    for (const bool last : {false, true}) {
        std::vector<dah_stream*> done;
        void* found;
        da_status status = DA_OK;
        {
            std::lock_guard<std::mutex> guard(mutex_);
            done = poll();
            found = take_cached(size);
            if (!found && (status = lock_pages(size, &found)) == DA_OK) {
                pieces_[static_cast<char*>(found)].size = size;
                figures_.reserved += size;
            }
            if (!status) {
                Piece& piece = pieces_[static_cast<char*>(found)];
                piece.live = true;
                figures_.allocated += piece.size;
                ++figures_.live;
            }
        }
        release_all(done);
        if (!status) {
            *address = found;
            return DA_OK;
        }
        if (last || status != DA_OUT_OF_MEMORY) {
            if (!device_.api().host_alloc) return fail(status, "the host is out of memory");
            return fail_vendor(*device_.backend, &device_, status, "allocating pinned memory");
        }
        empty(); // once more without what the cache holds
    }
    return DA_INTERNAL; // not reached
}

da_status HostPool::give(void* address) {
    std::vector<dah_stream*> streams;
    {
        std::lock_guard<std::mutex> guard(mutex_);
        auto found = pieces_.find(static_cast<char*>(address));
        if (found == pieces_.end() || !found->second.live) {
            return fail(DA_INVALID_ARGUMENT,
                        "the address is no pinned memory from here, or has been freed already",
                        "free each address of dah_host_malloc exactly once");
        }
        Piece& piece = found->second;
        piece.live = false;
        figures_.allocated -= piece.size;
        --figures_.live;
        streams.swap(piece.streams);
        if (streams.empty()) free_.emplace(piece.size, address);
    }
    if (streams.empty()) return DA_OK;
    Pending pending{address, mark(device_, streams)};
    std::lock_guard<std::mutex> guard(mutex_);
    pending_.push_back(std::move(pending));
    return DA_OK;
}

HostPool::Piece* HostPool::find(const void* address) {
    const auto* at = static_cast<const char*>(address);
    auto found = pieces_.upper_bound(at);
    if (found == pieces_.begin()) return nullptr;
    --found;
    Piece& piece = found->second;
    return piece.live && at < found->first + piece.size ? &piece : nullptr;
}

bool HostPool::owns(const void* address) {
    std::lock_guard<std::mutex> guard(mutex_);
    return find(address) != nullptr;
}

void HostPool::note_use(const void* address, dah_stream* stream) {
    std::lock_guard<std::mutex> guard(mutex_);
    Piece* piece = find(address);
    if (!piece) return;
    if (std::find(piece->streams.begin(), piece->streams.end(), stream) != piece->streams.end()) {
        return;
    }
    dah_stream_retain(stream);
    piece->streams.push_back(stream);
}

std::vector<dah_stream*> HostPool::poll() {
    std::vector<dah_stream*> done;
    auto has_passed = [&](Pending& pending) {
        if (!passed(pending.uses)) return false;
        for (const Use& use : pending.uses) done.push_back(use.stream);
        free_.emplace(pieces_[static_cast<char*>(pending.address)].size, pending.address);
        return true;
    };
    pending_.erase(std::remove_if(pending_.begin(), pending_.end(), has_passed), pending_.end());
    return done;
}

std::vector<void*> HostPool::take_all_free() {
    std::vector<void*> addresses;
    for (const auto& [size, address] : free_) {
        figures_.reserved -= size;
        pieces_.erase(static_cast<char*>(address));
        addresses.push_back(address);
    }
    free_.clear();
    return addresses;
}

void HostPool::empty() {
    std::vector<dah_stream*> waited;
    {
        std::lock_guard<std::mutex> guard(mutex_);
        for (const Pending& pending : pending_) {
            for (const Use& use : pending.uses) {
                dah_stream_retain(use.stream);
                waited.push_back(use.stream);
            }
        }
    }
    if (!waited.empty()) { // without the lock: a callback that the wait waits for may free memory
        const Waiting waiting;
        for (dah_stream* stream : waited) settle(*stream);
    }
    std::vector<dah_stream*> done;
    std::vector<void*> addresses;
    {
        std::lock_guard<std::mutex> guard(mutex_);
        done = poll();
        addresses = take_all_free();
    }
    for (void* address : addresses) unlock_pages(address);
    release_all(waited);
    release_all(done);
}

HostPool::Figures HostPool::figures() {
    std::lock_guard<std::mutex> guard(mutex_);
    return figures_;
}

} // namespace device_api::core
