// SPDX-License-Identifier: Apache-2.0
// Device memory: limits, poison, misuse, kinds of pointers.
#include <cmath>
#include <set>

#include "sim.hpp"

using namespace sim;

TEST(limit_and_statistics) {
    fresh(2, 8u << 20);
    DevicePtr a = allocate(5u << 20), b = 0;
    CHECK(mem_alloc(0, 4u << 20, &b) == Status::out_of_memory);
    CHECK(contains(last_message(), "4194304 bytes asked for"));
    CHECK(mem_alloc(1, 4u << 20, &b) == Status::ok); // the other device has its own
    std::uint64_t available = 0, total = 0;
    CHECK(mem_info(0, &available, &total) == Status::ok);
    CHECK(total == 8u << 20 && available == total - (5u << 20));
    CHECK(mem_free(a) == Status::ok);
    das_memory m{};
    m.size = sizeof m;
    CHECK(control()->memory(0, &m) == DAS_OK);
    CHECK(m.used == 0 && m.live == 0 && m.peak == 5u << 20 && m.allocations == 1);
    // All of it can be had, again and again, in any pattern.
    for (int i = 0; i < 50; ++i) {
        DevicePtr whole = 0;
        CHECK(mem_alloc(0, 8u << 20, &whole) == Status::ok);
        CHECK(mem_free(whole) == Status::ok);
    }
    CHECK(mem_alloc(0, 0, &b) == Status::invalid_value);
    CHECK(mem_alloc(0, 8, nullptr) == Status::invalid_value);
    CHECK(mem_alloc(0, 8, &b, 24) == Status::invalid_value);
    CHECK(mem_alloc(7, 8, &b) == Status::invalid_device);
    CHECK(mem_alloc(0, SIZE_MAX, &b) == Status::out_of_memory);
}

TEST(alignment_and_late_reuse) {
    fresh(1, 64u << 20);
    std::set<DevicePtr> seen;
    for (int i = 0; i < 1000; ++i) {
        DevicePtr p = 0;
        const std::size_t alignment = i % 2 ? 512 : 64;
        CHECK(mem_alloc(0, 100, &p, alignment) == Status::ok);
        CHECK(p % alignment == 0);
        CHECK(seen.insert(p).second); // a freed address does not come back at once
        CHECK(mem_free(p) == Status::ok);
    }
}

TEST(fresh_memory_is_poisoned) {
    fresh();
    for (int round = 0; round < 2; ++round) {
        Tensor f = empty(DType::f32, {100000}), h = empty(DType::f16, {7}),
               d = empty(DType::f64, {3});
        for (float x : download<float>(f)) CHECK(std::isnan(x));
        for (double x : download<double>(d)) CHECK(std::isnan(x));
        std::vector<std::uint16_t> halves(7);
        CHECK(copy(halves.data(), pointer(h.data), 14) == Status::ok);
        for (std::uint16_t x : halves)
            CHECK(std::isnan(f16_to_f32(x)) && std::isnan(bf16_to_f32(x)));
        std::vector<float> ones(100000, 1.0f);
        CHECK(copy(pointer(f.data), ones.data(), 400000) == Status::ok);
        CHECK(mem_free(f.data) == Status::ok);
    }
}

TEST(free_rules) {
    fresh();
    DevicePtr p = allocate(1000);
    CHECK(mem_free(p + 64) == Status::invalid_address);
    CHECK(contains(newest_misuse(), "inside an allocation"));
    CHECK(mem_free(p) == Status::ok);
    CHECK(mem_free(p) == Status::invalid_address);
    CHECK(contains(newest_misuse(), "freed before"));
    int local = 0;
    CHECK(mem_free(reinterpret_cast<DevicePtr>(&local)) == Status::invalid_address);
    CHECK(control()->misuse_count() == 3);
}

TEST(copies_are_bounds_checked) {
    fresh();
    DevicePtr p = allocate(100);
    std::vector<char> host(200);
    CHECK(copy(pointer(p), host.data(), 100) == Status::ok);
    CHECK(copy(pointer(p), host.data(), 101) == Status::invalid_address);
    CHECK(contains(last_message(), "1 bytes past the end"));
    CHECK(copy(host.data(), pointer(p + 50), 51) == Status::invalid_address);
    CHECK(copy(host.data(), pointer(p), 10, CopyKind::host_to_host) == Status::invalid_value);
    CHECK(copy(pointer(p), host.data(), 10, CopyKind::device_to_host) == Status::invalid_value);
    CHECK(mem_free(p) == Status::ok);
    CHECK(copy(pointer(p), host.data(), 100) == Status::invalid_address);
    CHECK(contains(last_message(), "no live allocation"));
    CHECK(copy(nullptr, host.data(), 1) == Status::invalid_value);
    CHECK(copy(nullptr, host.data(), 0) == Status::ok);
}

TEST(copy_2d_moves_rows) {
    fresh();
    std::vector<int> host(12), back(6, -1);
    for (int i = 0; i < 12; ++i) host[static_cast<std::size_t>(i)] = i;
    DevicePtr p = allocate(6 * sizeof(int));
    CHECK(copy_2d(pointer(p), 8, host.data(), 16, 8, 3, CopyKind::host_to_device) == Status::ok);
    CHECK(copy(back.data(), pointer(p), 24) == Status::ok);
    CHECK((back == std::vector<int>{0, 1, 4, 5, 8, 9}));
    CHECK(copy_2d(pointer(p), 4, host.data(), 16, 8, 3) == Status::invalid_value);
}

TEST(pointer_kinds) {
    fresh(2);
    DevicePtr p = allocate(64, 1);
    void* pinned = nullptr;
    std::vector<char> mine(4096);
    CHECK(host_alloc(1000, &pinned) == Status::ok);
    PointerInfo i;
    CHECK(pointer_info(pointer(p + 10), &i) == Status::ok);
    CHECK(i.kind == PointerKind::device && i.device == 1 && i.base == p && i.size == 64 && i.live);
    CHECK(pointer_info(pointer(p + 64), &i) == Status::ok);
    CHECK(i.kind == PointerKind::device && !i.live);
    CHECK(pointer_info(static_cast<char*>(pinned) + 999, &i) == Status::ok);
    CHECK(i.kind == PointerKind::pinned_host && i.size == 1000);
    CHECK(pointer_info(mine.data(), &i) == Status::ok);
    CHECK(i.kind == PointerKind::pageable_host);
    CHECK(host_register(mine.data(), 4096) == Status::ok);
    CHECK(host_register(mine.data() + 10, 10) == Status::invalid_state);
    CHECK(pointer_info(mine.data() + 100, &i) == Status::ok && i.kind == PointerKind::pinned_host);
    CHECK(host_free(mine.data()) == Status::invalid_address);
    CHECK(host_unregister(mine.data()) == Status::ok);
    CHECK(control()->live("pinned") == 1);
    CHECK(host_free(pinned) == Status::ok);
    CHECK(host_free(pinned) == Status::invalid_address);
    CHECK(host_alloc(0, &pinned) == Status::invalid_value);
}

int main(int argc, char** argv) {
    return check::main(argc, argv);
}
