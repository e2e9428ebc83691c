// SPDX-License-Identifier: Apache-2.0
// What every exported function of the simulated driver begins with and ends with.
//
// A call checks, in this order: the process (forked, exiting), that cuInit was called, that the
// thread has a current context, and that no earlier kernel has damaged that context: then every
// call returns the code of that failure until the process ends. No exception leaves the library.
#pragma once

#define CUDA_DECLARE_PROTOTYPES
#include "device_api/engine/engine.hpp"
#include "device_api_cuda/cuda_driver.h"
#include "device_api_cuda/cuda_graph.h"
#include "device_api_cuda/cuda_memory.h"

#include <memory>
#include <new>

#define SIM_EXPORT extern "C" __attribute__((visibility("default")))

namespace cuda_sim {

namespace engine = device_api::engine;
using engine::Handle;
using engine::Rule;
using engine::Status;

struct Context;
using ContextPtr = std::shared_ptr<Context>;

enum class Need {
    nothing, // may be called at any time
    init,    // after cuInit
    context, // and with a current context that is well
};

class Call {
  public:
    Call(const char* name, Need need);

    /// Not CUDA_SUCCESS: a precondition failed, and the body must not run.
    CUresult blocked() const { return blocked_; }
    const ContextPtr& context() const { return context_; }

    /// Leave a text in the log of DEVICE_API_SIM_CUDA_LOG and return the code.
    CUresult fail(CUresult code, const char* format, ...) const
        __attribute__((format(printf, 3, 4)));
    CUresult misuse(Rule rule, CUresult code, const char* format, ...) const
        __attribute__((format(printf, 4, 5)));
    /// Translate a status of the engine; `invalid` is the code for a bad argument or address.
    CUresult engine(Status status, CUresult invalid = CUDA_ERROR_INVALID_VALUE) const;
    /// Translate what a wait for `device` returned: an earlier task's failure stays.
    CUresult waited(Status status) const;
    /// The engine's stream behind a stream handle: of the current context, its default one for
    /// NULL and the two special handles. Orders the work that will follow with the default stream.
    CUresult stream(CUstream stream, Handle* out, ContextPtr* owner = nullptr) const;

  private:
    const char* name_;
    engine::InCall in_call_;
    CUresult blocked_ = CUDA_SUCCESS;
    ContextPtr context_;
};

/// Is this thread running a callback of a stream?
bool& in_callback();

template <class Body>
CUresult call(const char* name, Need need, Body body) noexcept {
    try {
        Call c(name, need);
        return c.blocked() ? c.blocked() : body(c);
    } catch (const std::bad_alloc&) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    } catch (...) {
        return CUDA_ERROR_UNKNOWN;
    }
}

} // namespace cuda_sim
