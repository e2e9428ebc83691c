// SPDX-License-Identifier: Apache-2.0
// Opening CANN: the real libraries by the vendor's search rules, or the simulated ones by path.
#include "cann.hpp"

#include <cstdlib>
#include <cstring>

#include "device_api/linkage.hpp"
#include "error.hpp"
#include "generation.hpp"
#include "search.hpp"

namespace device_api::npu {
namespace {

constexpr const char* remedy_install =
    "install Ascend's driver and CANN and source its set_env.sh, or simulate the chip: "
    "DEVICE_API_SIMULATE=npu";
constexpr const char* remedy_load =
    "source CANN's set_env.sh; the driver's folders (/usr/local/Ascend/driver/lib64 and its driver "
    "and common) must be on the loader's path too";

constexpr const char* feature_libraries[] = {
    "libaclnn_ops_infer.so", "libaclnn_ops_train.so", "libaclnn_math.so",
    "libaclnn_sparse.so",    "libaclnn_fft.so",       "libaclnn_rand.so",
};

struct Mark {
    const char* name;
    int since;
    int mark;
};

constexpr Mark marks[] = {
#define NPU_MARK_ROW(ret, name, params, library, since, mark)                                      \
    {#name, CANN_SINCE_##since, CANN_MARK_##mark},
    CANN_RUNTIME_SYMBOLS(NPU_MARK_ROW) CANN_NNOPBASE_SYMBOLS(NPU_MARK_ROW)
#undef NPU_MARK_ROW
#define NPU_MARK_ROW(op, signature, library, since, mark)                                          \
    {"aclnn" #op, CANN_SINCE_##since, CANN_MARK_##mark},                                           \
        {"aclnn" #op "GetWorkspaceSize", CANN_SINCE_##since, CANN_MARK_##mark},
        CANN_ACLNN_SYMBOLS(NPU_MARK_ROW)
#undef NPU_MARK_ROW
};

// May the adapter use the symbol? One that no table lists is as good as unconfirmed.
bool may_use(const Cann& cann, const char* name) {
    for (const Mark& m : marks) {
        if (std::strcmp(m.name, name) != 0) continue;
        if (cann.only_8_1 && m.since > CANN_SINCE_8_1) return false;
        return m.mark == CANN_MARK_CONFIRMED || cann.allow_unconfirmed;
    }
    return cann.allow_unconfirmed;
}

template <class F>
bool bind(const Cann& cann, void* handle, const char* name, F& function) {
    function = may_use(cann, name) ? reinterpret_cast<F>(dlsym(handle, name)) : nullptr;
    return function != nullptr;
}

da_status not_opened(const linkage::Library& library, bool simulated) {
    if (library.outcome == linkage::Outcome::refused)
        return fail(DA_BUSY, "use real or simulated chips in one process, never both", "%s",
                    library.message.c_str());
    if (simulated)
        return fail(DA_NO_DRIVER, "reinstall device-api-npu, or give the right folder",
                    "the simulated CANN cannot be opened: %s", library.message.c_str());
    if (library.outcome == linkage::Outcome::broken)
        return fail(DA_NO_DRIVER, remedy_load, "CANN is installed but does not load: %s",
                    library.message.c_str());
    return fail(DA_NO_DRIVER, remedy_install,
                "CANN is not on this machine: neither " CANN_SONAME_ASCENDCL
                " nor " CANN_SONAME_ACL_RT " is on the loader's path or in %s",
                folders_in_words().c_str());
}

da_status lacks(const Cann& cann, const std::string& missing) {
    return fail(DA_VERSION_MISMATCH,
                "use CANN 8.1 or later; a symbol marked unconfirmed needs DEVICE_API_UNCONFIRMED=1",
                "%s lacks%s", cann.runtime_path.c_str(), missing.c_str());
}

bool unconfirmed_allowed() {
    const char* value = std::getenv("DEVICE_API_UNCONFIRMED");
    return value && std::strcmp(value, "1") == 0;
}

void append(std::vector<void*>& handles, const linkage::Library& library) {
    if (library) handles.push_back(library.handle);
}

// Real operator libraries in the order in which the vendor's own frontends search them. Custom
// operator packages (libcust_opapi.so) are left out: the core operators are the vendor's.
void open_real_operators(Cann& cann) {
    const std::string beside = cann.runtime_path.substr(0, cann.runtime_path.rfind('/'));
    std::vector<std::string> folders = library_folders();
    folders.insert(folders.begin(), beside);
    for (const std::string& folder : folders) {
        const std::vector<std::string> paths = split_operator_libraries(folder);
        for (const std::string& path : paths) append(cann.operators, linkage::open_path(path));
        if (!paths.empty()) break;
    }
    cann.operators_split = !cann.operators.empty();
    const linkage::Library whole = linkage::open_real(candidates({CANN_SONAME_OPAPI}));
    cann.operators_whole = bool(whole);
    append(cann.operators, whole);
    append(cann.operators, linkage::open_real(candidates({CANN_SONAME_NNOPBASE})));
    if (!whole) return;
    for (const char* soname : feature_libraries) // beside libopapi.so in CANN 8
        append(cann.operators, linkage::open_real(candidates({soname})));
}

bool open_simulated_operator(Cann& cann, const char* soname) {
    if (!linkage::detail::exists(cann.simulator + "/" + soname)) return false;
    const std::size_t before = cann.operators.size();
    append(cann.operators, linkage::open_simulated(cann.simulator, soname));
    return cann.operators.size() > before;
}

void open_simulated_operators(Cann& cann) {
    for (const char* soname : {CANN_SONAME_OPAPI_MATH, CANN_SONAME_OPAPI_NN, CANN_SONAME_OPAPI_CV,
                               CANN_SONAME_OPAPI_TRANSFORMER})
        cann.operators_split |= open_simulated_operator(cann, soname);
    cann.operators_whole = open_simulated_operator(cann, CANN_SONAME_OPAPI);
    open_simulated_operator(cann, CANN_SONAME_NNOPBASE);
}

// The name of CANN 8, which 9 keeps for a time; else that of CANN 9 alone.
linkage::Library open_simulated_runtime(const std::string& folder) {
    const bool newer = !linkage::detail::exists(folder + "/" CANN_SONAME_ASCENDCL) &&
                       linkage::detail::exists(folder + "/" CANN_SONAME_ACL_RT);
    return linkage::open_simulated(folder, newer ? CANN_SONAME_ACL_RT : CANN_SONAME_ASCENDCL);
}

} // namespace

da_status open_runtime(const Options& options, Cann& cann) {
    const linkage::Library library =
        options.simulate
            ? open_simulated_runtime(options.simulator)
            : linkage::open_real(candidates({CANN_SONAME_ASCENDCL, CANN_SONAME_ACL_RT}));
    if (!library) return not_opened(library, options.simulate);
    cann.simulated = options.simulate;
    cann.simulator = options.simulator;
    cann.only_8_1 = options.only_8_1;
    cann.allow_unconfirmed = options.simulate || unconfirmed_allowed();
    cann.runtime = library.handle;
    cann.runtime_path = library.path;

    std::string missing;
#define NPU_BIND(name)                                                                             \
    if (!bind(cann, cann.runtime, #name, cann.name)) missing += " " #name;
    NPU_RUNTIME_REQUIRED(NPU_BIND)
#undef NPU_BIND
    if (!missing.empty()) return lacks(cann, missing);
#define NPU_BIND(name) bind(cann, cann.runtime, #name, cann.name);
    NPU_RUNTIME_OPTIONAL(NPU_BIND)
#undef NPU_BIND
    return DA_OK;
}

da_status open_operators(Cann& cann) {
    if (!cann.operators.empty()) return DA_OK;
    if (cann.simulated)
        open_simulated_operators(cann);
    else
        open_real_operators(cann);
    std::string missing;
#define NPU_BIND(symbol)                                                                           \
    cann.symbol = reinterpret_cast<symbol##_fn>(operator_symbol(cann, #symbol));                   \
    if (!cann.symbol) missing += " " #symbol;
    NPU_OPERATOR_OBJECTS(NPU_BIND)
#undef NPU_BIND
    if (missing.empty()) {
        const da_status mixed = check_generations(cann);
        if (mixed) cann.operators.clear();
        return mixed;
    }
    cann.operators.clear();
    return fail(DA_NO_DRIVER, remedy_install,
                "CANN's operator libraries (" CANN_SONAME_OPAPI ", " CANN_SONAME_NNOPBASE
                ", libopapi_*.so) are not on the loader's path or beside %s; not found:%s",
                cann.runtime_path.c_str(), missing.c_str());
}

void* operator_symbol(const Cann& cann, const char* name) {
    if (!may_use(cann, name)) return nullptr;
    for (void* handle : cann.operators)
        if (void* symbol = dlsym(handle, name)) return symbol;
    return nullptr;
}

namespace {

struct BeliefRow {
    const char* id;
    int mark;
    const char* what;
};

constexpr BeliefRow beliefs[] = {
#define NPU_BELIEF_ROW(id, mark, what, source) {#id, CANN_MARK_##mark, what},
    CANN_BELIEFS(NPU_BELIEF_ROW)
#undef NPU_BELIEF_ROW
};

} // namespace

bool relies_on(const Cann& cann, cannBelief belief) {
    return beliefs[belief].mark == CANN_MARK_CONFIRMED || cann.allow_unconfirmed;
}

da_status refuse_belief(cannBelief belief, const char* what) {
    return fail(DA_NOT_SUPPORTED, "set DEVICE_API_UNCONFIRMED=1 to rely on it",
                "%s rests on an unconfirmed fact of CANN (%s: %s)", what, beliefs[belief].id,
                beliefs[belief].what);
}

} // namespace device_api::npu
