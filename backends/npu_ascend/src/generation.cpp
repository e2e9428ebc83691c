// SPDX-License-Identifier: Apache-2.0
// Releases of CANN and of its parts.
#include "generation.hpp"

#include <cstdlib>

#include "error.hpp"

namespace device_api::npu {
namespace {

constexpr const char* remedy_mixed = "source the set_env.sh of one toolkit only, and install the "
                                     "operator and kernel packages of its "
                                     "release";

// "8.1.RC1" is of generation 8; 0 for what does not begin with a number.
int generation_of(const std::string& version) {
    return std::atoi(version.c_str());
}

// ACL 1.13 came with 8.1, 1.17 with 9; what lies between is of neither for sure.
int generation_by_level(const Cann& cann) {
    std::int32_t major = 0, minor = 0, patch = 0;
    if (cann.aclrtGetVersion(&major, &minor, &patch) != ACL_SUCCESS || major != 1) return 0;
    return minor <= 13 ? 8 : minor >= 17 ? 9 : 0;
}

} // namespace

std::string package_version(const Cann& cann, aclCANNPackageName name, const char* folder) {
    aclCANNPackageVersion version{};
    if (cann.aclsysGetCANNVersion && cann.aclsysGetCANNVersion(name, &version) == ACL_SUCCESS) {
        version.version[sizeof version.version - 1] = '\0';
        if (version.version[0]) return version.version;
    }
    char text[256] = ""; // at least 128 are asked for
    std::string package = folder;
    if (!cann.aclsysGetVersionStr || cann.aclsysGetVersionStr(package.data(), text) != ACL_SUCCESS)
        return "";
    text[sizeof text - 1] = '\0';
    return text;
}

int runtime_generation(const Cann& cann) {
    const int told = generation_of(package_version(cann, ACL_PKG_NAME_RUNTIME, "runtime"));
    return told ? told : generation_by_level(cann);
}

da_status check_generations(const Cann& cann) {
    const int runtime = runtime_generation(cann);
    if (runtime == 8 && !cann.operators_whole && cann.operators_split)
        return fail(DA_VERSION_MISMATCH, remedy_mixed,
                    "CANN is mixed: the runtime %s is of CANN 8, whose operators are in "
                    "" CANN_SONAME_OPAPI ", but only operator libraries of CANN 9 are there "
                    "(libopapi_*.so)",
                    cann.runtime_path.c_str());
    const std::string operators = package_version(cann, ACL_PKG_NAME_OPP, "opp");
    const int theirs = generation_of(operators);
    if (!runtime || !theirs || runtime == theirs) return DA_OK;
    return fail(DA_VERSION_MISMATCH, remedy_mixed,
                "CANN is mixed: the runtime %s is of CANN %d, the operators are of %s",
                cann.runtime_path.c_str(), runtime, operators.c_str());
}

} // namespace device_api::npu
