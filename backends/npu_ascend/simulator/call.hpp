// SPDX-License-Identifier: Apache-2.0
// What every exported function of the simulated CANN begins with and ends with.
//
// A call checks, in this order: the process (forked, exiting), that ACL is initialised, that the
// thread has a current context.  Then its body runs.  A failure leaves the vendor's code as the
// thread's last error and a text for aclGetRecentErrMsg; a breach of an API rule is also an entry
// in the engine's misuse report.  No exception leaves the library.
#pragma once

#define CANN_DECLARE_PROTOTYPES
#include "device_api/engine/engine.hpp"
#include "device_api_npu/cann.h"

#include <memory>
#include <new>

#define SIM_EXPORT extern "C" __attribute__((visibility("default")))

namespace cann_sim {

namespace engine = device_api::engine;
using engine::Handle;
using engine::Rule;
using engine::Status;

struct Context;

enum class Need {
    nothing, // may be called at any time
    init,    // after aclInit
    context, // and with a current context on the thread
    work     // and not from inside a host callback: allocates, launches or waits
};

class Call {
  public:
    Call(const char* name, Need need);

    /// Not 0: a precondition failed, and the body must not run.
    aclError blocked() const { return blocked_; }
    const char* name() const { return name_; }
    /// The thread's current context; null unless Need::context or Need::work.
    const std::shared_ptr<Context>& context() const { return context_; }

    /// Record a failure and return its code.
    aclError fail(aclError code, const char* format, ...) const
        __attribute__((format(printf, 3, 4)));
    /// The same, counted as a breach of a rule.
    aclError misuse(Rule rule, aclError code, const char* format, ...) const
        __attribute__((format(printf, 4, 5)));
    /// Translate a status of the engine; `invalid` is the code for a bad argument.
    aclError engine(Status status, aclError invalid = ACL_ERROR_RT_PARAM_INVALID) const;
    /// Translate the deferred error that a wait returned.
    aclError deferred(Status status, aclError on_timeout) const;
    /// Of a call that may have waited for a stream: as a wait, if that is what has failed.
    aclError waited(Status status) const;
    /// The engine's stream behind `stream` (null: the context's default stream) after checking that
    /// it belongs to the current context.
    aclError stream(aclrtStream stream, Handle* out) const;

  private:
    const char* name_;
    engine::InCall in_call_;
    aclError blocked_ = ACL_SUCCESS;
    std::shared_ptr<Context> context_;
};

/// Is this thread running a callback of a stream? Set by the code that runs it.
bool& in_callback();

/// For code outside a Call: leave code and text on this thread.
void remember_error(aclError code, const char* function, const char* text);
/// The text gathered on this thread, cleared; null when there is none.
const char* take_error_text();
aclError last_error(bool clear);

/// Run `body(Call&)` under the rules above.
template <class Body>
aclError call(const char* name, Need need, Body body) noexcept {
    try {
        Call c(name, need);
        return c.blocked() ? c.blocked() : body(c);
    } catch (const std::bad_alloc&) {
        remember_error(ACL_ERROR_BAD_ALLOC, name, "host memory exhausted");
        return ACL_ERROR_BAD_ALLOC;
    } catch (...) {
        remember_error(ACL_ERROR_INTERNAL_ERROR, name, "inner error of the simulator");
        return ACL_ERROR_INTERNAL_ERROR;
    }
}

} // namespace cann_sim
