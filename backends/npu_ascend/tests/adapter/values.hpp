// SPDX-License-Identifier: Apache-2.0
// Values for tests of operators.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "check.hpp"

using Floats = std::vector<float>;
using Bools = std::vector<std::uint8_t>;

inline const float not_a_number = std::numeric_limits<float>::quiet_NaN();
inline const float inf = std::numeric_limits<float>::infinity();

/// Equal to a relative 1e-6; NaN equals NaN.
inline void close(const Floats& got, const Floats& want) {
    EQUAL(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        const bool both_nan = std::isnan(got[i]) && std::isnan(want[i]);
        if (both_nan || got[i] == want[i]) continue;
        if (!(std::fabs(got[i] - want[i]) <= 1e-6f * std::fabs(want[i])))
            check::failed(__FILE__, __LINE__,
                          "element " + std::to_string(i) + ": " + std::to_string(got[i]) +
                              " instead of " + std::to_string(want[i]));
    }
}
