/* SPDX-License-Identifier: Apache-2.0 */
/* The host API of libdevice_api: what Python, bridges and native programs call. Version 0.1.
 *
 * Every function may be called from any thread; waits release nothing by themselves (a binding
 * releases its own lock around calls marked "waits"). A function that returns da_status writes its
 * outputs only on DA_OK; otherwise dah_last_error() says why, for this thread. Nothing here
 * depends on Python. Strings returned live as long as the process unless said otherwise. */
#ifndef DEVICE_API_HOST_H
#define DEVICE_API_HOST_H

#include "device_api/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DAH_API_MAJOR 0
#define DAH_API_MINOR 1

#ifdef __GNUC__
#define DAH_API __attribute__((visibility("default")))
#else
#define DAH_API
#endif

/* (major << 16) | minor of the library in use. */
DAH_API uint32_t dah_version(void);

/* ---- errors ---------------------------------------------------------------------------------- */

/* What kind of mistake it was, finer than da_status; append-only. */
typedef enum dah_error_kind {
    DAH_ERROR_STATUS = 0,          /* see status */
    DAH_ERROR_SHAPE = 1,           /* shapes do not fit each other or the op */
    DAH_ERROR_DTYPE = 2,           /* data types do not */
    DAH_ERROR_DEVICE_MISMATCH = 3, /* operands lie on different devices */
    DAH_ERROR_INDEX = 4,           /* an index or axis is out of range */
    DAH_ERROR_FALLBACK = 5,        /* the device lacks the op and the policy forbids the CPU */
    DAH_ERROR_PLUGIN = 6,          /* a plugin breaks the contract */
    DAH_ERROR_NO_DEVICE = 7,       /* the plugin works but finds no device */
    DAH_ERROR_DEVICE_INDEX = 8,    /* a device of that index does not exist */
    DAH_ERROR_UNKNOWN_DEVICE = 9,  /* no plugin for that type is loaded */
    DAH_ERROR_COMPOSER = 10        /* a composite failed; the composer's own words */
} dah_error_kind;

typedef struct dah_error {
    int32_t status; /* da_status */
    int32_t kind;   /* dah_error_kind */
    int64_t vendor_code;
    char message[1024];
    char remedy[512];
    char vendor_text[256];
    char op[48];     /* empty when no op was running */
    char device[48]; /* e.g. "npu:0"; empty when none is concerned */
    uint64_t stream; /* its id; 0 when none is concerned, or it is not known */
} dah_error;

/* This thread's last error; overwritten by the next failing call of the thread. Never NULL. */
DAH_API const dah_error* dah_last_error(void);

/* ---- backends -------------------------------------------------------------------------------- */

/* Loads a plugin's library and makes it the one backend of `type`. The file is named in full (no
 * search). Loading the same file again is DA_OK and does nothing; another file for a loaded type
 * is an error that names both. A failed load leaves nothing behind and may be tried again.
 * `options`: n_options pairs of strings for the plugin. Waits. */
DAH_API da_status dah_backend_load(const char* type, const char* library,
                                   const char* const* options, uint32_t n_options);

/* The same with a table that is in this process already (test backends). */
DAH_API da_status dah_backend_register(const char* type, const dab_backend* table,
                                       const char* const* options, uint32_t n_options);

/* Types of loaded backends are numbered 0 .. count-1 in the order of loading. */
DAH_API int32_t dah_type_count(void);
DAH_API const char* dah_type_name(int32_t type_id);    /* NULL when there is none */
DAH_API int32_t dah_type_find(const char* type);       /* -1 when it is not loaded */
DAH_API const char* dah_type_library(int32_t type_id); /* file that was loaded, or "" */
DAH_API const dab_backend* dah_type_table(int32_t type_id);

/* ---- devices --------------------------------------------------------------------------------- */

/* A device: type number * 256 + index. DAH_HOST stands for ordinary host memory in copies. */
typedef int32_t dah_device;
#define DAH_HOST ((dah_device) - 1)

DAH_API da_status dah_device_count(int32_t type_id, int32_t* count);
/* Checks that the device exists; initialises nothing. */
DAH_API da_status dah_device_get(const char* type, int32_t index, dah_device* device);
DAH_API da_status dah_device_properties(dah_device device, dab_properties* properties);
/* Both as the plugin says them now, not kept from before, not corrected: for tests of plugins. */
DAH_API da_status dah_device_count_given(int32_t type_id, int32_t* count);
DAH_API da_status dah_device_properties_given(dah_device device, dab_properties* properties);
/* Waits for all streams of the device and returns the first late failure. Waits. */
DAH_API da_status dah_device_synchronize(dah_device device, int32_t timeout_ms);
/* Brings a lost device back, or a healthy one to a fresh start: its work is abandoned; its tensors,
 * streams and events are dead for good (calls with them return DA_DEVICE_LOST; releasing them is
 * fine); memory figures start anew; pinned host memory stays. DA_NOT_SUPPORTED where the plugin
 * cannot, also for the host. Other devices are not touched. Waits. */
DAH_API da_status dah_device_reset(dah_device device);
/* How often it was reset in this process; 0 for no such device. */
DAH_API uint32_t dah_device_generation(dah_device device);
/* The current device: the thread's own, else the process default, else the first device whose
 * memory the host can use; -1 when none is loaded. */
DAH_API dah_device dah_current_device(void);
/* thread 0: makes it the process default (and the thread's own, if it has one); 1: the thread's
 * own only, where device -1 takes that away again. */
DAH_API da_status dah_set_current_device(dah_device device, int32_t thread);
/* The thread's own, -1 when it has none. */
DAH_API dah_device dah_thread_device(void);
/* The device's native entry for an op (sizes cut to this version), NULL when it has none. */
DAH_API const dab_op* dah_device_op(dah_device device, uint16_t op);

/* ---- streams and events ---------------------------------------------------------------------- */

typedef struct dah_stream dah_stream; /* reference-counted */
typedef struct dah_event dah_event;

/* The stream that ops of this thread use on a device; borrowed. Every device has one default
 * stream, an ordinary one made by the core. */
DAH_API da_status dah_current_stream(dah_device device, dah_stream** stream);
DAH_API da_status dah_set_current_stream(dah_stream* stream);
DAH_API da_status dah_stream_create(dah_device device, int32_t priority, dah_stream** stream);
DAH_API void dah_stream_retain(dah_stream* stream);
/* The last release waits for the stream's work, then destroys it. Waits. */
DAH_API void dah_stream_release(dah_stream* stream);
DAH_API dah_device dah_stream_device(const dah_stream* stream);
DAH_API uint64_t dah_stream_id(const dah_stream* stream);
DAH_API da_status dah_stream_synchronize(dah_stream* stream, int32_t timeout_ms); /* waits */
DAH_API da_status dah_stream_query(dah_stream* stream);
DAH_API da_status dah_stream_wait_event(dah_stream* stream, dah_event* event);
DAH_API da_status dah_stream_callback(dah_stream* stream, void (*fn)(void*), void* data);

DAH_API da_status dah_event_create(dah_device device, uint32_t flags, dah_event** event);
DAH_API void dah_event_destroy(dah_event* event);
DAH_API dah_device dah_event_device(const dah_event* event);
DAH_API da_status dah_event_record(dah_event* event, dah_stream* stream);
DAH_API da_status dah_event_query(dah_event* event);
DAH_API da_status dah_event_synchronize(dah_event* event, int32_t timeout_ms); /* waits */
DAH_API da_status dah_event_elapsed(dah_event* start, dah_event* end, double* milliseconds);

/* ---- raw memory ------------------------------------------------------------------------------ */

/* From the caching allocator, for use on `stream` (NULL: the current one). */
DAH_API da_status dah_malloc(dah_device device, uint64_t bytes, dah_stream* stream, void** address);
/* Straight from the plugin, for clients with an allocator of their own; counted as reserved and
 * allocated. dah_free takes the addresses of both; work enqueued on the stream of the allocation
 * may still use the memory, work on other streams must be done. */
DAH_API da_status dah_malloc_direct(dah_device device, uint64_t bytes, void** address);
DAH_API da_status dah_free(dah_device device, void* address);
DAH_API da_status dah_host_malloc(dah_device device, uint64_t bytes, void** address); /* pinned */
DAH_API da_status dah_host_free(dah_device device, void* address);

typedef struct dah_memory_stats {
    uint32_t size;           /* filled in by the caller */
    uint32_t reserved_count; /* segments held from the plugin */
    uint64_t allocated;      /* bytes in live blocks */
    uint64_t peak_allocated;
    uint64_t reserved; /* bytes held from the plugin */
    uint64_t peak_reserved;
    uint64_t live;        /* blocks */
    uint64_t allocations; /* since the start */
    uint64_t frees;
    uint64_t cache_releases; /* times the cache was given back to serve a request */
    uint64_t largest_free;   /* bytes of the largest free block in the cache */
    uint64_t device_free;    /* as the plugin says, 0 when it does not */
    uint64_t device_total;
} dah_memory_stats;

DAH_API da_status dah_get_memory_stats(dah_device device, dah_memory_stats* stats);
DAH_API da_status dah_reset_peak_memory(dah_device device);
DAH_API da_status dah_empty_cache(dah_device device); /* waits */

/* Copies bytes between any two places; host memory is DAH_HOST. With a stream (of the target's or
 * the source's device): enqueued, both sides stay valid until it has passed. stream NULL: done on
 * return, ordered after the current streams of the devices. Waits. */
DAH_API da_status dah_copy(dah_device target_device, void* target, dah_device source_device,
                           const void* source, uint64_t bytes, dah_stream* stream);
DAH_API da_status dah_fill(dah_device device, void* target, uint8_t value, uint64_t bytes,
                           dah_stream* stream);

/* ---- tensors --------------------------------------------------------------------------------- */

typedef struct dah_tensor dah_tensor; /* reference-counted, immutable but for its elements */

DAH_API void dah_tensor_retain(dah_tensor* tensor);
DAH_API void dah_tensor_release(dah_tensor* tensor);
DAH_API dah_device dah_tensor_device(const dah_tensor* tensor);
DAH_API int64_t dah_tensor_elements(const dah_tensor* tensor);
/* A descriptor that points into the tensor; valid while the tensor lives. */
DAH_API void dah_tensor_describe(const dah_tensor* tensor, da_tensor* out);
/* DA_DEVICE_LOST when the tensor's device is known to be lost, or was reset since. */
DAH_API da_status dah_tensor_check(const dah_tensor* tensor);

DAH_API da_status dah_empty(dah_device device, uint16_t dtype, int32_t rank, const int64_t* shape,
                            dah_tensor** out);
/* Wraps foreign memory of `bytes` bytes at `storage`; `release(context)` is called once it is no
 * longer used. strides NULL: row-major. */
DAH_API da_status dah_wrap(dah_device device, uint16_t dtype, int32_t rank, const int64_t* shape,
                           const int64_t* strides, void* data, void* storage, uint64_t bytes,
                           void (*release)(void*), void* context, dah_tensor** out);
/* A view of the same memory; offset in elements from the first element of `base`. */
DAH_API da_status dah_view(dah_tensor* base, int32_t rank, const int64_t* shape,
                           const int64_t* strides, int64_t offset, dah_tensor** out);
DAH_API da_status dah_reshape(dah_tensor* x, int32_t rank, const int64_t* shape, int32_t copy,
                              dah_tensor** out); /* copy: 0 never, 1 always, -1 if needed */
DAH_API da_status dah_broadcast(dah_tensor* x, int32_t rank, const int64_t* shape,
                                dah_tensor** out);
DAH_API da_status dah_permute(dah_tensor* x, const int32_t* axes, dah_tensor** out);
/* A complex tensor as a view of its parts, real and imaginary along a new last axis. */
DAH_API da_status dah_view_as_real(dah_tensor* x, dah_tensor** out);
/* A floating-point tensor as a view of its bits, signed integers of equal width. */
DAH_API da_status dah_view_as_bits(dah_tensor* x, dah_tensor** out);

/* To and from host memory, row-major and dense. Waits. */
DAH_API da_status dah_from_host(dah_device device, uint16_t dtype, int32_t rank,
                                const int64_t* shape, const void* data, dah_tensor** out);
DAH_API da_status dah_to_host(dah_tensor* x, void* data);
DAH_API da_status dah_to_device(dah_tensor* x, dah_device device, dah_tensor** out); /* waits */

/* ---- accounts -------------------------------------------------------------------------------- */

typedef enum dah_policy {
    DAH_FALLBACK_ERROR = 0,
    DAH_FALLBACK_WARN = 1,
    DAH_FALLBACK_ALLOW = 2
} dah_policy;

/* The policy in force for this thread; `thread` sets it for this thread only, policy -1 then
 * removes it again. */
DAH_API int32_t dah_fallback_policy(void);
DAH_API void dah_set_fallback_policy(int32_t policy, int32_t thread);

typedef struct dah_fallback_record {
    uint16_t op;
    uint16_t dtype;
    dah_device device;
    uint64_t count;
    uint64_t bytes; /* moved between the device and the host */
    double seconds;
    char reason[128];
} dah_fallback_record;

/* Writes up to `capacity` records and returns how many there are. */
DAH_API uint32_t dah_fallback_report(dah_fallback_record* records, uint32_t capacity);
/* `before` is called, on the waiting thread, ahead of every wait for a device, and may give up what
 * others need meanwhile (an interpreter's lock, say); `after` is given its result, if not NULL. */
DAH_API void dah_set_wait_hooks(void* (*before)(void), void (*after)(void* token));
/* Called, on the waiting thread and under no lock, now and then while memory is waited for.
 * Anything but DA_OK, set with dah_fail(), ends the wait and is what the call returns. */
DAH_API void dah_set_interrupt_hook(da_status (*interrupted)(void));
/* Called, under no lock, at the first fallback of each op and type under DAH_FALLBACK_WARN. */
DAH_API void dah_set_fallback_observer(void (*observer)(const dah_fallback_record* record));
DAH_API uint64_t dah_native_count(dah_device device, uint16_t op);
DAH_API void dah_reset_accounts(void);

/* ---- end ------------------------------------------------------------------------------------- */

/* Waits for all work and gives back all devices. Later calls fail with DA_INVALID_ARGUMENT; a
 * process that just ends need not call it. Idempotent. Waits. */
DAH_API void dah_shutdown(void);

#ifdef __cplusplus
}
#endif

#include "device_api/host_observe.h"
#include "device_api/host_ops.h"
#endif
