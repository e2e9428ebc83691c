// SPDX-License-Identifier: Apache-2.0
// Private: the compiler's messages in the manner of NVRTC.
#pragma once

#include <string>

#include "device_api/engine/simt.hpp"

namespace device_api::engine::simt {

/// The name that messages about name expressions carry; the line is the expression's number.
constexpr const char* expression_file = "<name expression>";

/// "name(3): error: ...", the line and a caret, and the count of errors.
std::string vendor_log(const std::string& output, const Source& source, const std::string& cxx);

/// The name under which a module has what a name expression says.
std::string lowered_name(const Module& m, const std::string& expression);

} // namespace device_api::engine::simt
