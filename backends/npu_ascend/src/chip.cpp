// SPDX-License-Identifier: Apache-2.0
// The table from SoC names to product families.
#include "chip.hpp"

#include <cctype>

namespace device_api::npu {
namespace {

struct NameRow {
    const char* prefix;
    bool digit_follows; // "Ascend910B3" is an A2 chip, "Ascend910B" one of the first generation
    Family family;
};

constexpr NameRow rows[] = {
    {"Ascend910_9", false, family_a3},  {"Ascend910B", true, family_a2},
    {"Ascend910", false, family_910a},  {"Ascend310P", false, family_310p},
    {"Ascend310B", false, family_310b}, {"Ascend950", false, family_950},
};

} // namespace

Family family_of(const std::string& soc) {
    for (const NameRow& row : rows) {
        const std::string prefix = row.prefix;
        if (soc.compare(0, prefix.size(), prefix) != 0) continue;
        const bool digit = soc.size() > prefix.size() &&
                           std::isdigit(static_cast<unsigned char>(soc[prefix.size()]));
        if (!row.digit_follows || digit) return row.family;
    }
    return family_unknown;
}

} // namespace device_api::npu
