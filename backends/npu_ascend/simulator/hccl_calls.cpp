// SPDX-License-Identifier: Apache-2.0
// The collectives of HCCL: arguments checked, then the engine's.
#include "hccl.hpp"

#include <vector>

using namespace cann_sim;
using engine::Collective;

namespace {

std::uintptr_t at(const void* p) {
    return reinterpret_cast<std::uintptr_t>(p);
}

struct Arguments {
    Collective kind;
    CollectiveFamily family;
    const void* source;
    const void* target;
    uint64_t count;
    HcclDataType type;
    HcclReduceOp op = HCCL_REDUCE_SUM;
    uint32_t root = 0;
};

/// Null pointers are for ranks without that side only.
bool needs(const Arguments& a, const engine::CommInfo& info, bool source) {
    const bool root = a.root == static_cast<uint32_t>(info.rank);
    if (a.kind == Collective::barrier) return false;
    if (a.kind == Collective::reduce) return source || root;
    if (a.kind == Collective::scatter) return !source || root;
    return true;
}

HcclResult run(const char* name, const Arguments& a, HcclComm comm, aclrtStream stream) {
    return hccl(name, Need::work, [&](Call& c) {
        engine::CommInfo info;
        if (const HcclResult bad = hccl_engine(c, engine::comm_info(comm, &info))) return bad;
        engine::CollectiveCall call;
        if (const HcclResult bad = check_dtype(c, a.family, a.type, a.op, &call.dtype)) return bad;
        if (a.count &&
            ((needs(a, info, true) && !a.source) || (needs(a, info, false) && !a.target)))
            return hccl_fail(c, HCCL_E_PTR, "a buffer is null");
        if (a.root >= static_cast<uint32_t>(info.ranks))
            return hccl_fail(c, HCCL_E_PARA, "root %u of %d ranks", a.root, info.ranks);
        Handle queue;
        if (!stream) return hccl_fail(c, HCCL_E_PTR, "the stream is null");
        if (c.stream(stream, &queue)) return HCCL_E_PARA;
        call.name = name;
        call.kind = a.kind;
        call.reduction = reduction_of(a.op);
        call.root = static_cast<int>(a.root);
        call.source = at(a.source);
        call.target = at(a.target);
        call.count = a.count;
        return hccl_engine(c, engine::collective(comm, queue, call));
    });
}

HcclResult pass(const char* name, bool send, const void* memory, uint64_t count, HcclDataType type,
                uint32_t peer, HcclComm comm, aclrtStream stream) {
    return hccl(name, Need::work, [&](Call& c) {
        engine::Transfer item;
        if (const HcclResult bad =
                check_dtype(c, CollectiveFamily::move, type, HCCL_REDUCE_SUM, &item.dtype))
            return bad;
        if (!memory && count) return hccl_fail(c, HCCL_E_PTR, "the buffer is null");
        if (peer > 1u << 20) return hccl_fail(c, HCCL_E_PARA, "rank %u", peer);
        Handle queue;
        if (!stream) return hccl_fail(c, HCCL_E_PTR, "the stream is null");
        if (c.stream(stream, &queue)) return HCCL_E_PARA;
        item.send = send;
        item.peer = static_cast<int>(peer);
        item.memory = at(memory);
        item.count = count;
        if (hold_back(comm, queue, item)) return HCCL_SUCCESS;
        return hccl_engine(c, engine::transfer(comm, queue, name, &item, 1));
    });
}

// ---- groups of calls ------------------------------------------------------

struct Held {
    HcclComm comm;
    Handle stream;
    std::vector<engine::Transfer> items;
};
thread_local int depth = 0;
thread_local std::vector<Held>* held = nullptr;

} // namespace

engine::Reduction cann_sim::reduction_of(HcclReduceOp op) {
    constexpr engine::Reduction all[] = {engine::Reduction::sum, engine::Reduction::prod,
                                         engine::Reduction::max, engine::Reduction::min};
    return all[op & 3];
}

bool cann_sim::hold_back(HcclComm comm, Handle stream, const engine::Transfer& item) {
    if (depth == 0) return false;
    for (Held& h : *held)
        if (h.comm == comm && h.stream == stream) {
            h.items.push_back(item);
            return true;
        }
    held->push_back({comm, stream, {item}});
    return true;
}

SIM_EXPORT HcclResult HcclGroupStart(void) {
    return hccl(__func__, Need::init, [&](Call&) {
        if (depth++ == 0) held = new std::vector<Held>;
        return HCCL_SUCCESS;
    });
}

SIM_EXPORT HcclResult HcclGroupEnd(void) {
    return hccl(__func__, Need::work, [&](Call& c) {
        if (depth == 0) return hccl_fail(c, HCCL_E_PARA, "no group was started on this thread");
        if (--depth > 0) return HCCL_SUCCESS;
        const std::unique_ptr<std::vector<Held>> all(held);
        held = nullptr;
        HcclResult first = HCCL_SUCCESS;
        for (const Held& h : *all) {
            const HcclResult result = hccl_engine(
                c, engine::transfer(h.comm, h.stream, __func__, h.items.data(), h.items.size()));
            if (!first) first = result;
        }
        return first;
    });
}

SIM_EXPORT HcclResult HcclBatchSendRecv(HcclSendRecvItem* items, uint32_t itemNum, HcclComm comm,
                                        aclrtStream stream) {
    return hccl(__func__, Need::work, [&](Call& c) {
        if (!items || !stream) return hccl_fail(c, HCCL_E_PTR, "items or stream is null");
        Handle queue;
        if (c.stream(stream, &queue)) return HCCL_E_PARA;
        std::vector<engine::Transfer> all;
        for (uint32_t i = 0; i < itemNum; ++i) {
            engine::Transfer t;
            if (const HcclResult bad = check_dtype(c, CollectiveFamily::move, items[i].dataType,
                                                   HCCL_REDUCE_SUM, &t.dtype))
                return bad;
            if (items[i].sendRecvType != 0 && items[i].sendRecvType != 1)
                return hccl_fail(c, HCCL_E_PARA, "item %u is of type %d: 0 sends, 1 receives", i,
                                 items[i].sendRecvType);
            t.send = items[i].sendRecvType == 0;
            t.peer = static_cast<int>(items[i].remoteRank & 0x7fffffff);
            t.memory = at(items[i].buf);
            t.count = items[i].count;
            all.push_back(t);
        }
        return hccl_engine(c, engine::transfer(comm, queue, __func__, all.data(), all.size()));
    });
}

SIM_EXPORT HcclResult HcclAllReduce(void* sendBuf, void* recvBuf, uint64_t count,
                                    HcclDataType dataType, HcclReduceOp op, HcclComm comm,
                                    aclrtStream stream) {
    return run(
        __func__,
        {Collective::all_reduce, CollectiveFamily::reduce, sendBuf, recvBuf, count, dataType, op},
        comm, stream);
}
SIM_EXPORT HcclResult HcclBroadcast(void* buf, uint64_t count, HcclDataType dataType, uint32_t root,
                                    HcclComm comm, aclrtStream stream) {
    return run(__func__,
               {Collective::broadcast, CollectiveFamily::move, buf, buf, count, dataType,
                HCCL_REDUCE_SUM, root},
               comm, stream);
}
SIM_EXPORT HcclResult HcclReduce(void* sendBuf, void* recvBuf, uint64_t count,
                                 HcclDataType dataType, HcclReduceOp op, uint32_t root,
                                 HcclComm comm, aclrtStream stream) {
    if (const HcclResult bad = hccl(__func__, Need::work, [&](Call& c) {
            engine::DType unused; // what cannot be broadcast cannot be reduced to one rank either
            return check_dtype(c, CollectiveFamily::move, HCCL_DATA_TYPE_INT8, op, &unused);
        }))
        return bad;
    return run(
        __func__,
        {Collective::reduce, CollectiveFamily::reduce, sendBuf, recvBuf, count, dataType, op, root},
        comm, stream);
}
SIM_EXPORT HcclResult HcclAllGather(void* sendBuf, void* recvBuf, uint64_t sendCount,
                                    HcclDataType dataType, HcclComm comm, aclrtStream stream) {
    return run(
        __func__,
        {Collective::all_gather, CollectiveFamily::gather, sendBuf, recvBuf, sendCount, dataType},
        comm, stream);
}
SIM_EXPORT HcclResult HcclReduceScatter(void* sendBuf, void* recvBuf, uint64_t recvCount,
                                        HcclDataType dataType, HcclReduceOp op, HcclComm comm,
                                        aclrtStream stream) {
    return run(__func__,
               {Collective::reduce_scatter, CollectiveFamily::reduce, sendBuf, recvBuf, recvCount,
                dataType, op},
               comm, stream);
}
SIM_EXPORT HcclResult HcclScatter(void* sendBuf, void* recvBuf, uint64_t recvCount,
                                  HcclDataType dataType, uint32_t root, HcclComm comm,
                                  aclrtStream stream) {
    return run(__func__,
               {Collective::scatter, CollectiveFamily::move, sendBuf, recvBuf, recvCount, dataType,
                HCCL_REDUCE_SUM, root},
               comm, stream);
}
SIM_EXPORT HcclResult HcclSend(void* sendBuf, uint64_t count, HcclDataType dataType,
                               uint32_t destRank, HcclComm comm, aclrtStream stream) {
    return pass(__func__, true, sendBuf, count, dataType, destRank, comm, stream);
}
SIM_EXPORT HcclResult HcclRecv(void* recvBuf, uint64_t count, HcclDataType dataType,
                               uint32_t srcRank, HcclComm comm, aclrtStream stream) {
    return pass(__func__, false, recvBuf, count, dataType, srcRank, comm, stream);
}
SIM_EXPORT HcclResult HcclAlltoAll(const void* sendBuf, uint64_t sendCount, HcclDataType sendType,
                                   const void* recvBuf, uint64_t recvCount, HcclDataType recvType,
                                   HcclComm comm, aclrtStream stream) {
    if (sendCount != recvCount || sendType != recvType)
        return hccl(__func__, Need::work, [&](Call& c) {
            return hccl_fail(c, HCCL_E_PARA, "both sides have equal counts and types");
        });
    return run(
        __func__,
        {Collective::all_to_all, CollectiveFamily::move, sendBuf, recvBuf, sendCount, sendType},
        comm, stream);
}
SIM_EXPORT HcclResult HcclBarrier(HcclComm comm, aclrtStream stream) {
    return run(
        __func__,
        {Collective::barrier, CollectiveFamily::barrier, nullptr, nullptr, 0, HCCL_DATA_TYPE_INT8},
        comm, stream);
}
