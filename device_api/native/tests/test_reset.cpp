// SPDX-License-Identifier: Apache-2.0
// A lost device and its reset: what is dead, what is refused, what works again.
#include "check.hpp"
#include "device_api/host_memory.h"
#include "device_api/host_ops.h"
#include "mock_events.hpp"

namespace {

dah_device device;

dah_tensor* filled(int64_t n, float value) {
    const std::vector<float> data(static_cast<size_t>(n), value);
    dah_tensor* t = nullptr;
    CHECK_OK(dah_from_host(device, DA_FLOAT32, 1, &n, data.data(), &t));
    return t;
}

bool reads(dah_tensor* t, float value) {
    std::vector<float> data(static_cast<size_t>(dah_tensor_elements(t)));
    if (dah_to_host(t, data.data())) return false;
    for (float x : data)
        if (x != value) return false;
    return true;
}

dah_memory_stats stats() {
    dah_memory_stats s{};
    s.size = sizeof s;
    CHECK_OK(dah_get_memory_stats(device, &s));
    return s;
}

bool is_dead(da_status status) {
    const dah_error& error = *dah_last_error();
    return status == DA_DEVICE_LOST && std::strstr(error.message, "was reset") &&
           std::string(error.device) == "mock:0" && error.remedy[0];
}

void what_was_made_before_is_dead() {
    dah_tensor *small = filled(4, 1), *large = filled(1 << 20, 2), *freed = filled(1 << 18, 3);
    dah_tensor_release(freed); // cached: its memory must not be given out after the reset
    dah_stream *stream = nullptr, *before = nullptr;
    CHECK_OK(dah_stream_create(device, 0, &stream));
    CHECK_OK(dah_current_stream(device, &before));
    dah_event* event = nullptr;
    CHECK_OK(dah_event_create(device, 0, &event));
    void *raw = nullptr, *direct = nullptr;
    CHECK_OK(dah_malloc(device, 100, nullptr, &raw));
    CHECK_OK(dah_malloc_direct(device, 100, &direct));
    const uint32_t generation = dah_device_generation(device);

    CHECK_OK(dah_device_reset(device));
    CHECK(dah_device_generation(device) == generation + 1);
    CHECK(mock::state.used == 0);
    const dah_memory_stats now = stats();
    CHECK(now.allocated == 0 && now.live == 0 && now.reserved == 0 && now.peak_allocated == 0);
    dah_tensor* out = nullptr;
    for (dah_tensor* t : {small, large}) {
        CHECK(is_dead(dah_tensor_check(t)));
        CHECK(is_dead(dah_binary(DA_OP_ADD, t, t, &out)));
        CHECK(is_dead(dah_binary_inplace(DA_OP_ADD, t, t, nullptr)));
        CHECK(is_dead(dah_contiguous(t, 1, &out)));
        CHECK(is_dead(dah_to_device(t, device, &out)));
        CHECK(is_dead(dah_tensor_record_stream(t, before)));
        CHECK(!reads(t, 1) && is_dead(static_cast<da_status>(dah_last_error()->status)));
    }
    for (dah_stream* s : {stream, before}) {
        CHECK(is_dead(dah_stream_synchronize(s, -1)));
        CHECK(is_dead(dah_stream_query(s)));
        CHECK(is_dead(dah_set_current_stream(s)));
    }
    CHECK(is_dead(dah_event_record(event, stream)));
    CHECK(is_dead(dah_event_synchronize(event, -1)));

    dah_tensor* fresh = filled(1 << 18, 5);
    CHECK(reads(fresh, 5));
    CHECK(is_dead(dah_binary(DA_OP_ADD, fresh, large, &out)));
    CHECK_OK(dah_binary(DA_OP_ADD, fresh, fresh, &out));
    CHECK(reads(out, 10));
    const uint64_t allocated = stats().allocated;
    for (dah_tensor* t : {small, large}) dah_tensor_release(t);
    CHECK_OK(dah_free(device, raw));
    CHECK_OK(dah_free(device, direct));
    CHECK(dah_free(device, raw) == DA_INVALID_ARGUMENT);
    CHECK(stats().allocated == allocated); // what is dead counts no more
    dah_event_destroy(event);
    dah_stream_release(stream);
    for (dah_tensor* t : {fresh, out}) dah_tensor_release(t);
    dah_stream* current = nullptr;
    CHECK_OK(dah_current_stream(device, &current));
    CHECK(current != before && dah_stream_id(current) != dah_stream_id(before));
}

void memory_that_another_stream_holds_back_is_forgotten() {
    dah_stream* other = nullptr;
    CHECK_OK(dah_stream_create(device, 0, &other));
    dah_tensor *held = filled(1 << 20, 1), *alive = filled(1 << 20, 1);
    for (dah_tensor* t : {held, alive}) CHECK_OK(dah_tensor_record_stream(t, other));
    dah_tensor_release(held);
    CHECK_OK(dah_device_reset(device));
    dah_tensor_release(alive);
    dah_stream_release(other);
    CHECK(stats().reserved == 0);
    CHECK(mock::marks.alive == 0);
}

void limits_and_pinned_memory_stay() {
    CHECK_OK(dah_set_memory_fraction(device, 0.25));
    void* pinned = nullptr;
    CHECK_OK(dah_host_malloc(device, 4096, &pinned));
    CHECK_OK(dah_device_reset(device));
    std::memset(pinned, 1, 4096);
    CHECK(dah_host_is_pinned(device, pinned));
    CHECK_OK(dah_host_free(device, pinned));
    void* address = nullptr;
    CHECK(dah_malloc(device, mock::state.limit / 2, nullptr, &address) == DA_OUT_OF_MEMORY);
    CHECK(error_says("set_memory_fraction"));
    CHECK_OK(dah_set_memory_fraction(device, 1));
    CHECK_OK(dah_malloc(device, mock::state.limit / 2, nullptr, &address));
    CHECK_OK(dah_free(device, address));
    CHECK_OK(dah_empty_cache(device));
}

void a_lost_device_gives_no_memory_until_it_is_reset() {
    dah_tensor *a = filled(4, 1), *out = nullptr, *cached = filled(4, 1);
    dah_tensor_release(cached);
    mock::state.next = DA_DEVICE_LOST;
    CHECK(dah_binary(DA_OP_ADD, a, a, &out) == DA_DEVICE_LOST);
    CHECK(dah_last_error()->vendor_code == 77);
    CHECK(std::strstr(dah_last_error()->remedy, "device_api.reset_device('mock:0')"));
    CHECK(std::string(dah_last_error()->op) == "add");
    CHECK(dah_tensor_check(a) == DA_DEVICE_LOST && error_says("is lost"));
    int64_t n = 4;
    for (int i = 0; i < 100; ++i) {
        CHECK(dah_empty(device, DA_FLOAT32, 1, &n, &out) == DA_DEVICE_LOST &&
              error_says("is lost"));
    }
    dah_tensor_release(a);
    mock::state.next = DA_HARDWARE_FAULT; // and it does not come back at once
    CHECK(dah_device_reset(device) == DA_HARDWARE_FAULT && error_says("resetting the device"));
    CHECK(dah_empty(device, DA_FLOAT32, 1, &n, &out) == DA_DEVICE_LOST && error_says("is lost"));
    CHECK_OK(dah_device_reset(device));
    a = filled(4, 1);
    CHECK(reads(a, 1));
    dah_tensor_release(a);
}

void a_reset_that_fails_leaves_a_healthy_device_as_it_was() {
    dah_tensor* a = filled(4, 7);
    mock::state.next = DA_BUSY;
    CHECK(dah_device_reset(device) == DA_BUSY);
    CHECK(reads(a, 7));
    dah_tensor* b = filled(4, 8);
    CHECK(reads(b, 8));
    for (dah_tensor* t : {a, b}) dah_tensor_release(t);
}

void without_the_plugins_help_it_is_refused() {
    static dab_backend bare = *mock::table_with_events();
    bare.type = "bare";
    bare.device_reset = nullptr;
    CHECK_OK(dah_backend_register("bare", &bare, nullptr, 0));
    dah_device other;
    CHECK_OK(dah_device_get("bare", 0, &other));
    CHECK(dah_device_reset(other) == DA_NOT_SUPPORTED && error_says("cannot be reset"));
    CHECK(dah_device_reset(-1) == DA_INVALID_ARGUMENT);
}

} // namespace

int main() {
    mock::state.ops = {
        mock::one_call(DA_OP_ADD, DAB_OP_IN_PLACE | DAB_OP_STRIDED, DA_DTYPE_BIT(DA_FLOAT32)),
        mock::one_call(DA_OP_COPY, DAB_OP_STRIDED, DA_DTYPE_BIT(DA_FLOAT32)),
        mock::one_call(DA_OP_SUB, DAB_OP_IN_PLACE | DAB_OP_STRIDED, DA_DTYPE_BIT(DA_FLOAT32))};
    CHECK_OK(dah_backend_register("mock", mock::table_with_events(), nullptr, 0));
    CHECK_OK(dah_device_get("mock", 0, &device));
    what_was_made_before_is_dead();
    memory_that_another_stream_holds_back_is_forgotten();
    limits_and_pinned_memory_stay();
    a_lost_device_gives_no_memory_until_it_is_reset();
    a_reset_that_fails_leaves_a_healthy_device_as_it_was();
    without_the_plugins_help_it_is_refused();
    dah_shutdown();
    CHECK(mock::state.streams == 0); // also those of before a reset
    return report();
}
