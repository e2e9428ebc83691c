// SPDX-License-Identifier: Apache-2.0
// Reductions of integers that are widened first.
#pragma once

#include "tensor.hpp"

namespace device_api::core {

// Whether a copy of x in a wider type would take much memory.
bool too_large_to_widen(const Tensor& x, uint16_t dtype);

// Reduces x, not empty, in the type `dtype`; the result keeps the reduced axes at size 1.
da_status reduce_in_pieces(uint16_t op, Tensor& x, uint64_t axes, uint16_t dtype, Owned& result);

} // namespace device_api::core
