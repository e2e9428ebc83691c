/* SPDX-License-Identifier: Apache-2.0 */
/* The backend contract: what a chip's plugin gives to the host, version 0.2.
 *
 * A plugin is one shared library that exports one function, `device_api_backend`, which returns
 * one constant table. The host is libdevice_api or any other program that keeps this contract.
 *
 * Words used below
 *   Required / Optional (since X): an optional member may be NULL; the text says what the host
 *       does without it. "since 0.1" is the version of this contract that introduced the member.
 *   Synchronous: done when the call returns.   Enqueued: put on the stream; DA_OK says only that
 *       it was accepted, a later failure is returned by a synchronise of that stream.
 *
 * Rules for every member
 *   Growth. Every struct begins with its size in bytes, filled in by whoever allocates it. Members
 *       are only appended. A reader takes a member as absent (NULL, 0) when the given size does
 *       not reach past it, and ignores what lies beyond the size it knows. Until 1.0 a change of
 *       the minor version may break; from 1.0 on only a change of the major version may.
 *   Threads. Any member may be called from any thread at any time, unless its text says otherwise.
 *       There is no current device: each call names its device, or a stream or event that was made
 *       on one. What the vendor keeps per thread the plugin sets by itself.
 *   Ownership. The host keeps what it allocates; pointers given to the plugin are borrowed for the
 *       call. Handles belong to the plugin and live until the host destroys them. Strings in the
 *       table live as long as the process.
 *   Errors. A failing call changes nothing, and says why through `last_error` on the same thread.
 *       An error does not stick: the next valid call works, unless the status is DA_DEVICE_LOST.
 *       A plugin never aborts, exits, prints, or lets an exception out.
 *   Streams. The host only uses streams that it created; NULL is never a stream.
 *   Processes. In a child after fork() every call of an initialised accelerator returns DA_FORKED
 *       before it takes any lock. Nothing is initialised by `create`, `device_count` or
 *       `device_properties` that would make a later fork unsafe, where the vendor allows that.
 *   Ten functions bring a chip up: create, device_count, device_properties, alloc, free, copy,
 *       stream_create, stream_destroy, stream_synchronize, op_table. */
#ifndef DEVICE_API_BACKEND_H
#define DEVICE_API_BACKEND_H

#include "device_api/collective.h"
#include "device_api/ops.h"
#include "device_api/telemetry.h"
#include "device_api/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DAB_ABI_MAJOR 0
#define DAB_ABI_MINOR 2

/* True when a struct of `given` bytes holds `member` of `type`. */
#define DAB_HAS(type, given, member)                                                               \
    ((given) >= offsetof(type, member) + sizeof(((type *)0)->member))

typedef struct dab_instance dab_instance; /* the plugin's state for one `create` */
typedef struct dab_stream_s *dab_stream;  /* an in-order queue of one device */
typedef struct dab_event_s *dab_event;    /* a point in a stream */

/* ---- loading --------------------------------------------------------------------------------- */

/* What the host passes to `create`. Borrowed for the call. */
typedef struct dab_config {
    uint32_t size;
    /* Version of this contract that the host was built with. */
    uint16_t abi_major;
    uint16_t abi_minor;
    /* n_options pairs of strings, key then value; a key that the plugin does not know is
     * DA_INVALID_ARGUMENT. Where they come from: the plugin's own Python module. */
    const char *const *options;
    uint32_t n_options;
    uint32_t reserved;
} dab_config;

/* Details of the last failing call of this thread. The host allocates it; all text is
 * NUL-terminated UTF-8, cut where it does not fit. */
typedef struct dab_error {
    uint32_t size;
    int32_t status;        /* da_status */
    int64_t vendor_code;   /* the vendor's number, 0 when there is none */
    char message[384];     /* what failed, and why */
    char remedy[256];      /* what the user can do; may be empty */
    char vendor_text[256]; /* the vendor's own words; may be empty */
} dab_error;

/* ---- devices --------------------------------------------------------------------------------- */

/* Bits of dab_properties.flags. */
enum {
    DAB_DEVICE_SIMULATED = 1u << 0,   /* no real chip is behind this device */
    DAB_DEVICE_HOST_MEMORY = 1u << 1, /* the host may read and write device memory directly */
    DAB_DEVICE_FLUSHES_SUBNORMALS = 1u << 2,
    DAB_DEVICE_SYNCHRONOUS = 1u << 3  /* work is done when the enqueueing call returns */
};

/* Facts of one device; unknown numbers are 0, unknown text is empty. The host allocates it. */
typedef struct dab_properties {
    uint32_t size;
    uint32_t flags;
    uint64_t total_memory;       /* bytes */
    uint64_t alignment;          /* of every address that `alloc` returns, bytes; at least 64 */
    uint32_t compute_units;      /* cores, multiprocessors */
    uint32_t max_threads_per_unit;
    uint32_t max_threads_per_block;
    uint32_t max_grid[3];
    uint32_t capability_major;   /* the vendor's number for the generation, e.g. 9 and 1 */
    uint32_t capability_minor;
    int32_t stream_priority_least; /* equal when there are no priorities; a lower number is */
    int32_t stream_priority_greatest; /* more urgent */
    int32_t driver_version;      /* the vendor's integer encoding */
    int32_t runtime_version;
    int32_t dlpack_type;         /* DLDeviceType; 0 when the type has no assigned code */
    uint32_t reserved;
    char name[128];              /* as the vendor says it; says "simulated" when it is */
    char arch[64];               /* the compiler's name of the chip */
    char uuid[64];               /* text */
    char pci_bus_id[32];         /* 0000:00:00.0 */
    char driver[64];             /* version as text */
    char runtime[64];
} dab_properties;

/* ---- copies ---------------------------------------------------------------------------------- */

typedef enum dab_copy_kind {
    DAB_HOST_TO_DEVICE = 0,
    DAB_DEVICE_TO_HOST = 1,
    DAB_DEVICE_TO_DEVICE = 2 /* within the stream's device */
} dab_copy_kind;

/* Bits for event_create. */
enum {
    DAB_EVENT_TIMING = 1u << 0 /* event_elapsed will be asked */
};

/* ---- ops ------------------------------------------------------------------------------------- */

/* One call of one op. Borrowed: read nothing of it after `run` or `launch` has returned.
 *
 * What the host guarantees: `tensors` holds n_inputs inputs, then n_outputs outputs; types, ranks
 * and shapes are as the op table says. Inputs of elementwise ops come with the output's shape;
 * a dimension that broadcasts has stride 0. Dimensions may be merged or reordered against what the
 * user wrote. Outputs never overlap inputs, or each other, unless they are the very same view and
 * the entry has DAB_OP_IN_PLACE. No tensor is empty. All memory is of the stream's device. */
typedef struct dab_call {
    uint32_t size;
    uint16_t op; /* da_op */
    uint8_t n_inputs;
    uint8_t n_outputs;
    const da_tensor *tensors;
    const da_value *attributes; /* in the op table's order; NULL when it has none */
    dab_stream stream;
    int32_t device;
    uint32_t reserved;
} dab_call;

/* What `plan` fills in. The host allocates it and moves it nowhere. */
typedef struct dab_plan {
    void *opaque;             /* the plugin's; given back to launch or abandon */
    uint64_t workspace_bytes; /* device memory that launch needs; 0 for none */
} dab_plan;

/* Bits of dab_op.flags. */
enum {
    DAB_OP_STRIDED = 1u << 0,   /* takes views; without it, or on DA_NOT_SUPPORTED for some view
                                   (negative strides, say), the host passes dense copies */
    DAB_OP_IN_PLACE = 1u << 1,  /* an output may be the same view as an input */
    DAB_OP_IMMEDIATE = 1u << 2, /* one input may be a host scalar (DA_TENSOR_IMMEDIATE) */
    DAB_OP_NONDETERMINISTIC = 1u << 3 /* equal calls may differ in the last bits */
};

/* One op that a device has natively. Give `run`, or all of plan, launch and abandon.
 *
 * run: enqueue the whole op; for ops that need no workspace. The fast path.
 * plan, then launch or abandon, exactly one of them, on the same thread, with the same call.
 *     launch enqueues, and takes `workspace` (NULL when 0 bytes were asked; aligned as `alloc`),
 *     which the host keeps untouched until the stream has passed. Both consume the plan, launch
 *     also when it fails.
 * DA_NOT_SUPPORTED from run or plan means "not this combination": the host may run it elsewhere
 * and counts that. */
typedef struct dab_op {
    uint32_t size;
    uint16_t op;      /* da_op */
    uint16_t version; /* semantic version of the op that is implemented (op table) */
    uint32_t flags;
    uint32_t reserved;
    da_dtype_mask dtypes; /* types of the op's key operand (op table, `key`) */
    da_dtype_mask others; /* types of its second free operand (cast: target; index: indices) */
    da_status (*run)(dab_instance *self, const dab_call *call);
    da_status (*plan)(dab_instance *self, const dab_call *call, dab_plan *plan);
    da_status (*launch)(dab_instance *self, const dab_call *call, dab_plan *plan, void *workspace);
    void (*abandon)(dab_instance *self, dab_plan *plan);
} dab_op;

/* ---- the table ------------------------------------------------------------------------------- */

typedef struct dab_backend {
    /* These three never move, in any version: by them two sides of different versions meet. */
    uint32_t size;
    uint16_t abi_major;
    uint16_t abi_minor;

    /* -- identity (required, since 0.1) -- */
    const char *type;    /* device type as users name it, e.g. "cpu" */
    const char *vendor;  /* who made the chip */
    const char *version; /* of the plugin */
    /* The op table that the plugin was built with: number of ops, and for each N <= op_count the
     * hash of the table's first N ops (DA_OP_TABLE_HASHES in ops.h). The host compares the longest
     * part that both know and refuses a plugin that differs there. */
    uint32_t op_count;
    uint32_t reserved;
    const uint64_t *op_hashes;

    /* -- lifetime -- */

    /* Required, since 0.1. Opens the vendor's libraries and makes an instance; *self is written
     * only on DA_OK. DA_NO_DRIVER: they are not there. Does not initialise any device. Called once
     * per process by each host; synchronous. */
    da_status (*create)(const dab_config *config, dab_instance **self);

    /* Optional, since 0.1. Waits for all work, gives back all devices. No other call runs or
     * follows. Not called when the process just ends: a plugin must not need it for a clean exit. */
    void (*destroy)(dab_instance *self);

    /* Optional, since 0.1. Fills in the error of this thread's last failing call, also of `create`
     * (then self is NULL). Without it the host has only the status. Never fails. */
    void (*last_error)(dab_instance *self, dab_error *error);

    /* -- devices -- */

    /* Required, since 0.1. Number of usable devices; 0 is no error. Synchronous. */
    da_status (*device_count)(dab_instance *self, int32_t *count);

    /* Required, since 0.1. Synchronous; costs no device memory. */
    da_status (*device_properties)(dab_instance *self, int32_t device, dab_properties *out);

    /* Optional, since 0.1. Gets a device ready (context, default handles): called by the host once
     * before the first use of a device other than the two above. Synchronous. */
    da_status (*device_open)(dab_instance *self, int32_t device);

    /* Optional, since 0.1. Waits for everything on the device. Without it the host waits for its
     * streams one by one. timeout_ms < 0 waits for ever; DA_TIMEOUT when time runs out. */
    da_status (*device_synchronize)(dab_instance *self, int32_t device, int32_t timeout_ms);

    /* Optional, since 0.1. Brings a lost device back; all its memory, streams and events are gone.
     * Also of a healthy device, with work on it, while other threads wait: their waits return
     * DA_DEVICE_LOST. When it returns, no work of before touches host memory any more; memory of
     * host_alloc stays. Of the streams and events of before only the destruction follows, which
     * frees the handle. Without it, or with DA_NOT_SUPPORTED, a lost device stays lost.
     * Synchronous. */
    da_status (*device_reset)(dab_instance *self, int32_t device);

    /* -- memory -- */

    /* Required, since 0.1. `bytes` > 0 of device memory, aligned to properties.alignment, content
     * undefined. DA_OUT_OF_MEMORY when there is not enough. Synchronous; waits for no stream where
     * the vendor allows that. The host's allocator asks for large blocks, seldom. */
    da_status (*alloc)(dab_instance *self, int32_t device, uint64_t bytes, void **address);

    /* Required, since 0.1. Frees what alloc gave. No enqueued work uses it any more: the host has
     * seen to that. */
    da_status (*free)(dab_instance *self, int32_t device, void *address);

    /* Optional, since 0.1. Bytes free and in all on the device, for all processes. Without it the
     * host reports what it counts itself. Synchronous. */
    da_status (*memory_info)(dab_instance *self, int32_t device, uint64_t *free_bytes,
                             uint64_t *total_bytes);

    /* Optional (both or none), since 0.1. Page-locked host memory that copies to and from `device`
     * can use without staging. Without it the host uses ordinary memory. Synchronous. */
    da_status (*host_alloc)(dab_instance *self, int32_t device, uint64_t bytes, void **address);
    da_status (*host_free)(dab_instance *self, int32_t device, void *address);

    /* -- copy and fill -- */

    /* Required, since 0.1. Enqueued. Both sides stay valid until the stream has passed; the host
     * memory may be any memory, page-locked or not. The plugin may return early or late, it does
     * not matter: the host waits before it touches the host side. `bytes` > 0. */
    da_status (*copy)(dab_instance *self, dab_stream stream, void *target, const void *source,
                      uint64_t bytes, dab_copy_kind kind);

    /* Optional, since 0.1. From one device to another, in the order of `stream`, which is of
     * either device. Without it, or with DA_NOT_SUPPORTED, the host stages through its memory. */
    da_status (*copy_peer)(dab_instance *self, dab_stream stream, int32_t target_device,
                           void *target, int32_t source_device, const void *source,
                           uint64_t bytes);

    /* Optional, since 0.1. Sets `bytes` > 0 bytes to `value`. Enqueued. Without it the host uses
     * the op `fill`, or a copy. */
    da_status (*fill)(dab_instance *self, dab_stream stream, void *target, uint8_t value,
                      uint64_t bytes);

    /* -- streams -- */

    /* Required, since 0.1. `priority` lies between the two of the properties; *stream is never
     * NULL. Synchronous. */
    da_status (*stream_create)(dab_instance *self, int32_t device, int32_t priority,
                               dab_stream *stream);

    /* Required, since 0.1. Enqueued work still completes; may wait for it. */
    da_status (*stream_destroy)(dab_instance *self, dab_stream stream);

    /* Required, since 0.1. Waits until all work enqueued before is done, and returns the first
     * failure of that work, once. timeout_ms < 0 waits for ever, and a plugin whose vendor cannot
     * wait with a limit may do so always (waits then cannot be interrupted). */
    da_status (*stream_synchronize)(dab_instance *self, dab_stream stream, int32_t timeout_ms);

    /* Optional, since 0.1. DA_OK when idle, DA_NOT_READY when not, or the failure of past work.
     * Never waits. Without it the host never reports early that work is done. */
    da_status (*stream_query)(dab_instance *self, dab_stream stream);

    /* Optional, since 0.1; needs the event group. Work enqueued on `stream` after this starts only
     * when `event` (possibly of another device) is reached, as recorded at the time of this call;
     * an event never recorded is reached. Enqueued. Without it the host waits itself. */
    da_status (*stream_wait_event)(dab_instance *self, dab_stream stream, dab_event event);

    /* Optional, since 0.1. Enqueues fn(data): it runs once, on any thread, after all earlier work
     * and before all later work of the stream, also when earlier work failed. fn calls nothing of
     * this table. Without it the host synchronises and calls fn itself. */
    da_status (*stream_callback)(dab_instance *self, dab_stream stream, void (*fn)(void *data),
                                 void *data);

    /* -- events: all of this group, or none, since 0.1. Without it the host synchronises streams
     *    where it would use events, and times with the host's clock. -- */

    da_status (*event_create)(dab_instance *self, int32_t device, uint32_t flags,
                              dab_event *event);

    /* At any time; a wait already enqueued still holds. */
    da_status (*event_destroy)(dab_instance *self, dab_event event);

    /* Enqueued on a stream of the event's device. May be recorded again; each wait, query and
     * synchronise means the last record before it. */
    da_status (*event_record)(dab_instance *self, dab_event event, dab_stream stream);

    /* DA_OK when reached or never recorded, DA_NOT_READY when not. Never waits. */
    da_status (*event_query)(dab_instance *self, dab_event event);

    /* Waits until reached; timeout as in stream_synchronize. */
    da_status (*event_synchronize)(dab_instance *self, dab_event event, int32_t timeout_ms);

    /* Milliseconds from start to end, both with DAB_EVENT_TIMING, of one device, recorded and
     * reached: otherwise DA_INVALID_ARGUMENT or DA_NOT_READY. Never negative when `end` was
     * recorded after `start` on one stream. */
    da_status (*event_elapsed)(dab_instance *self, dab_event start, dab_event end,
                               float *milliseconds);

    /* -- ops -- */

    /* Required, since 0.1. The ops that this device has, at most one entry per op; the array and
     * its entries live as long as the instance. `stride` is the size of one entry in bytes (so an
     * array of shorter or longer entries can be walked). Synchronous. */
    da_status (*op_table)(dab_instance *self, int32_t device, const dab_op **ops, uint32_t *count,
                          uint32_t *stride);

    /* -- telemetry -- */

    /* Optional, since 0.2. One reading of the device's sensors and counters. Synchronous; opens no
     * device and disturbs no running work, also of other processes. DA_NOT_SUPPORTED where this
     * machine has no way to ask (the management library is not installed, say). */
    da_status (*telemetry)(dab_instance *self, int32_t device, dab_telemetry *out);

    /* -- collectives: comm_id, comm_create, comm_destroy and collective, or none, since 0.2 -- */

    /* Makes the identifier of a new group, at one rank: up to DAB_COMM_ID_MAX bytes into `id`,
     * how many into *bytes. The application carries them to all ranks. Synchronous. */
    da_status (*comm_id)(dab_instance *self, int32_t device, void *id, uint32_t *bytes);

    /* Joins the group as `rank` of `ranks` with a device. Each rank calls it once; waits for the
     * others, DA_TIMEOUT when they do not come within timeout_ms (< 0: the vendor's own limit,
     * which a plugin always keeps to whose vendor has no other). */
    da_status (*comm_create)(dab_instance *self, int32_t device, const void *id, uint32_t bytes,
                             int32_t ranks, int32_t rank, int32_t timeout_ms, dab_comm *comm);

    /* Enqueued collectives are done: the host has seen to that. May wait for the other ranks to
     * leave as well. */
    da_status (*comm_destroy)(dab_instance *self, dab_comm comm);

    /* Enqueued. DA_NOT_SUPPORTED for a kind, type or reduction that the vendor does not have: the
     * host says so, or composes it from others; equally at every rank, so that none waits for one
     * that was refused. Failures come with the stream's next synchronise, or with comm_query: of
     * another rank as DA_INTERNAL or DA_HARDWARE_FAULT, never as DA_DEVICE_LOST or DA_TIMEOUT,
     * which would say that this device is gone, or that the work goes on. A complex element may
     * be moved and summed as its parts, a bool moved as a byte. */
    da_status (*collective)(dab_instance *self, dab_comm comm, dab_stream stream,
                            const dab_collective *call);

    /* Optional, since 0.2. The group's failure that no stream reports (a lost link, a rank that
     * ended), or DA_OK. Never waits. */
    da_status (*comm_query)(dab_instance *self, dab_comm comm);

    /* Optional, since 0.2. Gives a group up from any thread: enqueued and waiting calls of this
     * rank fail instead of waiting for others. comm_destroy follows. */
    da_status (*comm_abort)(dab_instance *self, dab_comm comm);

    /* Optional (both or none), since 0.2. Between begin and end this thread's collectives may be
     * held back, and start together: sends and receives of one rank, or calls for several
     * communicators. Without them the host enqueues one by one. */
    da_status (*comm_group_begin)(dab_instance *self);
    da_status (*comm_group_end)(dab_instance *self);
} dab_backend;

/* The one exported function. Returns the table, or NULL when the plugin knows that it cannot work
 * with a host of this version. Called once, before anything else; initialises nothing. */
typedef const dab_backend *(*dab_entry)(uint16_t host_abi_major, uint16_t host_abi_minor);
#define DAB_ENTRY_SYMBOL "device_api_backend"

#ifdef __GNUC__
#define DAB_EXPORT __attribute__((visibility("default")))
#else
#define DAB_EXPORT
#endif

#ifdef __cplusplus
}
#endif
#endif
