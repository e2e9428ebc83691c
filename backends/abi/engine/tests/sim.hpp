// SPDX-License-Identifier: Apache-2.0
// What the engine's tests share: a fresh engine, transfers of vectors, kernels on a stream.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "device_api/engine/engine.hpp"
#include "device_api/simctl.h"

namespace sim {

using namespace device_api::engine;

inline const das_control* control() {
    Vendor v;
    v.name = "test";
    v.device_name = "Test chip";
    v.max_streams = 64;
    vendor(v);
    return control_table();
}

/// Forget everything, then set up `devices` of `bytes`.
inline void fresh(int devices = 1, std::uint64_t bytes = 256u << 20, std::uint64_t seed = 1,
                  das_mode mode = DAS_ADVERSARIAL, std::uint32_t delay_us = 0) {
    CHECK(control()->reset() == DAS_OK);
    das_setup setup{};
    setup.size = sizeof setup;
    setup.devices = devices;
    setup.memory_bytes = bytes;
    setup.seed = seed;
    CHECK(control()->setup(&setup) == DAS_OK);
    das_schedule schedule{};
    schedule.size = sizeof schedule;
    schedule.mode = mode;
    schedule.max_delay_us = delay_us;
    CHECK(control()->set_schedule(&schedule) == DAS_OK);
}

inline void* pointer(DevicePtr p) {
    return reinterpret_cast<void*>(p);
}

inline DevicePtr allocate(std::size_t bytes, int device = 0) {
    DevicePtr p = 0;
    CHECK(mem_alloc(device, bytes, &p) == Status::ok);
    return p;
}

inline Handle new_stream(int device = 0) {
    Handle s = nullptr;
    CHECK(stream_create(device, &s) == Status::ok);
    return s;
}

template <class T>
constexpr DType dtype_of();
template <>
constexpr DType dtype_of<bool>() {
    return DType::boolean;
}
template <>
constexpr DType dtype_of<std::int8_t>() {
    return DType::i8;
}
template <>
constexpr DType dtype_of<std::int16_t>() {
    return DType::i16;
}
template <>
constexpr DType dtype_of<std::int32_t>() {
    return DType::i32;
}
template <>
constexpr DType dtype_of<std::int64_t>() {
    return DType::i64;
}
template <>
constexpr DType dtype_of<std::uint8_t>() {
    return DType::u8;
}
template <>
constexpr DType dtype_of<std::uint32_t>() {
    return DType::u32;
}
template <>
constexpr DType dtype_of<std::uint64_t>() {
    return DType::u64;
}
template <>
constexpr DType dtype_of<float>() {
    return DType::f32;
}
template <>
constexpr DType dtype_of<double>() {
    return DType::f64;
}

/// A tensor in fresh device memory, with the values (C order).
template <class T>
Tensor upload(const std::vector<T>& values, const std::vector<std::int64_t>& shape,
              int device = 0) {
    Tensor t(dtype_of<T>(), allocate(values.size() * sizeof(T) + 1, device),
             static_cast<int>(shape.size()), shape.data());
    std::vector<T> copy_of(values.begin(), values.end());
    if (!values.empty())
        CHECK(copy(pointer(t.data), copy_of.data(), values.size() * sizeof(T)) == Status::ok);
    return t;
}
inline Tensor empty(DType d, const std::vector<std::int64_t>& shape, int device = 0) {
    Tensor t(d, 0, static_cast<int>(shape.size()), shape.data());
    t.data = allocate(static_cast<std::size_t>(t.numel()) * dtype_size(d) + 1, device);
    return t;
}
/// The values of a contiguous tensor, after everything on its device has finished.
template <class T>
std::vector<T> download(const Tensor& t) {
    std::vector<T> values(static_cast<std::size_t>(t.numel()));
    CHECK(t.dtype == dtype_of<T>() || dtype_size(t.dtype) == sizeof(T));
    if (!values.empty())
        CHECK(copy(values.data(), pointer(t.data), values.size() * sizeof(T)) == Status::ok);
    return values;
}

/// Run a task on its own stream and wait; its status.
inline Status run(Task task, std::vector<Operand> operands = {}) {
    Handle s = new_stream();
    Launch l;
    l.name = "test";
    l.operands = std::move(operands);
    l.task = std::move(task);
    Status status = launch(s, std::move(l));
    const Status late = stream_destroy(s);
    return status == Status::ok ? late : status;
}

/// Queue x += 1 (f32).
inline Status add_one(Handle stream, const Tensor& x, const char* name = "add_one") {
    Launch l;
    l.name = name;
    l.operands = {{x, Access::read_write}};
    l.task = [x](TaskContext& ctx) {
        return binary(ctx, Binary::add, x.dtype, x, ctx.constant(1.0f), x);
    };
    return launch(stream, std::move(l));
}

inline std::string newest_misuse() {
    char text[4096] = "";
    control()->misuse_read(0, text, sizeof text);
    return text;
}
inline bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

} // namespace sim
