// SPDX-License-Identifier: Apache-2.0
// Collectives of the backend table: handles and checks; the vendor's library does the work.
#include <memory>

#include "instance.hpp"

namespace device_api::simt {
namespace {

da_status library(Instance& self, Collectives** out) {
    *out = self.parts.collectives.get();
    return *out ? DA_OK : fail(DA_NOT_SUPPORTED, nullptr, "this backend has no collectives");
}

da_status use(Instance& self, const dab_comm_s& c) {
    return use_handle_device(self, c.device, c.generation, "communicator");
}

} // namespace

da_status comm_id(Instance& self, std::int32_t device, void* id, std::uint32_t* bytes) {
    if (const da_status status = use_device(self, device)) return status;
    Collectives* lib = nullptr;
    if (const da_status status = library(self, &lib)) return status;
    return lib->make_id(id, bytes);
}

da_status comm_create(Instance& self, std::int32_t device, const void* id, std::uint32_t bytes,
                      std::int32_t ranks, std::int32_t rank, std::int32_t timeout_ms,
                      dab_comm* comm) {
    if (const da_status status = use_device(self, device)) return status;
    Collectives* lib = nullptr;
    if (const da_status status = library(self, &lib)) return status;
    if (ranks < 1 || rank < 0 || rank >= ranks)
        return fail(DA_INVALID_ARGUMENT, nullptr, "there is no rank %d of %d", rank, ranks);
    auto made = std::make_unique<dab_comm_s>();
    made->device = device;
    made->ranks = ranks;
    made->generation = device_of(self, device).generation.load();
    if (const da_status status = lib->create(id, bytes, ranks, rank, timeout_ms, &made->raw))
        return status;
    *comm = made.release();
    return DA_OK;
}

da_status comm_destroy(Instance& self, dab_comm comm) {
    const std::unique_ptr<dab_comm_s> owned(comm);
    const bool gone = lost(self, comm->device, comm->generation);
    if (!gone)
        if (const da_status status = use(self, *comm)) return status;
    const da_status status = self.parts.collectives->destroy(comm->raw);
    return gone ? DA_OK : status;
}

da_status collective(Instance& self, dab_comm comm, dab_stream stream, const dab_collective* call) {
    if (const da_status status = use(self, *comm)) return status;
    if (stream->device != comm->device)
        return fail(DA_INVALID_ARGUMENT, nullptr,
                    "a stream of device %d cannot run a collective of device %d", stream->device,
                    comm->device);
    if (call->dtype >= DA_DTYPE_COUNT)
        return fail(DA_INVALID_ARGUMENT, nullptr, "no data type is numbered %d", call->dtype);
    return self.parts.collectives->run(comm->raw, comm->ranks, stream->raw, *call);
}

da_status comm_query(Instance& self, dab_comm comm) {
    if (const da_status status = use(self, *comm)) return status;
    return self.parts.collectives->query(comm->raw);
}

da_status comm_abort(Instance& self, dab_comm comm) {
    if (const da_status status = use(self, *comm)) return status;
    return self.parts.collectives->abort(comm->raw);
}

da_status comm_group_begin(Instance& self) {
    Collectives* lib = nullptr;
    if (const da_status status = library(self, &lib)) return status;
    return lib->group_begin();
}

da_status comm_group_end(Instance& self) {
    Collectives* lib = nullptr;
    if (const da_status status = library(self, &lib)) return status;
    return lib->group_end();
}

} // namespace device_api::simt
