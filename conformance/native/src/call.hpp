// SPDX-License-Identifier: Apache-2.0
// The plugin's ops, wrapped.
#pragma once

#include <vector>

#include "plant.hpp"

namespace device_api::planted {

/// The defect of this process.
const Plant& plant();
const char* op_name(std::uint16_t op);
std::size_t attributes_of(std::uint16_t op);

/// The entries of one device's op table, each with the defect around it.
std::vector<dab_op> wrapped(std::int32_t device, const dab_op* ops, std::uint32_t count,
                            std::uint32_t stride);

} // namespace device_api::planted
