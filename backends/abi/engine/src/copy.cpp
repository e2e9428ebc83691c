// SPDX-License-Identifier: Apache-2.0
// Copies and byte fills, at once or on a stream. A plain copy is a 2-D copy of one row.
#include <chrono>
#include <cstring>

#include "copy.hpp"

namespace device_api::engine {
namespace {

Side side(const void* p, std::size_t pitch, std::size_t width, std::size_t height, Access access) {
    Side s;
    s.at = reinterpret_cast<std::uintptr_t>(p);
    s.pitch = pitch;
    const std::size_t reach = (height - 1) * pitch + width;
    s.watched = watch(s.at, s.at + reach, access, &s.range);
    if (s.watched) s.kind = s.range.pinned ? PointerKind::pinned_host : PointerKind::device;
    if (s.on_device()) s.device = device_of_address(s.at)->index;
    return s;
}

const char* name_of(const Copy& c) {
    if (c.to.on_device() && c.from.on_device())
        return c.to.device == c.from.device ? "memcpy_d2d" : "memcpy_p2p";
    if (c.to.on_device()) return "memcpy_h2d";
    return c.from.on_device() ? "memcpy_d2h" : "memcpy_h2h";
}

Route route_of(const Copy& c) {
    const bool pageable =
        c.to.kind == PointerKind::pageable_host || c.from.kind == PointerKind::pageable_host;
    return {c.to.device, c.from.device, pageable};
}

/// The caller's kind against what the pointers are.
Status check_kind(const Copy& c, CopyKind kind) {
    if (kind == CopyKind::infer) return Status::ok;
    const bool from = kind == CopyKind::device_to_host || kind == CopyKind::device_to_device;
    const bool to = kind == CopyKind::host_to_device || kind == CopyKind::device_to_device;
    if (from != c.from.on_device())
        return misuse(Rule::copy_kind, Status::invalid_value,
                      "the copy's source %p is %s memory, the kind says otherwise",
                      reinterpret_cast<void*>(c.from.at), from ? "host" : "device");
    if (to != c.to.on_device())
        return misuse(Rule::copy_kind, Status::invalid_value,
                      "the copy's destination %p is %s memory, the kind says otherwise",
                      reinterpret_cast<void*>(c.to.at), to ? "host" : "device");
    return Status::ok;
}

Status plan(void* dst, std::size_t dpitch, const void* src, std::size_t spitch, std::size_t width,
            std::size_t height, CopyKind kind, Copy* c) {
    if (Status s = alive(); s != Status::ok) return s;
    thread_stream_error() = StreamError{};
    if (!dst || !src) return fail(Status::invalid_value, "a copy with a null pointer");
    if (height > 1 && (dpitch < width || spitch < width))
        return fail(Status::invalid_value,
                    "2-D copy: rows of %zu bytes do not fit the pitches %zu and %zu", width, dpitch,
                    spitch);
    c->to = side(dst, dpitch, width, height, Access::write);
    c->from = side(src, spitch, width, height, Access::read);
    c->width = width;
    c->height = height;
    return check_kind(*c, kind);
}

char* view(TaskContext& ctx, const Side& s, std::size_t reach, bool write) {
    return s.on_device() ? static_cast<char*>(ctx.map(s.at, reach, write))
                         : reinterpret_cast<char*>(s.at);
}

Status perform(TaskContext& ctx, const Copy& c, const FaultHit& fault) {
    ctx.state()->crosses = engine().vendor.copies_cross;
    char* to = view(ctx, c.to, (c.height - 1) * c.to.pitch + c.width, true);
    const char* from = view(ctx, c.from, (c.height - 1) * c.from.pitch + c.width, false);
    if (!to || !from) return ctx.error();
    const std::uint64_t random = mix(current_schedule().seed ^ c.bytes() ^ c.to.at);
    for (std::size_t y = 0; y < c.height; ++y) {
        shadow_row(c, y);
        move_bytes(ctx, to + y * c.to.pitch, from + y * c.from.pitch, c.width, random + y);
    }
    if (fault.kind == DAS_FAULT_CORRUPT_COPY) {
        const std::uint64_t bit = fault.random % (std::uint64_t(c.bytes()) * 8);
        to[bit / 8 / c.width * c.to.pitch + bit / 8 % c.width] ^=
            static_cast<char>(1u << (bit % 8));
    }
    return Status::ok;
}

/// Until the fault is removed, the device lost or reset, or the process ends.
Status hang_now(int fault, int device) {
    Status why;
    const auto held = find_device(device, &why);
    while (fault_active(fault)) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        const auto now = find_device(device, &why);
        if (!now) return why;
        if (now != held) return fail(Status::device_lost, "device %d was reset meanwhile", device);
    }
    return Status::ok;
}

/// Faults of work outside any stream show at once.
Status strike_now(const FaultHit& hit, const char* name, int device) {
    switch (hit.kind) {
    case DAS_FAULT_LAUNCH:
        return fail(Status::launch_failure, "%s refused (injected fault %d)", name, hit.id);
    case DAS_FAULT_ASYNC:
        return fail(Status::kernel_fault, "%s failed (injected fault %d)", name, hit.id);
    case DAS_FAULT_ECC:
        return fail(Status::hardware_fault, "%s: uncorrectable memory error (injected fault %d)",
                    name, hit.id);
    case DAS_FAULT_DEVICE_LOST:
        device_lose(device, "it fell off the bus (injected fault)");
        return device_check(device);
    case DAS_FAULT_HANG: return hang_now(hit.id, device);
    default: return Status::ok;
    }
}

int device_of(const Copy& c) {
    return c.to.on_device() ? c.to.device : c.from.device;
}

Status run_now(const Copy& c) {
    const int device = device_of(c);
    if (device >= 0)
        if (Status s = device_check(device); s != Status::ok) return s;
    const char* name = name_of(c);
    for (const Side* side : {&c.to, &c.from})
        if (side->watched) races_host_access(side->range, name);
    log_launch(DAS_COPY, device, 0, name, c.bytes());
    const FaultHit hit = fault_for({DAS_COPY, device, name, c.bytes(), 0});
    if (Status s = strike_now(hit, name, device); s != Status::ok) return s;
    HostWait waited;
    TaskContext::State state; // no device: a copy between devices needs no peer access
    TaskContext ctx(&state);
    if (Status s = perform(ctx, c, hit); s != Status::ok) return s;
    waited.until(end_of_copy(route_of(c), waited.begin(), double(c.bytes()), 1));
    return state.release();
}

Status wait_for(const StreamPtr& s, std::uint64_t number) {
    if (Status why = not_in_task("a copy that waits"); why != Status::ok) return why;
    return s->wait(number, -1, true);
}

void keep_source(Copy& c, std::shared_ptr<std::vector<char>>* keep) {
    auto bytes = std::make_shared<std::vector<char>>(c.bytes());
    for (std::size_t y = 0; y < c.height; ++y)
        std::memcpy(bytes->data() + y * c.width,
                    reinterpret_cast<const char*>(c.from.at) + y * c.from.pitch, c.width);
    c.from.at = reinterpret_cast<std::uintptr_t>(bytes->data());
    c.from.pitch = c.width;
    *keep = std::move(bytes);
}

Status run_later(Copy c, Handle stream, Pageable pageable) {
    StreamPtr s;
    if (Status why = find_stream(stream, &s); why != Status::ok) return why;
    QueuedTask t;
    std::strncpy(t.name, name_of(c), sizeof t.name - 1);
    t.kind = DAS_COPY;
    t.bytes = double(c.bytes());
    t.route = route_of(c);
    for (const Side* x : {&c.to, &c.from})
        if (x->watched) t.ranges.push_back(x->range);
    const bool pageable_in = c.to.on_device() && c.from.kind == PointerKind::pageable_host;
    const bool pageable_out = c.from.on_device() && c.to.kind == PointerKind::pageable_host;
    std::shared_ptr<std::vector<char>> kept;
    if (pageable == Pageable::staged && pageable_in) keep_source(c, &kept);
    const bool waits = (pageable_out && pageable != Pageable::asynchronous) ||
                       (pageable_in && pageable == Pageable::synchronous);
    // submit() draws the fault; the task finds it in its context.
    t.writes_host = c.from.on_device() && !c.to.on_device();
    const std::uint64_t hash = waits ? 0 : promised(c);
    t.run = [c, kept, hash](TaskContext& ctx) {
        check_promise(c, hash);
        return perform(ctx, c, ctx.state()->fault);
    };
    std::uint64_t number = 0;
    if (Status why = submit(s, std::move(t), &number); why != Status::ok) return why;
    return waits ? wait_for(s, number) : Status::ok;
}

} // namespace

Status copy_2d(void* dst, std::size_t dpitch, const void* src, std::size_t spitch,
               std::size_t width, std::size_t height, CopyKind kind) noexcept {
    if (!width || !height) return alive();
    Copy c;
    if (Status s = plan(dst, dpitch, src, spitch, width, height, kind, &c); s != Status::ok)
        return s;
    return run_now(c);
}

Status copy_2d_async(void* dst, std::size_t dpitch, const void* src, std::size_t spitch,
                     std::size_t width, std::size_t height, CopyKind kind, Handle stream,
                     Pageable pageable) noexcept {
    if (!width || !height) {
        StreamPtr s;
        return find_stream(stream, &s);
    }
    Copy c;
    if (Status s = plan(dst, dpitch, src, spitch, width, height, kind, &c); s != Status::ok)
        return s;
    return run_later(c, stream, pageable);
}

Status copy(void* dst, const void* src, std::size_t bytes, CopyKind kind) noexcept {
    return copy_2d(dst, bytes, src, bytes, bytes, 1, kind);
}

Status copy_async(void* dst, const void* src, std::size_t bytes, CopyKind kind, Handle stream,
                  Pageable pageable) noexcept {
    return copy_2d_async(dst, bytes, src, bytes, bytes, 1, kind, stream, pageable);
}

// ---- fills -------------------------------------------------------

static Status perform_fill(TaskContext& ctx, const Side& s, int value, std::size_t bytes) {
    char* to = view(ctx, s, bytes, true);
    if (!to) return ctx.error();
    if (s.on_device()) shadow_mark(s.at, bytes);
    std::memset(to, value, bytes);
    return Status::ok;
}

static Status fill_side(void* p, std::size_t bytes, Side* s) {
    if (Status why = alive(); why != Status::ok) return why;
    thread_stream_error() = StreamError{};
    if (!p) return fail(Status::invalid_value, "a fill with a null pointer");
    *s = side(p, bytes, bytes ? bytes : 1, 1, Access::write);
    if (!s->watched)
        return misuse(Rule::fill_target, Status::invalid_address,
                      "fill of %p, which is neither device nor pinned host memory", p);
    return Status::ok;
}

Status fill_bytes(void* p, int value, std::size_t bytes) noexcept {
    Side s;
    if (Status why = fill_side(p, bytes, &s); why != Status::ok) return why;
    if (s.device >= 0)
        if (Status why = device_check(s.device); why != Status::ok) return why;
    races_host_access(s.range, "memset");
    log_launch(DAS_FILL, s.device, 0, "memset", bytes);
    const FaultHit hit = fault_for({DAS_FILL, s.device, "memset", bytes, 0});
    if (Status why = strike_now(hit, "memset", s.device); why != Status::ok) return why;
    if (!bytes) return Status::ok;
    TaskContext::State state;
    TaskContext ctx(&state);
    if (Status why = perform_fill(ctx, s, value, bytes); why != Status::ok) return why;
    return state.release();
}

Status fill_bytes_async(void* p, int value, std::size_t bytes, Handle stream) noexcept {
    StreamPtr stream_object;
    if (Status why = find_stream(stream, &stream_object); why != Status::ok) return why;
    Side s;
    if (!bytes) return Status::ok;
    if (Status why = fill_side(p, bytes, &s); why != Status::ok) return why;
    QueuedTask t;
    std::strcpy(t.name, "memset");
    t.kind = DAS_FILL;
    t.bytes = double(bytes);
    t.ranges.push_back(s.range);
    t.run = [s, value, bytes](TaskContext& ctx) { return perform_fill(ctx, s, value, bytes); };
    return submit(stream_object, std::move(t));
}

} // namespace device_api::engine
