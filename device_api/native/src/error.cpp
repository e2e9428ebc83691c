// SPDX-License-Identifier: Apache-2.0
// The calling thread's last error.
#include "error.hpp"

#include <cstdio>
#include <cstring>
#include <new>

#include "device.hpp"
#include "op_info.hpp"
#include "stream.hpp"

namespace device_api::core {
namespace {

// On the heap: this library's thread-local storage is of the static kind, of which a process has
// less than a kilobyte for all libraries that it opens at run time.
struct Kept {
    dah_error* error = nullptr;
    ~Kept() {
        delete error;
        error = nullptr;
    }
};
thread_local Kept kept;

dah_error& last_error() {
    static dah_error no_memory{};
    if (!kept.error) kept.error = new (std::nothrow) dah_error{};
    return kept.error ? *kept.error : no_memory;
}

template <size_t N>
void put(char (&target)[N], const std::string& text) {
    std::snprintf(target, N, "%s", text.c_str());
}

const char* const status_names[] = {"ok",
                                    "invalid argument",
                                    "out of memory",
                                    "not supported",
                                    "not ready",
                                    "device lost",
                                    "timeout",
                                    "hardware fault",
                                    "busy",
                                    "version mismatch",
                                    "internal error",
                                    "no driver",
                                    "used after fork"};

} // namespace

const char* status_name(da_status status) {
    const auto n = static_cast<size_t>(status);
    return n < sizeof(status_names) / sizeof(*status_names) ? status_names[n] : "unknown status";
}

da_status fail(da_status status, dah_error_kind kind, const std::string& message,
               const std::string& remedy) {
    dah_error& error = last_error();
    error = dah_error{};
    error.status = status;
    error.kind = kind;
    put(error.message, message);
    put(error.remedy, remedy);
    return status;
}

da_status fail(const dah_error& kept) {
    last_error() = kept;
    return static_cast<da_status>(kept.status);
}

namespace {

// Bytes of the UTF-8 sequence that starts at `p`, 0 when there is none.
int sequence_length(const unsigned char* p) {
    if (p[0] < 0x80) return 1;
    const int n = p[0] >= 0xc2 && p[0] < 0xe0   ? 2
                  : (p[0] & 0xf0) == 0xe0       ? 3
                  : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                                : 0;
    for (int i = 1; i < n; ++i) {
        if ((p[i] & 0xc0) != 0x80) return 0; // the end of the text too
    }
    const bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    const bool beyond = (p[0] == 0xed && p[1] >= 0xa0) || (p[0] == 0xf4 && p[1] >= 0x90);
    return overlong || beyond ? 0 : n;
}

} // namespace

void clean_text(char* text, size_t capacity) {
    text[capacity - 1] = 0;
    auto* p = reinterpret_cast<unsigned char*>(text);
    while (*p) {
        const int n = sequence_length(p);
        if (n)
            p += n;
        else
            *p++ = '?';
    }
}

da_status fail_vendor(const Backend& backend, const Device* device, da_status status,
                      const char* doing) {
    if (device && device->gone) return fail_gone(*device);
    dab_error error{};
    error.size = sizeof(error);
    if (backend.table.last_error) backend.table.last_error(backend.instance, &error);
    std::string message = std::string(doing) + " failed: ";
    // A message of another failure would mislead: take it only when the status agrees.
    const bool same = error.status == status && error.message[0];
    clean_text(error.message);
    clean_text(error.remedy);
    clean_text(error.vendor_text);
    message += same ? error.message : status_name(status);
    fail(status, DAH_ERROR_STATUS, message, same ? error.remedy : "");
    if (same) {
        last_error().vendor_code = error.vendor_code;
        put(last_error().vendor_text, error.vendor_text);
    }
    if (device) put(last_error().device, device->name());
    if (device && status == DA_DEVICE_LOST) note_loss(*device);
    return status;
}

da_status annotate(da_status status, uint16_t op, const Device* device, const dah_stream* stream) {
    if (!last_error().op[0] && op) put(last_error().op, op_info(op).name);
    if (!last_error().device[0] && device) put(last_error().device, device->name());
    if (!last_error().stream && stream) last_error().stream = stream->id;
    return status;
}

void add_vendor(const Backend& backend, da_status status) {
    dab_error error{};
    error.size = sizeof(error);
    if (backend.table.last_error) backend.table.last_error(backend.instance, &error);
    if (error.status != status) return;
    clean_text(error.vendor_text);
    last_error().vendor_code = error.vendor_code;
    put(last_error().vendor_text, error.vendor_text);
}

void advise(const std::string& remedy) {
    put(last_error().remedy, remedy);
}

} // namespace device_api::core

const dah_error* dah_last_error(void) {
    return &device_api::core::last_error();
}
uint32_t dah_version(void) {
    return (DAH_API_MAJOR << 16) | DAH_API_MINOR;
}
