// SPDX-License-Identifier: Apache-2.0
// Private: what is live and was never given back.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace device_api::engine {

/// One text for each piece of memory, oldest first, then one for each kind of object.
std::vector<std::string> leaks();
/// Names and numbers of live objects, kinds without any left out (handle.cpp).
std::vector<std::pair<std::string, std::uint64_t>> handle_counts();
/// Misuse and leaks to the file that DEVICE_API_SIM_REPORT names, or to stderr.
void report_at_exit() noexcept;

} // namespace device_api::engine
