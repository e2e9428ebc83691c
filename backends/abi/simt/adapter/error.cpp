// SPDX-License-Identifier: Apache-2.0
// The thread's last error.
#include "device_api/simt/error.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace device_api::simt {
namespace {

constexpr CodeRow unknown{0, DA_INTERNAL, "failure without a known meaning", nullptr};

const CodeRow& row_of(const CodeTable& table, int code) {
    const CodeRow* end = table.rows + table.count;
    const CodeRow* row = std::lower_bound(
        table.rows, end, code, [](const CodeRow& r, int value) { return r.code < value; });
    return row != end && row->code == code ? *row : unknown;
}

// Trivially destructible, so that it can be used at any time of a thread's life.
thread_local dab_error error;

void store(da_status status, std::int64_t code, const char* remedy, const char* text) {
    error.size = sizeof error;
    error.status = status;
    error.vendor_code = code;
    std::snprintf(error.remedy, sizeof error.remedy, "%s", remedy ? remedy : "");
    std::snprintf(error.vendor_text, sizeof error.vendor_text, "%s", text ? text : "");
}

} // namespace

da_status status_of(const CodeTable& table, int code) noexcept {
    return code ? row_of(table, code).status : DA_OK;
}

da_status fail(da_status status, const char* remedy, const char* format, ...) noexcept {
    store(status, 0, remedy, nullptr);
    va_list args;
    va_start(args, format);
    std::vsnprintf(error.message, sizeof error.message, format, args);
    va_end(args);
    return status;
}

da_status vendor_fail(const CodeTable& table, int code, const char* call,
                      const char* text) noexcept {
    const CodeRow& row = row_of(table, code);
    store(row.status, code, row.remedy, text);
    std::snprintf(error.message, sizeof error.message, "%s: %s (%s error %d)", call, row.meaning,
                  table.library, code);
    return row.status;
}

void add_context(const char* format, ...) noexcept {
    char before[sizeof error.message];
    std::memcpy(before, error.message, sizeof before);
    va_list args;
    va_start(args, format);
    const int n = std::vsnprintf(error.message, sizeof error.message, format, args);
    va_end(args);
    const auto used = static_cast<std::size_t>(std::max(n, 0));
    if (used + 1 >= sizeof error.message) return;
    const std::size_t kept = std::min(std::strlen(before), sizeof error.message - 1 - used);
    std::memcpy(error.message + used, before, kept);
    error.message[used + kept] = '\0';
}

void last_error(dab_error* out) noexcept {
    if (!out || out->size < sizeof out->size) return;
    const std::uint32_t size = out->size;
    std::memcpy(out, &error, std::min<std::size_t>(size, sizeof error));
    out->size = size;
}

} // namespace device_api::simt
