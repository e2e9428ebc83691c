/* SPDX-License-Identifier: Apache-2.0 */
/* The host API's part on memory in depth: limits, what the cache holds, streams, pinned memory.
 *
 * The rules of host.h hold here too. All sizes are bytes. */
#ifndef DEVICE_API_HOST_MEMORY_H
#define DEVICE_API_HOST_MEMORY_H

#include "device_api/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Work that is enqueued on `stream` up to the moment when the tensor's memory is given up may use
 * it: the memory is not given out again before that work is done. For use by others than the core
 * (kernels of the client, copies with a stream), which notes its own ops by itself. */
DAH_API da_status dah_tensor_record_stream(dah_tensor* tensor, dah_stream* stream);

/* Limits what this process holds of the device's memory to a share of all of it, in (0, 1]; 1
 * takes the limit away. What is held already stays. DA_NOT_SUPPORTED where the plugin does not say
 * how much memory there is. */
DAH_API da_status dah_set_memory_fraction(dah_device device, double fraction);

typedef struct dah_memory_details {
    uint32_t size; /* filled in by the caller */
    uint32_t reserved0;
    uint64_t limit;        /* of what is held from the plugin; 0: none */
    uint64_t held_back;    /* given up, but other streams may still use it */
    uint64_t cached;       /* free in the cache, in blocks of all kinds */
    uint64_t stranded;     /* of it: in segments with live blocks, which cannot be given back */
    uint64_t largest_free; /* block */
    double fragmentation;  /* share of free large memory outside its largest block; 0 without any */
    uint64_t pinned_reserved;  /* page-locked host memory held from the plugin */
    uint64_t pinned_allocated; /* of it: given out */
    uint64_t pinned_live;      /* pieces given out */
    uint64_t peer_copies;      /* to this device, straight from another */
    uint64_t staged_copies;    /* to this device from another, through the host */
} dah_memory_details;

DAH_API da_status dah_get_memory_details(dah_device device, dah_memory_details* details);

/* What a piece of a snapshot is. */
typedef enum dah_memory_state {
    DAH_MEMORY_SEGMENT = 0, /* held from the plugin; its blocks follow, by address */
    DAH_MEMORY_LIVE = 1,    /* blocks: in use */
    DAH_MEMORY_HELD = 2,    /* given up, but other streams may still use it */
    DAH_MEMORY_FREE = 3,    /* ready for the stream of its pool */
    DAH_MEMORY_UNCARVED = 4 /* the rest of a segment for small blocks, not yet cut up */
} dah_memory_state;

/* What a segment is for. */
typedef enum dah_memory_use {
    DAH_MEMORY_LARGE = 0, /* split and merged */
    DAH_MEMORY_SMALL = 1, /* cut into size classes */
    DAH_MEMORY_DIRECT = 2 /* of one dah_malloc_direct */
} dah_memory_use;

typedef struct dah_memory_piece {
    uint16_t state; /* dah_memory_state */
    uint16_t use;   /* dah_memory_use */
    uint16_t owner; /* who asked for it last (dah_memory_owner); 0: nobody */
    uint16_t reserved0;
    void* address;
    uint64_t bytes;
    uint64_t stream; /* id of the stream that it was last given out for; 0: none */
    uint64_t age;    /* allocations on the device since it was last given out */
    double seconds;  /* since then; below 0: not known (small blocks) */
} dah_memory_piece;

/* Visits all segments, each followed by its blocks: one consistent state, read before the first
 * call of `visit`. */
DAH_API da_status dah_memory_snapshot(dah_device device,
                                      void (*visit)(const dah_memory_piece* piece, void* data),
                                      void* data);
/* The op's name, or words such as "workspaces". */
DAH_API const char* dah_memory_owner(uint16_t owner);

/* Whether `address` lies in memory of dah_host_malloc that is in use. Copies with a stream from or
 * to such memory are noted: it may be freed at once, and is given out again once the stream has
 * passed. */
DAH_API int32_t dah_host_is_pinned(dah_device device, const void* address);

#ifdef __cplusplus
}
#endif

#endif
