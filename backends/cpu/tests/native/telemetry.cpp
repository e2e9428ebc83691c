// SPDX-License-Identifier: Apache-2.0
// Telemetry from a made-up tree of the system's files, and from the machine's own.
#include <sys/stat.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "support.hpp"

namespace test {
namespace {

void write(const std::string& path, const std::string& content) {
    for (size_t at = path.find('/', 5); at != std::string::npos; at = path.find('/', at + 1))
        mkdir(path.substr(0, at).c_str(), 0700);
    std::FILE* file = std::fopen(path.c_str(), "w");
    CHECK(file, "cannot write %s", path.c_str());
    if (!file) return;
    std::fputs(content.c_str(), file);
    std::fclose(file);
}

dab_telemetry read(dab_instance* self) {
    dab_telemetry t = {};
    t.size = sizeof t;
    CHECK(backend.table->telemetry(self, 0, &t) == DA_OK, "telemetry: %s", last_error().message);
    return t;
}

void made_up() {
    char folder[] = "/tmp/device_api_cpu_XXXXXX";
    CHECK(mkdtemp(folder), "no folder");
    const std::string root = folder, hwmon = root + "/sys/class/hwmon/";
    write(root + "/proc/stat", "cpu  100 0 100 800 0 0 0 0 0 0\ncpu0 1 2 3 4\n");
    write(hwmon + "hwmon0/name", "nvme\n"); // no processor
    write(hwmon + "hwmon0/temp1_input", "91000\n");
    write(hwmon + "hwmon1/name", "coretemp\n");
    write(hwmon + "hwmon1/temp1_input", "41000\n");
    write(hwmon + "hwmon1/temp2_input", "47500\n");
    write(hwmon + "hwmon1/temp3_input", "32765000\n"); // a sensor that is not there
    write(root + "/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "1800000\n");
    write(root + "/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "2400000\n");
    write(root + "/sys/devices/system/edac/mc/mc0/ce_count", "3\n");
    write(root + "/sys/devices/system/edac/mc/mc0/ue_count", "1\n");
    write(root + "/sys/devices/system/edac/mc/mc1/ce_count", "4\n");
    write(root + "/sys/devices/system/edac/mc/mc1/ue_count", "0\n");
    dab_instance* self = nullptr;
    CHECK(make({"system", root.c_str()}, &self) == DA_OK, "create");
    dab_telemetry t = read(self);
    CHECK(!(t.known & DAB_KNOWS_UTILIZATION), "use of no span of time");
    CHECK(t.known & DAB_KNOWS_TEMPERATURE && t.temperature == 47.5, "%g degrees", t.temperature);
    CHECK(t.known & DAB_KNOWS_CLOCK && t.clock_mhz == 2400, "%u MHz", t.clock_mhz);
    CHECK(t.known & DAB_KNOWS_ECC && t.ecc_corrected == 7 && t.ecc_uncorrected == 1, "errors");
    write(root + "/proc/stat", "cpu  130 0 100 860 10 0 0 0 0 0\n"); // 30 of 100 at work
    t = read(self);
    CHECK(t.known & DAB_KNOWS_UTILIZATION && t.utilization == 0.3, "use %g", t.utilization);
    CHECK(read(self).utilization == 0.3, "no time has passed: the figure of before");
    CHECK(!(t.known & (DAB_KNOWS_HEALTH | DAB_KNOWS_POWER | DAB_KNOWS_THROTTLE)), "not known");
    CHECK(std::strstr(t.source, "hwmon") && std::strstr(t.source, "edac"), "source %s", t.source);
    backend.table->destroy(self);
    dab_instance* bare = nullptr;
    CHECK(make({"system", "/nowhere"}, &bare) == DA_OK, "create without files");
    t = read(bare);
    CHECK((t.known & ~uint32_t{DAB_KNOWS_MEMORY}) == 0, "known of nothing: %x", t.known);
    backend.table->destroy(bare);
    CHECK(std::system(("rm -r " + root).c_str()) == 0, "left %s", folder);
}

void own() {
    const dab_telemetry t = read(backend.self);
    CHECK(t.known & DAB_KNOWS_MEMORY && t.memory_used > 0 && t.memory_used <= t.memory_total,
          "memory");
    CHECK(t.utilization >= 0 && t.utilization <= 1, "use %g", t.utilization);
    dab_telemetry other = {};
    other.size = sizeof other;
    CHECK(backend.table->telemetry(backend.self, 1, &other) == DA_INVALID_ARGUMENT, "device 1");
    struct {
        uint32_t size, known;
        char beyond[8];
    } old = {8, 0, "intact!"};
    CHECK(backend.table->telemetry(backend.self, 0, reinterpret_cast<dab_telemetry*>(&old)) ==
              DA_OK,
          "older host");
    CHECK(old.size == 8 && old.known != 0 && std::strcmp(old.beyond, "intact!") == 0,
          "writes beyond an older host's struct");
}

} // namespace

void test_telemetry() {
    made_up();
    own();
}

} // namespace test
