// SPDX-License-Identifier: Apache-2.0
// Memory pools. A pool is a name for memory of a device with counters: freed memory goes back to
// the device at once, whatever the release threshold says.
#include <cstring>

#include "state.hpp"

using namespace cuda_sim;

namespace {

struct Pool {
    int device = 0;
    bool of_device = false; // the default one
    std::mutex lock;        // of what follows
    std::uint64_t attributes[9] = {0, 1, 1, 1, 0, 0, 0, 0, 0};
    std::map<int, CUmemAccess_flags> access;
};

std::map<int, Handle>& current_pools() {
    static auto* pools = new std::map<int, Handle>;
    return *pools;
}
std::map<int, Handle>& default_pools() {
    static auto* pools = new std::map<int, Handle>;
    return *pools;
}
std::mutex& pools_lock() {
    static auto* lock = new std::mutex;
    return *lock;
}

Handle new_pool(int device, bool of_device) {
    auto p = std::make_shared<Pool>();
    p->device = device;
    p->of_device = of_device;
    return engine::handle_create(kind_pool, p);
}

Handle default_pool(int device) {
    std::lock_guard<std::mutex> guard(pools_lock());
    Handle& h = default_pools()[device];
    if (!h) h = new_pool(device, true);
    return h;
}

CUresult get_pool(const char* name, CUmemoryPool* pool, CUdevice dev, bool usual) {
    return call(name, Need::init, [&](Call& c) -> CUresult {
        const int device = engine_device(dev);
        if (device < 0) return c.fail(CUDA_ERROR_INVALID_DEVICE, "no device %d", dev);
        if (!pool) return c.fail(CUDA_ERROR_INVALID_VALUE, "pool is null");
        Handle h = default_pool(device);
        std::lock_guard<std::mutex> guard(pools_lock());
        const auto set = current_pools().find(device);
        if (!usual && set != current_pools().end()) h = set->second;
        *pool = static_cast<CUmemoryPool>(h);
        return CUDA_SUCCESS;
    });
}

/// `body(c, pool)` for the pool behind a handle.
template <class Body>
CUresult with_pool(const char* name, CUmemoryPool pool, Body body) {
    return call(name, Need::init, [&](Call& c) -> CUresult {
        std::shared_ptr<Pool> p;
        if (CUresult why = c.engine(engine::handle_get(kind_pool, static_cast<Handle>(pool), &p)))
            return why;
        std::lock_guard<std::mutex> guard(p->lock);
        return body(c, *p);
    });
}

} // namespace

void cuda_sim::forget_pools() {
    std::lock_guard<std::mutex> guard(pools_lock());
    current_pools().clear();
    default_pools().clear();
}

SIM_EXPORT CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool_out, CUdevice dev) {
    return get_pool(__func__, pool_out, dev, true);
}
SIM_EXPORT CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice dev) {
    return get_pool(__func__, pool, dev, false);
}
SIM_EXPORT CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool) {
    const int device = engine_device(dev);
    return with_pool(__func__, pool, [&](Call& c, Pool& p) -> CUresult {
        if (device != p.device)
            return c.fail(CUDA_ERROR_INVALID_VALUE, "the pool's device is another");
        std::lock_guard<std::mutex> guard(pools_lock());
        current_pools()[device] = pool;
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* poolProps) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        if (!pool || !poolProps)
            return c.fail(CUDA_ERROR_INVALID_VALUE, "pool or properties are null");
        const int device = engine_device(poolProps->location.id);
        if (poolProps->location.type != CU_MEM_LOCATION_TYPE_DEVICE || device < 0)
            return c.fail(CUDA_ERROR_NOT_SUPPORTED, "only pools of a device are simulated");
        if (poolProps->handleTypes != CU_MEM_HANDLE_TYPE_NONE)
            return c.fail(CUDA_ERROR_NOT_SUPPORTED, "memory of other processes is not simulated");
        *pool = static_cast<CUmemoryPool>(new_pool(device, false));
        return CUDA_SUCCESS;
    });
}
SIM_EXPORT CUresult cuMemPoolDestroy(CUmemoryPool pool) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        std::shared_ptr<Pool> p;
        if (CUresult why = c.engine(engine::handle_get(kind_pool, static_cast<Handle>(pool), &p)))
            return why;
        if (p->of_device) return c.fail(CUDA_ERROR_INVALID_VALUE, "a default pool stays");
        {
            std::lock_guard<std::mutex> guard(pools_lock());
            const auto set = current_pools().find(p->device);
            if (set != current_pools().end() && set->second == pool) current_pools().erase(set);
        }
        return c.engine(engine::handle_take<Pool>(kind_pool, static_cast<Handle>(pool), nullptr));
    });
}
SIM_EXPORT CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t) {
    return with_pool(__func__, pool, [](Call&, Pool&) { return CUDA_SUCCESS; });
}

SIM_EXPORT CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr,
                                          void* value) {
    return with_pool(__func__, pool, [&](Call& c, Pool& p) -> CUresult {
        if (!value || attr < 1 || attr > 8)
            return c.fail(CUDA_ERROR_INVALID_VALUE, "no attribute %d, or value is null", attr);
        std::uint64_t v = 0;
        std::memcpy(&v, value, attr < CU_MEMPOOL_ATTR_RELEASE_THRESHOLD ? 4 : 8);
        p.attributes[attr] = v;
        return CUDA_SUCCESS;
    });
}
SIM_EXPORT CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr,
                                          void* value) {
    return with_pool(__func__, pool, [&](Call& c, Pool& p) -> CUresult {
        if (!value || attr < 1 || attr > 8)
            return c.fail(CUDA_ERROR_INVALID_VALUE, "no attribute %d, or value is null", attr);
        std::memcpy(value, &p.attributes[attr], attr < CU_MEMPOOL_ATTR_RELEASE_THRESHOLD ? 4 : 8);
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* map,
                                       size_t count) {
    return with_pool(__func__, pool, [&](Call& c, Pool& p) -> CUresult {
        if (count && !map) return c.fail(CUDA_ERROR_INVALID_VALUE, "map is null");
        for (size_t i = 0; i < count; ++i) p.access[map[i].location.id] = map[i].flags;
        return CUDA_SUCCESS;
    });
}
SIM_EXPORT CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool memPool,
                                       CUmemLocation* location) {
    return with_pool(__func__, memPool, [&](Call& c, Pool& p) -> CUresult {
        if (!flags || !location) return c.fail(CUDA_ERROR_INVALID_VALUE, "a pointer is null");
        const auto it = p.access.find(location->id);
        *flags = it != p.access.end()                      ? it->second
                 : engine_device(location->id) == p.device ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                                                           : CU_MEM_ACCESS_FLAGS_PROT_NONE;
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuMemAllocFromPoolAsync(CUdeviceptr* dptr, size_t bytesize, CUmemoryPool pool,
                                            CUstream hStream) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        std::shared_ptr<Pool> p;
        if (CUresult why = c.engine(engine::handle_get(kind_pool, static_cast<Handle>(pool), &p)))
            return why;
        Handle stream;
        if (CUresult why = c.stream(hStream, &stream)) return why;
        if (!dptr || !bytesize)
            return c.fail(CUDA_ERROR_INVALID_VALUE, "dptr is null, or bytesize is 0");
        engine::DevicePtr memory = 0;
        const CUresult why = c.engine(engine::mem_alloc(p->device, bytesize, &memory));
        if (!why) *dptr = memory;
        return why;
    });
}
