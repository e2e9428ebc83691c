// SPDX-License-Identifier: Apache-2.0
// The simulated clock: times by event follow the figures of the chip, streams share what they must,
// queues are bounded.
#include <chrono>
#include <cmath>
#include <thread>

#include "sim.hpp"

using namespace sim;

namespace {

// Figures of the engine's own chip (src/chip_keys.cpp).
constexpr double memory_gbps = 800, link_gbps = 20, launch_us = 5, latency_us = 5;
constexpr double vector_tops = 20;

bool near(double got, double wanted) {
    if (std::fabs(got - wanted) <= 0.05 * wanted) return true;
    std::printf("  %g us, not %g\n", got, wanted);
    return false;
}

Handle new_event() {
    Handle e = nullptr;
    CHECK(event_create(&e) == Status::ok);
    return e;
}

/// Something that keeps the stream's clock ahead of the host's.
void run_ahead(Handle s) {
    Launch l;
    l.name = "ahead";
    l.flops = 20e12; // one second
    l.task = [](TaskContext&) { return Status::ok; };
    CHECK(launch(s, std::move(l)) == Status::ok);
}

double between_us(Handle a, Handle b) {
    double ms = -1;
    CHECK(event_synchronize(b) == Status::ok);
    CHECK(event_elapsed(a, b, &ms) == Status::ok);
    return ms * 1e3;
}

template <class F>
double timed_us(Handle s, F work) {
    Handle a = new_event(), b = new_event();
    run_ahead(s);
    CHECK(event_record(a, s) == Status::ok);
    work();
    CHECK(event_record(b, s) == Status::ok);
    return between_us(a, b);
}

void busy(Handle s, double us) {
    Launch l;
    l.name = "busy";
    l.flops = us * vector_tops * 1e6;
    l.task = [](TaskContext&) { return Status::ok; };
    CHECK(launch(s, std::move(l)) == Status::ok);
}

struct Pinned {
    void* p = nullptr;
    explicit Pinned(std::size_t n) { CHECK(host_alloc(n, &p) == Status::ok); }
    ~Pinned() { host_free(p); }
};

} // namespace

TEST(kernels_and_copies_follow_the_roofline) {
    fresh(1, 256u << 20);
    Handle s = new_stream();
    for (std::int64_t n : {1 << 10, 1 << 16, 1 << 22}) {
        Tensor x = upload<float>(std::vector<float>(static_cast<std::size_t>(n), 0), {n});
        const double bytes = double(n) * 4;
        const double add = timed_us(s, [&] { CHECK(add_one(s, x) == Status::ok); });
        const double moved_us = 2 * bytes / memory_gbps / 1e3; // read and written
        CHECK(near(add, launch_us + std::max(moved_us, double(n) / vector_tops / 1e6)));
        Pinned host(static_cast<std::size_t>(bytes));
        std::memset(host.p, 0, static_cast<std::size_t>(bytes));
        const double up = timed_us(s, [&] {
            CHECK(copy_async(pointer(x.data), host.p, static_cast<std::size_t>(bytes),
                             CopyKind::host_to_device, s) == Status::ok);
        });
        CHECK(near(up, latency_us + bytes / link_gbps / 1e3));
    }
    CHECK(stream_destroy(s) == Status::ok);
}

TEST(products_follow_the_rate_of_their_unit) {
    fresh(1, 256u << 20);
    Handle s = new_stream();
    for (std::int64_t n : {64, 256, 512}) {
        Tensor a = upload<float>(std::vector<float>(static_cast<std::size_t>(n * n), 1), {n, n});
        const double us = timed_us(s, [&] {
            Launch l;
            l.name = "matmul";
            l.operands = {{a, Access::read}};
            l.task = [=](TaskContext& c) {
                return matmul(c, DType::f32, a, a, c.temporary_like(a, DType::f32));
            };
            CHECK(launch(s, std::move(l)) == Status::ok);
        });
        const double work = 2.0 * double(n * n * n) / vector_tops / 1e6;
        CHECK(near(us, launch_us + std::max(work, double(n * n) * 4 / memory_gbps / 1e3)));
    }
    CHECK(stream_destroy(s) == Status::ok);
}

TEST(a_copy_runs_beside_a_kernel_and_kernels_one_after_the_other) {
    fresh(1, 256u << 20);
    Handle s = new_stream(), t = new_stream();
    constexpr std::size_t bytes = 20 << 20; // about 1 ms on the link
    Pinned host(bytes);
    std::memset(host.p, 0, bytes);
    Tensor x = upload<float>(std::vector<float>(bytes / 4, 0), {bytes / 4});
    for (const bool kernels : {false, true}) {
        Handle from = new_event(), a = new_event(), b = new_event();
        run_ahead(s);
        CHECK(event_record(from, s) == Status::ok);
        CHECK(stream_wait_event(t, from) == Status::ok);
        busy(s, 1000);
        if (kernels)
            busy(t, 1000);
        else
            CHECK(copy_async(pointer(x.data), host.p, bytes, CopyKind::host_to_device, t) ==
                  Status::ok);
        CHECK(event_record(a, s) == Status::ok && event_record(b, t) == Status::ok);
        const double last = std::max(between_us(from, a), between_us(from, b));
        CHECK(
            near(last, kernels ? 2000 + launch_us : latency_us + double(bytes) / link_gbps / 1e3));
    }
    CHECK(stream_destroy(s) == Status::ok && stream_destroy(t) == Status::ok);
}

TEST(copies_of_one_direction_share_the_link_and_of_two_do_not) {
    fresh(1, 256u << 20);
    Handle s = new_stream(), t = new_stream();
    constexpr std::size_t bytes = 20 << 20;
    Pinned host(bytes), other(bytes);
    std::memset(host.p, 0, bytes);
    Tensor x = upload<float>(std::vector<float>(bytes / 4, 0), {bytes / 4});
    Tensor y = upload<float>(std::vector<float>(bytes / 4, 0), {bytes / 4});
    for (const bool back : {false, true}) {
        Handle from = new_event(), a = new_event(), b = new_event();
        run_ahead(s);
        CHECK(event_record(from, s) == Status::ok && stream_wait_event(t, from) == Status::ok);
        CHECK(copy_async(pointer(x.data), host.p, bytes, CopyKind::host_to_device, s) ==
              Status::ok);
        CHECK(copy_async(back ? other.p : pointer(y.data), back ? pointer(y.data) : host.p, bytes,
                         back ? CopyKind::device_to_host : CopyKind::host_to_device,
                         t) == Status::ok);
        CHECK(event_record(a, s) == Status::ok && event_record(b, t) == Status::ok);
        const double last = std::max(between_us(from, a), between_us(from, b));
        CHECK(near(last, latency_us + (back ? 1 : 2) * double(bytes) / link_gbps / 1e3));
    }
    CHECK(stream_destroy(s) == Status::ok && stream_destroy(t) == Status::ok);
}

TEST(a_full_queue_waits_and_does_not_hang) {
    for (const int strategy : {DAS_MIXED, DAS_LATE, DAS_OTHERS_FIRST, DAS_SPLIT}) {
        fresh(1, 64u << 20, 7);
        das_schedule schedule{};
        schedule.size = sizeof schedule;
        schedule.strategy = strategy;
        CHECK(control()->set_schedule(&schedule) == DAS_OK);
        Handle s = new_stream(), t = new_stream(), e = new_event();
        Tensor x = upload<float>(std::vector<float>(4, 0), {4});
        for (int i = 0; i < 3000; ++i) { // the queue holds 1024
            CHECK(add_one(s, x) == Status::ok);
            if (i % 500 == 0) {
                CHECK(event_record(e, s) == Status::ok && stream_wait_event(t, e) == Status::ok);
                CHECK(event_record(e, t) == Status::ok && stream_wait_event(s, e) == Status::ok);
            }
        }
        CHECK(stream_synchronize(s, 20000) == Status::ok);
        CHECK(download<float>(x)[0] == 3000);
        CHECK(stream_destroy(s) == Status::ok && stream_destroy(t) == Status::ok);
    }
}

TEST(the_host_waits_in_simulated_time) {
    fresh(1, 64u << 20);
    Handle s = new_stream(), a = new_event(), b = new_event();
    CHECK(event_record(a, s) == Status::ok);
    Launch l; // long for the simulator, 1 ms for the chip
    l.name = "slow";
    l.flops = 1e3 * vector_tops * 1e6;
    l.task = [](TaskContext&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        return Status::ok;
    };
    CHECK(launch(s, std::move(l)) == Status::ok);
    CHECK(stream_synchronize(s) == Status::ok);
    CHECK(event_record(b, s) == Status::ok);
    const double us = between_us(a, b);
    CHECK(us >= 1000 && us < 100000);
    CHECK(stream_destroy(s) == Status::ok);
}

int main(int argc, char** argv) {
    return check::main(argc, argv);
}
