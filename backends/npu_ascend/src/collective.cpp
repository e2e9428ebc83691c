// SPDX-License-Identifier: Apache-2.0
// Collectives of the backend table, through HCCL.
#include "collective.hpp"

#include <cstring>
#include <memory>
#include <vector>

#include "instance.hpp"

struct dab_comm_s {
    HcclComm raw;
    std::int32_t device;
    std::uint32_t generation;
};

namespace device_api::npu {
namespace {

/// An element is `parts` numbers of HCCL's type: bool goes as bytes, complex as its parts.
struct TypeRow {
    HcclDataType type;
    std::uint8_t parts;
    unsigned reduces; // families that reduce it, by HCCL's documentation of 9.x
    unsigned moves;
};
constexpr unsigned later = family_a2 | family_a3 | family_950;
constexpr unsigned servers = family_910a | later;
constexpr unsigned every = servers | family_310p;
constexpr TypeRow types[DA_DTYPE_COUNT] = {
    /* bool */ {HCCL_DATA_TYPE_UINT8, 1, 0, every},
    /* int8 */ {HCCL_DATA_TYPE_INT8, 1, every, every},
    /* int16 */ {HCCL_DATA_TYPE_INT16, 1, later | family_310p, every},
    /* int32 */ {HCCL_DATA_TYPE_INT32, 1, every, every},
    /* int64 */ {HCCL_DATA_TYPE_INT64, 1, servers, every},
    /* uint8 */ {HCCL_DATA_TYPE_UINT8, 1, 0, every},
    /* uint16 */ {HCCL_DATA_TYPE_UINT16, 1, 0, every},
    /* uint32 */ {HCCL_DATA_TYPE_UINT32, 1, 0, every},
    /* uint64 */ {HCCL_DATA_TYPE_UINT64, 1, family_950, every},
    /* float16 */ {HCCL_DATA_TYPE_FP16, 1, every, every},
    /* bfloat16 */ {HCCL_DATA_TYPE_BFP16, 1, later, later},
    /* float32 */ {HCCL_DATA_TYPE_FP32, 1, every, every},
    /* float64 */ {HCCL_DATA_TYPE_FP64, 1, family_950, every},
    /* complex64 */ {HCCL_DATA_TYPE_FP32, 2, every, every},
    /* complex128 */ {HCCL_DATA_TYPE_FP64, 2, family_950, every},
};
constexpr HcclReduceOp reductions[] = {HCCL_REDUCE_SUM, HCCL_REDUCE_PROD, HCCL_REDUCE_MAX,
                                       HCCL_REDUCE_MIN};

bool lacks(Family family, da_dtype dtype, std::uint32_t reduction) {
    if (reduction == DAB_SUM) return false;
    if (types[dtype].parts != 1) return true; // of complex numbers only sums go by parts
    if (family == family_310p) return dtype == DA_INT16;
    const bool narrow = dtype == DA_INT16 || dtype == DA_BFLOAT16;
    return reduction == DAB_PROD && narrow && (family & later);
}

bool reduces(std::uint16_t kind) {
    return kind == DAB_ALL_REDUCE || kind == DAB_REDUCE || kind == DAB_REDUCE_SCATTER;
}

/// What the chip lacks, by the vendor's documentation; a chip of unknown family is asked itself.
da_status check_type(const Instance& self, const dab_collective& call) {
    if (call.dtype >= DA_DTYPE_COUNT)
        return fail(DA_INVALID_ARGUMENT, nullptr, "no data type is numbered %d", call.dtype);
    if (reduces(call.kind) && call.reduction > DAB_MIN)
        return fail(DA_NOT_SUPPORTED, nullptr, "HCCL has no reduction number %u", call.reduction);
    const Family family = self.family;
    if (family == family_unknown) return DA_OK;
    const bool gathers = call.kind == DAB_ALL_GATHER || call.kind == DAB_BARRIER;
    if (family == family_310p && !gathers && call.kind != DAB_ALL_REDUCE &&
        call.kind != DAB_REDUCE_SCATTER)
        return fail(DA_NOT_SUPPORTED, nullptr, "HCCL has no such collective on %s",
                    self.soc.c_str());
    const TypeRow& row = types[call.dtype];
    const bool has = (reduces(call.kind) ? row.reduces : row.moves) & family;
    if (has &&
        !(reduces(call.kind) && lacks(family, static_cast<da_dtype>(call.dtype), call.reduction)))
        return DA_OK;
    return fail(DA_NOT_SUPPORTED, "cast to float32 or int32 first",
                "HCCL does not %s this data type on %s", reduces(call.kind) ? "reduce" : "move",
                self.soc.c_str());
}

struct Arguments {
    void* source;
    void* target;
    std::uint64_t count;
    HcclDataType type;
    HcclReduceOp op;
    std::uint32_t peer;
    HcclComm comm;
    aclrtStream stream;
};

#define NPU_HCCL(fn, ...)                                                                          \
    do {                                                                                           \
        if (!hccl.fn)                                                                              \
            return fail(DA_NOT_SUPPORTED, "use a CANN that has it", "%s lacks " #fn,               \
                        hccl.path.c_str());                                                        \
        if (const int npu_code = hccl.fn(__VA_ARGS__))                                             \
            return hccl_fail(cann, hccl, npu_code, #fn);                                           \
        return DA_OK;                                                                              \
    } while (false)

da_status broadcast(const Cann& cann, const Hccl& hccl, const Arguments& a, bool root,
                    std::uint64_t bytes) {
    // HCCL broadcasts in place: the root's source is copied over its target first.
    if (root && a.source != a.target) {
        NPU_TRY(cann, aclrtMemcpyAsync, a.target, bytes, a.source, bytes,
                ACL_MEMCPY_DEVICE_TO_DEVICE, a.stream);
    }
    NPU_HCCL(HcclBroadcast, a.target, a.count, a.type, a.peer, a.comm, a.stream);
}

da_status run(const Cann& cann, const Hccl& hccl, const dab_collective& call, const Arguments& a) {
    switch (call.kind) {
    case DAB_ALL_REDUCE:
        NPU_HCCL(HcclAllReduce, a.source, a.target, a.count, a.type, a.op, a.comm, a.stream);
    case DAB_REDUCE:
        NPU_HCCL(HcclReduce, a.source, a.target, a.count, a.type, a.op, a.peer, a.comm, a.stream);
    case DAB_ALL_GATHER:
        NPU_HCCL(HcclAllGather, a.source, a.target, a.count, a.type, a.comm, a.stream);
    case DAB_REDUCE_SCATTER:
        NPU_HCCL(HcclReduceScatter, a.source, a.target, a.count, a.type, a.op, a.comm, a.stream);
    case DAB_ALL_TO_ALL:
        NPU_HCCL(HcclAlltoAll, a.source, a.count, a.type, a.target, a.count, a.type, a.comm,
                 a.stream);
    case DAB_SEND: NPU_HCCL(HcclSend, a.source, a.count, a.type, a.peer, a.comm, a.stream);
    case DAB_RECV: NPU_HCCL(HcclRecv, a.target, a.count, a.type, a.peer, a.comm, a.stream);
    case DAB_BARRIER: NPU_HCCL(HcclBarrier, a.comm, a.stream);
    default: return fail(DA_NOT_SUPPORTED, nullptr, "no collective is numbered %d", call.kind);
    }
}

// ---- groups of sends and receives: of this thread, held back until the group's end ----

struct Batch {
    HcclComm comm;
    aclrtStream stream;
    std::int32_t device;
    std::vector<HcclSendRecvItem> items;
};
struct Group {
    int depth = 0;
    std::vector<Batch> batches;
};
Group& group() {
    static thread_local Group* mine = new Group; // small, and used until the thread's very end
    return *mine;
}

void hold(const dab_comm_s& comm, const Arguments& a, bool send) {
    const HcclSendRecvItem item{send ? 0 : 1, send ? a.source : a.target, a.count, a.type, a.peer};
    for (Batch& batch : group().batches)
        if (batch.comm == a.comm && batch.stream == a.stream) {
            batch.items.push_back(item);
            return;
        }
    group().batches.push_back({a.comm, a.stream, comm.device, {item}});
}

da_status use(Instance& self, const dab_comm_s& c) {
    return use_handle_device(self, c.device, c.generation, "communicator");
}

} // namespace

da_status comm_id(Instance& self, std::int32_t device, void* id, std::uint32_t* bytes) {
    if (const da_status status = use_device(self, device)) return status;
    {
        const std::lock_guard<std::mutex> guard(self.lock);
        if (const da_status status = open_hccl(self.cann, self.hccl)) return status;
    }
    static_assert(sizeof(HcclRootInfo) <= DAB_COMM_ID_MAX, "the identifier fits");
    HcclRootInfo info{};
    if (const int code = self.hccl.HcclGetRootInfo(&info))
        return hccl_fail(self.cann, self.hccl, code, "HcclGetRootInfo");
    std::memcpy(id, &info, sizeof info);
    *bytes = sizeof info;
    return DA_OK;
}

da_status comm_create(Instance& self, std::int32_t device, const void* id, std::uint32_t bytes,
                      std::int32_t ranks, std::int32_t rank, std::int32_t, dab_comm* comm) {
    if (const da_status status = use_device(self, device)) return status;
    {
        const std::lock_guard<std::mutex> guard(self.lock);
        if (const da_status status = open_hccl(self.cann, self.hccl)) return status;
    }
    if (bytes != sizeof(HcclRootInfo) || ranks < 1 || rank < 0 || rank >= ranks)
        return fail(DA_INVALID_ARGUMENT, "carry the identifier of rank 0 to every rank unchanged",
                    "rank %d of %d with an identifier of %u bytes; HCCL's has %zu", rank, ranks,
                    bytes, sizeof(HcclRootInfo));
    HcclRootInfo info;
    std::memcpy(&info, id, sizeof info);
    auto made = std::make_unique<dab_comm_s>();
    made->device = device;
    made->generation = self.devices[static_cast<std::size_t>(device)].generation.load();
    if (const int code = self.hccl.HcclCommInitRootInfo(
            static_cast<std::uint32_t>(ranks), &info, static_cast<std::uint32_t>(rank), &made->raw))
        return hccl_fail(self.cann, self.hccl, code, "HcclCommInitRootInfo");
    *comm = made.release();
    return DA_OK;
}

da_status comm_destroy(Instance& self, dab_comm comm) {
    const std::unique_ptr<dab_comm_s> owned(comm);
    const Device& d = self.devices[static_cast<std::size_t>(comm->device)];
    const bool lost = comm->generation != d.generation.load();
    if (!lost)
        if (const da_status status = use(self, *comm)) return status;
    if (const int code = self.hccl.HcclCommDestroy(comm->raw))
        return lost ? DA_OK : hccl_fail(self.cann, self.hccl, code, "HcclCommDestroy");
    return DA_OK;
}

da_status collective(Instance& self, dab_comm comm, dab_stream stream, const dab_collective* call) {
    if (const da_status status = use(self, *comm)) return status;
    if (stream->device != comm->device)
        return fail(DA_INVALID_ARGUMENT, nullptr,
                    "a stream of device %d cannot run a collective of device %d", stream->device,
                    comm->device);
    if (const da_status status = check_type(self, *call)) return status;
    const TypeRow& row = types[call->dtype];
    const Arguments a{const_cast<void*>(call->source),
                      call->target,
                      call->count * row.parts,
                      row.type,
                      reductions[reduces(call->kind) ? call->reduction : 0],
                      static_cast<std::uint32_t>(call->peer),
                      comm->raw,
                      stream->raw};
    const bool passes = call->kind == DAB_SEND || call->kind == DAB_RECV;
    if (passes && group().depth) {
        hold(*comm, a, call->kind == DAB_SEND);
        return DA_OK;
    }
    if (call->kind == DAB_BROADCAST) {
        constexpr std::uint8_t sizes[] = {1, 2, 4, 2, 4, 8, 8, 1, 2, 4, 8, 2};
        return broadcast(self.cann, self.hccl, a, call->source != nullptr,
                         a.count * sizes[row.type]);
    }
    return run(self.cann, self.hccl, *call, a);
}

da_status comm_query(Instance& self, dab_comm comm) {
    if (const da_status status = use(self, *comm)) return status;
    if (!self.hccl.HcclGetCommAsyncError) return DA_OK;
    HcclResult error = HCCL_SUCCESS;
    if (const int code = self.hccl.HcclGetCommAsyncError(comm->raw, &error))
        return hccl_fail(self.cann, self.hccl, code, "HcclGetCommAsyncError");
    return error ? hccl_fail(self.cann, self.hccl, error, "HcclGetCommAsyncError") : DA_OK;
}

da_status comm_group_begin(Instance&) {
    ++group().depth;
    return DA_OK;
}

da_status comm_group_end(Instance& self) {
    Group& g = group();
    if (!g.depth) return fail(DA_INVALID_ARGUMENT, nullptr, "no group was begun on this thread");
    if (--g.depth) return DA_OK;
    std::vector<Batch> batches;
    batches.swap(g.batches);
    da_status first = DA_OK;
    for (Batch& batch : batches) {
        da_status status = use_device(self, batch.device);
        if (!status && !self.hccl.HcclBatchSendRecv)
            status = fail(DA_NOT_SUPPORTED, "use a CANN that has it", "%s lacks HcclBatchSendRecv",
                          self.hccl.path.c_str());
        const int code =
            status ? 0
                   : self.hccl.HcclBatchSendRecv(batch.items.data(),
                                                 static_cast<std::uint32_t>(batch.items.size()),
                                                 batch.comm, batch.stream);
        if (code) status = hccl_fail(self.cann, self.hccl, code, "HcclBatchSendRecv");
        if (!first) first = status;
    }
    return first;
}

} // namespace device_api::npu
