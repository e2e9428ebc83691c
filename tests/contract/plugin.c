/* SPDX-License-Identifier: Apache-2.0 */
/* A backend over host memory, whole and right; each macro makes one thing of it wrong or old. */
#include <stdlib.h>
#include <string.h>

#include "device_api/backend.h"

#ifndef TYPE
#define TYPE "toy"
#endif
#ifndef DEVICES
#define DEVICES 2
#endif
#ifndef ALIGNMENT
#define ALIGNMENT 64
#endif

static const uint64_t hashes[DA_OP_COUNT + 1] = DA_OP_TABLE_HASHES;
static int instance;

static da_status create(const dab_config* config, dab_instance** self) {
    (void)config;
#ifdef CREATE_FAILS
    return DA_NO_DRIVER;
#endif
#ifndef NO_INSTANCE
    *self = (dab_instance*)&instance;
#else
    (void)self;
#endif
    return DA_OK;
}

static void last_error(dab_instance* self, dab_error* error) {
    (void)self;
    error->status = DA_NO_DRIVER;
    error->vendor_code = 4711;
    strcpy(error->message, "libtoy.so.1 is not on this machine");
    strcpy(error->remedy, "install the toy driver");
    strcpy(error->vendor_text, "TOY_ERROR_ABSENT");
}

static da_status device_count(dab_instance* self, int32_t* count) {
    (void)self;
    *count = DEVICES;
    return DA_OK;
}

static da_status properties(dab_instance* self, int32_t device, dab_properties* out) {
    (void)self, (void)device;
    out->alignment = ALIGNMENT;
    out->flags = DAB_DEVICE_SYNCHRONOUS;
    strcpy(out->name, "toy");
#ifdef BAD_TEXT /* neither UTF-8 nor ended */
    memset(out->name, 0xff, sizeof out->name);
#endif
#ifdef HOST_MEMORY
    out->flags |= DAB_DEVICE_HOST_MEMORY;
#endif
    return DA_OK;
}

static da_status take(dab_instance* self, int32_t device, uint64_t bytes, void** address) {
    (void)self, (void)device;
    *address = aligned_alloc(64, (bytes + 63) / 64 * 64);
    return *address ? DA_OK : DA_OUT_OF_MEMORY;
}

static da_status give(dab_instance* self, int32_t device, void* address) {
    (void)self, (void)device;
    free(address);
    return DA_OK;
}

static da_status copy(dab_instance* self, dab_stream stream, void* target, const void* source,
                      uint64_t bytes, dab_copy_kind kind) {
    (void)self, (void)stream, (void)kind;
    memcpy(target, source, bytes);
    return DA_OK;
}

static da_status stream_create(dab_instance* self, int32_t device, int32_t priority,
                               dab_stream* stream) {
    (void)self, (void)device, (void)priority;
#ifdef NULL_STREAM
    *stream = NULL;
    return DA_OK;
#endif
    *stream = (dab_stream)&instance;
    return DA_OK;
}
static da_status stream_destroy(dab_instance* self, dab_stream stream) {
    (void)self, (void)stream;
    return DA_OK;
}
static da_status stream_synchronize(dab_instance* self, dab_stream stream, int32_t timeout_ms) {
    (void)self, (void)stream, (void)timeout_ms;
    return DA_OK;
}

static da_status event_create(dab_instance* self, int32_t device, uint32_t flags,
                              dab_event* event) {
    (void)self, (void)device, (void)flags, (void)event;
    return DA_OK;
}

/* Adds contiguous float32. */
static da_status add(dab_instance* self, const dab_call* call) {
    (void)self;
    const float *a = call->tensors[0].data, *b = call->tensors[1].data;
    float* out = call->tensors[2].data;
    int64_t n = 1;
    for (int i = 0; i < call->tensors[2].rank; ++i) n *= call->tensors[2].shape[i];
    for (int64_t i = 0; i < n; ++i) out[i] = a[i] + b[i];
    return DA_OK;
}

#ifdef LONG_ENTRIES /* of a later version: entries have grown */
typedef struct entry {
    dab_op op;
    void* later[3];
} entry;
#define ENTRY(...)                                                                                 \
    {                                                                                              \
        {__VA_ARGS__}, {                                                                           \
            &instance, &instance, &instance                                                        \
        }                                                                                          \
    }
#else
typedef dab_op entry;
#define ENTRY(...) {__VA_ARGS__}
#endif
#define F32 DA_DTYPE_BIT(DA_FLOAT32)

static const entry ops[] = {
#ifdef DUPLICATE_OP
    ENTRY(sizeof(entry), DA_OP_ADD, 1, 0, 0, F32, 0, add, NULL, NULL, NULL),
#endif
#ifdef UNKNOWN_OP /* of a later version */
    ENTRY(sizeof(entry), 60000, 1, 0, 0, F32, 0, add, NULL, NULL, NULL),
#endif
#ifdef OP_ZERO
    ENTRY(sizeof(entry), 0, 1, 0, 0, F32, 0, add, NULL, NULL, NULL),
#endif
#ifdef HALF_PHASES
    ENTRY(sizeof(entry), DA_OP_MUL, 1, 0, 0, F32, 0, NULL, NULL, NULL, NULL),
#endif
#ifdef OTHER_OP_VERSION
    ENTRY(sizeof(entry), DA_OP_SUB, 7, 0, 0, F32, 0, add, NULL, NULL, NULL),
#endif
#ifdef WRONG_DTYPES /* claims a type that the op does not have */
    ENTRY(sizeof(entry), DA_OP_EXP, 1, 0, 0, ~(da_dtype_mask)0, 0, add, NULL, NULL, NULL),
#endif
    ENTRY(sizeof(entry), DA_OP_ADD, 1, 0, 0, F32, 0, add, NULL, NULL, NULL),
};

static da_status op_table(dab_instance* self, int32_t device, const dab_op** out, uint32_t* count,
                          uint32_t* stride) {
    (void)self, (void)device;
#ifdef GARBAGE_OPS
    *out = NULL;
    *count = 0xdeadbeef;
    *stride = 3;
    return DA_OK;
#endif
    *out = (const dab_op*)ops;
    *count = sizeof ops / sizeof *ops;
    *stride = sizeof *ops;
    return DA_OK;
}

static dab_backend table = {
    .size = sizeof(dab_backend),
    .abi_major = DAB_ABI_MAJOR,
    .abi_minor = DAB_ABI_MINOR,
    .type = TYPE,
    .vendor = "nobody",
    .version = "1.0",
    .op_count = DA_OP_COUNT,
    .op_hashes = hashes,
    .create = create,
    .last_error = last_error,
    .device_count = device_count,
    .device_properties = properties,
    .alloc = take,
    .free = give,
    .copy = copy,
    .stream_create = stream_create,
    .stream_destroy = stream_destroy,
    .stream_synchronize = stream_synchronize,
    .op_table = op_table,
};

#ifdef NEWER /* a longer table of a later minor version */
static struct {
    dab_backend base;
    void* later[16];
} newer;
#endif

DAB_EXPORT const dab_backend* device_api_backend(uint16_t major, uint16_t minor) {
    (void)major, (void)minor;
#ifdef REFUSES
    return NULL;
#endif
#ifdef CRASHES
    *(volatile int*)0 = 1;
#endif
#ifdef GARBAGE_SIZE
    table.size = 0xdeadbeef;
#endif
#ifdef TRUNCATED /* an older table: what follows `free` did not exist */
    table.size = offsetof(dab_backend, memory_info);
#endif
#ifdef OTHER_MAJOR
    table.abi_major = DAB_ABI_MAJOR + 1;
#endif
#ifdef MISSING
    table.MISSING = NULL;
#endif
#ifdef OTHER_OPS
    static uint64_t others[DA_OP_COUNT + 1];
    memcpy(others, hashes, sizeof others);
    others[DA_OP_COUNT] ^= 1;
    table.op_hashes = others;
#endif
#ifdef FEWER_OPS /* built before the last ops were added */
    table.op_count = DA_OP_COUNT - 3;
#endif
#ifdef MORE_OPS /* built after more were added */
    static uint64_t more[DA_OP_COUNT + 5];
    memcpy(more, hashes, sizeof hashes);
    table.op_count = DA_OP_COUNT + 4;
    table.op_hashes = more;
#endif
#ifdef HALF_EVENTS
    table.event_create = event_create;
#else
    (void)event_create;
#endif
#ifdef NEWER
    newer.base = table;
    newer.base.size = sizeof newer;
    newer.base.abi_minor = DAB_ABI_MINOR + 7;
    for (int i = 0; i < 16; ++i) newer.later[i] = &instance;
    return &newer.base;
#endif
    return &table;
}
