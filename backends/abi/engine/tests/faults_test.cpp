// SPDX-License-Identifier: Apache-2.0
// Faults by size, stream and time, as text, of links, of calls that are no tasks; work that hangs.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "sim.hpp"

using namespace sim;

namespace {

das_fault fault(int kind) {
    das_fault f{};
    f.size = sizeof f;
    f.kind = kind;
    f.device = -1;
    f.count = 0;
    return f;
}

int add(const das_fault& f) {
    const int id = control()->fault_add(&f);
    CHECK(id > 0);
    return id;
}

std::uint64_t strikes(int id) {
    std::uint64_t n = 0;
    CHECK(control()->fault_strikes(id, &n) == DAS_OK);
    return n;
}

bool refused(const char* text, const char* because) {
    return control()->fault_text(text, 1) == DAS_INVALID && contains(control()->message(), because);
}

/// The least of several: between two submissions the host may be held up.
double milliseconds_of(Handle s, void* to, const void* from, std::size_t bytes, CopyKind kind) {
    Handle start = nullptr, end = nullptr;
    CHECK(event_create(&start) == Status::ok && event_create(&end) == Status::ok);
    double least = 1e9;
    for (int i = 0; i < 8; ++i) {
        CHECK(event_record(start, s) == Status::ok);
        CHECK(copy_async(to, from, bytes, kind, s) == Status::ok);
        CHECK(event_record(end, s) == Status::ok);
        CHECK(stream_synchronize(s) == Status::ok);
        double ms = 0;
        CHECK(event_elapsed(start, end, &ms) == Status::ok);
        least = std::min(least, ms);
    }
    CHECK(event_destroy(start) == Status::ok && event_destroy(end) == Status::ok);
    return least;
}

} // namespace

TEST(by_size) {
    fresh();
    das_fault f = fault(DAS_FAULT_OUT_OF_MEMORY);
    f.min_bytes = 4096;
    f.max_bytes = 8192;
    const int id = add(f);
    DevicePtr p = 0;
    CHECK(mem_alloc(0, 4095, &p) == Status::ok);
    CHECK(mem_alloc(0, 4096, &p) == Status::out_of_memory);
    CHECK(mem_alloc(0, 8192, &p) == Status::out_of_memory);
    CHECK(mem_alloc(0, 8193, &p) == Status::ok);
    CHECK(strikes(id) == 2);
    f.max_bytes = 4095;
    CHECK(control()->fault_add(&f) == DAS_INVALID && contains(control()->message(), "min_bytes"));
}

TEST(by_stream) {
    fresh();
    Tensor x = upload<float>({1}, {1});
    Handle first = new_stream(), second = new_stream();
    std::uint32_t number = 0;
    CHECK(stream_id(second, &number) == Status::ok);
    das_fault f = fault(DAS_FAULT_ASYNC);
    f.stream = number;
    const int id = add(f);
    CHECK(add_one(first, x) == Status::ok && stream_synchronize(first) == Status::ok);
    CHECK(add_one(second, x) == Status::ok);
    CHECK(stream_synchronize(second) == Status::kernel_fault);
    CHECK(strikes(id) == 1);
}

TEST(by_time) {
    fresh();
    das_fault f = fault(DAS_FAULT_OUT_OF_MEMORY);
    f.after_s = 0.2;
    f.until_s = 0.5;
    const auto start = std::chrono::steady_clock::now();
    const int id = add(f);
    auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    DevicePtr p = 0;
    while (mem_alloc(0, 64, &p) == Status::ok) {
        CHECK(seconds() < 5);
        mem_free(p);
    }
    CHECK(seconds() >= 0.19);
    while (mem_alloc(0, 64, &p) != Status::ok) CHECK(seconds() < 5);
    CHECK(seconds() >= 0.49);
    CHECK(strikes(id) > 0);
    f.until_s = 0.2;
    CHECK(control()->fault_add(&f) == DAS_INVALID && contains(control()->message(), "until"));
}

TEST(slow_link_of_one_direction) {
    fresh();
    Handle s = new_stream();
    void* host = nullptr;
    const std::size_t bytes = 4 << 20;
    CHECK(host_alloc(bytes, &host) == Status::ok);
    std::memset(host, 0, bytes);
    void* device = pointer(allocate(bytes));
    void* other = pointer(allocate(bytes));
    const double in = milliseconds_of(s, device, host, bytes, CopyKind::host_to_device);
    const double out = milliseconds_of(s, host, device, bytes, CopyKind::device_to_host);
    const double on = milliseconds_of(s, other, device, bytes, CopyKind::device_to_device);
    CHECK(control()->fault_text("slow_link name=memcpy_h2d value=8", 1) == 1);
    const double slow = milliseconds_of(s, device, host, bytes, CopyKind::host_to_device);
    CHECK(slow > 6 * in && slow < 10 * in);
    CHECK(milliseconds_of(s, host, device, bytes, CopyKind::device_to_host) < 1.5 * out);
    CHECK(control()->fault_text("slow_link value=8", 1) == 1);
    CHECK(milliseconds_of(s, host, device, bytes, CopyKind::device_to_host) > 6 * out);
    CHECK(milliseconds_of(s, other, device, bytes, CopyKind::device_to_device) < 1.5 * on);
    CHECK(host_free(host) == Status::ok);
}

TEST(as_text) {
    fresh();
    CHECK(control()->fault_text("", 1) == 0);
    CHECK(control()->fault_text(" out_of_memory count=1 skip=1 ; ", 1) == 1);
    DevicePtr p = 0;
    CHECK(mem_alloc(0, 64, &p) == Status::ok);
    CHECK(mem_alloc(0, 64, &p) == Status::out_of_memory);
    CHECK(mem_alloc(0, 64, &p) == Status::ok);
    CHECK(control()->fault_text("test: hang name=x; nobody: slow value=2; ecc count=all", 0) == 2);
    CHECK(control()->fault_text("out_of_memory min_bytes=1MiB", 1) == 1);
    CHECK(mem_alloc(0, 1 << 20, &p) == Status::out_of_memory);
    CHECK(control()->fault_text(nullptr, 1) == DAS_INVALID);
}

TEST(text_that_is_wrong) {
    fresh();
    CHECK(refused("explode", "there is no kind"));
    CHECK(refused("test:", "names no kind"));
    CHECK(refused("async nome=x", "there is no key"));
    CHECK(refused("async count", "no key=value"));
    CHECK(refused("async count=-1", "count takes"));
    CHECK(refused("async count=18446744073709551616", "count takes"));
    CHECK(refused("async probability=0", "probability takes"));
    CHECK(refused("async probability=1.5", "probability takes"));
    CHECK(refused("async probability=nan", "probability takes"));
    CHECK(refused("async device=-2", "device takes"));
    CHECK(refused("async min_bytes=1XB", "min_bytes takes"));
    CHECK(refused("async after=soon", "after takes"));
    CHECK(refused("async after=2 until=1", "until"));
    CHECK(refused("slow", "above 1"));
    CHECK(refused("slow_link value=1", "above 1"));
    CHECK(refused("nobody: explode", "there is no kind")); // also another vendor's
    CHECK(refused("out_of_memory; explode", "there is no kind"));
    DevicePtr p = 0;
    CHECK(mem_alloc(0, 64, &p) == Status::ok); // none of the above was put in
}

TEST(of_the_environment) {
    setenv("DEVICE_API_SIM_FAULTS", "test: out_of_memory skip=1", 1);
    fresh();
    DevicePtr p = 0;
    CHECK(mem_alloc(0, 64, &p) == Status::ok);
    CHECK(mem_alloc(0, 64, &p) == Status::out_of_memory);
    setenv("DEVICE_API_SIM_FAULTS", "nonsense", 1);
    fresh();
    CHECK(mem_alloc(0, 64, &p) == Status::invalid_value);
    CHECK(contains(last_message(), "DEVICE_API_SIM_FAULTS") &&
          contains(last_message(), "nonsense"));
    unsetenv("DEVICE_API_SIM_FAULTS");
}

TEST(of_calls) {
    fresh(2);
    CHECK(!injected_fault(DAS_FAULT_TELEMETRY, 0, "query"));
    das_fault f = fault(DAS_FAULT_TELEMETRY);
    f.device = 1;
    f.skip = 1;
    f.count = 1;
    f.code = 17;
    std::strcpy(f.name, "query_*");
    const int id = add(f);
    CHECK(!injected_fault(DAS_FAULT_TELEMETRY, 0, "query_power"));
    CHECK(!injected_fault(DAS_FAULT_TELEMETRY_SHORT, 1, "query_power"));
    CHECK(!injected_fault(DAS_FAULT_TELEMETRY, 1, "count"));
    CHECK(!injected_fault(DAS_FAULT_TELEMETRY, 1, "query_power")); // skipped
    const InjectedFault hit = injected_fault(DAS_FAULT_TELEMETRY, 1, "query_power");
    CHECK(hit && hit.id == id && hit.code == 17);
    CHECK(!injected_fault(DAS_FAULT_TELEMETRY, 1, "query_power"));
    Tensor x = upload<float>({1}, {1});
    Handle s = new_stream();
    CHECK(add_one(s, x) == Status::ok && stream_synchronize(s) == Status::ok);
}

TEST(a_copy_that_hangs) {
    fresh();
    void* device = pointer(allocate(64));
    char host[64] = {};
    const int id = add(fault(DAS_FAULT_HANG));
    std::thread mends([id] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        CHECK(control()->fault_remove(id) == DAS_OK);
    });
    const auto start = std::chrono::steady_clock::now();
    CHECK(copy(device, host, sizeof host) == Status::ok);
    CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(40));
    mends.join();
    add(fault(DAS_FAULT_HANG));
    std::thread resets([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        CHECK(device_reset(0) == Status::ok);
    });
    CHECK(copy(device, host, sizeof host) == Status::device_lost);
    resets.join();
}

int main(int argc, char** argv) {
    return check::main(argc, argv);
}
