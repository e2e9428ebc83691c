// SPDX-License-Identifier: Apache-2.0
// Opening HCCL, and what its results mean.
#include "hccl.hpp"

#include <vector>

#include "device_api/linkage.hpp"
#include "error.hpp"
#include "search.hpp"

namespace device_api::npu {
namespace {

struct ResultRow {
    int code;
    da_status status;
    const char* meaning;
    const char* remedy;
};
constexpr const char* remedy_remote =
    "look first at the errors of the other ranks: one of them failed, ended or lost its link";
constexpr const char* remedy_time =
    "check that every rank makes the same calls in the same order and is alive; "
    "HCCL_CONNECT_TIMEOUT and HCCL_EXEC_TIMEOUT are HCCL's limits in seconds";
constexpr ResultRow rows[] = {
    {HCCL_E_PARA, DA_INVALID_ARGUMENT, "invalid argument", nullptr},
    {HCCL_E_PTR, DA_INVALID_ARGUMENT, "null pointer", nullptr},
    {HCCL_E_MEMORY, DA_OUT_OF_MEMORY, "out of memory",
     "HCCL takes HCCL_BUFFSIZE MB (default 200) of device memory for each communicator"},
    {HCCL_E_OOM, DA_OUT_OF_MEMORY, "out of memory", nullptr},
    {HCCL_E_NOT_SUPPORT, DA_NOT_SUPPORTED, "not supported by this chip", nullptr},
    {HCCL_E_UNAVAIL, DA_BUSY, "a resource is in use",
     "another job may use HCCL's ports: set HCCL_IF_BASE_PORT"},
    {HCCL_E_TIMEOUT, DA_TIMEOUT, "another rank did not come in time", remedy_time},
    {HCCL_E_TCP_CONNECT, DA_BUSY, "the ranks cannot connect",
     "set HCCL_SOCKET_IFNAME or HCCL_IF_IP; another job may use HCCL's ports (HCCL_IF_BASE_PORT)"},
    {HCCL_E_REMOTE, DA_INTERNAL, "another rank failed", remedy_remote},
    {HCCL_E_NETWORK, DA_INTERNAL, "the network failed", remedy_remote},
    {HCCL_E_SUSPENDING, DA_BUSY, "the communicator is suspended", nullptr},
};
constexpr ResultRow unknown{0, DA_INTERNAL, "failure inside HCCL", nullptr};

const ResultRow& row_of(int code) {
    for (const ResultRow& row : rows)
        if (row.code == code) return row;
    return unknown;
}

struct Mark {
    const char* name;
    int since;
};
constexpr Mark marks[] = {
#define NPU_MARK_ROW(ret, name, params, library, since, mark)                                      \
    {CANN_MARK_##mark == CANN_MARK_CONFIRMED ? #name : nullptr, CANN_SINCE_##since},
    CANN_HCCL_SYMBOLS(NPU_MARK_ROW)
#undef NPU_MARK_ROW
};

bool may_use(const Cann& cann, const std::string& name) {
    for (const Mark& m : marks)
        if (m.name && name == m.name) return !cann.only_8_1 || m.since <= CANN_SINCE_8_1;
    return cann.allow_unconfirmed;
}

using Libraries = std::vector<linkage::Library>;

template <class F>
bool bind(const Cann& cann, const Libraries& libraries, const char* name, F& function) {
    function = nullptr;
    for (const linkage::Library& library : libraries)
        if (!function && may_use(cann, name)) function = reinterpret_cast<F>(library.symbol(name));
    return function != nullptr;
}

Libraries open_libraries(const Cann& cann) {
    Libraries found;
    for (const char* soname : {CANN_SONAME_HCCL, CANN_SONAME_HCOMM}) {
        linkage::Library library = cann.simulated ? linkage::open_simulated(cann.simulator, soname)
                                                  : linkage::open_real(candidates({soname}));
        if (library) found.push_back(library);
    }
    return found;
}

} // namespace

da_status open_hccl(const Cann& cann, Hccl& hccl) {
    if (!hccl.path.empty()) return DA_OK;
    const Libraries libraries = open_libraries(cann);
    if (libraries.empty())
        return fail(DA_NOT_SUPPORTED, "install CANN with HCCL, and source its set_env.sh",
                    "collectives need HCCL, and " CANN_SONAME_HCCL
                    " is not on the loader's path or in %s",
                    folders_in_words().c_str());
    Hccl opened;
    std::string missing;
#define NPU_BIND(name)                                                                             \
    if (!bind(cann, libraries, #name, opened.name)) missing += " " #name;
    NPU_HCCL_REQUIRED(NPU_BIND)
#undef NPU_BIND
    if (!missing.empty())
        return fail(DA_VERSION_MISMATCH, "use CANN 8.1 or later", "%s lacks%s",
                    libraries[0].path.c_str(), missing.c_str());
#define NPU_BIND(name) bind(cann, libraries, #name, opened.name);
    NPU_HCCL_OPTIONAL(NPU_BIND)
#undef NPU_BIND
    opened.path = libraries[0].path;
    hccl = opened;
    return DA_OK;
}

da_status hccl_fail(const Cann& cann, const Hccl& hccl, int code, const char* call) {
    const ResultRow& row = row_of(code);
    const char* text = cann.aclGetRecentErrMsg ? cann.aclGetRecentErrMsg() : nullptr;
    const char* name =
        hccl.HcclGetErrorString ? hccl.HcclGetErrorString(static_cast<HcclResult>(code)) : "";
    return fail(row.status, row.remedy, "%s: %s (HCCL error %d, %s)%s%s", call, row.meaning, code,
                name, text ? ": " : "", text ? text : "");
}

} // namespace device_api::npu
