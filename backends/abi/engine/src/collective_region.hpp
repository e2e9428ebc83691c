// SPDX-License-Identifier: Apache-2.0
// Private: the shared memory in which the ranks of a group meet.
//
// Each rank holds a lock on a byte of the file, which the kernel takes away when its process ends:
// so a rank that died is known from one that is slow.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "device_api/engine/collective.hpp"

namespace device_api::engine {

/// What one rank says of the call that it makes.
struct SharedCall {
    std::uint32_t kind = 0, reduction = 0, dtype = 0;
    std::int32_t root = 0;
    std::uint64_t count = 0;
    double clock_ns = 0; // simulated, on the machine's clock
    char name[40] = "";
};

enum RankState : std::uint32_t { rank_absent = 0, rank_joined = 1, rank_left = 2 };

struct SharedRank {
    std::atomic<std::uint32_t> state;
    std::atomic<std::uint64_t> arrived; // ticks: points that all ranks pass together
    SharedCall call[2];
};

struct SharedHead {
    std::atomic<std::uint32_t> bell; // rung at every change; waited for by futex
    std::int32_t ranks;
    std::atomic<std::uint32_t> breaking, broken; // the first who breaks the group says why
    std::int32_t broken_status;
    char reason[320];
    SharedRank rank[max_ranks];
};

/// From one rank to one other.
struct SharedChannel {
    std::atomic<std::uint64_t> sends, receives; // calls made
    SharedCall send, receive;
    std::atomic<std::uint64_t> produced, consumed; // pieces
};

class Region {
  public:
    /// Opens or makes the file, takes the rank's lock, and waits until all ranks are there.
    static Status join(const CommId& id, int ranks, int rank, double limit_s,
                       std::shared_ptr<Region>* out);
    ~Region();
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;

    SharedHead& head() { return *reinterpret_cast<SharedHead*>(base_); }
    SharedRank& mine() { return head().rank[rank_]; }
    int ranks() const { return ranks_; }
    int rank() const { return rank_; }
    std::size_t slot_bytes() const { return slot_; }
    std::size_t piece_bytes() const { return piece_; }
    /// One of the rank's two buffers, which take turns.
    char* slot(int rank, std::uint64_t turn);
    SharedChannel& channel(int from, int to);
    char* piece(int from, int to);

    void ring();
    std::uint32_t bell() { return head().bell.load(); }
    /// Sleeps until the bell rings after `seen`, or a moment.
    void listen(std::uint32_t seen);
    /// The rank joined, and its process has ended.
    bool dead(int rank);
    /// The group works no more; the first reason counts.
    void break_up(Status status, const std::string& why);
    /// ok, or how the group broke (message set).
    Status broken();
    void leave();

  private:
    Region() = default;
    Status open_file(const CommId& id);
    Status prepare();
    Status wait_for_all(double limit_s);
    std::string missing();

    std::string path_;
    int file_ = -1, ranks_ = 0, rank_ = 0;
    char* base_ = nullptr;
    std::size_t bytes_ = 0, slot_ = 0, piece_ = 0, slots_at_ = 0, channels_at_ = 0, pieces_at_ = 0;
    bool left_ = false;
};

} // namespace device_api::engine
