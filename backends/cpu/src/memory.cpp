// SPDX-License-Identifier: Apache-2.0
// Device memory: aligned, large blocks in huge pages, refused when the system could not back it.
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "device.hpp"

namespace device_api::cpu {
namespace {

constexpr uint64_t kHugePage = 2 << 20;
constexpr uint64_t kAlignment = 64;
constexpr uint64_t kChecked = 64 << 20; // smaller requests are not worth reading /proc for

// A number in a file of one line; `fallback` when there is none ("max").
uint64_t number_in(const char* path, uint64_t fallback) {
    std::FILE* file = std::fopen(path, "re");
    if (!file) return fallback;
    unsigned long long value = 0;
    const bool found = std::fscanf(file, "%llu", &value) == 1;
    std::fclose(file);
    return found ? value : fallback;
}

void read_meminfo(uint64_t* available, uint64_t* total) {
    std::FILE* file = std::fopen("/proc/meminfo", "re");
    if (!file) return;
    char line[256];
    while (std::fgets(line, sizeof line, file)) {
        unsigned long long kib = 0;
        if (std::sscanf(line, "MemTotal: %llu kB", &kib) == 1) *total = kib * 1024;
        if (std::sscanf(line, "MemAvailable: %llu kB", &kib) == 1) *available = kib * 1024;
    }
    std::fclose(file);
}

// A control group may allow less than the machine has (version 2, then 1).
void apply_group(const char* limit_file, const char* used_file, uint64_t* available,
                 uint64_t* total) {
    const uint64_t limit = number_in(limit_file, UINT64_MAX);
    if (limit >= *total) return;
    const uint64_t used = number_in(used_file, 0);
    *total = limit;
    const uint64_t left = limit > used ? limit - used : 0;
    if (left < *available) *available = left;
}

da_status out_of_memory(uint64_t bytes, uint64_t available) {
    return fail(DA_OUT_OF_MEMORY, "free tensors, use smaller batches, or run on a larger machine",
                "the host has not enough memory for %llu bytes; %llu bytes are available",
                static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(available));
}

} // namespace

da_status memory_info(dab_instance*, int32_t device, uint64_t* free_bytes, uint64_t* total) {
    if (const da_status bad = check_device(device)) return bad;
    *free_bytes = *total = 0;
    read_meminfo(free_bytes, total);
    apply_group("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current", free_bytes, total);
    apply_group("/sys/fs/cgroup/memory/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/memory.usage_in_bytes", free_bytes, total);
    return DA_OK;
}

da_status alloc(dab_instance* self, int32_t device, uint64_t bytes, void** address) {
    if (const da_status bad = check_device(device)) return bad;
    if (bytes == 0)
        return fail(DA_INVALID_ARGUMENT, "ask for at least one byte", "allocation of 0 bytes");
    uint64_t available = UINT64_MAX, total = 0;
    if (bytes >= kChecked) memory_info(self, device, &available, &total);
    if (bytes > available && total != 0) return out_of_memory(bytes, available);
    const bool large = bytes >= kHugePage;
    const uint64_t unit = large ? kHugePage : kAlignment;
    if (bytes > UINT64_MAX - unit) return out_of_memory(bytes, available);
    const uint64_t rounded = (bytes + unit - 1) / unit * unit;
    void* block = std::aligned_alloc(unit, rounded);
    if (!block) return out_of_memory(bytes, available);
#if defined(MADV_HUGEPAGE)
    if (large) madvise(block, rounded, MADV_HUGEPAGE); // a hint: failure costs time only
#endif
    *address = block;
    return DA_OK;
}

da_status free_memory(dab_instance*, int32_t device, void* address) {
    if (const da_status bad = check_device(device)) return bad;
    std::free(address);
    return DA_OK;
}

} // namespace device_api::cpu
