// SPDX-License-Identifier: Apache-2.0
// Opening the driver's management library.
#include "dcmi.hpp"

#include <cstring>
#include <vector>

#include "device_api/linkage.hpp"
#include "error.hpp"

namespace device_api::npu {
namespace {

// The linker's own search, then where the driver puts it and where containers mount it.
constexpr const char* places[] = {
    DCMI_SONAME,
    "/usr/local/Ascend/driver/lib64/driver/" DCMI_SONAME,
    "/usr/local/dcmi/" DCMI_SONAME,
};

constexpr const char* remedy_container =
    "give the container the device and /dev/davinci_manager, and mount the driver's folders";

// Sorted by code.
constexpr CodeRow rows[] = {
    {DCMI_NOT_SUPPORTED, DA_NOT_SUPPORTED, "not supported on this chip", nullptr},
    {-8020, DA_BUSY, "the resource is occupied", "ask again later"},
    {-8017, DA_BUSY, "the firmware is being upgraded", "ask again after the upgrade"},
    {DCMI_NOT_READY, DA_NOT_READY, "the driver is not ready", nullptr},
    {DCMI_DEVICE_MISSING, DA_NOT_SUPPORTED, "no device", remedy_container},
    {DCMI_INVALID_DEVICE_ID, DA_NOT_SUPPORTED, "no such device", remedy_container},
    {DCMI_TIMEOUT, DA_TIMEOUT, "no answer in time", nullptr},
    {DCMI_NOT_PERMITTED, DA_NOT_SUPPORTED, "not permitted",
     "add the user to the driver's group (HwHiAiUser), or run as root"},
    {DCMI_INVALID_PARAMETER, DA_INTERNAL, "invalid parameter", nullptr},
};
constexpr CodeTable table{"DCMI", rows, sizeof rows / sizeof rows[0]};

std::vector<std::string> names() {
    return {std::begin(places), std::end(places)};
}

std::string places_in_words() {
    std::string text;
    for (const char* place : places) text += std::string(text.empty() ? "" : ", ") + place;
    return text;
}

da_status not_opened(const Cann& cann, const linkage::Library& library) {
    if (library.outcome != linkage::Outcome::not_found)
        return fail(DA_NOT_SUPPORTED, "repair the driver's installation",
                    "the driver's management library cannot be used: %s", library.message.c_str());
    const std::string tried = cann.simulated ? cann.simulator + "/" DCMI_SONAME : places_in_words();
    return fail(DA_NOT_SUPPORTED,
                "install Ascend's driver, or mount its folders and /usr/local/dcmi into the "
                "container",
                "the driver's management library is not on this machine; tried: %s", tried.c_str());
}

std::string version_of(int (*ask)(char*, unsigned int), const char* what) {
    char text[65] = "";
    if (!ask || ask(text, 64) != DCMI_OK || !text[0]) return "";
    text[64] = '\0';
    return std::string(", ") + what + " " + text;
}

da_status start(Dcmi& dcmi, const linkage::Library& library) {
    std::string missing;
#define NPU_BIND(name)                                                                             \
    dcmi.name = reinterpret_cast<name##_fn>(library.symbol(#name));                                \
    if (!dcmi.name) missing += " " #name;
    NPU_DCMI_REQUIRED(NPU_BIND)
#undef NPU_BIND
    if (!missing.empty())
        return fail(DA_NOT_SUPPORTED, "use a driver with the card and chip interface of DCMI",
                    "%s lacks%s", library.path.c_str(), missing.c_str());
#define NPU_BIND(name) dcmi.name = reinterpret_cast<name##_fn>(library.symbol(#name));
    NPU_DCMI_OPTIONAL(NPU_BIND)
#undef NPU_BIND
    if (const int code = dcmi.dcmi_init()) return dcmi_fail(code, "dcmi_init");
    dcmi.source = library.path + version_of(dcmi.dcmi_get_dcmi_version, "DCMI") +
                  version_of(dcmi.dcmi_get_driver_version, "driver");
    return DA_OK;
}

} // namespace

da_status dcmi_fail(int code, const char* call) {
    return vendor_fail(table, code, call, nullptr);
}

da_status open_dcmi(const Cann& cann, Dcmi& dcmi) {
    const std::lock_guard<std::mutex> guard(dcmi.lock);
    if (dcmi.opened) return DA_OK;
    const linkage::Library library = cann.simulated
                                         ? linkage::open_simulated(cann.simulator, DCMI_SONAME)
                                         : linkage::open_real(names());
    if (!library) return not_opened(cann, library);
    if (const da_status status = start(dcmi, library)) return status;
    dcmi.opened = true;
    return DA_OK;
}

} // namespace device_api::npu
