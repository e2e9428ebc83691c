// SPDX-License-Identifier: Apache-2.0
// Native tests of the CPU backend, through its table only.
//
//     cpu_backend_test <library> [name of a test ...] ; DEVICE_API_CPU_LEVEL and _THREADS apply
//
// DEVICE_API_CPU_TEST_BLAS names the BLAS library to use.
#include <dlfcn.h>

#include <chrono>
#include <cmath>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include "support.hpp"

namespace test {

Backend backend;

namespace {

int failures = 0;

struct Named {
    const char* name;
    void (*run)();
};
constexpr Named kTests[] = {{"elementwise", test_elementwise},
                            {"math", test_math},
                            {"functions", test_functions},
                            {"special", test_special_values},
                            {"complex", test_complex},
                            {"cast", test_cast},
                            {"move", test_move},
                            {"create", test_create},
                            {"reduce", test_reduce},
                            {"matmul", test_matmul},
                            {"index", test_index},
                            {"order", test_order},
                            {"window", test_window},
                            {"normalize", test_normalize},
                            {"runtime", test_runtime},
                            {"telemetry", test_telemetry},
                            {"threads", test_threads}};

bool open(const char* path) {
    void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return std::fprintf(stderr, "%s\n", dlerror()), false;
    const auto entry = reinterpret_cast<dab_entry>(dlsym(handle, DAB_ENTRY_SYMBOL));
    backend.table = entry ? entry(DAB_ABI_MAJOR, DAB_ABI_MINOR) : nullptr;
    if (!backend.table) return std::fprintf(stderr, "no table in %s\n", path), false;
    std::vector<const char*> options;
    if (const char* blas = std::getenv("DEVICE_API_CPU_TEST_BLAS")) options = {"blas", blas};
    const da_status made = make(options, &backend.self);
    if (made == DA_NOT_SUPPORTED) {
        std::printf("not run: %s\n", last_error().message);
        std::exit(77); // ctest's and pytest's sign for a test that this machine cannot run
    }
    if (made != DA_OK) return std::fprintf(stderr, "create: %s\n", last_error().message), false;
    const dab_op* ops = nullptr;
    uint32_t count = 0, stride = 0;
    if (backend.table->op_table(backend.self, 0, &ops, &count, &stride) != DA_OK) return false;
    backend.ops.assign(DA_OP_COUNT + 1, nullptr);
    for (uint32_t i = 0; i < count; ++i) {
        const auto* op = reinterpret_cast<const dab_op*>(reinterpret_cast<const char*>(ops) +
                                                         size_t(i) * stride);
        backend.ops[op->op] = op;
    }
    return backend.table->stream_create(backend.self, 0, 0, &backend.stream) == DA_OK;
}

bool wanted(const char* name, int argc, char** argv) {
    for (int i = 2; i < argc; ++i)
        if (std::strcmp(argv[i], name) == 0) return true;
    return argc <= 2;
}

} // namespace

void failed(const char* file, int line, const std::string& message) {
    if (++failures <= 40) std::printf("FAILED %s:%d: %s\n", file, line, message.c_str());
}

std::string text(const char* format, ...) {
    char buffer[512];
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    return buffer;
}

da_status make(const std::vector<const char*>& options, dab_instance** self) {
    dab_config config = {};
    config.size = sizeof config;
    config.abi_major = DAB_ABI_MAJOR;
    config.abi_minor = DAB_ABI_MINOR;
    config.options = options.data();
    config.n_options = uint32_t(options.size() / 2);
    return backend.table->create(&config, self);
}

dab_error last_error() {
    dab_error error = {};
    error.size = sizeof error;
    backend.table->last_error(backend.self, &error);
    return error;
}

const std::vector<OpFacts>& op_facts() {
#define X(id, NAME, name, version, KIND, inputs, attributes, key, types, RESULT, others, core)     \
    {id, #name, DA_KIND_##KIND, types},
    static const std::vector<OpFacts> facts = {DA_OPS(X)};
#undef X
    return facts;
}

da_status run(unsigned op, const std::vector<const Tensor*>& inputs, Tensor& out,
              const std::vector<da_value>& attributes, dab_instance* self) {
    std::vector<da_tensor> tensors;
    for (const Tensor* t : inputs) tensors.push_back(t->view());
    tensors.push_back(out.view());
    dab_call call = {};
    call.size = sizeof call;
    call.op = uint16_t(op);
    call.n_inputs = uint8_t(inputs.size());
    call.n_outputs = 1;
    call.tensors = tensors.data();
    call.attributes = attributes.data();
    call.stream = backend.stream;
    return backend.ops[op]->run(self ? self : backend.self, &call);
}

void Tensor::randomise(std::mt19937_64& random, bool small) {
    static const Value specials[] = {0.0L,      -0.0L,         1.0L,     -1.0L, INFINITY,
                                     -INFINITY, std::nanl(""), 0.5L,     2.0L,  1e-45L,
                                     -1e-40L,   6e-8L,         65504.0L, 3e38L};
    for (int64_t i = 0; i < count(); ++i) {
        const uint64_t bits = random();
        if (dtype == DA_BOOL)
            set(i, bits & 1);
        else if (!is_float(dtype) && small)
            set(i, is_signed(dtype) ? Value(int64_t(bits % 13) - 6) : Value(bits % 13));
        else if (!is_float(dtype))
            set(i, wrapped(dtype, __int128(bits >> (bits % 64))));
        else if (small)
            set(i, rounded(dtype, Value(int64_t(bits >> 40)) / (1 << 23) - 1));
        else if (bits % 8 == 0)
            set(i, rounded(dtype, specials[bits / 8 % 14]));
        else
            set(i, rounded(dtype, std::ldexp(Value(int64_t(bits)), int(bits % 40) - 80)));
    }
}

} // namespace test

int main(int argc, char** argv) {
    if (argc < 2 || !test::open(argv[1])) return 2;
    for (const auto& named : test::kTests) {
        if (!test::wanted(named.name, argc, argv)) continue;
        const int before = test::failures;
        const auto start = std::chrono::steady_clock::now();
        named.run();
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        std::printf("%-12s %s (%.2f s)\n", named.name,
                    test::failures == before ? "passed" : "FAILED", seconds.count());
    }
    std::printf("%d failed checks\n", test::failures);
    return test::failures != 0;
}
