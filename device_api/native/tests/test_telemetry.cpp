// SPDX-License-Identifier: Apache-2.0
// Telemetry: what a plugin says is passed on, what cannot be true is not, and no device is opened.
#include <cmath>
#include <cstddef>

#include "check.hpp"
#include "device_api/host_telemetry.h"
#include "mock_backend.hpp"

namespace {

dab_telemetry said; // what the mock answers
da_status answer = DA_OK;
int opened = 0;

da_status telemetry(dab_instance*, int32_t, dab_telemetry* out) {
    if (answer) return mock::state.last = answer;
    const uint32_t size = out->size;
    std::memcpy(out, &said, size);
    out->size = size;
    return DA_OK;
}

da_status device_open(dab_instance*, int32_t) {
    ++opened;
    return DA_OK;
}

dab_telemetry read(dah_device device) {
    dab_telemetry t{};
    t.size = sizeof t;
    CHECK_OK(dah_device_telemetry(device, &t));
    return t;
}

void what_is_known_is_passed_on(dah_device device) {
    said = {};
    said.known = DAB_KNOWS_POWER | DAB_KNOWS_MEMORY | DAB_KNOWS_HEALTH;
    said.power = 90;
    said.temperature = 1234; // not known: no figure
    said.memory_used = 1;
    said.memory_total = 2;
    said.health = DAB_HEALTH_WARNING;
    const dab_telemetry t = read(device);
    CHECK(t.known == said.known && t.power == 90 && t.memory_total == 2);
    CHECK(t.temperature == 0 && t.health == DAB_HEALTH_WARNING);
    CHECK(opened == 0);
}

void what_cannot_be_is_unknown(dah_device device) {
    struct Row {
        uint32_t bit;
        double dab_telemetry::* member;
        double value;
    };
    for (const Row& row :
         {Row{DAB_KNOWS_TEMPERATURE, &dab_telemetry::temperature, 32765},
          Row{DAB_KNOWS_TEMPERATURE, &dab_telemetry::temperature, NAN},
          Row{DAB_KNOWS_POWER, &dab_telemetry::power, -1},
          Row{DAB_KNOWS_UTILIZATION, &dab_telemetry::utilization, 37},
          Row{DAB_KNOWS_BANDWIDTH_UTILIZATION, &dab_telemetry::bandwidth_utilization, INFINITY}}) {
        said = {};
        said.known = row.bit | DAB_KNOWS_CLOCK;
        said.clock_mhz = 7;
        said.*row.member = row.value;
        const dab_telemetry t = read(device);
        CHECK(t.known == DAB_KNOWS_CLOCK && t.*row.member == 0 && t.clock_mhz == 7);
    }
    said = {};
    said.known = DAB_KNOWS_MEMORY | DAB_KNOWS_HEALTH;
    said.memory_used = 3;
    said.memory_total = 2;
    said.health = 9;
    CHECK(read(device).known == 0);
    dab_telemetry given{};
    given.size = sizeof given;
    CHECK_OK(dah_device_telemetry_given(device, &given)); // tests of plugins see it
    CHECK(given.known == said.known && given.memory_used == 3 && given.health == 9);
    said.known = DAB_KNOWS_MEMORY;
    said.memory_used = 0;
    said.memory_total = 0;
    CHECK(read(device).known == 0);
}

void text_is_ended(dah_device device) {
    said = {};
    std::memset(said.source, 'x', sizeof said.source);
    std::memset(said.health_text, 0xff, sizeof said.health_text); // not UTF-8 either
    const dab_telemetry t = read(device);
    CHECK(std::strlen(t.source) < sizeof t.source);
    CHECK(std::strlen(t.health_text) < sizeof t.health_text);
}

void failures_are_told(dah_device device) {
    dab_telemetry t{};
    t.size = sizeof t;
    answer = DA_NOT_SUPPORTED;
    CHECK(dah_device_telemetry(device, &t) == DA_NOT_SUPPORTED && error_says("mock"));
    answer = DA_OK;
    t.size = 0;
    CHECK(dah_device_telemetry(device, &t) == DA_INVALID_ARGUMENT && error_says("size"));
    CHECK(dah_device_telemetry(device, nullptr) == DA_INVALID_ARGUMENT);
    t.size = sizeof t;
    CHECK(dah_device_telemetry(device + 7, &t) == DA_INVALID_ARGUMENT && error_says("exist"));
}

void a_smaller_reading_is_filled(dah_device device) {
    said = {};
    said.known = DAB_KNOWS_HEALTH;
    said.health = DAB_HEALTH_OK;
    struct {
        uint32_t size, known, health;
        char beyond[8];
    } small = {offsetof(dab_telemetry, throttle), 0, 0, "intact!"};
    CHECK_OK(dah_device_telemetry(device, reinterpret_cast<dab_telemetry*>(&small)));
    CHECK(small.health == DAB_HEALTH_OK && std::strcmp(small.beyond, "intact!") == 0);
}

} // namespace

int main() {
    dab_backend with = *mock::table();
    with.telemetry = telemetry;
    with.device_open = device_open;
    CHECK_OK(dah_backend_register("mock", &with, nullptr, 0));
    dah_device device = -1;
    CHECK_OK(dah_device_get("mock", 0, &device));
    what_is_known_is_passed_on(device);
    what_cannot_be_is_unknown(device);
    text_is_ended(device);
    failures_are_told(device);
    a_smaller_reading_is_filled(device);
    dab_backend without = *mock::table();
    without.type = "plain";
    CHECK_OK(dah_backend_register("plain", &without, nullptr, 0));
    CHECK_OK(dah_device_get("plain", 0, &device));
    dab_telemetry t{};
    t.size = sizeof t;
    CHECK(dah_device_telemetry(device, &t) == DA_NOT_SUPPORTED && error_says("no telemetry"));
    return report();
}
