// SPDX-License-Identifier: Apache-2.0
// When a defect strikes.
#include <atomic>
#include <cstring>
#include <string>
#include <thread>

#include "plant.hpp"

namespace device_api::planted {

namespace {

std::atomic<std::uint64_t> fitting{0}, hits{0};

bool names(const char* list, const char* name) {
    const std::string padded = std::string(" ") + list + " ";
    return padded.find(std::string(" ") + name + " ") != std::string::npos;
}

bool dense(const da_tensor& t) {
    if (t.flags & (DA_TENSOR_CONTIGUOUS | DA_TENSOR_IMMEDIATE)) return true;
    std::int64_t expected = 1;
    for (std::int32_t d = t.rank - 1; d >= 0; --d) {
        if (t.shape[d] != 1 && t.strides[d] != expected) return false;
        expected *= t.shape[d];
    }
    return true;
}

template <class F>
bool any(const Call& call, F f) {
    for (const da_tensor& t : call.tensors)
        if (f(t)) return true;
    return false;
}

template <class F>
bool any_stride(const Call& call, F f) {
    return any(call, [&](const da_tensor& t) {
        for (std::int32_t d = 0; d < t.rank; ++d)
            if (t.shape[d] > 1 && f(t.strides[d])) return true;
        return false;
    });
}

std::int64_t elements(const da_tensor& t) {
    std::int64_t n = 1;
    for (std::int32_t d = 0; d < t.rank; ++d) n *= t.shape[d];
    return n;
}

bool fits(const Gate& g, const Call& call) {
    if (g.ops && !names(g.ops, call.name)) return false;
    if (g.other_device && call.device == 0) return false;
    const da_tensor& key = call.tensors.front();
    if (g.dtypes && !(g.dtypes & DA_DTYPE_BIT(key.dtype))) return false;
    const std::int64_t n = elements(call.tensors.back());
    if (n < g.at_least || (g.at_most && n > g.at_most)) return false;
    if (g.strided && !any(call, [](const da_tensor& t) { return !dense(t); })) return false;
    if (g.negative && !any_stride(call, [](std::int64_t s) { return s < 0; })) return false;
    if (g.broadcast && !any_stride(call, [](std::int64_t s) { return s == 0; })) return false;
    const auto address = [](const da_tensor& t) {
        return reinterpret_cast<std::uintptr_t>(t.data);
    };
    if (g.misaligned &&
        !any(call, [&](const da_tensor& t) { return address(t) % g.misaligned != 0; }))
        return false;
    if (g.address_bit && !(address(call.tensors.back()) >> (g.address_bit - 1) & 1)) return false;
    static const std::thread::id first = std::this_thread::get_id();
    return !g.other_thread || std::this_thread::get_id() != first;
}

std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

} // namespace

bool names_op(const Gate& gate, const char* name) {
    return !gate.ops || names(gate.ops, name);
}

bool strikes(const Plant& plant, const Call& call) {
    const Gate& g = plant.gate;
    if (!fits(g, call)) return false;
    const std::uint64_t n = ++fitting;
    if (n <= g.after) return false;
    if (g.nth && n % g.nth != 0) return false;
    return !g.one_in || mixed(seed() ^ n) % g.one_in == 0;
}

std::uint64_t strike_count() {
    return hits;
}

void struck() {
    ++hits;
}

} // namespace device_api::planted
