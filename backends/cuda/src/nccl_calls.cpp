// SPDX-License-Identifier: Apache-2.0
// Collectives: kinds, types, reductions.
#include "nccl.hpp"

namespace device_api::cuda {
namespace {

using simt::fail;

// An element is `parts` numbers of NCCL's type; complex numbers go as their parts.
struct Type {
    ncclDataType_t type;
    std::uint8_t parts;
    std::uint8_t bytes; // of one part
    bool reduces;
};
constexpr Type types[DA_DTYPE_COUNT] = {
    /* bool */ {ncclUint8, 1, 1, false},
    /* int8 */ {ncclInt8, 1, 1, true},
    /* int16 */ {ncclFloat16, 1, 2, false},
    /* int32 */ {ncclInt32, 1, 4, true},
    /* int64 */ {ncclInt64, 1, 8, true},
    /* uint8 */ {ncclUint8, 1, 1, true},
    /* uint16 */ {ncclFloat16, 1, 2, false},
    /* uint32 */ {ncclUint32, 1, 4, true},
    /* uint64 */ {ncclUint64, 1, 8, true},
    /* float16 */ {ncclFloat16, 1, 2, true},
    /* bfloat16 */ {ncclBfloat16, 1, 2, true},
    /* float32 */ {ncclFloat32, 1, 4, true},
    /* float64 */ {ncclFloat64, 1, 8, true},
    /* complex64 */ {ncclFloat32, 2, 4, true},
    /* complex128 */ {ncclFloat64, 2, 8, true},
};
constexpr ncclRedOp_t reductions[] = {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg};

bool reduces(std::uint16_t kind) {
    return kind == DAB_ALL_REDUCE || kind == DAB_REDUCE || kind == DAB_REDUCE_SCATTER;
}

// What is only moved goes as bytes: no type of NCCL's can then change it.
da_status check(const dab_collective& call) {
    if (!reduces(call.kind)) return DA_OK;
    const Type& t = types[call.dtype];
    if (call.reduction > DAB_AVG)
        return fail(DA_INVALID_ARGUMENT, nullptr, "no reduction is numbered %u", call.reduction);
    if (!t.reduces)
        return fail(DA_NOT_SUPPORTED, "cast to int32 first", "NCCL does not reduce this data type");
    const bool by_parts = call.reduction == DAB_SUM || call.reduction == DAB_AVG;
    if (t.parts > 1 && !by_parts)
        return fail(DA_NOT_SUPPORTED, nullptr, "of complex numbers only sums go by parts");
    return DA_OK;
}

} // namespace

da_status Nccl::all_to_all(const Comm& comm, std::int32_t ranks, cudaStream_t stream,
                           const dab_collective& call) {
    const Type& t = types[call.dtype];
    const std::size_t bytes = call.count * t.parts * t.bytes;
    int code = nccl_.ncclGroupStart();
    for (int r = 0; r < ranks && !code; ++r) {
        const auto part = static_cast<std::size_t>(r) * bytes;
        code = nccl_.ncclSend(static_cast<const char*>(call.source) + part, bytes, ncclUint8, r,
                              comm.raw, stream);
        if (!code)
            code = nccl_.ncclRecv(static_cast<char*>(call.target) + part, bytes, ncclUint8, r,
                                  comm.raw, stream);
    }
    const int end = nccl_.ncclGroupEnd();
    if (!code) code = end;
    return code && code != ncclInProgress ? failed(code, "ncclSend", comm.raw) : DA_OK;
}

da_status Nccl::run(simt::Handle handle, std::int32_t ranks, simt::Handle queue,
                    const dab_collective& call) {
    const Comm& c = *static_cast<Comm*>(handle);
    if (c.aborted) return fail(DA_INTERNAL, nullptr, "the group was given up");
    if (const da_status status = check(call)) return status;
    auto* stream = static_cast<cudaStream_t>(queue);
    const Type& t = types[call.dtype];
    const std::size_t numbers = call.count * t.parts, bytes = numbers * t.bytes;
    const ncclRedOp_t op = reductions[reduces(call.kind) ? call.reduction : 0];
    int code = 0;
    switch (call.kind) {
    case DAB_ALL_REDUCE:
        code = nccl_.ncclAllReduce(call.source, call.target, numbers, t.type, op, c.raw, stream);
        break;
    case DAB_REDUCE:
        code = nccl_.ncclReduce(call.source, call.target, numbers, t.type, op, call.peer, c.raw,
                                stream);
        break;
    case DAB_REDUCE_SCATTER:
        code =
            nccl_.ncclReduceScatter(call.source, call.target, numbers, t.type, op, c.raw, stream);
        break;
    case DAB_BROADCAST:
        code = nccl_.ncclBroadcast(call.source ? call.source : call.target, call.target, bytes,
                                   ncclUint8, call.peer, c.raw, stream);
        break;
    case DAB_ALL_GATHER:
        code = nccl_.ncclAllGather(call.source, call.target, bytes, ncclUint8, c.raw, stream);
        break;
    case DAB_ALL_TO_ALL: return all_to_all(c, ranks, stream, call);
    case DAB_SEND:
        code = nccl_.ncclSend(call.source, bytes, ncclUint8, call.peer, c.raw, stream);
        break;
    case DAB_RECV:
        code = nccl_.ncclRecv(call.target, bytes, ncclUint8, call.peer, c.raw, stream);
        break;
    case DAB_BARRIER: // NCCL has none: the sum of one byte waits for all
        code = nccl_.ncclAllReduce(c.barrier, c.barrier, 1, ncclUint8, ncclSum, c.raw, stream);
        break;
    default: return fail(DA_NOT_SUPPORTED, nullptr, "no collective is numbered %d", call.kind);
    }
    return code && code != ncclInProgress ? failed(code, "NCCL's collective", c.raw) : DA_OK;
}

} // namespace device_api::cuda
