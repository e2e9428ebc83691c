// SPDX-License-Identifier: Apache-2.0
// The launch log: the newest entries, and counts of all.
#include "log.hpp"

#include <cstring>
#include <deque>
#include <mutex>

namespace device_api::engine {
namespace {

constexpr std::size_t kept = 65536;

struct Log {
    std::mutex mutex;
    std::deque<das_launch> entries;
    std::uint64_t sequence = 0;
    std::uint64_t counts[32] = {}; // by the number of the kind's bit
};
Log& the_log() {
    static auto* log = new Log;
    return *log;
}

} // namespace

std::uint64_t log_launch(std::uint32_t kind, int device, std::uint32_t stream, const char* name,
                         std::uint64_t bytes) noexcept {
    das_launch e{};
    e.size = sizeof e;
    e.kind = kind;
    e.device = device;
    e.stream = stream;
    e.bytes = bytes;
    std::strncpy(e.name, name, sizeof e.name - 1);
    Log& log = the_log();
    std::lock_guard<std::mutex> lock(log.mutex);
    e.sequence = ++log.sequence;
    ++log.counts[__builtin_ctz(kind)];
    log.entries.push_back(e);
    if (log.entries.size() > kept) log.entries.pop_front();
    return e.sequence;
}

std::uint64_t log_sequence() noexcept {
    Log& log = the_log();
    std::lock_guard<std::mutex> lock(log.mutex);
    return log.sequence;
}

std::uint64_t log_count(std::uint32_t kinds) noexcept {
    Log& log = the_log();
    std::lock_guard<std::mutex> lock(log.mutex);
    std::uint64_t n = 0;
    for (int i = 0; i < 32; ++i)
        if (kinds >> i & 1) n += log.counts[i];
    return n;
}

std::uint64_t log_kept() noexcept {
    Log& log = the_log();
    std::lock_guard<std::mutex> lock(log.mutex);
    return log.entries.size();
}

bool log_read(std::uint64_t index, das_launch* out) noexcept {
    Log& log = the_log();
    std::lock_guard<std::mutex> lock(log.mutex);
    if (index >= log.entries.size()) return false;
    *out = log.entries[index];
    return true;
}

void log_clear() noexcept {
    Log& log = the_log();
    std::lock_guard<std::mutex> lock(log.mutex);
    log.entries.clear();
    for (auto& c : log.counts) c = 0;
}

} // namespace device_api::engine
