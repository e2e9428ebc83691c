// SPDX-License-Identifier: Apache-2.0
// The model of telemetry: load, power, temperature with its delay, errors, alarms and steering.
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

#include "sim.hpp"

using namespace sim;

namespace {

TelemetryReading read(int device = 0, bool stale = false) {
    TelemetryReading r;
    CHECK(telemetry(device, &r, stale) == Status::ok);
    return r;
}

das_telemetry setting(std::uint32_t set, int device = -1) {
    das_telemetry s{};
    s.size = sizeof s;
    s.set = set;
    s.device = device;
    return s;
}

void load(double share, double seconds, int device = -1) {
    das_telemetry s = setting(DAS_SET_LOAD, device);
    s.load = share;
    s.advance_s = seconds;
    CHECK(control()->set_telemetry(&s) == DAS_OK);
}

bool near(double a, double b, double by) {
    return std::fabs(a - b) <= by;
}

} // namespace

TEST(power_follows_at_once_temperature_later) {
    fresh();
    const TelemetryModel m = telemetry_model();
    load(0, 0);
    CHECK(near(read().temperature, m.idle_c, 0.1) && near(read().power, m.idle_w, 0.1));
    load(1, 0);
    CHECK(near(read().power, m.peak_w, 0.1) && read().temperature < m.idle_c + 2);
    load(1, m.settle_s); // one time constant: 1 - 1 / e of the way
    CHECK(near(read().temperature, m.idle_c + 0.632 * (m.peak_c - m.idle_c), 1.5));
    load(1, 20 * m.settle_s);
    CHECK(near(read().temperature, m.peak_c, 0.5));
    load(0.5, 20 * m.settle_s);
    CHECK(near(read().temperature, (m.idle_c + m.peak_c) / 2, 0.5));
    CHECK(near(read().utilization, 0.5, 1e-9));
}

TEST(load_is_measured) {
    fresh(2, 256u << 20, 1, DAS_IMMEDIATE);
    Handle s = new_stream();
    read(0);
    read(1);
    Tensor x = upload<float>(std::vector<float>(1000, 1), {1000});
    Launch l;
    l.name = "sleep";
    l.operands = {{x, Access::write}};
    l.task = [](TaskContext&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        return Status::ok;
    };
    CHECK(launch(s, std::move(l)) == Status::ok && stream_synchronize(s) == Status::ok);
    const double used = read(0).utilization;
    CHECK(used > 0.4 && used <= 1);
    CHECK(read(1).utilization == 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    CHECK(read(0).utilization < 0.2);
    CHECK(read(0).memory_used >= 4000 && read(0).memory_total == 256u << 20);
}

TEST(heat_lowers_clock_and_power) {
    fresh();
    const TelemetryModel m = telemetry_model();
    load(1, 1000);
    CHECK(read().clock_mhz == m.clock_mhz && read().ailments.empty());
    das_telemetry hot = setting(DAS_SET_AMBIENT);
    hot.ambient_c = m.throttle_c - m.peak_c + m.ambient_c + 10;
    hot.advance_s = 1000;
    CHECK(control()->set_telemetry(&hot) == DAS_OK);
    const TelemetryReading r = read();
    CHECK(r.clock_mhz < m.clock_mhz && r.power < m.peak_w);
    CHECK(near(r.temperature, m.throttle_c, 3));
}

TEST(errors_and_alarms) {
    fresh(2);
    das_telemetry s = setting(DAS_SET_ECC, 1);
    s.ecc_corrected = 3;
    s.ecc_uncorrected = 2;
    CHECK(control()->set_telemetry(&s) == DAS_OK);
    CHECK(read(0).ecc_corrected == 0 && read(1).ecc_corrected == 3);
    CHECK(read(1).ailments.size() == 1 && read(1).ailments[0].severity == 3);
    s = setting(DAS_SET_CODE, 1);
    s.code = 0x1234;
    s.severity = 1;
    CHECK(control()->set_telemetry(&s) == DAS_OK && read(1).ailments.size() == 2);
    CHECK(read(1).ailments[0].severity == 3); // the worst first
    CHECK(device_lose(1, "test") == Status::ok && read(1).ailments.size() == 3);
    CHECK(device_reset(1) == Status::ok && read(1).ailments.empty());
    CHECK(read(1).ecc_uncorrected == 2);
    CHECK(control()->reset() == DAS_OK);
    CHECK(read(0).ecc_uncorrected == 0);
}

TEST(stale_readings) {
    fresh();
    load(0, 1000);
    const double before = read().power;
    load(1, 0);
    CHECK(read(0, true).power == before);
    CHECK(read().power > before);
}

TEST(settings_that_make_no_sense) {
    fresh();
    const double bad = std::numeric_limits<double>::quiet_NaN();
    das_telemetry s = setting(DAS_SET_LOAD);
    s.load = bad;
    CHECK(control()->set_telemetry(&s) == DAS_INVALID);
    s.load = 1.5;
    CHECK(control()->set_telemetry(&s) == DAS_INVALID);
    s = setting(64);
    CHECK(control()->set_telemetry(&s) == DAS_INVALID);
    s = setting(DAS_SET_LOAD, 7);
    CHECK(control()->set_telemetry(&s) == DAS_NOT_FOUND && contains(control()->message(), "7"));
    CHECK(control()->set_telemetry(nullptr) == DAS_INVALID);
    TelemetryReading r;
    CHECK(telemetry(9, &r) == Status::invalid_device);
}

int main(int argc, char** argv) {
    return check::main(argc, argv);
}
