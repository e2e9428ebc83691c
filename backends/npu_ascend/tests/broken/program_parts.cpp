// SPDX-License-Identifier: Apache-2.0
// Order, waits, views and host memory.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "program.hpp"

namespace program {
namespace {

using Floats = std::vector<float>;

Floats times(Floats v, float factor) {
    for (float& x : v) x *= factor;
    return v;
}

void doubled(Stream& s, Array& x, int count) {
    const View v(x);
    for (int i = 0; i < count; ++i) op(s, DA_OP_ADD, {v.tensor(), v.tensor()}, v);
}

std::int64_t size_of(std::uint64_t seed) {
    return 64 + static_cast<std::int64_t>(seed * 37 % 193);
}

} // namespace

// An upload between two ops, then a second stream that waits for the first and the other way round.
void orders(std::uint64_t seed) {
    const Floats first = numbers(seed, size_of(seed)), second = numbers(seed + 1, size_of(seed));
    const auto n = static_cast<std::int64_t>(first.size());
    Pinned a(first), b(second), ya(n), yb(n), yc(n);
    Array x(0, n), y(0, n), z(0, n), w(0, n);
    Event e, back;
    Stream s, t;
    s.up(x, a.data);
    op(s, DA_OP_ADD, {View(x).tensor(), View(x).tensor()}, View(y));
    s.up(x, b.data);
    op(s, DA_OP_ADD, {View(x).tensor(), View(x).tensor()}, View(z));
    s.record(e.raw);
    t.after(e.raw);
    op(t, DA_OP_ADD, {View(y).tensor(), View(z).tensor()}, View(w));
    t.down(ya.data, y);
    t.down(yb.data, w);
    t.record(back.raw);
    s.after(back.raw);
    must("fill", table->fill(self, s.raw, y.data, 0x40, static_cast<std::uint64_t>(n) * 4));
    s.record(e.raw); // again
    t.after(e.raw);
    op(t, DA_OP_ADD, {View(y).tensor(), View(y).tensor()}, View(w));
    t.down(yc.data, w);
    t.wait();
    s.wait();
    Floats sum = times(first, 2);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += 2 * second[i];
    same("order of an upload", ya.read(), times(first, 2));
    same("order of two streams", yb.read(), sum);
    const std::uint32_t bits = 0x40404040;
    float filled;
    static_assert(sizeof filled == sizeof bits, "");
    __builtin_memcpy(&filled, &bits, sizeof bits);
    same("order of a fill", yc.read(), Floats(sum.size(), 2 * filled));
}

void waits(std::uint64_t seed) {
    const Floats values = numbers(seed, size_of(seed));
    const auto n = static_cast<std::int64_t>(values.size());
    enum Way { stream, device, event, stream_query, event_query, ways };
    Event e(DAB_EVENT_TIMING), start(DAB_EVENT_TIMING);
    Stream s;
    for (int way = 0; way < ways; ++way) {
        Pinned in(values), out(n);
        Array x(0, n);
        s.record(start.raw);
        s.up(x, in.data);
        doubled(s, x, 3);
        s.down(out.data, x);
        s.record(e.raw);
        const auto poll = [](auto query) {
            for (da_status st; (st = query()) != DA_OK;
                 std::this_thread::sleep_for(std::chrono::microseconds(50)))
                if (st != DA_NOT_READY) must("query", st);
        };
        switch (way) {
        case stream: s.wait(); break;
        case device: must("device_synchronize", table->device_synchronize(self, 0, -1)); break;
        case event: must("event_synchronize", table->event_synchronize(self, e.raw, -1)); break;
        case stream_query: poll([&] { return table->stream_query(self, s.raw); }); break;
        default: poll([&] { return table->event_query(self, e.raw); }); break;
        }
        same("a wait", out.read(), times(values, 8));
        float ms = -1;
        must("event_elapsed", table->event_elapsed(self, start.raw, e.raw, &ms));
        if (!(ms > 0)) found("event_elapsed", "not positive: " + std::to_string(ms));
        s.wait();
    }
}

// Transposed and shifted operands; products and sums; two streams with workspaces at a time.
void views(std::uint64_t seed) {
    const std::int64_t r = 6 + static_cast<std::int64_t>(seed % 3), c = r + 2, n = r * c;
    const Floats v = numbers(seed, n + 5);
    Pinned in(v), out(n), out2(n), total(1), square(r * r);
    Array x(0, n + 5), y(0, n), y2(0, n), sum(0, 1), sq(0, r * r);
    Stream s, t;
    Event e;
    s.up(x, in.data);
    s.record(e.raw);
    t.after(e.raw);
    const View turned(x, {c, r}, {1, c}, 5), shifted(x, {c, r}, {}, 3);
    const View rows(x, {r, c}, {}, 1);
    op(s, DA_OP_ADD, {turned.tensor(), shifted.tensor()}, View(y, {c, r}));
    op(t, DA_OP_MUL, {turned.tensor(), shifted.tensor()}, View(y2, {c, r}));
    op(t, DA_OP_ADD, {View(y2, {r, c}, {1, r}).tensor(), rows.tensor()}, View(y2, {r, c}, {1, r}));
    op(s, DA_OP_MATMUL, {rows.tensor(), View(x, {c, r}, {1, c}, 1).tensor()}, View(sq, {r, r}));
    da_value axes{};
    axes.i = 3;
    op(s, DA_OP_SUM, {rows.tensor()}, View(sum, {1, 1}), {axes});
    const float half = 0.5f;
    op(s, DA_OP_MUL, {View(y).tensor(), number(&half)}, View(y));
    only_plan(s, DA_OP_ADD, {turned.tensor(), shifted.tensor()}, View(y, {c, r}));
    t.down(out2.data, y2);
    s.down(out.data, y);
    s.down(total.data, sum);
    s.down(square.data, sq);
    t.wait();
    s.wait();
    Floats want, want2, squares;
    float whole = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const float a = v[5 + i / r + i % r * c], b = v[3 + i];
        want.push_back((a + b) / 2);
        want2.push_back(a * b + v[1 + i / r + i % r * c]);
        whole += v[1 + i];
    }
    for (std::int64_t i = 0; i < r * r; ++i) {
        float dot = 0;
        for (std::int64_t k = 0; k < c; ++k) dot += v[1 + i / r * c + k] * v[1 + i % r * c + k];
        squares.push_back(dot);
    }
    same("views on a stream", out.read(), want);
    same("views on another stream", out2.read(), want2);
    same("a sum", total.read(), {whole});
    same("a product", square.read(), squares);
}

namespace {

struct Note {
    std::atomic<int> calls{0};
    std::atomic<float> seen{0};
    const float* at = nullptr;
};
void note(void* data) {
    auto& n = *static_cast<Note*>(data);
    n.seen = *n.at;
    ++n.calls;
}

} // namespace

// Host memory is the host's again once an event or a callback says so; pageable copies.
void host(std::uint64_t seed) {
    const Floats one = numbers(seed, size_of(seed)), two = numbers(seed + 9, size_of(seed));
    const auto n = static_cast<std::int64_t>(one.size());
    Pinned in(one), out(n);
    Floats pageable = two, back(one.size(), -1);
    Array x(0, n), y(0, n);
    Event copied;
    Note noted;
    Stream s, other;
    noted.at = out.data;
    s.up(x, in.data);
    s.record(copied.raw);
    must("event_synchronize", table->event_synchronize(self, copied.raw, -1));
    std::copy(two.begin(), two.end(), in.data);
    s.up(y, in.data);
    op(s, DA_OP_ADD, {View(x).tensor(), View(y).tensor()}, View(y));
    s.down(out.data, y);
    must("stream_callback", table->stream_callback(self, s.raw, note, &noted));
    must("fill", table->fill(self, s.raw, y.data, 0, static_cast<std::uint64_t>(n) * 4));
    s.down(out.data, y);
    s.up(x, pageable.data());
    s.down(back.data(), x);
    s.wait();
    other.wait();
    if (noted.calls != 1) found("callback", "ran " + std::to_string(noted.calls.load()) + " times");
    same("callback", {noted.seen.load()}, {one[0] + two[0]});
    same("after the callback", out.read(), Floats(one.size(), 0));
    same("pageable memory", back, two);
}

namespace {

void on_device(int device, std::uint64_t seed) {
    const Floats v = numbers(seed, size_of(seed));
    const auto n = static_cast<std::int64_t>(v.size());
    Pinned in(v, device), out(n, device);
    Array x(device, n);
    Stream s(device);
    s.up(x, in.data);
    doubled(s, x, 4);
    s.down(out.data, x);
    s.wait();
    same("a device of two", out.read(), times(v, 16));
}

} // namespace

// A stream that ends with work pending; threads that the chip has not seen; two devices.
void lifetimes(std::uint64_t seed) {
    const Floats v = numbers(seed, size_of(seed));
    const auto n = static_cast<std::int64_t>(v.size());
    {
        Pinned in(v), out(n);
        Array x(0, n);
        {
            Stream s;
            s.up(x, in.data);
            doubled(s, x, 2);
            s.down(out.data, x);
        }
        must("device_synchronize", table->device_synchronize(self, 0, -1));
        same("a stream's end", out.read(), times(v, 4));
    }
    std::thread elsewhere(on_device, 1, seed + 1);
    on_device(0, seed + 2);
    elsewhere.join();
    on_device(1, seed + 3);
}

void failures(std::uint64_t seed) {
    const Floats v = numbers(seed, 16);
    das_fault fault{};
    fault.size = sizeof fault;
    fault.kind = DAS_FAULT_ASYNC;
    fault.device = -1;
    fault.count = 1;
    const int id = control->fault_add(&fault);
    Array x(0, 16);
    Pinned in(v);
    Stream s;
    s.up(x, in.data);
    const da_status late = table->stream_synchronize(self, s.raw, -1);
    if (late == DA_OK) found("a failure of past work", "was not reported");
    control->fault_remove(id);
    void* p = nullptr;
    const da_status full = table->alloc(self, 0, 1ull << 50, &p);
    if (full != DA_OUT_OF_MEMORY)
        found("an allocation of 2^50 bytes", "returned " + std::to_string(full));
}

} // namespace program
