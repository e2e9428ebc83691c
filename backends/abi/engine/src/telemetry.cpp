// SPDX-License-Identifier: Apache-2.0
// The model of telemetry: load from the time that tasks run, power from the load, and a temperature
// that follows with a delay; above a limit the clock is lowered.
#include "device_api/engine/telemetry.hpp"

#include <algorithm>
#include <cmath>

#include "engine.hpp"
#include "memory.hpp"

namespace device_api::engine {
namespace {

constexpr std::int64_t shortest_ns = 20'000'000; // between two steps of the model
constexpr double lowest_clock = 0.4;

struct Model {
    std::mutex mutex;
    TelemetryModel figures;
};
Model& model() {
    static auto* m = new Model;
    return *m;
}

double base(const TelemetryModel& m, const Sensors& s) {
    return m.idle_c + (s.ambient != 0 ? s.ambient - m.ambient_c : 0);
}

// The clock at which the temperature would settle at the limit.
double clock_for(const TelemetryModel& m, const Sensors& s) {
    const double rise = s.load * (m.peak_c - m.idle_c);
    if (s.temperature < m.throttle_c || rise <= 0) return 1;
    return std::clamp((m.throttle_c - base(m, s)) / rise, lowest_clock, 1.0);
}

void add_ailments(const TelemetryModel& m, const Device& d, TelemetryReading* out) {
    const Sensors& s = d.sensors;
    out->ailments = s.injected;
    if (d.lost) out->ailments.push_back({Ailment::lost, 3, 0});
    if (s.ecc_alarm) out->ailments.push_back({Ailment::uncorrected_error, 3, 0});
    if (s.temperature >= m.throttle_c) out->ailments.push_back({Ailment::hot, 1, 0});
    std::stable_sort(out->ailments.begin(), out->ailments.end(),
                     [](const Ailment& a, const Ailment& b) { return a.severity > b.severity; });
}

TelemetryReading reading_of(const TelemetryModel& m, Device& d) {
    Sensors& s = d.sensors;
    TelemetryReading r;
    r.temperature = s.temperature;
    r.memory_temperature = s.temperature + m.memory_c;
    r.power = m.idle_w + s.load * s.clock * (m.peak_w - m.idle_w);
    r.utilization = s.load;
    r.bandwidth = s.bandwidth;
    const MemoryStats memory = d.memory->stats();
    r.memory_used = memory.used;
    r.memory_total = memory.total;
    r.ecc_corrected = s.ecc_corrected;
    r.ecc_uncorrected = s.ecc_uncorrected;
    r.clock_mhz = static_cast<std::uint32_t>(std::lround(m.clock_mhz * s.clock));
    r.clock_max_mhz = m.clock_mhz;
    r.memory_clock_mhz = m.memory_clock_mhz;
    add_ailments(m, d, &r);
    return r;
}

} // namespace

Busy::Busy(Sensors* sensors, double bytes) : sensors_(sensors) {
    if (!sensors_) return;
    const std::int64_t now = now_ns();
    const std::lock_guard<std::mutex> lock(sensors_->mutex);
    sensors_->bytes += bytes;
    if (sensors_->running++ == 0) sensors_->busy_since = now;
}

Busy::~Busy() {
    if (!sensors_) return;
    const std::int64_t now = now_ns();
    const std::lock_guard<std::mutex> lock(sensors_->mutex);
    if (--sensors_->running == 0)
        sensors_->busy_ns += std::max<std::int64_t>(now - sensors_->busy_since, 0);
}

void Sensors::pass(const TelemetryModel& m, double seconds) {
    if (!begun) temperature = base(m, *this);
    begun = true;
    const double longest = m.settle_s / 8;
    for (int i = 0; seconds > 0 && i < 4000; ++i) {
        const double dt = std::min(seconds, longest);
        clock = clock_for(m, *this);
        const double target = base(m, *this) + load * clock * (m.peak_c - m.idle_c);
        temperature += (target - temperature) * (1 - std::exp(-dt / m.settle_s));
        seconds -= dt;
    }
}

void Sensors::step(const TelemetryModel& m, std::int64_t now) {
    if (begun && now - read_ns < shortest_ns) return;
    const double seconds = double(now - read_ns) * 1e-9;
    const std::int64_t busy = busy_ns + (running ? now - busy_since : 0);
    load = forced >= 0 ? forced : std::clamp(double(busy - busy_then) / (seconds * 1e9), 0.0, 1.0);
    bandwidth = std::clamp((bytes - bytes_then) / (seconds * m.memory_gbps * 1e9), 0.0, 1.0);
    pass(m, seconds);
    read_ns = now;
    busy_then = busy;
    bytes_then = bytes;
}

void Sensors::take_over(Sensors& before) {
    const std::scoped_lock lock(mutex, before.mutex);
    read_ns = before.read_ns;
    begun = before.begun;
    ambient = before.ambient;
    forced = before.forced;
    temperature = before.temperature;
    ecc_corrected = before.ecc_corrected;
    ecc_uncorrected = before.ecc_uncorrected;
}

void Sensors::uncorrected_error() {
    const std::lock_guard<std::mutex> lock(mutex);
    ++ecc_uncorrected;
    ecc_alarm = true;
}

void telemetry_model(const TelemetryModel& given) noexcept {
    const TelemetryModel defaults;
    TelemetryModel m = given;
    constexpr double TelemetryModel::* members[] = {
        &TelemetryModel::idle_w,     &TelemetryModel::peak_w,    &TelemetryModel::idle_c,
        &TelemetryModel::peak_c,     &TelemetryModel::ambient_c, &TelemetryModel::memory_c,
        &TelemetryModel::throttle_c, &TelemetryModel::settle_s,  &TelemetryModel::memory_gbps};
    for (auto member : members)
        if (!(m.*member > 0)) m.*member = defaults.*member;
    if (!m.clock_mhz) m.clock_mhz = defaults.clock_mhz;
    if (!m.memory_clock_mhz) m.memory_clock_mhz = defaults.memory_clock_mhz;
    const std::lock_guard<std::mutex> lock(model().mutex);
    model().figures = m;
}

TelemetryModel telemetry_model() noexcept {
    const std::lock_guard<std::mutex> lock(model().mutex);
    return model().figures;
}

Status telemetry(int device, TelemetryReading* out, bool stale) noexcept {
    Status why;
    const auto d = find_device(device, &why, true);
    if (!d) return why;
    const TelemetryModel m = telemetry_model();
    const std::lock_guard<std::mutex> lock(d->sensors.mutex);
    if (!stale || !d->sensors.begun) {
        d->sensors.step(m, now_ns());
        d->sensors.last = reading_of(m, *d);
    }
    *out = d->sensors.last;
    return Status::ok;
}

} // namespace device_api::engine
