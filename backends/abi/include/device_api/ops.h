/* SPDX-License-Identifier: Apache-2.0 */
/* Op identifiers and facts. Made from ops.toml by `python -m device_api_abi.generate`; do not
 * edit. */
#ifndef DEVICE_API_OPS_H
#define DEVICE_API_OPS_H

#include "device_api/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of the ops; append-only. */
typedef enum da_op {
    DA_OP_NONE = 0,
    DA_OP_NEG = 1, /* Minus x; unsigned and the most negative integer wrap. */
    DA_OP_ABS = 2, /* Absolute value; the most negative integer stays as it is. */
    DA_OP_EXP = 3, /* e to the power x. */
    DA_OP_LOG = 4, /* Natural logarithm. */
    DA_OP_SQRT = 5, /* Square root. */
    DA_OP_TANH = 6, /* Hyperbolic tangent. */
    DA_OP_FLOOR = 7, /* Largest whole number not above x. */
    DA_OP_SIGN = 8, /* -1, 0 or 1 by the sign of x. */
    DA_OP_ISNAN = 9, /* Whether x is NaN. */
    DA_OP_LOGICAL_NOT = 10, /* Logical negation. */
    DA_OP_ADD = 11, /* Sum; integers wrap. */
    DA_OP_SUB = 12, /* Difference; integers wrap. */
    DA_OP_MUL = 13, /* Product; integers wrap. */
    DA_OP_DIV = 14, /* Quotient. */
    DA_OP_MAXIMUM = 15, /* The larger one. */
    DA_OP_MINIMUM = 16, /* The smaller one. */
    DA_OP_POW = 17, /* x1 to the power x2; integers wrap, and a negative integer exponent gives 0 unless x1 is 1 or -1. */
    DA_OP_EQUAL = 18, /* Whether both are equal. */
    DA_OP_LESS = 19, /* Whether x1 is less than x2. */
    DA_OP_LOGICAL_AND = 20, /* Logical and. */
    DA_OP_LOGICAL_OR = 21, /* Logical or. */
    DA_OP_WHERE = 22, /* x1 where condition (bool) holds, x2 elsewhere. */
    DA_OP_CAST = 23, /* To another type: to floats rounded half to even, float to integer truncated, to bool 'not zero', integer to integer wraps. */
    DA_OP_COPY = 24, /* Element by element between any two layouts. */
    DA_OP_FILL = 25, /* Every element becomes `value`. */
    DA_OP_IOTA = 26, /* Element i becomes start + i * step; in float64 and rounded once for floating types. */
    DA_OP_SUM = 27, /* Sum over the axes in the mask; integers wrap; 16-bit floats accumulate in float32. */
    DA_OP_MAX = 28, /* Largest element over the axes in the mask. */
    DA_OP_ARGMAX = 29, /* Index of the first largest element along the axis. */
    DA_OP_MATMUL = 30, /* Batched matrix product; integers wrap; 16-bit floats accumulate in float32. */
    DA_OP_TAKE_ALONG_AXIS = 31, /* out[.., i, ..] = x[.., indices[.., i, ..], ..]; x and indices have equal shapes but for the axis; every index lies in 0 <= index < size of the axis. */
    DA_OP_INDEX_ACCUMULATE = 32, /* A copy of x to which updates[.., i, ..] is added at indices[.., i, ..] along the axis; indices and updates have equal shapes; every index lies in 0 <= index < size of the axis. */
    DA_OP_RANDOM_BITS = 33, /* Philox 4x32-10: word i is word i % 4 of the block with key = seed and 128-bit counter = offset + i / 4 (low half) and 0 (high half). */
} da_op;

#define DA_OP_COUNT 33 /* ids are 1 .. DA_OP_COUNT */

/* Families of ops; each has one shape rule (ops.toml). */
typedef enum da_op_kind {
    DA_KIND_UNARY = 0,
    DA_KIND_BINARY = 1,
    DA_KIND_COMPARE = 2,
    DA_KIND_LOGICAL = 3,
    DA_KIND_SELECT = 4,
    DA_KIND_CAST = 5,
    DA_KIND_COPY = 6,
    DA_KIND_FILL = 7,
    DA_KIND_IOTA = 8,
    DA_KIND_REDUCE = 9,
    DA_KIND_ARG_REDUCE = 10,
    DA_KIND_MATMUL = 11,
    DA_KIND_GATHER = 12,
    DA_KIND_SCATTER = 13,
    DA_KIND_RANDOM = 14,
} da_op_kind;

/* Type of the output. */
typedef enum da_result {
    DA_RESULT_KEY = 0,
    DA_RESULT_BOOL = 1,
    DA_RESULT_INT64 = 2,
    DA_RESULT_UINT32 = 3,
    DA_RESULT_ANY = 4,
} da_result;

/* Index of each attribute in dab_call.attributes. */
enum {
    DA_FILL_VALUE = 0, /* scalar */
    DA_IOTA_START = 0, /* scalar */
    DA_IOTA_STEP = 1, /* scalar */
    DA_SUM_AXES = 0, /* axes */
    DA_MAX_AXES = 0, /* axes */
    DA_ARGMAX_AXIS = 0, /* axis */
    DA_TAKE_ALONG_AXIS_AXIS = 0, /* axis */
    DA_INDEX_ACCUMULATE_AXIS = 0, /* axis */
    DA_RANDOM_BITS_SEED = 0, /* u64 */
    DA_RANDOM_BITS_OFFSET = 1, /* u64 */
};

/* X(id, NAME, name, version, KIND, inputs, attributes, index of the key operand, types
 *   of the key operand, RESULT, types of the second free operand, core) */
/* clang-format off */
#define DA_OPS(X) \
    X(1, NEG, neg, 1, UNARY, 1, 0, 0, 0x1ffe, KEY, 0x0, 1) \
    X(2, ABS, abs, 1, UNARY, 1, 0, 0, 0x1ffe, KEY, 0x0, 0) \
    X(3, EXP, exp, 1, UNARY, 1, 0, 0, 0x1e00, KEY, 0x0, 1) \
    X(4, LOG, log, 1, UNARY, 1, 0, 0, 0x1e00, KEY, 0x0, 1) \
    X(5, SQRT, sqrt, 1, UNARY, 1, 0, 0, 0x1e00, KEY, 0x0, 1) \
    X(6, TANH, tanh, 1, UNARY, 1, 0, 0, 0x1e00, KEY, 0x0, 1) \
    X(7, FLOOR, floor, 1, UNARY, 1, 0, 0, 0x1e00, KEY, 0x0, 1) \
    X(8, SIGN, sign, 1, UNARY, 1, 0, 0, 0x1ffe, KEY, 0x0, 0) \
    X(9, ISNAN, isnan, 1, UNARY, 1, 0, 0, 0x1e00, BOOL, 0x0, 0) \
    X(10, LOGICAL_NOT, logical_not, 1, UNARY, 1, 0, 0, 0x1, BOOL, 0x0, 1) \
    X(11, ADD, add, 1, BINARY, 2, 0, 0, 0x1ffe, KEY, 0x0, 1) \
    X(12, SUB, sub, 1, BINARY, 2, 0, 0, 0x1ffe, KEY, 0x0, 0) \
    X(13, MUL, mul, 1, BINARY, 2, 0, 0, 0x1ffe, KEY, 0x0, 1) \
    X(14, DIV, div, 1, BINARY, 2, 0, 0, 0x1e00, KEY, 0x0, 1) \
    X(15, MAXIMUM, maximum, 1, BINARY, 2, 0, 0, 0x1ffe, KEY, 0x0, 1) \
    X(16, MINIMUM, minimum, 1, BINARY, 2, 0, 0, 0x1ffe, KEY, 0x0, 0) \
    X(17, POW, pow, 1, BINARY, 2, 0, 0, 0x1ffe, KEY, 0x0, 1) \
    X(18, EQUAL, equal, 1, COMPARE, 2, 0, 0, 0x1fff, BOOL, 0x0, 1) \
    X(19, LESS, less, 1, COMPARE, 2, 0, 0, 0x1ffe, BOOL, 0x0, 1) \
    X(20, LOGICAL_AND, logical_and, 1, LOGICAL, 2, 0, 0, 0x1, BOOL, 0x0, 1) \
    X(21, LOGICAL_OR, logical_or, 1, LOGICAL, 2, 0, 0, 0x1, BOOL, 0x0, 0) \
    X(22, WHERE, where, 1, SELECT, 3, 0, 1, 0x1fff, KEY, 0x0, 1) \
    X(23, CAST, cast, 1, CAST, 1, 0, 0, 0x1fff, ANY, 0x1fff, 1) \
    X(24, COPY, copy, 1, COPY, 1, 0, 0, 0x1fff, KEY, 0x0, 1) \
    X(25, FILL, fill, 1, FILL, 0, 1, 0, 0x1fff, KEY, 0x0, 1) \
    X(26, IOTA, iota, 1, IOTA, 0, 2, 0, 0x1ffe, KEY, 0x0, 1) \
    X(27, SUM, sum, 1, REDUCE, 1, 1, 0, 0x1ffe, KEY, 0x0, 1) \
    X(28, MAX, max, 1, REDUCE, 1, 1, 0, 0x1ffe, KEY, 0x0, 1) \
    X(29, ARGMAX, argmax, 1, ARG_REDUCE, 1, 1, 0, 0x1ffe, INT64, 0x0, 0) \
    X(30, MATMUL, matmul, 1, MATMUL, 2, 0, 0, 0x1ffe, KEY, 0x0, 1) \
    X(31, TAKE_ALONG_AXIS, take_along_axis, 1, GATHER, 2, 1, 0, 0x1fff, KEY, 0x18, 1) \
    X(32, INDEX_ACCUMULATE, index_accumulate, 1, SCATTER, 3, 1, 0, 0x1ffe, KEY, 0x18, 1) \
    X(33, RANDOM_BITS, random_bits, 1, RANDOM, 0, 2, 0, 0x80, UINT32, 0x0, 0)
/* clang-format on */

/* Initialiser of an array: element N identifies the table's first N ops. */
#define DA_OP_TABLE_HASHES { \
    UINT64_C(0xcbf29ce484222325), \
    UINT64_C(0x2919f5aa079dafff), \
    UINT64_C(0x57cd016f77f0df1a), \
    UINT64_C(0x8780f67e075acac5), \
    UINT64_C(0x65b1e946d58aa800), \
    UINT64_C(0x9d5ff401b3eb311e), \
    UINT64_C(0x7a4d424a3e2bf184), \
    UINT64_C(0xa5ee1aed0a7b122e), \
    UINT64_C(0x123f3f988eb6e082), \
    UINT64_C(0x16a2881530f47a74), \
    UINT64_C(0x7aae1c9dede37803), \
    UINT64_C(0x50af2718780b8279), \
    UINT64_C(0xda21b8af3778cc3b), \
    UINT64_C(0x32b3da61f165155e), \
    UINT64_C(0xf091ffbcb5689cbf), \
    UINT64_C(0xa78daf834c7684f0), \
    UINT64_C(0x28f89740a5320230), \
    UINT64_C(0x3b4efe06f2c4a7f9), \
    UINT64_C(0x51552e5335f80212), \
    UINT64_C(0xe5e03a169aca31ff), \
    UINT64_C(0x5d00473c67cbec99), \
    UINT64_C(0xa68730512cd58f84), \
    UINT64_C(0x4f31e2d5a3679b20), \
    UINT64_C(0xf2970eaa7ff4ee1b), \
    UINT64_C(0x452346c49e928203), \
    UINT64_C(0xcfd7110f54a754d4), \
    UINT64_C(0xbc2bec46b20d7551), \
    UINT64_C(0xdd962dd52166d99f), \
    UINT64_C(0x5de17c813ce199fd), \
    UINT64_C(0x7abcef7e7d2fadb1), \
    UINT64_C(0xbe6ddc6a618a4f18), \
    UINT64_C(0x529713852bee9656), \
    UINT64_C(0x3708bcb8bf92536e), \
    UINT64_C(0xe3455b7620b64c14), \
}

#ifdef __cplusplus
}
#endif
#endif
