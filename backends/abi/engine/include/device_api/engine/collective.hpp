// SPDX-License-Identifier: Apache-2.0
// Collectives: groups of simulated devices, of one process or of several on this machine.
//
// A group meets in a file of shared memory that only its user can open; it is gone from the file
// system once all ranks have joined, and a rank that ends in any way is noticed by the others. A
// collective is a task of a stream. It starts late, but by itself: other ranks may wait for it.
// Reductions go in the order of ranks; 16-bit types are added up in float32.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device_api/engine/handle.hpp"
#include "device_api/engine/status.hpp"
#include "device_api/engine/tensor.hpp"

namespace device_api::engine {

constexpr int max_ranks = 64;

/// Names a group; made once, carried to every rank by the application.
struct CommId {
    char text[128];
};
Status comm_id(CommId* out) noexcept;

struct CommLimits {
    double join_s = 120;     // how long to wait for the other ranks
    double execute_s = 1836; // how long a collective waits for one
};

/// Waits for all ranks. invalid_value: the ranks do not agree; timeout: some did not come.
Status comm_join(int device, const CommId& id, int ranks, int rank, const CommLimits& limits,
                 Handle* out) noexcept;
/// With work pending it is a misuse, and that work fails.
Status comm_leave(Handle comm) noexcept;

struct CommInfo {
    int device = 0, rank = 0, ranks = 0;
};
Status comm_info(Handle comm, CommInfo* out) noexcept;
/// The identifier of a further group of some of its ranks: the same at each, for equal tags.
Status comm_derive(Handle comm, std::uint64_t tag, CommId* out) noexcept;
/// ok, or why the group works no more: remote_fault, remote_timeout (message set).
Status comm_error(Handle comm) noexcept;

enum class Collective : std::uint8_t {
    all_reduce,
    reduce,
    broadcast,
    all_gather,
    reduce_scatter,
    all_to_all,
    scatter,
    barrier,
    send,
    receive,
};
enum class Reduction : std::uint8_t { sum, prod, max, min };

struct CollectiveCall {
    const char* name = "collective"; // the vendor's; in the log and in messages
    Collective kind = Collective::barrier;
    Reduction reduction = Reduction::sum;
    DType dtype = DType::u8;
    int root = 0;              // of reduce, broadcast, scatter
    std::uintptr_t source = 0; // device memory; 0 where this rank has none
    std::uintptr_t target = 0;
    std::uint64_t count = 0; // elements, as in device_api/collective.h
};
/// Queue it. Checked at once: memory of the communicator's device, aligned, equal or apart.
Status collective(Handle comm, Handle stream, const CollectiveCall& call) noexcept;

struct Transfer {
    bool send = false;
    int peer = 0;
    DType dtype = DType::u8;
    std::uintptr_t memory = 0;
    std::uint64_t count = 0; // elements
};
/// Queue sends and receives that go on together; each ends when its counterpart does.
Status transfer(Handle comm, Handle stream, const char* name, const Transfer* items,
                std::size_t n) noexcept;

} // namespace device_api::engine
