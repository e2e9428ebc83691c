// SPDX-License-Identifier: Apache-2.0
// Defects of copies between devices, and of devices after the first.
#include <map>
#include <mutex>

#include "rows.hpp"

namespace device_api::planted {

namespace {

struct Peer {
    dab_instance* self;
    dab_stream stream;
    std::int32_t to_device;
    void* to;
    std::int32_t from_device;
    const void* from;
    std::uint64_t bytes;

    da_status go(std::uint64_t n) const {
        return inner().copy_peer(self, stream, to_device, to, from_device, from, n);
    }
};

/// Replaces copies between devices by a function of them.
template <da_status (*F)(const Peer&)>
void copies(dab_backend& t) {
    if (!t.copy_peer) return;
    t.copy_peer = [](dab_instance* s, dab_stream q, std::int32_t to_device, void* to,
                     std::int32_t from_device, const void* from,
                     std::uint64_t n) { return F({s, q, to_device, to, from_device, from, n}); };
}

da_status last_byte(const Peer& p) {
    struck();
    return p.go(p.bytes > 1 ? p.bytes - 1 : p.bytes);
}
da_status dropped(const Peer&) {
    return struck(), DA_OK;
}
da_status one_way(const Peer& p) {
    if (p.from_device < p.to_device) return p.go(p.bytes);
    return struck(), DA_OK;
}
da_status large(const Peer& p) {
    if (p.bytes <= 65536) return p.go(p.bytes);
    struck();
    return p.go(65536);
}
da_status each_fifth(const Peer& p) {
    static std::uint64_t seen = 0;
    if (++seen % 5) return p.go(p.bytes);
    return struck(), DA_OK;
}

/// The streams that nobody waits for, by device.
da_status unordered(const Peer& p) {
    static std::mutex lock;
    static auto* own = new std::map<std::int32_t, dab_stream>;
    const std::lock_guard<std::mutex> guard(lock);
    dab_stream& stream = (*own)[p.to_device];
    if (!stream && inner().stream_create(p.self, p.to_device, 0, &stream)) return p.go(p.bytes);
    struck();
    return inner().copy_peer(p.self, stream, p.to_device, p.to, p.from_device, p.from, p.bytes);
}

/// The source is gone afterwards.
da_status moved(const Peer& p) {
    const da_status status = p.go(p.bytes);
    dab_stream there = nullptr;
    if (status != DA_OK || !inner().fill) return status;
    if (inner().stream_synchronize(p.self, p.stream, -1)) return DA_OK;
    if (inner().stream_create(p.self, p.from_device, 0, &there)) return DA_OK;
    struck();
    inner().fill(p.self, there, const_cast<void*>(p.from), 0, p.bytes);
    inner().stream_synchronize(p.self, there, -1);
    return inner().stream_destroy(p.self, there);
}

// ---- waits across devices ----

struct Owners {
    std::mutex lock;
    std::map<void*, std::int32_t> device; // of streams and events
};
Owners& owners() {
    static auto* found = new Owners;
    return *found;
}
da_status owned(da_status status, void** handle, std::int32_t device) {
    if (status != DA_OK) return status;
    const std::lock_guard<std::mutex> guard(owners().lock);
    owners().device[*handle] = device;
    return status;
}

void deaf_to_other_devices(dab_backend& t) {
    t.stream_create = [](dab_instance* s, std::int32_t device, std::int32_t p, dab_stream* q) {
        return owned(inner().stream_create(s, device, p, q), reinterpret_cast<void**>(q), device);
    };
    t.event_create = [](dab_instance* s, std::int32_t device, std::uint32_t flags, dab_event* e) {
        return owned(inner().event_create(s, device, flags, e), reinterpret_cast<void**>(e),
                     device);
    };
    t.stream_wait_event = [](dab_instance* s, dab_stream q, dab_event e) {
        {
            const std::lock_guard<std::mutex> guard(owners().lock);
            if (owners().device[q] != owners().device[e]) return struck(), DA_OK;
        }
        return inner().stream_wait_event(s, q, e);
    };
}

const Plant rows[] = {
    member("U-peer-last-byte", "copies between devices leave the last byte out", "U02",
           copies<&last_byte>),
    member("U-peer-dropped", "copies between devices are not done", "U02", copies<&dropped>),
    member("U-peer-one-way", "copies to a device of a lower number are not done", "U02",
           copies<&one_way>),
    member("U-peer-large", "copies between devices end after 64 KiB", "U02", copies<&large>),
    member("U-peer-each-fifth", "every fifth copy between devices is not done", "U02",
           copies<&each_fifth>),
    member("U-peer-unordered", "copies between devices run beside their stream", "U02",
           copies<&unordered>),
    member("U-peer-moved", "a copy between devices empties its source", "U02", copies<&moved>),
    member("U-wait-dropped", "a stream does not wait for an event of another device", "S01",
           deaf_to_other_devices),
    result("U-second-differs", "exp of the second device is off by one unit", "",
           On("exp").second(), [](Work& w) { all_nudged(w, 1); }),
    result("U-second-matmul", "products of the second device are wrong", "", On("matmul").second(),
           spoil_last),
    member("U-second-waits-not", "waits of the second device return at once", "F03",
           [](dab_backend& t) {
               t.device_synchronize = [](dab_instance* s, std::int32_t device, std::int32_t ms) {
                   if (device > 0) return struck(), DA_OK;
                   return inner().device_synchronize(s, device, ms);
               };
           }),
};

} // namespace

Table peers() {
    return {rows, std::size(rows)};
}

} // namespace device_api::planted
