// SPDX-License-Identifier: Apache-2.0
// The shape rules of the op table, as checks.
#pragma once

#include "op_info.hpp"
#include "shape.hpp"

namespace device_api::core {

// The operands of a call that is to be checked; `out` is the output's shape.
struct Operands {
    uint16_t op;
    Tensor* const* inputs;
    int n_inputs;
    Shape out;
    const da_value* attributes; // axes counted from the front
};

// Whether the shapes and attributes are what the op table wants; the error names the rule.
da_status check_shapes(const Operands& operands);

} // namespace device_api::core
