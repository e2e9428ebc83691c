// SPDX-License-Identifier: Apache-2.0
// Groups of devices, and their failures.
#include "nccl.hpp"

#include <chrono>
#include <climits>
#include <cstring>
#include <memory>
#include <thread>

#include "search.hpp"

namespace device_api::cuda {
namespace {

using simt::fail;

constexpr const char* remedy_remote =
    "look first at the errors of the other ranks: one of them failed, ended or lost its link; "
    "NCCL_DEBUG=INFO says more";

// Of another rank never as a lost device or a timeout: those would be said of this one.
constexpr simt::CodeRow rows[] = {
    {1, DA_INTERNAL, "a call of CUDA failed inside it", "NCCL_DEBUG=INFO says which"},
    {2, DA_INTERNAL, "a call of the system failed inside it", "NCCL_DEBUG=INFO says which"},
    {3, DA_INTERNAL, "failure inside the library", nullptr},
    {4, DA_INVALID_ARGUMENT, "invalid argument", nullptr},
    {5, DA_INVALID_ARGUMENT,
     "invalid use: ranks of one group must have devices of their own, and "
     "make the same calls",
     nullptr},
    {6, DA_INTERNAL, "another rank failed", remedy_remote},
    {7, DA_NOT_READY, "still in progress", nullptr},
};
constexpr simt::CodeTable table{"NCCL", rows, sizeof rows / sizeof rows[0]};

constexpr std::int32_t own_limit_ms = 600000; // NCCL itself waits for ever

} // namespace

da_status Nccl::open() {
    const std::lock_guard<std::mutex> guard(lock_);
    if (!path_.empty()) return DA_OK;
    const linkage::Library library =
        cuda_.simulated
            ? linkage::open_simulated(cuda_.options.simulator, CUDA_SONAME_NCCL)
            : linkage::open_real(toolkit_candidates(cuda_.options, CUDA_SONAME_NCCL, {"nccl"}));
    if (!library)
        return fail(DA_NOT_SUPPORTED, "pip install nvidia-nccl-cu13 (or -cu12)",
                    "collectives need NCCL: %s", library.message.c_str());
    std::string missing;
#define CUDA_BIND(name)                                                                            \
    if (!(nccl_.name = reinterpret_cast<name##_fn>(library.symbol(#name)))) missing += " " #name;
    CUDA_NCCL_REQUIRED(CUDA_BIND)
#undef CUDA_BIND
    if (!missing.empty())
        return fail(DA_VERSION_MISMATCH, "install NCCL 2.7 or newer", "%s lacks%s",
                    library.path.c_str(), missing.c_str());
#define CUDA_BIND(name) nccl_.name = reinterpret_cast<name##_fn>(library.symbol(#name));
    CUDA_NCCL_OPTIONAL(CUDA_BIND)
#undef CUDA_BIND
    path_ = library.path;
    return DA_OK;
}

da_status Nccl::failed(int code, const char* call, ncclComm_t comm) const {
    const char* text = nccl_.ncclGetLastError ? nccl_.ncclGetLastError(comm) : nullptr;
    if (!text || !*text) text = nccl_.ncclGetErrorString(static_cast<ncclResult_t>(code));
    return simt::vendor_fail(table, code, call, text);
}

da_status Nccl::make_id(void* id, std::uint32_t* bytes) {
    if (const da_status status = open()) return status;
    ncclUniqueId made{};
    if (const int code = nccl_.ncclGetUniqueId(&made))
        return failed(code, "ncclGetUniqueId", nullptr);
    static_assert(sizeof made <= DAB_COMM_ID_MAX, "the identifier fits");
    std::memcpy(id, &made, sizeof made);
    *bytes = sizeof made;
    return DA_OK;
}

// Without blocking where this NCCL can, so that the wait for the other ranks has a limit.
da_status Nccl::join(const ncclUniqueId& id, std::int32_t ranks, std::int32_t rank,
                     std::int32_t timeout_ms, ncclComm_t* comm) {
    if (!nccl_.ncclCommInitRankConfig) {
        const int code = nccl_.ncclCommInitRank(comm, ranks, id, rank);
        return code ? failed(code, "ncclCommInitRank", nullptr) : DA_OK;
    }
    ncclConfig_t config{};
    config.size = sizeof config;
    config.magic = NCCL_CONFIG_MAGIC;
    int version = 0;
    nccl_.ncclGetVersion(&version);
    config.version = static_cast<unsigned>(version);
    config.blocking = 0;
    config.cgaClusterSize = config.minCTAs = config.maxCTAs = config.splitShare = INT_MIN;
    int code = nccl_.ncclCommInitRankConfig(comm, ranks, id, rank, &config);
    if (code && code != ncclInProgress) return failed(code, "ncclCommInitRankConfig", nullptr);
    using Clock = std::chrono::steady_clock;
    const auto end =
        Clock::now() + std::chrono::milliseconds(timeout_ms < 0 ? own_limit_ms : timeout_ms);
    ncclResult_t state = ncclInProgress;
    while ((code = nccl_.ncclCommGetAsyncError(*comm, &state)) == ncclSuccess &&
           state == ncclInProgress && Clock::now() < end)
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    if (code || (state != ncclSuccess && state != ncclInProgress)) {
        const da_status status = failed(code ? code : state, "ncclCommInitRankConfig", *comm);
        nccl_.ncclCommAbort(*comm);
        return status;
    }
    if (state == ncclSuccess) return DA_OK;
    nccl_.ncclCommAbort(*comm);
    return fail(DA_TIMEOUT, "check that every rank is alive and got the identifier of rank 0",
                "not all of %d ranks joined the group in time", ranks);
}

da_status Nccl::create(const void* id, std::uint32_t bytes, std::int32_t ranks, std::int32_t rank,
                       std::int32_t timeout_ms, simt::Handle* comm) {
    if (const da_status status = open()) return status;
    ncclUniqueId given;
    if (bytes != sizeof given)
        return fail(DA_INVALID_ARGUMENT, "carry the identifier of rank 0 to every rank unchanged",
                    "the identifier has %u bytes, not the %zu of NCCL's", bytes, sizeof given);
    std::memcpy(&given, id, sizeof given);
    auto made = std::make_unique<Comm>(Comm{nullptr, nullptr, false});
    CUdeviceptr byte = 0;
    CUDA_TRY(cuda_, cuMemAlloc_v2, &byte, 16);
    made->barrier = reinterpret_cast<void*>(byte);
    if (const da_status status = join(given, ranks, rank, timeout_ms, &made->raw)) {
        cuda_.cuMemFree_v2(byte);
        return status;
    }
    *comm = made.release();
    return DA_OK;
}

da_status Nccl::destroy(simt::Handle comm) {
    const std::unique_ptr<Comm> owned(static_cast<Comm*>(comm));
    cuda_.cuMemFree_v2(reinterpret_cast<CUdeviceptr>(owned->barrier));
    if (owned->aborted) return DA_OK; // the abort freed it
    const int code = nccl_.ncclCommDestroy(owned->raw);
    return code && code != ncclInProgress ? failed(code, "ncclCommDestroy", nullptr) : DA_OK;
}

da_status Nccl::query(simt::Handle comm) {
    const Comm& c = *static_cast<Comm*>(comm);
    if (c.aborted) return fail(DA_INTERNAL, nullptr, "the group was given up");
    ncclResult_t state = ncclSuccess;
    if (const int code = nccl_.ncclCommGetAsyncError(c.raw, &state))
        return failed(code, "ncclCommGetAsyncError", c.raw);
    if (state == ncclSuccess || state == ncclInProgress) return DA_OK;
    return failed(state, "ncclCommGetAsyncError", c.raw);
}

da_status Nccl::abort(simt::Handle comm) {
    Comm& c = *static_cast<Comm*>(comm);
    if (c.aborted) return DA_OK;
    c.aborted = true;
    const int code = nccl_.ncclCommAbort(c.raw);
    return code && code != ncclInProgress ? failed(code, "ncclCommAbort", nullptr) : DA_OK;
}

da_status Nccl::group_begin() {
    if (const da_status status = open()) return status;
    const int code = nccl_.ncclGroupStart();
    return code ? failed(code, "ncclGroupStart", nullptr) : DA_OK;
}

da_status Nccl::group_end() {
    const int code = nccl_.ncclGroupEnd();
    return code && code != ncclInProgress ? failed(code, "ncclGroupEnd", nullptr) : DA_OK;
}

} // namespace device_api::cuda
