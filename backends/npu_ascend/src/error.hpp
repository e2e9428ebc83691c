// SPDX-License-Identifier: Apache-2.0
// Errors: this thread's last one, and the translation of CANN's codes.
#pragma once

#include <cstdint>

#include "device_api/backend.h"

namespace device_api::npu {

struct Cann;

/// Record an error of the adapter itself and return `status`. `remedy` may be null.
da_status fail(da_status status, const char* remedy, const char* format, ...) noexcept
    __attribute__((format(printf, 3, 4)));

/// Record that `call` (a symbol's name) returned CANN's `code`, with CANN's own text; returns the
/// status that the code means.
da_status vendor_fail(const Cann& cann, int code, const char* call) noexcept;

/// Record more of what was being done, in front of the message of this thread's last error.
void add_context(const char* format, ...) noexcept __attribute__((format(printf, 1, 2)));

/// Give this thread's last error the number of another vendor library.
void set_vendor_code(std::int64_t code) noexcept;

/// What CANN's `code` means, without recording anything.
da_status status_of(int code) noexcept;

/// Copy out this thread's last error.
void last_error(dab_error* out) noexcept;

} // namespace device_api::npu

/// Call CANN's function `fn`; return from the caller when it fails.
#define NPU_TRY(cann, fn, ...)                                                                     \
    do {                                                                                           \
        if (const int npu_code = (cann).fn(__VA_ARGS__))                                           \
            return ::device_api::npu::vendor_fail(cann, npu_code, #fn);                            \
    } while (false)
