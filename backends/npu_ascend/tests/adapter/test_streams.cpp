// SPDX-License-Identifier: Apache-2.0
// Streams, events, callbacks, threads.
#include <atomic>
#include <cstring>
#include <thread>

#include "check.hpp"
#include "harness.hpp"

using namespace harness;

namespace {

struct Event {
    Event(Npu& owner, int device = 0, std::uint32_t flags = DAB_EVENT_TIMING) : npu(owner) {
        EQUAL(npu->event_create(npu, device, flags, &raw), DA_OK);
    }
    ~Event() { npu->event_destroy(npu, raw); }
    Event(const Event&) = delete;
    operator dab_event() const { return raw; }
    Npu& npu;
    dab_event raw = nullptr;
};

void doubled(Stream& s, void* memory, int times) {
    const View v(s, memory, DA_FLOAT32, {4});
    for (int i = 0; i < times; ++i) must(s, DA_OP_ADD, {v.tensor(), v.tensor()}, v);
}

} // namespace

TEST(event_never_recorded) {
    Npu npu;
    Stream s(npu);
    Event e(npu);
    EQUAL(npu->event_query(npu, e), DA_OK);
    EQUAL(npu->event_synchronize(npu, e, -1), DA_OK);
    EQUAL(npu->stream_wait_event(npu, s, e), DA_OK);
    s.wait();
}

TEST(event_order_between_streams) {
    Npu npu(2);
    for (const int other : {0, 1}) {
        Stream a(npu, 0), b(npu, other);
        Event e(npu, 0);
        void* memory = a.upload(std::vector<float>{1, 1, 1, 1});
        doubled(a, memory, 5);
        EQUAL(npu->event_record(npu, e, a), DA_OK);
        EQUAL(npu->stream_wait_event(npu, b, e), DA_OK);
        std::vector<float> back(4);
        if (other == 0) {
            EQUAL(npu->copy(npu, b, back.data(), memory, 16, DAB_DEVICE_TO_HOST), DA_OK);
            b.wait();
            EQUAL(back[3], 32.0f);
        } else {
            b.wait();
            EQUAL(npu->event_query(npu, e), DA_OK);
        }
    }
}

TEST(event_times) {
    Npu npu;
    Stream s(npu);
    Event start(npu), end(npu), plain(npu, 0, 0);
    float ms = -1;
    EQUAL(npu->event_elapsed(npu, start, end, &ms), DA_INVALID_ARGUMENT); // not recorded
    void* memory = s.upload(std::vector<float>{1, 1, 1, 1});
    EQUAL(npu->event_record(npu, start, s), DA_OK);
    doubled(s, memory, 10);
    EQUAL(npu->event_record(npu, end, s), DA_OK);
    EQUAL(npu->event_synchronize(npu, end, 10000), DA_OK);
    EQUAL(npu->event_elapsed(npu, start, end, &ms), DA_OK);
    CHECK(ms > 0);
    float back = 0;
    EQUAL(npu->event_elapsed(npu, end, start, &back), DA_OK);
    EQUAL(back, -ms);
    EQUAL(npu->event_record(npu, plain, s), DA_OK);
    s.wait();
    EQUAL(npu->event_elapsed(npu, start, plain, &ms), DA_INVALID_ARGUMENT); // no timing
}

TEST(event_on_another_device) {
    Npu npu(2);
    Stream s(npu, 1);
    Event e(npu, 0);
    EQUAL(npu->event_record(npu, e, s), DA_INVALID_ARGUMENT);
}

TEST(timeouts) {
    Npu npu;
    Stream s(npu);
    Event e(npu);
    void* memory = s.upload(std::vector<float>{1, 1, 1, 1});
    const int hang = inject(DAS_FAULT_HANG, "aclnnAdd");
    doubled(s, memory, 1);
    EQUAL(npu->event_record(npu, e, s), DA_OK);
    EQUAL(npu->stream_query(npu, s), DA_NOT_READY);
    EQUAL(npu->event_query(npu, e), DA_NOT_READY);
    EQUAL(npu->stream_synchronize(npu, s, 20), DA_TIMEOUT);
    EQUAL(last_error().vendor_code, 507046);
    EQUAL(npu->event_synchronize(npu, e, 20), DA_TIMEOUT);
    EQUAL(npu->device_synchronize(npu, 0, 20), DA_TIMEOUT);
    EQUAL(npu->stream_synchronize(npu, s, 0), DA_TIMEOUT);
    EQUAL(npu->event_synchronize(npu, e, 0), DA_TIMEOUT);
    EQUAL(npu->device_synchronize(npu, 0, 0), DA_TIMEOUT);
    EQUAL(control()->fault_remove(hang), DAS_OK);
    EQUAL(npu->stream_synchronize(npu, s, -1), DA_OK); // the work went on
    EQUAL(npu->stream_query(npu, s), DA_OK);
    EQUAL(npu->stream_synchronize(npu, s, 0), DA_OK);
    EQUAL(npu->event_synchronize(npu, e, 0), DA_OK);
    EQUAL(npu->device_synchronize(npu, 0, -1), DA_OK);
}

namespace {

struct Order {
    std::atomic<int> calls{0};
    std::atomic<float> seen{0};
    float* pinned = nullptr;
};

void note(void* data) {
    auto& order = *static_cast<Order*>(data);
    order.seen = order.pinned[0];
    ++order.calls;
}

void callbacks(const Options& options) {
    Npu npu(1, options);
    Order order;
    {
        Stream s(npu);
        void* pinned = nullptr;
        EQUAL(npu->host_alloc(npu, 0, 16, &pinned), DA_OK);
        order.pinned = static_cast<float*>(pinned);
        void* memory = s.upload(std::vector<float>{1, 1, 1, 1});
        for (int round = 1; round <= 3; ++round) {
            doubled(s, memory, 1);
            EQUAL(npu->copy(npu, s, pinned, memory, 16, DAB_DEVICE_TO_HOST), DA_OK);
            EQUAL(npu->stream_callback(npu, s, note, &order), DA_OK);
            EQUAL(npu->fill(npu, s, memory, 0, 16), DA_OK); // after the callback
            s.wait();
            EQUAL(order.calls.load(), round);
            EQUAL(order.seen.load(), round == 1 ? 2.0f : 0.0f);
        }
        EQUAL(npu->host_free(npu, 0, pinned), DA_OK);
    }
    EQUAL(control()->misuse_count(), 0u);
}

} // namespace

TEST(callbacks) {
    callbacks({});
}
TEST(callbacks_of_an_older_cann) {
    callbacks({{"api", "8.1"}});
}

// Threads that CANN has never seen, each going to and fro between devices.
TEST(threads) {
    Npu npu(2);
    std::vector<std::thread> threads;
    std::atomic<int> good{0};
    for (int t = 0; t < 6; ++t)
        threads.emplace_back([&npu, &good, t] {
            Stream a(npu, t % 2), b(npu, 1 - t % 2);
            const std::vector<float> values{float(t), 1, 2, 3};
            void* on_a = a.upload(values);
            void* on_b = b.upload(values);
            for (int i = 0; i < 10; ++i) {
                doubled(a, on_a, 1);
                doubled(b, on_b, 1);
            }
            if (a.download<float>(on_a, 4)[3] == 3072 && b.download<float>(on_b, 4)[3] == 3072)
                ++good;
        });
    for (std::thread& thread : threads) thread.join();
    EQUAL(good.load(), 6);
    EQUAL(control()->misuse_count(), 0u);
}

// A finalizer may run on any thread.
TEST(handles_freed_elsewhere) {
    Npu npu(2);
    auto* s = new Stream(npu, 1);
    s->upload(std::vector<float>{1});
    std::thread([s] { delete s; }).join();
    EQUAL(control()->misuse_count(), 0u);
    EQUAL(control()->live("allocation"), 0);
}
