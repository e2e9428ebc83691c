// SPDX-License-Identifier: Apache-2.0
// Where CANN's libraries may be, by the vendor's own rules.
#pragma once

#include <string>
#include <vector>

namespace device_api::npu {

/// Folders with CANN's libraries, most wanted first: ASCEND_HOME_PATH, ASCEND_TOOLKIT_HOME, then
/// the standard places of CANN 9 and CANN 8.
std::vector<std::string> library_folders();

/// What to try for a library: the linker's own search, then the folders.
std::vector<std::string> candidates(const std::vector<std::string>& sonames);

/// Operator libraries of CANN 9 (libopapi_*.so) in `folder`, sorted.
std::vector<std::string> split_operator_libraries(const std::string& folder);

/// The folders in one line, for a message.
std::string folders_in_words();

} // namespace device_api::npu
