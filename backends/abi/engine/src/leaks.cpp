// SPDX-License-Identifier: Apache-2.0
// What was never given back; the report at the end of the process.
#include "leaks.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "memory.hpp"
#include "stream.hpp"

namespace device_api::engine {

std::vector<std::string> leaks() {
    std::vector<std::pair<std::uint64_t, std::string>> found; // by allocation
    char line[160];
    for (const auto& d : all_devices())
        for (const AllocationPtr& a : d->memory->live()) {
            std::snprintf(line, sizeof line, "%zu bytes at %p of device %d, allocated ", a->size,
                          reinterpret_cast<void*>(a->base), d->index);
            found.emplace_back(a->id, line + a->site.text());
        }
    for (const Pinned& p : pinned_live()) {
        std::snprintf(line, sizeof line, "%zu bytes of %s host memory at %p, allocated ", p.size,
                      p.registered ? "registered" : "pinned", reinterpret_cast<void*>(p.base));
        found.emplace_back(p.id, line + p.site.text());
    }
    std::sort(found.begin(), found.end());
    std::vector<std::string> texts;
    for (auto& entry : found) texts.push_back(std::move(entry.second));
    for (const auto& [kind, count] : handle_counts())
        texts.push_back(std::to_string(count) + (count == 1 ? " object" : " objects") +
                        " of kind " + kind);
    return texts;
}

void report_at_exit() noexcept {
    const char* target = std::getenv("DEVICE_API_SIM_REPORT");
    if (!target || !*target) return;
    std::FILE* f = std::strcmp(target, "stderr") ? std::fopen(target, "a") : stderr;
    if (!f) return;
    const char* vendor = engine().vendor.name;
    std::string text;
    for (std::uint64_t i = 0; misuse_read(i, &text); ++i)
        std::fprintf(f, "simulated %s: misuse: %s\n", vendor, text.c_str());
    for (const std::string& leak : leaks())
        std::fprintf(f, "simulated %s: leak: %s\n", vendor, leak.c_str());
    if (f != stderr) std::fclose(f);
}

} // namespace device_api::engine
