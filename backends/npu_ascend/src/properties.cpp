// SPDX-License-Identifier: Apache-2.0
// What a device says of itself, without being initialised.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "generation.hpp"
#include "instance.hpp"

namespace device_api::npu {
namespace {

template <std::size_t N>
void set_text(char (&to)[N], const std::string& from) {
    std::snprintf(to, N, "%s", from.c_str());
}

std::uint64_t attribute(const Cann& cann, std::int32_t device, aclrtDevAttr attr) {
    std::int64_t value = 0;
    if (!cann.aclrtGetDeviceInfo) return 0;
    const bool ok =
        cann.aclrtGetDeviceInfo(static_cast<std::uint32_t>(device), attr, &value) == ACL_SUCCESS;
    return ok && value > 0 ? static_cast<std::uint64_t>(value) : 0;
}

// CANN 8 has no way to ask for the size before the device is current; it reads 0 until then.
std::uint64_t total_memory(Instance& self, std::int32_t device) {
    const std::uint64_t total = attribute(self.cann, device, ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE);
    if (total || !self.devices[static_cast<std::size_t>(device)].opened.load()) return total;
    std::uint64_t unused = 0, bytes = 0;
    return memory_info(self, device, &unused, &bytes) == DA_OK ? bytes : 0;
}

std::uint32_t core_count(const Cann& cann, std::int32_t device) {
    if (const std::uint64_t cores = attribute(cann, device, ACL_DEV_ATTR_AICORE_CORE_NUM))
        return static_cast<std::uint32_t>(cores);
    std::int64_t value = 0;
    if (!cann.aclGetDeviceCapability ||
        cann.aclGetDeviceCapability(static_cast<std::uint32_t>(device), ACL_DEVICE_INFO_AI_CORE_NUM,
                                    &value) != ACL_SUCCESS)
        return 0;
    return static_cast<std::uint32_t>(value);
}

std::string uuid(const Cann& cann, std::int32_t device) {
    aclrtUuid id{};
    if (!cann.aclrtDeviceGetUuid || cann.aclrtDeviceGetUuid(device, &id) != ACL_SUCCESS) return "";
    std::string text;
    char hex[3];
    for (const char byte : id.bytes) {
        std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned char>(byte));
        text += hex;
    }
    return text;
}

std::string pci_bus_id(const Cann& cann, std::int32_t device) {
    char id[32] = "";
    if (!cann.aclrtDeviceGetPCIBusId ||
        cann.aclrtDeviceGetPCIBusId(device, id, sizeof id) != ACL_SUCCESS)
        return "";
    return id;
}

void set_versions(const Cann& cann, dab_properties& p) {
    std::int32_t major = 0, minor = 0, patch = 0;
    if (cann.aclrtGetVersion(&major, &minor, &patch) == ACL_SUCCESS) {
        p.runtime_version = major * 10000 + minor * 100 + patch;
        std::string text = "ACL " + std::to_string(major) + "." + std::to_string(minor) + "." +
                           std::to_string(patch);
        const std::string package = package_version(cann, ACL_PKG_NAME_CANN, "runtime");
        set_text(p.runtime, package.empty() ? text : text + ", CANN " + package);
    }
    set_text(p.driver, package_version(cann, ACL_PKG_NAME_DRIVER, "driver"));
}

} // namespace

da_status device_properties(Instance& self, std::int32_t device, dab_properties* out) {
    if (const da_status status = check_device(self, device)) return status;
    const Cann& cann = self.cann;
    dab_properties p{};
    p.size = std::min<std::uint32_t>(out->size, sizeof p);
    p.total_memory = total_memory(self, device);
    p.alignment = 64;
    p.compute_units = core_count(cann, device);
    set_versions(cann, p);
    const char* soc = cann.aclrtGetSocName();
    std::string name = soc ? soc : "Ascend";
    // A simulator may give a name that clients know from tables; its version says what it is.
    const bool labelled = name.find("simulated") != std::string::npos;
    const bool simulated =
        cann.simulated || labelled || std::strstr(p.runtime, "simulated") != nullptr;
    if (simulated && !labelled) name += " (simulated)";
    if (simulated) p.flags |= DAB_DEVICE_SIMULATED;
    set_text(p.name, name);
    set_text(p.arch, self.soc);
    set_text(p.uuid, uuid(cann, device));
    set_text(p.pci_bus_id, pci_bus_id(cann, device));
    const std::uint32_t size = out->size;
    std::memcpy(out, &p, p.size);
    out->size = size;
    return DA_OK;
}

} // namespace device_api::npu
