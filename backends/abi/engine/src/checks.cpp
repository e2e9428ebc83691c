// SPDX-License-Identifier: Apache-2.0
// Which checks are on; sites of allocations.
#include "checks.hpp"

#include <dlfcn.h>
#include <execinfo.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "engine.hpp"
#include "log.hpp"

namespace device_api::engine {
namespace {

std::atomic<std::uint32_t>& switched() {
    static std::atomic<std::uint32_t> checks{checks_of_environment()};
    return checks;
}

std::string frame_text(void* address) {
    Dl_info info{};
    char text[200];
    if (!dladdr(address, &info) || !info.dli_fname) {
        std::snprintf(text, sizeof text, "%p", address);
        return text;
    }
    const char* slash = std::strrchr(info.dli_fname, '/');
    std::snprintf(
        text, sizeof text, "%s+0x%zx", slash ? slash + 1 : info.dli_fname,
        static_cast<std::size_t>(static_cast<char*>(address) - static_cast<char*>(info.dli_fbase)));
    return text;
}

} // namespace

std::uint32_t checks_of_environment() noexcept {
    static constexpr struct {
        const char* name;
        std::uint32_t check;
    } names[] = {{"races", DAS_CHECK_RACES},
                 {"shadow", DAS_CHECK_SHADOW},
                 {"host", DAS_CHECK_HOST},
                 {"sites", DAS_CHECK_SITES},
                 {"all", DAS_CHECK_ALL}};
    const char* asked = std::getenv("DEVICE_API_SIM_CHECKS");
    std::uint32_t checks = 0;
    for (const auto& row : names)
        if (asked && std::strstr(asked, row.name)) checks |= row.check;
    return checks;
}

bool checking(std::uint32_t check) noexcept {
    return (switched().load(std::memory_order_relaxed) & check) != 0;
}
void set_checks(std::uint32_t checks) noexcept {
    switched() = checks;
    if (checks & DAS_CHECK_HOST) watch_host_faults();
}

Site Site::here() noexcept {
    Site s;
    s.call = current_call();
    s.launches = log_sequence();
    if (!checking(DAS_CHECK_SITES)) return s;
    constexpr int own = 3; // frames of the engine and of the vendor's call
    void* all[own + 8];
    const int n = backtrace(all, own + 8) - own;
    for (int i = 0; i < n; ++i) s.frames[i] = all[own + i];
    s.count = n > 0 ? n : 0;
    return s;
}

std::string Site::text() const {
    std::string t = call ? std::string("by ") + call + " " : "";
    t += "after launch " + std::to_string(launches);
    for (int i = 0; i < count; ++i) t += (i ? " < " : " (") + frame_text(frames[i]);
    return count ? t + ")" : t;
}

} // namespace device_api::engine
