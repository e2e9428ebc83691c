// SPDX-License-Identifier: Apache-2.0
// The caching allocator: reuse, splitting, merging, running out, streams, and the accounts of it.
#include <algorithm>
#include <random>

#include "check.hpp"
#include "mock_backend.hpp"

namespace {

dah_device device;

dah_memory_stats stats() {
    dah_memory_stats s{};
    s.size = sizeof s;
    dah_get_memory_stats(device, &s);
    return s;
}

void* take(uint64_t bytes, dah_stream* stream = nullptr) {
    void* address = nullptr;
    CHECK_OK(dah_malloc(device, bytes, stream, &address));
    return address;
}
void give(void* address) {
    CHECK_OK(dah_free(device, address));
}

void small_blocks_are_reused_and_share_a_segment() {
    const int before = mock::state.allocs;
    void *a = take(100), *b = take(100);
    CHECK(a != b);
    CHECK(reinterpret_cast<uintptr_t>(a) % 512 == 0 && reinterpret_cast<uintptr_t>(b) % 512 == 0);
    give(a);
    CHECK(take(80) == a); // same size class, last in first out
    CHECK(mock::state.allocs == before + 1);
    give(a);
    give(b);
}

void large_blocks_split_and_merge() {
    CHECK_OK(dah_empty_cache(device));
    void *a = take(300 << 10), *b = take(300 << 10), *c = take(300 << 10);
    CHECK(stats().reserved_count == 1);
    give(a);
    give(c);
    give(b);
    void* whole = take(900 << 10); // only fits when the three have become one again
    CHECK(whole == a);
    CHECK(stats().reserved_count == 1);
    give(whole);
    CHECK_OK(dah_empty_cache(device));
    CHECK(stats().reserved == 0 && mock::state.used == 0);
}

void running_out_gives_the_cache_back_and_tries_once_more() {
    void* a = take(40 << 20);
    give(a); // 40 of 64 MiB stay in the cache
    const uint64_t releases = stats().cache_releases;
    void* b = take(50 << 20);
    CHECK(b != nullptr && stats().cache_releases == releases + 1);
    void* none = nullptr;
    CHECK(dah_malloc(device, 40 << 20, nullptr, &none) == DA_OUT_OF_MEMORY);
    CHECK(none == nullptr);
    CHECK(error_says("40.00 MiB asked") && error_says("free on the device"));
    CHECK(error_says("raw memory 50.00 MiB in 1 block"));
    CHECK(stats().allocated == 50 << 20);
    give(b);
    give(take(40 << 20)); // the error does not stick
    CHECK(dah_malloc(device, UINT64_MAX, nullptr, &none) == DA_OUT_OF_MEMORY);
    CHECK_OK(dah_empty_cache(device));
}

void blocks_stay_with_their_stream() {
    dah_stream *one = nullptr, *two = nullptr;
    CHECK_OK(dah_stream_create(device, 0, &one));
    CHECK_OK(dah_stream_create(device, 0, &two));
    void* a = take(5000, one);
    give(a);
    void* b = take(5000, two);
    CHECK(b != a); // work of stream one may still use it
    CHECK(take(5000, one) == a);
    give(a);
    give(b);
    dah_stream_release(one);
    dah_stream_release(two);
    CHECK_OK(dah_empty_cache(device));
    CHECK(mock::state.used == 0);
}

void wrong_frees_are_refused() {
    void* a = take(64);
    give(a);
    CHECK(dah_free(device, a) == DA_INVALID_ARGUMENT && error_says("freed already"));
    int local = 0;
    CHECK(dah_free(device, &local) == DA_INVALID_ARGUMENT);
    void* none;
    CHECK(dah_malloc(device, 0, nullptr, &none) == DA_INVALID_ARGUMENT);
}

void direct_memory_goes_straight_back() {
    void* a = nullptr;
    const uint64_t before = mock::state.used;
    CHECK_OK(dah_malloc_direct(device, 3 << 20, &a));
    CHECK(mock::state.used == before + (3 << 20) && stats().allocated == 3 << 20);
    const int waits = mock::state.synchronised;
    give(a);
    CHECK(mock::state.used == before && mock::state.synchronised > waits);
}

// Random traffic against a shadow account, with a pattern in every block.
void random_traffic_keeps_blocks_apart() {
    struct Held {
        unsigned char* address;
        uint64_t bytes;
        unsigned char mark;
    };
    std::vector<Held> held;
    std::mt19937_64 random(1);
    mock::state.limit = uint64_t{1} << 30;
    uint64_t peak_live = 0;
    for (int step = 0; step < 20000; ++step) {
        if (held.size() < 200 && random() % 2) {
            const uint64_t bytes = 1 + random() % (random() % 8 ? 3000 : 2 << 20);
            auto* address = static_cast<unsigned char*>(take(bytes));
            held.push_back({address, bytes, static_cast<unsigned char>(step)});
            std::memset(address, held.back().mark, bytes);
        } else if (!held.empty()) {
            const size_t i = random() % held.size();
            const Held h = held[i];
            for (uint64_t k : {uint64_t{0}, h.bytes / 2, h.bytes - 1}) {
                CHECK(h.address[k] == h.mark);
            }
            give(h.address);
            held[i] = held.back();
            held.pop_back();
        }
        uint64_t asked = 0;
        for (const Held& h : held) asked += h.bytes;
        peak_live = std::max(peak_live, asked);
    }
    CHECK(stats().live == held.size() && stats().peak_allocated >= peak_live);
    for (const Held& h : held) give(h.address);
    CHECK(stats().live == 0 && stats().allocated == 0);
    CHECK_OK(dah_empty_cache(device));
    CHECK(mock::state.used == 0 && mock::state.memory.empty());
}

} // namespace

int main() {
    CHECK_OK(dah_backend_register("mock", mock::table(), nullptr, 0));
    CHECK_OK(dah_device_get("mock", 0, &device));
    small_blocks_are_reused_and_share_a_segment();
    large_blocks_split_and_merge();
    running_out_gives_the_cache_back_and_tries_once_more();
    blocks_stay_with_their_stream();
    wrong_frees_are_refused();
    direct_memory_goes_straight_back();
    random_traffic_keeps_blocks_apart();
    return report();
}
