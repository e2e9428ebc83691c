// SPDX-License-Identifier: Apache-2.0
// Injected faults: which submission they strike, counted and drawn deterministically.
#include <fnmatch.h>

#include <cstring>
#include <map>
#include <mutex>

#include "device_api/engine/faults.hpp"
#include "engine.hpp"
#include "log.hpp"

namespace device_api::engine {
namespace {

struct Fault {
    das_fault what{};
    std::uint64_t seen = 0, strikes = 0;
    std::int64_t added_ns = 0;
};
struct Faults {
    std::mutex mutex;
    std::map<int, Fault> all;
    int next = 1;
    std::atomic<int> count{0}; // lets the usual case, none, skip the lock
};
Faults& faults() {
    static auto* f = new Faults;
    return *f;
}

/// What a kind of fault can strike: kinds of task (DAS_KERNEL ...), or what is no task.
constexpr std::uint32_t allocations = 0, named_calls = ~std::uint32_t{0};

std::uint32_t targets(int fault_kind) {
    switch (fault_kind) {
    case DAS_FAULT_OUT_OF_MEMORY: return allocations;
    case DAS_FAULT_WRONG_RESULT: return DAS_KERNEL;
    case DAS_FAULT_CORRUPT_COPY:
    case DAS_FAULT_SLOW_LINK: return DAS_COPY;
    case DAS_FAULT_TELEMETRY:
    case DAS_FAULT_TELEMETRY_SHORT:
    case DAS_FAULT_TELEMETRY_STALE:
    case DAS_FAULT_COLLECTIVE: return named_calls;
    default: return DAS_KERNEL | DAS_COPY | DAS_FILL;
    }
}

bool named(const das_fault& f, const char* name) {
    return !f.name[0] || fnmatch(f.name, name, 0) == 0;
}

bool applies(const das_fault& f, const FaultTarget& t) {
    const std::uint32_t can = targets(f.kind);
    if (can == named_calls) return false;
    if (t.kind == 0 || can == allocations) return t.kind == can;
    if (!(can & t.kind)) return false;
    if (f.kind == DAS_FAULT_SLOW_LINK && std::strcmp(t.name, "memcpy_d2d") == 0) return false;
    return named(f, t.name);
}

/// Device, size, stream and time.
bool in_reach(const Fault& fault, const FaultTarget& t) {
    const das_fault& f = fault.what;
    if (f.device >= 0 && f.device != t.device) return false;
    if (t.bytes < f.min_bytes || (f.max_bytes && t.bytes > f.max_bytes)) return false;
    if (f.stream && f.stream != t.stream) return false;
    if (f.after_s <= 0 && f.until_s <= 0) return true;
    const double age = double(now_ns() - fault.added_ns) * 1e-9;
    return age >= f.after_s && (f.until_s <= 0 || age < f.until_s);
}

/// Count the target, and say whether the fault strikes it.
bool strikes(Fault& fault, int id, std::uint64_t base, std::uint64_t* random) {
    const das_fault& f = fault.what;
    const std::uint64_t nth = fault.seen++;
    if (nth < f.skip || (f.count && fault.strikes >= f.count)) return false;
    *random = mix((f.seed ? f.seed : base + std::uint64_t(id)) ^ mix(nth));
    const double p = f.probability > 0 ? f.probability : 1;
    return double(*random >> 11) * 0x1p-53 < p;
}

} // namespace

FaultHit fault_for(const FaultTarget& target) noexcept {
    Faults& all = faults();
    FaultHit hit;
    if (all.count.load(std::memory_order_acquire) == 0) return hit;
    const std::uint64_t base = setup_seed();
    std::lock_guard<std::mutex> lock(all.mutex);
    for (auto& [id, fault] : all.all) {
        std::uint64_t random = 0;
        if (!applies(fault.what, target) || !in_reach(fault, target)) continue;
        if (!strikes(fault, id, base, &random)) continue;
        if (hit.kind) { // one fault a task: this one waits for the next
            --fault.seen;
            continue;
        }
        ++fault.strikes;
        hit = FaultHit{fault.what.kind, id, fault.what.code, fault.what.value, mix(random)};
    }
    return hit;
}

InjectedFault injected_fault(int kind, int device, const char* name) noexcept {
    Faults& all = faults();
    if (all.count.load(std::memory_order_acquire) == 0) return {};
    const std::uint64_t base = setup_seed();
    const FaultTarget target{0, device, name, 0, 0};
    std::lock_guard<std::mutex> lock(all.mutex);
    for (auto& [id, fault] : all.all) {
        std::uint64_t random = 0;
        if (fault.what.kind != kind || !named(fault.what, name)) continue;
        if (!in_reach(fault, target) || !strikes(fault, id, base, &random)) continue;
        ++fault.strikes;
        return {id, fault.what.code, fault.what.value};
    }
    return {};
}

bool fault_active(int id) noexcept {
    Faults& all = faults();
    std::lock_guard<std::mutex> lock(all.mutex);
    return all.all.count(id) != 0;
}

int fault_add(const das_fault& f) noexcept {
    Faults& all = faults();
    std::lock_guard<std::mutex> lock(all.mutex);
    const int id = all.next++;
    all.all[id].what = f;
    all.all[id].added_ns = now_ns();
    all.count = static_cast<int>(all.all.size());
    return id;
}

bool fault_remove(int id) noexcept {
    Faults& all = faults();
    std::lock_guard<std::mutex> lock(all.mutex);
    const bool found = id == 0 || all.all.erase(id) != 0;
    if (id == 0) all.all.clear();
    all.count = static_cast<int>(all.all.size());
    return found;
}

void fault_reset() noexcept {
    Faults& all = faults();
    std::lock_guard<std::mutex> lock(all.mutex);
    all.all.clear();
    all.next = 1; // ids start anew
    all.count = 0;
}

bool fault_strikes(int id, std::uint64_t* strikes) noexcept {
    Faults& all = faults();
    std::lock_guard<std::mutex> lock(all.mutex);
    auto it = all.all.find(id);
    if (it == all.all.end()) return false;
    *strikes = it->second.strikes;
    return true;
}

} // namespace device_api::engine
