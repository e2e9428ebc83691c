// SPDX-License-Identifier: Apache-2.0
// Devices, memory, streams, events, options and errors.
#include <cmath>
#include <cstring>

#include "support.hpp"

namespace test {
namespace {

const dab_backend& table() {
    return *backend.table;
}

void identity() {
    CHECK(table().size == sizeof(dab_backend), "size");
    CHECK(std::strcmp(table().type, "cpu") == 0, "type");
    CHECK(table().op_count == DA_OP_COUNT, "op count");
    const uint64_t hashes[] = DA_OP_TABLE_HASHES;
    CHECK(std::memcmp(table().op_hashes, hashes, sizeof hashes) == 0, "hashes");
    for (const OpFacts& facts : op_facts()) {
        if (facts.kind == DA_KIND_ATTENTION) continue; // composed of others
        const dab_op* op = backend.ops[facts.op];
        CHECK(op && op->run && op->dtypes == facts.dtypes && (op->flags & DAB_OP_STRIDED), "op %s",
              facts.name);
    }
}

void devices() {
    int32_t count = 0;
    CHECK(table().device_count(backend.self, &count) == DA_OK && count == 1, "count");
    dab_properties p = {};
    p.size = sizeof p;
    CHECK(table().device_properties(backend.self, 0, &p) == DA_OK, "properties");
    CHECK(p.name[0] && p.arch[0] && p.total_memory > 0 && p.alignment >= 64, "properties of %s",
          p.name);
    CHECK(p.flags == (DAB_DEVICE_HOST_MEMORY | DAB_DEVICE_SYNCHRONOUS), "flags");
    std::printf("  %s, %s, %u threads, %s\n", p.name, p.arch, p.compute_units, p.runtime);
    CHECK(table().device_properties(backend.self, 1, &p) == DA_INVALID_ARGUMENT, "device 1");
    CHECK(std::strstr(last_error().message, "no CPU device 1"), "message: %s",
          last_error().message);
    struct {
        uint32_t size, flags;
        char beyond[8];
    } old = {8, 0, "intact!"};
    CHECK(table().device_properties(backend.self, 0, reinterpret_cast<dab_properties*>(&old)) ==
              DA_OK,
          "older host");
    CHECK(old.size == 8 && old.flags != 0 && std::strcmp(old.beyond, "intact!") == 0,
          "writes beyond an older host's struct");
}

void memory() {
    for (const uint64_t bytes :
         {uint64_t(1), uint64_t(1000), uint64_t(2 << 20), uint64_t(100 << 20)}) {
        void* p = nullptr;
        CHECK(table().alloc(backend.self, 0, bytes, &p) == DA_OK && p, "alloc %lu", long(bytes));
        CHECK(reinterpret_cast<uintptr_t>(p) % 64 == 0, "alignment");
        CHECK(table().fill(backend.self, backend.stream, p, 7, bytes) == DA_OK, "fill");
        CHECK(static_cast<char*>(p)[bytes - 1] == 7, "filled");
        CHECK(table().free(backend.self, 0, p) == DA_OK, "free");
    }
    void* p = nullptr;
    for (const uint64_t bytes : {uint64_t(1) << 50, UINT64_MAX - 100}) {
        CHECK(table().alloc(backend.self, 0, bytes, &p) == DA_OUT_OF_MEMORY, "out of memory");
        CHECK(std::strstr(last_error().message, "available") && last_error().remedy[0], "%s",
              last_error().message);
    }
    CHECK(table().alloc(backend.self, 0, 0, &p) == DA_INVALID_ARGUMENT, "0 bytes");
    uint64_t free_bytes = 0, total = 0;
    CHECK(table().memory_info(backend.self, 0, &free_bytes, &total) == DA_OK, "info");
    CHECK(free_bytes > 0 && free_bytes <= total, "%lu of %lu free", long(free_bytes), long(total));
}

void copies() {
    std::vector<char> from(20 << 20), to(from.size());
    for (size_t i = 0; i < from.size(); ++i) from[i] = char(i * 7 >> 3);
    for (const size_t n : {size_t(1), size_t(100), from.size() - 5}) {
        std::fill(to.begin(), to.end(), 0);
        CHECK(table().copy(backend.self, backend.stream, to.data(), from.data(), n,
                           DAB_HOST_TO_DEVICE) == DA_OK,
              "copy");
        CHECK(std::memcmp(from.data(), to.data(), n) == 0 && to[n] == 0, "copy of %lu", long(n));
    }
    CHECK(table().copy_peer(backend.self, backend.stream, 0, to.data(), 0, from.data(), 10) ==
              DA_OK,
          "peer");
}

void streams_and_events() {
    dab_stream stream = nullptr;
    CHECK(table().stream_create(backend.self, 0, 0, &stream) == DA_OK, "stream");
    dab_event a = nullptr, b = nullptr, plain = nullptr;
    CHECK(table().event_create(backend.self, 0, DAB_EVENT_TIMING, &a) == DA_OK, "event");
    CHECK(table().event_create(backend.self, 0, DAB_EVENT_TIMING, &b) == DA_OK, "event");
    CHECK(table().event_create(backend.self, 0, 0, &plain) == DA_OK, "event");
    float ms = -1;
    CHECK(table().event_query(backend.self, a) == DA_OK, "never recorded");
    CHECK(table().event_elapsed(backend.self, a, b, &ms) == DA_INVALID_ARGUMENT, "never recorded");
    CHECK(table().event_record(backend.self, a, stream) == DA_OK, "record");
    int calls = 0;
    CHECK(table().stream_callback(
              backend.self, stream, [](void* n) { ++*static_cast<int*>(n); }, &calls) == DA_OK,
          "callback");
    CHECK(calls == 1, "the callback ran %d times", calls);
    CHECK(table().event_record(backend.self, b, stream) == DA_OK, "record");
    CHECK(table().stream_wait_event(backend.self, stream, b) == DA_OK, "wait");
    CHECK(table().event_synchronize(backend.self, b, -1) == DA_OK, "synchronise");
    CHECK(table().event_elapsed(backend.self, a, b, &ms) == DA_OK && ms >= 0, "elapsed %f",
          double(ms));
    CHECK(table().event_elapsed(backend.self, a, plain, &ms) == DA_INVALID_ARGUMENT,
          "without timing");
    CHECK(table().stream_query(backend.self, stream) == DA_OK, "query");
    CHECK(table().stream_synchronize(backend.self, stream, -1) == DA_OK, "synchronise");
    CHECK(table().device_synchronize(backend.self, 0, -1) == DA_OK, "synchronise");
    for (dab_event e : {a, b, plain})
        CHECK(table().event_destroy(backend.self, e) == DA_OK, "destroy");
    CHECK(table().stream_destroy(backend.self, stream) == DA_OK, "destroy");
}

void options() {
    dab_instance* self = nullptr;
    CHECK(make({"colour", "red"}, &self) == DA_INVALID_ARGUMENT && !self, "unknown option");
    CHECK(std::strstr(last_error().message, "colour"), "%s", last_error().message);
    CHECK(make({"level", "v9"}, &self) == DA_INVALID_ARGUMENT && !self, "unknown level");
    CHECK(make({"threads", "0"}, &self) == DA_INVALID_ARGUMENT && !self, "threads");
    CHECK(make({"threads", "many"}, &self) == DA_INVALID_ARGUMENT && !self, "threads");
    CHECK(make({"threads", "3", "blas", "/does/not/exist.so"}, &self) == DA_OK && self, "options");
    Tensor a(DA_FLOAT32, {64, 64}), c(DA_FLOAT32, {64, 64});
    for (int64_t i = 0; i < a.count(); ++i) a.set(i, i % 65 == 0);
    CHECK(run(DA_OP_MATMUL, {&a, &a}, c, {}, self) == DA_OK && c.get(65) == 1, "without the BLAS");
    dab_properties p = {};
    p.size = sizeof p;
    CHECK(table().device_properties(self, 0, &p) == DA_OK && p.compute_units == 3,
          "threads of the instance");
    CHECK(std::strstr(p.runtime, "own kernels"), "says what it uses: %s", p.runtime);
    table().destroy(self);
}

} // namespace

void test_runtime() {
    identity();
    devices();
    memory();
    copies();
    streams_and_events();
    options();
}

} // namespace test
