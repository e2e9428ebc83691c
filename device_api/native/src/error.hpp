// SPDX-License-Identifier: Apache-2.0
// The calling thread's last error, and the ways to set it.
#pragma once

#include <string>

#include "device_api/host.h"

namespace device_api::core {

struct Backend;
struct Device;

// Sets the error and returns its status, so that a failing function can `return fail(...)`.
da_status fail(da_status status, dah_error_kind kind, const std::string& message,
               const std::string& remedy = "");
inline da_status fail(da_status status, const std::string& message,
                      const std::string& remedy = "") {
    return fail(status, DAH_ERROR_STATUS, message, remedy);
}

// Sets an error that was kept from an earlier failure.
da_status fail(const dah_error& kept);

// Takes over what the plugin says of its last failing call; `doing` names the call for the user.
da_status fail_vendor(const Backend& backend, const Device* device, da_status status,
                      const char* doing);

// The vendor says that the device is lost: it gives out no memory any more. Adds to the error set
// last how it can be had back.
void note_loss(const Device& device);
// The device is lost, or was reset and this is what was before: DA_DEVICE_LOST in either case.
da_status fail_lost(const Device& device);
// The device was reset: what was made on it before is dead.
da_status fail_gone(const Device& device);
// The stream has no handle any more: which of the reasons it is.
da_status fail_dead(const dah_stream& stream);

// Adds what the plugin says of its last failing call, if that was of this status, to the error set
// last.
void add_vendor(const Backend& backend, da_status status);

// Names the op, device and stream of the error set last, unless it names them already.
da_status annotate(da_status status, uint16_t op, const Device* device,
                   const dah_stream* stream = nullptr);

// Gives the error set last another remedy.
void advise(const std::string& remedy);

// The status of the error set last, to be passed on.
inline da_status last_status() {
    return static_cast<da_status>(dah_last_error()->status);
}

// Ends the text and makes it valid UTF-8: a plugin may have left it otherwise.
void clean_text(char* text, size_t capacity);
template <size_t N>
void clean_text(char (&text)[N]) {
    clean_text(text, N);
}

const char* status_name(da_status status);

} // namespace device_api::core
