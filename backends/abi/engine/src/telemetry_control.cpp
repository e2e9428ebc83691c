// SPDX-License-Identifier: Apache-2.0
// Telemetry steered from outside: das_control.set_telemetry.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "control.hpp"
#include "engine.hpp"

namespace device_api::engine {
namespace {

bool sensible(const das_telemetry& t) {
    const double figures[] = {t.ambient_c, t.load, t.advance_s};
    const bool finite = std::all_of(std::begin(figures), std::end(figures),
                                    [](double x) { return std::isfinite(x); });
    const bool good = finite && t.load <= 1 && t.advance_s >= 0 && t.ambient_c >= -60 &&
                      t.ambient_c <= 200 && t.severity >= 0 && t.severity <= 3 &&
                      !(t.set & ~std::uint32_t{DAS_SET_ALL}) && t.device >= -1;
    if (!good)
        fail(Status::invalid_value,
             "telemetry: device -1 or up, ambient_c -60 to 200, load up to 1, advance_s 0 or more, "
             "severity 0 to 3 and bits of DAS_SET_* are possible");
    return good;
}

void apply(Sensors& s, const das_telemetry& t) {
    const TelemetryModel m = telemetry_model();
    const std::lock_guard<std::mutex> lock(s.mutex);
    s.step(m, now_ns());
    if (t.set & DAS_SET_AMBIENT) s.ambient = t.ambient_c == 0 ? 1e-9 : t.ambient_c;
    if (t.set & DAS_SET_LOAD) s.forced = t.load;
    if (t.set & DAS_SET_LOAD && t.load >= 0) s.load = t.load;
    if (t.set & DAS_SET_ECC) {
        s.ecc_corrected += t.ecc_corrected;
        s.ecc_uncorrected += t.ecc_uncorrected;
        s.ecc_alarm = s.ecc_alarm || t.ecc_uncorrected > 0;
    }
    if (t.set & DAS_SET_CODE) {
        auto& list = s.injected;
        list.erase(std::remove_if(list.begin(), list.end(),
                                  [&](const Ailment& a) { return !t.code || a.code == t.code; }),
                   list.end());
        if (t.severity && list.size() < 128)
            list.push_back({Ailment::injected, t.severity, t.code});
    }
    s.pass(m, t.advance_s);
}

} // namespace

int control_set_telemetry(const das_telemetry* given) noexcept {
    das_telemetry t{};
    if (alive() != Status::ok) return DAS_UNUSABLE;
    if (!given || given->size < offsetof(das_telemetry, ambient_c)) {
        fail(Status::invalid_value,
             "a struct without its size was given to the simulator's control table");
        return DAS_INVALID;
    }
    std::memcpy(static_cast<void*>(&t), given, std::min(given->size, sizeof t));
    if (!sensible(t)) return DAS_INVALID;
    if (t.device >= device_count()) {
        fail(Status::invalid_device, "no device %d: there are %d", t.device, device_count());
        return DAS_NOT_FOUND;
    }
    for (const auto& d : all_devices())
        if (t.device < 0 || d->index == t.device) apply(d->sensors, t);
    return DAS_OK;
}

} // namespace device_api::engine
