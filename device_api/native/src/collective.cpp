// SPDX-License-Identifier: Apache-2.0
// Communicators: made, used with tensors on streams, given up.
#include "device_api/host_collective.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "device_api/host_memory.h"
#include "dtype.hpp"
#include "error.hpp"
#include "stream.hpp"
#include "tensor.hpp"
#include "waiting.hpp"

struct dah_comm {
    std::atomic<int32_t> refs{1};
    device_api::core::Device* device;
    dab_comm handle;
    int32_t ranks, rank;
    std::mutex mutex;                 // of the streams
    std::vector<dah_stream*> streams; // used, held by a reference each
};

namespace device_api::core {
namespace {

struct KindInfo {
    const char* name;
    bool source, target;             // has one
    bool source_ranks, target_ranks; // of ranks * count elements
    bool peer;                       // a root, or the other rank
    bool reduces;
};
constexpr KindInfo kinds[] = {
    /* DAB_ALL_REDUCE */ {"all_reduce", true, true, false, false, false, true},
    /* DAB_REDUCE */ {"reduce", true, true, false, false, true, true},
    /* DAB_BROADCAST */ {"broadcast", true, true, false, false, true, false},
    /* DAB_ALL_GATHER */ {"all_gather", true, true, false, true, false, false},
    /* DAB_REDUCE_SCATTER */ {"reduce_scatter", true, true, true, false, false, true},
    /* DAB_ALL_TO_ALL */ {"all_to_all", true, true, true, true, false, false},
    /* DAB_SEND */ {"send", true, false, false, false, true, false},
    /* DAB_RECV */ {"recv", false, true, false, false, true, false},
    /* DAB_BARRIER */ {"barrier", false, false, false, false, false, false},
};
constexpr int32_t n_kinds = sizeof kinds / sizeof *kinds;

da_status need_collectives(const Device& device) {
    if (device.api().comm_create) return DA_OK;
    return fail(DA_NOT_SUPPORTED,
                "the plugin for '" + device.backend->type + "' has no collectives",
                "move the data through a device that has them, or through the host");
}

da_status wrong(const KindInfo& kind, const std::string& what, dah_error_kind error,
                const std::string& remedy = "") {
    return fail(DA_INVALID_ARGUMENT, error, std::string(kind.name) + ": " + what, remedy);
}

/// Whether this rank has the source or the target of the kind.
bool has_source(const KindInfo& k, const dah_comm& c, int32_t kind, int32_t peer) {
    return k.source && (kind != DAB_BROADCAST || peer == c.rank);
}
bool has_target(const KindInfo& k, const dah_comm& c, int32_t kind, int32_t peer) {
    return k.target && (kind != DAB_REDUCE || peer == c.rank);
}

da_status check_operand(const dah_comm& comm, const KindInfo& k, const Tensor* t,
                        const char* which) {
    if (!t) return wrong(k, std::string("the ") + which + " is missing", DAH_ERROR_STATUS);
    if (t->device != comm.device)
        return wrong(k,
                     std::string("the ") + which + " is on " + t->device->name() +
                         ", the group's rank " + std::to_string(comm.rank) + " on " +
                         comm.device->name(),
                     DAH_ERROR_DEVICE_MISMATCH, "move the array to the group's device first");
    if (!is_contiguous(t->rank, t->shape, t->strides))
        return wrong(k, std::string("the ") + which + " is not contiguous", DAH_ERROR_SHAPE,
                     "copy it first");
    return DA_OK;
}

da_status fill_call(const dah_comm& comm, int32_t kind, int32_t reduction, int32_t peer,
                    Tensor* source, Tensor* target, dab_collective* call) {
    const KindInfo& k = kinds[kind];
    if (k.peer && (peer < 0 || peer >= comm.ranks))
        return wrong(k,
                     "rank " + std::to_string(peer) + " is not one of the group's " +
                         std::to_string(comm.ranks),
                     DAH_ERROR_INDEX);
    if (!has_source(k, comm, kind, peer)) source = nullptr;
    if (!has_target(k, comm, kind, peer)) target = nullptr;
    if (has_source(k, comm, kind, peer))
        if (da_status bad = check_operand(comm, k, source, "source")) return bad;
    if (has_target(k, comm, kind, peer))
        if (da_status bad = check_operand(comm, k, target, "target")) return bad;
    if (source && target && source->dtype != target->dtype)
        return wrong(k,
                     std::string("the source is of ") + dah_dtype_name(source->dtype) +
                         ", the target of " + dah_dtype_name(target->dtype),
                     DAH_ERROR_DTYPE);
    const Tensor* any = source ? source : target;
    const int64_t n = comm.ranks;
    const int64_t given = any ? any->size : 0;
    const bool by_ranks = source ? k.source_ranks : k.target_ranks;
    if (by_ranks && given % n)
        return wrong(k,
                     std::to_string(given) + " elements cannot be split over " + std::to_string(n) +
                         " ranks",
                     DAH_ERROR_SHAPE);
    const int64_t count = by_ranks ? given / n : given;
    if (source && target && target->size != count * (k.target_ranks ? n : 1))
        return wrong(k,
                     "a source of " + std::to_string(source->size) +
                         " elements needs a target of " +
                         std::to_string(count * (k.target_ranks ? n : 1)) + ", not " +
                         std::to_string(target->size),
                     DAH_ERROR_SHAPE);
    *call = dab_collective{};
    call->size = sizeof *call;
    call->kind = static_cast<uint16_t>(kind);
    call->dtype = any ? any->dtype : static_cast<uint16_t>(DA_UINT8);
    call->reduction = k.reduces ? static_cast<uint32_t>(reduction) : 0;
    call->peer = k.peer ? peer : 0;
    call->source = source ? source->data : nullptr;
    call->target = target ? target->data : nullptr;
    call->count = static_cast<uint64_t>(count);
    return DA_OK;
}

da_status usable(const dah_comm& comm) {
    if (open_device(comm.device->handle)) return DA_OK;
    return last_status();
}

/// The stream and the memory are kept until the work is done.
da_status note_use(dah_comm& comm, dah_stream* stream, Tensor* source, Tensor* target) {
    for (Tensor* t : {source, target}) {
        if (!t || t->device != comm.device) continue;
        const da_status status = dah_tensor_record_stream(t, stream);
        // Another library's memory: that library, or the caller, keeps it.
        if (status && status != DA_NOT_SUPPORTED) return status;
    }
    const std::lock_guard<std::mutex> lock(comm.mutex);
    auto& all = comm.streams;
    if (std::find(all.begin(), all.end(), stream) != all.end()) return DA_OK;
    dah_stream_retain(stream);
    all.push_back(stream);
    return DA_OK;
}

da_status failed(const dah_comm& comm, da_status status, const char* doing) {
    return fail_vendor(*comm.device->backend, comm.device, status, doing);
}

} // namespace
} // namespace device_api::core

using namespace device_api::core;

da_status dah_comm_id(dah_device handle, void* id, uint32_t* bytes) {
    Device* device = open_device(handle);
    if (!device) return last_status();
    if (da_status status = need_collectives(*device)) return status;
    const da_status status = device->api().comm_id(device->self(), device->index, id, bytes);
    return status ? fail_vendor(*device->backend, device, status, "making a group's identifier")
                  : DA_OK;
}

da_status dah_comm_create(dah_device handle, const void* id, uint32_t bytes, int32_t ranks,
                          int32_t rank, int32_t timeout_ms, dah_comm** out) {
    Device* device = open_device(handle);
    if (!device) return last_status();
    if (da_status status = need_collectives(*device)) return status;
    if (ranks < 1 || rank < 0 || rank >= ranks)
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_INDEX,
                    "rank " + std::to_string(rank) + " of " + std::to_string(ranks) +
                        ": ranks are numbered from 0");
    dab_comm made = nullptr;
    da_status status;
    {
        const Waiting waiting;
        status = device->api().comm_create(device->self(), device->index, id, bytes, ranks, rank,
                                           timeout_ms, &made);
    }
    if (status) return fail_vendor(*device->backend, device, status, "joining a group of devices");
    auto* comm = new dah_comm;
    comm->device = device;
    comm->handle = made;
    comm->ranks = ranks;
    comm->rank = rank;
    *out = comm;
    return DA_OK;
}

void dah_comm_retain(dah_comm* comm) {
    comm->refs.fetch_add(1);
}

void dah_comm_release(dah_comm* comm) {
    if (comm->refs.fetch_sub(1) != 1) return;
    Device& device = *comm->device;
    const bool alive = !device.forked && !is_shut_down();
    if (alive) {
        const Waiting waiting;
        for (dah_stream* stream : comm->streams) settle(*stream);
        device.api().comm_destroy(device.self(), comm->handle);
    }
    if (!device.forked)
        for (dah_stream* stream : comm->streams) dah_stream_release(stream);
    delete comm;
}

dah_device dah_comm_device(const dah_comm* comm) {
    return comm->device->handle;
}
int32_t dah_comm_rank(const dah_comm* comm) {
    return comm->rank;
}
int32_t dah_comm_ranks(const dah_comm* comm) {
    return comm->ranks;
}

da_status dah_comm_collective(dah_comm* comm, dah_stream* stream, int32_t kind, int32_t reduction,
                              int32_t peer, dah_tensor* source, dah_tensor* target) {
    if (da_status status = usable(*comm)) return status;
    if (kind < 0 || kind >= n_kinds)
        return fail(DA_INVALID_ARGUMENT, "there is no collective number " + std::to_string(kind));
    if (stream->device != comm->device)
        return wrong(kinds[kind], "the stream is of another device", DAH_ERROR_DEVICE_MISMATCH);
    dab_collective call;
    if (da_status bad = fill_call(*comm, kind, reduction, peer, source, target, &call)) return bad;
    // Nothing to move; a barrier moves nothing and yet waits. Equal at every rank.
    if (!call.count && kind != DAB_BARRIER) return DA_OK;
    if (da_status bad = note_use(*comm, stream, source, target)) return bad;
    Device& device = *comm->device;
    const da_status status =
        device.api().collective(device.self(), comm->handle, stream->handle, &call);
    if (!status) return DA_OK;
    failed(*comm, status, kinds[kind].name);
    return annotate(status, 0, &device, stream);
}

da_status dah_comm_query(dah_comm* comm) {
    if (da_status status = usable(*comm)) return status;
    const Device& device = *comm->device;
    if (!device.api().comm_query) return DA_OK;
    const da_status status = device.api().comm_query(device.self(), comm->handle);
    return status ? failed(*comm, status, "the group of devices") : DA_OK;
}

da_status dah_comm_abort(dah_comm* comm) {
    if (da_status status = usable(*comm)) return status;
    const Device& device = *comm->device;
    if (!device.api().comm_abort)
        return fail(DA_NOT_SUPPORTED,
                    "the plugin for '" + device.backend->type + "' cannot give a group up",
                    "end the process, or wait for the vendor's limit of time");
    const da_status status = device.api().comm_abort(device.self(), comm->handle);
    return status ? failed(*comm, status, "giving a group up") : DA_OK;
}

da_status dah_comm_group_begin(dah_device handle) {
    Device* device = open_device(handle);
    if (!device) return last_status();
    if (!device->api().comm_group_begin) return DA_OK;
    const da_status status = device->api().comm_group_begin(device->self());
    return status ? fail_vendor(*device->backend, device, status, "beginning a group of calls")
                  : DA_OK;
}

da_status dah_comm_group_end(dah_device handle) {
    Device* device = open_device(handle);
    if (!device) return last_status();
    if (!device->api().comm_group_end) return DA_OK;
    const da_status status = device->api().comm_group_end(device->self());
    return status ? fail_vendor(*device->backend, device, status, "a group of sends and receives")
                  : DA_OK;
}
