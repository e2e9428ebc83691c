/* SPDX-License-Identifier: Apache-2.0 */
/* Shared vocabulary: data types, status codes, values and tensor descriptors.
 *
 * Plain C11, also valid C++17. Used by the backend table (backend.h), by the host API of the core
 * and by bridges. Numbers in this file are append-only: none is removed, reordered or reused. */
#ifndef DEVICE_API_TYPES_H
#define DEVICE_API_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- data types ------------------------------------------------------------------------------ */

/* Element types. All are little-endian; bool is one byte holding 0 or 1; float16 is IEEE binary16;
 * bfloat16 is the upper half of an IEEE binary32; complex is two floats, real part first. */
typedef enum da_dtype {
    DA_BOOL = 0,
    DA_INT8 = 1,
    DA_INT16 = 2,
    DA_INT32 = 3,
    DA_INT64 = 4,
    DA_UINT8 = 5,
    DA_UINT16 = 6,
    DA_UINT32 = 7,
    DA_UINT64 = 8,
    DA_FLOAT16 = 9,
    DA_BFLOAT16 = 10,
    DA_FLOAT32 = 11,
    DA_FLOAT64 = 12,
    DA_COMPLEX64 = 13,
    DA_COMPLEX128 = 14,
    DA_DTYPE_COUNT = 15
} da_dtype;

/* A set of data types: bit N stands for the type numbered N. */
typedef uint64_t da_dtype_mask;
#define DA_DTYPE_BIT(dtype) ((da_dtype_mask)1 << (dtype))

/* ---- status ---------------------------------------------------------------------------------- */

/* The result of every call. DA_OK is the only success. */
typedef enum da_status {
    DA_OK = 0,
    DA_INVALID_ARGUMENT = 1, /* the caller broke a rule of this contract; nothing was enqueued */
    DA_OUT_OF_MEMORY = 2,    /* device or host memory; nothing was enqueued; may be retried */
    DA_NOT_SUPPORTED = 3,    /* valid, but not available on this chip; nothing was enqueued */
    DA_NOT_READY = 4,        /* a query's answer: the work is still running; not an error */
    DA_DEVICE_LOST = 5,      /* the device is gone until it is reset; its memory is lost */
    DA_TIMEOUT = 6,          /* the time given ran out; the work goes on */
    DA_HARDWARE_FAULT = 7,   /* ECC or a kin: results since the last synchronise are suspect */
    DA_BUSY = 8,             /* the resource is in use, possibly by another process */
    DA_VERSION_MISMATCH = 9, /* two parts were built for versions that do not fit */
    DA_INTERNAL = 10,        /* anything else that failed inside the vendor's stack */
    DA_NO_DRIVER = 11,       /* the vendor's library or driver is not on this machine */
    DA_FORKED = 12           /* used in a child process after fork(); start it with spawn */
} da_status;

/* ---- values and tensors ---------------------------------------------------------------------- */

/* One attribute or scalar. Which member counts is told by the op table: `i` for signed integers
 * and axes, `u` for unsigned integers, masks and bool, `f` for real floating-point types of any
 * width, `c` (real, imaginary) for complex types. */
typedef union da_value {
    int64_t i;
    uint64_t u;
    double f;
    double c[2];
} da_value;

/* Most dimensions that a tensor can have. */
#define DA_MAX_RANK 32

/* Bits of da_tensor.flags. */
enum {
    /* `data` is host memory holding one element in `dtype` (rank 0), readable only until the call
     * that got it returns. Passed only for ops whose entry has DAB_OP_IMMEDIATE. */
    DA_TENSOR_IMMEDIATE = 1u << 0,
    /* Elements are dense in row-major order (strides can be ignored). */
    DA_TENSOR_CONTIGUOUS = 1u << 1
};

/* A strided view of device memory. Borrowed: valid until the call that got it returns, the memory
 * behind `data` until the stream has run the work.
 *
 * Element (i0, i1, ...) is at data + (i0*strides[0] + i1*strides[1] + ...) * size of dtype. Strides
 * are in elements and may be zero or negative. `storage` and `storage_bytes` give the allocation
 * that the view lies in (some vendors want the base address and an offset); storage <= data. */
typedef struct da_tensor {
    void *data;
    void *storage;
    uint64_t storage_bytes;
    const int64_t *shape;
    const int64_t *strides;
    int32_t rank;
    uint16_t dtype; /* da_dtype */
    uint16_t flags;
} da_tensor;

#ifdef __cplusplus
}
#endif
#endif
