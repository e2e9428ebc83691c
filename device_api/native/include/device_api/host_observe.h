/* SPDX-License-Identifier: Apache-2.0 */
/* Observers: what runs, told as it runs; and ops checked one by one. Part of the host API. */
#ifndef DEVICE_API_HOST_OBSERVE_H
#define DEVICE_API_HOST_OBSERVE_H

#include "device_api/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an observer wants to be told of; a mask. */
typedef enum dah_observe {
    DAH_OBSERVE_OP = 1,    /* begin and end of each primitive */
    DAH_OBSERVE_ALLOC = 2, /* a block was given out; a point */
    DAH_OBSERVE_FREE = 4,  /* its last reference is gone; a point, before it is given out again */
    DAH_OBSERVE_COPY = 8,  /* begin and end of a copy of bytes that is no op */
    DAH_OBSERVE_FALLBACK = 16, /* the op under way ran on the host; a point */
    DAH_OBSERVE_COMPOSED = 32  /* the op under way was made of others; a point */
} dah_observe;

typedef enum dah_phase { DAH_POINT = 0, DAH_BEGIN = 1, DAH_END = 2 } dah_phase;

/* One thing that was seen. Everything that it points to lives as long as the observer's call. */
typedef struct dah_observation {
    uint32_t size; /* of this struct */
    uint32_t kind; /* one bit of dah_observe */
    uint32_t phase;
    uint16_t op; /* 0 where none is concerned; of a block: who asked for it, if it was an op */
    uint16_t n_inputs;
    uint64_t span;              /* begin and end of one thing bear the same number, from 1 on */
    uint64_t within;            /* the op span that encloses this on the thread; 0 for none */
    int32_t depth;              /* spans of ops that enclose this one */
    da_status status;           /* at an end: how it went */
    dah_device device;          /* of a copy: the target's, DAH_HOST for host memory */
    dah_device source;          /* of a copy; otherwise the same as device */
    dah_stream* stream;         /* NULL where none is concerned */
    const da_tensor* operands;  /* of an op: inputs, then the output */
    const da_value* attributes; /* of an op, may be NULL */
    const void* address;        /* of a block */
    uint64_t bytes;             /* of a block, a copy, or moved by a fallback */
    double seconds;             /* that a fallback took */
    const char* reason;         /* of a fallback */
    const void* call;           /* the core's own */
} dah_observation;

/* Called on the thread that does the work, under no lock of the core. What an observer does itself
 * is not observed. At begin and end of an op a status other than DA_OK (with dah_fail called) makes
 * the op fail with it; elsewhere the status is ignored. */
typedef da_status (*dah_observer)(const dah_observation* seen, void* context);

/* Calls under way on other threads may outlast the removal. */
DAH_API da_status dah_observer_add(uint32_t kinds, dah_observer observer, void* context,
                                   uint64_t* id);
DAH_API void dah_observer_remove(uint64_t id);

/* Operand k of the op that is observed, as a tensor that shares its memory; only during the call.
 */
DAH_API da_status dah_observed_tensor(const dah_observation* seen, int32_t k, dah_tensor** out);

/* An op repeated on the host: the operands are copied at its begin, it runs there at any time
 * later. DA_NOT_SUPPORTED where the host lacks the op. Waits. */
typedef struct dah_replica dah_replica;
DAH_API da_status dah_replica_take(const dah_observation* begin, dah_replica** out);
DAH_API da_status dah_replica_run(dah_replica* replica);
/* Operand k in host memory: the inputs, and after running the output. */
DAH_API da_status dah_replica_operand(dah_replica* replica, int32_t k, dah_tensor** out);
DAH_API void dah_replica_release(dah_replica* replica);

/* With 1 every op is followed by a wait for its stream, so that a late failure names the op that
 * caused it. At the start: what the environment variable DEVICE_API_SYNC says (1, else 0). */
DAH_API void dah_set_synchronous_ops(int32_t on);
DAH_API int32_t dah_synchronous_ops(void);

#ifdef __cplusplus
}
#endif
#endif
