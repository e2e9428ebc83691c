// SPDX-License-Identifier: Apache-2.0
// Functions that clients are linked against and that are not simulated: each call is refused.
#include "call.hpp"

#include "device_api_npu/cann_clients.h"

#include <cstdint>
#include <cstdio>

using namespace cann_sim;

namespace {

aclError refuse(const char* name, const char* what) {
    return call(name, Need::nothing, [&](Call& c) -> aclError {
        return c.fail(ACL_ERROR_FEATURE_UNSUPPORTED, "%s: not simulated (%s)", name, what);
    });
}

// Functions that return no code would fail unseen.
void refuse_aloud(const char* name, const char* what) {
    refuse(name, what);
    std::fprintf(stderr, "simulated CANN: %s is refused: %s: not simulated\n", name, what);
}

} // namespace

// The parameters are not looked at: in C's calling convention a function may leave them alone.
#define REFUSE_code(name, what)                                                                    \
    SIM_EXPORT aclError name() {                                                                   \
        return refuse(#name, what);                                                                \
    }
#define REFUSE_status(name, what)                                                                  \
    SIM_EXPORT std::int32_t name() {                                                               \
        return refuse(#name, what);                                                                \
    }
#define REFUSE_handle(name, what)                                                                  \
    SIM_EXPORT void* name() {                                                                      \
        refuse(#name, what);                                                                       \
        return nullptr;                                                                            \
    }
#define REFUSE_undefined(name, what)                                                               \
    SIM_EXPORT int name() {                                                                        \
        refuse_aloud(#name, what);                                                                 \
        return -1;                                                                                 \
    }
#define REFUSE_nothing(name, what)                                                                 \
    SIM_EXPORT void name() {                                                                       \
        refuse_aloud(#name, what);                                                                 \
    }
#define REFUSE_number(name, what)                                                                  \
    SIM_EXPORT std::uint64_t name() {                                                              \
        refuse_aloud(#name, what);                                                                 \
        return 0;                                                                                  \
    }
#define EXPORT_REFUSED(kind, name, what, mark) REFUSE_##kind(name, what)

CANN_REFUSED_SYMBOLS(EXPORT_REFUSED)
