// SPDX-License-Identifier: Apache-2.0
// The last error of each thread.
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "instance.hpp"

namespace device_api::cpu {
namespace {

struct Record {
    da_status status;
    char message[384];
    char remedy[256];
};
thread_local Record record;

} // namespace

da_status fail(da_status status, const char* remedy, const char* format, ...) {
    record.status = status;
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(record.message, sizeof record.message, format, arguments);
    va_end(arguments);
    std::snprintf(record.remedy, sizeof record.remedy, "%s", remedy);
    return status;
}

da_status last_status() {
    return record.status;
}

void last_error(dab_instance*, dab_error* error) {
    if (!error) return;
    dab_error full = {};
    full.size = error->size;
    full.status = record.status;
    std::memcpy(full.message, record.message, sizeof record.message);
    std::memcpy(full.remedy, record.remedy, sizeof record.remedy);
    std::memcpy(error, &full, error->size < sizeof full ? error->size : sizeof full);
}

} // namespace device_api::cpu
