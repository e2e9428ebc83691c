// SPDX-License-Identifier: Apache-2.0
// The program that a broken adapter has to get past: all that a host does with an adapter, with
// every result compared. A finding ends the process, with its words on the standard output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device_api/backend.h"
#include "device_api/simctl.h"

namespace program {

[[noreturn]] void found(const char* where, const std::string& what);
/// DA_OK, or a finding with the adapter's own words.
void must(const char* where, da_status status);
void same(const char* where, const std::vector<float>& seen, const std::vector<float>& wanted);

extern const dab_backend* table;
extern dab_instance* self;
extern const das_control* control;

/// Device memory of floats; freed at the end of its block, when its stream is idle.
struct Array {
    Array(int device, std::int64_t n);
    ~Array();
    Array(const Array&) = delete;
    int device;
    std::int64_t n;
    float* data = nullptr;
};

struct Pinned {
    explicit Pinned(std::int64_t n, int device = 0);
    Pinned(const std::vector<float>& values, int device = 0);
    ~Pinned();
    Pinned(const Pinned&) = delete;
    std::vector<float> read() const;
    int device;
    std::int64_t n;
    float* data = nullptr;
};

struct Stream {
    explicit Stream(int device = 0);
    ~Stream();
    Stream(const Stream&) = delete;
    void up(Array& to, const float* from);
    void down(float* to, const Array& from);
    void wait();
    void record(dab_event e);
    void after(dab_event e);
    int device;
    dab_stream raw = nullptr;
    std::vector<void*> workspaces; // freed with the stream
};

struct Event {
    explicit Event(std::uint32_t flags = 0, int device = 0);
    ~Event();
    Event(const Event&) = delete;
    dab_event raw = nullptr;
};

/// A view of an array.
struct View {
    View(Array& a, std::vector<std::int64_t> shape = {}, std::vector<std::int64_t> strides = {},
         std::int64_t offset = 0);
    da_tensor tensor() const;
    Array& array;
    std::vector<std::int64_t> shape, strides;
    std::int64_t offset;
    bool dense;
};

da_tensor number(const float* value);
void op(Stream& s, da_op id, const std::vector<da_tensor>& inputs, const View& out,
        const std::vector<da_value>& attributes = {});
/// Plan it and abandon the plan.
void only_plan(Stream& s, da_op id, const std::vector<da_tensor>& inputs, const View& out);

std::vector<float> numbers(std::uint64_t seed, std::int64_t n);

// The parts of the program.
void orders(std::uint64_t seed);    // within and between streams
void waits(std::uint64_t seed);     // every way to wait
void views(std::uint64_t seed);     // strides, offsets, workspaces
void host(std::uint64_t seed);      // host memory, callbacks
void lifetimes(std::uint64_t seed); // ends of streams and events, threads, two devices
void failures(std::uint64_t seed);  // what must be reported

} // namespace program
