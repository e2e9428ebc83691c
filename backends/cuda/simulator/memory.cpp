// SPDX-License-Identifier: Apache-2.0
// Device memory, pinned host memory, and what a pointer is.
#include <cstring>

#include "state.hpp"

using namespace cuda_sim;

namespace {

CUresult allocate(Call& c, CUdeviceptr* dptr, size_t bytes) {
    if (!dptr || !bytes) return c.fail(CUDA_ERROR_INVALID_VALUE, "dptr is null, or bytesize is 0");
    engine::DevicePtr p = 0;
    const CUresult why = c.engine(engine::mem_alloc(c.context()->device, bytes, &p));
    if (!why) *dptr = p;
    return why;
}

CUresult host_memory(Call& c, void** pp, size_t bytes) {
    if (!pp || !bytes) return c.fail(CUDA_ERROR_INVALID_VALUE, "pp is null, or bytesize is 0");
    return c.engine(engine::host_alloc(bytes, pp));
}

void put(void* data, std::uint64_t value, std::size_t bytes) {
    std::memcpy(data, &value, bytes);
}

/// False: the pointer has no such attribute.
bool pointer_attribute(const engine::PointerInfo& info, CUdeviceptr p, int attribute, void* data) {
    const bool device = info.kind == engine::PointerKind::device && info.live;
    if (info.kind == engine::PointerKind::pageable_host ||
        (info.kind == engine::PointerKind::device && !info.live))
        return false;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: {
        const ContextPtr context = current_context();
        return put(data, reinterpret_cast<std::uintptr_t>(context ? context->handle : nullptr), 8),
               true;
    }
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        return put(data, device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST, 4), true;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: return put(data, p, 8), true;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER: return !device && (put(data, p, 8), true);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: return put(data, 0, 4), true;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: {
        int ordinal = 0;
        for (int i = 0; device && i < visible_count(); ++i)
            if (engine_device(i) == info.device) ordinal = i;
        return put(data, static_cast<std::uint64_t>(ordinal), 4), true;
    }
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: return put(data, info.base, 8), true;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: return put(data, info.size, 8), true;
    case CU_POINTER_ATTRIBUTE_MAPPED: return put(data, 1, 4), true;
    default: return false;
    }
}

} // namespace

SIM_EXPORT CUresult cuMemGetInfo_v2(size_t* free, size_t* total) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        if (!free || !total) return c.fail(CUDA_ERROR_INVALID_VALUE, "free or total is null");
        std::uint64_t f = 0, t = 0;
        const CUresult why = c.engine(engine::mem_info(c.context()->device, &f, &t));
        *free = f;
        *total = t;
        return why;
    });
}

SIM_EXPORT CUresult cuMemAlloc_v2(CUdeviceptr* dptr, size_t bytesize) {
    return call(__func__, Need::context, [&](Call& c) { return allocate(c, dptr, bytesize); });
}

// Waits for all work of the device, as drivers do.
SIM_EXPORT CUresult cuMemFree_v2(CUdeviceptr dptr) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        if (!dptr) return CUDA_SUCCESS;
        engine::PointerInfo info;
        engine::pointer_info(reinterpret_cast<void*>(dptr), &info);
        if (info.live)
            if (CUresult why = c.waited(engine::device_synchronize(info.device))) return why;
        return c.engine(engine::mem_free(dptr));
    });
}

// Memory is there at once; an address is not given again before the free has been reached.
SIM_EXPORT CUresult cuMemAllocAsync(CUdeviceptr* dptr, size_t bytesize, CUstream hStream) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        Handle stream;
        if (CUresult why = c.stream(hStream, &stream)) return why;
        return allocate(c, dptr, bytesize);
    });
}

SIM_EXPORT CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        Handle stream;
        if (CUresult why = c.stream(hStream, &stream)) return why;
        engine::PointerInfo info;
        engine::pointer_info(reinterpret_cast<void*>(dptr), &info);
        if (!info.live || info.base != dptr)
            return c.misuse(Rule::wild_free, CUDA_ERROR_INVALID_VALUE,
                            "0x%llx is not the start of a live allocation", dptr);
        return c.engine(engine::host_task(stream, "cuMemFreeAsync", [dptr](engine::TaskContext&) {
            return engine::mem_free(dptr);
        }));
    });
}

SIM_EXPORT CUresult cuMemGetAddressRange_v2(CUdeviceptr* pbase, size_t* psize, CUdeviceptr dptr) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        engine::PointerInfo info;
        engine::pointer_info(reinterpret_cast<void*>(dptr), &info);
        if (!info.live && info.kind != engine::PointerKind::pinned_host)
            return c.fail(CUDA_ERROR_NOT_FOUND, "0x%llx is in no allocation", dptr);
        if (pbase) *pbase = info.base;
        if (psize) *psize = info.size;
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuMemHostAlloc(void** pp, size_t bytesize, unsigned int Flags) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        if (Flags & ~7u) return c.fail(CUDA_ERROR_INVALID_VALUE, "Flags 0x%x are unknown", Flags);
        return host_memory(c, pp, bytesize);
    });
}
SIM_EXPORT CUresult cuMemAllocHost_v2(void** pp, size_t bytesize) {
    return call(__func__, Need::context, [&](Call& c) { return host_memory(c, pp, bytesize); });
}
SIM_EXPORT CUresult cuMemFreeHost(void* p) {
    return call(__func__, Need::context, [&](Call& c) { return c.engine(engine::host_free(p)); });
}
SIM_EXPORT CUresult cuMemHostRegister_v2(void* p, size_t bytesize, unsigned int Flags) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        if (!p || !bytesize || (Flags & ~15u))
            return c.fail(CUDA_ERROR_INVALID_VALUE, "p is null, bytesize 0 or Flags unknown");
        engine::PointerInfo info;
        engine::pointer_info(p, &info);
        if (info.kind == engine::PointerKind::pinned_host)
            return c.misuse(Rule::pinned_twice, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
                            "the memory is registered");
        return c.engine(engine::host_register(p, bytesize));
    });
}
SIM_EXPORT CUresult cuMemHostUnregister(void* p) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        return c.engine(engine::host_unregister(p), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    });
}
SIM_EXPORT CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* pdptr, void* p, unsigned int Flags) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        engine::PointerInfo info;
        engine::pointer_info(p, &info);
        if (!pdptr || Flags || info.kind != engine::PointerKind::pinned_host)
            return c.fail(CUDA_ERROR_INVALID_VALUE, "p is no pinned memory, or Flags is not 0");
        *pdptr = reinterpret_cast<CUdeviceptr>(p);
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute,
                                          CUdeviceptr ptr) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        if (!data) return c.fail(CUDA_ERROR_INVALID_VALUE, "data is null");
        engine::PointerInfo info;
        if (CUresult why = c.engine(engine::pointer_info(reinterpret_cast<void*>(ptr), &info)))
            return why;
        if (pointer_attribute(info, ptr, attribute, data)) return CUDA_SUCCESS;
        return c.fail(CUDA_ERROR_INVALID_VALUE, "0x%llx has no attribute %d", ptr, attribute);
    });
}

SIM_EXPORT CUresult cuPointerGetAttributes(unsigned int numAttributes,
                                           CUpointer_attribute* attributes, void** data,
                                           CUdeviceptr ptr) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        if (!attributes || !data) return c.fail(CUDA_ERROR_INVALID_VALUE, "a pointer is null");
        engine::PointerInfo info;
        engine::pointer_info(reinterpret_cast<void*>(ptr), &info);
        for (unsigned i = 0; i < numAttributes; ++i)
            if (!pointer_attribute(info, ptr, attributes[i], data[i])) put(data[i], 0, 4);
        return CUDA_SUCCESS;
    });
}
