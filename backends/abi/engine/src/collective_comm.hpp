// SPDX-License-Identifier: Apache-2.0
// Private: one rank of a group, its turns, and the waits inside a collective.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "collective_region.hpp"
#include "device_api/engine/collective.hpp"
#include "device_api/engine/faults.hpp"
#include "stream.hpp"

namespace device_api::engine {

struct Comm {
    std::shared_ptr<Device> device;
    std::shared_ptr<Region> region;
    CommLimits limits;
    CommId id{};
    std::uint64_t calls = 0, ticks = 0, pieces = 0; // of the running task

    // Calls of one rank run in the order in which they were made, on whatever streams.
    std::mutex mutex;
    std::uint64_t issued = 0, served = 0;
    std::set<std::uint64_t> done; // beyond `served`
    struct Place {
        std::uint64_t turn;
        std::weak_ptr<Stream> stream;
        std::uint64_t number;
    };
    std::deque<Place> pending;

    ~Comm() {
        if (region) region->leave();
    }
    int rank() const { return region->rank(); }
    int ranks() const { return region->ranks(); }
};
using CommPtr = std::shared_ptr<Comm>;

/// A call's place in its rank's order. A call that is given up without having run breaks the
/// group: the other ranks would wait for it.
struct Turn {
    CommPtr comm;
    std::string name;
    std::uint64_t turn = 0;
    InjectedFault fault;
    bool ran = false;
    ~Turn();
};
using TurnPtr = std::shared_ptr<Turn>;

/// Queue `body` as a task that takes a turn.
Status submit_turn(const CommPtr& comm, Handle stream, const char* name,
                   const std::vector<Operand>& operands, double link_bytes,
                   std::function<Status(TaskContext&, Comm&)> body) noexcept;

Status find_comm(Handle h, CommPtr* out) noexcept;
/// Of the communicator's device, inside one live allocation, aligned to its elements.
Status check_memory(const Comm& c, const char* name, const char* which, std::uintptr_t p,
                    DType dtype, std::uint64_t elements);

/// Waits inside a task until `ready()`; `lacking(rank)`: is it waited for? Ends also when the
/// group is broken, one that is waited for left or died, the time is over, or the task is stopped.
class Waits {
  public:
    Waits(Comm& comm, TaskContext& task, const char* name)
        : comm_(comm), task_(task), name_(name), since_(Clock::now()) {}

    template <class Ready, class Lacking>
    Status until(Ready ready, Lacking lacking) {
        for (;;) {
            const std::uint32_t seen = comm_.region->bell();
            if (ready()) return progress();
            std::uint64_t ranks = 0;
            for (int r = 0; r < comm_.ranks(); ++r)
                if (r != comm_.rank() && lacking(r)) ranks |= std::uint64_t{1} << r;
            if (Status s = trouble(ranks); s != Status::ok) {
                if (ready()) return progress(); // it came, and went at once
                return s == Status::aborted ? s : give_up(s);
            }
            comm_.region->listen(seen);
        }
    }

  private:
    using Clock = std::chrono::steady_clock;
    Status progress() {
        since_ = Clock::now();
        return Status::ok;
    }
    Status trouble(std::uint64_t lacking);
    Status give_up(Status s);

    Comm& comm_;
    TaskContext& task_;
    const char* name_;
    Clock::time_point since_;
    std::string why_;
};

} // namespace device_api::engine
