// SPDX-License-Identifier: Apache-2.0
// A new chip on its first day: the CPU backend under another type, with the core ops only.
//
// It notes which ops run on which types. With WITHOUT, a da_op, that core op is missing.
// With TUNED it also has own kernels for softmax, gelu and sort of float32, which count their
// calls. CPU_LIBRARY is the path of the CPU backend's library, TYPE the device type.
#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <vector>

#include "device_api/backend.h"

namespace {

#define IS_CORE(id, NAME, name, version, KIND, n, attributes, key, dtypes, RESULT, others, core)   \
    core,
constexpr bool core_op[DA_OP_COUNT + 1] = {false, DA_OPS(IS_CORE)};
#undef IS_CORE

const dab_backend* cpu = nullptr;
std::vector<dab_op> shown;

// ---- notes: each kernel of the CPU is called through a function that knows its op ----

std::atomic<uint64_t> used[DA_OP_COUNT + 1]; // bits of the key operand's types
da_status (*kernel_run[DA_OP_COUNT + 1])(dab_instance*, const dab_call*);
da_status (*kernel_plan[DA_OP_COUNT + 1])(dab_instance*, const dab_call*, dab_plan*);

template <int op, int key>
da_status noted_run(dab_instance* self, const dab_call* call) {
    used[op] |= DA_DTYPE_BIT(call->tensors[key].dtype);
    return kernel_run[op](self, call);
}

template <int op, int key>
da_status noted_plan(dab_instance* self, const dab_call* call, dab_plan* plan) {
    used[op] |= DA_DTYPE_BIT(call->tensors[key].dtype);
    return kernel_plan[op](self, call, plan);
}

#define NOTED(id, NAME, name, version, KIND, n, attributes, key, dtypes, RESULT, others, core)     \
    {noted_run<id, key>, noted_plan<id, key>},
constexpr struct {
    da_status (*run)(dab_instance*, const dab_call*);
    da_status (*plan)(dab_instance*, const dab_call*, dab_plan*);
} noted[DA_OP_COUNT + 1] = {{nullptr, nullptr}, DA_OPS(NOTED)};
#undef NOTED

void note(dab_op& entry) {
    kernel_run[entry.op] = entry.run;
    kernel_plan[entry.op] = entry.plan;
    if (entry.run) entry.run = noted[entry.op].run;
    if (entry.plan) entry.plan = noted[entry.op].plan;
}

bool is_shown(uint16_t op) {
#ifdef WITHOUT
    if (op == WITHOUT) return false;
#endif
    return core_op[op];
}

#ifdef TUNED
std::atomic<uint64_t> calls[DA_OP_COUNT + 1];

constexpr dab_op kernel(uint16_t op, da_status (*run)(dab_instance*, const dab_call*)) {
    dab_op entry = {};
    entry.size = sizeof entry;
    entry.op = op;
    entry.version = 1;
    entry.dtypes = DA_DTYPE_BIT(DA_FLOAT32);
    entry.run = run;
    return entry;
}

// Dense operands: the entries do not have DAB_OP_STRIDED.
struct Rows {
    const float* source;
    float* target;
    int64_t count = 1, length, step = 1; // elements of a row are `step` apart

    Rows(const dab_call& call, int32_t axis)
        : source(static_cast<const float*>(call.tensors[0].data)),
          target(static_cast<float*>(call.tensors[call.n_inputs].data)) {
        const da_tensor& x = call.tensors[0];
        for (int32_t i = 0; i < x.rank; ++i) count *= i == axis ? 1 : x.shape[i];
        for (int32_t i = axis + 1; i < x.rank; ++i) step *= x.shape[i];
        length = x.shape[axis];
    }
    int64_t start(int64_t row) const { return row / step * step * length + row % step; }
};

da_status softmax(dab_instance*, const dab_call* call) {
    ++calls[call->op];
    const Rows rows(*call, int32_t(call->attributes[0].i));
    for (int64_t row = 0; row < rows.count; ++row) {
        const float* in = rows.source + rows.start(row);
        float* out = rows.target + rows.start(row);
        double most = -HUGE_VAL, total = 0;
        for (int64_t i = 0; i < rows.length; ++i) most = std::max<double>(most, in[i * rows.step]);
        for (int64_t i = 0; i < rows.length; ++i) total += std::exp(in[i * rows.step] - most);
        for (int64_t i = 0; i < rows.length; ++i) {
            out[i * rows.step] = float(std::exp(in[i * rows.step] - most) / total);
        }
    }
    return DA_OK;
}

da_status gelu(dab_instance*, const dab_call* call) {
    ++calls[call->op];
    const auto* in = static_cast<const float*>(call->tensors[0].data);
    auto* out = static_cast<float*>(call->tensors[1].data);
    int64_t n = 1;
    for (int32_t i = 0; i < call->tensors[1].rank; ++i) n *= call->tensors[1].shape[i];
    for (int64_t i = 0; i < n; ++i) out[i] = float(in[i] * std::erfc(-in[i] * M_SQRT1_2) / 2);
    return DA_OK;
}

da_status sort(dab_instance*, const dab_call* call) {
    ++calls[call->op];
    const Rows rows(*call, int32_t(call->attributes[0].i));
    const bool descending = call->attributes[1].u;
    std::vector<float> row(static_cast<size_t>(rows.length));
    for (int64_t k = 0; k < rows.count; ++k) {
        const int64_t start = rows.start(k);
        for (int64_t i = 0; i < rows.length; ++i) row[i] = rows.source[start + i * rows.step];
        std::stable_sort(row.begin(), row.end(), [descending](float a, float b) {
            if (descending) std::swap(a, b);
            return a < b || (std::isnan(b) && !std::isnan(a));
        });
        for (int64_t i = 0; i < rows.length; ++i) rows.target[start + i * rows.step] = row[i];
    }
    return DA_OK;
}

const dab_op own[] = {kernel(DA_OP_SOFTMAX, softmax), kernel(DA_OP_GELU, gelu),
                      kernel(DA_OP_SORT, sort)};
#endif

da_status op_table(dab_instance* self, int32_t device, const dab_op** ops, uint32_t* count,
                   uint32_t* stride) {
    const dab_op* all = nullptr;
    uint32_t n = 0, step = 0;
    if (da_status status = cpu->op_table(self, device, &all, &n, &step)) return status;
    shown.clear(); // asked once
    for (uint32_t i = 0; i < n; ++i) {
        dab_op entry;
        std::memcpy(&entry, reinterpret_cast<const char*>(all) + size_t(i) * step, sizeof entry);
        if (!is_shown(entry.op)) continue;
        note(entry);
        shown.push_back(entry);
    }
#ifdef TUNED
    shown.insert(shown.end(), std::begin(own), std::end(own));
#endif
    *ops = shown.data();
    *count = uint32_t(shown.size());
    *stride = sizeof(dab_op);
    return DA_OK;
}

da_status properties(dab_instance* self, int32_t device, dab_properties* out) {
    const da_status status = cpu->device_properties(self, device, out);
    out->flags &= ~uint32_t(DAB_DEVICE_HOST_MEMORY);
    out->dlpack_type = 0;
    return status;
}

} // namespace

// Types on which an op has run since the last time that this was asked.
extern "C" DAB_EXPORT uint64_t bringup_used(uint16_t op) {
    return used[op].exchange(0);
}

#ifdef TUNED
extern "C" DAB_EXPORT uint64_t tuned_calls(uint16_t op) {
    return calls[op];
}
#endif

extern "C" DAB_EXPORT const dab_backend* device_api_backend(uint16_t major, uint16_t minor) {
    static dab_backend table;
    void* library = dlopen(CPU_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) return nullptr;
    const auto entry = reinterpret_cast<dab_entry>(dlsym(library, DAB_ENTRY_SYMBOL));
    cpu = entry ? entry(major, minor) : nullptr;
    if (!cpu) return nullptr;
    table = *cpu;
    table.type = TYPE;
    table.device_properties = properties;
    table.op_table = op_table;
    return &table;
}
