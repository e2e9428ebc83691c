// SPDX-License-Identifier: Apache-2.0
// A backend over a C++ template library behind a shim: the whole of it is this table.
#include <dlfcn.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>

#include "device_api/backend.h"
#include "shim.h"
#include "vtl/runtime.h"

namespace {

thread_local dab_error failure;

da_status fail(da_status status, int64_t code, const char* vendor_text, const char* format, ...) {
    failure = {};
    failure.status = status;
    failure.vendor_code = code;
    std::snprintf(failure.vendor_text, sizeof failure.vendor_text, "%s", vendor_text);
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(failure.message, sizeof failure.message, format, arguments);
    va_end(arguments);
    return status;
}

// The vendor's runtime is C: 0 is success, -2 is "no memory".
da_status runtime(int code, const char* what) {
    if (code == 0) return DA_OK;
    return fail(code == -2 ? DA_OUT_OF_MEMORY : DA_INTERNAL, code, "", "%s failed", what);
}

struct Shim {
    decltype(&vsh_supports) supports;
    decltype(&vsh_last_message) last_message;
    decltype(&vsh_context_create) context_create;
    decltype(&vsh_context_bind) context_bind;
    decltype(&vsh_context_destroy) context_destroy;
    decltype(&vsh_add) add;
    decltype(&vsh_fill) fill;
    decltype(&vsh_fc) fc;
    decltype(&vsh_fc_scratch) fc_scratch;
} shim;

const struct {
    const char* name;
    void** slot;
} kSymbols[] = {
    {"vsh_supports", reinterpret_cast<void**>(&shim.supports)},
    {"vsh_last_message", reinterpret_cast<void**>(&shim.last_message)},
    {"vsh_context_create", reinterpret_cast<void**>(&shim.context_create)},
    {"vsh_context_bind", reinterpret_cast<void**>(&shim.context_bind)},
    {"vsh_context_destroy", reinterpret_cast<void**>(&shim.context_destroy)},
    {"vsh_add", reinterpret_cast<void**>(&shim.add)},
    {"vsh_fill", reinterpret_cast<void**>(&shim.fill)},
    {"vsh_fc", reinterpret_cast<void**>(&shim.fc)},
    {"vsh_fc_scratch", reinterpret_cast<void**>(&shim.fc_scratch)},
};

da_status shimmed(int code) {
    static const da_status kStatus[] = {DA_OK,       DA_INVALID_ARGUMENT, DA_INTERNAL,
                                        DA_INTERNAL, DA_NOT_SUPPORTED,    DA_INVALID_ARGUMENT};
    if (code == VSH_OK) return DA_OK;
    return fail(kStatus[code], code, shim.last_message(), "the vendor library refused the call");
}

int element_type(uint16_t dtype) {
    return dtype == DA_FLOAT32 ? VSH_F32 : dtype == DA_INT32 ? VSH_I32 : VSH_I64;
}

// The vendor's context is per thread: the plugin keeps that from the host.
struct ThreadContext {
    vsh_context* handle = nullptr;
    ~ThreadContext() {
        if (handle) shim.context_destroy(handle);
    }
};

da_status bound_context(const dab_call* call, void* scratch, uint64_t bytes, vsh_context** out) {
    thread_local ThreadContext context;
    if (!context.handle) {
        if (auto status = shimmed(shim.context_create(&context.handle))) return status;
    }
    *out = context.handle;
    return shimmed(shim.context_bind(context.handle, call->stream, scratch, bytes));
}

int64_t elements(const da_tensor& tensor) {
    int64_t count = 1;
    for (int d = 0; d < tensor.rank; ++d) count *= tensor.shape[d];
    return count;
}

// ---- ops ---------------------------------------------------------------------------------------

da_status run_add(dab_instance*, const dab_call* call) {
    vsh_context* context;
    if (auto status = bound_context(call, nullptr, 0, &context)) return status;
    const da_tensor* t = call->tensors;
    return shimmed(shim.add(context, element_type(t[0].dtype), t[0].data, t[1].data, t[2].data,
                            t[0].shape, t[1].shape, t[0].rank));
}

da_status run_fill(dab_instance*, const dab_call* call) {
    vsh_context* context;
    if (auto status = bound_context(call, nullptr, 0, &context)) return status;
    const da_tensor& y = call->tensors[0];
    const da_value& value = call->attributes[DA_FILL_VALUE];
    const float f32 = static_cast<float>(value.f);
    const int32_t i32 = static_cast<int32_t>(value.i);
    const void* bytes = y.dtype == DA_FLOAT32 ? static_cast<const void*>(&f32)
                        : y.dtype == DA_INT32 ? static_cast<const void*>(&i32)
                                              : &value.i;
    return shimmed(shim.fill(context, element_type(y.dtype), y.data, elements(y), bytes));
}

struct Product {
    int64_t batches, m, n, k;
};

Product product(const dab_call* call) {
    const da_tensor &x = call->tensors[0], &w = call->tensors[1];
    const int64_t m = x.shape[x.rank - 2], k = x.shape[x.rank - 1], n = w.shape[w.rank - 1];
    return {elements(x) / (m * k), m, n, k};
}

da_status plan_matmul(dab_instance*, const dab_call* call, dab_plan* plan) {
    const Product p = product(call);
    plan->opaque = new Product(p);
    plan->workspace_bytes = shim.fc_scratch(element_type(call->tensors[0].dtype), p.m, p.n, p.k);
    return DA_OK;
}

void abandon_matmul(dab_instance*, dab_plan* plan) {
    delete static_cast<Product*>(plan->opaque);
}

da_status launch_matmul(dab_instance* self, const dab_call* call, dab_plan* plan, void* workspace) {
    const Product p = *static_cast<Product*>(plan->opaque);
    const uint64_t bytes = plan->workspace_bytes;
    abandon_matmul(self, plan);
    vsh_context* context;
    if (auto status = bound_context(call, workspace, bytes, &context)) return status;
    const da_tensor* t = call->tensors;
    const int64_t size = sizeof(float);
    for (int64_t b = 0; b < p.batches; ++b) {
        const auto* x = static_cast<const char*>(t[0].data) + b * p.m * p.k * size;
        const auto* w = static_cast<const char*>(t[1].data) + b * p.k * p.n * size;
        auto* y = static_cast<char*>(t[2].data) + b * p.m * p.n * size;
        const int type = element_type(t[0].dtype);
        if (auto status = shimmed(shim.fc(context, type, x, w, y, p.m, p.n, p.k))) return status;
    }
    return DA_OK;
}

constexpr da_dtype_mask kThree =
    DA_DTYPE_BIT(DA_FLOAT32) | DA_DTYPE_BIT(DA_INT32) | DA_DTYPE_BIT(DA_INT64);

dab_op simple(uint16_t op, da_status (*run)(dab_instance*, const dab_call*)) {
    return {sizeof(dab_op), op, 1, 0, 0, kThree, 0, run, nullptr, nullptr, nullptr};
}

da_status op_table(dab_instance*, int32_t, const dab_op** ops, uint32_t* count, uint32_t* stride) {
    static const dab_op kOps[] = {
        simple(DA_OP_ADD, run_add),
        simple(DA_OP_FILL, run_fill),
        {sizeof(dab_op), DA_OP_MATMUL, 1, 0, 0, DA_DTYPE_BIT(DA_FLOAT32), 0, nullptr, plan_matmul,
         launch_matmul, abandon_matmul},
    };
    *ops = kOps;
    *count = sizeof kOps / sizeof *kOps;
    *stride = sizeof *kOps;
    return DA_OK;
}

// ---- devices, memory, streams ------------------------------------------------------------------

da_status create(const dab_config* config, dab_instance** self) {
    const char* path = nullptr;
    for (uint32_t i = 0; i < config->n_options; ++i) {
        if (std::strcmp(config->options[2 * i], "shim") != 0)
            return fail(DA_INVALID_ARGUMENT, 0, "", "unknown option %s", config->options[2 * i]);
        path = config->options[2 * i + 1];
    }
    void* library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (!library) return fail(DA_NO_DRIVER, 0, path ? dlerror() : "", "cannot open the shim");
    for (const auto& symbol : kSymbols) {
        *symbol.slot = dlsym(library, symbol.name);
        if (!*symbol.slot) return fail(DA_NO_DRIVER, 0, "", "the shim lacks %s", symbol.name);
    }
    static char instance;
    *self = reinterpret_cast<dab_instance*>(&instance);
    return DA_OK;
}

void last_error(dab_instance*, dab_error* error) {
    const uint32_t size = error->size;
    std::memcpy(error, &failure, size < sizeof failure ? size : sizeof failure);
    error->size = size;
}

da_status device_count(dab_instance*, int32_t* count) {
    int n = 0;
    auto status = runtime(vtl_device_count(&n), "vtl_device_count");
    *count = n;
    return status;
}

da_status device_properties(dab_instance*, int32_t, dab_properties* out) {
    out->flags = DAB_DEVICE_SIMULATED;
    out->alignment = 64;
    std::snprintf(out->name, sizeof out->name, "template library device (simulated)");
    return DA_OK;
}

da_status alloc(dab_instance*, int32_t, uint64_t bytes, void** address) {
    return runtime(vtl_malloc(address, bytes), "vtl_malloc");
}

da_status release(dab_instance*, int32_t, void* address) {
    return runtime(vtl_free(address), "vtl_free");
}

da_status copy(dab_instance*, dab_stream stream, void* target, const void* source, uint64_t bytes,
               dab_copy_kind) {
    return runtime(vtl_memcpy_async(target, source, bytes, stream), "vtl_memcpy_async");
}

da_status stream_create(dab_instance*, int32_t, int32_t, dab_stream* stream) {
    return runtime(vtl_stream_create(reinterpret_cast<void**>(stream)), "vtl_stream_create");
}

da_status stream_destroy(dab_instance*, dab_stream stream) {
    if (auto status = runtime(vtl_wait(stream), "vtl_wait")) return status;
    return runtime(vtl_stream_destroy(stream), "vtl_stream_destroy");
}

da_status stream_synchronize(dab_instance*, dab_stream stream, int32_t) {
    return runtime(vtl_wait(stream), "vtl_wait");
}

const uint64_t kHashes[] = DA_OP_TABLE_HASHES;

dab_backend make_table() {
    dab_backend table{};
    table.size = sizeof table;
    table.abi_major = DAB_ABI_MAJOR;
    table.abi_minor = DAB_ABI_MINOR;
    table.type = "vtl";
    table.vendor = "Template Vendor (mock)";
    table.version = "0.1.0";
    table.op_count = DA_OP_COUNT;
    table.op_hashes = kHashes;
    table.create = create;
    table.last_error = last_error;
    table.device_count = device_count;
    table.device_properties = device_properties;
    table.alloc = alloc;
    table.free = release;
    table.copy = copy;
    table.stream_create = stream_create;
    table.stream_destroy = stream_destroy;
    table.stream_synchronize = stream_synchronize;
    table.op_table = op_table;
    return table;
}

} // namespace

extern "C" DAB_EXPORT const dab_backend* device_api_backend(uint16_t, uint16_t) {
    static const dab_backend table = make_table();
    return &table;
}
