// SPDX-License-Identifier: Apache-2.0
// Errors of a plugin: this thread's last one, and rows that translate a vendor's codes.
//
// Header only: each plugin has its own, hidden.
#pragma once

#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "device_api/backend.h"

namespace device_api::adapter {

/// What one of a vendor's codes means. Tables of rows are sorted by code.
struct CodeRow {
    int code;
    da_status status;
    const char* meaning;
    const char* remedy; // null where none is known
};

struct CodeTable {
    const char* library; // as messages name it
    const CodeRow* rows;
    std::size_t count;
};

namespace detail {

// Trivially destructible, so that it can be used at any time of a thread's life.
inline dab_error& error() noexcept {
    static thread_local dab_error kept;
    return kept;
}

inline const CodeRow& row_of(const CodeTable& table, int code) noexcept {
    static constexpr CodeRow unknown{0, DA_INTERNAL, "failure without a known meaning", nullptr};
    const CodeRow* end = table.rows + table.count;
    const CodeRow* row = std::lower_bound(
        table.rows, end, code, [](const CodeRow& r, int value) { return r.code < value; });
    return row != end && row->code == code ? *row : unknown;
}

inline void store(da_status status, std::int64_t code, const char* remedy,
                  const char* text) noexcept {
    dab_error& e = error();
    e.size = sizeof e;
    e.status = status;
    e.vendor_code = code;
    std::snprintf(e.remedy, sizeof e.remedy, "%s", remedy ? remedy : "");
    std::snprintf(e.vendor_text, sizeof e.vendor_text, "%s", text ? text : "");
    std::size_t length = std::strlen(e.vendor_text);
    while (length && e.vendor_text[length - 1] == '\n') e.vendor_text[--length] = '\0';
}

} // namespace detail

/// What `code` means, without recording anything.
inline da_status status_of(const CodeTable& table, int code) noexcept {
    return code ? detail::row_of(table, code).status : DA_OK;
}

/// Record an error of the adapter itself and return `status`. `remedy` may be null.
__attribute__((format(printf, 3, 4))) inline da_status fail(da_status status, const char* remedy,
                                                            const char* format, ...) noexcept {
    detail::store(status, 0, remedy, nullptr);
    va_list args;
    va_start(args, format);
    std::vsnprintf(detail::error().message, sizeof detail::error().message, format, args);
    va_end(args);
    return status;
}

/// Record that `call` (a symbol's name) returned `code`, with the vendor's own text (or null);
/// returns the status that the code means.
inline da_status vendor_fail(const CodeTable& table, int code, const char* call,
                             const char* text) noexcept {
    const CodeRow& row = detail::row_of(table, code);
    detail::store(row.status, code, row.remedy, text);
    std::snprintf(detail::error().message, sizeof detail::error().message, "%s: %s (%s error %d)",
                  call, row.meaning, table.library, code);
    return row.status;
}

/// Put more of what was being done in front of the message of this thread's last error.
__attribute__((format(printf, 1, 2))) inline void add_context(const char* format, ...) noexcept {
    char (&message)[sizeof(dab_error::message)] = detail::error().message;
    char before[sizeof message];
    std::memcpy(before, message, sizeof before);
    va_list args;
    va_start(args, format);
    const int n = std::vsnprintf(message, sizeof message, format, args);
    va_end(args);
    const auto used = static_cast<std::size_t>(std::max(n, 0));
    if (used + 1 >= sizeof message) return;
    const std::size_t kept = std::min(std::strlen(before), sizeof message - 1 - used);
    std::memcpy(message + used, before, kept);
    message[used + kept] = '\0';
}

/// Copy out this thread's last error.
inline void last_error(dab_error* out) noexcept {
    if (!out || out->size < sizeof out->size) return;
    const std::uint32_t size = out->size;
    std::memcpy(out, &detail::error(), std::min<std::size_t>(size, sizeof(dab_error)));
    out->size = size;
}

} // namespace device_api::adapter
