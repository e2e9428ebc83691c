/* SPDX-License-Identifier: Apache-2.0 */
/* Control table of a simulated chip: set it up, steer its schedule, break it on demand, read what
 * it saw.
 *
 * Every simulated vendor library exports, beside its vendor's symbols, one function:
 * das_control_table(). It is found with dlsym on any handle of that vendor's libraries; where it is
 * missing, the library is a real one. The table is constant and lives as long as the process. All
 * functions are thread-safe. C11.
 *
 * Conventions: every struct begins with its size, set by the caller (for arguments) or by the
 * library (for the table); members are only appended; a smaller struct means that the missing
 * members are zero. Functions return DAS_OK or a negative code; then message() explains, until this
 * thread's next failing call.
 */
#ifndef DEVICE_API_SIMCTL_H
#define DEVICE_API_SIMCTL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DAS_VERSION 1u /* of this header; das_control.version of the library may be higher */
#define DAS_ENTRY   "das_control_table"

enum {
    DAS_OK = 0,
    DAS_INVALID = -1,   /* an argument is out of range */
    DAS_BUSY = -2,      /* not while the engine is in use: reset() first */
    DAS_NOT_FOUND = -3, /* no such device, fault or entry */
    DAS_UNUSABLE = -4   /* forked child, or the process is exiting */
};

/* ---- setup ------------------------------------------------------- */

typedef struct das_setup {
    size_t size;
    uint64_t seed;         /* of schedule, faults and poison; 0 is a seed like any other */
    uint64_t memory_bytes; /* per device; 0 = the vendor's default */
    int32_t devices;       /* 1..64, 0 = the vendor's default; -1 = none ("no device") */
    int32_t reserved;
    char name_suffix[64]; /* appended to device names; "" = " (simulated)". A name always says
                             simulated: a suffix without that word gets " (simulated)" as well */
} das_setup;

typedef enum das_mode {
    DAS_ADVERSARIAL = 0, /* work starts when waited for or asked after, or after a random delay */
    DAS_IMMEDIATE = 1,   /* work starts at once, on the stream's thread */
    DAS_SYNCHRONOUS = 2  /* a launch returns when it has run: to narrow down; hides missing waits */
} das_mode;

/* How the adversarial mode is nasty. In the strategies after the first, asking after work (a query)
 * makes it go on only when the last query saw no progress either, and then by one task. */
typedef enum das_strategy {
    DAS_MIXED = 0,        /* work starts when waited for or asked after, else late, by seed */
    DAS_LATE = 1,         /* only when waited for or asked after */
    DAS_RANDOM = 2,       /* after any delay up to the longest, by seed */
    DAS_OTHERS_FIRST = 3, /* late; a wait for one stream lets all the others run before */
    DAS_SPLIT = 4,        /* late; copies in pieces, out of order, with pauses */
    DAS_BY_SEED = 5       /* one of the four, by seed */
} das_strategy;

typedef struct das_schedule {
    size_t size;
    int32_t mode;          /* das_mode */
    uint32_t max_delay_us; /* adversarial: longest delay; 0 = 2000 */
    uint64_t seed;         /* 0 = keep */
    int32_t strategy;      /* das_strategy */
    int32_t reserved;
} das_schedule;

/* The simulated clock: what a task costs, instead of what the chip's file says (docs/chips.md).
 * Event times come from it; results never depend on it. 0 = as the file says. */
typedef struct das_latency {
    size_t size;
    double launch_us;   /* each task, and each copy instead of its link's latency */
    double copy_gbps;   /* host <-> device, 1e9 bytes a second */
    double memory_gbps; /* on the device */
    double peer_gbps;   /* between devices */
    double gflops;      /* of all units and data types */
    double realtime; /* > 0: tasks really take this multiple of their simulated time; default 0 */
} das_latency;

/* ---- launch log -------------------------------------------------- */

enum { DAS_KERNEL = 1, DAS_COPY = 2, DAS_FILL = 4, DAS_HOST = 8, DAS_EVENT = 16, DAS_ALL = 31 };

typedef struct das_launch {
    size_t size;
    uint64_t sequence; /* 1, 2, ... over all devices, in order of submission */
    uint64_t bytes;    /* of a copy or fill; of a kernel: its operands */
    int32_t device;
    uint32_t stream; /* small id, 0 for work outside any stream */
    uint32_t kind;   /* one of DAS_KERNEL .. DAS_EVENT */
    uint32_t reserved;
    char name[64]; /* the vendor's operator, or memcpy_h2d, memcpy_d2h, memcpy_d2d, memcpy_p2p,
                      memset ... */
} das_launch;

/* ---- faults ------------------------------------------------------ */

typedef enum das_fault_kind {
    DAS_FAULT_OUT_OF_MEMORY = 1, /* an allocation fails; name is not looked at */
    DAS_FAULT_LAUNCH = 2,        /* a launch is refused at once */
    DAS_FAULT_ASYNC = 3,       /* a task fails while running: the error comes with a later wait; its
                                  outputs stay poisoned */
    DAS_FAULT_DEVICE_LOST = 4, /* the device is gone from that task on, until it is reset */
    DAS_FAULT_WRONG_RESULT = 5, /* one element of one output is changed, silently */
    DAS_FAULT_CORRUPT_COPY = 6, /* one bit of a copy is flipped, silently */
    DAS_FAULT_HANG = 7, /* the task does not end until the fault is removed or the device reset */
    DAS_FAULT_ECC = 8,  /* as ASYNC, reported as a hardware fault */
    DAS_FAULT_SLOW = 9, /* the task takes `value` times its simulated time */
    DAS_FAULT_TELEMETRY = 10,       /* a call of the health interface fails; name: that call */
    DAS_FAULT_TELEMETRY_SHORT = 11, /* ... gives less than was asked for */
    DAS_FAULT_COLLECTIVE = 12,      /* one rank's part of a collective fails; name: the vendor's
                                       collective. value > 0: it hangs instead */
    DAS_FAULT_SLOW_LINK = 13,       /* as SLOW, of copies between memories: host, device, peer */
    DAS_FAULT_TELEMETRY_STALE = 14, /* ... gives the figures of the call before, again */
    DAS_FAULT_KINDS_END             /* one past the last */
} das_fault_kind;

typedef struct das_fault {
    size_t size;
    int32_t kind;       /* das_fault_kind */
    int32_t device;     /* -1 = any */
    uint64_t skip;      /* let this many matching tasks pass first */
    uint64_t count;     /* then strike this many; 0 = without end */
    double probability; /* of each strike; 0 = 1 */
    double value;       /* SLOW: factor. WRONG_RESULT: relative change, 0 = 1 % */
    uint64_t seed;      /* 0 = from the setup's */
    int32_t code;       /* the vendor's own error code to report; 0 = its usual one */
    int32_t reserved;
    char name[64]; /* task name, * and ? as in a shell; "" = any kernel or copy that the kind
                      applies to */
    uint64_t min_bytes, max_bytes; /* only tasks and allocations of this size; 0 = any */
    double after_s;  /* not before so many seconds (of the host's clock) after fault_add */
    double until_s;  /* and no longer than so many after it; 0 = without end */
    uint32_t stream; /* its small id, as in das_launch; 0 = any */
    uint32_t reserved2;
} das_fault;

/* ---- statistics -------------------------------------------------- */

typedef struct das_memory {
    size_t size;
    uint64_t total, used, peak;   /* bytes; used counts alignment and the vendor's padding */
    uint64_t live;                /* live allocations */
    uint64_t allocations;         /* ever made */
    uint64_t pinned, pinned_live; /* host memory, of the whole engine: bytes, allocations */
} das_memory;

/* ---- checks ------------------------------------------------------ */

/* Checks that cost time or memory: off, unless the environment has them on
 * (DEVICE_API_SIM_CHECKS=races,shadow,host,sites or all). All others are always on. */
enum {
    DAS_CHECK_RACES = 1,  /* work on two streams, or of a stream and the host, that shares memory is
                             ordered by events and waits, also where it went well this time */
    DAS_CHECK_SHADOW = 2, /* which bytes were ever written: reads of others are reported exactly */
    DAS_CHECK_HOST = 4,   /* a pinned buffer does not change before its copy has run; a host that
                             touches device memory is told before the signal ends it */
    DAS_CHECK_SITES = 8,  /* reports name the callers that allocated and freed */
    DAS_CHECK_ALL = 15
};

/* ---- telemetry --------------------------------------------------- */

/* Bits of das_telemetry.set: which members count. */
enum { DAS_SET_AMBIENT = 1, DAS_SET_LOAD = 2, DAS_SET_ECC = 4, DAS_SET_CODE = 8, DAS_SET_ALL = 15 };

/* What the sensors of a device are to see; in this order: settings, then time passes. */
typedef struct das_telemetry {
    size_t size;
    int32_t device;           /* -1 = all */
    uint32_t set;             /* DAS_SET_* */
    double ambient_c;         /* of the air, degrees Celsius */
    double load;              /* of the compute units from now on, 0..1; < 0: as measured */
    double advance_s;         /* let so many seconds pass at once, for temperature and power */
    uint64_t ecc_corrected;   /* errors to count */
    uint64_t ecc_uncorrected; /* a critical state until the device is reset */
    uint32_t code;            /* the vendor's fault code; with severity 0: ends it, 0 ends all */
    int32_t severity;         /* 1 minor, 2 major, 3 critical */
} das_telemetry;

/* ---- the chip ---------------------------------------------------- */

/* What chip_read gives. */
typedef enum das_chip_text {
    DAS_CHIP_FILE = 0,   /* the path of its file */
    DAS_CHIP_VALUES = 1, /* all of the file, checked against the keys, as JSON: tables as objects */
    DAS_CHIP_SYNTAX = 2, /* the same of any file of that syntax: its keys are not looked at */
    DAS_CHIP_KEYS = 3,   /* the keys that a file may have, as the rows of a Markdown table */
    DAS_CHIP_NAMES = 4   /* names of the files beside the libraries, one a line */
} das_chip_text;

/* ---- the table --------------------------------------------------- */

typedef struct das_control {
    size_t size;      /* of this struct in the library */
    uint32_t version; /* DAS_VERSION of the library */
    uint32_t reserved;
    const char* vendor; /* "ascend" */

    /* Why this thread's last failing call failed. Never NULL. */
    const char* (*message)(void);

    /* Set up devices. DAS_BUSY once the vendor library has been used, unless nothing changes or
     * reset() came first. */
    int (*setup)(const das_setup* setup);
    /* Abandon all work, free everything, heal and forget: devices, faults, log, misuse, schedule,
       latency back to defaults. Handles and device pointers given out before are dead. For tests.
     */
    int (*reset)(void);

    int (*set_schedule)(const das_schedule* schedule);
    int (*set_latency)(const das_latency* latency);

    /* Launch log: the number of launches of these kinds so far (not limited by the log's length).
     */
    uint64_t (*launch_count)(uint32_t kinds);
    /* Copy out the entry number `index` (0 = oldest kept; the newest 65,536 are kept). Set
     * entry->size first. */
    int (*launch_read)(uint64_t index, das_launch* entry);
    uint64_t (*launch_kept)(void);
    int (*launch_clear)(void); /* entries and counts; sequence numbers go on */

    /* Returns an id > 0, or a negative code. */
    int (*fault_add)(const das_fault* fault);
    int (*fault_remove)(int id); /* 0 = all */
    /* How often it has struck. */
    int (*fault_strikes)(int id, uint64_t* strikes);

    int (*device_count)(void);
    int (*memory)(int device, das_memory* out);
    int (*device_lose)(int device); /* now */

    /* Breaches of the vendor's API rules: how many, and the text of the last ones (0 = newest; 64
       are kept). misuse_read returns the length of the text, which it cuts to `room`. */
    uint64_t (*misuse_count)(void);
    int (*misuse_read)(uint64_t index, char* text, size_t room);
    int (*misuse_clear)(void);

    /* Live objects of the engine: what = "stream", "event", "allocation", "pinned", or a vendor's
     * kind ("aclTensor"). */
    int64_t (*live)(const char* what);

    /* Switch the checks (DAS_CHECK_*) on or off; before the work that they are to see. */
    int (*set_checks)(uint32_t checks);
    /* What is live now and was never given back, and where it was allocated: how many, and the
     * text of each, oldest first; as misuse_read. */
    uint64_t (*leak_count)(void);
    int (*leak_read)(uint64_t index, char* text, size_t room);
    /* The rules whose breach is reported: their names and words. DAS_NOT_FOUND after the last. */
    int (*rule_read)(uint64_t index, const char** name, const char** words);
    /* Faults as text, in the syntax of DEVICE_API_SIM_FAULTS (docs/faults.md): added (`add` not 0)
     * or only checked. Returns how many are for this vendor, or DAS_INVALID and adds none. */
    int (*fault_text)(const char* text, int add);

    /* What the sensors see from now on. */
    int (*set_telemetry)(const das_telemetry* telemetry);

    /* The chip to simulate: the name of a file beside the libraries or the path of one; "" = as the
     * environment says. Read and checked at once: DAS_INVALID, and message() says what is wrong and
     * in which line. Before the first use, as setup (else DAS_BUSY); reset() takes it back. */
    int (*set_chip)(const char* chip);
    /* Text about a chip; `chip`: NULL = the one in use, else a name or a path. Returns the length
     * of the text, which is cut to `room`, or DAS_INVALID. */
    int (*chip_read)(const char* chip, int32_t what, char* text, size_t room);
} das_control;

typedef const das_control* (*das_control_table_fn)(void);

#ifdef __cplusplus
}
#endif
#endif
