// SPDX-License-Identifier: Apache-2.0
// Objects of the program over the adapter's table.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <unistd.h>

#include "program.hpp"

namespace program {

const dab_backend* table = nullptr;
dab_instance* self = nullptr;
const das_control* control = nullptr;

void found(const char* where, const std::string& what) {
    static std::mutex once; // never given back: the first finding ends the process
    once.lock();
    std::printf("%s: %s\n", where, what.c_str());
    std::fflush(stdout);
    _exit(1);
}

void must(const char* where, da_status status) {
    if (status == DA_OK) return;
    dab_error e{};
    e.size = sizeof e;
    table->last_error(self, &e);
    found(where, std::string("status ") + std::to_string(status) + ", " + e.message);
}

void same(const char* where, const std::vector<float>& seen, const std::vector<float>& wanted) {
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (!(std::fabs(seen[i] - wanted[i]) <= 1e-4f * (1 + std::fabs(wanted[i]))))
            found(where, "wrong result: element " + std::to_string(i) + " is " +
                             std::to_string(seen[i]) + ", not " + std::to_string(wanted[i]));
}

Array::Array(int on, std::int64_t count) : device(on), n(count) {
    void* p = nullptr;
    must("alloc", table->alloc(self, device, static_cast<std::uint64_t>(n) * 4, &p));
    data = static_cast<float*>(p);
}
Array::~Array() {
    must("free", table->free(self, device, data));
}

Pinned::Pinned(std::int64_t count, int on) : device(on), n(count) {
    void* p = nullptr;
    must("host_alloc", table->host_alloc(self, device, static_cast<std::uint64_t>(n) * 4, &p));
    data = static_cast<float*>(p);
    for (std::int64_t i = 0; i < n; ++i) data[i] = -12345;
}
Pinned::Pinned(const std::vector<float>& values, int on)
    : Pinned(static_cast<std::int64_t>(values.size()), on) {
    std::memcpy(data, values.data(), values.size() * 4);
}
Pinned::~Pinned() {
    must("host_free", table->host_free(self, device, data));
}
std::vector<float> Pinned::read() const {
    return std::vector<float>(data, data + n);
}

Stream::Stream(int on) : device(on) {
    must("device_open", table->device_open(self, device));
    must("stream_create", table->stream_create(self, device, 0, &raw));
}
Stream::~Stream() {
    must("stream_destroy", table->stream_destroy(self, raw));
    for (void* w : workspaces) must("free", table->free(self, device, w));
}
void Stream::up(Array& to, const float* from) {
    must("upload", table->copy(self, raw, to.data, from, static_cast<std::uint64_t>(to.n) * 4,
                               DAB_HOST_TO_DEVICE));
}
void Stream::down(float* to, const Array& from) {
    must("download", table->copy(self, raw, to, from.data, static_cast<std::uint64_t>(from.n) * 4,
                                 DAB_DEVICE_TO_HOST));
}
void Stream::wait() {
    must("stream_synchronize", table->stream_synchronize(self, raw, -1));
}
void Stream::record(dab_event e) {
    must("event_record", table->event_record(self, e, raw));
}
void Stream::after(dab_event e) {
    must("stream_wait_event", table->stream_wait_event(self, raw, e));
}

Event::Event(std::uint32_t flags, int device) {
    must("event_create", table->event_create(self, device, flags, &raw));
}
Event::~Event() {
    must("event_destroy", table->event_destroy(self, raw));
}

View::View(Array& a, std::vector<std::int64_t> sizes, std::vector<std::int64_t> steps,
           std::int64_t at)
    : array(a),
      shape(sizes.empty() ? std::vector<std::int64_t>{a.n} : std::move(sizes)),
      strides(std::move(steps)),
      offset(at),
      dense(strides.empty()) {
    if (!dense) return;
    strides.assign(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
}

da_tensor View::tensor() const {
    da_tensor t{};
    t.data = array.data + offset;
    t.storage = array.data;
    t.storage_bytes = static_cast<std::uint64_t>(array.n) * 4;
    t.shape = shape.data();
    t.strides = strides.data();
    t.rank = static_cast<std::int32_t>(shape.size());
    t.dtype = DA_FLOAT32;
    t.flags = dense ? DA_TENSOR_CONTIGUOUS : 0;
    return t;
}

da_tensor number(const float* value) {
    da_tensor t{};
    t.data = t.storage = const_cast<float*>(value);
    t.storage_bytes = sizeof *value;
    t.dtype = DA_FLOAT32;
    t.flags = DA_TENSOR_IMMEDIATE;
    return t;
}

namespace {

const dab_op* entry_of(int device, da_op id) {
    const dab_op* ops = nullptr;
    std::uint32_t count = 0, stride = 0;
    must("op_table", table->op_table(self, device, &ops, &count, &stride));
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto* e =
            reinterpret_cast<const dab_op*>(reinterpret_cast<const char*>(ops) + i * stride);
        if (e->op == id) return e;
    }
    found("op_table", "an op is missing");
}

struct Prepared {
    std::vector<da_tensor> tensors;
    dab_call call{};
    const dab_op* entry;
    Prepared(Stream& s, da_op id, const std::vector<da_tensor>& inputs, const View& out,
             const std::vector<da_value>& attributes)
        : tensors(inputs), entry(entry_of(s.device, id)) {
        tensors.push_back(out.tensor());
        call.size = sizeof call;
        call.op = static_cast<std::uint16_t>(id);
        call.n_inputs = static_cast<std::uint8_t>(inputs.size());
        call.n_outputs = 1;
        call.tensors = tensors.data();
        call.attributes = attributes.empty() ? nullptr : attributes.data();
        call.stream = s.raw;
        call.device = s.device;
    }
};

} // namespace

void op(Stream& s, da_op id, const std::vector<da_tensor>& inputs, const View& out,
        const std::vector<da_value>& attributes) {
    Prepared p(s, id, inputs, out, attributes);
    dab_plan plan{};
    must("plan", p.entry->plan(self, &p.call, &plan));
    void* workspace = nullptr;
    if (plan.workspace_bytes) {
        must("alloc", table->alloc(self, s.device, plan.workspace_bytes, &workspace));
        s.workspaces.push_back(workspace);
    }
    must("launch", p.entry->launch(self, &p.call, &plan, workspace));
}

void only_plan(Stream& s, da_op id, const std::vector<da_tensor>& inputs, const View& out) {
    Prepared p(s, id, inputs, out, {});
    dab_plan plan{};
    must("plan", p.entry->plan(self, &p.call, &plan));
    p.entry->abandon(self, &plan);
}

std::vector<float> numbers(std::uint64_t seed, std::int64_t n) {
    std::vector<float> v(static_cast<std::size_t>(n));
    for (float& x : v) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        x = static_cast<float>(1 + (seed >> 33) % 999) / 8;
    }
    return v;
}

} // namespace program
