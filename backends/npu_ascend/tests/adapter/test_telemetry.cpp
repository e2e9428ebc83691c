// SPDX-License-Identifier: Apache-2.0
// Telemetry through the simulated DCMI: figures, ids, and answers that cannot be believed.
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "check.hpp"
#include "harness.hpp"

using namespace harness;

namespace {

dab_telemetry read(Npu& npu, int device = 0) {
    dab_telemetry t{};
    t.size = sizeof t;
    EQUAL(npu->telemetry(npu, device, &t), DA_OK);
    return t;
}

bool knows(const dab_telemetry& t, std::uint32_t bits) {
    return (t.known & bits) == bits;
}

das_telemetry setting(std::uint32_t set, int device = -1) {
    das_telemetry s{};
    s.size = sizeof s;
    s.set = set;
    s.device = device;
    return s;
}
void see(const das_telemetry& s) {
    EQUAL(control()->set_telemetry(&s), DAS_OK);
}

constexpr std::uint32_t figures = DAB_KNOWS_HEALTH | DAB_KNOWS_TEMPERATURE | DAB_KNOWS_POWER |
                                  DAB_KNOWS_UTILIZATION | DAB_KNOWS_BANDWIDTH_UTILIZATION |
                                  DAB_KNOWS_MEMORY | DAB_KNOWS_ECC | DAB_KNOWS_CLOCK |
                                  DAB_KNOWS_MEMORY_CLOCK;

void loaded(int device, double load) {
    das_telemetry s = setting(DAS_SET_LOAD, device);
    s.load = load;
    s.advance_s = 1000;
    see(s);
}

int spoil(das_fault_kind kind, const char* name, double value = 0) {
    das_fault f{};
    f.size = sizeof f;
    f.kind = kind;
    f.device = -1;
    f.value = value;
    std::snprintf(f.name, sizeof f.name, "%s", name);
    const int id = control()->fault_add(&f);
    CHECK(id > 0);
    return id;
}

// A figure that is known is one that can be; what is unknown is 0.
void check_sense(const dab_telemetry& t) {
    CHECK(t.temperature >= -60 && t.temperature <= 150);
    CHECK(t.power >= 0 && t.power < 5000);
    CHECK(t.utilization >= 0 && t.utilization <= 1);
    CHECK(t.bandwidth_utilization >= 0 && t.bandwidth_utilization <= 1);
    CHECK(t.memory_used <= t.memory_total);
    CHECK(t.clock_mhz < 20000 && t.memory_clock_mhz < 20000);
    CHECK(t.health <= DAB_HEALTH_CRITICAL && t.ecc_uncorrected < 1000);
}

} // namespace

TEST(figures) {
    Npu npu(1, {}, 256u << 20);
    void* memory = nullptr;
    EQUAL(npu->alloc(npu, 0, 32u << 20, &memory), DA_OK);
    loaded(0, 0);
    const dab_telemetry idle = read(npu);
    CHECK(knows(idle, figures | DAB_KNOWS_MEMORY_TEMPERATURE));
    CHECK(!knows(idle, DAB_KNOWS_THROTTLE) && !knows(idle, DAB_KNOWS_POWER_LIMIT));
    EQUAL(idle.health, DAB_HEALTH_OK);
    CHECK(idle.utilization == 0 && idle.ecc_corrected == 0 && idle.health_text[0] == 0);
    EQUAL(idle.memory_total, 256u << 20);
    CHECK(idle.memory_used >= 32u << 20 && idle.memory_used < 40u << 20);
    CHECK(std::strstr(idle.source, "libdcmi.so") && std::strstr(idle.source, "DCMI 24"));
    loaded(0, 1);
    const dab_telemetry busy = read(npu);
    CHECK(busy.utilization == 1 && busy.power > 2 * idle.power);
    CHECK(busy.temperature > idle.temperature + 10);
    CHECK(busy.memory_temperature > busy.temperature);
    EQUAL(npu->free(npu, 0, memory), DA_OK);
}

TEST(work_is_load) {
    Npu npu;
    Stream s(npu);
    View x(s, s.upload(std::vector<float>(1 << 18, 1)), DA_FLOAT32, {1 << 18});
    read(npu);
    for (int i = 0; i < 60; ++i) must(s, DA_OP_NEG, {x.tensor()}, x);
    s.wait();
    CHECK(read(npu).utilization > 0.05);
}

TEST(ids_are_the_drivers) {
    setenv("DEVICE_API_SIM_NPU_CHIP", "Ascend910_9391", 1); // two chips on a card
    setenv("ASCEND_RT_VISIBLE_DEVICES", "1,2,5", 1);
    Npu npu(6);
    std::int32_t count = 0;
    EQUAL(npu->device_count(npu, &count), DA_OK);
    EQUAL(count, 3);
    loaded(-1, 0);
    loaded(5, 1);
    CHECK(read(npu, 2).utilization == 1);
    CHECK(read(npu, 0).utilization == 0 && read(npu, 1).utilization == 0);
    dab_telemetry t{};
    t.size = sizeof t;
    EQUAL(npu->telemetry(npu, 3, &t), DA_INVALID_ARGUMENT);
}

TEST(ids_before_9) {
    setenv("DEVICE_API_SIM_NPU_CHIP", "Ascend910_9391", 1);
    setenv("ASCEND_RT_VISIBLE_DEVICES", "0,3", 1);
    Npu npu(4, {{"api", "8.1"}}); // no way to ask the runtime for the id
    loaded(-1, 0);
    loaded(3, 1);
    CHECK(read(npu, 1).utilization == 1 && read(npu, 0).utilization == 0);
}

TEST(opens_no_device) {
    Npu npu(2);
    read(npu, 1);
    CHECK(control()->live("aclrtContext") == 0 && control()->live("stream") == 0);
}

TEST(errors_and_alarms) {
    Npu npu;
    das_telemetry s = setting(DAS_SET_ECC);
    s.ecc_corrected = 5;
    see(s);
    dab_telemetry t = read(npu);
    CHECK(t.ecc_corrected == 5 && t.ecc_uncorrected == 0 && t.health == DAB_HEALTH_OK);
    s.ecc_corrected = 0;
    s.ecc_uncorrected = 1;
    see(s);
    t = read(npu);
    CHECK(t.ecc_uncorrected == 1 && t.health == DAB_HEALTH_CRITICAL);
    CHECK(std::strstr(t.health_text, "80E01801"));
    EQUAL(npu->device_open(npu, 0), DA_OK);
    EQUAL(npu->device_reset(npu, 0), DA_OK);
    t = read(npu);
    CHECK(t.ecc_uncorrected == 1 && t.health == DAB_HEALTH_OK); // counters are of its life
    s = setting(DAS_SET_CODE);
    s.code = 0x80C98008;
    s.severity = 1;
    see(s);
    t = read(npu);
    CHECK(t.health == DAB_HEALTH_WARNING && std::strstr(t.health_text, "80C98008"));
    s.severity = 0;
    see(s);
    EQUAL(read(npu).health, DAB_HEALTH_OK);
}

TEST(a_fault_of_memory_is_counted) {
    Npu npu;
    Stream s(npu);
    View x(s, s.upload(std::vector<float>{1, 2}), DA_FLOAT32, {2});
    inject(DAS_FAULT_ECC);
    must(s, DA_OP_NEG, {x.tensor()}, x);
    EQUAL(npu->stream_synchronize(npu, s, -1), DA_HARDWARE_FAULT);
    const dab_telemetry t = read(npu);
    CHECK(t.ecc_uncorrected == 1 && t.health == DAB_HEALTH_CRITICAL);
}

TEST(a_lost_device_still_answers) {
    Npu npu;
    EQUAL(control()->device_lose(0), DAS_OK);
    const dab_telemetry t = read(npu);
    CHECK(t.health == DAB_HEALTH_CRITICAL && knows(t, DAB_KNOWS_TEMPERATURE));
    CHECK(std::strstr(t.health_text, "does not answer"));
}

TEST(heat_lowers_the_clock) {
    Npu npu;
    loaded(0, 1);
    const std::uint32_t full = read(npu).clock_mhz;
    das_telemetry s = setting(DAS_SET_AMBIENT);
    s.ambient_c = 70;
    s.advance_s = 1000;
    see(s);
    const dab_telemetry t = read(npu);
    CHECK(t.clock_mhz < full && t.health == DAB_HEALTH_WARNING);
    s.ambient_c = 200; // hotter than any chip that works: not believed
    see(s);
    CHECK(!knows(read(npu), DAB_KNOWS_TEMPERATURE));
}

TEST(calls_that_fail_are_unknown_figures) {
    Npu npu;
    const int all = spoil(DAS_FAULT_TELEMETRY, "");
    dab_telemetry t = read(npu);
    EQUAL(t.known, 0u);
    CHECK(std::strstr(t.health_text, "dcmi_get_device_health (-8005)"));
    EQUAL(control()->fault_remove(all), DAS_OK);
    spoil(DAS_FAULT_TELEMETRY, "dcmi_get_device_power_info");
    t = read(npu);
    CHECK(!knows(t, DAB_KNOWS_POWER) && t.power == 0);
    CHECK(knows(t, figures & ~std::uint32_t{DAB_KNOWS_POWER}));
}

TEST(short_answers_are_no_figures) {
    Npu npu(1, {}, 256u << 20);
    void* memory = nullptr;
    EQUAL(npu->alloc(npu, 0, 32u << 20, &memory), DA_OK);
    const dab_telemetry whole = read(npu);
    for (const double zeroed : {0.0, 1.0}) {
        const int all = spoil(DAS_FAULT_TELEMETRY_SHORT, "", zeroed);
        const dab_telemetry t = read(npu);
        check_sense(t);
        const std::uint32_t gone = DAB_KNOWS_POWER | DAB_KNOWS_TEMPERATURE | DAB_KNOWS_MEMORY |
                                   DAB_KNOWS_CLOCK | DAB_KNOWS_MEMORY_CLOCK |
                                   DAB_KNOWS_MEMORY_TEMPERATURE;
        EQUAL(t.known & gone, 0u);
        if (zeroed == 0) EQUAL(t.known, 0u);
        EQUAL(control()->fault_remove(all), DAS_OK);
    }
    EQUAL(read(npu).known, whole.known);
    EQUAL(npu->free(npu, 0, memory), DA_OK);
}

TEST(old_figures) {
    Npu npu;
    loaded(0, 0);
    const dab_telemetry before = read(npu);
    const int all = spoil(DAS_FAULT_TELEMETRY_STALE, "");
    loaded(0, 1);
    CHECK(read(npu).power == before.power);
    EQUAL(control()->fault_remove(all), DAS_OK);
    CHECK(read(npu).power > before.power);
}

TEST(memory_beside_the_chip) {
    setenv("DEVICE_API_SIM_NPU_CHIP", "Ascend310P3", 1);
    Npu npu(1, {}, 256u << 20);
    const dab_telemetry t = read(npu);
    CHECK(knows(t, DAB_KNOWS_MEMORY | DAB_KNOWS_MEMORY_CLOCK | DAB_KNOWS_ECC));
    CHECK(!knows(t, DAB_KNOWS_MEMORY_TEMPERATURE));
    EQUAL(t.memory_total, 256u << 20);
}

TEST(an_older_host_gets_what_it_knows) {
    Npu npu;
    struct {
        dab_telemetry t;
        char beyond[8];
    } r{};
    std::memset(&r, 0x55, sizeof r);
    r.t.size = offsetof(dab_telemetry, power);
    EQUAL(npu->telemetry(npu, 0, &r.t), DA_OK);
    CHECK(r.t.size == offsetof(dab_telemetry, power) && r.t.temperature > 0);
    const char* untouched = reinterpret_cast<const char*>(&r.t.power);
    for (std::size_t i = 0; i < 8; ++i) CHECK(untouched[i] == 0x55);
}

TEST(no_management_library) {
    for (const char* path : {"/usr/local/Ascend/driver/lib64/driver/libdcmi.so",
                             "/usr/local/dcmi/libdcmi.so", "/usr/local/Ascend/cann/lib64"})
        if (FILE* f = std::fopen(path, "rb")) {
            std::fclose(f);
            return; // this machine has one of its own
        }
    setenv("NPU_TEST_SIMULATOR", paths().simulator.c_str(), 1);
    setenv("ASCEND_HOME_PATH", (paths().strange + "/costume").c_str(), 1);
    Npu npu(Npu::real);
    dab_telemetry t{};
    t.size = sizeof t;
    EQUAL(npu->telemetry(npu, 0, &t), DA_NOT_SUPPORTED);
    const std::string words = last_words();
    CHECK(words.find("/usr/local/dcmi/libdcmi.so") != std::string::npos);
    CHECK(words.find("install Ascend's driver") != std::string::npos);
}

TEST(readings_leave_nothing_behind) {
    Npu npu;
    read(npu);
    for (int i = 0; i < 1000; ++i) read(npu);
    CHECK(control()->leak_count() == 0 && control()->misuse_count() == 0);
}
