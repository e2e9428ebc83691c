// SPDX-License-Identifier: Apache-2.0
// Which release of CANN is there: versions by the functions of 8 and of 9, and parts that differ.
#pragma once

#include <string>

#include "cann.hpp"

namespace device_api::npu {

/// Version of a package as text, by whichever function this CANN has; "" when it does not say.
/// `folder` is the package's name for CANN 9, under share/info.
std::string package_version(const Cann& cann, aclCANNPackageName name, const char* folder);

/// 8 or 9: of the runtime's package, else by its level of ACL; 0 when it cannot be told.
int runtime_generation(const Cann& cann);

/// DA_VERSION_MISMATCH when runtime and operators are of different generations, as in a toolkit of
/// 8 with operators of 9. Once the operators are open.
da_status check_generations(const Cann& cann);

} // namespace device_api::npu
