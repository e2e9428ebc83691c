// SPDX-License-Identifier: Apache-2.0
// The simulated NCCL on the engine's collectives: groups of simulated devices, of one process or of
// several on this machine.
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "state.hpp"

#include "device_api_cuda/cuda_nccl.h"

using namespace cuda_sim;
using engine::Collective;

namespace {

struct ResultRow {
    Status status;
    ncclResult_t result;
};
constexpr ResultRow results[] = {
    {Status::ok, ncclSuccess},
    {Status::invalid_value, ncclInvalidArgument},
    {Status::invalid_device, ncclInvalidArgument},
    {Status::invalid_handle, ncclInvalidArgument},
    {Status::invalid_address, ncclInvalidArgument},
    {Status::invalid_state, ncclInvalidUsage},
    {Status::out_of_memory, ncclSystemError},
    {Status::timeout, ncclSystemError},
    {Status::device_lost, ncclUnhandledCudaError},
    {Status::launch_failure, ncclUnhandledCudaError},
    {Status::remote_fault, ncclRemoteError},
    {Status::remote_timeout, ncclRemoteError},
};

constexpr engine::DType types[] = {engine::DType::i8,  engine::DType::u8,  engine::DType::i32,
                                   engine::DType::u32, engine::DType::i64, engine::DType::u64,
                                   engine::DType::f16, engine::DType::f32, engine::DType::f64,
                                   engine::DType::bf16};
constexpr engine::Reduction reductions[] = {engine::Reduction::sum, engine::Reduction::prod,
                                            engine::Reduction::max, engine::Reduction::min};

std::string& last_error() {
    static thread_local std::string text;
    return text;
}

ncclResult_t answer(Status status) {
    if (status == Status::ok) return ncclSuccess;
    last_error() = engine::last_message();
    for (const ResultRow& row : results)
        if (row.status == status) return row.result;
    return ncclInternalError;
}

ncclResult_t refuse(ncclResult_t result, const std::string& text) {
    last_error() = text;
    return result;
}

Handle handle_of(ncclComm_t comm) {
    return reinterpret_cast<Handle>(comm);
}

/// `body(Call&)` with a current context.
template <class Body>
ncclResult_t nccl(const char* name, Body body) {
    ncclResult_t result = ncclUnhandledCudaError;
    const CUresult code = call(name, Need::context, [&](Call& c) {
        result = body(c);
        return CUDA_SUCCESS;
    });
    return code ? refuse(ncclUnhandledCudaError, "no current context, or a damaged one") : result;
}

ncclResult_t join(const char* name, ncclComm_t* comm, int ranks, const ncclUniqueId& id, int rank) {
    if (!comm) return refuse(ncclInvalidArgument, "comm is null");
    return nccl(name, [&](Call& c) {
        engine::CommId text;
        static_assert(sizeof text == sizeof id, "both are 128 bytes");
        std::memcpy(&text, &id, sizeof id);
        engine::CommLimits limits;
        if (const char* seconds = std::getenv("DEVICE_API_SIM_COLLECTIVE_TIMEOUT"))
            if (const double s = std::atof(seconds); s > 0) limits.join_s = limits.execute_s = s;
        Handle h = nullptr;
        const Status s = engine::comm_join(c.context()->device, text, ranks, rank, limits, &h);
        *comm = reinterpret_cast<ncclComm_t>(h);
        return answer(s);
    });
}

// ---- groups of sends and receives --------------------------------

struct Held {
    ncclComm_t comm;
    Handle stream;
    std::vector<engine::Transfer> items;
};
thread_local int depth = 0;

std::vector<Held>& held() {
    static thread_local std::vector<Held> all;
    return all;
}

void hold_back(ncclComm_t comm, Handle stream, const engine::Transfer& item) {
    for (Held& h : held())
        if (h.comm == comm && h.stream == stream) return h.items.push_back(item);
    held().push_back({comm, stream, {item}});
}

ncclResult_t pass(const char* name, bool send, const void* memory, size_t count,
                  ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t on) {
    if (type < 0 || type > ncclBfloat16) return refuse(ncclInvalidArgument, "unknown data type");
    return nccl(name, [&](Call& c) {
        Handle stream;
        if (c.stream(on, &stream)) return refuse(ncclInvalidArgument, "no such stream");
        engine::Transfer item;
        item.send = send;
        item.peer = peer;
        item.dtype = types[type];
        item.memory = reinterpret_cast<std::uintptr_t>(memory);
        item.count = count;
        if (depth > 0) return hold_back(comm, stream, item), ncclSuccess;
        return answer(engine::transfer(handle_of(comm), stream, name, &item, 1));
    });
}

// ---- collectives -------------------------------------------------

/// The mean: what the sum has left, over the number of ranks.
Status divide(const char* name, Handle stream, const engine::Tensor& t, int ranks) {
    engine::Launch l;
    l.name = name;
    l.operands.emplace_back(t, engine::Access::read_write);
    l.task = [t, ranks](engine::TaskContext& c) {
        return engine::binary(c, engine::Binary::div, t.dtype, t,
                              c.constant(engine::Scalar(ranks), t.dtype), t);
    };
    return engine::launch(stream, std::move(l));
}

struct Arguments {
    Collective kind;
    const void* source;
    void* target;
    size_t count;
    ncclDataType_t type;
    ncclRedOp_t op = ncclSum;
    int root = 0;
};

ncclResult_t run(const char* name, const Arguments& a, ncclComm_t comm, cudaStream_t on) {
    if (a.type < 0 || a.type > ncclBfloat16)
        return refuse(ncclInvalidArgument, "unknown data type");
    if (a.op < 0 || a.op > ncclAvg) return refuse(ncclInvalidArgument, "unknown reduction");
    const bool mean = a.op == ncclAvg;
    if (mean && a.type < ncclFloat16)
        return refuse(ncclInvalidUsage, "the mean of integers is not simulated");
    return nccl(name, [&](Call& c) {
        Handle stream;
        if (c.stream(on, &stream)) return refuse(ncclInvalidArgument, "no such stream");
        engine::CommInfo info;
        if (const ncclResult_t bad = answer(engine::comm_info(handle_of(comm), &info))) return bad;
        if (a.root < 0 || a.root >= info.ranks) return refuse(ncclInvalidArgument, "no such root");
        engine::CollectiveCall call;
        call.name = name;
        call.kind = a.kind;
        call.reduction = mean ? engine::Reduction::sum : reductions[a.op];
        call.dtype = types[a.type];
        call.root = a.root;
        call.source = reinterpret_cast<std::uintptr_t>(a.source);
        call.target = reinterpret_cast<std::uintptr_t>(a.target);
        call.count = a.count;
        const ncclResult_t result = answer(engine::collective(handle_of(comm), stream, call));
        const bool mine = a.kind != Collective::reduce || info.rank == a.root;
        if (result || !mean || !mine || !a.count) return result;
        const engine::Tensor t(types[a.type], call.target, {static_cast<std::int64_t>(a.count)});
        return answer(divide(name, stream, t, info.ranks));
    });
}

} // namespace

SIM_EXPORT ncclResult_t ncclGetVersion(int* version) {
    if (!version) return ncclInvalidArgument;
    *version = 22100;
    return ncclSuccess;
}
SIM_EXPORT ncclResult_t ncclGetUniqueId(ncclUniqueId* uniqueId) {
    ensure_engine();
    if (!uniqueId) return ncclInvalidArgument;
    engine::CommId id{};
    const Status s = engine::comm_id(&id);
    std::memcpy(uniqueId, &id, sizeof id);
    return answer(s);
}
SIM_EXPORT ncclResult_t ncclCommInitRank(ncclComm_t* comm, int nranks, ncclUniqueId commId,
                                         int rank) {
    return join(__func__, comm, nranks, commId, rank);
}
// It always waits for the other ranks: a caller that would poll finds it done.
SIM_EXPORT ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int nranks, ncclUniqueId commId,
                                               int rank, ncclConfig_t*) {
    return join(__func__, comm, nranks, commId, rank);
}
SIM_EXPORT ncclResult_t ncclCommFinalize(ncclComm_t comm) {
    return answer(engine::comm_error(handle_of(comm)));
}
SIM_EXPORT ncclResult_t ncclCommDestroy(ncclComm_t comm) {
    return answer(engine::comm_leave(handle_of(comm)));
}
SIM_EXPORT ncclResult_t ncclCommAbort(ncclComm_t comm) {
    (void)engine::comm_leave(handle_of(comm)); // work that is pending fails: that is asked for
    return ncclSuccess;
}
SIM_EXPORT ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* asyncError) {
    if (!asyncError) return ncclInvalidArgument;
    *asyncError = answer(engine::comm_error(handle_of(comm)));
    return ncclSuccess;
}
SIM_EXPORT ncclResult_t ncclCommCount(const ncclComm_t comm, int* count) {
    engine::CommInfo info;
    const ncclResult_t result =
        count ? answer(engine::comm_info(handle_of(comm), &info)) : ncclInvalidArgument;
    if (!result) *count = info.ranks;
    return result;
}
SIM_EXPORT ncclResult_t ncclCommUserRank(const ncclComm_t comm, int* rank) {
    engine::CommInfo info;
    const ncclResult_t result =
        rank ? answer(engine::comm_info(handle_of(comm), &info)) : ncclInvalidArgument;
    if (!result) *rank = info.rank;
    return result;
}
SIM_EXPORT const char* ncclGetErrorString(ncclResult_t result) {
#define NAME_CASE(name, value, mark)                                                               \
    case name: return #name;
    switch (result) {
        NCCL_RESULTS(NAME_CASE)
    default: return "unknown result code";
    }
}
SIM_EXPORT const char* ncclGetLastError(ncclComm_t) {
    return last_error().c_str();
}

SIM_EXPORT ncclResult_t ncclAllReduce(const void* sendbuff, void* recvbuff, size_t count,
                                      ncclDataType_t datatype, ncclRedOp_t op, ncclComm_t comm,
                                      cudaStream_t stream) {
    return run(__func__, {Collective::all_reduce, sendbuff, recvbuff, count, datatype, op}, comm,
               stream);
}
SIM_EXPORT ncclResult_t ncclReduce(const void* sendbuff, void* recvbuff, size_t count,
                                   ncclDataType_t datatype, ncclRedOp_t op, int root,
                                   ncclComm_t comm, cudaStream_t stream) {
    return run(__func__, {Collective::reduce, sendbuff, recvbuff, count, datatype, op, root}, comm,
               stream);
}
SIM_EXPORT ncclResult_t ncclReduceScatter(const void* sendbuff, void* recvbuff, size_t recvcount,
                                          ncclDataType_t datatype, ncclRedOp_t op, ncclComm_t comm,
                                          cudaStream_t stream) {
    return run(__func__, {Collective::reduce_scatter, sendbuff, recvbuff, recvcount, datatype, op},
               comm, stream);
}
SIM_EXPORT ncclResult_t ncclAllGather(const void* sendbuff, void* recvbuff, size_t sendcount,
                                      ncclDataType_t datatype, ncclComm_t comm,
                                      cudaStream_t stream) {
    return run(__func__, {Collective::all_gather, sendbuff, recvbuff, sendcount, datatype}, comm,
               stream);
}
SIM_EXPORT ncclResult_t ncclSend(const void* sendbuff, size_t count, ncclDataType_t datatype,
                                 int peer, ncclComm_t comm, cudaStream_t stream) {
    return pass(__func__, true, sendbuff, count, datatype, peer, comm, stream);
}
SIM_EXPORT ncclResult_t ncclRecv(void* recvbuff, size_t count, ncclDataType_t datatype, int peer,
                                 ncclComm_t comm, cudaStream_t stream) {
    return pass(__func__, false, recvbuff, count, datatype, peer, comm, stream);
}
SIM_EXPORT ncclResult_t ncclBroadcast(const void* sendbuff, void* recvbuff, size_t count,
                                      ncclDataType_t datatype, int root, ncclComm_t comm,
                                      cudaStream_t stream) {
    return run(__func__,
               {Collective::broadcast, sendbuff, recvbuff, count, datatype, ncclSum, root}, comm,
               stream);
}

SIM_EXPORT ncclResult_t ncclGroupStart() {
    ++depth;
    return ncclSuccess;
}
SIM_EXPORT ncclResult_t ncclGroupEnd() {
    if (depth == 0) return refuse(ncclInvalidUsage, "no group was started on this thread");
    if (--depth > 0) return ncclSuccess;
    std::vector<Held> all;
    all.swap(held());
    ncclResult_t result = ncclSuccess;
    for (const Held& h : all) {
        const ncclResult_t one = answer(engine::transfer(
            handle_of(h.comm), h.stream, "ncclGroupEnd", h.items.data(), h.items.size()));
        if (!result) result = one;
    }
    return result;
}
