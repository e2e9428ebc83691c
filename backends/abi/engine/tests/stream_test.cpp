// SPDX-License-Identifier: Apache-2.0
// Streams, events, callbacks, late starts, deferred errors.
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "sim.hpp"

using namespace sim;

namespace {

constexpr std::uint32_t long_delay = 3000000; // 3 s: nothing starts by itself during a test

float first(const Tensor& t) {
    float x = 0;
    CHECK(copy(&x, pointer(t.data), sizeof x) == Status::ok);
    return x;
}

Task sleeper(std::atomic<bool>* go) {
    return [go](TaskContext& ctx) {
        while (!*go && !ctx.stopping()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return Status::ok;
    };
}

} // namespace

TEST(work_starts_late_and_waits_start_it) {
    fresh(1, 64u << 20, 7, DAS_ADVERSARIAL, long_delay);
    Tensor x = upload<float>({1, 2}, {2});
    Handle s = new_stream();
    for (int i = 0; i < 5; ++i) CHECK(add_one(s, x) == Status::ok);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(first(x) == 1); // a missing wait shows
    CHECK(stream_synchronize(s) == Status::ok);
    CHECK(first(x) == 6);
    CHECK(stream_destroy(s) == Status::ok);
}

TEST(a_query_lets_work_start) {
    fresh(1, 64u << 20, 7, DAS_ADVERSARIAL, long_delay);
    Tensor x = upload<float>({1}, {1});
    Handle s = new_stream();
    CHECK(stream_query(s) == Status::ok);
    CHECK(add_one(s, x) == Status::ok);
    CHECK(stream_query(s) == Status::not_ready);
    for (int i = 0; i < 2000 && stream_query(s) == Status::not_ready; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(stream_query(s) == Status::ok && first(x) == 2);
    CHECK(stream_destroy(s) == Status::ok);
}

TEST(time_lets_work_start) {
    fresh(1, 64u << 20, 7, DAS_ADVERSARIAL, 2000);
    std::atomic<bool> started{false};
    Handle s = new_stream();
    CHECK(host_task(s, "note", [&](TaskContext&) {
              started = true;
              return Status::ok;
          }) == Status::ok);
    for (int i = 0; i < 5000 && !started; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(started);
    CHECK(stream_destroy(s) == Status::ok);
}

TEST(other_schedules) {
    for (das_mode mode : {DAS_IMMEDIATE, DAS_SYNCHRONOUS}) {
        fresh(1, 64u << 20, 7, mode);
        Tensor x = upload<float>({1}, {1});
        Handle s = new_stream();
        for (int i = 0; i < 10; ++i) CHECK(add_one(s, x) == Status::ok);
        if (mode == DAS_SYNCHRONOUS) CHECK(first(x) == 11);
        CHECK(stream_synchronize(s) == Status::ok && first(x) == 11);
        CHECK(stream_destroy(s) == Status::ok);
    }
}

TEST(events_order_streams) {
    fresh(1, 64u << 20, 3, DAS_ADVERSARIAL, long_delay);
    Tensor x = upload<float>({0}, {1}), y = upload<float>({0}, {1});
    Handle a = new_stream(), b = new_stream(), e = nullptr;
    CHECK(event_create(&e) == Status::ok);
    bool recorded = true;
    CHECK(event_recorded(e, &recorded) == Status::ok && !recorded);
    CHECK(event_query(e) == Status::ok && event_synchronize(e) == Status::ok); // never recorded
    CHECK(stream_wait_event(b, e) == Status::ok);
    CHECK(add_one(a, x) == Status::ok);
    CHECK(event_record(e, a) == Status::ok);
    CHECK(event_query(e) == Status::not_ready);
    CHECK(stream_wait_event(b, e) == Status::ok);
    // Recording again, after more work, must not delay b's wait: that work needs b.
    std::atomic<bool> go{false};
    CHECK(host_task(a, "blocked", sleeper(&go)) == Status::ok);
    CHECK(event_record(e, a) == Status::ok);
    Launch l;
    l.name = "copy_x_to_y";
    l.operands = {{x, Access::read}, {y, Access::write}};
    l.task = [=](TaskContext& ctx) { return copy_tensor(ctx, x, y); };
    CHECK(launch(b, std::move(l)) == Status::ok);
    CHECK(stream_synchronize(b, 5000) == Status::ok);
    CHECK(first(y) == 1);
    CHECK(event_synchronize(e, 20) == Status::timeout);
    go = true;
    CHECK(event_synchronize(e, 5000) == Status::ok);
    CHECK(event_destroy(e) == Status::ok);
    CHECK(event_query(e) == Status::invalid_handle);
    CHECK(stream_destroy(a) == Status::ok && stream_destroy(b) == Status::ok);
}

TEST(elapsed_time_follows_the_model) {
    fresh();
    das_latency l{};
    l.size = sizeof l;
    l.launch_us = 100;
    l.memory_gbps = 1; // 1 ns a byte
    CHECK(control()->set_latency(&l) == DAS_OK);
    Tensor x = upload<float>(std::vector<float>(250000, 0), {250000}); // 1 MB
    Handle s = new_stream(), a = nullptr, b = nullptr;
    CHECK(event_create(&a) == Status::ok && event_create(&b) == Status::ok);
    double ms = -1;
    CHECK(event_elapsed(a, b, &ms) == Status::invalid_state);
    CHECK(add_one(s, x) == Status::ok); // so that the clock is ahead of the host's
    CHECK(event_record(a, s) == Status::ok);
    for (int i = 0; i < 3; ++i) CHECK(add_one(s, x) == Status::ok);
    CHECK(event_record(b, s) == Status::ok);
    CHECK(stream_synchronize(s) == Status::ok);
    CHECK(event_elapsed(a, b, &ms) == Status::ok);
    CHECK(ms >= 3.2 && ms < 200); // 3 x (0.1 ms + 1 ms), unless the host was slow to submit
    CHECK(event_elapsed(b, a, &ms) == Status::ok && ms < 0);
    std::uint64_t t = 0;
    CHECK(event_timestamp(a, &t) == Status::ok && t > 0);
    // Destroyed before it is reached.
    CHECK(event_record(b, s) == Status::ok && event_destroy(b) == Status::ok);
    CHECK(event_destroy(a) == Status::ok && stream_destroy(s) == Status::ok);
}

TEST(timeouts) {
    fresh();
    std::atomic<bool> go{false};
    Handle s = new_stream();
    CHECK(host_task(s, "slow", sleeper(&go)) == Status::ok);
    CHECK(stream_synchronize(s, 30) == Status::timeout);
    CHECK(device_synchronize(0, 30) == Status::timeout);
    go = true;
    CHECK(stream_synchronize(s, 10000) == Status::ok && device_synchronize(0, 10000) == Status::ok);
    CHECK(stream_destroy(s) == Status::ok);
}

TEST(callbacks_run_once_and_in_order) {
    fresh();
    std::vector<int> order;
    Handle s = new_stream();
    for (int i = 0; i < 20; ++i)
        CHECK(host_task(s, "callback", [&order, i](TaskContext&) {
                  order.push_back(i);
                  return Status::ok;
              }) == Status::ok);
    Status inside = Status::ok;
    CHECK(host_task(s, "bad_callback", [&](TaskContext&) {
              inside = stream_synchronize(s);
              return Status::ok;
          }) == Status::ok);
    CHECK(stream_destroy(s) == Status::ok); // waits
    CHECK(order.size() == 20);
    for (int i = 0; i < 20; ++i) CHECK(order[static_cast<std::size_t>(i)] == i);
    CHECK(inside == Status::invalid_state && contains(newest_misuse(), "wait for itself"));
    CHECK(control()->launch_count(DAS_KERNEL) == 0 && control()->launch_count(DAS_HOST) == 21);
}

TEST(deferred_errors) {
    fresh();
    Handle s = new_stream();
    Tensor x = upload<float>({1, 2, 3}, {3});
    Tensor longer = x;
    longer.shape[0] = 4;
    CHECK(add_one(s, x) == Status::ok);
    CHECK(add_one(s, longer, "too_long") == Status::ok); // shows when it runs
    CHECK(add_one(s, x) == Status::ok);
    CHECK(stream_synchronize(s) == Status::invalid_address);
    CHECK(std::string(last_stream_error().task) == "too_long");
    CHECK(contains(last_message(), "not inside one live allocation"));
    CHECK(stream_synchronize(s) == Status::ok); // reported once
    CHECK(first(x) == 3);                       // the others ran
    CHECK(stream_failure_mode(s, FailureMode::stop) == Status::ok);
    CHECK(add_one(s, longer) == Status::ok && add_one(s, x) == Status::ok);
    CHECK(stream_synchronize(s) == Status::invalid_address && first(x) == 3);
    CHECK(stream_destroy(s) == Status::ok);
}

TEST(a_kernel_keeps_to_its_declaration) {
    fresh();
    Handle s = new_stream();
    Tensor x = upload<float>({1}, {1});
    Launch l;
    l.name = "liar";
    l.operands = {{x, Access::read}};
    l.task = [x](TaskContext& ctx) { return fill(ctx, Scalar(2.0), x); };
    CHECK(launch(s, std::move(l)) == Status::ok);
    CHECK(stream_synchronize(s) == Status::internal &&
          contains(last_message(), "declared as read"));
    CHECK(first(x) == 1 && stream_destroy(s) == Status::ok);
}

TEST(freed_too_early) {
    fresh(1, 64u << 20, 5, DAS_ADVERSARIAL, long_delay);
    Handle s = new_stream();
    Tensor x = upload<float>({1, 2, 3}, {3});
    CHECK(add_one(s, x) == Status::ok);
    CHECK(mem_free(x.data) == Status::ok);
    CHECK(stream_synchronize(s) == Status::invalid_address);
    CHECK(contains(last_message(), "freed before the task ran"));
    // A workspace too, and pinned memory of an asynchronous copy.
    Tensor y = upload<float>({1}, {1});
    DevicePtr workspace = allocate(512);
    Launch l;
    l.name = "with_workspace";
    l.operands = {{y, Access::read_write}, Operand::workspace(workspace, 512)};
    l.task = [](TaskContext&) { return Status::ok; };
    CHECK(launch(s, l) == Status::ok);
    CHECK(mem_free(workspace) == Status::ok);
    CHECK(stream_synchronize(s) == Status::invalid_address &&
          contains(last_message(), "workspace"));
    void* pinned = nullptr;
    CHECK(host_alloc(64, &pinned) == Status::ok);
    CHECK(copy_async(pointer(y.data), pinned, 4, CopyKind::host_to_device, s) == Status::ok);
    CHECK(host_free(pinned) == Status::ok);
    CHECK(stream_synchronize(s) == Status::invalid_address && contains(last_message(), "pinned"));
    CHECK(stream_destroy(s) == Status::ok);
}

TEST(freed_while_running) {
    fresh();
    Handle s = new_stream();
    Tensor x = upload<float>({1}, {1});
    std::atomic<bool> inside{false}, go{false};
    Launch l;
    l.name = "long_kernel";
    l.operands = {{x, Access::read_write}};
    l.task = [&, x](TaskContext& ctx) {
        auto* p = static_cast<float*>(ctx.map(x, true));
        inside = true;
        while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        *p = 5; // still this allocation's memory
        return Status::ok;
    };
    CHECK(launch(s, std::move(l)) == Status::ok);
    CHECK(stream_query(s) == Status::not_ready);
    while (!inside) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(mem_free(x.data) == Status::ok);
    go = true;
    CHECK(stream_synchronize(s) == Status::invalid_address);
    CHECK(contains(last_message(), "while a task was using it"));
    CHECK(stream_destroy(s) == Status::ok);
}

TEST(pageable_and_pinned_copies) {
    fresh(1, 64u << 20, 5, DAS_ADVERSARIAL, long_delay);
    Handle s = new_stream();
    DevicePtr p = allocate(4);
    float one = 1, two = 2, back = 0;
    // Pageable, synchronous: done on return, with all before it.
    CHECK(copy_async(pointer(p), &one, 4, CopyKind::host_to_device, s) == Status::ok);
    CHECK(copy(&back, pointer(p), 4) == Status::ok && back == 1);
    // Staged: the source may change at once.
    CHECK(copy_async(pointer(p), &two, 4, CopyKind::host_to_device, s, Pageable::staged) ==
          Status::ok);
    two = 99;
    CHECK(copy(&back, pointer(p), 4) == Status::ok && back == 1);
    CHECK(stream_synchronize(s) == Status::ok);
    CHECK(copy(&back, pointer(p), 4) == Status::ok && back == 2);
    // Pinned: later.
    void* pinned = nullptr;
    CHECK(host_alloc(4, &pinned) == Status::ok);
    CHECK(copy_async(pinned, pointer(p), 4, CopyKind::device_to_host, s) == Status::ok);
    float seen;
    std::memcpy(&seen, pinned, 4);
    CHECK(seen != seen); // poison
    CHECK(stream_synchronize(s) == Status::ok);
    std::memcpy(&seen, pinned, 4);
    CHECK(seen == 2);
    CHECK(fill_bytes_async(pointer(p), 0, 4, s) == Status::ok &&
          stream_synchronize(s) == Status::ok);
    CHECK(copy(&back, pointer(p), 4) == Status::ok && back == 0);
    CHECK(fill_bytes(&back, 0, 4) == Status::invalid_address);
    CHECK(host_free(pinned) == Status::ok && stream_destroy(s) == Status::ok);
}

TEST(handles_are_checked) {
    fresh();
    Handle s = new_stream(), e = nullptr;
    CHECK(event_create(&e) == Status::ok);
    CHECK(stream_synchronize(nullptr) == Status::invalid_handle &&
          contains(newest_misuse(), "null"));
    CHECK(stream_synchronize(e) == Status::invalid_handle &&
          contains(newest_misuse(), "of kind event"));
    int local = 0;
    CHECK(stream_synchronize(&local) == Status::invalid_handle &&
          contains(newest_misuse(), "address"));
    CHECK(event_query(reinterpret_cast<Handle>(0x5555000000000000ull)) == Status::invalid_handle);
    CHECK(stream_destroy(s) == Status::ok);
    CHECK(stream_destroy(s) == Status::invalid_handle && contains(newest_misuse(), "destroyed"));
    CHECK(event_record(e, s) == Status::invalid_handle);
    CHECK(handle_count(kind_stream) == 0 && handle_count(kind_event) == 1);
    CHECK(control()->live("event") == 1 && control()->live("teapot") == DAS_NOT_FOUND);
    CHECK(control()->misuse_count() == 6);
    constexpr std::uint32_t kind = kind_vendor + 1;
    handle_kind_name(kind, "gadget");
    Handle g = handle_create(kind, std::make_shared<int>(42));
    std::shared_ptr<int> value;
    CHECK(handle_get(kind, g, &value) == Status::ok && *value == 42);
    CHECK(handle_take<int>(kind, g, nullptr) == Status::ok);
    CHECK(handle_get(kind, g, &value) == Status::invalid_handle &&
          contains(newest_misuse(), "gadget"));
}

TEST(streams_are_limited) {
    fresh();
    std::vector<Handle> all(64);
    for (auto& s : all) s = new_stream();
    Handle more = nullptr;
    CHECK(stream_create(0, &more) == Status::out_of_resources);
    CHECK(stream_destroy(all[5]) == Status::ok);
    CHECK(stream_create(0, &more) == Status::ok);
}

TEST(many_streams_at_once) {
    fresh(2);
    std::vector<std::thread> threads;
    std::atomic<int> bad{0};
    for (int k = 0; k < 4; ++k)
        threads.emplace_back([k, &bad] {
            const int device = k % 2;
            for (int round = 0; round < 10; ++round) {
                Handle a = new_stream(device), b = new_stream(device), e = nullptr;
                if (event_create(&e) != Status::ok) ++bad;
                Tensor x = upload<float>(std::vector<float>(300, 0.f), {300}, device);
                for (int i = 0; i < 10; ++i) {
                    if (add_one(i % 2 ? a : b, x) != Status::ok) ++bad;
                    if (event_record(e, i % 2 ? a : b) != Status::ok) ++bad;
                    if (stream_wait_event(i % 2 ? b : a, e) != Status::ok) ++bad;
                }
                if (device_synchronize(device) != Status::ok) ++bad;
                for (float v : download<float>(x)) bad += v != 10;
                if (event_destroy(e) != Status::ok) ++bad;
                if (stream_destroy(a) != Status::ok || stream_destroy(b) != Status::ok) ++bad;
                if (mem_free(x.data) != Status::ok) ++bad;
            }
        });
    for (auto& t : threads) t.join();
    CHECK(bad == 0);
    CHECK(control()->misuse_count() == 0);
}

TEST(no_thread_for_a_stream) {
    fresh(1);
    Handle s = new_stream();
    Tensor x = upload<float>({1}, {1});
    pthread_attr_t before, large; // a stack for which there is no room
    CHECK(pthread_getattr_default_np(&before) == 0 && pthread_attr_init(&large) == 0);
    CHECK(pthread_attr_setstacksize(&large, std::size_t{1} << 47) == 0);
    CHECK(pthread_setattr_default_np(&large) == 0);
    CHECK(add_one(s, x) == Status::out_of_memory && contains(last_message(), "no thread for"));
    CHECK(pthread_setattr_default_np(&before) == 0);
    CHECK(stream_synchronize(s) == Status::ok && first(x) == 1);
    CHECK(add_one(s, x) == Status::ok && stream_synchronize(s) == Status::ok && first(x) == 2);
    CHECK(stream_destroy(s) == Status::ok && mem_free(x.data) == Status::ok);
}

TEST(abort_and_force) {
    fresh(1, 64u << 20, 5, DAS_ADVERSARIAL, long_delay);
    Handle s = new_stream();
    Tensor x = upload<float>({1}, {1});
    CHECK(add_one(s, x) == Status::ok);
    CHECK(stream_abort(s) == Status::ok);
    CHECK(stream_synchronize(s) == Status::aborted && first(x) == 1);
    CHECK(add_one(s, x) == Status::ok && stream_synchronize(s) == Status::ok && first(x) == 2);
    CHECK(add_one(s, x) == Status::ok && stream_destroy(s, true) == Status::ok && first(x) == 2);
}

TEST(peers) {
    fresh(2);
    Tensor far = upload<float>({1}, {1}, 1), near = upload<float>({5}, {1}, 0);
    Handle s = new_stream(0);
    bool can = false;
    CHECK(peer_can_access(0, 1, &can) == Status::ok && can);
    CHECK(peer_can_access(0, 0, &can) == Status::invalid_value);
    CHECK(copy(pointer(near.data), pointer(far.data), 4) == Status::ok &&
          first(near) == 1); // no access needed
    CHECK(add_one(s, far) == Status::ok && stream_synchronize(s) == Status::invalid_address);
    CHECK(contains(last_message(), "without peer access"));
    CHECK(peer_enable(0, 1) == Status::ok && peer_enable(0, 1) == Status::invalid_state);
    CHECK(add_one(s, far) == Status::ok && stream_synchronize(s) == Status::ok && first(far) == 2);
    CHECK(peer_disable(0, 1) == Status::ok && peer_disable(0, 1) == Status::invalid_state);
    CHECK(stream_destroy(s) == Status::ok);
}

int main(int argc, char** argv) {
    return check::main(argc, argv);
}
