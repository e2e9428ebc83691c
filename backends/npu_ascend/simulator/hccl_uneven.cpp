// SPDX-License-Identifier: Apache-2.0
// The collectives of HCCL with counts and places for each rank: sends and receives of all ranks
// together, or one reduction for each. Counts and places are arrays in host memory, in elements
// (unconfirmed: the facts do not say which memory), read at the call.
#include <vector>

#include "hccl.hpp"

using namespace cann_sim;

namespace {

struct Uneven {
    engine::CommInfo info;
    engine::DType dtype{};
    std::size_t size = 0; // of an element
    Handle queue{};
};

std::uintptr_t at(const void* base, std::uint64_t element, std::size_t size) {
    return reinterpret_cast<std::uintptr_t>(base) + element * size;
}

HcclResult begin(Call& c, HcclComm comm, aclrtStream stream, CollectiveFamily family,
                 HcclDataType type, HcclReduceOp op, Uneven* out) {
    if (const HcclResult bad = hccl_engine(c, engine::comm_info(comm, &out->info))) return bad;
    if (const HcclResult bad = check_dtype(c, family, type, op, &out->dtype)) return bad;
    if (!stream) return hccl_fail(c, HCCL_E_PTR, "the stream is null");
    if (c.stream(stream, &out->queue)) return HCCL_E_PARA;
    out->size = engine::dtype_size(out->dtype);
    return HCCL_SUCCESS;
}

/// What one side has for each rank.
struct Side {
    const void* base;
    const std::uint64_t* counts;
    const std::uint64_t* places;

    bool lacks_memory(int ranks) const {
        for (int r = 0; !base && r < ranks; ++r)
            if (counts[r]) return true;
        return false;
    }
};

HcclResult check(Call& c, const Side& side, int ranks, const char* which) {
    if (!side.counts || !side.places)
        return hccl_fail(c, HCCL_E_PTR, "the counts or places of the %s are null", which);
    if (side.lacks_memory(ranks)) return hccl_fail(c, HCCL_E_PTR, "the %s is null", which);
    return HCCL_SUCCESS;
}

/// A rank's part of its own is copied, in the stream's order; the others' go and come together.
HcclResult pass_all(Call& c, const char* name, const Uneven& u, HcclComm comm, const Side& out,
                    const Side& in, bool same_to_all) {
    const int mine = u.info.rank;
    std::vector<engine::Transfer> items;
    for (int r = 0; r < u.info.ranks; ++r) {
        const int part = same_to_all ? 0 : r;
        const engine::Transfer send{true, r, u.dtype, at(out.base, out.places[part], u.size),
                                    out.counts[part]};
        const engine::Transfer receive{false, r, u.dtype, at(in.base, in.places[r], u.size),
                                       in.counts[r]};
        if (r != mine) {
            items.push_back(send);
            items.push_back(receive);
            continue;
        }
        if (send.count != receive.count)
            return hccl_fail(c, HCCL_E_PARA, "rank %d sends itself %llu elements, and takes %llu",
                             mine, static_cast<unsigned long long>(send.count),
                             static_cast<unsigned long long>(receive.count));
        if (!send.count || send.memory == receive.memory) continue;
        const Status status = engine::copy_async(
            reinterpret_cast<void*>(receive.memory), reinterpret_cast<const void*>(send.memory),
            send.count * u.size, engine::CopyKind::device_to_device, u.queue);
        if (const HcclResult bad = hccl_engine(c, status)) return bad;
    }
    return hccl_engine(c, engine::transfer(comm, u.queue, name, items.data(), items.size()));
}

const std::uint64_t* numbers(const void* p) {
    return static_cast<const std::uint64_t*>(p);
}

} // namespace

SIM_EXPORT HcclResult HcclAlltoAllV(const void* sendBuf, const void* sendCounts,
                                    const void* sdispls, HcclDataType sendType, const void* recvBuf,
                                    const void* recvCounts, const void* rdispls,
                                    HcclDataType recvType, HcclComm comm, aclrtStream stream) {
    return hccl(__func__, Need::work, [&](Call& c) {
        Uneven u;
        if (const HcclResult bad =
                begin(c, comm, stream, CollectiveFamily::move, sendType, HCCL_REDUCE_SUM, &u))
            return bad;
        if (sendType != recvType) return hccl_fail(c, HCCL_E_PARA, "both sides have equal types");
        const Side out{sendBuf, numbers(sendCounts), numbers(sdispls)};
        const Side in{recvBuf, numbers(recvCounts), numbers(rdispls)};
        if (const HcclResult bad = check(c, out, u.info.ranks, "source")) return bad;
        if (const HcclResult bad = check(c, in, u.info.ranks, "target")) return bad;
        return pass_all(c, "HcclAlltoAllV", u, comm, out, in, false);
    });
}

SIM_EXPORT HcclResult HcclAllGatherV(void* sendBuf, uint64_t sendCount, void* recvBuf,
                                     const void* recvCounts, const void* recvDispls,
                                     HcclDataType dataType, HcclComm comm, aclrtStream stream) {
    return hccl(__func__, Need::work, [&](Call& c) {
        Uneven u;
        if (const HcclResult bad =
                begin(c, comm, stream, CollectiveFamily::gather, dataType, HCCL_REDUCE_SUM, &u))
            return bad;
        const std::uint64_t nowhere = 0;
        const Side out{sendBuf, &sendCount, &nowhere};
        const Side in{recvBuf, numbers(recvCounts), numbers(recvDispls)};
        if (!sendBuf && sendCount) return hccl_fail(c, HCCL_E_PTR, "the source is null");
        if (const HcclResult bad = check(c, in, u.info.ranks, "target")) return bad;
        return pass_all(c, "HcclAllGatherV", u, comm, out, in, true);
    });
}

SIM_EXPORT HcclResult HcclReduceScatterV(void* sendBuf, const void* sendCounts,
                                         const void* sendDispls, void* recvBuf, uint64_t recvCount,
                                         HcclDataType dataType, HcclReduceOp op, HcclComm comm,
                                         aclrtStream stream) {
    return hccl(__func__, Need::work, [&](Call& c) {
        Uneven u;
        if (const HcclResult bad =
                begin(c, comm, stream, CollectiveFamily::reduce, dataType, op, &u))
            return bad;
        const Side out{sendBuf, numbers(sendCounts), numbers(sendDispls)};
        if (const HcclResult bad = check(c, out, u.info.ranks, "source")) return bad;
        if (!recvBuf && recvCount) return hccl_fail(c, HCCL_E_PTR, "the target is null");
        if (out.counts[u.info.rank] != recvCount)
            return hccl_fail(c, HCCL_E_PARA, "rank %d takes %llu elements, and its part has %llu",
                             u.info.rank, static_cast<unsigned long long>(recvCount),
                             static_cast<unsigned long long>(out.counts[u.info.rank]));
        for (int r = 0; r < u.info.ranks; ++r) {
            engine::CollectiveCall one;
            one.name = "HcclReduceScatterV";
            one.kind = engine::Collective::reduce;
            one.reduction = reduction_of(op);
            one.dtype = u.dtype;
            one.root = r;
            one.source = at(out.base, out.places[r], u.size);
            one.target = r == u.info.rank ? at(recvBuf, 0, 1) : 0;
            one.count = out.counts[r];
            if (const HcclResult bad = hccl_engine(c, engine::collective(comm, u.queue, one)))
                return bad;
        }
        return HCCL_SUCCESS;
    });
}
