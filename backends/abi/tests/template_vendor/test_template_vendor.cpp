// SPDX-License-Identifier: Apache-2.0
// Loads the backend over the mock template library and drives it through the table only.
// Usage: test_template_vendor BACKEND SHIM DIM_BITS
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "device_api/backend.h"
#include "shim.h"

namespace {

void check(bool good, const char* what, int line) {
    if (good) return;
    std::fprintf(stderr, "line %d: failed: %s\n", line, what);
    std::exit(1);
}
#define CHECK(condition) check((condition), #condition, __LINE__)

const dab_backend* table;
dab_instance* self;
dab_stream stream;

const dab_op* find(uint16_t op) {
    const dab_op* ops;
    uint32_t count, stride;
    CHECK(table->op_table(self, 0, &ops, &count, &stride) == DA_OK);
    for (uint32_t i = 0; i < count; ++i) {
        const auto* entry = reinterpret_cast<const dab_op*>(reinterpret_cast<const char*>(ops) +
                                                            static_cast<size_t>(i) * stride);
        if (entry->op == op) return entry;
    }
    return nullptr;
}

// A dense device tensor that owns its memory.
struct Tensor {
    std::vector<int64_t> shape, strides;
    void* data = nullptr;
    uint64_t bytes = sizeof(float);

    Tensor(std::vector<int64_t> sizes, const std::vector<float>& values) : shape(sizes) {
        strides.resize(shape.size());
        int64_t step = 1;
        for (size_t d = shape.size(); d-- > 0; step *= shape[d]) strides[d] = step;
        bytes *= static_cast<uint64_t>(step);
        CHECK(table->alloc(self, 0, bytes, &data) == DA_OK);
        if (values.empty()) return;
        CHECK(table->copy(self, stream, data, values.data(), bytes, DAB_HOST_TO_DEVICE) == DA_OK);
        CHECK(table->stream_synchronize(self, stream, -1) == DA_OK);
    }
    Tensor(const Tensor&) = delete;
    ~Tensor() { table->free(self, 0, data); }

    da_tensor view() const {
        return {data,           data,
                bytes,          shape.data(),
                strides.data(), int32_t(shape.size()),
                DA_FLOAT32,     DA_TENSOR_CONTIGUOUS};
    }
    std::vector<float> read() const {
        std::vector<float> out(bytes / sizeof(float));
        CHECK(table->copy(self, stream, out.data(), data, bytes, DAB_DEVICE_TO_HOST) == DA_OK);
        CHECK(table->stream_synchronize(self, stream, -1) == DA_OK);
        return out;
    }
};

dab_call call_of(uint16_t op, uint8_t inputs, const da_tensor* tensors,
                 const da_value* attributes = nullptr) {
    return {sizeof(dab_call), op, inputs, 1, tensors, attributes, stream, 0, 0};
}

void test_one_step_ops() {
    Tensor x({2, 3}, {1, 2, 3, 4, 5, 6}), y({2, 3}, {10, 20, 30, 40, 50, 60}), z({2, 3}, {});
    const da_tensor tensors[] = {x.view(), y.view(), z.view()};
    const dab_call call = call_of(DA_OP_ADD, 2, tensors);
    CHECK(find(DA_OP_ADD)->run(self, &call) == DA_OK);
    CHECK((z.read() == std::vector<float>{11, 22, 33, 44, 55, 66}));

    Tensor scalar({}, {}); // rank 0: the shim turns it into what the vendor accepts
    da_value value;
    value.f = 2.5;
    const da_tensor output = scalar.view();
    const dab_call fill = call_of(DA_OP_FILL, 0, &output, &value);
    CHECK(find(DA_OP_FILL)->run(self, &fill) == DA_OK);
    CHECK(scalar.read()[0] == 2.5f);
}

void test_two_phase_op() {
    Tensor x({2, 2, 3}, {1, 2, 3, 4, 5, 6, 1, 0, 0, 0, 1, 0});
    Tensor w({2, 3, 2}, {1, 0, 0, 1, 1, 1, 7, 8, 9, 10, 11, 12}), y({2, 2, 2}, {});
    const da_tensor tensors[] = {x.view(), w.view(), y.view()};
    const dab_call call = call_of(DA_OP_MATMUL, 2, tensors);
    const dab_op* op = find(DA_OP_MATMUL);
    CHECK(op->run == nullptr);

    dab_plan plan{};
    CHECK(op->plan(self, &call, &plan) == DA_OK);
    CHECK(plan.workspace_bytes == 3 * 2 * sizeof(float));
    op->abandon(self, &plan);

    CHECK(op->plan(self, &call, &plan) == DA_OK);
    void* workspace;
    CHECK(table->alloc(self, 0, plan.workspace_bytes, &workspace) == DA_OK);
    CHECK(op->launch(self, &call, &plan, workspace) == DA_OK);
    CHECK((y.read() == std::vector<float>{4, 5, 10, 11, 7, 8, 9, 10}));
    CHECK(table->free(self, 0, workspace) == DA_OK);
}

void test_exceptions_become_errors() {
    Tensor x({2, 3}, {}), y({2, 2}, {}), z({2, 3}, {}); // shapes that do not fit
    const da_tensor tensors[] = {x.view(), y.view(), z.view()};
    const dab_call call = call_of(DA_OP_ADD, 2, tensors);
    CHECK(find(DA_OP_ADD)->run(self, &call) == DA_INVALID_ARGUMENT);
    dab_error error{};
    error.size = sizeof error;
    table->last_error(self, &error);
    CHECK(error.status == DA_INVALID_ARGUMENT);
    CHECK(std::strstr(error.vendor_text, "broadcast_add: shapes do not match") != nullptr);
}

// Sizes that the older SDK's int cannot hold are refused; the newer SDK takes them.
void test_size_generation(const char* shim_path, int bits) {
    void* shim = dlopen(shim_path, RTLD_NOW | RTLD_LOCAL);
    CHECK(shim != nullptr);
    CHECK(reinterpret_cast<decltype(&vsh_dim_bits)>(dlsym(shim, "vsh_dim_bits"))() == bits);
    const int64_t shape[] = {int64_t{1} << 33, 0}; // empty, so nothing is touched
    auto add = reinterpret_cast<decltype(&vsh_add)>(dlsym(shim, "vsh_add"));
    const int status = add(nullptr, VSH_F32, nullptr, nullptr, nullptr, shape, shape, 2);
    CHECK(status == (bits == 32 ? VSH_RANGE : VSH_OK));
}

void load(const char* backend, const char* shim) {
    void* library = dlopen(backend, RTLD_NOW | RTLD_LOCAL);
    CHECK(library != nullptr);
    auto entry = reinterpret_cast<dab_entry>(dlsym(library, DAB_ENTRY_SYMBOL));
    CHECK(entry != nullptr);
    table = entry(DAB_ABI_MAJOR, DAB_ABI_MINOR);
    CHECK(table->op_count == DA_OP_COUNT);

    const char* wrong[] = {"shim", "/nonexistent/libshim.so"};
    dab_config config = {sizeof config, DAB_ABI_MAJOR, DAB_ABI_MINOR, wrong, 1, 0};
    CHECK(table->create(&config, &self) == DA_NO_DRIVER);
    const char* options[] = {"shim", shim};
    config.options = options;
    CHECK(table->create(&config, &self) == DA_OK);
    CHECK(table->stream_create(self, 0, 0, &stream) == DA_OK);
}

} // namespace

int main(int argc, char** argv) {
    CHECK(argc == 4);
    load(argv[1], argv[2]);
    test_one_step_ops();
    test_two_phase_op();
    test_exceptions_become_errors();
    test_size_generation(argv[2], std::atoi(argv[3]));
    CHECK(table->stream_destroy(self, stream) == DA_OK);
    std::puts("ok");
    return 0;
}
