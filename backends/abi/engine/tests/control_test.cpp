// SPDX-License-Identifier: Apache-2.0
// The control table: set-up, launch log, injected faults, reports.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <thread>

#include "sim.hpp"

using namespace sim;

namespace {

int inject(int kind, const char* name = "", std::uint64_t skip = 0, std::uint64_t count = 1,
           double probability = 0, int code = 0, double value = 0) {
    das_fault f{};
    f.size = sizeof f;
    f.kind = kind;
    f.device = -1;
    f.skip = skip;
    f.count = count;
    f.probability = probability;
    f.code = code;
    f.value = value;
    std::strncpy(f.name, name, sizeof f.name - 1);
    const int id = control()->fault_add(&f);
    CHECK(id > 0);
    return id;
}

std::uint64_t strikes(int id) {
    std::uint64_t n = 0;
    CHECK(control()->fault_strikes(id, &n) == DAS_OK);
    return n;
}

struct Bench {
    Tensor x = upload<float>({1, 2, 3, 4}, {4});
    Handle s = new_stream();
    Status step(const char* name = "add_one") {
        const Status now = add_one(s, x, name);
        return now == Status::ok ? stream_synchronize(s, 5000) : now;
    }
};

} // namespace

TEST(setup_rules) {
    CHECK(control()->reset() == DAS_OK);
    das_setup s{};
    CHECK(control()->setup(&s) == DAS_INVALID); // no size
    CHECK(control()->setup(nullptr) == DAS_INVALID);
    s.size = sizeof s;
    s.devices = 65;
    CHECK(control()->setup(&s) == DAS_INVALID && contains(control()->message(), "64"));
    s.devices = 2;
    std::strcpy(s.name_suffix, " in a test");
    CHECK(control()->setup(&s) == DAS_OK);
    CHECK(std::string(device_name(1)) == "Test chip in a test (simulated)");
    CHECK(std::string(device_name(2)).empty());
    CHECK(control()->setup(&s) == DAS_OK); // nothing changes
    s.devices = 3;
    CHECK(control()->setup(&s) == DAS_BUSY && contains(control()->message(), "reset"));
    CHECK(control()->device_count() == 2);
    CHECK(control()->reset() == DAS_OK);
    s.devices = -1;
    CHECK(control()->setup(&s) == DAS_OK && control()->device_count() == 0);
    Handle h = nullptr;
    CHECK(stream_create(0, &h) == Status::invalid_device);
    CHECK(control()->reset() == DAS_OK && control()->device_count() == 1);
    das_memory m{};
    m.size = offsetof(das_memory, peak); // an older caller
    m.peak = 77;
    CHECK(control()->memory(0, &m) == DAS_OK && m.total == 4ull << 30 && m.peak == 77);
    CHECK(control()->memory(5, &m) == DAS_NOT_FOUND);
    CHECK(control()->size == sizeof(das_control) && control()->version == DAS_VERSION);
    CHECK(std::string(control()->vendor) == "test");
}

TEST(reset_kills_what_was) {
    fresh();
    Bench b;
    CHECK(add_one(b.s, b.x) == Status::ok);
    CHECK(control()->reset() == DAS_OK);
    CHECK(stream_synchronize(b.s) == Status::invalid_handle);
    CHECK(mem_free(b.x.data) == Status::invalid_address);
    CHECK(control()->launch_count(DAS_ALL) == 0 && control()->live("allocation") == 0);
}

TEST(launch_log) {
    fresh();
    Bench b;
    CHECK(control()->launch_clear() == DAS_OK);
    for (int i = 0; i < 3; ++i) CHECK(b.step("aclnnAdd") == Status::ok);
    CHECK(fill_bytes_async(pointer(b.x.data), 0, 16, b.s) == Status::ok);
    download<float>(b.x);
    CHECK(control()->launch_count(DAS_KERNEL) == 3 && control()->launch_count(DAS_COPY) == 1);
    CHECK(control()->launch_count(DAS_ALL) == 5 && control()->launch_kept() == 5);
    das_launch e{};
    CHECK(control()->launch_read(0, &e) == DAS_INVALID); // no size
    e.size = sizeof e;
    std::uint64_t before = 0;
    std::uint32_t id = 0;
    CHECK(stream_id(b.s, &id) == Status::ok);
    for (std::uint64_t i = 0; i < 3; ++i) {
        CHECK(control()->launch_read(i, &e) == DAS_OK);
        CHECK(std::string(e.name) == "aclnnAdd" && e.kind == DAS_KERNEL && e.stream == id);
        CHECK(e.sequence > before && e.bytes == 16 && e.device == 0);
        before = e.sequence;
    }
    CHECK(control()->launch_read(4, &e) == DAS_OK && std::string(e.name) == "memcpy_d2h");
    CHECK(control()->launch_read(5, &e) == DAS_NOT_FOUND);
    CHECK(control()->launch_clear() == DAS_OK && control()->launch_kept() == 0);
    CHECK(b.step() == Status::ok && control()->launch_read(0, &e) == DAS_OK && e.sequence > before);
    for (int i = 0; i < 66000; ++i)
        CHECK(host_task(b.s, "nothing", [](TaskContext&) { return Status::ok; }) == Status::ok);
    CHECK(control()->launch_kept() == 65536 && control()->launch_count(DAS_HOST) == 66000);
    CHECK(stream_synchronize(b.s) == Status::ok);
}

TEST(fault_out_of_memory) {
    fresh();
    const int id = inject(DAS_FAULT_OUT_OF_MEMORY, "", 2, 1);
    DevicePtr p = 0;
    CHECK(mem_alloc(0, 8, &p) == Status::ok && mem_alloc(0, 8, &p) == Status::ok);
    CHECK(mem_alloc(0, 8, &p) == Status::out_of_memory && contains(last_message(), "injected"));
    CHECK(mem_alloc(0, 8, &p) == Status::ok && strikes(id) == 1);
}

TEST(fault_launch_by_name) {
    fresh();
    Bench b;
    const int id = inject(DAS_FAULT_LAUNCH, "mat*", 1, 0, 0, 507011);
    CHECK(b.step("matmul") == Status::ok && b.step("add") == Status::ok);
    CHECK(b.step("matmul") == Status::launch_failure && last_stream_error().code == 507011);
    CHECK(b.step("matrix") == Status::launch_failure && strikes(id) == 2);
    CHECK(control()->fault_remove(id) == DAS_OK && b.step("matmul") == Status::ok);
    CHECK(control()->fault_remove(id) == DAS_NOT_FOUND);
}

TEST(fault_asynchronous_and_ecc) {
    fresh();
    Bench b;
    inject(DAS_FAULT_ASYNC, "", 0, 1, 0, 507015);
    CHECK(add_one(b.s, b.x, "first") == Status::ok); // the launch itself goes well
    CHECK(add_one(b.s, b.x, "second") == Status::ok);
    CHECK(stream_synchronize(b.s) == Status::kernel_fault);
    CHECK(last_stream_error().code == 507015 && std::string(last_stream_error().task) == "first");
    for (float v : download<float>(b.x)) CHECK(v != v);
    inject(DAS_FAULT_ECC);
    CHECK(b.step() == Status::hardware_fault && b.step() == Status::ok);
}

TEST(fault_device_lost) {
    fresh(2);
    Bench b;
    inject(DAS_FAULT_DEVICE_LOST, "", 1);
    CHECK(b.step() == Status::ok && b.step() == Status::device_lost);
    DevicePtr p = 0;
    CHECK(mem_alloc(0, 8, &p) == Status::device_lost && contains(last_message(), "reset"));
    CHECK(b.step() == Status::device_lost);
    CHECK(mem_alloc(1, 8, &p) == Status::ok); // the other one lives
    CHECK(device_reset(0) == Status::ok);
    CHECK(stream_synchronize(b.s) == Status::invalid_handle);
    CHECK(Bench().step() == Status::ok);
    CHECK(control()->device_lose(1) == DAS_OK && device_check(1) == Status::device_lost);
    CHECK(control()->device_lose(9) == DAS_NOT_FOUND);
}

TEST(fault_wrong_result) {
    fresh();
    Bench b;
    inject(DAS_FAULT_WRONG_RESULT, "", 0, 1, 0, 0, 1e-3);
    CHECK(b.step() == Status::ok);
    int wrong = 0;
    const std::vector<float> got = download<float>(b.x);
    for (std::size_t i = 0; i < 4; ++i) {
        const float want = static_cast<float>(i + 2);
        if (got[i] == want) continue;
        ++wrong;
        CHECK(got[i] > want * 1.0009f && got[i] < want * 1.0011f);
    }
    CHECK(wrong == 1);
}

TEST(fault_corrupt_copy) {
    fresh();
    DevicePtr p = allocate(1000);
    std::vector<unsigned char> zeros(1000), back(1000);
    inject(DAS_FAULT_CORRUPT_COPY, "memcpy_h2d");
    CHECK(copy(pointer(p), zeros.data(), 1000) == Status::ok);
    CHECK(copy(back.data(), pointer(p), 1000) == Status::ok);
    int flipped = 0;
    for (unsigned char c : back) flipped += __builtin_popcount(c);
    CHECK(flipped == 1);
}

TEST(fault_hang_until_removed) {
    fresh();
    Bench b;
    const int id = inject(DAS_FAULT_HANG);
    CHECK(add_one(b.s, b.x) == Status::ok);
    CHECK(stream_synchronize(b.s, 50) == Status::timeout);
    CHECK(control()->fault_remove(id) == DAS_OK);
    CHECK(stream_synchronize(b.s, 5000) == Status::ok && download<float>(b.x)[0] == 2);
    inject(DAS_FAULT_HANG);
    CHECK(add_one(b.s, b.x) == Status::ok && stream_synchronize(b.s, 50) == Status::timeout);
    CHECK(device_reset(0) == Status::ok);
}

TEST(fault_slow_and_real_time) {
    fresh();
    Bench b;
    das_latency l{};
    l.size = sizeof l;
    l.launch_us = 1000;
    l.realtime = 1;
    CHECK(control()->set_latency(&l) == DAS_OK);
    inject(DAS_FAULT_SLOW, "", 0, 1, 0, 0, 60);
    const auto start = std::chrono::steady_clock::now();
    CHECK(b.step() == Status::ok);
    CHECK(std::chrono::steady_clock::now() - start > std::chrono::milliseconds(55));
    l.launch_us = -1;
    CHECK(control()->set_latency(&l) == DAS_INVALID);
}

TEST(faults_repeat_by_seed) {
    auto pattern = [](std::uint64_t seed) {
        fresh(1, 64u << 20, seed);
        Bench b;
        inject(DAS_FAULT_LAUNCH, "", 0, 0, 0.3);
        std::string hits;
        for (int i = 0; i < 200; ++i) hits += b.step() == Status::ok ? '.' : 'x';
        return hits;
    };
    const std::string a = pattern(1);
    CHECK(a == pattern(1) && a != pattern(2));
    const auto n = std::count(a.begin(), a.end(), 'x');
    CHECK(n > 30 && n < 90);
    CHECK(control()->fault_remove(0) == DAS_OK);
}

TEST(misuse_report) {
    fresh();
    for (int i = 0; i < 100; ++i) CHECK(mem_free(8) == Status::invalid_address);
    CHECK(control()->misuse_count() == 100);
    char text[16];
    CHECK(control()->misuse_read(0, text, sizeof text) > 15 && std::strlen(text) == 15);
    CHECK(control()->misuse_read(63, text, sizeof text) > 0);
    CHECK(control()->misuse_read(64, text, sizeof text) == DAS_NOT_FOUND);
    CHECK(control()->misuse_clear() == DAS_OK && control()->misuse_count() == 0);
}

int main(int argc, char** argv) {
    return check::main(argc, argv);
}
