// SPDX-License-Identifier: Apache-2.0
// Telemetry through DCMI. Every figure is asked for by itself, and believed only when it can be
// true: what fails, or makes no sense, is unknown.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "instance.hpp"

namespace device_api::npu {
namespace {

// A chip that answers.
struct Chip {
    const Dcmi& dcmi;
    int card, device;
    std::string refused; // calls that failed, with their codes
};

// Answers begin as this: what a call leaves unwritten is then beyond every limit below.
constexpr int unwritten = 0x7f;
template <class T>
T blank() {
    T value;
    std::memset(static_cast<void*>(&value), unwritten, sizeof value);
    return value;
}

/// Ask; false when the driver lacks the call, or it fails.
template <class F, class... A>
bool ask(Chip& chip, const char* name, F function, A... arguments) {
    if (!function) return false;
    const int code = function(chip.card, chip.device, arguments...);
    if (code != DCMI_OK && code != DCMI_NOT_SUPPORTED)
        chip.refused += std::string(chip.refused.empty() ? "" : ", ") + name + " (" +
                        std::to_string(code) + ")";
    return code == DCMI_OK;
}
#define NPU_ASK(chip, name, ...) ask(chip, #name, (chip).dcmi.name, __VA_ARGS__)

bool within(double value, double least, double most) {
    return value >= least && value <= most;
}
// The driver's own marks of a bad sensor are far above.
bool believable_celsius(int celsius) {
    return within(celsius, -60, 150);
}
bool believable_mhz(unsigned int mhz) {
    return mhz > 0 && mhz < 20000;
}

void read_power_and_temperature(Chip& chip, dab_telemetry& t) {
    int tenths = blank<int>(), celsius = blank<int>();
    if (NPU_ASK(chip, dcmi_get_device_power_info, &tenths) && tenths > 0 && tenths < 50000) {
        t.power = tenths / 10.0;
        t.known |= DAB_KNOWS_POWER;
    }
    if (!NPU_ASK(chip, dcmi_get_device_temperature, &celsius) || !believable_celsius(celsius))
        return;
    if (celsius == 0 && !(t.known & DAB_KNOWS_POWER)) return; // zeros all over
    t.temperature = celsius;
    t.known |= DAB_KNOWS_TEMPERATURE;
}

bool percent(Chip& chip, int type, double* share) {
    unsigned int value = blank<unsigned int>();
    if (!NPU_ASK(chip, dcmi_get_device_utilization_rate, type, &value) || value > 100) return false;
    *share = value / 100.0;
    return true;
}

// The busier kind of core; the chip's own sum where it gives neither.
void read_use(Chip& chip, dab_telemetry& t) {
    double cube = 0, vector = 0;
    const bool has_cube = percent(chip, DCMI_USE_AICORE, &cube);
    const bool has_vector = percent(chip, DCMI_USE_VECTOR, &vector);
    t.utilization = std::max(cube, vector);
    if (has_cube || has_vector || percent(chip, DCMI_USE_OVERALL, &t.utilization))
        t.known |= DAB_KNOWS_UTILIZATION;
    if (percent(chip, DCMI_USE_HBM_BANDWIDTH, &t.bandwidth_utilization) ||
        percent(chip, DCMI_USE_MEMORY_BANDWIDTH, &t.bandwidth_utilization))
        t.known |= DAB_KNOWS_BANDWIDTH_UTILIZATION;
}

constexpr std::uint64_t mega = 1 << 20;
constexpr std::uint64_t most_mega = 1 << 24; // 16 TiB

bool set_memory(dab_telemetry& t, std::uint64_t total, std::uint64_t used) {
    if (total == 0 || total > most_mega || used > total) return false;
    t.memory_total = total * mega;
    t.memory_used = used * mega;
    t.known |= DAB_KNOWS_MEMORY;
    return true;
}

void set_memory_clock(dab_telemetry& t, unsigned int mhz) {
    if (!believable_mhz(mhz)) return;
    t.memory_clock_mhz = mhz;
    t.known |= DAB_KNOWS_MEMORY_CLOCK;
}

bool read_hbm(Chip& chip, dab_telemetry& t) {
    auto info = blank<dcmi_hbm_info>();
    if (!NPU_ASK(chip, dcmi_get_device_hbm_info, &info)) return false;
    const bool only_size = !info.freq && !info.temp && !info.memory_usage; // the rest is missing
    if (only_size) return true;
    set_memory(t, info.memory_size, info.memory_usage);
    set_memory_clock(t, info.freq);
    if (believable_celsius(info.temp) && info.temp != 0) {
        t.memory_temperature = info.temp;
        t.known |= DAB_KNOWS_MEMORY_TEMPERATURE;
    }
    return true;
}

// Chips without on-chip memory.
void read_ddr(Chip& chip, dab_telemetry& t) {
    auto info = blank<dcmi_memory_info_v3>();
    if (!NPU_ASK(chip, dcmi_get_device_memory_info_v3, &info) || !info.freq) return;
    if (info.memory_available <= info.memory_size)
        set_memory(t, info.memory_size, info.memory_size - info.memory_available);
    set_memory_clock(t, info.freq);
}

void read_errors(Chip& chip, dab_telemetry& t, bool hbm) {
    auto info = blank<dcmi_ecc_info>();
    const auto nothing = blank<unsigned int>();
    if (!NPU_ASK(chip, dcmi_get_device_ecc_info, hbm ? DCMI_ECC_HBM : DCMI_ECC_DDR, &info)) return;
    if (info.enable != 1 || info.total_single == nothing || info.total_double == nothing) return;
    t.ecc_corrected = info.total_single;
    t.ecc_uncorrected = info.total_double;
    t.known |= DAB_KNOWS_ECC;
}

void read_clock(Chip& chip, dab_telemetry& t) {
    unsigned int mhz = blank<unsigned int>();
    if (!NPU_ASK(chip, dcmi_get_device_frequency, DCMI_FREQUENCY_AICORE, &mhz)) return;
    if (!believable_mhz(mhz)) return;
    t.clock_mhz = mhz;
    t.known |= DAB_KNOWS_CLOCK;
}

// Active codes with the driver's words, the first of them as far as there is room.
std::string alarms(Chip& chip) {
    int count = blank<int>();
    unsigned int codes[DCMI_MAX_ERRORS] = {};
    if (!NPU_ASK(chip, dcmi_get_device_errorcode_v2, &count, codes, DCMI_MAX_ERRORS)) return "";
    if (count < 0 || count > DCMI_MAX_ERRORS) return "";
    std::string text;
    for (int i = 0; i < count && text.size() < sizeof dab_telemetry::health_text; ++i) {
        unsigned char words[256] = "";
        char code[12];
        std::snprintf(code, sizeof code, "%08X", codes[i]);
        text += std::string(text.empty() ? "" : "; ") + code;
        if (!NPU_ASK(chip, dcmi_get_device_errorcode_string, codes[i], words, 256)) continue;
        words[sizeof words - 1] = '\0';
        if (words[0]) text += std::string(" ") + reinterpret_cast<const char*>(words);
    }
    return text;
}

// Of the driver's four grades, "major" already means that the chip does not do what it should.
void read_health(Chip& chip, dab_telemetry& t) {
    unsigned int grade = blank<unsigned int>();
    if (!NPU_ASK(chip, dcmi_get_device_health, &grade)) return;
    if (grade > DCMI_HEALTH_CRITICAL && grade != DCMI_HEALTH_ABSENT) return;
    t.known |= DAB_KNOWS_HEALTH;
    t.health = grade == DCMI_HEALTH_NORMAL  ? DAB_HEALTH_OK
               : grade == DCMI_HEALTH_MINOR ? DAB_HEALTH_WARNING
                                            : DAB_HEALTH_CRITICAL;
    if (grade == DCMI_HEALTH_NORMAL) return;
    const std::string text = grade == DCMI_HEALTH_ABSENT
                                 ? "the driver says that the device does not exist"
                                 : alarms(chip);
    std::snprintf(t.health_text, sizeof t.health_text, "%s", text.c_str());
    return;
}

// The id by which the driver counts. Where the runtime cannot be asked (before CANN 9), as it reads
// the variable itself: ascending numbers without blanks, to the first that is none.
da_status logic_id(Instance& self, std::int32_t device, unsigned int* logic) {
    const Cann& cann = self.cann;
    std::int32_t id = -1;
    if (cann.aclrtGetLogicDevIdByUserDevId) {
        NPU_TRY(cann, aclrtGetLogicDevIdByUserDevId, device, &id);
        *logic = static_cast<unsigned int>(id);
        return DA_OK;
    }
    const char* visible = std::getenv("ASCEND_RT_VISIBLE_DEVICES");
    *logic = static_cast<unsigned int>(device);
    if (!visible) return DA_OK;
    for (std::int32_t i = 0;; ++i) {
        char* end = nullptr;
        const unsigned long value = std::strtoul(visible, &end, 10);
        if (end == visible || *visible < '0' || *visible > '9') break;
        *logic = static_cast<unsigned int>(value);
        if (i == device) return DA_OK;
        if (*end != ',') break;
        visible = end + 1;
    }
    return fail(DA_INTERNAL, "set ASCEND_RT_VISIBLE_DEVICES before the process starts, not in it",
                "device %d is not in ASCEND_RT_VISIBLE_DEVICES any more", int(device));
}

} // namespace

da_status telemetry(Instance& self, std::int32_t device, dab_telemetry* out) {
    if (const da_status status = check_device(self, device)) return status;
    if (const da_status status = open_dcmi(self.cann, self.dcmi)) return status;
    unsigned int logic = 0;
    if (const da_status status = logic_id(self, device, &logic)) return status;
    Chip chip{self.dcmi, -1, -1, ""};
    const int code =
        self.dcmi.dcmi_get_card_id_device_id_from_logicid(&chip.card, &chip.device, logic);
    if (code != DCMI_OK) return dcmi_fail(code, "dcmi_get_card_id_device_id_from_logicid");
    dab_telemetry t{};
    read_health(chip, t);
    read_power_and_temperature(chip, t);
    read_use(chip, t);
    const bool hbm = read_hbm(chip, t);
    if (!hbm) read_ddr(chip, t);
    read_errors(chip, t, hbm);
    read_clock(chip, t);
    if (!chip.refused.empty() && !t.health_text[0])
        std::snprintf(t.health_text, sizeof t.health_text, "refused: %s", chip.refused.c_str());
    std::snprintf(t.source, sizeof t.source, "%s", self.dcmi.source.c_str());
    const std::uint32_t size = out->size;
    t.size = size;
    std::memcpy(out, &t, std::min<std::size_t>(size, sizeof t));
    return DA_OK;
}

} // namespace device_api::npu
