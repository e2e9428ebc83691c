// SPDX-License-Identifier: Apache-2.0
// Which bytes of device memory were ever written. See checks.hpp.
#include <mutex>

#include "engine.hpp"
#include "memory.hpp"
#include "stream.hpp"

namespace device_api::engine {
namespace {

std::mutex& bits_mutex() {
    static auto* m = new std::mutex;
    return *m;
}

bool get(const Allocation& a, std::size_t i) {
    return (a.written[i / 64] >> (i % 64)) & 1;
}

void set(Allocation& a, std::size_t i, bool on) {
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    a.written[i / 64] = on ? a.written[i / 64] | bit : a.written[i / 64] & ~bit;
}

/// The allocation with a shadow that p is in; null when it has none.
AllocationPtr shadowed(std::uintptr_t p, std::size_t bytes) {
    auto device = device_of_address(p);
    AllocationPtr a = device ? device->memory->find(p) : nullptr;
    const bool inside = a && !a->written.empty() && p + bytes <= a->base + a->size;
    return inside ? a : nullptr;
}

/// f(address, bytes) for each run of elements; stops when it returns false.
template <class F>
bool runs(const Tensor& t, F f) {
    const std::size_t size = dtype_size(t.dtype);
    if (t.contiguous()) return f(t.data, static_cast<std::size_t>(t.numel()) * size);
    std::int64_t index[max_rank] = {};
    for (std::int64_t left = t.numel(); left > 0; --left) {
        std::int64_t offset = 0;
        for (int d = 0; d < t.rank; ++d) offset += index[d] * t.strides[d];
        const auto bytes = offset * static_cast<std::int64_t>(size);
        if (!f(t.data + static_cast<std::uintptr_t>(bytes), size)) return false;
        for (int d = t.rank - 1; d >= 0 && ++index[d] == t.shape[d]; --d) index[d] = 0;
    }
    return true;
}

/// The first byte that was never written; 0 when all were.
std::uintptr_t first_unwritten(std::uintptr_t p, std::size_t bytes) {
    const AllocationPtr a = shadowed(p, bytes);
    if (!a) return 0;
    std::lock_guard<std::mutex> lock(bits_mutex());
    for (std::size_t i = p - a->base, end = i + bytes; i < end; ++i)
        if (!get(*a, i)) return a->base + i;
    return 0;
}

Status report(std::uintptr_t p) {
    auto device = device_of_address(p);
    AllocationPtr a = device ? device->memory->find(p) : nullptr;
    return misuse(Rule::uninitialised_read, Status::invalid_value,
                  "%p, byte %zu of its allocation, is read and was never written%s",
                  reinterpret_cast<void*>(p), a ? static_cast<std::size_t>(p - a->base) : 0,
                  history_of(p).c_str());
}

} // namespace

Status shadow_check(std::uintptr_t p, std::size_t bytes) {
    if (!checking(DAS_CHECK_SHADOW)) return Status::ok;
    if (const std::uintptr_t bad = first_unwritten(p, bytes)) report(bad);
    return Status::ok; // a chip would go on, so does the simulated one: the report is enough
}

Status shadow_check(const std::vector<Tensor>& inputs) {
    if (!checking(DAS_CHECK_SHADOW)) return Status::ok;
    for (const Tensor& t : inputs)
        runs(t, [](std::uintptr_t p, std::size_t bytes) {
            const std::uintptr_t bad = first_unwritten(p, bytes);
            if (bad) report(bad);
            return !bad;
        });
    return Status::ok;
}

void shadow_mark(std::uintptr_t p, std::size_t bytes) {
    if (!checking(DAS_CHECK_SHADOW)) return;
    const AllocationPtr a = shadowed(p, bytes);
    if (!a) return;
    std::lock_guard<std::mutex> lock(bits_mutex());
    for (std::size_t i = p - a->base, end = i + bytes; i < end; ++i) set(*a, i, true);
}

void shadow_mark(const std::vector<Tensor>& outputs) {
    if (!checking(DAS_CHECK_SHADOW)) return;
    for (const Tensor& t : outputs)
        runs(t, [](std::uintptr_t p, std::size_t bytes) {
            shadow_mark(p, bytes);
            return true;
        });
}

void shadow_copy(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
    if (!checking(DAS_CHECK_SHADOW)) return;
    const AllocationPtr source = shadowed(from, bytes), target = shadowed(to, bytes);
    if (!target) return;
    if (!source) return shadow_mark(to, bytes);
    std::vector<bool> bits(bytes);
    std::lock_guard<std::mutex> lock(bits_mutex());
    for (std::size_t i = 0; i < bytes; ++i) bits[i] = get(*source, from - source->base + i);
    for (std::size_t i = 0; i < bytes; ++i) set(*target, to - target->base + i, bits[i]);
}

} // namespace device_api::engine
