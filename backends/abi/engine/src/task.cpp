// SPDX-License-Identifier: Apache-2.0
// Launching and running tasks: checks of operands, injected faults, the simulated cost.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>

#include "convert.hpp"
#include "stream.hpp"

namespace device_api::engine {
namespace {

constexpr auto poll = std::chrono::milliseconds(1);

bool stopping(const Stream& s) {
    return s.stopping || engine().exiting;
}

void wait_for_record(Stream& s, const EventRecordPtr& r) {
    if (StreamPtr other = r->stream.lock()) other->demand(r->number);
    std::unique_lock<std::mutex> lock(r->mutex);
    while (!r->done && !stopping(s)) r->changed.wait_for(lock, poll * 20);
    s.clock_ns = std::max(s.clock_ns, r->time_ns);
}

Rule broken_rule(const Range& r) {
    if (r.allocation) return Rule::use_after_free;
    return device_of_address(r.low) || r.pinned ? Rule::out_of_bounds : Rule::host_memory_in_kernel;
}

/// Every range is still in the allocation that it was in at submission.
Status check_ranges(const QueuedTask& t) {
    for (const Range& r : t.ranges) {
        Range now;
        watch(r.low, r.high, r.access, &now);
        if (r.allocation && now.allocation == r.allocation) continue;
        const char* what = r.pinned                        ? "pinned host memory"
                           : r.access == Access::workspace ? "workspace"
                                                           : "operand";
        return misuse(broken_rule(r), Status::invalid_address, "%s (launch %llu): %s [%p, %p) %s%s",
                      t.name, static_cast<unsigned long long>(t.sequence), what,
                      reinterpret_cast<void*>(r.low), reinterpret_cast<void*>(r.high),
                      r.allocation
                          ? "was freed before the task ran: it must stay allocated until then"
                          : "was not inside one live allocation at the launch",
                      history_of(r.low).c_str());
    }
    return Status::ok;
}

void poison_outputs(TaskContext& c, const QueuedTask& t) {
    for (const Tensor& out : t.outputs) {
        void* p = out.contiguous() ? c.map(out, true) : nullptr;
        if (p) poison(p, static_cast<std::size_t>(out.numel()) * dtype_size(out.dtype));
    }
}

/// What an injected fault does instead of the task; ok: go on.
Status strike_before(Stream& s, TaskContext& c, const QueuedTask& t) {
    const char* text = "%s (launch %llu on stream %u) failed: %s (injected fault %d)";
    const auto n = static_cast<unsigned long long>(t.sequence);
    switch (t.fault.kind) {
    case DAS_FAULT_ASYNC:
        poison_outputs(c, t);
        return fail(Status::kernel_fault, text, t.name, n, s.id, "exception in the kernel",
                    t.fault.id);
    case DAS_FAULT_ECC:
        s.device->sensors.uncorrected_error();
        poison_outputs(c, t);
        return fail(Status::hardware_fault, text, t.name, n, s.id, "uncorrectable memory error",
                    t.fault.id);
    case DAS_FAULT_DEVICE_LOST:
        device_lose(s.device->index, "it fell off the bus (injected fault)");
        return fail(Status::device_lost, text, t.name, n, s.id, "the device was lost", t.fault.id);
    case DAS_FAULT_HANG:
        while (fault_active(t.fault.id) && !stopping(s) && !s.device->lost)
            std::this_thread::sleep_for(poll);
        return Status::ok;
    default: return Status::ok;
    }
}

void strike_after(TaskContext& c, const QueuedTask& t) {
    if (t.fault.kind != DAS_FAULT_WRONG_RESULT || t.outputs.empty()) return;
    const Tensor& out = t.outputs[t.fault.random % t.outputs.size()];
    const std::int64_t n = out.numel();
    if (auto* base = n ? static_cast<char*>(c.map(out, true)) : nullptr)
        spoil_element(
            out, base,
            static_cast<std::int64_t>((t.fault.random >> 8) % static_cast<std::uint64_t>(n)),
            t.fault.value > 0 ? t.fault.value : 0.01);
}

bool slows(const FaultHit& fault) {
    return fault.kind == DAS_FAULT_SLOW || fault.kind == DAS_FAULT_SLOW_LINK;
}

/// The simulated time at which the stream, which is at `from`, has done the task.
double end_of(const Stream& s, const QueuedTask& t, double from, double operations) {
    const double slow = slows(t.fault) ? std::max(1.0, t.fault.value) : 1.0;
    if (t.kind == DAS_HOST) return from;
    if (t.kind == DAS_COPY) return end_of_copy(t.route, from, t.bytes, slow);
    if (t.flops > 0) operations += operations_ns(Unit::vector, DType::f32, t.flops);
    const double bytes = t.kind == DAS_KERNEL ? t.moved : t.bytes;
    return end_of_kernel(s.device->index, from, bytes, operations, slow);
}

/// With das_latency.realtime: as long as it takes, or until the stream is abandoned.
void really_take(const Stream& s, double ns) {
    const double end = double(now_ns()) + ns * current_latency().realtime;
    for (double left; (left = end - double(now_ns())) > 0 && !stopping(s);)
        std::this_thread::sleep_for(std::chrono::nanoseconds(std::int64_t(std::min(left, 2e7))));
}

Status run_checked(Stream& s, QueuedTask& t, TaskContext::State& state) {
    TaskContext context(&state);
    if (Status why = strike_before(s, context, t); why != Status::ok) return why;
    if (s.device->lost) return device_check(s.device->index);
    if (Status why = check_ranges(t); why != Status::ok) return why;
    if (Status why = shadow_check(t.inputs); why != Status::ok) return why;
    Status status;
    try {
        status = t.run(context);
    } catch (const std::exception& e) {
        status = fail(Status::internal, "%s threw: %s", t.name, e.what());
    }
    if (status == Status::ok) {
        shadow_mark(t.outputs);
        strike_after(context, t);
    }
    return status == Status::ok ? state.error : status;
}

} // namespace

namespace {

/// While it lives, reports of this thread name the task.
struct Running {
    Running(const Stream& s, const QueuedTask& t) {
        running_task() = {t.name, t.sequence, s.id, s.device->index};
    }
    ~Running() { running_task() = {}; }
};

} // namespace

Status execute(Stream& s, QueuedTask& t) {
    const Running running(s, t);
    s.clock_ns = std::max(s.clock_ns, t.host_ns);
    if (t.wait) wait_for_record(s, t.wait);
    if (t.kind == DAS_EVENT) return Status::ok;
    if (t.kind == DAS_HOST) races_host_knows(s.id, t.number - 1);
    const Busy busy(t.kind == DAS_HOST ? nullptr : &s.device->sensors, t.bytes);
    TaskContext::State state;
    state.stream = &s;
    state.device = s.device.get();
    state.ranges = &t.ranges;
    state.fault = t.fault;
    Status status = s.device->lost ? device_check(s.device->index) : run_checked(s, t, state);
    const Status released = state.release();
    if (status == Status::ok) status = released;
    const double begin = s.clock_ns;
    s.clock_ns = end_of(s, t, begin, state.operations_ns);
    really_take(s, s.clock_ns - begin);
    return status;
}

Operand Operand::workspace(DevicePtr p, std::size_t bytes) {
    const std::int64_t n = static_cast<std::int64_t>(bytes);
    return Operand(Tensor(DType::u8, p, 1, &n), Access::workspace);
}

QueuedTask describe_launch(const char* name, const std::vector<Operand>& operands) {
    QueuedTask t;
    std::strncpy(t.name, name, sizeof t.name - 1);
    const bool shadowed = checking(DAS_CHECK_SHADOW);
    for (const Operand& o : operands) {
        std::uintptr_t low, high;
        if (!o.tensor.span(&low, &high)) continue;
        if (shadowed && (o.access == Access::read || o.access == Access::read_write))
            t.inputs.push_back(o.tensor);
        if (o.access == Access::write || o.access == Access::read_write)
            t.outputs.push_back(o.tensor);
        if (o.access != Access::workspace)
            t.bytes += double(o.tensor.numel()) * double(dtype_size(o.tensor.dtype));
        if (o.access != Access::workspace)
            t.moved += (o.access == Access::read_write ? 2 : 1) * double(o.tensor.numel()) *
                       double(dtype_size(o.tensor.dtype));
        Range r;
        watch(low, high, o.access, &r);
        t.ranges.push_back(r);
    }
    return t;
}

Status launch(Handle stream, Launch l) noexcept {
    StreamPtr s;
    if (Status why = find_stream(stream, &s); why != Status::ok) return why;
    if (!l.task) return fail(Status::invalid_value, "launch of %s without a task", l.name);
    QueuedTask t = describe_launch(l.name, l.operands);
    t.run = std::move(l.task);
    t.flops = l.flops;
    return submit(s, std::move(t));
}

Status host_task(Handle stream, const char* name, Task task) noexcept {
    StreamPtr s;
    if (Status why = find_stream(stream, &s); why != Status::ok) return why;
    if (!task) return fail(Status::invalid_value, "%s: no function given", name);
    QueuedTask t;
    std::strncpy(t.name, name, sizeof t.name - 1);
    t.kind = DAS_HOST;
    t.writes_host = true;
    t.run = std::move(task);
    return submit(s, std::move(t));
}

} // namespace device_api::engine
