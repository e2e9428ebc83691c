// SPDX-License-Identifier: Apache-2.0
// Device memory and pinned host memory.
#include "call.hpp"

#include "chip.hpp"
#include "state.hpp"

using namespace cann_sim;

namespace {

constexpr std::uintptr_t host_page = 4096;

aclError allocate(Call& c, void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
    if (!devPtr) return c.fail(ACL_ERROR_INVALID_PARAM, "devPtr is null");
    *devPtr = nullptr;
    if (size == 0) return c.fail(ACL_ERROR_INVALID_PARAM, "size is 0");
    const int bits = ACL_MEM_TYPE_LOW_BAND_WIDTH | ACL_MEM_TYPE_HIGH_BAND_WIDTH |
                     ACL_MEM_ACCESS_USER_SPACE_READONLY;
    const int base = static_cast<int>(policy) & ~bits;
    if (base < 0 || base > ACL_MEM_MALLOC_HUGE1G_ONLY_P2P)
        return c.fail(ACL_ERROR_INVALID_PARAM, "policy %d is unknown", static_cast<int>(policy));
    engine::DevicePtr p = 0;
    const Status status = engine::mem_alloc(c.context()->device, size, &p);
    if (status == Status::ok) *devPtr = reinterpret_cast<void*>(p);
    return c.engine(status);
}

aclError release(Call& c, void* devPtr) {
    if (!devPtr) return c.fail(ACL_ERROR_INVALID_PARAM, "devPtr is null");
    return c.engine(engine::mem_free(reinterpret_cast<engine::DevicePtr>(devPtr)));
}

bool is_ddr(aclrtMemAttr attr) {
    return attr == ACL_DDR_MEM || attr == ACL_DDR_MEM_HUGE || attr == ACL_DDR_MEM_NORMAL ||
           attr == ACL_DDR_MEM_P2P_HUGE || attr == ACL_DDR_MEM_P2P_NORMAL;
}

} // namespace

SIM_EXPORT aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total) {
    return call(__func__, Need::context, [&](Call& c) -> aclError {
        if (!free || !total) return c.fail(ACL_ERROR_INVALID_PARAM, "free or total is null");
        *free = *total = 0;
        constexpr int last_attr = 17; // 12..17 came with 9.x and name no kind of memory
        if (static_cast<int>(attr) < 0 || static_cast<int>(attr) > last_attr)
            return c.fail(ACL_ERROR_INVALID_PARAM, "attr %d is unknown", static_cast<int>(attr));
        // A chip with DDR only answers queries for HBM with its DDR; the other way round is 0 / 0.
        if (chip().hbm && is_ddr(attr)) return ACL_SUCCESS;
        std::uint64_t f = 0, t = 0;
        const aclError error = c.engine(engine::mem_info(c.context()->device, &f, &t));
        *free = f;
        *total = t;
        return error;
    });
}

SIM_EXPORT aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
    return call(__func__, Need::work, [&](Call& c) { return allocate(c, devPtr, size, policy); });
}

SIM_EXPORT aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
    return call(__func__, Need::work, [&](Call& c) { return allocate(c, devPtr, size, policy); });
}

SIM_EXPORT aclError aclrtMallocCached(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
    return call(__func__, Need::work, [&](Call& c) { return allocate(c, devPtr, size, policy); });
}

SIM_EXPORT aclError aclrtMallocWithCfg(void** devPtr, size_t size, aclrtMemMallocPolicy policy,
                                       aclrtMallocConfig* cfg) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        if (cfg && cfg->numAttrs)
            return c.fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "attributes in cfg are not simulated");
        return allocate(c, devPtr, size, policy);
    });
}

SIM_EXPORT aclError aclrtFree(void* devPtr) {
    return call(__func__, Need::work, [&](Call& c) { return release(c, devPtr); });
}

SIM_EXPORT aclError aclrtFreeWithDevSync(void* devPtr) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        if (devPtr) {
            const aclError error = c.deferred(engine::device_synchronize(c.context()->device),
                                              ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
            if (error) return error;
        }
        return release(c, devPtr);
    });
}

SIM_EXPORT aclError aclrtMallocHost(void** hostPtr, size_t size) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        if (!hostPtr) return c.fail(ACL_ERROR_INVALID_PARAM, "hostPtr is null");
        *hostPtr = nullptr;
        if (size == 0) return c.fail(ACL_ERROR_INVALID_PARAM, "size is 0");
        return c.engine(engine::host_alloc(size, hostPtr));
    });
}

SIM_EXPORT aclError aclrtFreeHost(void* hostPtr) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        if (!hostPtr) return c.fail(ACL_ERROR_INVALID_PARAM, "hostPtr is null");
        return c.engine(engine::host_free(hostPtr));
    });
}

// The memory is pinned for copies. *devPtr is the host address: kernels of the simulator do not
// take it, and say so when they run.
SIM_EXPORT aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type,
                                      void** devPtr) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        if (!ptr || !devPtr || size == 0)
            return c.fail(ACL_ERROR_INVALID_PARAM, "ptr or devPtr is null, or size is 0");
        if (type != ACL_HOST_REGISTER_MAPPED)
            return c.fail(ACL_ERROR_INVALID_PARAM, "type %d is unknown", static_cast<int>(type));
        if (!chip().host_register)
            return c.fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "%s does not register host memory",
                          chip().soc);
        if (reinterpret_cast<std::uintptr_t>(ptr) % host_page)
            return c.misuse(Rule::host_alignment, ACL_ERROR_RT_PARAM_INVALID,
                            "ptr must be aligned to 4 KiB");
        const aclError error = c.engine(engine::host_register(ptr, size));
        *devPtr = error ? nullptr : ptr;
        return error;
    });
}

SIM_EXPORT aclError aclrtHostUnregister(void* ptr) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        if (!ptr) return c.fail(ACL_ERROR_INVALID_PARAM, "ptr is null");
        return c.engine(engine::host_unregister(ptr));
    });
}

SIM_EXPORT aclError aclrtPointerGetAttributes(const void* ptr, aclrtPtrAttributes* attributes) {
    return call(__func__, Need::context, [&](Call& c) -> aclError {
        if (!ptr || !attributes)
            return c.fail(ACL_ERROR_INVALID_PARAM, "ptr or attributes is null");
        engine::PointerInfo info;
        if (aclError error = c.engine(engine::pointer_info(ptr, &info))) return error;
        *attributes = {};
        constexpr aclrtMemLocationType types[] = {
            ACL_MEM_LOCATION_TYPE_UNREGISTERED, ACL_MEM_LOCATION_TYPE_HOST,
            ACL_MEM_LOCATION_TYPE_DEVICE}; // by engine::PointerKind
        attributes->location.type = types[static_cast<int>(info.kind)];
        attributes->location.id = info.device < 0 ? 0 : static_cast<uint32_t>(info.device);
        attributes->pageSize = host_page;
        return ACL_SUCCESS;
    });
}
