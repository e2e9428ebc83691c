/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the host API that computes: ops on tensors and on foreign memory, composites, data
 * types. Comes with host.h, whose rules hold here too. */
#ifndef DEVICE_API_HOST_OPS_H
#define DEVICE_API_HOST_OPS_H

#include "device_api/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- array API semantics: promotion, broadcasting -------------------------------------------- */

/* A host scalar operand. kind 'b', 'i', 'u', 'f', 'c': bool (value.u), integer (value.i), integer
 * above INT64_MAX (value.u), real (value.f), complex (value.c). */
typedef struct dah_scalar {
    da_value value;
    char kind;
} dah_scalar;

/* DA_OP_* of kind unary; of kinds binary, compare, logical. */
DAH_API da_status dah_unary(uint16_t op, dah_tensor* x, dah_tensor** out);
DAH_API da_status dah_binary(uint16_t op, dah_tensor* a, dah_tensor* b, dah_tensor** out);
/* One side is a scalar that takes the tensor's type by the array API's rules. */
DAH_API da_status dah_binary_scalar(uint16_t op, dah_tensor* a, const dah_scalar* b,
                                    int32_t scalar_first, dah_tensor** out);
/* a = op(a, b), in place. Exactly one of b and scalar is given. */
DAH_API da_status dah_binary_inplace(uint16_t op, dah_tensor* a, dah_tensor* b,
                                     const dah_scalar* scalar);
DAH_API da_status dah_where(dah_tensor* condition, dah_tensor* a, dah_tensor* b, dah_tensor** out);
DAH_API da_status dah_cast(dah_tensor* x, uint16_t dtype, int32_t copy, dah_tensor** out);
DAH_API da_status dah_contiguous(dah_tensor* x, int32_t copy, dah_tensor** out);
DAH_API da_status dah_assign(dah_tensor* target, dah_tensor* source); /* broadcasts, casts */
DAH_API da_status dah_assign_scalar(dah_tensor* target, const dah_scalar* value);
DAH_API da_status dah_full(dah_device device, uint16_t dtype, int32_t rank, const int64_t* shape,
                           const dah_scalar* value, dah_tensor** out);
DAH_API da_status dah_iota(dah_device device, uint16_t dtype, int64_t n, const dah_scalar* start,
                           const dah_scalar* step, dah_tensor** out);
DAH_API da_status dah_random_bits(dah_device device, int64_t n, uint64_t seed, uint64_t offset,
                                  dah_tensor** out);
/* axes: bit mask, all ones for every axis. */
DAH_API da_status dah_reduce(uint16_t op, dah_tensor* x, uint64_t axes, int32_t keepdims,
                             dah_tensor** out);
DAH_API da_status dah_arg_reduce(uint16_t op, dah_tensor* x, int32_t axis, int32_t keepdims,
                                 dah_tensor** out);
DAH_API da_status dah_matmul(dah_tensor* a, dah_tensor* b, dah_tensor** out);
DAH_API da_status dah_take_along_axis(dah_tensor* x, dah_tensor* indices, int32_t axis,
                                      dah_tensor** out);
DAH_API da_status dah_index_accumulate(dah_tensor* x, dah_tensor* indices, dah_tensor* updates,
                                       int32_t axis, dah_tensor** out);
DAH_API da_status dah_concat(dah_tensor* const* tensors, int32_t n, int32_t axis, dah_tensor** out);

/* ---- primitives by number -------------------------------------------------------------------- */

/* Runs one primitive as the op table defines it: no promotion; elementwise kinds broadcast.
 * Shapes are checked by the table's rules, an axis may be counted from the end. rank -1: the shape
 * of the result is the common one (elementwise), that of the indices (gather) or values (search),
 * else that of the first input; dtype -1: the type is the table's. Ops without inputs have
 * functions of their own above. */
DAH_API da_status dah_apply(uint16_t op, dah_tensor* const* inputs, int32_t n_inputs, int32_t rank,
                            const int64_t* shape, int32_t dtype, const da_value* attributes,
                            dah_tensor** out);
/* What an attribute is: 'a' axis (i), 'm' mask of axes (u), 'u' number (u), 's' scalar of the key
 * operand's type; 0 when the op has no attribute of that index. */
DAH_API char dah_attribute_kind(uint16_t op, int32_t index);

/* ---- data types ------------------------------------------------------------------------------ */

/* Of a data type: its name ("?" when there is none of that number), bytes of one element, and
 * kind: 'b' bool, 'i' signed, 'u' unsigned, 'f' floating, 'c' complex. */
DAH_API const char* dah_dtype_name(uint16_t dtype);
DAH_API uint32_t dah_dtype_size(uint16_t dtype);
DAH_API char dah_dtype_kind(uint16_t dtype);

/* Types that stand for Python's float and int, on every device. */
#define DAH_DEFAULT_FLOAT ((uint16_t)DA_FLOAT32)
#define DAH_DEFAULT_INT   ((uint16_t)DA_INT64)

/* The promoted type of two types, or -1 where the array API defines none. */
DAH_API int32_t dah_promote(uint16_t a, uint16_t b);
/* The type of an op between a tensor of type `dtype` and a scalar of that kind. */
DAH_API int32_t dah_promote_scalar(uint16_t dtype, char kind);

/* ---- ops on foreign memory ------------------------------------------------------------------- */

/* Runs one primitive on descriptors, with the shape rules of dab_call except that: inputs of
 * elementwise ops may have any shape that broadcasts, tensors may be empty, and one input of an
 * elementwise op may be DA_TENSOR_IMMEDIATE. The output may overlap inputs: where the device does
 * not take that, it is computed apart and copied (one more native op). Only runs natively:
 * DA_NOT_SUPPORTED when the device lacks it. Enqueued on `stream`; counted as a native op. */
DAH_API da_status dah_call(dah_stream* stream, uint16_t op, const da_tensor* inputs,
                           int32_t n_inputs, const da_tensor* output, const da_value* attributes);

/* ---- composites ------------------------------------------------------------------------------ */

/* Makes an op that a device lacks of others on the same device. Inputs have what the backend would
 * get: one type, and for elementwise ops the output's shape, with stride 0 where they broadcast;
 * nothing is empty. All are borrowed, and the output, a view of any layout, is written by ordinary
 * calls (dah_assign, say). Meanwhile the output's device is the thread's current one.
 * DA_NOT_SUPPORTED: there is no composite that the device can run, and nothing was written; the op
 * then runs on the host by the policy (so that status of a call of the composer's own is not to be
 * passed on). Other failures end the op: set what went wrong by dah_fail or leave the error of the
 * call that failed. A composite that comes to need itself is not asked
 * again: the inner op goes to the host. */
typedef da_status (*dah_composer)(uint16_t op, dah_tensor* const* inputs, int32_t n_inputs,
                                  dah_tensor* output, const da_value* attributes);
DAH_API void dah_set_composer(dah_composer composer); /* NULL: none */
/* Runs of composites of an op on a device. */
DAH_API uint64_t dah_composed_count(dah_device device, uint16_t op);
/* Sets this thread's last error and returns the status, for composers. */
DAH_API da_status dah_fail(da_status status, int32_t kind, const char* message, const char* remedy);

#ifdef __cplusplus
}
#endif
#endif
