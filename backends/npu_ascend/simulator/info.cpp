// SPDX-License-Identifier: Apache-2.0
// What the chip is and how it is set: names, capabilities, counts, modes and options.
#include "call.hpp"

#include <cstdio>
#include <cstring>

#include "chip.hpp"
#include "state.hpp"

using namespace cann_sim;

namespace {

aclError no_such_device(Call& c, long long user_device) {
    return c.fail(ACL_ERROR_RT_INVALID_DEVICEID, "there is no device %lld", user_device);
}

// Values of aclrtGetDeviceInfo; -1: not known for this chip.
std::int64_t attribute(aclrtDevAttr attr, int device) {
    const Chip& chip = cann_sim::chip();
    std::uint64_t free = 0, total = 0;
    switch (attr) {
    case ACL_DEV_ATTR_AICPU_CORE_NUM: return chip.aicpu_cores;
    case ACL_DEV_ATTR_AICORE_CORE_NUM:
    case ACL_DEV_ATTR_CUBE_CORE_NUM: return chip.cube_cores;
    case ACL_DEV_ATTR_VECTOR_CORE_NUM: return chip.vector_cores;
    case ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE: return 192 * 1024;
    case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE:
        engine::mem_info(device, &free, &total);
        return static_cast<std::int64_t>(total);
    case ACL_DEV_ATTR_L2_CACHE_SIZE: return chip.l2_bytes;
    case ACL_DEV_ATTR_PHY_CHIP_ID: return device;
    case ACL_DEV_ATTR_HD_CONNECT_TYPE: return 0; // PCIe
    case ACL_DEV_ATTR_IS_VIRTUAL: return 0;
    case ACL_DEV_ATTR_NPU_ARCH: return chip.npu_arch;
    }
    return -1;
}

// Options: DETERMINISTIC 0..3, the two others 0 or 1.
aclError check_option(Call& c, aclSysParamOpt opt, int64_t value) {
    if (opt < ACL_OPT_DETERMINISTIC || opt > ACL_OPT_STRONG_CONSISTENCY)
        return c.fail(ACL_ERROR_INVALID_PARAM, "option %d is unknown", static_cast<int>(opt));
    if (value < 0 || value > (opt == ACL_OPT_DETERMINISTIC ? 3 : 1))
        return c.fail(ACL_ERROR_INVALID_PARAM, "value %lld is out of range",
                      static_cast<long long>(value));
    return ACL_SUCCESS;
}

} // namespace

SIM_EXPORT aclError aclrtGetRunMode(aclrtRunMode* runMode) {
    return call(__func__, Need::nothing, [&](Call& c) -> aclError {
        if (!runMode) return c.fail(ACL_ERROR_INVALID_PARAM, "runMode is null");
        *runMode = ACL_HOST;
        return ACL_SUCCESS;
    });
}

SIM_EXPORT const char* aclrtGetSocName(void) {
    const char* name = nullptr;
    call(__func__, Need::nothing, [&](Call& c) -> aclError {
        if (engine::device_count() <= 0) return c.fail(ACL_ERROR_RT_NO_DEVICE, "no device");
        name = soc_name();
        return ACL_SUCCESS;
    });
    return name;
}

SIM_EXPORT aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo,
                                           int64_t* value) {
    return call(__func__, Need::init, [&](Call& c) -> aclError {
        if (!value) return c.fail(ACL_ERROR_INVALID_PARAM, "value is null");
        if (engine_device(static_cast<int>(deviceId)) < 0) return no_such_device(c, deviceId);
        const std::int64_t values[] = {chip().cube_cores, chip().vector_cores, chip().l2_bytes};
        const int i = static_cast<int>(deviceInfo);
        if (i < 0 || i > ACL_DEVICE_INFO_L2_SIZE)
            return c.fail(ACL_ERROR_INVALID_PARAM, "deviceInfo %d is unknown", i);
        *value = values[i];
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value) {
    return call(__func__, Need::init, [&](Call& c) -> aclError {
        if (!value) return c.fail(ACL_ERROR_INVALID_PARAM, "value is null");
        const int device = engine_device(static_cast<int>(deviceId));
        if (device < 0) return no_such_device(c, deviceId);
        const std::int64_t found = attribute(attr, device);
        if (found < 0)
            return c.fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "attribute %d is not simulated",
                          static_cast<int>(attr));
        *value = found;
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t* value) {
    return call(__func__, Need::nothing, [&](Call& c) -> aclError {
        if (!value) return c.fail(ACL_ERROR_INVALID_PARAM, "value is null");
        const bool values[] = {chip().inf_nan, chip().bf16, true};
        const int i = static_cast<int>(cannAttr);
        if (i < 0 || i > ACL_CANN_ATTR_JIT_COMPILE)
            return c.fail(ACL_ERROR_INVALID_PARAM, "cannAttr %d is unknown", i);
        *value = values[i];
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclGetCannAttributeList(const aclCannAttr** cannAttrList, size_t* num) {
    return call(__func__, Need::nothing, [&](Call& c) -> aclError {
        static const aclCannAttr all[] = {ACL_CANN_ATTR_JIT_COMPILE, ACL_CANN_ATTR_INF_NAN,
                                          ACL_CANN_ATTR_BF16};
        if (!cannAttrList || !num) return c.fail(ACL_ERROR_INVALID_PARAM, "a pointer is null");
        *cannAttrList = all;
        *num = 1u + (chip().inf_nan ? 1 : 0) + (chip().bf16 ? 1 : 0);
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtGetDeviceUtilizationRate(int32_t deviceId,
                                                  aclrtUtilizationInfo* utilizationInfo) {
    return call(__func__, Need::init, [&](Call& c) -> aclError {
        if (!utilizationInfo || utilizationInfo->utilizationExtend)
            return c.fail(ACL_ERROR_INVALID_PARAM, "the record is null, or its extend is not");
        if (engine_device(deviceId) < 0) return no_such_device(c, deviceId);
        *utilizationInfo = {0, 0, 0, -1, nullptr};
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtDeviceGetPCIBusId(int32_t deviceId, char* pciBusId, int32_t len) {
    return call(__func__, Need::init, [&](Call& c) -> aclError {
        if (!pciBusId || len < 13)
            return c.fail(ACL_ERROR_INVALID_PARAM, "the buffer is null or below 13 bytes");
        const int device = engine_device(deviceId);
        if (device < 0) return no_such_device(c, deviceId);
        if (!chip().pci_id)
            return c.fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "not on %s", chip().soc);
        std::snprintf(pciBusId, static_cast<size_t>(len), "0000:%02x:00.0", (0x3d + device) & 0xff);
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid* uuid) {
    return call(__func__, Need::init, [&](Call& c) -> aclError {
        if (!uuid) return c.fail(ACL_ERROR_INVALID_PARAM, "uuid is null");
        const int device = engine_device(deviceId);
        if (device < 0) return no_such_device(c, deviceId);
        std::memcpy(uuid->bytes, "simulated-npu-00", sizeof uuid->bytes);
        uuid->bytes[14] = static_cast<char>('0' + device / 10);
        uuid->bytes[15] = static_cast<char>('0' + device % 10);
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtGetPhyDevIdByUserDevId(const int32_t userDevId, int32_t* const phyDevId) {
    return call(__func__, Need::init, [&](Call& c) -> aclError {
        if (!phyDevId) return c.fail(ACL_ERROR_INVALID_PARAM, "phyDevId is null");
        const int device = engine_device(userDevId);
        if (device < 0) return no_such_device(c, userDevId);
        *phyDevId = device;
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid,
                                                  int32_t* const logicDevId) {
    return call(__func__, Need::init, [&](Call& c) -> aclError {
        if (!logicDevId) return c.fail(ACL_ERROR_INVALID_PARAM, "logicDevId is null");
        const int device = engine_device(userDevid);
        if (device < 0) return no_such_device(c, userDevid);
        *logicDevId = device;
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId,
                                                 int32_t* const phyDevId) {
    return call(__func__, Need::init, [&](Call& c) -> aclError {
        if (!phyDevId) return c.fail(ACL_ERROR_INVALID_PARAM, "phyDevId is null");
        if (logicDevId < 0 || logicDevId >= engine::device_count())
            return no_such_device(c, logicDevId);
        *phyDevId = logicDevId;
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode) {
    return call(__func__, Need::context, [&](Call& c) -> aclError {
        if (mode != ACL_RT_OVERFLOW_MODE_SATURATION && mode != ACL_RT_OVERFLOW_MODE_INFNAN)
            return c.fail(ACL_ERROR_INVALID_PARAM, "mode is 0 or 1");
        if (mode == ACL_RT_OVERFLOW_MODE_INFNAN && !chip().inf_nan)
            return c.fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "%s only saturates", chip().soc);
        std::lock_guard<std::mutex> guard(state().lock);
        state().saturation[c.context()->device] = mode;
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode) {
    return call(__func__, Need::context, [&](Call& c) -> aclError {
        if (!mode) return c.fail(ACL_ERROR_INVALID_PARAM, "mode is null");
        std::lock_guard<std::mutex> guard(state().lock);
        auto it = state().saturation.find(c.context()->device);
        *mode = it != state().saturation.end() ? static_cast<aclrtFloatOverflowMode>(it->second)
                : chip().inf_nan               ? ACL_RT_OVERFLOW_MODE_INFNAN
                                               : ACL_RT_OVERFLOW_MODE_SATURATION;
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
    return call(__func__, Need::init, [&](Call& c) -> aclError {
        if (aclError error = check_option(c, opt, value)) return error;
        std::lock_guard<std::mutex> guard(state().lock);
        state().options[opt] = value;
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
    return call(__func__, Need::context, [&](Call& c) -> aclError {
        if (aclError error = check_option(c, opt, value)) return error;
        std::lock_guard<std::mutex> guard(state().lock);
        c.context()->options[opt] = value;
        return ACL_SUCCESS;
    });
}
