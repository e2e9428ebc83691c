// SPDX-License-Identifier: Apache-2.0
// Memory across streams, its limit, snapshots, pinned host memory, and copies between devices.
#include "check.hpp"
#include "device_api/host_memory.h"
#include "mock_events.hpp"

namespace {

dah_device device, neighbour;

dah_memory_details details(dah_device of = device) {
    dah_memory_details d{};
    d.size = sizeof d;
    CHECK_OK(dah_get_memory_details(of, &d));
    return d;
}
dah_memory_stats stats() {
    dah_memory_stats s{};
    s.size = sizeof s;
    CHECK_OK(dah_get_memory_stats(device, &s));
    return s;
}
dah_tensor* tensor(int64_t elements) {
    dah_tensor* t = nullptr;
    CHECK_OK(dah_empty(device, DA_FLOAT32, 1, &elements, &t));
    return t;
}
void* data(const dah_tensor* t) {
    da_tensor view;
    dah_tensor_describe(t, &view);
    return view.data;
}
void start_anew() {
    CHECK_OK(dah_empty_cache(device));
    CHECK(stats().reserved == 0 && mock::state.used == 0 && mock::marks.alive == 0);
}

// Frees a tensor that `stream` was recorded on; its address.
void* drop_recorded(dah_tensor* t, dah_stream* stream) {
    void* address = data(t);
    CHECK_OK(dah_tensor_record_stream(t, stream));
    CHECK_OK(dah_tensor_record_stream(t, stream)); // twice is once
    dah_tensor_release(t);
    return address;
}

void recorded_memory_waits_for_its_stream(int64_t elements) {
    dah_stream* other = nullptr;
    CHECK_OK(dah_stream_create(device, 0, &other));
    const uint64_t before = stats().allocated;
    void* address = drop_recorded(tensor(elements), other);
    CHECK(mock::marks.open.size() == 1);
    CHECK(stats().allocated == before && details().held_back >= 4 * uint64_t(elements));
    dah_tensor* next = tensor(elements);
    CHECK(data(next) != address); // the other stream may still use it
    dah_tensor_release(next);
    mock::marks.open.clear();
    dah_tensor* last = tensor(elements); // takes what was freed last, after a look at the marks
    dah_tensor* more = tensor(elements);
    CHECK(data(last) == address || data(more) == address);
    CHECK(details().held_back == 0);
    dah_tensor_release(last);
    dah_tensor_release(more);
    dah_stream_release(other);
    start_anew();
}

void held_memory_is_not_given_back_under_its_stream() {
    dah_stream* other = nullptr;
    CHECK_OK(dah_stream_create(device, 0, &other));
    for (int64_t elements : {int64_t{10}, int64_t{1} << 20}) {
        drop_recorded(tensor(elements), other);
        const int waits = mock::state.synchronised;
        CHECK_OK(dah_empty_cache(device)); // waits, and only then frees
        CHECK(mock::state.synchronised > waits && mock::state.used == 0);
        dah_tensor* t = tensor(elements); // nothing of the freed segment is in the pools
        CHECK(mock::state.used > 0);
        std::memset(data(t), 1, 4 * size_t(elements));
        dah_tensor_release(t);
    }
    drop_recorded(tensor(10 << 20), other); // 40 of 64 MiB, held
    dah_tensor* large = tensor(12 << 20);   // running out waits for it
    CHECK(large && stats().live == 1);
    dah_tensor_release(large);
    dah_stream_release(other);
    start_anew();
}

void the_own_stream_and_foreign_ones() {
    dah_tensor* t = tensor(100);
    dah_stream *own = nullptr, *foreign = nullptr;
    CHECK_OK(dah_current_stream(device, &own));
    CHECK_OK(dah_stream_create(neighbour, 0, &foreign));
    CHECK(dah_tensor_record_stream(t, foreign) == DA_INVALID_ARGUMENT);
    CHECK(error_says("mock:1") && dah_last_error()->kind == DAH_ERROR_DEVICE_MISMATCH);
    void* address = drop_recorded(t, own);
    CHECK(mock::marks.open.empty()); // streams run in order: no mark is needed
    t = tensor(100);
    CHECK(data(t) == address);
    dah_tensor_release(t);
    dah_stream_release(foreign);
    start_anew();
}

void the_fraction_is_a_limit() {
    CHECK(dah_set_memory_fraction(device, 0) == DA_INVALID_ARGUMENT);
    CHECK(dah_set_memory_fraction(device, 1.5) == DA_INVALID_ARGUMENT && error_says("1.5"));
    CHECK_OK(dah_set_memory_fraction(device, 0.25)); // 16 of 64 MiB
    CHECK(details().limit == 16 << 20);
    const int64_t too_many = 5 << 20;
    dah_tensor *none = nullptr, *fits = tensor(3 << 20);
    CHECK(dah_empty(device, DA_FLOAT32, 1, &too_many, &none) == DA_OUT_OF_MEMORY);
    CHECK(error_says("memory limit") && error_says("16.00 MiB") && error_says("fraction 0.25"));
    CHECK(std::strstr(dah_last_error()->remedy, "set_memory_fraction"));
    dah_tensor_release(fits);
    fits = tensor(int64_t(4) << 20); // the cache is given back for it
    CHECK(fits != nullptr && mock::state.used == 16 << 20);
    dah_tensor* small = nullptr;
    const int64_t one = 1;
    CHECK(dah_empty(device, DA_FLOAT32, 1, &one, &small) == DA_OUT_OF_MEMORY);
    CHECK_OK(dah_set_memory_fraction(device, 1));
    CHECK(details().limit == 0);
    small = tensor(1);
    dah_tensor_release(small);
    dah_tensor_release(fits);
    start_anew();
}

struct Sums {
    uint64_t segments = 0, blocks = 0, live = 0, held = 0, free = 0;
    char* end = nullptr; // of the last piece
    bool in_order = true;
};
void add_up(const dah_memory_piece* piece, void* sums) {
    Sums& s = *static_cast<Sums*>(sums);
    if (piece->state == DAH_MEMORY_SEGMENT) {
        s.segments += piece->bytes;
        s.end = static_cast<char*>(piece->address);
        return;
    }
    s.in_order &= piece->address == s.end; // the blocks cover the segment without gaps
    s.end = static_cast<char*>(piece->address) + piece->bytes;
    s.blocks += piece->bytes;
    if (piece->state == DAH_MEMORY_LIVE) s.live += piece->bytes;
    if (piece->state == DAH_MEMORY_HELD) s.held += piece->bytes;
    if (piece->state == DAH_MEMORY_FREE || piece->state == DAH_MEMORY_UNCARVED) {
        s.free += piece->bytes;
    }
}

void snapshots_add_up_to_the_figures() {
    dah_stream* other = nullptr;
    CHECK_OK(dah_stream_create(device, 0, &other));
    void *direct = nullptr, *raw = nullptr;
    CHECK_OK(dah_malloc_direct(device, 4096, &direct));
    CHECK_OK(dah_malloc(device, 200 << 10, nullptr, &raw));
    dah_tensor *a = tensor(10), *b = tensor(100 << 10), *c = tensor(200 << 10), *d = tensor(20);
    dah_tensor_release(b);
    drop_recorded(d, other);
    Sums s;
    CHECK_OK(dah_memory_snapshot(device, add_up, &s));
    CHECK(s.segments == s.blocks && s.segments == stats().reserved && s.in_order);
    CHECK(s.live == stats().allocated);
    CHECK(s.held == details().held_back && s.held > 0);
    CHECK(s.free == details().cached && details().stranded == s.free);
    const double outside = details().fragmentation; // b, and the rest behind c
    CHECK(outside > 0 && outside < 0.2);
    CHECK(std::strcmp(dah_memory_owner(DA_OP_ADD), "add") == 0);
    CHECK_OK(dah_free(device, direct));
    CHECK_OK(dah_free(device, raw));
    dah_tensor_release(a);
    dah_tensor_release(c);
    dah_stream_release(other);
    start_anew();
}

void pinned_memory_is_cached_and_waits_for_copies() {
    void *a = nullptr, *b = nullptr;
    CHECK_OK(dah_host_malloc(device, 5000, &a));
    CHECK(dah_host_is_pinned(device, static_cast<char*>(a) + 4999));
    CHECK(!dah_host_is_pinned(device, &a) && details().pinned_allocated == 8192);
    CHECK_OK(dah_host_free(device, a));
    CHECK(!dah_host_is_pinned(device, a));
    CHECK_OK(dah_host_malloc(device, 8000, &b));
    CHECK(a == b && mock::marks.pinned == 8192);
    dah_stream* stream = nullptr;
    CHECK_OK(dah_current_stream(device, &stream));
    dah_tensor* t = tensor(100);
    CHECK_OK(dah_copy(device, data(t), DAH_HOST, static_cast<char*>(b) + 16, 400, stream));
    CHECK_OK(dah_host_free(device, b)); // while the copy may run
    CHECK(mock::marks.open.size() == 1 && details().pinned_live == 0);
    CHECK_OK(dah_host_malloc(device, 8000, &a));
    CHECK(a != b);
    mock::marks.open.clear();
    void* again = nullptr;
    CHECK_OK(dah_host_malloc(device, 8000, &again));
    CHECK(again == b);
    CHECK(dah_host_free(device, &t) == DA_INVALID_ARGUMENT && error_says("no pinned memory"));
    CHECK_OK(dah_host_free(device, a));
    CHECK(dah_host_free(device, a) == DA_INVALID_ARGUMENT);
    void* large = nullptr;
    CHECK_OK(dah_host_malloc(device, 15 << 20, &large));
    CHECK_OK(dah_host_free(device, large));
    CHECK_OK(dah_host_malloc(device, 5 << 20, &large)); // the cache is given back for it
    CHECK(dah_host_malloc(device, 15 << 20, &a) == DA_OUT_OF_MEMORY);
    CHECK_OK(dah_host_free(device, large));
    CHECK_OK(dah_host_free(device, again));
    dah_tensor_release(t);
    start_anew();
    CHECK(mock::marks.pinned == 0 && details().pinned_reserved == 0);
}

void devices_copy_straight_or_through_the_host() {
    dah_tensor *x = tensor(1000), *y = nullptr;
    std::memset(data(x), 7, 4000);
    const dah_memory_details before = details(neighbour);
    auto moved = [&] {
        CHECK_OK(dah_to_device(x, neighbour, &y));
        CHECK(std::memcmp(data(x), data(y), 4000) == 0);
        dah_tensor_release(y);
    };
    moved();
    CHECK(details(neighbour).peer_copies == before.peer_copies + 1);
    mock::marks.peer = DA_NOT_SUPPORTED; // no link: staged
    moved();
    CHECK(details(neighbour).peer_copies == before.peer_copies + 1);
    CHECK(details(neighbour).staged_copies == before.staged_copies + 1);
    mock::marks.peer = DA_INTERNAL; // a failure is no reason to go another way
    CHECK(dah_to_device(x, neighbour, &y) == DA_INTERNAL && error_says("between devices"));
    mock::marks.peer = DA_OK;
    dah_tensor_release(x);
    CHECK_OK(dah_empty_cache(neighbour));
    start_anew();
}

} // namespace

int main() {
    CHECK_OK(dah_backend_register("mock", mock::table_with_events(), nullptr, 0));
    CHECK_OK(dah_device_get("mock", 0, &device));
    CHECK_OK(dah_device_get("mock", 1, &neighbour));
    recorded_memory_waits_for_its_stream(10);
    recorded_memory_waits_for_its_stream(1 << 20);
    held_memory_is_not_given_back_under_its_stream();
    the_own_stream_and_foreign_ones();
    the_fraction_is_a_limit();
    snapshots_add_up_to_the_figures();
    pinned_memory_is_cached_and_waits_for_copies();
    devices_copy_straight_or_through_the_host();
    return report();
}
