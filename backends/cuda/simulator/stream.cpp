// SPDX-License-Identifier: Apache-2.0
// Streams, events and callbacks.
#include "state.hpp"

using namespace cuda_sim;

namespace {

CUresult create(Call& c, CUstream* out, unsigned flags, int priority) {
    if (!out || (flags & ~1u))
        return c.fail(CUDA_ERROR_INVALID_VALUE, "phStream is null, or flags 0x%x unknown", flags);
    Handle h = nullptr;
    if (CUresult why = c.engine(engine::stream_create(c.context()->device, &h))) return why;
    auto info = std::make_shared<StreamInfo>();
    info->context = c.context();
    info->flags = flags;
    info->priority = priority < -5 ? -5 : priority > 0 ? 0 : priority;
    info->id = state().next_id++;
    {
        std::lock_guard<std::mutex> guard(state().lock);
        state().streams[h] = info;
        std::lock_guard<std::mutex> own(c.context()->lock);
        c.context()->streams.insert(h);
        if (!(flags & CU_STREAM_NON_BLOCKING)) c.context()->blocking.insert(h);
    }
    *out = static_cast<CUstream>(h);
    return CUDA_SUCCESS;
}

/// `body` runs as a callback, in which the driver must not be called.
CUresult callback(Call& c, CUstream on, const char* name, std::function<void()> body) {
    Handle stream;
    if (CUresult why = c.stream(on, &stream)) return why;
    return c.engine(engine::host_task(stream, name, [body](engine::TaskContext&) {
        in_callback() = true;
        body();
        in_callback() = false;
        return Status::ok;
    }));
}

CUresult elapsed(const char* name, float* ms, CUevent start, CUevent end) {
    return call(name, Need::context, [&](Call& c) -> CUresult {
        if (!ms) return c.fail(CUDA_ERROR_INVALID_VALUE, "pMilliseconds is null");
        for (const CUevent e : {start, end}) {
            const auto info = event_info(e);
            if (info && (info->flags & CU_EVENT_DISABLE_TIMING))
                return c.misuse(Rule::event_kind, CUDA_ERROR_INVALID_HANDLE,
                                "the event was created without timing");
        }
        double value = 0;
        const Status status = engine::event_elapsed(start, end, &value);
        *ms = static_cast<float>(value);
        return c.engine(status, CUDA_ERROR_INVALID_HANDLE);
    });
}

CUresult record(const char* name, CUevent event, CUstream on) {
    return call(name, Need::context, [&](Call& c) -> CUresult {
        Handle stream;
        if (CUresult why = c.stream(on, &stream)) return why;
        return c.engine(engine::event_record(event, stream));
    });
}

} // namespace

SIM_EXPORT CUresult cuStreamCreate(CUstream* phStream, unsigned int Flags) {
    return call(__func__, Need::context, [&](Call& c) { return create(c, phStream, Flags, 0); });
}
SIM_EXPORT CUresult cuStreamCreateWithPriority(CUstream* phStream, unsigned int flags,
                                               int priority) {
    return call(__func__, Need::context,
                [&](Call& c) { return create(c, phStream, flags, priority); });
}

// The work goes on: the stream ends when it is done.
SIM_EXPORT CUresult cuStreamDestroy_v2(CUstream hStream) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        const auto info = stream_info(hStream);
        if (const ContextPtr owner = info ? info->context.lock() : nullptr) {
            std::lock_guard<std::mutex> guard(state().lock);
            state().streams.erase(hStream);
            std::lock_guard<std::mutex> own(owner->lock);
            owner->streams.erase(hStream);
            owner->blocking.erase(hStream);
        }
        return c.waited(engine::stream_destroy(hStream));
    });
}

SIM_EXPORT CUresult cuStreamSynchronize(CUstream hStream) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        Handle stream;
        if (CUresult why = c.stream(hStream, &stream)) return why;
        return c.waited(engine::stream_synchronize(stream));
    });
}

SIM_EXPORT CUresult cuStreamQuery(CUstream hStream) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        Handle stream;
        if (CUresult why = c.stream(hStream, &stream)) return why;
        const Status status = engine::stream_query(stream);
        if (status == Status::not_ready) return CUDA_ERROR_NOT_READY;
        return status == Status::ok ? c.waited(engine::stream_synchronize(stream))
                                    : c.engine(status);
    });
}

SIM_EXPORT CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        Handle stream;
        if (CUresult why = c.stream(hStream, &stream)) return why;
        return c.engine(engine::stream_wait_event(stream, hEvent));
    });
}

SIM_EXPORT CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback_,
                                        void* userData, unsigned int flags) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        if (!callback_ || flags)
            return c.fail(CUDA_ERROR_INVALID_VALUE, "callback is null, or flags is not 0");
        const ContextPtr context = c.context();
        return callback(c, hStream, "cuStreamAddCallback", [=] {
            callback_(hStream, static_cast<CUresult>(context->sticky.load()), userData);
        });
    });
}

SIM_EXPORT CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void* userData) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        if (!fn) return c.fail(CUDA_ERROR_INVALID_VALUE, "fn is null");
        const ContextPtr context = c.context();
        return callback(c, hStream, "cuLaunchHostFunc", [=] {
            if (!context->sticky) fn(userData);
        });
    });
}

SIM_EXPORT CUresult cuStreamGetCtx(CUstream hStream, CUcontext* pctx) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        Handle stream;
        ContextPtr owner;
        if (CUresult why = c.stream(hStream, &stream, &owner)) return why;
        if (!pctx) return c.fail(CUDA_ERROR_INVALID_VALUE, "pctx is null");
        *pctx = static_cast<CUcontext>(owner->handle);
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuStreamGetPriority(CUstream hStream, int* priority) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        const auto info = stream_info(hStream);
        if (!priority) return c.fail(CUDA_ERROR_INVALID_VALUE, "priority is null");
        *priority = info ? info->priority : 0;
        return CUDA_SUCCESS;
    });
}
SIM_EXPORT CUresult cuStreamGetFlags(CUstream hStream, unsigned int* flags) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        const auto info = stream_info(hStream);
        if (!flags) return c.fail(CUDA_ERROR_INVALID_VALUE, "flags is null");
        *flags = info ? info->flags : 0;
        return CUDA_SUCCESS;
    });
}
SIM_EXPORT CUresult cuStreamGetId(CUstream hStream, unsigned long long* streamId) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        const auto info = stream_info(hStream);
        if (!streamId) return c.fail(CUDA_ERROR_INVALID_VALUE, "streamId is null");
        *streamId = info ? info->id : 0;
        return CUDA_SUCCESS;
    });
}

/// Capture is not simulated, so no stream is ever captured.
SIM_EXPORT CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus* captureStatus) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        Handle stream;
        if (CUresult why = c.stream(hStream, &stream)) return why;
        if (!captureStatus) return c.fail(CUDA_ERROR_INVALID_VALUE, "captureStatus is null");
        *captureStatus = CU_STREAM_CAPTURE_STATUS_NONE;
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuEventCreate(CUevent* phEvent, unsigned int Flags) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        if (!phEvent || (Flags & ~7u))
            return c.fail(CUDA_ERROR_INVALID_VALUE, "phEvent is null, or Flags 0x%x unknown",
                          Flags);
        Handle h = nullptr;
        if (CUresult why = c.engine(engine::event_create(&h))) return why;
        auto info = std::make_shared<EventInfo>();
        info->context = c.context();
        info->flags = Flags;
        std::lock_guard<std::mutex> guard(state().lock);
        state().events[h] = info;
        *phEvent = static_cast<CUevent>(h);
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuEventDestroy_v2(CUevent hEvent) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        {
            std::lock_guard<std::mutex> guard(state().lock);
            state().events.erase(hEvent);
        }
        return c.engine(engine::event_destroy(hEvent));
    });
}

SIM_EXPORT CUresult cuEventRecord(CUevent hEvent, CUstream hStream) {
    return record(__func__, hEvent, hStream);
}
SIM_EXPORT CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int) {
    return record(__func__, hEvent, hStream);
}

SIM_EXPORT CUresult cuEventQuery(CUevent hEvent) {
    return call(__func__, Need::context, [&](Call& c) -> CUresult {
        const Status status = engine::event_query(hEvent);
        return status == Status::not_ready ? CUDA_ERROR_NOT_READY : c.engine(status);
    });
}

SIM_EXPORT CUresult cuEventSynchronize(CUevent hEvent) {
    return call(__func__, Need::context,
                [&](Call& c) { return c.waited(engine::event_synchronize(hEvent)); });
}

SIM_EXPORT CUresult cuEventElapsedTime(float* pMilliseconds, CUevent hStart, CUevent hEnd) {
    return elapsed(__func__, pMilliseconds, hStart, hEnd);
}
SIM_EXPORT CUresult cuEventElapsedTime_v2(float* pMilliseconds, CUevent hStart, CUevent hEnd) {
    return elapsed(__func__, pMilliseconds, hStart, hEnd);
}
