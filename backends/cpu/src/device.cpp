// SPDX-License-Identifier: Apache-2.0
// Facts about the processor, from the system.
#include "device.hpp"

#include <sys/utsname.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "blas.hpp"
#include "pool.hpp"

namespace device_api::cpu {
namespace {

void put(char* target, size_t room, const std::string& text) {
    std::snprintf(target, room, "%s", text.c_str());
}

std::string machine() {
    utsname names;
    return uname(&names) == 0 ? names.machine : "unknown";
}

std::string cpu_name() {
    std::FILE* file = std::fopen("/proc/cpuinfo", "re");
    if (!file) return machine() + " processor";
    char line[512];
    std::string name;
    while (name.empty() && std::fgets(line, sizeof line, file)) {
        const char* colon = std::strchr(line, ':');
        if (colon && std::strncmp(line, "model name", 10) == 0) name = colon + 1;
    }
    std::fclose(file);
    while (!name.empty() && (name.back() == '\n' || name.back() == ' ')) name.pop_back();
    while (!name.empty() && name.front() == ' ') name.erase(0, 1);
    return name.empty() ? machine() + " processor" : name;
}

} // namespace

da_status check_device(int32_t device) {
    if (device == 0) return DA_OK;
    return fail(DA_INVALID_ARGUMENT, "the only CPU device has number 0",
                "there is no CPU device %d", int(device));
}

da_status device_count(dab_instance*, int32_t* count) {
    *count = 1;
    return DA_OK;
}

da_status device_properties(dab_instance* self, int32_t device, dab_properties* out) {
    if (const da_status bad = check_device(device)) return bad;
    dab_properties p = {};
    p.size = out->size;
    p.flags = DAB_DEVICE_HOST_MEMORY | DAB_DEVICE_SYNCHRONOUS;
    uint64_t free_bytes = 0;
    memory_info(self, device, &free_bytes, &p.total_memory);
    p.alignment = 64;
    p.compute_units = uint32_t(self->threads);
    p.max_threads_per_unit = 1;
    p.dlpack_type = 1; // kDLCPU
    put(p.name, sizeof p.name, cpu_name());
    put(p.arch, sizeof p.arch, machine() + " " + self->kernels->level);
    put(p.driver, sizeof p.driver, "levels: " + levels_of_machine());
    put(p.runtime, sizeof p.runtime, "BLAS: " + self->blas->summary());
    std::memcpy(out, &p, out->size < sizeof p ? out->size : sizeof p);
    return DA_OK;
}

da_status device_open(dab_instance*, int32_t device) {
    return check_device(device);
}
da_status device_synchronize(dab_instance*, int32_t device, int32_t) {
    return check_device(device);
}

} // namespace device_api::cpu
