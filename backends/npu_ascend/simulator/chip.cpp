// SPDX-License-Identifier: Apache-2.0
// The table of chips, the choice among them, and the devices that the process may see.
#include "chip.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>

#include "device_api/engine/engine.hpp"

namespace cann_sim {

namespace {

constexpr std::int64_t mib = 1 << 20;

constexpr Chip chips[] = {
    // soc            family     bf16   hbm    infnan hostreg pci   streams cube vec cpu  l2  arch
    {"Ascend910B3", chip_a2, true, true, true, true, true, 1984, 20, 40, 7, 192 * mib, 2201},
    {"Ascend910B1", chip_a2, true, true, true, true, true, 1984, 24, 48, 7, 192 * mib, 2201},
    {"Ascend910B2", chip_a2, true, true, true, true, true, 1984, 24, 48, 7, 192 * mib, 2201},
    {"Ascend910B4", chip_a2, true, true, true, true, true, 1984, 20, 40, 7, 96 * mib, 2201},
    {"Ascend910_9391", chip_a3, true, true, true, true, true, 1984, 24, 48, 7, 192 * mib, 2201},
    {"Ascend910A", chip_910a, false, true, false, false, false, 2048, 32, 32, 14, 32 * mib, 1001},
    {"Ascend310P3", chip_310p, false, false, false, false, false, 1024, 8, 7, 7, 16 * mib, 2002},
};

std::mutex lock;
std::atomic<const Chip*> chosen{&chips[0]};

std::string& problem() {
    static std::string* text = new std::string;
    return *text;
}

} // namespace

const Chip& chip() {
    return *chosen.load();
}

void choose_chip() {
    std::lock_guard<std::mutex> guard(lock);
    const char* name = std::getenv("DEVICE_API_SIM_NPU_CHIP");
    chosen = &chips[0];
    problem().clear();
    if (!name || !*name) return;
    for (const Chip& c : chips)
        if (std::strcmp(c.soc, name) == 0) {
            chosen = &c;
            return;
        }
    std::string& text = problem();
    text = std::string("DEVICE_API_SIM_NPU_CHIP=") + name + " is not simulated; choose one of";
    for (const Chip& c : chips) text += std::string(" ") + c.soc;
}

const std::string& chip_problem() {
    return problem();
}

const char* soc_name() {
    static std::set<std::string>* names = new std::set<std::string>; // pointers stay valid
    // The label comes from the control table, through the engine's own device name.
    const char* label = device_api::engine::device_name(0);
    const std::size_t prefix = std::strlen(vendor_device_name);
    if (std::strncmp(label, vendor_device_name, prefix) == 0) label += prefix;
    if (!std::strstr(label, "simulated")) label = " (simulated)";
    std::lock_guard<std::mutex> guard(lock);
    return names->insert(std::string(chip().soc) + label).first->c_str();
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
