/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives of the backend contract: one call moves or reduces memory of several devices. */
#ifndef DEVICE_API_COLLECTIVE_H
#define DEVICE_API_COLLECTIVE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dab_comm_s* dab_comm; /* one rank of a group of devices */

/* Bytes that every vendor's identifier of a group fits in. */
#define DAB_COMM_ID_MAX 8192u

typedef enum dab_collective_kind {
    DAB_ALL_REDUCE = 0,     /* target[count] = reduction of every rank's source[count] */
    DAB_REDUCE = 1,         /* the same, at rank `peer` only; the others' target is not touched */
    DAB_BROADCAST = 2,      /* target[count] of every rank = source[count] of rank `peer` */
    DAB_ALL_GATHER = 3,     /* target[ranks * count] = every rank's source[count], by rank */
    DAB_REDUCE_SCATTER = 4, /* target[count] = this rank's part of the reduced
                               source[ranks * count] */
    DAB_ALL_TO_ALL = 5,     /* part r of target[ranks * count] = this rank's part of rank r's
                               source[ranks * count] */
    DAB_SEND = 6,           /* source[count] to rank `peer`, which receives as much */
    DAB_RECV = 7,           /* target[count] from rank `peer` */
    DAB_BARRIER = 8         /* the stream goes on when every rank's stream is there; count 0 */
} dab_collective_kind;

typedef enum dab_reduction {
    DAB_SUM = 0,
    DAB_PROD = 1,
    DAB_MAX = 2,
    DAB_MIN = 3,
    DAB_AVG = 4
} dab_reduction;

/* One call, borrowed. Every rank of the group makes the same calls in the same order, with equal
 * kind, type, count, reduction and peer (send and receive: in pairs). Memory is dense and of the
 * communicator's device; source and target are equal (in place; all_gather and reduce_scatter: at
 * this rank's part of the larger one) or do not overlap. */
typedef struct dab_collective {
    uint32_t size;
    uint16_t kind;      /* dab_collective_kind */
    uint16_t dtype;     /* da_dtype */
    uint32_t reduction; /* dab_reduction, of those that reduce */
    int32_t peer;       /* root of broadcast and reduce; the other rank of send and receive */
    const void* source; /* NULL where the kind has none */
    void* target;
    uint64_t count; /* elements */
} dab_collective;

#ifdef __cplusplus
}
#endif
#endif
