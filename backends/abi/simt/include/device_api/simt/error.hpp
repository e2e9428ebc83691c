// SPDX-License-Identifier: Apache-2.0
// Errors of a SIMT plugin: this thread's last one, and rows that translate a vendor's codes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device_api/backend.h"

namespace device_api::simt {

/// What one of a vendor's codes means. Tables of rows are sorted by code.
struct CodeRow {
    int code;
    da_status status;
    const char* meaning;
    const char* remedy; // null where none is known
};

struct CodeTable {
    const char* library; // as messages name it: "CUDA"
    const CodeRow* rows;
    std::size_t count;
};

/// Record an error of the adapter itself and return `status`. `remedy` may be null.
da_status fail(da_status status, const char* remedy, const char* format, ...) noexcept
    __attribute__((format(printf, 3, 4)));

/// Record that `call` (a symbol's name) returned `code`, with the vendor's own text (or null);
/// returns the status that the code means.
da_status vendor_fail(const CodeTable& table, int code, const char* call,
                      const char* text) noexcept;

/// What `code` means, without recording anything.
da_status status_of(const CodeTable& table, int code) noexcept;

/// Put more of what was being done in front of the message of this thread's last error.
void add_context(const char* format, ...) noexcept __attribute__((format(printf, 1, 2)));

/// Copy out this thread's last error.
void last_error(dab_error* out) noexcept;

} // namespace device_api::simt
