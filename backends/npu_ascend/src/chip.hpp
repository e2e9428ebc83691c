// SPDX-License-Identifier: Apache-2.0
// Which chip it is: the product family decides what operators take.
#pragma once

#include <string>

namespace device_api::npu {

/// Product families, as the vendor's operator documentation tells them apart; bits for tables.
enum Family : unsigned {
    family_unknown = 0,
    family_910a = 1, // Atlas training series, first generation; no bfloat16
    family_a2 = 2,   // Atlas A2 ("910B")
    family_a3 = 4,   // Atlas A3 ("910C")
    family_310p = 8, // Atlas inference series
    family_310b = 16,
    family_950 = 32,
    family_all = 63
};

/// By the name that aclrtGetSocName returns, e.g. "Ascend910B3".
Family family_of(const std::string& soc);

} // namespace device_api::npu
