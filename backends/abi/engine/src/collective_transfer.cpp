// SPDX-License-Identifier: Apache-2.0
// Sends and receives between two ranks: a send ends when it has been received.
#include <algorithm>
#include <cstring>

#include "collective_comm.hpp"

namespace device_api::engine {
namespace {

/// One side of one message on its way.
struct Side {
    Comm& c;
    const char* name;
    Transfer what;
    char* memory = nullptr;
    std::uint64_t bytes = 0, moved = 0;
    std::uint64_t message = 0; // its number between the two
    bool offered = false, met = false, done = false;

    SharedChannel& channel() {
        return what.send ? c.region->channel(c.rank(), what.peer)
                         : c.region->channel(what.peer, c.rank());
    }
    char* piece() {
        return what.send ? c.region->piece(c.rank(), what.peer)
                         : c.region->piece(what.peer, c.rank());
    }
};

/// Says what this side does; the first of its steps.
void offer(Side& s) {
    SharedChannel& channel = s.channel();
    SharedCall& mine = s.what.send ? channel.send : channel.receive;
    mine.dtype = static_cast<std::uint32_t>(s.what.dtype);
    mine.count = s.what.count;
    auto& calls = s.what.send ? channel.sends : channel.receives;
    s.message = calls.load() + 1;
    calls.store(s.message);
    s.offered = true;
}

Status meet(Side& s) {
    SharedChannel& channel = s.channel();
    if ((s.what.send ? channel.receives : channel.sends).load() < s.message) return Status::ok;
    s.met = true;
    const SharedCall &out = channel.send, &in = channel.receive;
    if (out.count == in.count && out.dtype == in.dtype) return Status::ok;
    const int sender = s.what.send ? s.c.rank() : s.what.peer;
    const int receiver = s.what.send ? s.what.peer : s.c.rank();
    char text[320];
    std::snprintf(
        text, sizeof text, "rank %d sends %llu %s to rank %d, which receives %llu %s (%s)", sender,
        static_cast<unsigned long long>(out.count), dtype_name(static_cast<DType>(out.dtype)),
        receiver, static_cast<unsigned long long>(in.count),
        dtype_name(static_cast<DType>(in.dtype)), s.name);
    s.c.region->break_up(Status::remote_fault, text);
    return misuse(Rule::collective_mismatch, Status::remote_fault, "%s", text);
}

/// Moves what can be moved now; true when something was.
bool move(Side& s) {
    SharedChannel& channel = s.channel();
    const std::uint64_t n = std::min<std::uint64_t>(s.c.region->piece_bytes(), s.bytes - s.moved);
    const bool full = channel.produced.load() != channel.consumed.load();
    if (s.what.send) {
        if (full) return false;
        if (s.moved == s.bytes) return s.done = true; // the last piece was taken
        std::memcpy(s.piece(), s.memory + s.moved, n);
        s.moved += n;
        channel.produced.fetch_add(1);
        return true;
    }
    if (s.moved < s.bytes) {
        if (!full) return false;
        std::memcpy(s.memory + s.moved, s.piece(), n);
        s.moved += n;
        channel.consumed.fetch_add(1);
    }
    s.done = s.moved == s.bytes;
    return true;
}

/// Sides of one channel go one after the other: the first in the list that is not done.
bool blocked(const std::vector<Side>& sides, std::size_t i) {
    for (std::size_t k = 0; k < i; ++k)
        if (!sides[k].done && sides[k].what.peer == sides[i].what.peer &&
            sides[k].what.send == sides[i].what.send)
            return true;
    return false;
}

Status step_all(std::vector<Side>& sides, bool* moved) {
    for (std::size_t i = 0; i < sides.size(); ++i) {
        Side& s = sides[i];
        if (s.done || blocked(sides, i)) continue;
        if (!s.offered) {
            offer(s);
            *moved = true;
        }
        if (!s.met)
            if (Status why = meet(s); why != Status::ok) return why;
        while (s.met && !s.done && move(s)) *moved = true;
    }
    return Status::ok;
}

Status run(TaskContext& task, Comm& c, const char* name, const std::vector<Transfer>& items) {
    std::vector<Side> sides;
    for (const Transfer& item : items) {
        Side s{c, name, item};
        s.bytes = item.count * dtype_size(item.dtype);
        if (s.bytes) {
            s.memory = static_cast<char*>(task.map(item.memory, s.bytes, !item.send));
            if (!s.memory) return task.error();
        }
        sides.push_back(s);
    }
    Waits waits(c, task, name);
    for (;;) {
        Status status = Status::ok;
        bool moved = false;
        const auto over = [&] {
            return std::all_of(sides.begin(), sides.end(), [](const Side& s) { return s.done; });
        };
        const Status waited = waits.until(
            [&] {
                if (status = step_all(sides, &moved); status != Status::ok) return true;
                if (moved) c.region->ring();
                return moved || over();
            },
            [&](int r) {
                return std::any_of(sides.begin(), sides.end(),
                                   [&](const Side& s) { return !s.done && s.what.peer == r; });
            });
        if (status != Status::ok || waited != Status::ok)
            return status != Status::ok ? status : waited;
        if (over()) return Status::ok;
    }
}

} // namespace

Status transfer(Handle comm, Handle stream, const char* name, const Transfer* items,
                std::size_t n) noexcept {
    CommPtr c;
    if (Status s = find_comm(comm, &c); s != Status::ok) return s;
    std::vector<Operand> operands;
    double bytes = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const Transfer& item = items[i];
        if (item.peer < 0 || item.peer >= c->ranks() || item.peer == c->rank())
            return fail(Status::invalid_value,
                        "%s: rank %d of %d; a rank sends to and receives from others", name,
                        item.peer, c->ranks());
        const char* which = item.send ? "source" : "target";
        if (Status s = check_memory(*c, name, which, item.memory, item.dtype, item.count);
            s != Status::ok)
            return s;
        if (!item.count) continue;
        const auto length = static_cast<std::int64_t>(item.count);
        operands.emplace_back(Tensor(item.dtype, item.memory, 1, &length),
                              item.send ? Access::read : Access::write);
        bytes += double(item.count) * double(dtype_size(item.dtype));
    }
    std::vector<Transfer> kept(items, items + n);
    return submit_turn(c, stream, name, operands, bytes,
                       [kept, label = std::string(name)](TaskContext& task, Comm& rank) {
                           return run(task, rank, label.c_str(), kept);
                       });
}

} // namespace device_api::engine
