// SPDX-License-Identifier: Apache-2.0
// Order of accesses on streams, by vector clocks. See checks.hpp.
//
// A clock says for each stream up to which of its tasks everything has happened before. All
// threads of the host share one clock: what one of them has waited for, all know.
#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>

#include "checks.hpp"
#include "stream.hpp"

namespace device_api::engine {
namespace {

using Clock = std::map<std::uint32_t, std::uint64_t>;

void join(Clock& into, const Clock& from) {
    for (const auto& [stream, number] : from) {
        auto& mine = into[stream];
        mine = std::max(mine, number);
    }
}

bool knows(const Clock& clock, std::uint32_t stream, std::uint64_t number) {
    const auto it = clock.find(stream);
    return it != clock.end() && it->second >= number;
}

struct AccessOf {
    std::uintptr_t low, high;
    std::uint32_t stream;
    std::uint64_t number, sequence;
    bool write;
    char task[64];
};

struct StreamClock {
    Clock now;
    std::vector<std::pair<std::uint64_t, Clock>> past; // from this task on, newest last
};

struct Races {
    std::mutex mutex;
    Clock host;
    std::unordered_map<std::uint32_t, StreamClock> streams;
    std::unordered_map<const EventRecord*, Clock> records;
    std::unordered_map<std::uint64_t, std::vector<AccessOf>> accesses; // by allocation
};
Races& races() {
    static auto* r = new Races;
    return *r;
}

bool writes(Access a) {
    return a != Access::read;
}

bool overlap(const AccessOf& a, const Range& r) {
    return a.low < r.high && r.low < a.high;
}

void report(const AccessOf& first, const QueuedTask& t, std::uint32_t stream, const Range& r) {
    misuse(Rule::unordered_access, Status::invalid_state,
           "%s (launch %llu on stream %u) %s [%p, %p), which %s (launch %llu on stream %u) %s, and "
           "nothing orders the two: an event, or a wait of the host, is missing",
           t.name, static_cast<unsigned long long>(t.sequence), stream,
           writes(r.access) ? "writes" : "reads", reinterpret_cast<void*>(r.low),
           reinterpret_cast<void*>(r.high), first.task,
           static_cast<unsigned long long>(first.sequence), first.stream,
           first.write ? "writes" : "reads");
}

/// Forget what all later work knows of, and what the new access covers.
void prune(std::vector<AccessOf>& all, const Clock& host, const AccessOf& next) {
    const auto gone = [&](const AccessOf& a) {
        if (knows(host, a.stream, a.number)) return true;
        return a.stream == next.stream && next.low <= a.low && a.high <= next.high &&
               (next.write || !a.write);
    };
    all.erase(std::remove_if(all.begin(), all.end(), gone), all.end());
}

void check_range(Races& all, const Clock& clock, std::uint32_t stream, const QueuedTask& t,
                 const Range& r) {
    auto& known = all.accesses[r.allocation];
    for (const AccessOf& a : known)
        if (a.stream != stream && overlap(a, r) && (a.write || writes(r.access)) &&
            !knows(clock, a.stream, a.number)) {
            report(a, t, stream, r);
            break;
        }
    AccessOf mine{r.low, r.high, stream, t.number, t.sequence, writes(r.access), ""};
    std::copy(std::begin(t.name), std::end(t.name), mine.task);
    prune(known, all.host, mine);
    known.push_back(mine);
}

} // namespace

void races_submit(std::uint32_t stream, const QueuedTask& t) {
    if (!checking(DAS_CHECK_RACES)) return;
    Races& all = races();
    std::lock_guard<std::mutex> lock(all.mutex);
    StreamClock& s = all.streams[stream];
    Clock before = s.now;
    join(s.now, all.host);
    if (t.wait)
        if (const auto it = all.records.find(t.wait.get()); it != all.records.end())
            join(s.now, it->second);
    s.now.erase(stream);
    before.erase(stream);
    if (s.past.empty() || before != s.now) s.past.emplace_back(t.number, s.now);
    s.now[stream] = t.number;
    if (t.record) all.records[t.record.get()] = s.now;
    for (const Range& r : t.ranges)
        if (r.allocation) check_range(all, s.now, stream, t, r);
}

void races_host_knows(std::uint32_t stream, std::uint64_t number) {
    if (!number || !checking(DAS_CHECK_RACES)) return;
    Races& all = races();
    std::lock_guard<std::mutex> lock(all.mutex);
    auto& mine = all.host[stream];
    if (mine >= number) return;
    mine = number;
    const auto s = all.streams.find(stream);
    if (s == all.streams.end()) return;
    auto& past = s->second.past;
    auto it = std::find_if(past.rbegin(), past.rend(),
                           [&](const auto& entry) { return entry.first <= number; });
    if (it == past.rend()) return;
    join(all.host, it->second);
    past.erase(past.begin(), it.base() - 1); // the one in force stays
}

void races_host_access(const Range& r, const char* what) {
    if (!r.allocation || !checking(DAS_CHECK_RACES)) return;
    Races& all = races();
    std::lock_guard<std::mutex> lock(all.mutex);
    for (const AccessOf& a : all.accesses[r.allocation]) {
        if (!overlap(a, r) || (!a.write && !writes(r.access)) ||
            knows(all.host, a.stream, a.number))
            continue;
        misuse(Rule::unordered_access, Status::invalid_state,
               "%s at once %s [%p, %p), which %s (launch %llu on stream %u) %s, and the host has "
               "not waited for that",
               what, writes(r.access) ? "writes" : "reads", reinterpret_cast<void*>(r.low),
               reinterpret_cast<void*>(r.high), a.task, static_cast<unsigned long long>(a.sequence),
               a.stream, a.write ? "writes" : "reads");
        return;
    }
}

void races_free(std::uint64_t allocation, std::uintptr_t base) {
    if (!checking(DAS_CHECK_RACES)) return;
    Races& all = races();
    std::lock_guard<std::mutex> lock(all.mutex);
    const auto found = all.accesses.find(allocation);
    if (found == all.accesses.end()) return;
    for (const AccessOf& a : found->second)
        if (!knows(all.host, a.stream, a.number)) {
            misuse(Rule::free_unordered, Status::invalid_state,
                   "%p is freed, and the host has not waited for %s (launch %llu on stream %u), "
                   "which uses it",
                   reinterpret_cast<void*>(base), a.task,
                   static_cast<unsigned long long>(a.sequence), a.stream);
            break;
        }
    all.accesses.erase(found);
}

void races_clear() {
    Races& all = races();
    std::lock_guard<std::mutex> lock(all.mutex);
    all.host.clear();
    all.streams.clear();
    all.records.clear();
    all.accesses.clear();
}

} // namespace device_api::engine
