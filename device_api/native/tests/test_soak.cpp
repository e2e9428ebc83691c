// SPDX-License-Identifier: Apache-2.0
// A soak of the allocator: random tensors over 4 streams and 2 threads, used across streams.
//
// test_soak [allocations]: 20,000 unless given. At the end nothing is leaked, and the peak lies
// between what was really in use and that with each size rounded up to its block.
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <random>
#include <thread>

#include "check.hpp"
#include "device_api/host_memory.h"
#include "mock_events.hpp"

namespace {

dah_device device;
std::mutex backend_lock, account_lock;
uint64_t in_use = 0, peak = 0, rounded = 0, rounded_peak = 0; // under the account's lock
std::atomic<int> torn{0};

// The mock's calls one at a time; some marks are reached late.
template <auto function, class... A>
da_status locked(A... arguments) {
    std::lock_guard<std::mutex> guard(backend_lock);
    return function(arguments...);
}
da_status query_late(dab_instance*, dab_event event) {
    std::lock_guard<std::mutex> guard(backend_lock);
    static std::minstd_rand random(1);
    if (random() % 4) return mock::marks.open.count(event) ? DA_NOT_READY : DA_OK;
    mock::marks.open.erase(event);
    return DA_OK;
}

const dab_backend* locked_table() {
    static dab_backend t = *mock::table_with_events();
    t.alloc = [](auto... a) { return locked<mock::alloc>(a...); };
    t.free = [](auto... a) { return locked<mock::release>(a...); };
    t.stream_create = [](auto... a) { return locked<mock::stream_create>(a...); };
    t.stream_destroy = [](auto... a) { return locked<mock::stream_destroy>(a...); };
    t.stream_synchronize = [](auto... a) { return locked<mock::synchronize_all>(a...); };
    t.event_create = [](auto... a) { return locked<mock::event_create>(a...); };
    t.event_destroy = [](auto... a) { return locked<mock::event_destroy>(a...); };
    t.event_record = [](auto... a) { return locked<mock::event_record>(a...); };
    t.event_query = query_late;
    return &t;
}

struct Held {
    dah_tensor* tensor;
    unsigned char* address;
    uint64_t bytes, block;
    unsigned char mark;
};

void check_marks(const Held& h) {
    for (uint64_t k : {uint64_t{0}, h.bytes / 2, h.bytes - 1}) torn += h.address[k] != h.mark;
}

Held take(std::mt19937_64& random) {
    const auto n = int64_t(1 + random() % (random() % 16 ? 4000 : 1 << 20));
    Held h{};
    std::lock_guard<std::mutex> guard(account_lock); // so that the account's peak is exact
    CHECK_OK(dah_empty(device, DA_UINT8, 1, &n, &h.tensor));
    if (!h.tensor) std::exit(report());
    da_tensor view;
    dah_tensor_describe(h.tensor, &view);
    h.address = static_cast<unsigned char*>(view.storage);
    h.bytes = uint64_t(n);
    h.block = view.storage_bytes;
    peak = std::max(peak, in_use += h.bytes);
    rounded_peak = std::max(rounded_peak, rounded += h.block);
    return h;
}

void give(const Held& h) {
    check_marks(h);
    std::lock_guard<std::mutex> guard(account_lock);
    dah_tensor_release(h.tensor);
    in_use -= h.bytes;
    rounded -= h.block;
}

void work(int seed, int allocations, dah_stream** streams) {
    std::mt19937_64 random(static_cast<uint64_t>(seed));
    std::vector<Held> held;
    for (int made = 0; made < allocations;) {
        if (random() % 8 == 0) CHECK_OK(dah_set_current_stream(streams[random() % 4]));
        if (held.size() < 100 && random() % 2) {
            held.push_back(take(random));
            Held& h = held.back();
            h.mark = static_cast<unsigned char>(random());
            std::memset(h.address, h.mark, h.bytes);
            ++made;
        } else if (!held.empty()) {
            const size_t i = random() % held.size();
            if (random() % 4 == 0) {
                CHECK_OK(dah_tensor_record_stream(held[i].tensor, streams[random() % 4]));
            }
            give(held[i]);
            held[i] = held.back();
            held.pop_back();
        }
        if (random() % 5000 == 0) CHECK_OK(dah_empty_cache(device));
    }
    for (const Held& h : held) give(h);
}

void soak(int allocations) {
    dah_stream* streams[4];
    for (dah_stream*& stream : streams) CHECK_OK(dah_stream_create(device, 0, &stream));
    std::thread one(work, 1, allocations / 2, streams), two(work, 2, allocations / 2, streams);
    one.join();
    two.join();
    for (dah_stream* stream : streams) dah_stream_release(stream);
}

} // namespace

int main(int count, char** arguments) {
    const int allocations = count > 1 ? std::atoi(arguments[1]) : 20000;
    mock::state.limit = uint64_t{256} << 20;
    CHECK_OK(dah_backend_register("mock", locked_table(), nullptr, 0));
    CHECK_OK(dah_device_get("mock", 0, &device));
    soak(allocations);
    dah_memory_stats s{};
    s.size = sizeof s;
    CHECK_OK(dah_get_memory_stats(device, &s));
    CHECK(torn == 0); // no two tensors ever shared memory
    CHECK(s.allocations == uint64_t(allocations) && s.frees == s.allocations);
    CHECK(s.live == 0 && s.allocated == 0);
    CHECK(s.peak_allocated == rounded_peak && s.peak_allocated >= peak);
    CHECK_OK(dah_empty_cache(device));
    CHECK_OK(dah_get_memory_stats(device, &s));
    CHECK(s.reserved == 0 && mock::state.used == 0 && mock::marks.alive == 0);
    std::printf("%d allocations, peak %.1f MiB asked, %.1f in blocks, %.1f reserved, %d segments\n",
                allocations, double(peak) / (1 << 20), double(s.peak_allocated) / (1 << 20),
                double(s.peak_reserved) / (1 << 20), mock::state.allocs);
    return report();
}
