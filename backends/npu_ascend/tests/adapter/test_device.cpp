// SPDX-License-Identifier: Apache-2.0
// Devices and memory: properties, copies, limits, peers, the life of ACL.
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <numeric>

#include "check.hpp"
#include "harness.hpp"

using namespace harness;

TEST(looking_costs_nothing) {
    Npu npu(2);
    std::int32_t count = 0;
    EQUAL(npu->device_count(npu, &count), DA_OK);
    EQUAL(count, 2);
    dab_properties p{};
    p.size = sizeof p;
    EQUAL(npu->device_properties(npu, 1, &p), DA_OK);
    EQUAL(control()->live("aclrtContext"), 0); // no device was initialised
    EQUAL(control()->live("stream"), 0);
    CHECK(p.flags & DAB_DEVICE_SIMULATED);
    CHECK(std::strstr(p.name, "simulated"));
    EQUAL(std::string(p.arch), "Ascend910B3");
    EQUAL(p.alignment, 64u);
    CHECK(p.compute_units > 0);
    CHECK(p.total_memory > 0);
    CHECK(std::strlen(p.uuid) == 32);
    CHECK(std::strstr(p.runtime, "ACL 1."));
}

TEST(properties_of_an_older_host) {
    Npu npu;
    dab_properties p;
    std::memset(&p, 0x55, sizeof p);
    p.size = offsetof(dab_properties, name);
    EQUAL(npu->device_properties(npu, 0, &p), DA_OK);
    EQUAL(p.size, offsetof(dab_properties, name));
    EQUAL(p.name[0], 0x55);
}

TEST(no_device) {
    Npu npu(-1);
    std::int32_t count = 7;
    EQUAL(npu->device_count(npu, &count), DA_OK);
    EQUAL(count, 0);
    EQUAL(npu->device_open(npu, 0), DA_INVALID_ARGUMENT);
}

TEST(wrong_device) {
    Npu npu(2);
    void* address = nullptr;
    EQUAL(npu->alloc(npu, 2, 64, &address), DA_INVALID_ARGUMENT);
    EQUAL(npu->alloc(npu, -1, 64, &address), DA_INVALID_ARGUMENT);
    CHECK(std::strstr(last_error().message, "2")); // says how many there are
    EQUAL(npu->alloc(npu, 0, 64, nullptr), DA_INVALID_ARGUMENT);
}

TEST(round_trip) {
    Npu npu;
    Stream s(npu);
    std::vector<std::int32_t> values(1000), back(1000);
    std::iota(values.begin(), values.end(), 0);
    void* a = s.upload(values);
    void* b = s.memory(4000);
    EQUAL(npu->copy(npu, s, b, a, 4000, DAB_DEVICE_TO_DEVICE), DA_OK);
    void* pinned = nullptr;
    EQUAL(npu->host_alloc(npu, 0, 4000, &pinned), DA_OK);
    EQUAL(npu->copy(npu, s, pinned, b, 4000, DAB_DEVICE_TO_HOST), DA_OK);
    s.wait();
    CHECK(std::memcmp(pinned, values.data(), 4000) == 0);
    EQUAL(npu->fill(npu, s, b, 0xab, 4000), DA_OK);
    EQUAL(npu->copy(npu, s, pinned, b, 4000, DAB_DEVICE_TO_HOST), DA_OK);
    s.wait();
    for (int i = 0; i < 4000; ++i) EQUAL(static_cast<unsigned char*>(pinned)[i], 0xab);
    EQUAL(npu->host_free(npu, 0, pinned), DA_OK);
    EQUAL(npu->copy(npu, s, b, a, 8, static_cast<dab_copy_kind>(9)), DA_INVALID_ARGUMENT);
}

TEST(alignment) {
    Npu npu;
    Stream s(npu);
    for (const std::size_t bytes : {1u, 33u, 64u, 100u, 4097u})
        EQUAL(reinterpret_cast<std::uintptr_t>(s.memory(bytes)) % 64, 0u);
}

TEST(out_of_memory) {
    Npu npu(1, {}, 64 << 20);
    Stream s(npu);
    std::uint64_t free_bytes = 0, total = 0;
    EQUAL(npu->memory_info(npu, 0, &free_bytes, &total), DA_OK);
    EQUAL(total, std::uint64_t{64} << 20);
    void* address = reinterpret_cast<void*>(1);
    EQUAL(npu->alloc(npu, 0, std::uint64_t{1} << 30, &address), DA_OUT_OF_MEMORY);
    CHECK(address == reinterpret_cast<void*>(1)); // a failing call changes nothing
    const dab_error error = last_error();
    EQUAL(error.vendor_code, 207001);
    CHECK(std::strstr(error.message, "1024.0 MiB"));
    CHECK(std::strstr(error.message, "64.0 MiB free"));
    CHECK(error.remedy[0] && error.vendor_text[0]);
    inject(DAS_FAULT_OUT_OF_MEMORY);
    EQUAL(npu->alloc(npu, 0, 64, &address), DA_OUT_OF_MEMORY);
    s.memory(64); // an error does not stick
}

TEST(peers) {
    Npu npu(2);
    Stream a(npu, 0), b(npu, 1);
    const std::vector<float> values{1, 2, 3, 4};
    void* source = a.upload(values);
    void* target = b.memory(16);
    EQUAL(npu->copy_peer(npu, b, 1, target, 0, source, 16), DA_OK);
    CHECK(b.download<float>(target, 4) == values);
    void* pushed = b.memory(16);
    EQUAL(npu->copy_peer(npu, a, 1, pushed, 0, source, 16), DA_OK); // on the source's stream, too
    a.wait();
    CHECK(b.download<float>(pushed, 4) == values);
    void* near = a.memory(16);
    EQUAL(npu->copy_peer(npu, a, 0, near, 0, source, 16), DA_OK); // one device, too
    CHECK(a.download<float>(near, 4) == values);
    EQUAL(npu->copy_peer(npu, a, 0, near, 5, source, 16), DA_INVALID_ARGUMENT);
}

TEST(two_instances) {
    Npu first;
    {
        Npu second;
        Stream s(second);
        s.upload(std::vector<float>{1});
    } // must not take ACL away from the first
    Stream s(first);
    CHECK(s.download<float>(s.upload(std::vector<float>{5}), 1)[0] == 5);
}

TEST(create_again) {
    for (int i = 0; i < 3; ++i) {
        Npu npu;
        Stream s(npu);
        CHECK(s.download<float>(s.upload(std::vector<float>{5}), 1)[0] == 5);
    }
    EQUAL(control()->live("aclrtContext"), 0);
    EQUAL(control()->misuse_count(), 0u);
}

TEST(not_the_owner_of_acl) {
    // Other code of the process uses ACL: destroy must leave it alive.
    control();
    void* handle = dlopen((paths().simulator + "/libascendcl.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    CHECK(handle);
    auto init = reinterpret_cast<int (*)(const char*)>(dlsym(handle, "aclInit"));
    auto set = reinterpret_cast<int (*)(std::int32_t)>(dlsym(handle, "aclrtSetDevice"));
    for (const Options& options : {Options{}, Options{{"api", "8.1"}}}) {
        const int code = init(nullptr);
        CHECK(code == 0 || code == 100002);
        {
            Npu npu(1, options);
            Stream s(npu);
        }
        EQUAL(set(0), 0);
    }
}
