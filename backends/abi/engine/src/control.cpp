// SPDX-License-Identifier: Apache-2.0
// The control table (simctl.h) over the engine.
#include "control.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "leaks.hpp"
#include "memory.hpp"
#include "stream.hpp"

namespace device_api::engine {
namespace {

/// Copy a caller's struct of any size: missing members are zero, unknown ones are ignored.
template <class T>
bool read_struct(const T* from, T* to) {
    if (!from || from->size < sizeof(std::size_t)) {
        fail(Status::invalid_value,
             "a struct without its size was given to the simulator's control table");
        return false;
    }
    *to = T{};
    std::memcpy(static_cast<void*>(to), from, std::min(from->size, sizeof(T)));
    to->size = sizeof(T);
    return true;
}

template <class T>
int write_struct(T* to, const T& from) {
    if (!to || to->size < sizeof(std::size_t)) {
        fail(Status::invalid_value,
             "a struct without its size was given to the simulator's control table");
        return DAS_INVALID;
    }
    const std::size_t size = std::min(to->size, sizeof(T));
    std::memcpy(static_cast<void*>(to), &from, size);
    to->size = size;
    return DAS_OK;
}

int usable() {
    return alive() == Status::ok ? DAS_OK : DAS_UNUSABLE;
}

int control_setup(const das_setup* given) {
    das_setup s;
    if (int bad = usable()) return bad;
    if (!read_struct(given, &s)) return DAS_INVALID;
    s.name_suffix[sizeof s.name_suffix - 1] = 0;
    if (s.devices < -1 || s.devices > 64 || (s.memory_bytes && s.memory_bytes < (1u << 20)) ||
        s.memory_bytes > (1ull << 40)) {
        fail(Status::invalid_value,
             "%d devices of %llu bytes: -1 to 64 devices of 1 MiB to 1 TiB are possible", s.devices,
             static_cast<unsigned long long>(s.memory_bytes));
        return DAS_INVALID;
    }
    Engine& e = engine();
    std::lock_guard<std::mutex> once(e.setup_mutex);
    std::lock_guard<std::shared_mutex> lock(e.mutex);
    if (e.ready) {
        if (!std::memcmp(&s, &e.setup, sizeof s)) return DAS_OK;
        fail(Status::invalid_state,
             "the simulated %s devices are in use already; set them up before the first use, or "
             "reset "
             "first",
             e.vendor.name);
        return DAS_BUSY;
    }
    e.setup = s;
    e.schedule.seed = s.seed;
    return DAS_OK;
}

int control_reset() {
    if (int bad = usable()) return bad;
    if (not_in_task("resetting the simulator") != Status::ok) return DAS_BUSY;
    return reset_all();
}

int control_set_schedule(const das_schedule* given) {
    das_schedule s;
    if (int bad = usable()) return bad;
    if (!read_struct(given, &s)) return DAS_INVALID;
    if (s.mode < DAS_ADVERSARIAL || s.mode > DAS_SYNCHRONOUS || s.strategy < DAS_MIXED ||
        s.strategy > DAS_BY_SEED) {
        fail(Status::invalid_value, "schedule mode %d, strategy %d: 0 to 2, 0 to 5", s.mode,
             s.strategy);
        return DAS_INVALID;
    }
    Engine& e = engine();
    {
        std::lock_guard<std::shared_mutex> lock(e.mutex);
        e.schedule.mode = s.mode;
        e.schedule.max_delay_us = s.max_delay_us ? s.max_delay_us : 2000;
        if (s.seed) e.schedule.seed = s.seed;
        e.schedule.strategy =
            s.strategy == DAS_BY_SEED ? DAS_LATE + int(mix(e.schedule.seed) % 4) : s.strategy;
    }
    if (s.mode != DAS_ADVERSARIAL) // what waits by the old rule starts now
        for (const auto& d : all_devices())
            for (const auto& stream : streams_of(*d)) {
                std::lock_guard<std::mutex> lock(stream->mutex);
                stream->demanded = stream->submitted;
                stream->work.notify_one();
            }
    return DAS_OK;
}

int control_set_latency(const das_latency* given) {
    das_latency l;
    if (int bad = usable()) return bad;
    if (!read_struct(given, &l)) return DAS_INVALID;
    Latency m;
    const struct {
        double from;
        double* to;
    } members[] = {{l.launch_us, &m.launch_us},     {l.copy_gbps, &m.copy_gbps},
                   {l.memory_gbps, &m.memory_gbps}, {l.peer_gbps, &m.peer_gbps},
                   {l.gflops, &m.gflops},           {l.realtime, &m.realtime}};
    for (const auto& x : members) {
        if (!(x.from >= 0)) {
            fail(Status::invalid_value, "a negative number in the latency model");
            return DAS_INVALID;
        }
        if (x.from > 0) *x.to = x.from;
    }
    Engine& e = engine();
    std::lock_guard<std::shared_mutex> lock(e.mutex);
    e.latency = m;
    return DAS_OK;
}

int control_launch_read(std::uint64_t index, das_launch* out) {
    das_launch entry;
    if (!log_read(index, &entry)) return DAS_NOT_FOUND;
    return write_struct(out, entry);
}

int control_launch_clear() {
    log_clear();
    return DAS_OK;
}

int control_fault_add(const das_fault* given) {
    das_fault f;
    if (int bad = usable()) return bad;
    if (!read_struct(given, &f)) return DAS_INVALID;
    f.name[sizeof f.name - 1] = 0;
    return fault_valid(f) ? fault_add(f) : DAS_INVALID;
}

int control_fault_remove(int id) {
    return fault_remove(id) ? DAS_OK : DAS_NOT_FOUND;
}
int control_fault_strikes(int id, std::uint64_t* n) {
    return n && fault_strikes(id, n) ? DAS_OK : DAS_NOT_FOUND;
}

int control_memory(int device, das_memory* out) {
    Status why;
    auto d = find_device(device, &why, true);
    if (!d) return why == Status::invalid_device ? DAS_NOT_FOUND : DAS_UNUSABLE;
    const MemoryStats s = d->memory->stats();
    das_memory m{};
    m.size = sizeof m;
    m.total = s.total;
    m.used = s.used;
    m.peak = s.peak;
    m.live = s.live;
    m.allocations = s.allocations;
    pinned_stats(&m.pinned, &m.pinned_live);
    return write_struct(out, m);
}

int control_device_lose(int device) {
    switch (device_lose(device, "it was taken away by the control table")) {
    case Status::ok: return DAS_OK;
    case Status::invalid_device: return DAS_NOT_FOUND;
    default: return DAS_UNUSABLE;
    }
}

int control_misuse_read(std::uint64_t index, char* text, std::size_t room) {
    std::string s;
    if (!misuse_read(index, &s)) return DAS_NOT_FOUND;
    if (text && room) std::snprintf(text, room, "%s", s.c_str());
    return static_cast<int>(s.size());
}

int control_set_checks(std::uint32_t checks) {
    if (int bad = usable()) return bad;
    if (checks & ~std::uint32_t{DAS_CHECK_ALL}) {
        fail(Status::invalid_value, "checks 0x%x: bits up to 0x%x are known", checks,
             unsigned{DAS_CHECK_ALL});
        return DAS_INVALID;
    }
    set_checks(checks);
    return DAS_OK;
}

std::uint64_t control_leak_count() {
    return leaks().size();
}

int control_leak_read(std::uint64_t index, char* text, std::size_t room) {
    const std::vector<std::string> all = leaks();
    if (index >= all.size()) return DAS_NOT_FOUND;
    if (text && room) std::snprintf(text, room, "%s", all[index].c_str());
    return static_cast<int>(all[index].size());
}

int control_rule_read(std::uint64_t index, const char** name, const char** words) {
    constexpr std::uint64_t count = static_cast<std::uint64_t>(Rule::comm_pending) + 1;
    if (index >= count || !name || !words) return DAS_NOT_FOUND;
    *name = rule_name(static_cast<Rule>(index));
    *words = rule_words(static_cast<Rule>(index));
    return DAS_OK;
}

int control_misuse_clear() {
    misuse_clear();
    return DAS_OK;
}

std::int64_t control_live(const char* what) {
    if (!what) return DAS_INVALID;
    std::uint64_t bytes = 0, count = 0;
    if (!std::strcmp(what, "pinned")) {
        pinned_stats(&bytes, &count);
        return static_cast<std::int64_t>(count);
    }
    if (!std::strcmp(what, "allocation")) {
        for (const auto& d : all_devices()) count += d->memory->stats().live;
        return static_cast<std::int64_t>(count);
    }
    const std::int64_t n = handle_count_named(what);
    return n < 0 ? std::int64_t{DAS_NOT_FOUND} : n;
}

} // namespace

Schedule current_schedule() noexcept {
    std::shared_lock<std::shared_mutex> lock(engine().mutex);
    return engine().schedule;
}
std::uint64_t setup_seed() noexcept {
    std::shared_lock<std::shared_mutex> lock(engine().mutex);
    return engine().setup.seed;
}

const das_control* control_table() noexcept {
    static const das_control table = [] {
        das_control c{};
        c.size = sizeof c;
        c.version = DAS_VERSION;
        c.message = last_message;
        c.setup = control_setup;
        c.reset = control_reset;
        c.set_schedule = control_set_schedule;
        c.set_latency = control_set_latency;
        c.launch_count = log_count;
        c.launch_read = control_launch_read;
        c.launch_kept = log_kept;
        c.launch_clear = control_launch_clear;
        c.fault_add = control_fault_add;
        c.fault_remove = control_fault_remove;
        c.fault_strikes = control_fault_strikes;
        c.device_count = device_count;
        c.memory = control_memory;
        c.device_lose = control_device_lose;
        c.misuse_count = misuse_count;
        c.misuse_read = control_misuse_read;
        c.misuse_clear = control_misuse_clear;
        c.live = control_live;
        c.set_checks = control_set_checks;
        c.leak_count = control_leak_count;
        c.leak_read = control_leak_read;
        c.rule_read = control_rule_read;
        c.fault_text = fault_add_text;
        c.set_telemetry = control_set_telemetry;
        c.set_chip = control_set_chip;
        c.chip_read = control_chip_read;
        c.vendor = engine().vendor.name;
        return c;
    }();
    return &table;
}

} // namespace device_api::engine
