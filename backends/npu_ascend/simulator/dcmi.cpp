// SPDX-License-Identifier: Apache-2.0
// The simulated DCMI: start, versions, and the ids of cards and chips.
#include "dcmi.hpp"

#include <atomic>
#include <cstdio>
#include <cstring>

#include "chip.hpp"

namespace cann_sim {
namespace {

std::atomic<bool> started{false};

constexpr const char* interface_version = "24.1.0.simulated";
constexpr const char* driver_version = "24.1.rc3.simulated";

int give_text(char* out, unsigned int room, const char* text) {
    if (!out || room <= std::strlen(text)) return DCMI_INVALID_PARAMETER;
    std::snprintf(out, room, "%s", text);
    return DCMI_OK;
}

int card_count() {
    return (engine::device_count() + chips_per_card() - 1) / chips_per_card();
}

int chips_of(int card) {
    const int left = engine::device_count() - card * chips_per_card();
    return card < 0 || left <= 0 ? 0 : left < chips_per_card() ? left : chips_per_card();
}

int give_cards(const char* name, int* card_num, int* card_list, int list_len) {
    return dcmi_call(name, [&]() -> int {
        if (!card_num || !card_list || list_len < card_count()) return DCMI_INVALID_PARAMETER;
        *card_num = card_count();
        for (int i = 0; i < *card_num; ++i) card_list[i] = i;
        return DCMI_OK;
    });
}

// On a machine of its own, logic and physical ids are the same.
int give_id(const char* name, int* card_id, int* device_id, unsigned int id) {
    return dcmi_call(name, [&]() -> int {
        if (!card_id || !device_id) return DCMI_INVALID_PARAMETER;
        if (id >= static_cast<unsigned int>(engine::device_count())) return DCMI_INVALID_DEVICE_ID;
        const DcmiId found = dcmi_id(static_cast<int>(id));
        *card_id = found.card;
        *device_id = found.device;
        return DCMI_OK;
    });
}

template <class Info>
Info chip_info() {
    Info info{};
    const auto put = [](unsigned char (&to)[32], const char* text) {
        std::snprintf(reinterpret_cast<char*>(to), sizeof to, "%s", text);
    };
    put(info.chip_type, "Ascend");
    const char* soc = chip().soc;
    put(info.chip_name, std::strncmp(soc, "Ascend", 6) == 0 ? soc + 6 : soc);
    put(info.chip_ver, "simulated");
    info.aicore_cnt = static_cast<unsigned int>(chip().cube_cores);
    return info;
}

} // namespace

int chips_per_card() {
    return chip().family & chip_a3 ? 2 : 1;
}

DcmiId dcmi_id(int logic) {
    return {logic / chips_per_card(), logic % chips_per_card()};
}

int logic_id(int card, int device) {
    if (device < 0 || device >= chips_of(card)) return -1;
    return card * chips_per_card() + device;
}

bool dcmi_started() {
    return started.load();
}

int dcmi_fault(const char* name, int logic, Spoilt* spoilt) {
    if (const auto hit = engine::injected_fault(DAS_FAULT_TELEMETRY, logic, name))
        return hit.code ? hit.code : int{DCMI_INNER};
    if (const auto hit = engine::injected_fault(DAS_FAULT_TELEMETRY_SHORT, logic, name)) {
        spoilt->short_answer = true;
        spoilt->zeroed = hit.value > 0;
    }
    spoilt->stale = bool(engine::injected_fault(DAS_FAULT_TELEMETRY_STALE, logic, name));
    return DCMI_OK;
}

} // namespace cann_sim

using namespace cann_sim;

SIM_EXPORT int dcmi_init(void) {
    try {
        Call c(__func__, Need::nothing);
        if (c.blocked()) return DCMI_INNER;
        if (engine::device_count() <= 0) return DCMI_DEVICE_MISSING;
        started.store(true);
        return DCMI_OK;
    } catch (...) {
        return DCMI_INNER;
    }
}

SIM_EXPORT int dcmi_get_dcmi_version(char* ver, unsigned int len) {
    return dcmi_call(__func__, [&] { return give_text(ver, len, interface_version); });
}

SIM_EXPORT int dcmi_get_driver_version(char* ver, unsigned int len) {
    return dcmi_call(__func__, [&] { return give_text(ver, len, driver_version); });
}

SIM_EXPORT int dcmi_get_card_list(int* card_num, int* card_list, int list_len) {
    return give_cards(__func__, card_num, card_list, list_len);
}

SIM_EXPORT int dcmi_get_card_num_list(int* card_num, int* card_list, int list_len) {
    return give_cards(__func__, card_num, card_list, list_len);
}

SIM_EXPORT int dcmi_get_device_num_in_card(int card_id, int* device_num) {
    return dcmi_call(__func__, [&]() -> int {
        if (!device_num) return DCMI_INVALID_PARAMETER;
        if (!chips_of(card_id)) return DCMI_INVALID_DEVICE_ID;
        *device_num = chips_of(card_id);
        return DCMI_OK;
    });
}

SIM_EXPORT int dcmi_get_device_id_in_card(int card_id, int* device_id_max, int* mcu_id,
                                          int* cpu_id) {
    return dcmi_call(__func__, [&]() -> int {
        if (!device_id_max || !mcu_id || !cpu_id) return DCMI_INVALID_PARAMETER;
        if (!chips_of(card_id)) return DCMI_INVALID_DEVICE_ID;
        *device_id_max = chips_of(card_id);
        *mcu_id = *cpu_id = -1; // none
        return DCMI_OK;
    });
}

SIM_EXPORT int dcmi_get_device_logic_id(int* logic, int card_id, int device_id) {
    return dcmi_call(__func__, [&]() -> int {
        if (!logic) return DCMI_INVALID_PARAMETER;
        const int found = logic_id(card_id, device_id);
        if (found < 0) return DCMI_INVALID_DEVICE_ID;
        *logic = found;
        return DCMI_OK;
    });
}

SIM_EXPORT int dcmi_get_card_id_device_id_from_logicid(int* card_id, int* device_id,
                                                       unsigned int id) {
    return give_id(__func__, card_id, device_id, id);
}

SIM_EXPORT int dcmi_get_card_id_device_id_from_phyid(int* card_id, int* device_id,
                                                     unsigned int id) {
    return give_id(__func__, card_id, device_id, id);
}

SIM_EXPORT int dcmi_get_device_phyid_from_logicid(unsigned int logicid, unsigned int* phyid) {
    return dcmi_call(__func__, [&]() -> int {
        if (!phyid) return DCMI_INVALID_PARAMETER;
        if (logicid >= static_cast<unsigned int>(engine::device_count()))
            return DCMI_INVALID_DEVICE_ID;
        *phyid = logicid;
        return DCMI_OK;
    });
}

SIM_EXPORT int dcmi_get_device_type(int card_id, int device_id, dcmi_unit_type* type) {
    return dcmi_chip_call(__func__, card_id, device_id, [&](int, const Spoilt& spoilt) {
        return dcmi_give(type, DCMI_UNIT_NPU, spoilt);
    });
}

SIM_EXPORT int dcmi_get_device_chip_info(int card_id, int device_id, dcmi_chip_info* info) {
    return dcmi_chip_call(__func__, card_id, device_id, [&](int, const Spoilt& spoilt) {
        return dcmi_give(info, chip_info<dcmi_chip_info>(), spoilt);
    });
}

SIM_EXPORT int dcmi_get_device_chip_info_v2(int card_id, int device_id, dcmi_chip_info_v2* info) {
    return dcmi_chip_call(__func__, card_id, device_id, [&](int, const Spoilt& spoilt) {
        dcmi_chip_info_v2 full = chip_info<dcmi_chip_info_v2>();
        std::memcpy(full.npu_name, full.chip_name, sizeof full.npu_name);
        return dcmi_give(info, full, spoilt);
    });
}

SIM_EXPORT int dcmi_get_device_pcie_info_v2(int card_id, int device_id, dcmi_pcie_info_v2* info) {
    return dcmi_chip_call(__func__, card_id, device_id, [&](int logic, const Spoilt& spoilt) {
        if (!chip().pci_id) return int{DCMI_NOT_SUPPORTED};
        dcmi_pcie_info_v2 full{};
        full.bus = static_cast<unsigned int>(0x3d + logic) & 0xff; // as aclrtDeviceGetPCIBusId
        return dcmi_give(info, full, spoilt);
    });
}

SIM_EXPORT int dcmi_get_device_boot_status(int card_id, int device_id, dcmi_boot_status* status) {
    return dcmi_chip_call(__func__, card_id, device_id, [&](int, const Spoilt& spoilt) {
        return dcmi_give(status, DCMI_BOOT_STARTED, spoilt);
    });
}
