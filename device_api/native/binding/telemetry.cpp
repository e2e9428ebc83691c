// SPDX-License-Identifier: Apache-2.0
// Telemetry: a reading as a dict; what is unknown is None.
#include "device_api/host_telemetry.h"

#include "runtime.hpp"

namespace device_api::binding {
namespace {

using py::arg;

const char* const healths[] = {"unknown", "ok", "warning", "critical"};
const std::pair<uint32_t, const char*> throttles[] = {
    {DAB_THROTTLE_THERMAL, "thermal"},
    {DAB_THROTTLE_POWER, "power"},
    {DAB_THROTTLE_HARDWARE, "hardware"},
    {DAB_THROTTLE_OTHER, "other"},
};

py::object throttle_names(uint32_t bits) {
    py::set names;
    for (const auto& [bit, name] : throttles) {
        if (bits & bit) names.add(name);
    }
    return py::reinterpret_steal<py::object>(PyFrozenSet_New(names.ptr()));
}

py::dict telemetry(py::handle device, bool given) {
    const dah_device handle = resolve(device);
    dab_telemetry t{};
    t.size = sizeof t;
    da_status status;
    {
        const Unlocked unlocked(true); // a driver may take its time
        status = given ? dah_device_telemetry_given(handle, &t) : dah_device_telemetry(handle, &t);
    }
    check(status);
    py::dict d;
    auto put = [&](const char* name, uint32_t bit, py::object value) {
        d[name] = t.known & bit ? value : py::object(py::none());
    };
    put("health", DAB_KNOWS_HEALTH, py::str(healths[t.health & 3]));
    put("throttle", DAB_KNOWS_THROTTLE, throttle_names(t.throttle));
    put("temperature", DAB_KNOWS_TEMPERATURE, py::float_(t.temperature));
    put("memory_temperature", DAB_KNOWS_MEMORY_TEMPERATURE, py::float_(t.memory_temperature));
    put("power", DAB_KNOWS_POWER, py::float_(t.power));
    put("power_limit", DAB_KNOWS_POWER_LIMIT, py::float_(t.power_limit));
    put("utilization", DAB_KNOWS_UTILIZATION, py::float_(t.utilization));
    put("bandwidth_utilization", DAB_KNOWS_BANDWIDTH_UTILIZATION,
        py::float_(t.bandwidth_utilization));
    put("memory_used", DAB_KNOWS_MEMORY, py::int_(t.memory_used));
    put("memory_total", DAB_KNOWS_MEMORY, py::int_(t.memory_total));
    put("ecc_corrected", DAB_KNOWS_ECC, py::int_(t.ecc_corrected));
    put("ecc_uncorrected", DAB_KNOWS_ECC, py::int_(t.ecc_uncorrected));
    put("clock_mhz", DAB_KNOWS_CLOCK, py::int_(t.clock_mhz));
    put("memory_clock_mhz", DAB_KNOWS_MEMORY_CLOCK, py::int_(t.memory_clock_mhz));
    d["health_text"] = t.health_text;
    d["source"] = t.source;
    return d;
}

} // namespace

void add_telemetry(py::module_& m) {
    m.def("telemetry", telemetry, arg("device") = py::none(), arg("given") = false);
}

} // namespace device_api::binding
