// SPDX-License-Identifier: Apache-2.0
// TaskContext: how a kernel reaches device memory, with every access checked against live
// allocations.
#include <algorithm>
#include <cstring>

#include "convert.hpp"
#include "model.hpp"
#include "stream.hpp"

namespace device_api::engine {
namespace {

void* refuse(TaskContext::State& st, Status s) {
    if (st.error == Status::ok) st.error = s;
    return nullptr;
}

/// What the launch declared about this address: the allocation that it was in, and whether it may
/// be written. Not declared (allocation 0): anything goes.
Range declared(const TaskContext::State& st, std::uintptr_t p) {
    Range found;
    if (!st.ranges) return found;
    for (const Range& r : *st.ranges) {
        if (r.pinned || p < r.low || p >= r.high) continue;
        if (!found.allocation || r.access != Access::read) found = r;
    }
    return found;
}

bool reachable(Device& from, const Device& to) {
    if (&from == &to) return true;
    std::lock_guard<std::mutex> lock(from.mutex);
    return from.peers[static_cast<std::size_t>(to.index)];
}

Status explain(std::uintptr_t p, std::size_t bytes, const AllocationPtr& a) {
    void* at = reinterpret_cast<void*>(p);
    if (!a)
        return misuse(Rule::use_after_free, Status::invalid_address,
                      "%zu bytes at device address %p are in no live allocation (freed?)%s", bytes,
                      at, history_of(p).c_str());
    return misuse(
        Rule::out_of_bounds, Status::invalid_address,
        "%zu bytes at device address %p run %zu bytes past the end of their allocation of %zu%s",
        bytes, at, static_cast<std::size_t>(p + bytes - a->base - a->size), a->size,
        history_of(p).c_str());
}

} // namespace

TaskContext::State::~State() {
    release();
}

Status TaskContext::State::release() {
    Status status = Status::ok;
    for (auto& [owner, a] : pinned) {
        owner->memory->unpin(a);
        if (a->freed && status == Status::ok)
            status = misuse(Rule::use_after_free, Status::invalid_address,
                            "device memory %p was freed while a task was using it",
                            reinterpret_cast<void*>(a->base));
    }
    pinned.clear();
    return status;
}

void* TaskContext::map(std::uintptr_t address, std::size_t bytes, bool write) {
    State& st = *state_;
    for (const auto& s : st.scratch)
        if (address >= s.low && address <= s.high && bytes <= s.high - address)
            return reinterpret_cast<void*>(address);
    auto owner = device_of_address(address);
    if (!owner)
        return refuse(st, misuse(Rule::host_memory_in_kernel, Status::invalid_address,
                                 "%p is no device address: a kernel cannot use host memory",
                                 reinterpret_cast<void*>(address)));
    if (st.device && !st.crosses && !reachable(*st.device, *owner))
        return refuse(st, misuse(Rule::peer_access, Status::invalid_address,
                                 "device %d uses memory of device %d without peer access",
                                 st.device->index, owner->index));
    AllocationPtr a;
    void* host = owner->memory->pin(address, bytes, &a);
    if (!host) return refuse(st, explain(address, bytes, a));
    st.pinned.emplace_back(owner, a);
    const Range then = declared(st, address);
    if (then.allocation && then.allocation != a->id)
        return refuse(st, misuse(Rule::use_after_free, Status::invalid_address,
                                 "device memory %p was freed and allocated again after the launch",
                                 reinterpret_cast<void*>(address)));
    if (write && then.allocation && then.access == Access::read)
        return refuse(st, misuse(Rule::declared_read, Status::internal,
                                 "a kernel writes to %p, which its launch declared as read",
                                 reinterpret_cast<void*>(address)));
    return host;
}

void* TaskContext::map(const Tensor& t, bool write) {
    static std::uint64_t nothing[2];
    std::uintptr_t low, high;
    if (t.rank < 0 || t.rank > max_rank)
        return refuse(*state_,
                      fail(Status::not_supported, "rank %d: at most %d", t.rank, max_rank));
    if (!t.span(&low, &high)) return nothing;
    auto* base = static_cast<char*>(map(low, high - low, write));
    return base ? base + (t.data - low) : nullptr;
}

Tensor TaskContext::temporary(DType dtype, int rank, const std::int64_t* shape) {
    Tensor t(dtype, 0, rank, shape);
    const std::size_t bytes = static_cast<std::size_t>(t.numel()) * dtype_size(dtype);
    State::Scratch s;
    s.bytes.reset(new char[bytes + 64]);
    s.low = (reinterpret_cast<std::uintptr_t>(s.bytes.get()) + 63) / 64 * 64;
    s.high = s.low + bytes;
    poison(reinterpret_cast<void*>(s.low), bytes);
    t.data = s.low;
    state_->scratch.push_back(std::move(s));
    return t;
}

Tensor TaskContext::temporary_like(const Tensor& t, DType dtype) {
    return temporary(dtype, t.rank, t.shape);
}

Tensor TaskContext::constant(const Scalar& value, DType dtype) {
    Tensor t = temporary(dtype, 0, nullptr);
    store_scalar(value, dtype, reinterpret_cast<void*>(t.data));
    return t;
}

void TaskContext::add_work(Unit unit, DType dtype, double operations) {
    state_->operations_ns += device_api::engine::operations_ns(unit, dtype, operations);
}
bool TaskContext::stopping() const {
    return engine().exiting || (state_->stream && state_->stream->stopping);
}
int TaskContext::device() const {
    return state_->device ? state_->device->index : -1;
}
Status TaskContext::error() const {
    return state_->error;
}

bool watch(std::uintptr_t low, std::uintptr_t high, Access access, Range* out) {
    *out = Range{low, high, 0, access, false};
    if (auto d = device_of_address(low)) {
        AllocationPtr a = d->memory->find(low);
        if (a && high <= a->base + a->size) out->allocation = a->id;
        return true;
    }
    Pinned p;
    if (!find_pinned(low, &p)) return false;
    out->pinned = true;
    if (high <= p.base + p.size) out->allocation = p.id;
    return true;
}

} // namespace device_api::engine
