// SPDX-License-Identifier: Apache-2.0
// Writes every variant of every kernel to a folder: a plugin whose compiler keeps the source and
// the options, and whose device does nothing. A test compiles the files with a vendor's own
// compiler.
//   record FOLDER
// Each file begins with lines "// option: ..." and "// entry: NAME".
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "device_api/simt/driver.hpp"

namespace {

using namespace device_api::simt;

std::string folder;
int written = 0;
int launched = 0;

class NoDriver : public Driver {
  public:
    da_status initialise(std::int32_t* devices) override { return *devices = 1, DA_OK; }
    da_status properties(std::int32_t, dab_properties&) override { return DA_OK; }
    da_status chip(std::int32_t, Chip& out) override {
        out.arch = "any";
        out.compute_units = 8;
        return DA_OK;
    }
    da_status open(std::int32_t) override { return DA_OK; }
    void close(std::int32_t) override {}
    da_status reset(std::int32_t) override { return DA_OK; }
    da_status use(std::int32_t) override { return DA_OK; }
    da_status synchronize() override { return DA_OK; }
    da_status alloc(std::uint64_t bytes, void** address) override {
        *address = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
        return DA_OK;
    }
    da_status free(void* address) override { return std::free(address), DA_OK; }
    da_status memory_info(std::uint64_t*, std::uint64_t*) override { return DA_OK; }
    da_status host_alloc(std::uint64_t bytes, void** address) override {
        return alloc(bytes, address);
    }
    da_status host_free(void* address) override { return free(address); }
    da_status copy(void*, const void*, std::uint64_t, dab_copy_kind, Handle) override {
        return DA_OK;
    }
    da_status copy_peer(void*, std::int32_t, const void*, std::int32_t, std::uint64_t,
                        Handle) override {
        return DA_OK;
    }
    da_status fill(void*, std::uint8_t, std::uint64_t, Handle) override { return DA_OK; }
    da_status stream_create(std::int32_t, Handle* stream) override { return *stream = this, DA_OK; }
    da_status stream_destroy(Handle) override { return DA_OK; }
    da_status stream_synchronize(Handle) override { return DA_OK; }
    da_status stream_query(Handle) override { return DA_OK; }
    da_status stream_wait(Handle, Handle) override { return DA_OK; }
    da_status stream_callback(Handle, void (*fn)(void*), void* data) override {
        return fn(data), DA_OK;
    }
    da_status event_create(bool, Handle*) override { return DA_OK; }
    da_status event_destroy(Handle) override { return DA_OK; }
    da_status event_record(Handle, Handle) override { return DA_OK; }
    da_status event_query(Handle) override { return DA_OK; }
    da_status event_synchronize(Handle) override { return DA_OK; }
    da_status event_elapsed(Handle, Handle, float*) override { return DA_OK; }
    da_status load(const std::string& image, Handle* module) override {
        last_ = image;
        return *module = this, DA_OK;
    }
    // The file is named by what the adapter compiled; the entry is told here.
    da_status function(Handle, const char* name, Handle* function) override {
        std::ofstream(last_, std::ios::app) << "// entry: " << name << "\n";
        return *function = this, DA_OK;
    }
    da_status launch(Handle, const Grid& grid, Handle, void**) override {
        const bool sound = grid.blocks[0] && grid.blocks[1] && grid.threads && grid.threads <= 1024;
        if (!sound) std::fprintf(stderr, "a launch of no threads, or too many\n");
        ++launched;
        return sound ? DA_OK : DA_INTERNAL;
    }

  private:
    std::string last_;
};

class Recorder : public Compiler {
  public:
    da_status identify(std::string* identity) override { return *identity = "recorder", DA_OK; }
    da_status compile(const std::string&, const std::string& source, const std::string&,
                      const std::vector<std::string>& options, std::string* image) override {
        *image = folder + "/" + std::to_string(written++) + ".cu";
        std::ofstream out(*image);
        for (const std::string& option : options) out << "// option: " << option << "\n";
        out << source;
        return DA_OK;
    }
};

da_status open_recorder(const dab_config&, Parts& parts) {
    parts.driver = std::make_unique<NoDriver>();
    parts.compiler = std::make_unique<Recorder>();
    return DA_OK;
}

struct Fact {
    unsigned op, kind, inputs, attributes, key;
    da_result result;
    const char* name;
};
#define FACT(id, NAME, name, version, KIND, inputs, attributes, key, types, RESULT, others, core)  \
    {id, DA_KIND_##KIND, inputs, attributes, key, DA_RESULT_##RESULT, #name},
const Fact facts[] = {DA_OPS(FACT)};

unsigned result_of(const Fact& f, unsigned key, unsigned other) {
    switch (f.result) {
    case DA_RESULT_BOOL: return DA_BOOL;
    case DA_RESULT_INT64: return DA_INT64;
    case DA_RESULT_UINT32: return DA_UINT32;
    case DA_RESULT_ANY: return other;
    case DA_RESULT_REAL: return key == DA_COMPLEX64 ? DA_FLOAT32 : DA_FLOAT64;
    case DA_RESULT_COMPLEX: return key == DA_FLOAT32 ? DA_COMPLEX64 : DA_COMPLEX128;
    default: return key;
    }
}

// An array of memory that nothing reads: only shapes and strides count.
struct Array {
    std::int64_t shape[4], strides[4];
    da_tensor t;
    Array(std::vector<std::int64_t> sizes, unsigned dtype, void* memory, bool gaps) {
        std::int64_t step = gaps ? 3 : 1;
        t = {memory,
             memory,
             1u << 30,
             shape,
             strides,
             std::int32_t(sizes.size()),
             std::uint16_t(dtype),
             std::uint16_t(gaps ? 0 : DA_TENSOR_CONTIGUOUS)};
        for (std::size_t d = sizes.size(); d-- > 0;) {
            shape[d] = sizes[d];
            strides[d] = step;
            step *= sizes[d];
        }
    }
};

struct Shapes {
    std::vector<std::vector<std::int64_t>> inputs;
    std::vector<std::int64_t> output;
};

Shapes shapes_for(const Fact& f, std::int64_t n) {
    Shapes s;
    s.output = {n};
    s.inputs.assign(f.inputs, {n});
    switch (f.kind) {
    case DA_KIND_REDUCE:
    case DA_KIND_ARG_REDUCE: s.output = {}; break;
    case DA_KIND_MATMUL:
        s.inputs = {{3, n}, {n, 5}};
        s.output = {3, 5};
        break;
    case DA_KIND_CONVOLUTION:
        s.inputs = {{2, 3, 9}, {4, 3, 2}};
        s.output = {2, 4, 8};
        break;
    case DA_KIND_POOL:
        s.inputs = {{2, 3, 9}};
        s.output = {2, 3, 8};
        break;
    default: break;
    }
    return s;
}

da_status call_op(dab_instance* self, dab_stream stream, const dab_op& op, const Fact& f,
                  unsigned key, unsigned other, std::int64_t n, bool gaps, void* memory) {
    const Shapes shapes = shapes_for(f, n);
    std::vector<Array> arrays;
    arrays.reserve(4);
    std::vector<da_tensor> tensors;
    for (unsigned i = 0; i < f.inputs; ++i) {
        unsigned dtype = key;
        if (f.kind == DA_KIND_SELECT && i == 0) dtype = DA_BOOL;
        if ((f.kind == DA_KIND_GATHER || f.kind == DA_KIND_SCATTER) && i == 1) dtype = other;
        arrays.emplace_back(shapes.inputs[i], dtype, memory, gaps);
    }
    arrays.emplace_back(shapes.output, result_of(f, key, other), memory, gaps);
    for (Array& a : arrays) {
        a.t.shape = a.shape;
        a.t.strides = a.strides;
        tensors.push_back(a.t);
    }
    da_value attributes[12];
    for (da_value& v : attributes) v.u = 1;
    if (f.kind == DA_KIND_ARG_REDUCE || f.kind == DA_KIND_GATHER || f.kind == DA_KIND_SCATTER ||
        f.kind == DA_KIND_SCAN || f.kind == DA_KIND_SORT || f.kind == DA_KIND_NORMALIZE)
        attributes[0].i = 0;
    if (f.kind == DA_KIND_POOL)
        for (int d = 0; d < 3; ++d) attributes[d].u = 2, attributes[6 + d].u = 0;
    if (f.kind == DA_KIND_CONVOLUTION)
        for (int d = 0; d < 3; ++d) attributes[3 + d].u = 0;
    dab_call call{};
    call.size = sizeof call;
    call.op = op.op;
    call.n_inputs = std::uint8_t(f.inputs);
    call.n_outputs = 1;
    call.tensors = tensors.data();
    call.attributes = f.attributes ? attributes : nullptr;
    call.stream = stream;
    if (op.run) return op.run(self, &call);
    dab_plan plan{};
    if (const da_status status = op.plan(self, &call, &plan)) return status;
    return op.launch(self, &call, &plan, memory);
}

const Fact* fact_of(unsigned op) {
    for (const Fact& f : facts)
        if (f.op == op) return &f;
    return nullptr;
}

int report(const dab_backend& b, const Fact& f, unsigned key) {
    dab_error e{};
    e.size = sizeof e;
    b.last_error(nullptr, &e);
    std::fprintf(stderr, "%s of type %u: %s\n", f.name, key, e.message);
    return 1;
}

int record_op(const dab_backend& b, dab_instance* self, dab_stream stream, const dab_op& op,
              void* memory) {
    const Fact& f = *fact_of(op.op);
    int failures = 0;
    for (unsigned key = 0; key < DA_DTYPE_COUNT; ++key)
        for (unsigned other = 0; other < DA_DTYPE_COUNT; ++other) {
            if (!(op.dtypes >> key & 1) || !(op.others ? op.others >> other & 1 : other == 0))
                continue;
            for (const bool gaps : {false, true})
                for (const std::int64_t n : {8, 3000, 100000})
                    if (call_op(self, stream, op, f, key, other, n, gaps, memory))
                        failures += report(b, f, key);
        }
    return failures;
}

} // namespace

namespace device_api::simt {
const Plugin plugin{"recorder", "none", "0", "NONE", open_recorder};
}

int main(int argc, char** argv) {
    if (argc != 2) return std::fprintf(stderr, "usage: record FOLDER\n"), 2;
    folder = argv[1];
    setenv("DEVICE_API_KERNEL_CACHE", "0", 1);
    const dab_backend& b = *backend_for(DAB_ABI_MAJOR, DAB_ABI_MINOR);
    dab_config config{};
    config.size = sizeof config;
    dab_instance* self = nullptr;
    dab_stream stream = nullptr;
    const dab_op* ops = nullptr;
    std::uint32_t count = 0, stride = 0;
    void* memory = nullptr;
    if (b.create(&config, &self) || b.device_open(self, 0) ||
        b.stream_create(self, 0, 0, &stream) || b.op_table(self, 0, &ops, &count, &stride) ||
        b.alloc(self, 0, 1 << 20, &memory))
        return std::fprintf(stderr, "the recorder does not start\n"), 1;
    int failures = 0;
    for (std::uint32_t i = 0; i < count; ++i)
        failures += record_op(b, self, stream, ops[i], memory);
    std::printf("%d variants, %d launches, %d failures\n", written, launched, failures);
    return failures != 0;
}
