// SPDX-License-Identifier: Apache-2.0
// Telemetry: use from /proc/stat, temperature from hwmon, clock from cpufreq, errors from EDAC.
#include "telemetry.hpp"

#include <glob.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "device.hpp"

namespace device_api::cpu {
namespace {

constexpr uint64_t kLeastTicks = 4; // of all processors together: less says nothing

bool read_line(const std::string& path, char* line, int room) {
    std::FILE* file = std::fopen(path.c_str(), "re");
    if (!file) return false;
    const bool good = std::fgets(line, room, file) != nullptr;
    std::fclose(file);
    return good;
}

bool read_number(const std::string& path, double* value) {
    char line[64];
    return read_line(path, line, sizeof line) && std::sscanf(line, "%lf", value) == 1;
}

std::vector<std::string> matching(const std::string& pattern) {
    glob_t found = {};
    std::vector<std::string> paths;
    if (glob(pattern.c_str(), 0, nullptr, &found) == 0)
        paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    globfree(&found);
    return paths;
}

// user, nice, system, idle, iowait, irq, softirq, steal; guests are in user and nice already.
bool read_ticks(const std::string& root, Ticks* ticks) {
    char line[512];
    unsigned long long t[8] = {};
    if (!read_line(root + "/proc/stat", line, sizeof line)) return false;
    const int count = std::sscanf(line, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", t, t + 1,
                                  t + 2, t + 3, t + 4, t + 5, t + 6, t + 7);
    if (count < 4) return false;
    uint64_t all = 0;
    for (const unsigned long long part : t) all += part;
    *ticks = {all - t[3] - t[4], all};
    return true;
}

// Drivers of sensors that sit in processors.
bool of_processor(const std::string& chip) {
    char name[64] = "";
    if (!read_line(chip + "/name", name, sizeof name)) return false;
    name[std::strcspn(name, "\n")] = 0;
    for (const char* known : {"coretemp", "k10temp", "zenpower", "cpu_thermal", "soc_thermal"})
        if (std::strcmp(name, known) == 0) return true;
    return false;
}

// The hottest one, in degrees.
bool read_temperature(const std::string& root, double* celsius) {
    bool found = false;
    for (const std::string& chip : matching(root + "/sys/class/hwmon/hwmon*")) {
        if (!of_processor(chip)) continue;
        for (const std::string& path : matching(chip + "/temp*_input")) {
            double milli = 0;
            if (!read_number(path, &milli) || milli < -50e3 || milli > 200e3) continue;
            *celsius = found ? std::max(*celsius, milli / 1e3) : milli / 1e3;
            found = true;
        }
    }
    return found;
}

// The fastest processor now.
bool read_clock(const std::string& root, uint32_t* mhz) {
    double khz = 0, most = 0;
    for (const std::string& path :
         matching(root + "/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq"))
        if (read_number(path, &khz)) most = std::max(most, khz);
    *mhz = static_cast<uint32_t>(most / 1e3);
    return most >= 1e3;
}

// Of all memory controllers; false where the kernel does not count.
bool read_errors(const std::string& root, dab_telemetry* t) {
    double corrected = 0, uncorrected = 0;
    bool found = false;
    for (const std::string& controller : matching(root + "/sys/devices/system/edac/mc/mc*")) {
        if (!read_number(controller + "/ce_count", &corrected) ||
            !read_number(controller + "/ue_count", &uncorrected) || corrected < 0 ||
            uncorrected < 0)
            continue;
        t->ecc_corrected += static_cast<uint64_t>(corrected);
        t->ecc_uncorrected += static_cast<uint64_t>(uncorrected);
        found = true;
    }
    return found;
}

void read_memory(dab_instance* self, int32_t device, dab_telemetry* t) {
    uint64_t free_bytes = 0;
    memory_info(self, device, &free_bytes, &t->memory_total);
    if (!t->memory_total) return;
    t->memory_used = t->memory_total - std::min(free_bytes, t->memory_total);
    t->known |= DAB_KNOWS_MEMORY;
}

} // namespace

LoadMeter::LoadMeter(std::string root) : root_(std::move(root)) {
    read_ticks(root_, &last_);
}

bool LoadMeter::read(double* share) {
    Ticks now;
    if (!read_ticks(root_, &now)) return false;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (now.all >= last_.all + kLeastTicks && now.busy >= last_.busy) {
        share_ = double(now.busy - last_.busy) / double(now.all - last_.all);
        last_ = now;
    }
    *share = std::min(share_, 1.0);
    return share_ >= 0;
}

da_status telemetry(dab_instance* self, int32_t device, dab_telemetry* out) {
    if (const da_status bad = check_device(device)) return bad;
    const std::string& root = self->load->root();
    dab_telemetry t = {};
    if (self->load->read(&t.utilization)) t.known |= DAB_KNOWS_UTILIZATION;
    if (read_temperature(root, &t.temperature)) t.known |= DAB_KNOWS_TEMPERATURE;
    if (read_clock(root, &t.clock_mhz)) t.known |= DAB_KNOWS_CLOCK;
    if (read_errors(root, &t)) t.known |= DAB_KNOWS_ECC;
    read_memory(self, device, &t);
    std::snprintf(t.source, sizeof t.source, "/proc/stat, /proc/meminfo%s%s%s",
                  t.known & DAB_KNOWS_TEMPERATURE ? ", hwmon" : "",
                  t.known & DAB_KNOWS_CLOCK ? ", cpufreq" : "",
                  t.known & DAB_KNOWS_ECC ? ", edac" : "");
    const uint32_t size = out->size;
    t.size = size;
    std::memcpy(out, &t, std::min<size_t>(size, sizeof t));
    return DA_OK;
}

} // namespace device_api::cpu
