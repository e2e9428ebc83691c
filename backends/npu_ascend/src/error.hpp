// SPDX-License-Identifier: Apache-2.0
// Errors: this thread's last one, and the translation of CANN's codes.
#pragma once

#include "device_api/adapter/error.hpp"

namespace device_api::npu {

struct Cann;

using namespace adapter; // fail, add_context, last_error, forked, Member ...

/// Record that `call` (a symbol's name) returned CANN's `code`, with CANN's own text; returns the
/// status that the code means.
da_status vendor_fail(const Cann& cann, int code, const char* call) noexcept;

/// What CANN's `code` means, without recording anything.
da_status status_of(int code) noexcept;

} // namespace device_api::npu

/// Call CANN's function `fn`; return from the caller when it fails.
#define NPU_TRY(cann, fn, ...)                                                                     \
    do {                                                                                           \
        if (const int npu_code = (cann).fn(__VA_ARGS__))                                           \
            return ::device_api::npu::vendor_fail(cann, npu_code, #fn);                            \
    } while (false)
