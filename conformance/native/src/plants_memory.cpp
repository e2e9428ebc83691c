// SPDX-License-Identifier: Apache-2.0
// Defects of memory: blocks, copies, fills, numbers, what is never given back.
#include <cstring>
#include <mutex>
#include <vector>

#include "rows.hpp"

namespace device_api::planted {

namespace {

std::mutex lock; // of what the hooks keep

da_status copied(dab_instance* s, dab_stream q, void* to, const void* from, std::uint64_t n,
                 dab_copy_kind kind) {
    return inner().copy(s, q, to, from, n, kind);
}

const char* moved(const void* p, std::ptrdiff_t by) {
    return static_cast<const char*>(p) + by;
}

/// Copies of one kind of at least so many bytes leave the last bytes out.
template <dab_copy_kind Kind, std::uint64_t Least, std::uint64_t Less>
void cut(dab_backend& t) {
    t.copy = [](dab_instance* s, dab_stream q, void* to, const void* from, std::uint64_t n,
                dab_copy_kind kind) {
        if (kind != Kind || n < Least || n <= Less) return copied(s, q, to, from, n, kind);
        struck();
        return copied(s, q, to, from, n - Less, kind);
    };
}

/// Copies to the host of at least so many bytes have one bit wrong.
template <std::uint64_t Least, std::uint64_t Nth>
void flip(dab_backend& t) {
    t.copy = [](dab_instance* s, dab_stream q, void* to, const void* from, std::uint64_t n,
                dab_copy_kind kind) {
        static std::uint64_t seen = 0;
        const da_status status = copied(s, q, to, from, n, kind);
        if (status != DA_OK || kind != DAB_DEVICE_TO_HOST || n < Least) return status;
        if (++seen % Nth != 0) return status;
        const da_status done = inner().stream_synchronize(s, q, -1);
        static_cast<unsigned char*>(to)[n / 2] ^= 4;
        struck();
        return done;
    };
}

/// Blocks are given out with a shift: misaligned, or over their end.
template <std::ptrdiff_t By>
void shifted(dab_backend& t) {
    t.alloc = [](dab_instance* s, std::int32_t d, std::uint64_t n, void** p) {
        const da_status status = inner().alloc(s, d, n + 4096, p);
        if (status == DA_OK) *p = static_cast<char*>(*p) + By, struck();
        return status;
    };
    t.free = [](dab_instance* s, std::int32_t d, void* p) {
        return inner().free(s, d, p ? static_cast<char*>(p) - By : p);
    };
}

/// Every block is the same as the one before when that had the size.
void overlapping(dab_backend& t) {
    static std::vector<std::pair<std::uint64_t, void*>> kept;
    t.alloc = [](dab_instance* s, std::int32_t d, std::uint64_t n, void** p) -> da_status {
        std::lock_guard<std::mutex> guard(lock);
        for (const auto& [bytes, address] : kept)
            if (bytes >= n) return *p = address, struck(), DA_OK;
        const da_status status = inner().alloc(s, d, n, p);
        if (status == DA_OK) kept.emplace_back(n, *p);
        return status;
    };
    t.free = [](dab_instance*, std::int32_t, void*) { return DA_OK; };
}

void keeps(dab_backend& t) {
    t.free = [](dab_instance*, std::int32_t, void*) { return struck(), DA_OK; };
}

/// What the numbers of memory say.
template <int How>
void told(dab_backend& t) {
    t.memory_info = [](dab_instance* s, std::int32_t d, std::uint64_t* free, std::uint64_t* total) {
        const da_status status = inner().memory_info(s, d, free, total);
        if (status != DA_OK) return status;
        struck();
        if (How == 0) *free = *total * 2;
        if (How == 1) *total = 0;
        if (How == 2) *free = *total = *total & 0xffff'ffff;
        if (How == 3) *free = 0;
        return status;
    };
}

template <int How>
void filled(dab_backend& t) {
    t.fill = [](dab_instance* s, dab_stream q, void* p, std::uint8_t value, std::uint64_t n) {
        struck();
        if (How == 0) return inner().fill(s, q, p, 0, n);
        return inner().fill(s, q, p, value, How == 1 && n > 1 ? n - 1 : n);
    };
}

const Plant rows[] = {
    member("M-h2d-last-byte", "copies to the device leave the last byte out", "",
           cut<DAB_HOST_TO_DEVICE, 2, 1>),
    member("M-d2h-last-byte", "copies to the host leave the last byte out", "",
           cut<DAB_DEVICE_TO_HOST, 2, 1>),
    member("M-h2d-tail-large", "large copies to the device leave the last 64 bytes out", "X10",
           cut<DAB_HOST_TO_DEVICE, 65'536, 64>),
    member("M-d2h-tail-large", "large copies to the host leave the last 512 bytes out", "X10",
           cut<DAB_DEVICE_TO_HOST, 1 << 20, 512>),
    member("M-d2h-bit", "a bit of large copies to the host is wrong", "", flip<4096, 1>),
    member("M-d2h-bit-rate", "a bit of every twentieth copy to the host is wrong", "", flip<1, 20>),
    member("M-d2h-bit-huge", "a bit of copies of a megabyte is wrong", "", flip<1 << 20, 1>),
    member("M-h2d-dropped", "every tenth copy to the device is dropped", "",
           [](dab_backend& t) {
               t.copy = [](dab_instance* s, dab_stream q, void* to, const void* from,
                           std::uint64_t n, dab_copy_kind kind) {
                   static std::uint64_t seen = 0;
                   if (kind == DAB_HOST_TO_DEVICE && ++seen % 10 == 0) return struck(), DA_OK;
                   return copied(s, q, to, from, n, kind);
               };
           }),
    member("M-h2d-swapped-halves", "halves of copies of 512 bytes change places", "",
           [](dab_backend& t) {
               t.copy = [](dab_instance* s, dab_stream q, void* to, const void* from,
                           std::uint64_t n, dab_copy_kind kind) {
                   if (kind != DAB_HOST_TO_DEVICE || n != 512)
                       return copied(s, q, to, from, n, kind);
                   struck();
                   copied(s, q, to, moved(from, 256), 256, kind);
                   return copied(s, q, static_cast<char*>(to) + 256, from, 256, kind);
               };
           }),
    member("M-h2d-neighbour", "copies to the device write a byte too many", "X16",
           [](dab_backend& t) {
               t.copy = [](dab_instance* s, dab_stream q, void* to, const void* from,
                           std::uint64_t n, dab_copy_kind kind) {
                   const da_status status = copied(s, q, to, from, n, kind);
                   static const char zero = 0x5a;
                   if (status != DA_OK || kind != DAB_HOST_TO_DEVICE || n % 64 == 0) return status;
                   struck();
                   return copied(s, q, static_cast<char*>(to) + n, &zero, 1, kind);
               };
           }),
    member("M-alloc-misaligned", "blocks are aligned to 8 bytes only", "A04", shifted<8>),
    member("M-alloc-misaligned-32", "blocks are aligned to 32 bytes only", "A04", shifted<32>),
    member("M-alloc-overlaps", "blocks overlap", "S10", overlapping),
    member("M-free-keeps", "memory is never given back", "F05", keeps),
    member("M-info-too-much", "more memory is free than there is", "", told<0>),
    member("M-info-no-total", "the memory's size is 0", "X10", told<1>),
    member("M-info-32bit", "numbers of memory keep 32 bits", "X10", told<2>),
    member("M-info-none-free", "no memory is said to be free", "", told<3>),
    member("M-fill-zero", "the value of a fill of bytes is ignored", "", filled<0>),
    member("M-fill-short", "a fill of bytes leaves the last one out", "", filled<1>),
    member("K-alloc-leak", "a second block is taken for each one and kept", "F13",
           [](dab_backend& t) {
               t.alloc = [](dab_instance* s, std::int32_t d, std::uint64_t n, void** p) {
                   void* lost = nullptr;
                   if (inner().alloc(s, d, n < 65'536 ? n : 65'536, &lost) == DA_OK) {
                       std::memset(lost, 1, 1);
                       struck();
                   }
                   return inner().alloc(s, d, n, p);
               };
           }),
    result("K-op-leak", "a buffer of the result's size leaks with each call", "F13", On(),
           [](Work& w) {
               static std::vector<std::vector<char>> lost;
               std::lock_guard<std::mutex> guard(lock);
               lost.emplace_back(w.output.count() * w.output.size() + 4096, 'x');
           }),
    member("K-stream-leak", "streams are never destroyed", "S12",
           [](dab_backend& t) {
               t.stream_destroy = [](dab_instance*, dab_stream) { return struck(), DA_OK; };
           }),
    member("K-event-leak", "events are never destroyed", "S12",
           [](dab_backend& t) {
               if (!t.event_destroy) return;
               t.event_destroy = [](dab_instance*, dab_event) {
                   static std::vector<std::vector<char>> lost;
                   std::lock_guard<std::mutex> guard(lock);
                   lost.emplace_back(65'536, 'x');
                   return struck(), DA_OK;
               };
           }),
};

} // namespace

Table memory() {
    return {rows, std::size(rows)};
}

} // namespace device_api::planted
