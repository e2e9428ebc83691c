// SPDX-License-Identifier: Apache-2.0
// Rows of the tables of docstrings.
#pragma once

#include "binding.hpp"

namespace device_api::binding {

struct Doc {
    const char* name;
    const char* text; // with a first line for the signature
};
extern const Doc elementwise_docs[]; // ends with a NULL

} // namespace device_api::binding
