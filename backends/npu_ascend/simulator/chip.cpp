// SPDX-License-Identifier: Apache-2.0
// What this vendor takes from the chip's file, and the devices that the process may see.
#include "chip.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>

#include "device_api/engine/engine.hpp"
#include "dtype.hpp"

namespace cann_sim {

namespace {

using engine::ChipKind;

// The keys of a chip file that only this vendor has.
constexpr engine::ChipKey own_keys[] = {
    {"ascend.family", ChipKind::text, nullptr, 0, 0, "",
     "product family: 910a, a2, a3, 310p, 310b or 950; operators and modes go by it. The adapter "
     "tells it by the beginning of the name, as it does on a real chip"},
    {"ascend.inf_nan", ChipKind::flag, "true", 0, 0, "", "has the mode with infinities and NaN"},
    {"ascend.host_register", ChipKind::flag, "true", 0, 0, "", "has aclrtHostRegister"},
    {"ascend.pci_id", ChipKind::flag, "true", 0, 0, "", "has aclrtDeviceGetPCIBusId"},
    {"ascend.npu_arch", ChipKind::integer, "0", 0, 1e6, "", "what ACL_DEV_ATTR_NPU_ARCH gives"},
};

struct FamilyRow {
    const char* name;
    unsigned family;
    const char* prefix; // of the names of its chips
    bool digit;         // follows the prefix: "Ascend910B" alone is of the first generation
};
constexpr FamilyRow families[] = {
    {"a3", chip_a3, "Ascend910_9", false},    {"a2", chip_a2, "Ascend910B", true},
    {"910a", chip_910a, "Ascend910", false},  {"310p", chip_310p, "Ascend310P", false},
    {"310b", chip_310b, "Ascend310B", false}, {"950", chip_950, "Ascend950", false},
};

struct DtypeRow {
    const char* name;
    Mask mask;
};
constexpr DtypeRow dtypes[] = {
    {"bool", boolean}, {"int8", i8},       {"int16", i16},       {"int32", i32},
    {"int64", i64},    {"uint8", u8},      {"uint16", u16},      {"uint32", u32},
    {"uint64", u64},   {"float16", f16},   {"bfloat16", bf16},   {"float32", f32},
    {"float64", f64},  {"complex64", c64}, {"complex128", c128},
};

const FamilyRow* family_of_name(const std::string& name) {
    for (const FamilyRow& row : families) {
        const std::size_t size = std::strlen(row.prefix);
        if (name.compare(0, size, row.prefix) != 0) continue;
        if (!row.digit || (name.size() > size && name[size] >= '0' && name[size] <= '9'))
            return &row;
    }
    return nullptr;
}

std::mutex lock;
std::atomic<const Chip*> chosen{nullptr};

// What only this vendor can check: "" when all is well.
std::string mistake(const engine::Chip& from) {
    const std::string& family = from.text("ascend.family");
    const FamilyRow* by_name = family_of_name(from.name);
    std::string names, prefixes;
    for (const FamilyRow& row : families) {
        names += std::string(" ") + row.name;
        if (family == row.name) prefixes = row.prefix + std::string(row.digit ? "0" : "");
    }
    if (prefixes.empty())
        return "ascend.family is " + family + ", which is none; use one of" + names;
    if (!by_name || family != by_name->name)
        return "chip.name is " + from.name + ", by which the adapter does not see the family " +
               family + "; begin it as " + prefixes;
    if (from.name.find(' ') != std::string::npos) return "chip.name has a blank; leave it out";
    return "";
}

const Chip* convert(const engine::Chip& from) {
    auto* c = new Chip; // never freed: others may read it while the next one is chosen
    c->name = from.name;
    c->soc = c->name.c_str();
    const FamilyRow* row = family_of_name(from.name);
    c->family = row ? row->family : 0;
    for (const DtypeRow& d : dtypes)
        if (!from.has_dtype(d.name)) c->lacking |= d.mask;
    c->bf16 = from.has_dtype("bfloat16");
    c->hbm = from.text("memory.kind").compare(0, 3, "HBM") == 0;
    c->inf_nan = from.flag("ascend.inf_nan");
    c->host_register = from.flag("ascend.host_register");
    c->pci_id = from.flag("ascend.pci_id");
    c->max_streams = static_cast<int>(from.integer("limits.streams"));
    c->cube_cores = static_cast<int>(from.integer("cores.matrix"));
    c->vector_cores = static_cast<int>(from.integer("cores.vector"));
    c->aicpu_cores = static_cast<int>(from.integer("cores.control"));
    c->l2_bytes = from.integer("cache.l2_bytes");
    c->npu_arch = from.integer("ascend.npu_arch");
    return c;
}

} // namespace

void describe_chips(engine::Vendor* v) {
    v->chip_variable = "DEVICE_API_SIM_NPU_CHIP";
    v->chip_default = "Ascend910B3";
    v->chip_keys = own_keys;
    v->chip_key_count = sizeof own_keys / sizeof own_keys[0];
    v->chip_mistake = mistake;
}

const Chip& chip() {
    if (const Chip* known = chosen.load()) return *known;
    std::lock_guard<std::mutex> guard(lock);
    static const Chip none;
    if (!chosen.load())
        if (const engine::ChipPtr file = engine::chip()) chosen = convert(*file);
    return chosen.load() ? *chosen.load() : none;
}

void forget_chip() {
    std::lock_guard<std::mutex> guard(lock);
    chosen = nullptr;
}

const char* soc_name() {
    static std::set<std::string>* names = new std::set<std::string>; // pointers stay valid
    // Clients look the name up in tables: it is the chip's alone, unless the control table was
    // given a label, which the engine appends to its own device name.
    const char* label = device_api::engine::device_name(0);
    const std::size_t prefix = std::strlen(vendor_device_name);
    if (std::strncmp(label, vendor_device_name, prefix) == 0) label += prefix;
    if (std::strcmp(label, " (simulated)") == 0) label = "";
    const std::string whole = chip().name + label;
    std::lock_guard<std::mutex> guard(lock);
    return names->insert(whole).first->c_str();
}

// Ascending ids without blanks; parsing stops at the first bad character or invalid id.
VisibleDevices visible_devices() {
    VisibleDevices v;
    const int count = device_api::engine::device_count();
    const char* p = std::getenv("ASCEND_RT_VISIBLE_DEVICES");
    if (!p) {
        for (int i = 0; i < count; ++i) v.devices.push_back(i);
        return v;
    }
    while (*p >= '0' && *p <= '9') {
        char* end = nullptr;
        const long id = std::strtol(p, &end, 10);
        if (id >= count) break;
        if (std::find(v.devices.begin(), v.devices.end(), id) != v.devices.end()) {
            v.duplicate = true;
            break;
        }
        if (!v.devices.empty() && id < v.devices.back()) break;
        v.devices.push_back(static_cast<int>(id));
        if (*end != ',') break;
        p = end + 1;
    }
    return v;
}

int engine_device(int user_device) {
    const VisibleDevices v = visible_devices();
    if (v.duplicate || user_device < 0 || user_device >= static_cast<int>(v.devices.size()))
        return -1;
    return v.devices[static_cast<std::size_t>(user_device)];
}

} // namespace cann_sim
