// SPDX-License-Identifier: Apache-2.0
// The planted backend: the table of a plugin with one defect put in. Prepared first, by name and
// file, with planted_prepare(); then loaded by a host like any plugin.
#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "call.hpp"

namespace device_api::planted {

namespace {

struct State {
    dab_backend inner{}; // the plugin's own, cut or filled up to this version
    dab_backend table{}; // what the host gets
    const Plant* plant = nullptr;
    std::uint64_t seed = 0;
    std::string error;
    std::mutex lock; // of tables
    std::map<std::int32_t, std::vector<dab_op>> tables;
};

State& state() {
    static auto* found = new State;
    return *found;
}

constexpr struct {
    const char* name;
    std::size_t attributes;
} ops[DA_OP_COUNT + 1] = {{"", 0},
#define ROW(id, NAME, name, version, KIND, inputs, attributes, ...) {#name, attributes},
                          DA_OPS(ROW)
#undef ROW
};

da_status op_table(dab_instance* self, std::int32_t device, const dab_op** out,
                   std::uint32_t* count, std::uint32_t* stride) {
    const da_status status = state().inner.op_table(self, device, out, count, stride);
    if (status != DA_OK) return status;
    std::lock_guard<std::mutex> guard(state().lock);
    std::vector<dab_op>& table = state().tables[device];
    if (table.empty()) table = wrapped(device, *out, *count, *stride);
    *out = table.data();
    *count = static_cast<std::uint32_t>(table.size());
    *stride = sizeof(dab_op);
    return DA_OK;
}

int refuse(std::string text) {
    state().error = std::move(text);
    return -1;
}

} // namespace

const Plant& plant() {
    return *state().plant;
}

const dab_backend& inner() {
    return state().inner;
}

std::uint64_t seed() {
    return state().seed;
}

const char* op_name(std::uint16_t op) {
    return op <= DA_OP_COUNT ? ops[op].name : "";
}

std::size_t attributes_of(std::uint16_t op) {
    return op <= DA_OP_COUNT ? ops[op].attributes : 0;
}

} // namespace device_api::planted

using namespace device_api::planted;

extern "C" {

/// Opens the plugin in `library` and puts the plant `id` into its table. Returns 0, or -1 with the
/// cause in planted_error(). Once per process.
DAB_EXPORT int planted_prepare(const char* library, const char* id, std::uint64_t seed_) {
    State& s = state();
    if (s.plant) return refuse("a plant is in place in this process already");
    const Plant* found = find_plant(id);
    if (!found) return refuse(std::string("no plant ") + id);
    void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return refuse(dlerror());
    const auto entry = reinterpret_cast<dab_entry>(dlsym(handle, DAB_ENTRY_SYMBOL));
    const dab_backend* given = entry ? entry(DAB_ABI_MAJOR, DAB_ABI_MINOR) : nullptr;
    if (!given) return refuse(std::string(library) + " is no plugin of this version");
    std::memcpy(&s.inner, given, std::min<std::size_t>(given->size, sizeof s.inner));
    s.inner.size = sizeof s.inner;
    s.table = s.inner;
    s.table.op_table = &op_table;
    if (found->install) found->install(s.table);
    s.seed = seed_;
    s.plant = found;
    return 0;
}

DAB_EXPORT const char* planted_error() {
    return state().error.c_str();
}

DAB_EXPORT std::uint64_t planted_strikes() {
    return strike_count();
}

/// Row `n` of the plants; returns 0, or -1 after the last.
DAB_EXPORT int planted_row(std::uint32_t n, const char** id, char* chapter, const char** words,
                           const char** source, const char** ops_) {
    const auto& rows = all_plants();
    if (n >= rows.size()) return -1;
    *id = rows[n]->id;
    *chapter = rows[n]->chapter;
    *words = rows[n]->words;
    *source = rows[n]->source;
    *ops_ = rows[n]->gate.ops ? rows[n]->gate.ops : "";
    return 0;
}

/// Mask of the types that row `n` is limited to; 0: all types, or no such row.
DAB_EXPORT std::uint64_t planted_types(std::uint32_t n) {
    const auto& rows = all_plants();
    return n < rows.size() ? rows[n]->gate.dtypes : 0;
}

DAB_EXPORT const dab_backend* device_api_backend(std::uint16_t, std::uint16_t) {
    return state().plant ? &state().table : nullptr;
}
}
