// SPDX-License-Identifier: Apache-2.0
// Defects of what a device says of itself.
#include <cstring>

#include "rows.hpp"

namespace device_api::planted {

namespace {

template <int How>
void properties(dab_backend& t) {
    t.device_properties = [](dab_instance* s, std::int32_t d, dab_properties* out) {
        static std::uint64_t seen = 0;
        const da_status status = inner().device_properties(s, d, out);
        if (status != DA_OK) return status;
        struck();
        ++seen;
        if (How == 0) out->name[0] = 0;
        if (How == 1) out->total_memory = 0;
        if (How == 2) out->total_memory += seen << 20;
        if (How == 3) out->alignment = 4096;
        if (How == 4) out->compute_units = 0;
        return status;
    };
}

template <int How>
void sensors(dab_backend& t) {
    if (!t.telemetry) return;
    t.telemetry = [](dab_instance* s, std::int32_t d, dab_telemetry* out) {
        static std::uint64_t seen = 0;
        const da_status status = inner().telemetry(s, d, out);
        if (status != DA_OK) return status;
        struck();
        ++seen;
        if (How == 0) out->known |= DAB_KNOWS_TEMPERATURE, out->temperature = -300;
        if (How == 1) out->known |= DAB_KNOWS_UTILIZATION, out->utilization = 87;
        if (How == 2) out->memory_used = out->memory_total * 2 + 1;
        if (How == 3) out->known |= DAB_KNOWS_POWER, out->power = -5;
        if (How == 4) out->source[0] = 0;
        if (How == 5) out->known |= DAB_KNOWS_ECC, out->ecc_corrected = 1000 - seen;
        if (How == 6) out->memory_total += seen << 20;
        return status;
    };
}

const Plant rows[] = {
    member("R-no-name", "a device has no name", "", properties<0>),
    member("R-no-memory", "a device has no memory", "", properties<1>),
    member("R-memory-grows", "properties change between calls", "", properties<2>),
    member("R-alignment-lie", "blocks are less aligned than is said", "A04", properties<3>),
    member("R-count-grows", "the number of devices changes", "",
           [](dab_backend& t) {
               t.device_count = [](dab_instance* s, std::int32_t* n) {
                   static std::int32_t seen = 0;
                   const da_status status = inner().device_count(s, n);
                   if (status == DA_OK && ++seen > 1) ++*n, struck();
                   return status;
               };
           }),
    member("T-temperature-garbage", "the temperature lies below absolute zero", "", sensors<0>),
    member("T-utilization-percent", "the use is told in percent", "", sensors<1>),
    member("T-memory-too-much", "more memory is used than there is", "", sensors<2>),
    member("T-power-negative", "the power is negative", "", sensors<3>),
    member("T-no-source", "nothing says who was asked", "", sensors<4>),
    member("T-ecc-falls", "a counter of errors runs backwards", "", sensors<5>),
    member("T-memory-grows", "the memory's size changes", "", sensors<6>),
};

} // namespace

Table devices() {
    return {rows, std::size(rows)};
}

} // namespace device_api::planted
