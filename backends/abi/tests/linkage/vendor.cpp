// SPDX-License-Identifier: Apache-2.0
// A dummy vendor's whole interface over the engine; compiled once per vendor, with equal symbol
// names.
#include <cstddef>

#include "device_api/engine/engine.hpp"
#include "device_api/simctl.h"

namespace engine = device_api::engine;

namespace {

void identify() {
    engine::Vendor v;
    v.name = DUMMY_VENDOR;
    v.device_name = "Dummy " DUMMY_VENDOR;
    v.memory_bytes = 64u << 20;
    engine::vendor(v);
}

int counter = 0;

/// Has a local static with a guard: a process-unique symbol if the compiler were allowed to make
/// one.
template <class T>
struct Shared {
    static T& value() {
        static T v{};
        return v;
    }
};

} // namespace

#define DUMMY_API extern "C" __attribute__((visibility("default")))

DUMMY_API const das_control* das_control_table() {
    identify();
    return engine::control_table();
}

DUMMY_API const char* dummyVendor() {
    return DUMMY_VENDOR;
}

DUMMY_API int dummyCounter() {
    Shared<long>::value() += 1;
    return ++counter == Shared<long>::value() ? counter : -1;
}

DUMMY_API int dummyAlloc(void** p, std::size_t bytes) {
    identify();
    engine::DevicePtr address = 0;
    const engine::Status s = engine::mem_alloc(0, bytes, &address);
    *p = reinterpret_cast<void*>(address);
    return static_cast<int>(s);
}

DUMMY_API int dummyFree(void* p) {
    return static_cast<int>(engine::mem_free(reinterpret_cast<engine::DevicePtr>(p)));
}

/// On a new stream, without waiting: p[0..n) += 1. The stream is left to the end of the process.
DUMMY_API int dummyAdd(float* p, long n) {
    identify();
    engine::Handle stream = nullptr;
    engine::Status s = engine::stream_create(0, &stream);
    if (s != engine::Status::ok) return static_cast<int>(s);
    const engine::Tensor x(engine::DType::f32, reinterpret_cast<engine::DevicePtr>(p), {n});
    engine::Launch l;
    l.name = "dummyAdd";
    l.operands = {{x, engine::Access::read_write}};
    l.task = [x](engine::TaskContext& ctx) {
        return engine::binary(ctx, engine::Binary::add, x.dtype, x, ctx.constant(1.0f), x);
    };
    return static_cast<int>(engine::launch(stream, std::move(l)));
}
