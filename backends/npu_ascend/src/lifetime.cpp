// SPDX-License-Identifier: Apache-2.0
// create, destroy, and the ownership of aclInit.
#include <cstring>
#include <memory>

#include "device_api/adapter/fork.hpp"
#include "instance.hpp"

namespace device_api::npu {
namespace {

constexpr const char* remedy_options = "the Python module device_api_npu gives the right options";

da_status read_flag(const char* key, const char* value, bool& flag) {
    if (std::strcmp(value, "0") != 0 && std::strcmp(value, "1") != 0)
        return fail(DA_INVALID_ARGUMENT, remedy_options, "option %s is \"%s\", not 0 or 1", key,
                    value);
    flag = value[0] == '1';
    return DA_OK;
}

da_status read_api(const char* value, bool& only_8_1) {
    if (std::strcmp(value, "8.1") != 0 && std::strcmp(value, "9") != 0)
        return fail(DA_INVALID_ARGUMENT, remedy_options, "option api is \"%s\", not 8.1 or 9",
                    value);
    only_8_1 = value[0] == '8';
    return DA_OK;
}

da_status read_option(const char* key, const char* value, Options& options) {
    if (std::strcmp(key, "simulate") == 0) return read_flag(key, value, options.simulate);
    if (std::strcmp(key, "api") == 0) return read_api(value, options.only_8_1);
    if (std::strcmp(key, "simulator") != 0)
        return fail(DA_INVALID_ARGUMENT, remedy_options,
                    "unknown option \"%s\"; known are simulate, simulator and api", key);
    options.simulator = value;
    return DA_OK;
}

da_status check_options(const Options& options) {
    if (options.simulate && (options.simulator.empty() || options.simulator[0] != '/'))
        return fail(DA_INVALID_ARGUMENT, remedy_options,
                    "simulate=1 needs simulator=<absolute folder of the simulated libraries>");
    if (!options.simulate && (!options.simulator.empty() || options.only_8_1))
        return fail(DA_INVALID_ARGUMENT, remedy_options,
                    "the options simulator and api need simulate=1: real and simulated libraries "
                    "never mix");
    return DA_OK;
}

da_status read_options(const dab_config& config, Options& options) {
    for (std::uint32_t i = 0; i < config.n_options; ++i) {
        const char* key = config.options[2 * i];
        const char* value = config.options[2 * i + 1];
        if (!key || !value)
            return fail(DA_INVALID_ARGUMENT, remedy_options, "option %u is null", i);
        if (const da_status status = read_option(key, value, options)) return status;
    }
    return check_options(options);
}

// ACL belongs to the process: its users in this library are counted here.
struct Acl {
    std::mutex lock;
    int users = 0;
    bool owner = false;
};
Acl& acl() {
    static Acl* state = new Acl; // never destroyed: calls may come while the process exits
    return *state;
}

da_status acquire_acl(const Cann& cann) {
    Acl& state = acl();
    const std::lock_guard<std::mutex> guard(state.lock);
    if (state.users == 0) {
        const int code = cann.aclInit(nullptr);
        if (code != ACL_SUCCESS && code != ACL_ERROR_REPEAT_INITIALIZE)
            return vendor_fail(cann, code, "aclInit");
        state.owner = code == ACL_SUCCESS; // else other code of the process will finalise it
    }
    ++state.users;
    return DA_OK;
}

da_status count_devices(Instance& self) {
    std::uint32_t count = 0;
    const int code = self.cann.aclrtGetDeviceCount(&count);
    if (code == ACL_ERROR_RT_NO_DEVICE) {
        if (!relies_on(self.cann, CANN_BELIEF_NO_DEVICE_COUNT_207004))
            return vendor_fail(self.cann, code, "aclrtGetDeviceCount");
        count = 0;
    } else if (code != ACL_SUCCESS) {
        return vendor_fail(self.cann, code, "aclrtGetDeviceCount");
    }
    self.device_count.store(count < max_devices ? static_cast<std::int32_t>(count) : max_devices);
    return DA_OK;
}

} // namespace

da_status create(const dab_config* config, dab_instance** out) {
    if (!config || !out || !DAB_HAS(dab_config, config->size, n_options))
        return fail(DA_INVALID_ARGUMENT, nullptr, "create: config or result is missing");
    if (forked()) return refuse_forked();
    Options options;
    if (const da_status status = read_options(*config, options)) return status;
    auto instance = std::make_unique<dab_instance>();
    if (const da_status status = open_runtime(options, instance->cann)) return status;
    if (options.simulate) watch_forks(); // simulated libraries are in use once they are loaded
    *out = instance.release();
    return DA_OK;
}

da_status ensure_initialised(Instance& self) {
    if (self.initialised.load(std::memory_order_acquire)) return DA_OK;
    const std::lock_guard<std::mutex> guard(self.lock);
    if (self.initialised.load(std::memory_order_relaxed)) return DA_OK;
    watch_forks();
    if (const da_status status = acquire_acl(self.cann)) return status;
    if (const da_status status = count_devices(self)) {
        release_acl(self);
        return status;
    }
    // A simulated one may carry a label: "Ascend910B3 (label)".
    const char* soc = self.cann.aclrtGetSocName();
    self.soc = soc ? std::string(soc).substr(0, std::string(soc).find(' ')) : "";
    self.family = family_of(self.soc);
    self.initialised.store(true, std::memory_order_release);
    return DA_OK;
}

void release_acl(Instance& self) {
    Acl& state = acl();
    const std::lock_guard<std::mutex> guard(state.lock);
    if (--state.users > 0) return;
    // aclFinalize ends ACL for all users of the process: only the owner calls it, and only where
    // this CANN does not count users.
    if (self.cann.aclFinalizeReference)
        self.cann.aclFinalizeReference(nullptr);
    else if (state.owner)
        self.cann.aclFinalize();
    state.owner = false;
}

// Order: callback threads, work, devices, ACL. The host has destroyed its streams and events.
void destroy(Instance& self) {
    for (int i = 0; i < max_devices; ++i) {
        Device& device = self.devices[static_cast<std::size_t>(i)];
        if (device.sets.load() == 0) continue;
        device.reports.stop();
        if (use_device(self, i) == DA_OK) self.cann.aclrtSynchronizeDeviceWithTimeout(-1);
        for (std::uint32_t n = device.sets.exchange(0); n > 0; --n)
            if (self.cann.aclrtResetDevice(i) != ACL_SUCCESS) break;
    }
    forget_current_devices();
    if (self.initialised.load()) release_acl(self);
    delete &self;
}

} // namespace device_api::npu
