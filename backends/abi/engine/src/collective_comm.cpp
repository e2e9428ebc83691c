// SPDX-License-Identifier: Apache-2.0
// Ranks of groups: joined, asked, left; the order of their calls.
#include "collective_comm.hpp"

#include <cstring>

namespace device_api::engine {

Status find_comm(Handle h, CommPtr* out) noexcept {
    return handle_get(kind_comm, h, out);
}

Status comm_join(int device, const CommId& id, int ranks, int rank, const CommLimits& limits,
                 Handle* out) noexcept {
    if (Status s = not_in_task("joining a group"); s != Status::ok) return s;
    Status why;
    auto d = find_device(device, &why);
    if (!d) return why;
    if (!out) return fail(Status::invalid_value, "no place for the communicator's handle");
    if (ranks < 1 || ranks > max_ranks || rank < 0 || rank >= ranks)
        return fail(Status::invalid_value,
                    "rank %d of %d: a group has 1 to %d ranks, numbered from 0", rank, ranks,
                    max_ranks);
    auto comm = std::make_shared<Comm>();
    comm->device = d;
    comm->limits = limits;
    comm->id = id;
    if (Status s = Region::join(id, ranks, rank, limits.join_s, &comm->region); s != Status::ok)
        return s;
    *out = handle_create(kind_comm, comm);
    return *out ? Status::ok : Status::out_of_resources;
}

Status comm_leave(Handle h) noexcept {
    if (Status s = not_in_task("destroying a communicator"); s != Status::ok) return s;
    CommPtr comm;
    if (Status s = handle_take(kind_comm, h, &comm); s != Status::ok) return s;
    std::uint64_t pending;
    {
        std::lock_guard<std::mutex> lock(comm->mutex);
        pending = comm->issued - comm->served;
    }
    if (!pending) {
        comm->region->leave();
        return Status::ok;
    }
    comm->region->break_up(Status::remote_fault, "rank " + std::to_string(comm->rank()) +
                                                     " destroyed its communicator with work "
                                                     "pending");
    return misuse(Rule::comm_pending, Status::invalid_state,
                  "a communicator of device %d is destroyed with %llu of its calls pending: "
                  "synchronise their streams first",
                  comm->device->index, static_cast<unsigned long long>(pending));
}

Status comm_info(Handle h, CommInfo* out) noexcept {
    CommPtr comm;
    if (Status s = find_comm(h, &comm); s != Status::ok) return s;
    *out = CommInfo{comm->device->index, comm->rank(), comm->ranks()};
    return Status::ok;
}

Status comm_derive(Handle h, std::uint64_t tag, CommId* out) noexcept {
    CommPtr comm;
    if (Status s = find_comm(h, &comm); s != Status::ok) return s;
    *out = comm->id;
    const std::size_t length = std::strlen(out->text);
    std::uint64_t hash[2] = {mix(tag), mix(~tag)};
    for (std::size_t i = 0; i < length; ++i)
        for (std::uint64_t& part : hash)
            part = mix(part ^ static_cast<unsigned char>(out->text[i]));
    std::snprintf(out->text + length - 32, 33, "%016llx%016llx",
                  static_cast<unsigned long long>(hash[0]),
                  static_cast<unsigned long long>(hash[1]));
    return Status::ok;
}

Status comm_error(Handle h) noexcept {
    CommPtr comm;
    if (Status s = find_comm(h, &comm); s != Status::ok) return s;
    if (Status s = comm->region->broken(); s != Status::ok) return s;
    for (int r = 0; r < comm->ranks(); ++r)
        if (comm->region->head().rank[r].state.load() == rank_joined && comm->region->dead(r))
            comm->region->break_up(Status::remote_fault,
                                   "the process of rank " + std::to_string(r) + " has ended");
    return comm->region->broken();
}

Status check_memory(const Comm& c, const char* name, const char* which, std::uintptr_t p,
                    DType dtype, std::uint64_t elements) {
    if (!elements) return Status::ok;
    const std::size_t size = dtype_size(dtype);
    if (p % size)
        return misuse(Rule::collective_memory, Status::invalid_value,
                      "%s: the %s %p is not aligned to its elements of %zu bytes", name, which,
                      reinterpret_cast<void*>(p), size);
    PointerInfo info;
    if (Status s = pointer_info(reinterpret_cast<void*>(p), &info); s != Status::ok) return s;
    if (info.kind != PointerKind::device || info.device != c.device->index)
        return misuse(Rule::collective_memory, Status::invalid_address,
                      "%s: the %s %p is %s, not memory of device %d, which the communicator uses",
                      name, which, reinterpret_cast<void*>(p),
                      info.kind == PointerKind::device ? "memory of another device" : "host memory",
                      c.device->index);
    if (!info.live || p + elements * size > info.base + info.size)
        return misuse(info.live ? Rule::out_of_bounds : Rule::use_after_free,
                      Status::invalid_address,
                      "%s: %llu elements of %zu bytes at the %s %p are not inside one live "
                      "allocation",
                      name, static_cast<unsigned long long>(elements), size, which,
                      reinterpret_cast<void*>(p));
    return Status::ok;
}

Turn::~Turn() {
    if (!ran && !engine().exiting)
        comm->region->break_up(Status::remote_fault, "rank " + std::to_string(comm->rank()) +
                                                         " did not run its " + name +
                                                         ": look for its own error");
    std::lock_guard<std::mutex> lock(comm->mutex);
    comm->done.insert(turn);
    while (comm->done.erase(comm->served)) ++comm->served;
    while (!comm->pending.empty() && comm->pending.front().turn < comm->served)
        comm->pending.pop_front();
}

namespace {

/// Wait until the rank's earlier calls have run.
Status take_turn(Comm& c, TaskContext& task, const Turn& mine) {
    for (;;) {
        StreamPtr before;
        std::uint64_t number = 0;
        {
            std::lock_guard<std::mutex> lock(c.mutex);
            if (c.served == mine.turn) return Status::ok;
            if (!c.pending.empty()) {
                before = c.pending.front().stream.lock();
                number = c.pending.front().number;
            }
        }
        if (before) before->demand(number);
        if (task.stopping()) return Status::aborted;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
}

Status run_turn(TaskContext& task, Turn& turn, double link_bytes,
                const std::function<Status(TaskContext&, Comm&)>& body) {
    Comm& c = *turn.comm;
    if (Status s = take_turn(c, task, turn); s != Status::ok) return s;
    if (turn.fault.id) {
        if (turn.fault.value > 0) {
            while (fault_active(turn.fault.id) && !task.stopping())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
        } else {
            return fail(Status::kernel_fault, "%s of rank %d failed (injected fault %d)",
                        turn.name.c_str(), c.rank(), turn.fault.id);
        }
    }
    turn.ran = true;
    if (Status s = c.region->broken(); s != Status::ok) return s;
    const Status status = body(task, c);
    const double gbps = current_latency().peer_gbps;
    if (gbps > 0) task.state()->stream->clock_ns += link_bytes / gbps;
    return status;
}

} // namespace

Status submit_turn(const CommPtr& comm, Handle stream, const char* name,
                   const std::vector<Operand>& operands, double link_bytes,
                   std::function<Status(TaskContext&, Comm&)> body) noexcept {
    StreamPtr s;
    if (Status why = find_stream(stream, &s); why != Status::ok) return why;
    if (s->device != comm->device)
        return misuse(Rule::collective_memory, Status::invalid_handle,
                      "%s: the stream is of device %d, the communicator of device %d%s", name,
                      s->device->index, comm->device->index,
                      s->device->index == comm->device->index ? " before its reset" : "");
    if (Status why = comm->region->broken(); why != Status::ok) return why;
    auto turn = std::make_shared<Turn>();
    turn->comm = comm;
    turn->name = name;
    turn->fault = injected_fault(DAS_FAULT_COLLECTIVE, comm->device->index, name);
    QueuedTask t = describe_launch(name, operands);
    t.prompt = true;
    t.run = [turn, link_bytes, body = std::move(body)](TaskContext& task) {
        return run_turn(task, *turn, link_bytes, body);
    };
    std::lock_guard<std::mutex> order(comm->mutex); // turns in the order of submission
    turn->turn = comm->issued;
    std::uint64_t number = 0;
    comm->pending.push_back({turn->turn, s, ~std::uint64_t{0}});
    ++comm->issued;
    const Status status = submit(s, std::move(t), &number);
    if (status != Status::ok) turn->ran = true; // nothing was queued: it may be tried again
    comm->pending.back().number = number;
    return status;
}

Status Waits::trouble(std::uint64_t lacking) {
    Region& region = *comm_.region;
    if (region.broken() != Status::ok) return Status::remote_fault;
    if (task_.stopping()) return Status::aborted;
    for (int r = 0; r < comm_.ranks(); ++r) {
        if (!(lacking >> r & 1)) continue;
        const bool left = region.head().rank[r].state.load() == rank_left;
        if (!left && !region.dead(r)) continue;
        why_ = "rank " + std::to_string(r) + (left ? " left the group" : "'s process has ended") +
               " while rank " + std::to_string(comm_.rank()) + " waited for it in " + name_;
        return Status::remote_fault;
    }
    const double waited = std::chrono::duration<double>(Clock::now() - since_).count();
    if (waited < comm_.limits.execute_s) return Status::ok;
    char text[64];
    std::snprintf(text, sizeof text, "rank %d waited %.3g s in ", comm_.rank(), waited);
    why_ = std::string(text) + name_ + " for rank";
    for (int r = 0; r < comm_.ranks(); ++r)
        if (lacking >> r & 1) why_ += " " + std::to_string(r);
    return Status::remote_timeout;
}

Status Waits::give_up(Status s) {
    if (!why_.empty()) comm_.region->break_up(s, why_);
    const Status told = comm_.region->broken();
    // Another rank breaks the group up at this moment, and has not written its reason yet.
    return told != Status::ok ? told : fail(s, "%s", why_.c_str());
}

} // namespace device_api::engine
