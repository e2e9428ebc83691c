// SPDX-License-Identifier: Apache-2.0
// The switchable checks, the strategies of the adversarial schedule, and what reports say.
#include <chrono>
#include <cstring>
#include <thread>

#include "sim.hpp"

using namespace sim;

namespace {

void with_strategy(int strategy, std::uint64_t seed = 3) {
    fresh(1, 64u << 20, seed);
    das_schedule schedule{};
    schedule.size = sizeof schedule;
    schedule.strategy = strategy;
    schedule.seed = seed;
    CHECK(control()->set_schedule(&schedule) == DAS_OK);
}

void with_checks(std::uint32_t checks) {
    fresh(1, 64u << 20);
    CHECK(control()->set_checks(checks) == DAS_OK);
}

float first(const Tensor& x) {
    return download<float>(x)[0];
}

Launch doubling(const Tensor& in, const Tensor& out) {
    Launch l;
    l.operands = {{in, Access::read}, {out, Access::write}};
    l.task = [in, out](TaskContext& ctx) {
        return binary(ctx, Binary::add, DType::f32, in, in, out);
    };
    return l;
}

} // namespace

TEST(late_work_starts_for_a_wait_and_step_by_step_for_queries) {
    with_strategy(DAS_LATE);
    Tensor x = upload<float>({1}, {1});
    Handle s = new_stream();
    for (int i = 0; i < 3; ++i) CHECK(add_one(s, x) == Status::ok);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK(stream_query(s) == Status::not_ready && first(x) == 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    CHECK(first(x) == 1); // one question does not start it
    int asked = 0;
    for (; stream_query(s) == Status::not_ready && asked < 5000; ++asked)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(asked >= 3 && first(x) == 4);
    CHECK(add_one(s, x) == Status::ok && stream_synchronize(s) == Status::ok && first(x) == 5);
    CHECK(stream_destroy(s) == Status::ok);
}

TEST(others_run_first) {
    with_strategy(DAS_OTHERS_FIRST);
    Tensor x = upload<float>({1}, {1}), y = upload<float>({1}, {1});
    Handle s = new_stream(), t = new_stream();
    CHECK(add_one(s, x) == Status::ok && add_one(t, y) == Status::ok);
    CHECK(stream_synchronize(s) == Status::ok);
    CHECK(first(x) == 2 && first(y) == 2); // nobody waited for t
    CHECK(stream_destroy(s) == Status::ok && stream_destroy(t) == Status::ok);
}

TEST(copies_come_in_pieces) {
    with_strategy(DAS_SPLIT);
    std::vector<float> values(1000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i);
    void* pinned = nullptr;
    CHECK(host_alloc(4000, &pinned) == Status::ok);
    std::memcpy(pinned, values.data(), 4000);
    Tensor x = empty(DType::f32, {1000});
    Handle s = new_stream();
    CHECK(copy_async(pointer(x.data), pinned, 4000, CopyKind::host_to_device, s) == Status::ok);
    CHECK(stream_synchronize(s) == Status::ok);
    CHECK(download<float>(x) == values);
    CHECK(host_free(pinned) == Status::ok && stream_destroy(s) == Status::ok);
}

TEST(a_strategy_by_seed_is_one_of_four) {
    for (std::uint64_t seed = 1; seed < 9; ++seed) {
        with_strategy(DAS_BY_SEED, seed);
        Tensor x = upload<float>({1}, {1});
        Handle s = new_stream();
        CHECK(add_one(s, x) == Status::ok && stream_synchronize(s) == Status::ok && first(x) == 2);
        CHECK(stream_destroy(s) == Status::ok);
    }
    das_schedule schedule{};
    schedule.size = sizeof schedule;
    schedule.strategy = DAS_BY_SEED + 1;
    CHECK(control()->set_schedule(&schedule) == DAS_INVALID);
}

TEST(an_event_orders_two_streams) {
    with_checks(DAS_CHECK_RACES);
    Tensor x = upload<float>({1}, {1});
    Handle s = new_stream(), t = new_stream(), e = nullptr;
    CHECK(event_create(&e) == Status::ok);
    CHECK(add_one(s, x) == Status::ok && event_record(e, s) == Status::ok);
    CHECK(stream_wait_event(t, e) == Status::ok && add_one(t, x) == Status::ok);
    CHECK(stream_synchronize(t) == Status::ok);
    CHECK(add_one(s, x) == Status::ok); // the host knows of both
    CHECK(stream_synchronize(s) == Status::ok && mem_free(x.data) == Status::ok);
    CHECK(control()->misuse_count() == 0);
    CHECK(stream_destroy(s) == Status::ok && stream_destroy(t) == Status::ok);
    CHECK(event_destroy(e) == Status::ok);
}

TEST(a_missing_event_shows_though_the_result_is_right) {
    with_checks(DAS_CHECK_RACES);
    Tensor x = upload<float>({1}, {1});
    Handle s = new_stream(), t = new_stream();
    CHECK(add_one(s, x) == Status::ok);
    while (stream_query(s) != Status::ok) std::this_thread::yield();
    CHECK(control()->misuse_count() == 0 && add_one(t, x) == Status::ok);
    CHECK(control()->misuse_count() == 0); // a query that says done is a wait
    CHECK(add_one(s, x, "late") == Status::ok);
    CHECK(control()->misuse_count() == 1 && contains(newest_misuse(), "unordered_access"));
    CHECK(contains(newest_misuse(), "late") && contains(newest_misuse(), "add_one"));
    CHECK(stream_destroy(s) == Status::ok && stream_destroy(t) == Status::ok);
}

TEST(readers_need_no_order) {
    with_checks(DAS_CHECK_RACES);
    Tensor x = upload<float>({1}, {1}), y = empty(DType::f32, {1}), z = empty(DType::f32, {1});
    Handle s = new_stream(), t = new_stream();
    CHECK(launch(s, doubling(x, y)) == Status::ok && launch(t, doubling(x, z)) == Status::ok);
    CHECK(stream_destroy(s) == Status::ok && stream_destroy(t) == Status::ok);
    CHECK(control()->misuse_count() == 0 && first(y) == 2 && first(z) == 2);
}

TEST(the_shadow_knows_single_elements) {
    with_checks(DAS_CHECK_SHADOW);
    Tensor x = empty(DType::f32, {8}), y = empty(DType::f32, {4});
    Tensor even = x, odd = x;
    even.shape[0] = odd.shape[0] = 4;
    even.strides[0] = odd.strides[0] = 2;
    odd.data += 4;
    CHECK(run([even](TaskContext& ctx) { return fill(ctx, 1.0f, even); },
              {{even, Access::write}}) == Status::ok);
    CHECK(run(doubling(even, y).task, {{even, Access::read}, {y, Access::write}}) == Status::ok);
    CHECK(control()->misuse_count() == 0);
    CHECK(run(doubling(odd, y).task, {{odd, Access::read}, {y, Access::write}}) == Status::ok);
    CHECK(control()->misuse_count() == 1 && contains(newest_misuse(), "byte 4 of its"));
    Tensor moved = empty(DType::f32, {8});
    CHECK(copy(pointer(moved.data), pointer(x.data), 32) == Status::ok); // moving is no use
    CHECK(control()->misuse_count() == 1);
    moved.shape[0] = 1;
    CHECK(first(moved) == 1 && control()->misuse_count() == 1);
    moved.data += 4;
    first(moved);
    CHECK(control()->misuse_count() == 2);
}

TEST(leaks_tell_their_origin) {
    with_checks(DAS_CHECK_SITES);
    CHECK(control()->leak_count() == 0);
    const DevicePtr p = [] {
        const InCall call("the_vendors_malloc");
        return allocate(100);
    }();
    Handle s = new_stream();
    char text[4096] = "";
    CHECK(control()->leak_count() == 2 && control()->leak_read(0, text, sizeof text) > 0);
    CHECK(contains(text, "100 bytes") && contains(text, "by the_vendors_malloc after launch "));
    CHECK(control()->leak_read(1, text, sizeof text) > 0 && contains(text, "kind stream"));
    CHECK(control()->leak_read(2, text, sizeof text) == DAS_NOT_FOUND);
    CHECK(mem_free(p) == Status::ok && stream_destroy(s) == Status::ok);
    CHECK(control()->leak_count() == 0);
    CHECK(mem_free(p) == Status::invalid_address && contains(newest_misuse(), "double_free"));
    CHECK(contains(newest_misuse(), "allocated by the_vendors_malloc"));
}

TEST(rules_of_the_engine_alone) {
    fresh();
    CHECK(stream_synchronize(nullptr) == Status::invalid_handle);
    CHECK(contains(newest_misuse(), "[rule null_handle]"));
    Handle s = new_stream();
    CHECK(host_task(s, "waits", [s](TaskContext&) { return stream_synchronize(s); }) == Status::ok);
    CHECK(stream_synchronize(s) == Status::invalid_state);
    CHECK(contains(newest_misuse(), "[rule wait_in_task; task waits, launch"));
    Tensor x = upload<float>({1}, {1});
    Launch l;
    l.operands = {{x, Access::read}};
    l.task = [x](TaskContext& ctx) { return fill(ctx, 1.0f, x); };
    CHECK(launch(s, l) == Status::ok && stream_synchronize(s) == Status::internal);
    CHECK(contains(newest_misuse(), "[rule declared_read"));
    CHECK(stream_destroy(s) == Status::ok);
    CHECK(control()->set_checks(1024) == DAS_INVALID);
}

int main(int argc, char** argv) {
    return check::main(argc, argv);
}
