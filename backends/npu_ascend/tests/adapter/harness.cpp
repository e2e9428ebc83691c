// SPDX-License-Identifier: Apache-2.0
// Loading the adapter, and calls through its table.
#include "harness.hpp"

#include <cstring>
#include <dlfcn.h>

#include "check.hpp"

namespace harness {
namespace {

std::vector<std::int64_t> dense_strides(const std::vector<std::int64_t>& shape) {
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
    return strides;
}

} // namespace

Paths& paths() {
    static Paths all;
    return all;
}

const dab_backend* table() {
    static const dab_backend* loaded = [] {
        void* handle = dlopen(paths().library.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle) check::failed(__FILE__, __LINE__, dlerror());
        auto entry = reinterpret_cast<dab_entry>(dlsym(handle, DAB_ENTRY_SYMBOL));
        CHECK(entry);
        return entry(DAB_ABI_MAJOR, DAB_ABI_MINOR);
    }();
    CHECK(loaded);
    return loaded;
}

Options simulated() {
    return {{"simulate", "1"}, {"simulator", paths().simulator}};
}

da_status create(const Options& options, dab_instance** out) {
    std::vector<const char*> flat;
    for (const auto& option : options) {
        flat.push_back(option.first.c_str());
        flat.push_back(option.second.c_str());
    }
    const dab_config config{sizeof config,
                            DAB_ABI_MAJOR,
                            DAB_ABI_MINOR,
                            flat.data(),
                            static_cast<std::uint32_t>(options.size()),
                            0};
    return table()->create(&config, out);
}

dab_error last_error() {
    dab_error error{};
    error.size = sizeof error;
    table()->last_error(nullptr, &error);
    return error;
}

std::string last_words() {
    const dab_error e = last_error();
    return std::string(e.message) + " | " + e.remedy + " | " + e.vendor_text;
}

const das_control* control() {
    static const das_control* found = [] {
        const std::string path = paths().simulator + "/libdevice_api_sim_npu.so";
        void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle) check::failed(__FILE__, __LINE__, dlerror());
        auto entry = reinterpret_cast<das_control_table_fn>(dlsym(handle, DAS_ENTRY));
        CHECK(entry);
        return entry();
    }();
    return found;
}

Npu::Npu(int devices, const Options& more, std::uint64_t memory_bytes) {
    das_setup setup{};
    setup.size = sizeof setup;
    setup.devices = devices;
    setup.memory_bytes = memory_bytes;
    setup.seed = 7;
    if (control()->setup(&setup) != DAS_OK) check::failed(__FILE__, __LINE__, control()->message());
    Options options = simulated();
    options.insert(options.end(), more.begin(), more.end());
    if (create(options, &self) != DA_OK) check::failed(__FILE__, __LINE__, last_words());
}

Npu::Npu(Kind kind) {
    const Options options = kind == real ? Options{} : simulated();
    if (create(options, &self) != DA_OK) check::failed(__FILE__, __LINE__, last_words());
}

Npu::~Npu() {
    table()->destroy(self);
}

const dab_op* Npu::op(da_op id) const {
    const dab_op* ops = nullptr;
    std::uint32_t count = 0, stride = 0;
    if (table()->op_table(self, 0, &ops, &count, &stride) != DA_OK)
        check::failed(__FILE__, __LINE__, last_words());
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto* entry =
            reinterpret_cast<const dab_op*>(reinterpret_cast<const char*>(ops) + i * stride);
        if (entry->op == id) return entry;
    }
    return nullptr;
}

Stream::Stream(Npu& owner, int index) : npu(owner), device(index) {
    if (npu->device_open(npu, device) != DA_OK) check::failed(__FILE__, __LINE__, last_words());
    if (npu->stream_create(npu, device, 0, &raw) != DA_OK)
        check::failed(__FILE__, __LINE__, last_words());
}

Stream::~Stream() {
    npu->stream_synchronize(npu, raw, -1);
    for (const auto& memory : memories_) npu->free(npu, device, memory.first);
    npu->stream_destroy(npu, raw);
}

void* Stream::memory(std::size_t bytes) {
    void* address = nullptr;
    if (npu->alloc(npu, device, bytes, &address) != DA_OK)
        check::failed(__FILE__, __LINE__, last_words());
    memories_.push_back({static_cast<char*>(address), bytes});
    return address;
}

void* Stream::upload_bytes(const void* data, std::size_t bytes) {
    void* address = memory(bytes);
    EQUAL(npu->copy(npu, raw, address, data, bytes, DAB_HOST_TO_DEVICE), DA_OK);
    wait();
    return address;
}

void Stream::download_bytes(const void* from, void* to, std::size_t bytes) {
    if (npu->copy(npu, raw, to, from, bytes, DAB_DEVICE_TO_HOST) != DA_OK)
        check::failed(__FILE__, __LINE__, last_words());
    wait();
}

void Stream::wait() {
    if (npu->stream_synchronize(npu, raw, -1) != DA_OK)
        check::failed(__FILE__, __LINE__, last_words());
}

std::pair<void*, std::size_t> Stream::storage(const void* address) const {
    const auto* at = static_cast<const char*>(address);
    for (const auto& memory : memories_)
        if (at >= memory.first && at < memory.first + memory.second)
            return {memory.first, memory.second};
    check::failed(__FILE__, __LINE__, "the address is not of this stream");
}

View::View(const Stream& stream, void* at, da_dtype type, std::vector<std::int64_t> sizes,
           std::vector<std::int64_t> steps)
    : data(at),
      storage(stream.storage(at)),
      dtype(type),
      shape(std::move(sizes)),
      strides(std::move(steps)),
      dense(strides.empty()) {
    if (dense) strides = dense_strides(shape);
}

da_tensor View::tensor() const {
    da_tensor t{};
    t.data = data;
    t.storage = storage.first;
    t.storage_bytes = storage.second;
    t.shape = shape.data();
    t.strides = strides.data();
    t.rank = static_cast<std::int32_t>(shape.size());
    t.dtype = static_cast<std::uint16_t>(dtype);
    t.flags = dense ? DA_TENSOR_CONTIGUOUS : 0;
    return t;
}

Scalar::Scalar(float v) : value(v) {}

da_tensor Scalar::tensor() const {
    da_tensor t{};
    t.data = const_cast<float*>(&value);
    t.storage = t.data;
    t.storage_bytes = sizeof value;
    t.dtype = DA_FLOAT32;
    t.flags = DA_TENSOR_IMMEDIATE;
    return t;
}

da_value integer(std::int64_t i) {
    da_value value{};
    value.i = i;
    return value;
}

da_value real(double f) {
    da_value value{};
    value.f = f;
    return value;
}

da_status run(Stream& stream, da_op op, const std::vector<da_tensor>& inputs, const View& out,
              const std::vector<da_value>& attributes) {
    std::vector<da_tensor> tensors = inputs;
    tensors.push_back(out.tensor());
    dab_call call{};
    call.size = sizeof call;
    call.op = static_cast<std::uint16_t>(op);
    call.n_inputs = static_cast<std::uint8_t>(inputs.size());
    call.n_outputs = 1;
    call.tensors = tensors.data();
    call.attributes = attributes.empty() ? nullptr : attributes.data();
    call.stream = stream.raw;
    call.device = stream.device;
    const dab_op* entry = stream.npu.op(op);
    CHECK(entry);
    dab_plan plan{};
    if (const da_status status = entry->plan(stream.npu, &call, &plan)) return status;
    void* workspace = plan.workspace_bytes ? stream.memory(plan.workspace_bytes) : nullptr;
    return entry->launch(stream.npu, &call, &plan, workspace);
}

void must(Stream& stream, da_op op, const std::vector<da_tensor>& inputs, const View& out,
          const std::vector<da_value>& attributes) {
    if (run(stream, op, inputs, out, attributes) != DA_OK)
        check::failed(__FILE__, __LINE__, last_words());
}

int inject(das_fault_kind kind, const char* name, int code, std::uint64_t count) {
    das_fault fault{};
    fault.size = sizeof fault;
    fault.kind = kind;
    fault.device = -1;
    fault.count = count;
    fault.code = code;
    std::strncpy(fault.name, name, sizeof fault.name - 1);
    const int id = control()->fault_add(&fault);
    if (id <= 0) check::failed(__FILE__, __LINE__, control()->message());
    return id;
}

} // namespace harness
