// SPDX-License-Identifier: Apache-2.0
// The figures of the chip, and what each device is busy with in simulated time.
#include "model.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "engine.hpp"
#include "stream.hpp"
#include "timeline.hpp"

namespace device_api::engine {
namespace {

struct Link {
    double gbps = 0, latency_ns = 0;
    bool access = false;
};

/// All that the model needs of a chip, without look-ups by name.
struct Figures {
    double launch_ns = 0, memory_gbps = 1;
    Link pinned, pageable, near, far;
    bool duplex = true;
    int group = 1;
    std::size_t copy_engines = 1, queue = 1024, events = 65536;
    double matrix[dtype_count], vector[dtype_count]; // operations a nanosecond
};

Figures figures_of(const Chip& c) {
    Figures f;
    f.launch_ns = c.number("launch.overhead_us") * 1e3;
    f.memory_gbps = c.number("memory.bandwidth_gbps");
    const double latency = c.number("host_link.latency_us") * 1e3;
    f.pinned = {c.number("host_link.bandwidth_gbps"), latency, true};
    const double pageable = c.number("host_link.pageable_gbps");
    f.pageable = {pageable > 0 ? pageable : f.pinned.gbps, latency, true};
    f.duplex = c.flag("host_link.duplex");
    f.group = static_cast<int>(c.integer("peer_link.group"));
    f.near = {c.number("peer_link.near_gbps"), c.number("peer_link.near_latency_us") * 1e3,
              c.flag("peer_link.near_access")};
    f.far = {c.number("peer_link.far_gbps"), c.number("peer_link.far_latency_us") * 1e3,
             c.flag("peer_link.far_access")};
    f.copy_engines = static_cast<std::size_t>(c.integer("limits.copy_engines"));
    f.queue = static_cast<std::size_t>(c.integer("limits.queue"));
    f.events = static_cast<std::size_t>(c.integer("limits.events"));
    for (int d = 0; d < dtype_count; ++d) {
        const std::string name = dtype_name(static_cast<DType>(d));
        const bool vector = c.has("vector." + name), matrix = c.has("matrix." + name);
        f.vector[d] = 1e3 * c.number(vector ? "vector." + name : "vector.other");
        f.matrix[d] = matrix ? 1e3 * c.number("matrix." + name) : f.vector[d];
    }
    return f;
}

/// What the control table's set_latency() says goes before the chip's file.
void override_with(const Latency& l, Figures* f) {
    if (l.launch_us > 0) {
        f->launch_ns = l.launch_us * 1e3;
        for (Link* link : {&f->pinned, &f->pageable, &f->near, &f->far})
            link->latency_ns = f->launch_ns;
    }
    if (l.memory_gbps > 0) f->memory_gbps = l.memory_gbps;
    if (l.copy_gbps > 0) f->pinned.gbps = f->pageable.gbps = l.copy_gbps;
    if (l.peer_gbps > 0) f->near.gbps = f->far.gbps = l.peer_gbps;
    if (l.gflops > 0) {
        std::fill_n(f->matrix, dtype_count, l.gflops);
        std::fill_n(f->vector, dtype_count, l.gflops);
    }
}

Latency overrides() {
    std::shared_lock<std::shared_mutex> lock(engine().mutex);
    return engine().latency;
}

struct Occupied {
    Timeline compute, host_in, host_out, peer_in, peer_out;
    std::vector<Timeline> copies;
};

struct Model {
    std::mutex mutex;
    ChipPtr chip;
    Figures of_chip{};
    std::map<int, Occupied> devices;
    double skew = 0, seen = 0; // of the host's clock
};

Model& model() {
    static auto* m = new Model;
    return *m;
}

Figures figures() {
    const ChipPtr now = chip();
    const Latency l = overrides();
    Model& m = model();
    std::lock_guard<std::mutex> lock(m.mutex);
    if (now && m.chip != now) {
        m.of_chip = figures_of(*now);
        m.chip = now;
    }
    Figures f = m.of_chip;
    override_with(l, &f);
    return f;
}

const Link& link_between(const Figures& f, int a, int b) {
    return a / f.group == b / f.group ? f.near : f.far;
}

/// The first time at which all of them, and one of the engines, are free; taken.
double occupy(Timeline* const* all, std::size_t count, std::vector<Timeline>& engines, double from,
              double length) {
    double begin = from;
    for (;;) {
        double next = begin;
        for (std::size_t i = 0; i < count; ++i) next = std::max(next, all[i]->fit(next, length));
        Timeline* engine = nullptr;
        double first = 0;
        for (Timeline& e : engines) {
            const double t = e.fit(next, length);
            if (!engine || t < first) {
                engine = &e;
                first = t;
            }
        }
        if (first > begin) {
            begin = first;
            continue;
        }
        for (std::size_t i = 0; i < count; ++i) all[i]->take(begin, length);
        engine->take(begin, length);
        return begin;
    }
}

} // namespace

Latency current_latency() noexcept {
    const Figures f = figures();
    Latency l = overrides();
    l.launch_us = f.launch_ns / 1e3;
    l.copy_gbps = f.pinned.gbps;
    l.memory_gbps = f.memory_gbps;
    l.peer_gbps = f.near.gbps;
    l.gflops = f.matrix[static_cast<int>(DType::f32)];
    return l;
}

Access2 peer_access(int device, int peer) noexcept {
    const Figures f = figures();
    return {device / f.group == peer / f.group, link_between(f, device, peer).access};
}

double operations_ns(Unit unit, DType dtype, double operations) noexcept {
    const Figures f = figures();
    const int d = static_cast<int>(dtype);
    return operations / (unit == Unit::matrix ? f.matrix[d] : f.vector[d]);
}

double end_of_kernel(int device, double from, double bytes, double operations,
                     double slow) noexcept {
    const Figures f = figures();
    const double length = slow * std::max(bytes / f.memory_gbps, operations);
    Model& m = model();
    std::lock_guard<std::mutex> lock(m.mutex);
    Timeline& compute = m.devices[device].compute;
    const double begin = compute.fit(from + slow * f.launch_ns, length);
    compute.take(begin, length);
    return begin + length;
}

double end_of_copy(const Route& r, double from, double bytes, double slow) noexcept {
    if (r.to < 0 && r.from < 0) return from; // the host's own
    const Figures f = figures();
    Model& m = model();
    std::lock_guard<std::mutex> lock(m.mutex);
    Occupied& busy = m.devices[r.to >= 0 ? r.to : r.from];
    busy.copies.resize(f.copy_engines);
    Timeline* shared[2] = {};
    std::size_t count = 0;
    Link link{f.memory_gbps / 2, f.launch_ns, true}; // read and written
    if (r.to < 0 || r.from < 0) {
        link = r.pageable ? f.pageable : f.pinned;
        shared[count++] = r.to >= 0 || !f.duplex ? &busy.host_in : &busy.host_out;
    } else if (r.to != r.from) {
        link = link_between(f, r.to, r.from);
        shared[count++] = &m.devices[r.from].peer_out;
        shared[count++] = &busy.peer_in;
    }
    const double length = slow * bytes / link.gbps;
    return occupy(shared, count, busy.copies, from + slow * link.latency_ns, length) + length;
}

void model_reset(int device) noexcept {
    Model& m = model();
    std::lock_guard<std::mutex> lock(m.mutex);
    if (device >= 0)
        m.devices.erase(device);
    else
        m.devices.clear();
}

std::size_t queue_limit() noexcept {
    return figures().queue;
}
std::size_t event_limit() noexcept {
    return figures().events;
}

double host_now_ns() noexcept {
    Model& m = model();
    std::lock_guard<std::mutex> lock(m.mutex);
    return double(now_ns()) - m.skew;
}

HostWait::HostWait() noexcept : begin_(current_stream ? 0 : host_now_ns()) {}

void HostWait::until(double ns) noexcept {
    if (current_stream) return;
    Model& m = model();
    std::lock_guard<std::mutex> lock(m.mutex);
    m.seen = std::max({begin_, ns, m.seen}); // what the host has seen ended lies before now
    m.skew = double(now_ns()) - m.seen;
}

} // namespace device_api::engine
