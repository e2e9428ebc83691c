// SPDX-License-Identifier: Apache-2.0
// Contexts: the primary one of each device, others, and the stack of each thread.
#include "state.hpp"

using namespace cuda_sim;

namespace {

CUresult known_device(const Call& c, CUdevice dev) {
    if (engine_device(dev) >= 0) return CUDA_SUCCESS;
    return c.fail(CUDA_ERROR_INVALID_DEVICE, "no device %d: there are %d", dev, visible_count());
}

CUresult create(Call& c, CUcontext* out, unsigned flags, CUdevice dev) {
    if (CUresult why = known_device(c, dev)) return why;
    if (!out || (flags & ~unsigned{CU_CTX_FLAGS_MASK}))
        return c.fail(CUDA_ERROR_INVALID_VALUE, "pctx is null, or flags 0x%x are unknown", flags);
    std::lock_guard<std::mutex> lifecycle(state().lifecycle);
    Status status;
    const ContextPtr made = make_context(dev, false, &status);
    if (!made) return c.engine(status);
    made->flags = flags;
    context_stack().push_back(made->handle);
    *out = static_cast<CUcontext>(made->handle);
    return CUDA_SUCCESS;
}

CUresult wait_for(Call& c, const ContextPtr& context) {
    if (!context) return c.fail(CUDA_ERROR_INVALID_CONTEXT, "no such context");
    return c.waited(engine::device_synchronize(context->device));
}

} // namespace

SIM_EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext* pctx, CUdevice dev) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        if (CUresult why = known_device(c, dev)) return why;
        if (!pctx) return c.fail(CUDA_ERROR_INVALID_VALUE, "pctx is null");
        std::lock_guard<std::mutex> lifecycle(state().lifecycle);
        ContextPtr context = primary_context(dev);
        Status status = Status::ok;
        if (!context) context = make_context(dev, true, &status);
        if (!context) return c.engine(status);
        ++context->references;
        *pctx = static_cast<CUcontext>(context->handle);
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice dev) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        if (CUresult why = known_device(c, dev)) return why;
        std::lock_guard<std::mutex> lifecycle(state().lifecycle);
        const ContextPtr context = primary_context(dev);
        if (!context)
            return c.fail(CUDA_ERROR_INVALID_CONTEXT, "the primary context is not retained");
        if (--context->references == 0) end_context(context, true);
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuDevicePrimaryCtxReset_v2(CUdevice dev) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        if (CUresult why = known_device(c, dev)) return why;
        std::lock_guard<std::mutex> lifecycle(state().lifecycle);
        const ContextPtr context = primary_context(dev);
        const int references = context ? context->references : 0;
        if (context) end_context(context, true);
        const Status status = engine::device_reset(engine_device(dev));
        if (status != Status::ok || !references) return c.engine(status);
        Status made = Status::ok; // those who have retained it keep their share
        if (const ContextPtr again = make_context(dev, true, &made)) again->references = references;
        return c.engine(made);
    });
}

SIM_EXPORT CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        if (CUresult why = known_device(c, dev)) return why;
        if (flags & ~unsigned{CU_CTX_FLAGS_MASK})
            return c.fail(CUDA_ERROR_INVALID_VALUE, "flags 0x%x are unknown", flags);
        const ContextPtr context = primary_context(dev);
        std::lock_guard<std::mutex> guard(state().lock);
        state().primary_flags[dev] = flags;
        if (context) context->flags = flags;
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int* flags, int* active) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        if (CUresult why = known_device(c, dev)) return why;
        if (!flags || !active) return c.fail(CUDA_ERROR_INVALID_VALUE, "flags or active is null");
        *active = primary_context(dev) != nullptr;
        std::lock_guard<std::mutex> guard(state().lock);
        *flags = state().primary_flags[dev];
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuCtxCreate_v2(CUcontext* pctx, unsigned int flags, CUdevice dev) {
    return call(__func__, Need::init, [&](Call& c) { return create(c, pctx, flags, dev); });
}
SIM_EXPORT CUresult cuCtxCreate_v4(CUcontext* pctx, CUctxCreateParams*, unsigned int flags,
                                   CUdevice dev) {
    return call(__func__, Need::init, [&](Call& c) { return create(c, pctx, flags, dev); });
}

SIM_EXPORT CUresult cuCtxDestroy_v2(CUcontext ctx) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        std::lock_guard<std::mutex> lifecycle(state().lifecycle);
        const ContextPtr context = find_context(ctx);
        if (!context || context->primary)
            return c.fail(CUDA_ERROR_INVALID_CONTEXT, "no context of cuCtxCreate");
        if (current_handle() == context->handle) context_stack().pop_back();
        end_context(context, true);
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuCtxSetCurrent(CUcontext ctx) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        if (ctx && !find_context(ctx)) return c.fail(CUDA_ERROR_INVALID_CONTEXT, "no such context");
        if (!context_stack().empty()) context_stack().pop_back();
        if (ctx) context_stack().push_back(ctx);
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuCtxGetCurrent(CUcontext* pctx) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        if (!pctx) return c.fail(CUDA_ERROR_INVALID_VALUE, "pctx is null");
        *pctx = static_cast<CUcontext>(current_handle());
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuCtxPushCurrent_v2(CUcontext ctx) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        if (!find_context(ctx)) return c.fail(CUDA_ERROR_INVALID_CONTEXT, "no such context");
        context_stack().push_back(ctx);
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuCtxPopCurrent_v2(CUcontext* pctx) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        if (context_stack().empty())
            return c.fail(CUDA_ERROR_INVALID_CONTEXT, "the thread's stack of contexts is empty");
        if (pctx) *pctx = static_cast<CUcontext>(current_handle());
        context_stack().pop_back();
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuCtxGetDevice(CUdevice* device) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        const ContextPtr context = current_context();
        if (!context) return c.fail(CUDA_ERROR_INVALID_CONTEXT, "no current context");
        if (!device) return c.fail(CUDA_ERROR_INVALID_VALUE, "device is null");
        *device = context->ordinal;
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext ctx) {
    if (!ctx) return cuCtxGetDevice(device);
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        const ContextPtr context = find_context(ctx);
        if (!context) return c.fail(CUDA_ERROR_INVALID_CONTEXT, "no such context");
        if (!device) return c.fail(CUDA_ERROR_INVALID_VALUE, "device is null");
        *device = context->ordinal;
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuCtxSynchronize(void) {
    return call(__func__, Need::context, [&](Call& c) { return wait_for(c, c.context()); });
}
SIM_EXPORT CUresult cuCtxSynchronize_v2(CUcontext ctx) {
    return call(__func__, Need::context,
                [&](Call& c) { return wait_for(c, ctx ? find_context(ctx) : c.context()); });
}

SIM_EXPORT CUresult cuCtxGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
    return call(__func__, Need::context, [&](Call&) -> CUresult {
        if (leastPriority) *leastPriority = 0;
        if (greatestPriority) *greatestPriority = -5;
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuCtxGetApiVersion(CUcontext, unsigned int* version) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        if (!version) return c.fail(CUDA_ERROR_INVALID_VALUE, "version is null");
        *version = 3020;
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuCtxGetFlags(unsigned int* flags) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        if (!flags) return c.fail(CUDA_ERROR_INVALID_VALUE, "flags is null");
        *flags = c.context()->flags;
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        if (limit < 0 || limit >= 8) return c.fail(CUDA_ERROR_UNSUPPORTED_LIMIT, "limit %d", limit);
        std::lock_guard<std::mutex> guard(c.context()->lock);
        c.context()->limits[limit] = value;
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuCtxGetLimit(size_t* pvalue, CUlimit limit) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        if (!pvalue) return c.fail(CUDA_ERROR_INVALID_VALUE, "pvalue is null");
        if (limit < 0 || limit >= 8) return c.fail(CUDA_ERROR_UNSUPPORTED_LIMIT, "limit %d", limit);
        std::lock_guard<std::mutex> guard(c.context()->lock);
        *pvalue = c.context()->limits[limit];
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        const ContextPtr peer = find_context(peerContext);
        if (!peer) return c.fail(CUDA_ERROR_INVALID_CONTEXT, "no such peer context");
        if (Flags) return c.fail(CUDA_ERROR_INVALID_VALUE, "Flags must be 0");
        bool can = false;
        if (CUresult why =
                c.engine(engine::peer_can_access(c.context()->device, peer->device, &can)))
            return why;
        if (!can) return c.fail(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "no access to that device");
        return c.engine(engine::peer_enable(c.context()->device, peer->device),
                        CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    });
}

SIM_EXPORT CUresult cuCtxDisablePeerAccess(CUcontext peerContext) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        const ContextPtr peer = find_context(peerContext);
        if (!peer) return c.fail(CUDA_ERROR_INVALID_CONTEXT, "no such peer context");
        return c.engine(engine::peer_disable(c.context()->device, peer->device),
                        CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    });
}
