// SPDX-License-Identifier: Apache-2.0
// Further defects of the runtime: gated by size, thread and rate, of clocks, events and sensors.
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

#include "rows.hpp"

namespace device_api::planted {

namespace {

std::mutex lock; // of what the hooks keep

constexpr std::uint64_t large = 16 << 20;

/// Copies that `Fails` picks leave their last byte out.
template <bool (*Fails)(std::uint64_t bytes)>
void short_copies(dab_backend& t) {
    t.copy = [](dab_instance* s, dab_stream q, void* to, const void* from, std::uint64_t n,
                dab_copy_kind kind) {
        if (n < 2 || !Fails(n)) return inner().copy(s, q, to, from, n, kind);
        struck();
        return inner().copy(s, q, to, from, n - 1, kind);
    };
}

bool each_300th(std::uint64_t) {
    static std::uint64_t seen = 0;
    return ++seen % 300 == 0;
}

bool of_other_threads(std::uint64_t) {
    static const std::thread::id first = std::this_thread::get_id();
    return std::this_thread::get_id() != first;
}

bool of_whole_pages(std::uint64_t n) {
    return n % 4096 == 0;
}

bool of_megabytes(std::uint64_t n) {
    return n > 10'000'000;
}

void large_overlap(dab_backend& t) {
    static std::map<void*, int> given;
    t.alloc = [](dab_instance* s, std::int32_t d, std::uint64_t n, void** p) -> da_status {
        std::lock_guard<std::mutex> guard(lock);
        static void* kept = nullptr;
        static std::uint64_t size = 0;
        if (n >= large && n <= size && kept) return *p = kept, ++given[kept], struck(), DA_OK;
        const da_status status = inner().alloc(s, d, n, p);
        if (status == DA_OK && n >= large) kept = *p, size = n, ++given[kept];
        return status;
    };
    t.free = [](dab_instance* s, std::int32_t d, void* p) -> da_status {
        std::lock_guard<std::mutex> guard(lock);
        return given.count(p) ? DA_OK : inner().free(s, d, p);
    };
}

void keeps_large(dab_backend& t) {
    static std::map<void*, std::uint64_t> sizes;
    t.alloc = [](dab_instance* s, std::int32_t d, std::uint64_t n, void** p) {
        const da_status status = inner().alloc(s, d, n, p);
        std::lock_guard<std::mutex> guard(lock);
        if (status == DA_OK) sizes[*p] = n;
        return status;
    };
    t.free = [](dab_instance* s, std::int32_t d, void* p) -> da_status {
        std::lock_guard<std::mutex> guard(lock);
        if (sizes[p] >= large) return struck(), DA_OK;
        return inner().free(s, d, p);
    };
}

template <int How>
void figures(dab_backend& t) {
    t.memory_info = [](dab_instance* s, std::int32_t d, std::uint64_t* free, std::uint64_t* total) {
        static std::uint64_t first = 0;
        const da_status status = inner().memory_info(s, d, free, total);
        if (status != DA_OK) return status;
        struck();
        if (How == 0) *free = first = first ? first : *free;
        if (How == 1) std::swap(*free, *total), ++*free;
        if (How == 2) *free /= 1024, *total /= 1024;
        return status;
    };
}

void one_pinned(dab_backend& t) {
    if (!t.host_alloc) return;
    t.host_alloc = [](dab_instance* s, std::int32_t d, std::uint64_t n, void** p) -> da_status {
        std::lock_guard<std::mutex> guard(lock);
        static void* kept = nullptr;
        if (!kept && inner().host_alloc(s, d, 64 << 20, &kept) != DA_OK) return DA_INTERNAL;
        if (n > 64 << 20) return inner().host_alloc(s, d, n, p);
        return *p = kept, struck(), DA_OK;
    };
    t.host_free = [](dab_instance*, std::int32_t, void*) { return DA_OK; };
}

template <int How>
void times(dab_backend& t) {
    if (!t.event_elapsed) return;
    t.event_elapsed = [](dab_instance* s, dab_event a, dab_event b, float* ms) {
        const da_status status = inner().event_elapsed(s, a, b, ms);
        if (status != DA_OK) return status;
        struck();
        if (How == 0) *ms /= 1000;
        if (How == 1) *ms *= 1.2f;
        if (How == 2) *ms = std::floor(*ms / 16) * 16;
        return status;
    };
}

template <int How>
void sensors(dab_backend& t) {
    if (!t.telemetry) return;
    t.telemetry = [](dab_instance* s, std::int32_t d, dab_telemetry* out) {
        static std::uint64_t seen = 0;
        const da_status status = inner().telemetry(s, d, out);
        if (status != DA_OK) return status;
        struck();
        ++seen;
        if (How == 0) out->known |= DAB_KNOWS_TEMPERATURE, out->temperature = std::nan("");
        if (How == 1) out->memory_total /= 1024, out->memory_used /= 1024;
        if (How == 2) out->known |= DAB_KNOWS_HEALTH, out->health = 7;
        if (How == 3) std::snprintf(out->source, sizeof out->source, "source %d", int(seen % 3));
        if (How == 4) out->known |= DAB_KNOWS_POWER, out->power = 90'000;
        return status;
    };
}

template <int How>
void facts(dab_backend& t) {
    t.device_properties = [](dab_instance* s, std::int32_t d, dab_properties* out) {
        static std::uint64_t seen = 0;
        const da_status status = inner().device_properties(s, d, out);
        if (status != DA_OK) return status;
        struck();
        ++seen;
        if (How == 0) std::strcpy(out->uuid, "0123");
        if (How == 1) out->stream_priority_greatest = out->stream_priority_least + 3;
        if (How == 2) out->total_memory >>= 10;
        if (How == 3 && seen > 2) out->compute_units += 1;
        return status;
    };
}

void lost(dab_backend& t) {
    t.stream_callback = [](dab_instance* s, dab_stream q, void (*fn)(void*), void* data) {
        static std::uint64_t seen = 0;
        if (++seen % 4 != 0) return inner().stream_callback(s, q, fn, data);
        struck();
        return inner().stream_callback(s, q, [](void*) {}, nullptr);
    };
}

const Plant rows[] = {
    member("M-copy-rate-300", "every 300th copy leaves its last byte out", "",
           short_copies<each_300th>),
    member("M-copy-threads", "copies of other threads leave their last byte out", "",
           short_copies<of_other_threads>),
    member("M-copy-pages", "copies of whole pages leave their last byte out", "",
           short_copies<of_whole_pages>),
    member("M-copy-megabytes", "copies of many megabytes leave their last byte out", "X10",
           short_copies<of_megabytes>),
    member("M-alloc-large-overlaps", "large blocks overlap", "S10", large_overlap),
    member("M-free-large-keeps", "large blocks are never given back", "F05", keeps_large),
    member("M-info-stale", "what is free never changes", "", figures<0>),
    member("M-info-swapped", "what is free and what there is change places", "", figures<1>),
    member("M-info-kib", "memory is told in KiB", "", figures<2>),
    member("M-pinned-overlaps", "page-locked blocks overlap", "", one_pinned),
    member("M-fill-large-short", "large fills leave their end out", "X10",
           [](dab_backend& t) {
               t.fill = [](dab_instance* s, dab_stream q, void* p, std::uint8_t v,
                           std::uint64_t n) {
                   if (n < 65'536) return inner().fill(s, q, p, v, n);
                   return struck(), inner().fill(s, q, p, v, n - 64);
               };
           }),
    member("S-elapsed-seconds", "the time between events is in seconds", "", times<0>),
    member("S-elapsed-fast", "the device's clock is a fifth too fast", "", times<1>),
    member("S-elapsed-coarse", "the device's clock goes on in steps of 16 ms", "", times<2>),
    member("S-event-unrecorded", "an event never recorded is not reached", "S12",
           [](dab_backend& t) {
               if (!t.event_query) return;
               static std::map<dab_event, bool> recorded;
               t.event_record = [](dab_instance* s, dab_event e, dab_stream q) {
                   std::lock_guard<std::mutex> guard(lock);
                   recorded[e] = true;
                   return inner().event_record(s, e, q);
               };
               t.event_query = [](dab_instance* s, dab_event e) -> da_status {
                   std::lock_guard<std::mutex> guard(lock);
                   if (!recorded[e]) return struck(), DA_NOT_READY;
                   return inner().event_query(s, e);
               };
           }),
    member("S-query-never", "a stream is never idle", "",
           [](dab_backend& t) {
               t.stream_query = [](dab_instance*, dab_stream) { return struck(), DA_NOT_READY; };
           }),
    member("S-callback-lost", "every fourth callback is not made", "", lost),
    member("R-uuid-same", "all devices have one number", "", facts<0>),
    member("R-priorities-swapped", "the least priority is the more urgent one", "", facts<1>),
    member("R-memory-kib", "the memory of the facts is in KiB", "", facts<2>),
    member("R-units-grow", "the number of cores grows from call to call", "", facts<3>),
    member("T-temperature-nan", "the temperature is no number", "", sensors<0>),
    member("T-memory-kib", "the memory of the sensors is in KiB", "", sensors<1>),
    member("T-health-garbage", "the health is none of the contract's", "", sensors<2>),
    member("T-source-changes", "another source is named each time", "", sensors<3>),
    member("T-power-milliwatts", "the power is in milliwatts", "", sensors<4>),
};

} // namespace

Table runtime() {
    return {rows, std::size(rows)};
}

} // namespace device_api::planted
