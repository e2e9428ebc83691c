// SPDX-License-Identifier: Apache-2.0
// Injected faults: which submission they strike, counted and drawn deterministically.
#include <fnmatch.h>

#include <map>
#include <mutex>

#include "engine.hpp"
#include "log.hpp"

namespace device_api::engine {
namespace {

struct Fault {
    das_fault what{};
    std::uint64_t seen = 0, strikes = 0;
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

/// The kinds of task that a kind of fault can strike when no name is given.
std::uint32_t targets(int fault_kind) {
    switch (fault_kind) {
    case DAS_FAULT_OUT_OF_MEMORY: return 0; // allocations
    case DAS_FAULT_WRONG_RESULT: return DAS_KERNEL;
    case DAS_FAULT_CORRUPT_COPY: return DAS_COPY;
    default: return DAS_KERNEL | DAS_COPY | DAS_FILL;
    }
}

bool matches(const das_fault& f, std::uint32_t task_kind, int device, const char* name) {
    if (f.device >= 0 && f.device != device) return false;
    const std::uint32_t can = targets(f.kind);
    if (task_kind == 0 || can == 0) return task_kind == can;
    if (!(can & task_kind)) return false;
    return !f.name[0] || fnmatch(f.name, name, 0) == 0;
}

} // namespace

FaultHit fault_for(std::uint32_t task_kind, int device, const char* name) noexcept {
    Faults& all = faults();
    FaultHit hit;
    if (all.count.load(std::memory_order_acquire) == 0) return hit;
    const std::uint64_t base = setup_seed();
    std::lock_guard<std::mutex> lock(all.mutex);
    for (auto& [id, fault] : all.all) {
        const das_fault& f = fault.what;
        if (!matches(f, task_kind, device, name)) continue;
        const std::uint64_t nth = fault.seen++;
        if (nth < f.skip || (f.count && fault.strikes >= f.count)) continue;
        const std::uint64_t random = mix((f.seed ? f.seed : base + std::uint64_t(id)) ^ mix(nth));
        const double p = f.probability > 0 ? f.probability : 1;
        if (double(random >> 11) * 0x1p-53 >= p) continue;
        if (hit.kind) { // one fault a task: this one waits for the next
            --fault.seen;
            continue;
        }
        ++fault.strikes;
        hit = FaultHit{f.kind, id, f.code, f.value, mix(random)};
    }
    return hit;
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
    all.next = 1;
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
