// SPDX-License-Identifier: Apache-2.0
// Status names, thread messages, the misuse report, and the fork and exit checks.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "checks.hpp"
#include "engine.hpp"

namespace device_api::engine {
namespace {

thread_local char message[1024] = "";

struct MisuseLog {
    std::mutex mutex;
    std::uint64_t count = 0;
    std::deque<std::string> newest; // front = newest
};
constexpr std::size_t misuse_kept = 64;

MisuseLog& misuse_log() {
    static auto* log = new MisuseLog;
    return *log;
}

/// A page that the kernel wipes in a forked child: tells parent from child without a system call or
/// a lock.
struct ForkMark {
    std::atomic<std::uint32_t>* page = nullptr;
    pid_t pid = getpid();

    ForkMark() {
        void* p = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) return;
        if (madvise(p, 4096, MADV_WIPEONFORK) != 0) {
            munmap(p, 4096);
            return;
        }
        page = new (p) std::atomic<std::uint32_t>(1);
    }
    bool forked() const {
        return page ? page->load(std::memory_order_relaxed) != 1 : getpid() != pid;
    }
};
const ForkMark
    fork_mark; // made when the library is mapped: trivially destroyed, so valid during exit

} // namespace

const char* status_name(Status s) noexcept {
    static const char* const names[] = {"ok",
                                        "invalid_value",
                                        "invalid_device",
                                        "invalid_handle",
                                        "invalid_address",
                                        "invalid_state",
                                        "out_of_memory",
                                        "out_of_resources",
                                        "not_ready",
                                        "timeout",
                                        "not_supported",
                                        "launch_failure",
                                        "kernel_fault",
                                        "hardware_fault",
                                        "device_lost",
                                        "forked",
                                        "shutdown",
                                        "internal",
                                        "aborted",
                                        "remote_fault",
                                        "remote_timeout"};
    const auto i = static_cast<std::size_t>(s);
    return i < sizeof names / sizeof *names ? names[i] : "unknown";
}

const char* last_message() noexcept {
    return message;
}

Status fail(Status s, const char* format, ...) noexcept {
    va_list args;
    va_start(args, format);
    std::vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return s;
}

Status misuse(Rule rule, Status s, const char* format, ...) noexcept {
    va_list args;
    va_start(args, format);
    std::vsnprintf(message, sizeof message, format, args);
    va_end(args);
    MisuseLog& log = misuse_log();
    std::lock_guard<std::mutex> lock(log.mutex);
    ++log.count;
    log.newest.push_front(message + (" [rule " + std::string(rule_name(rule))) + where() + "]");
    if (log.newest.size() > misuse_kept) log.newest.pop_back();
    return s;
}

Status alive() noexcept {
    if (fork_mark.forked())
        return fail(Status::forked,
                    "this process was forked from one that loaded the simulated %s libraries; a "
                    "device cannot be "
                    "used in the child: start it with the spawn method instead",
                    engine().vendor.name);
    if (engine().exiting.load(std::memory_order_relaxed))
        return fail(Status::shutdown,
                    "the process is exiting; the simulated device takes no new work");
    return Status::ok;
}

std::uint64_t misuse_count() noexcept {
    MisuseLog& log = misuse_log();
    std::lock_guard<std::mutex> lock(log.mutex);
    return log.count;
}

bool misuse_read(std::uint64_t index, std::string* text) noexcept {
    MisuseLog& log = misuse_log();
    std::lock_guard<std::mutex> lock(log.mutex);
    if (index >= log.newest.size()) return false;
    *text = log.newest[index];
    return true;
}

void misuse_clear() noexcept {
    MisuseLog& log = misuse_log();
    std::lock_guard<std::mutex> lock(log.mutex);
    log.count = 0;
    log.newest.clear();
}

} // namespace device_api::engine
