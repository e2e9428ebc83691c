/* SPDX-License-Identifier: Apache-2.0 */
/* The host API's part on collectives: groups of devices, one call of which every rank makes.
 *
 * The rules of host.h hold here too. Where a group's other ranks are, and how the identifier gets
 * there, is the client's business. */
#ifndef DEVICE_API_HOST_COLLECTIVE_H
#define DEVICE_API_HOST_COLLECTIVE_H

#include "device_api/host.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dah_comm dah_comm; /* one rank of a group; reference-counted */

/* Makes the identifier of a new group: up to DAB_COMM_ID_MAX bytes. DA_NOT_SUPPORTED where the
 * device's plugin has no collectives. */
DAH_API da_status dah_comm_id(dah_device device, void* id, uint32_t* bytes);

/* Joins the group: each rank calls it once, with one device. Waits for the others, as long as the
 * plugin's vendor does when it has no limit to set: so see first that they all come. Waits. */
DAH_API da_status dah_comm_create(dah_device device, const void* id, uint32_t bytes, int32_t ranks,
                                  int32_t rank, int32_t timeout_ms, dah_comm** comm);
DAH_API void dah_comm_retain(dah_comm* comm);
/* The last release waits for the streams that the communicator was used on, and leaves the group.
 * Waits. */
DAH_API void dah_comm_release(dah_comm* comm);
DAH_API dah_device dah_comm_device(const dah_comm* comm);
DAH_API int32_t dah_comm_rank(const dah_comm* comm);
DAH_API int32_t dah_comm_ranks(const dah_comm* comm);

/* Enqueues a dab_collective_kind on `stream`, of the communicator's device. Tensors are dense, of
 * one type and of the communicator's device: source of `count` elements or ranks * count, target
 * likewise, as device_api/collective.h says; NULL where the kind or this rank has none. Their
 * memory is kept until the stream has passed (dah_tensor_record_stream). All ranks make equal
 * calls in equal order. DA_NOT_SUPPORTED: the vendor lacks the kind, type or reduction; nothing was
 * enqueued then, on any rank. */
DAH_API da_status dah_comm_collective(dah_comm* comm, dah_stream* stream, int32_t kind,
                                      int32_t reduction, int32_t peer, dah_tensor* source,
                                      dah_tensor* target);

/* DA_OK while the group works; else why it does not. Never waits. */
DAH_API da_status dah_comm_query(dah_comm* comm);
/* Gives the group up from any thread: what it has enqueued fails instead of waiting for others.
 * DA_NOT_SUPPORTED where the plugin cannot. */
DAH_API da_status dah_comm_abort(dah_comm* comm);

/* Between the two the calls of this thread may be held back, and start together (rings of sends
 * and receives). Nothing where the plugin has no groups: then they are enqueued one by one. */
DAH_API da_status dah_comm_group_begin(dah_device device);
DAH_API da_status dah_comm_group_end(dah_device device);

#ifdef __cplusplus
}
#endif
#endif
