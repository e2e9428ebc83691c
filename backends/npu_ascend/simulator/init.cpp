// SPDX-License-Identifier: Apache-2.0
// aclInit and aclFinalize, error texts, versions.
#include "call.hpp"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "chip.hpp"
#include "generation.hpp"
#include "lifecycle.hpp"
#include "state.hpp"

using namespace cann_sim;

namespace {

bool read_file(const char* path, std::string* text) {
    std::FILE* f = std::fopen(path, "rb");
    if (!f) return false;
    char chunk[4096];
    for (std::size_t n; (n = std::fread(chunk, 1, sizeof chunk, f)) > 0;) text->append(chunk, n);
    std::fclose(f);
    return true;
}

// "defaultDevice": {"default_device": "0"}: the device of threads that have set none. The rest of
// the configuration has no meaning here. False: the number cannot be read.
bool read_default_device(const std::string& config, int* device) {
    *device = -1;
    const std::size_t section = config.find("\"defaultDevice\"");
    if (section == std::string::npos) return true;
    constexpr const char* key = "\"default_device\"";
    std::size_t at = config.find(key, section);
    if (at == std::string::npos) return false;
    at = config.find_first_not_of(" \t\r\n:\"", at + std::strlen(key));
    if (at == std::string::npos || !std::isdigit(static_cast<unsigned char>(config[at])))
        return false;
    *device = std::atoi(config.c_str() + at);
    return true;
}

// By the name of a package's folder; those of the operators begin with "op".
const Generation& package_of(const char* folder) {
    return std::strncmp(folder, "op", 2) == 0 ? operator_generation() : generation();
}

aclError end_all(Call& c) {
    const std::size_t left = end_all_contexts();
    if (!left) return ACL_SUCCESS;
    return c.misuse(Rule::teardown_order, ACL_SUCCESS,
                    "%zu contexts were left; destroy contexts and reset devices first", left);
}

} // namespace

SIM_EXPORT aclError aclInit(const char* configPath) {
    return call(__func__, Need::nothing, [&](Call& c) -> aclError {
        for (const std::string& problem : {engine::chip_problem(), generation_problem()})
            if (!problem.empty()) return c.fail(ACL_ERROR_INVALID_PARAM, "%s", problem.c_str());
        std::string config;
        if (configPath && *configPath && !read_file(configPath, &config))
            return c.fail(ACL_ERROR_INVALID_FILE, "cannot read the configuration %s", configPath);
        int default_device;
        if (!read_default_device(config, &default_device))
            return c.fail(ACL_ERROR_INVALID_PARAM,
                          "%s: defaultDevice needs \"default_device\" with a number", configPath);
        State& s = state();
        std::lock_guard<std::mutex> guard(s.lock);
        if (s.init_count > 0) {
            if (config != s.config)
                return c.fail(ACL_ERROR_INVALID_PARAM,
                              "initialised already, with another configuration");
            ++s.init_count;
            return c.fail(ACL_ERROR_REPEAT_INITIALIZE,
                          "initialised already; the caller is not the owner");
        }
        s.init_count = 1;
        s.finalised = false;
        s.config = config;
        s.default_device = default_device;
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclFinalize(void) {
    return call(__func__, Need::nothing, [&](Call& c) -> aclError {
        {
            State& s = state();
            std::lock_guard<std::mutex> guard(s.lock);
            if (s.init_count == 0)
                return c.fail(s.finalised ? ACL_ERROR_REPEAT_FINALIZE : ACL_ERROR_UNINITIALIZE,
                              "nothing to finalise");
            s.init_count = 0; // at once, for every user of the process
            s.finalised = true;
        }
        return end_all(c);
    });
}

SIM_EXPORT aclError aclFinalizeReference(uint64_t* refCount) {
    return call(__func__, Need::nothing, [&](Call& c) -> aclError {
        State& s = state();
        std::uint64_t left;
        {
            std::lock_guard<std::mutex> guard(s.lock);
            if (s.init_count == 0) return c.fail(ACL_ERROR_REPEAT_FINALIZE, "nothing to finalise");
            left = --s.init_count;
            s.finalised = left == 0;
        }
        if (refCount) *refCount = left;
        return left == 0 ? end_all(c) : ACL_SUCCESS;
    });
}

SIM_EXPORT const char* aclGetRecentErrMsg(void) {
    return take_error_text();
}

SIM_EXPORT aclError aclrtPeekAtLastError(aclrtLastErrLevel level) {
    return level == ACL_RT_THREAD_LEVEL ? last_error(false) : ACL_ERROR_INVALID_PARAM;
}

SIM_EXPORT aclError aclrtGetLastError(aclrtLastErrLevel level) {
    return level == ACL_RT_THREAD_LEVEL ? last_error(true) : ACL_ERROR_INVALID_PARAM;
}

SIM_EXPORT aclError aclrtGetVersion(int32_t* major, int32_t* minor, int32_t* patch) {
    return call(__func__, Need::nothing, [&](Call& c) -> aclError {
        if (!major || !minor || !patch)
            return c.fail(ACL_ERROR_INVALID_PARAM, "an output pointer is null");
        *major = generation().api[0];
        *minor = generation().api[1];
        *patch = generation().api[2];
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion* version) {
    return call(__func__, Need::nothing, [&](Call& c) -> aclError {
        if (!version) return c.fail(ACL_ERROR_INVALID_PARAM, "version is null");
        if (name < ACL_PKG_NAME_CANN || name > ACL_PKG_NAME_DRIVER)
            return c.fail(ACL_ERROR_INVALID_FILE, "no package is numbered %d", name);
        const bool opp = name == ACL_PKG_NAME_OPP || name == ACL_PKG_NAME_OPP_KERNEL;
        const Generation& g = opp ? operator_generation() : generation();
        std::memset(version, 0, sizeof *version);
        std::snprintf(version->version, sizeof version->version, "%s", g.package);
        std::snprintf(version->majorVersion, sizeof version->majorVersion, "%s", g.major);
        std::snprintf(version->minorVersion, sizeof version->minorVersion, "%s", g.minor);
        std::snprintf(version->releaseVersion, sizeof version->releaseVersion, "%s", g.release);
        std::snprintf(version->patchVersion, sizeof version->patchVersion, "simulated");
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclsysGetVersionStr(char* pkgName, char* version) {
    return call(__func__, Need::nothing, [&](Call& c) -> aclError {
        if (!pkgName || !version)
            return c.fail(ACL_ERROR_INVALID_PARAM, "pkgName or version is null");
        std::snprintf(version, 128, "%s", package_of(pkgName).package);
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclsysGetVersionNum(char* pkgName, int32_t* version) {
    return call(__func__, Need::nothing, [&](Call& c) -> aclError {
        if (!pkgName || !version)
            return c.fail(ACL_ERROR_INVALID_PARAM, "pkgName or version is null");
        *version = package_of(pkgName).number;
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback) {
    // The simulator has no exception records to hand out: only "no callback" is accepted.
    return call(__func__, Need::init, [&](Call& c) -> aclError {
        if (!callback) return ACL_SUCCESS;
        return c.fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "not simulated");
    });
}
