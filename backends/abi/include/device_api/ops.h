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
    DA_OP_SIGN = 8, /* -1, 0 or 1 by the sign of x; x / abs(x) of a complex number, 0 for 0. */
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
    DA_OP_EXPM1 = 34, /* e to the power x, minus 1, also accurate near 0. */
    DA_OP_LOG1P = 35, /* Natural logarithm of 1 + x, also accurate near 0. */
    DA_OP_LOG2 = 36, /* Logarithm to the base 2. */
    DA_OP_LOG10 = 37, /* Logarithm to the base 10. */
    DA_OP_SIN = 38, /* Sine; the argument in radians, of any size. */
    DA_OP_COS = 39, /* Cosine; the argument in radians, of any size. */
    DA_OP_TAN = 40, /* Tangent; the argument in radians, of any size. */
    DA_OP_ASIN = 41, /* Arc sine. */
    DA_OP_ACOS = 42, /* Arc cosine. */
    DA_OP_ATAN = 43, /* Arc tangent. */
    DA_OP_SINH = 44, /* Hyperbolic sine. */
    DA_OP_COSH = 45, /* Hyperbolic cosine. */
    DA_OP_ASINH = 46, /* Inverse hyperbolic sine. */
    DA_OP_ACOSH = 47, /* Inverse hyperbolic cosine. */
    DA_OP_ATANH = 48, /* Inverse hyperbolic tangent. */
    DA_OP_RECIPROCAL = 49, /* 1 / x. */
    DA_OP_RSQRT = 50, /* 1 / sqrt(x). */
    DA_OP_ERF = 51, /* Error function. */
    DA_OP_CEIL = 52, /* Smallest whole number not below x. */
    DA_OP_TRUNC = 53, /* x without its fraction. */
    DA_OP_ROUND = 54, /* Nearest whole number, halves to the even one; of each part of a complex number. */
    DA_OP_ISFINITE = 55, /* Whether x, or both its parts, is neither infinite nor NaN. */
    DA_OP_ISINF = 56, /* Whether x, or one of its parts, is an infinity. */
    DA_OP_SIGNBIT = 57, /* Whether the sign bit is set. */
    DA_OP_BITWISE_NOT = 58, /* Every bit flipped. */
    DA_OP_REAL = 59, /* Real part. */
    DA_OP_IMAG = 60, /* Imaginary part. */
    DA_OP_CONJ = 61, /* Complex conjugate. */
    DA_OP_MAGNITUDE = 62, /* Absolute value of a complex number, without overflow on the way. */
    DA_OP_MAKE_COMPLEX = 63, /* x1 + x2 i, from real and imaginary part. */
    DA_OP_FLOOR_DIVIDE = 64, /* Quotient rounded down; 0 where an integer is divided by 0; the most negative integer by -1 wraps. */
    DA_OP_REMAINDER = 65, /* x1 - floor(x1 / x2) * x2, exact, with the sign of x2; 0 where an integer is divided by 0. */
    DA_OP_ATAN2 = 66, /* Angle of the point (x2, x1), from -pi to pi. */
    DA_OP_HYPOT = 67, /* sqrt(x1 * x1 + x2 * x2) without overflow on the way. */
    DA_OP_COPYSIGN = 68, /* x1 with the sign of x2. */
    DA_OP_NEXTAFTER = 69, /* The next number after x1 towards x2. */
    DA_OP_LOGADDEXP = 70, /* log(exp(x1) + exp(x2)) without overflow on the way; near a result of 0 the units are those of the larger operand. */
    DA_OP_BITWISE_AND = 71, /* Bits that are set in both. */
    DA_OP_BITWISE_OR = 72, /* Bits that are set in one or both. */
    DA_OP_BITWISE_XOR = 73, /* Bits that are set in exactly one. */
    DA_OP_SHIFT_LEFT = 74, /* x1 times 2 to the power x2; bits fall out at the top; 0 for x2 of the width or more; a negative x2 is not specified. */
    DA_OP_SHIFT_RIGHT = 75, /* x1 over 2 to the power x2, rounded down; 0, or -1 for a negative x1, for x2 of the width or more; a negative x2 is not specified. */
    DA_OP_NOT_EQUAL = 76, /* Whether they differ. */
    DA_OP_LESS_EQUAL = 77, /* Whether x1 is less than or equal to x2. */
    DA_OP_MIN = 78, /* Smallest element over the axes in the mask. */
    DA_OP_PROD = 79, /* Product over the axes in the mask; integers wrap; 16-bit floats multiply in float32. */
    DA_OP_ANY = 80, /* Whether some element over the axes in the mask is not zero. */
    DA_OP_ALL = 81, /* Whether every element over the axes in the mask is not zero. */
    DA_OP_ARGMIN = 82, /* Index of the first smallest element along the axis. */
    DA_OP_CUMSUM = 83, /* Sum of the elements up to and with this one along the axis; integers wrap; 16-bit floats accumulate in float32. */
    DA_OP_CUMPROD = 84, /* Product of the elements up to and with this one along the axis; integers wrap; 16-bit floats multiply in float32. */
    DA_OP_SORT = 85, /* The elements in order along the axis; descending when `descending` is 1. */
    DA_OP_ARGSORT = 86, /* Indices that put the elements in order along the axis; equal elements keep their order, also descending. */
    DA_OP_TOPK = 87, /* Indices of the k largest (smallest when `smallest` is 1) elements along the axis, best first, k being the output's size there; of equal elements the first ones, in their order. */
    DA_OP_SEARCHSORTED = 88, /* How many elements of x are below each value, or not above it when `right` is 1. */
    DA_OP_PUT_ALONG_AXIS = 89, /* A copy of x in which updates[.., i, ..] stands at indices[.., i, ..] along the axis; of equal indices the last one counts; every index lies in 0 <= index < size of the axis. */
    DA_OP_CONVOLUTION = 90, /* Convolution as neural networks mean it (the window is not mirrored); 16-bit floats accumulate in float32. */
    DA_OP_MAX_POOL = 91, /* Largest element of each window; what lies outside x does not count. */
    DA_OP_AVG_POOL = 92, /* Sum of each window over its number of elements: those inside x, or when `count_pad` is 1 those inside x with `pad` on both sides. */
    DA_OP_SOFTMAX = 93, /* exp(x) over its sum along the axis, without overflow; 16-bit floats in float32. */
    DA_OP_LOG_SOFTMAX = 94, /* x minus the logarithm of the sum of exp(x) along the axis, without overflow. */
    DA_OP_LAYER_NORM = 95, /* (x - mean) / sqrt(variance + epsilon) * weight + bias over the last axis; in float32 at least. */
    DA_OP_RMS_NORM = 96, /* x / sqrt(mean of x * x + epsilon) * weight over the last axis; in float32 at least. */
    DA_OP_RELU = 97, /* max(x, 0). */
    DA_OP_SIGMOID = 98, /* 1 / (1 + exp(-x)). */
    DA_OP_SILU = 99, /* x / (1 + exp(-x)). */
    DA_OP_GELU = 100, /* x * (1 + erf(x / sqrt(2))) / 2. */
    DA_OP_GELU_TANH = 101, /* x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x ** 3))) / 2. */
    DA_OP_MISH = 102, /* x * tanh(log(1 + exp(x))). */
    DA_OP_HARDSWISH = 103, /* x * min(max(x + 3, 0), 6) / 6. */
    DA_OP_HARDSIGMOID = 104, /* min(max(slope * x + offset, 0), 1). */
    DA_OP_SOFTPLUS = 105, /* log(1 + exp(beta * x)) / beta; x where beta * x is above threshold. */
    DA_OP_LEAKY_RELU = 106, /* x where x > 0, else slope * x. */
    DA_OP_ELU = 107, /* x where x > 0, else alpha * (exp(x) - 1). */
    DA_OP_ATTENTION = 108, /* softmax(query key^T * scale) value; when `causal` is 1, row i of the scores ends with column i. */
} da_op;

#define DA_OP_COUNT 108 /* ids are 1 .. DA_OP_COUNT */

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
    DA_KIND_SCAN = 15,
    DA_KIND_SORT = 16,
    DA_KIND_SEARCH = 17,
    DA_KIND_CONVOLUTION = 18,
    DA_KIND_POOL = 19,
    DA_KIND_NORMALIZE = 20,
    DA_KIND_ACTIVATION = 21,
    DA_KIND_ATTENTION = 22,
} da_op_kind;

/* Type of the output. */
typedef enum da_result {
    DA_RESULT_KEY = 0,
    DA_RESULT_BOOL = 1,
    DA_RESULT_INT64 = 2,
    DA_RESULT_UINT32 = 3,
    DA_RESULT_ANY = 4,
    DA_RESULT_REAL = 5,
    DA_RESULT_COMPLEX = 6,
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
    DA_MIN_AXES = 0, /* axes */
    DA_PROD_AXES = 0, /* axes */
    DA_ANY_AXES = 0, /* axes */
    DA_ALL_AXES = 0, /* axes */
    DA_ARGMIN_AXIS = 0, /* axis */
    DA_CUMSUM_AXIS = 0, /* axis */
    DA_CUMPROD_AXIS = 0, /* axis */
    DA_SORT_AXIS = 0, /* axis */
    DA_SORT_DESCENDING = 1, /* u64 */
    DA_ARGSORT_AXIS = 0, /* axis */
    DA_ARGSORT_DESCENDING = 1, /* u64 */
    DA_TOPK_AXIS = 0, /* axis */
    DA_TOPK_SMALLEST = 1, /* u64 */
    DA_SEARCHSORTED_RIGHT = 0, /* u64 */
    DA_PUT_ALONG_AXIS_AXIS = 0, /* axis */
    DA_CONVOLUTION_STRIDE_D = 0, /* u64 */
    DA_CONVOLUTION_STRIDE_H = 1, /* u64 */
    DA_CONVOLUTION_STRIDE_W = 2, /* u64 */
    DA_CONVOLUTION_PAD_D = 3, /* u64 */
    DA_CONVOLUTION_PAD_H = 4, /* u64 */
    DA_CONVOLUTION_PAD_W = 5, /* u64 */
    DA_CONVOLUTION_DILATION_D = 6, /* u64 */
    DA_CONVOLUTION_DILATION_H = 7, /* u64 */
    DA_CONVOLUTION_DILATION_W = 8, /* u64 */
    DA_CONVOLUTION_GROUPS = 9, /* u64 */
    DA_MAX_POOL_WINDOW_D = 0, /* u64 */
    DA_MAX_POOL_WINDOW_H = 1, /* u64 */
    DA_MAX_POOL_WINDOW_W = 2, /* u64 */
    DA_MAX_POOL_STRIDE_D = 3, /* u64 */
    DA_MAX_POOL_STRIDE_H = 4, /* u64 */
    DA_MAX_POOL_STRIDE_W = 5, /* u64 */
    DA_MAX_POOL_PAD_D = 6, /* u64 */
    DA_MAX_POOL_PAD_H = 7, /* u64 */
    DA_MAX_POOL_PAD_W = 8, /* u64 */
    DA_MAX_POOL_DILATION_D = 9, /* u64 */
    DA_MAX_POOL_DILATION_H = 10, /* u64 */
    DA_MAX_POOL_DILATION_W = 11, /* u64 */
    DA_AVG_POOL_WINDOW_D = 0, /* u64 */
    DA_AVG_POOL_WINDOW_H = 1, /* u64 */
    DA_AVG_POOL_WINDOW_W = 2, /* u64 */
    DA_AVG_POOL_STRIDE_D = 3, /* u64 */
    DA_AVG_POOL_STRIDE_H = 4, /* u64 */
    DA_AVG_POOL_STRIDE_W = 5, /* u64 */
    DA_AVG_POOL_PAD_D = 6, /* u64 */
    DA_AVG_POOL_PAD_H = 7, /* u64 */
    DA_AVG_POOL_PAD_W = 8, /* u64 */
    DA_AVG_POOL_COUNT_PAD = 9, /* u64 */
    DA_SOFTMAX_AXIS = 0, /* axis */
    DA_LOG_SOFTMAX_AXIS = 0, /* axis */
    DA_LAYER_NORM_EPSILON = 0, /* scalar */
    DA_RMS_NORM_EPSILON = 0, /* scalar */
    DA_HARDSIGMOID_SLOPE = 0, /* scalar */
    DA_HARDSIGMOID_OFFSET = 1, /* scalar */
    DA_SOFTPLUS_BETA = 0, /* scalar */
    DA_SOFTPLUS_THRESHOLD = 1, /* scalar */
    DA_LEAKY_RELU_SLOPE = 0, /* scalar */
    DA_ELU_ALPHA = 0, /* scalar */
    DA_ATTENTION_SCALE = 0, /* scalar */
    DA_ATTENTION_CAUSAL = 1, /* u64 */
};

/* X(id, NAME, name, version, KIND, inputs, attributes, index of the key operand, types
 *   of the key operand, RESULT, types of the second free operand, core) */
/* clang-format off */
#define DA_OPS(X) \
    X(1, NEG, neg, 1, UNARY, 1, 0, 0, 0x7ffe, KEY, 0x0, 1) \
    X(2, ABS, abs, 1, UNARY, 1, 0, 0, 0x1ffe, KEY, 0x0, 0) \
    X(3, EXP, exp, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 1) \
    X(4, LOG, log, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 1) \
    X(5, SQRT, sqrt, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 1) \
    X(6, TANH, tanh, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 1) \
    X(7, FLOOR, floor, 1, UNARY, 1, 0, 0, 0x1e00, KEY, 0x0, 1) \
    X(8, SIGN, sign, 1, UNARY, 1, 0, 0, 0x7ffe, KEY, 0x0, 0) \
    X(9, ISNAN, isnan, 1, UNARY, 1, 0, 0, 0x7e00, BOOL, 0x0, 0) \
    X(10, LOGICAL_NOT, logical_not, 1, UNARY, 1, 0, 0, 0x1, BOOL, 0x0, 1) \
    X(11, ADD, add, 1, BINARY, 2, 0, 0, 0x7ffe, KEY, 0x0, 1) \
    X(12, SUB, sub, 1, BINARY, 2, 0, 0, 0x7ffe, KEY, 0x0, 0) \
    X(13, MUL, mul, 1, BINARY, 2, 0, 0, 0x7ffe, KEY, 0x0, 1) \
    X(14, DIV, div, 1, BINARY, 2, 0, 0, 0x7e00, KEY, 0x0, 1) \
    X(15, MAXIMUM, maximum, 1, BINARY, 2, 0, 0, 0x1ffe, KEY, 0x0, 1) \
    X(16, MINIMUM, minimum, 1, BINARY, 2, 0, 0, 0x1ffe, KEY, 0x0, 0) \
    X(17, POW, pow, 1, BINARY, 2, 0, 0, 0x7ffe, KEY, 0x0, 1) \
    X(18, EQUAL, equal, 1, COMPARE, 2, 0, 0, 0x7fff, BOOL, 0x0, 1) \
    X(19, LESS, less, 1, COMPARE, 2, 0, 0, 0x1ffe, BOOL, 0x0, 1) \
    X(20, LOGICAL_AND, logical_and, 1, LOGICAL, 2, 0, 0, 0x1, BOOL, 0x0, 1) \
    X(21, LOGICAL_OR, logical_or, 1, LOGICAL, 2, 0, 0, 0x1, BOOL, 0x0, 0) \
    X(22, WHERE, where, 1, SELECT, 3, 0, 1, 0x7fff, KEY, 0x0, 1) \
    X(23, CAST, cast, 1, CAST, 1, 0, 0, 0x7fff, ANY, 0x7fff, 1) \
    X(24, COPY, copy, 1, COPY, 1, 0, 0, 0x7fff, KEY, 0x0, 1) \
    X(25, FILL, fill, 1, FILL, 0, 1, 0, 0x7fff, KEY, 0x0, 1) \
    X(26, IOTA, iota, 1, IOTA, 0, 2, 0, 0x1ffe, KEY, 0x0, 1) \
    X(27, SUM, sum, 1, REDUCE, 1, 1, 0, 0x7ffe, KEY, 0x0, 1) \
    X(28, MAX, max, 1, REDUCE, 1, 1, 0, 0x1ffe, KEY, 0x0, 1) \
    X(29, ARGMAX, argmax, 1, ARG_REDUCE, 1, 1, 0, 0x1ffe, INT64, 0x0, 0) \
    X(30, MATMUL, matmul, 1, MATMUL, 2, 0, 0, 0x7ffe, KEY, 0x0, 1) \
    X(31, TAKE_ALONG_AXIS, take_along_axis, 1, GATHER, 2, 1, 0, 0x7fff, KEY, 0x18, 1) \
    X(32, INDEX_ACCUMULATE, index_accumulate, 1, SCATTER, 3, 1, 0, 0x7ffe, KEY, 0x18, 1) \
    X(33, RANDOM_BITS, random_bits, 1, RANDOM, 0, 2, 0, 0x80, UINT32, 0x0, 0) \
    X(34, EXPM1, expm1, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 0) \
    X(35, LOG1P, log1p, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 0) \
    X(36, LOG2, log2, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 0) \
    X(37, LOG10, log10, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 0) \
    X(38, SIN, sin, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 0) \
    X(39, COS, cos, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 0) \
    X(40, TAN, tan, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 0) \
    X(41, ASIN, asin, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 0) \
    X(42, ACOS, acos, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 0) \
    X(43, ATAN, atan, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 0) \
    X(44, SINH, sinh, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 0) \
    X(45, COSH, cosh, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 0) \
    X(46, ASINH, asinh, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 0) \
    X(47, ACOSH, acosh, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 0) \
    X(48, ATANH, atanh, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 0) \
    X(49, RECIPROCAL, reciprocal, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 0) \
    X(50, RSQRT, rsqrt, 1, UNARY, 1, 0, 0, 0x1e00, KEY, 0x0, 0) \
    X(51, ERF, erf, 1, UNARY, 1, 0, 0, 0x1e00, KEY, 0x0, 0) \
    X(52, CEIL, ceil, 1, UNARY, 1, 0, 0, 0x1e00, KEY, 0x0, 0) \
    X(53, TRUNC, trunc, 1, UNARY, 1, 0, 0, 0x1e00, KEY, 0x0, 0) \
    X(54, ROUND, round, 1, UNARY, 1, 0, 0, 0x7e00, KEY, 0x0, 0) \
    X(55, ISFINITE, isfinite, 1, UNARY, 1, 0, 0, 0x7e00, BOOL, 0x0, 0) \
    X(56, ISINF, isinf, 1, UNARY, 1, 0, 0, 0x7e00, BOOL, 0x0, 0) \
    X(57, SIGNBIT, signbit, 1, UNARY, 1, 0, 0, 0x1e00, BOOL, 0x0, 0) \
    X(58, BITWISE_NOT, bitwise_not, 1, UNARY, 1, 0, 0, 0x1fe, KEY, 0x0, 0) \
    X(59, REAL, real, 1, UNARY, 1, 0, 0, 0x6000, REAL, 0x0, 0) \
    X(60, IMAG, imag, 1, UNARY, 1, 0, 0, 0x6000, REAL, 0x0, 0) \
    X(61, CONJ, conj, 1, UNARY, 1, 0, 0, 0x6000, KEY, 0x0, 0) \
    X(62, MAGNITUDE, magnitude, 1, UNARY, 1, 0, 0, 0x6000, REAL, 0x0, 0) \
    X(63, MAKE_COMPLEX, make_complex, 1, BINARY, 2, 0, 0, 0x1800, COMPLEX, 0x0, 0) \
    X(64, FLOOR_DIVIDE, floor_divide, 1, BINARY, 2, 0, 0, 0x1ffe, KEY, 0x0, 0) \
    X(65, REMAINDER, remainder, 1, BINARY, 2, 0, 0, 0x1ffe, KEY, 0x0, 0) \
    X(66, ATAN2, atan2, 1, BINARY, 2, 0, 0, 0x1e00, KEY, 0x0, 0) \
    X(67, HYPOT, hypot, 1, BINARY, 2, 0, 0, 0x1e00, KEY, 0x0, 0) \
    X(68, COPYSIGN, copysign, 1, BINARY, 2, 0, 0, 0x1e00, KEY, 0x0, 0) \
    X(69, NEXTAFTER, nextafter, 1, BINARY, 2, 0, 0, 0x1e00, KEY, 0x0, 0) \
    X(70, LOGADDEXP, logaddexp, 1, BINARY, 2, 0, 0, 0x1e00, KEY, 0x0, 0) \
    X(71, BITWISE_AND, bitwise_and, 1, BINARY, 2, 0, 0, 0x1fe, KEY, 0x0, 0) \
    X(72, BITWISE_OR, bitwise_or, 1, BINARY, 2, 0, 0, 0x1fe, KEY, 0x0, 0) \
    X(73, BITWISE_XOR, bitwise_xor, 1, BINARY, 2, 0, 0, 0x1fe, KEY, 0x0, 0) \
    X(74, SHIFT_LEFT, shift_left, 1, BINARY, 2, 0, 0, 0x1fe, KEY, 0x0, 0) \
    X(75, SHIFT_RIGHT, shift_right, 1, BINARY, 2, 0, 0, 0x1fe, KEY, 0x0, 0) \
    X(76, NOT_EQUAL, not_equal, 1, COMPARE, 2, 0, 0, 0x7fff, BOOL, 0x0, 0) \
    X(77, LESS_EQUAL, less_equal, 1, COMPARE, 2, 0, 0, 0x1ffe, BOOL, 0x0, 0) \
    X(78, MIN, min, 1, REDUCE, 1, 1, 0, 0x1ffe, KEY, 0x0, 0) \
    X(79, PROD, prod, 1, REDUCE, 1, 1, 0, 0x7ffe, KEY, 0x0, 0) \
    X(80, ANY, any, 1, REDUCE, 1, 1, 0, 0x7fff, BOOL, 0x0, 0) \
    X(81, ALL, all, 1, REDUCE, 1, 1, 0, 0x7fff, BOOL, 0x0, 0) \
    X(82, ARGMIN, argmin, 1, ARG_REDUCE, 1, 1, 0, 0x1ffe, INT64, 0x0, 0) \
    X(83, CUMSUM, cumsum, 1, SCAN, 1, 1, 0, 0x7ffe, KEY, 0x0, 0) \
    X(84, CUMPROD, cumprod, 1, SCAN, 1, 1, 0, 0x7ffe, KEY, 0x0, 0) \
    X(85, SORT, sort, 1, SORT, 1, 2, 0, 0x1fff, KEY, 0x0, 0) \
    X(86, ARGSORT, argsort, 1, SORT, 1, 2, 0, 0x1fff, INT64, 0x0, 0) \
    X(87, TOPK, topk, 1, SORT, 1, 2, 0, 0x1fff, INT64, 0x0, 0) \
    X(88, SEARCHSORTED, searchsorted, 1, SEARCH, 2, 1, 0, 0x1fff, INT64, 0x0, 0) \
    X(89, PUT_ALONG_AXIS, put_along_axis, 1, SCATTER, 3, 1, 0, 0x7fff, KEY, 0x18, 0) \
    X(90, CONVOLUTION, convolution, 1, CONVOLUTION, 2, 10, 0, 0x1e00, KEY, 0x0, 0) \
    X(91, MAX_POOL, max_pool, 1, POOL, 1, 12, 0, 0x1e00, KEY, 0x0, 0) \
    X(92, AVG_POOL, avg_pool, 1, POOL, 1, 10, 0, 0x1e00, KEY, 0x0, 0) \
    X(93, SOFTMAX, softmax, 1, NORMALIZE, 1, 1, 0, 0x1e00, KEY, 0x0, 0) \
    X(94, LOG_SOFTMAX, log_softmax, 1, NORMALIZE, 1, 1, 0, 0x1e00, KEY, 0x0, 0) \
    X(95, LAYER_NORM, layer_norm, 1, NORMALIZE, 3, 1, 0, 0x1e00, KEY, 0x0, 0) \
    X(96, RMS_NORM, rms_norm, 1, NORMALIZE, 2, 1, 0, 0x1e00, KEY, 0x0, 0) \
    X(97, RELU, relu, 1, ACTIVATION, 1, 0, 0, 0x1e00, KEY, 0x0, 0) \
    X(98, SIGMOID, sigmoid, 1, ACTIVATION, 1, 0, 0, 0x1e00, KEY, 0x0, 0) \
    X(99, SILU, silu, 1, ACTIVATION, 1, 0, 0, 0x1e00, KEY, 0x0, 0) \
    X(100, GELU, gelu, 1, ACTIVATION, 1, 0, 0, 0x1e00, KEY, 0x0, 0) \
    X(101, GELU_TANH, gelu_tanh, 1, ACTIVATION, 1, 0, 0, 0x1e00, KEY, 0x0, 0) \
    X(102, MISH, mish, 1, ACTIVATION, 1, 0, 0, 0x1e00, KEY, 0x0, 0) \
    X(103, HARDSWISH, hardswish, 1, ACTIVATION, 1, 0, 0, 0x1e00, KEY, 0x0, 0) \
    X(104, HARDSIGMOID, hardsigmoid, 1, ACTIVATION, 1, 2, 0, 0x1e00, KEY, 0x0, 0) \
    X(105, SOFTPLUS, softplus, 1, ACTIVATION, 1, 2, 0, 0x1e00, KEY, 0x0, 0) \
    X(106, LEAKY_RELU, leaky_relu, 1, ACTIVATION, 1, 1, 0, 0x1e00, KEY, 0x0, 0) \
    X(107, ELU, elu, 1, ACTIVATION, 1, 1, 0, 0x1e00, KEY, 0x0, 0) \
    X(108, ATTENTION, attention, 1, ATTENTION, 3, 2, 0, 0x1e00, KEY, 0x0, 0)
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
    UINT64_C(0xdf7288b3babf7863), \
    UINT64_C(0x5a9c34099e4027c1), \
    UINT64_C(0x4883196b3500e0e9), \
    UINT64_C(0xdd3c09ad7cc5f00d), \
    UINT64_C(0x1c29e7d928f4bb59), \
    UINT64_C(0x35677355220be003), \
    UINT64_C(0x61b9b0ddbaf4a7f9), \
    UINT64_C(0x8e47fb963e76e938), \
    UINT64_C(0xa3d772ca2b93eb6d), \
    UINT64_C(0x9ff41e02822f772b), \
    UINT64_C(0xdfb7c226097ac1f2), \
    UINT64_C(0x2864310f9dc6d8ef), \
    UINT64_C(0x6f1068dc1ab6dc79), \
    UINT64_C(0x635eaf9cd6e19463), \
    UINT64_C(0x233f333b47a6a260), \
    UINT64_C(0x4745e37cf8858548), \
    UINT64_C(0x9c29a6f26e3ac6b4), \
    UINT64_C(0x490722bdffdf479c), \
    UINT64_C(0x069f76cdb5387a45), \
    UINT64_C(0x1973570afc0e2aa2), \
    UINT64_C(0x2143da2f67434d3e), \
    UINT64_C(0x804c8ee65f1845d5), \
    UINT64_C(0x5c6114e4f17c710b), \
    UINT64_C(0x72a45584378c7a61), \
    UINT64_C(0x553d3f6ead1525fb), \
    UINT64_C(0x51af5f43bc154a5e), \
    UINT64_C(0x3eb35974a1b596d5), \
    UINT64_C(0x0a0b093874a1873a), \
    UINT64_C(0xcac4f14c0db4fa5b), \
    UINT64_C(0xd84c2e1b51903799), \
    UINT64_C(0xc5775ac7fceb5938), \
    UINT64_C(0xf8ca318828a30e61), \
    UINT64_C(0x0ec49361a87aff2e), \
    UINT64_C(0x616149eab3386448), \
    UINT64_C(0xf4ee7827bcad37a9), \
    UINT64_C(0x1a92796fd6f7784e), \
    UINT64_C(0x2509b715b1008396), \
    UINT64_C(0x191d82dd639e02df), \
    UINT64_C(0x60e89ef0c6790563), \
    UINT64_C(0xf4d26dcf173aa5b6), \
    UINT64_C(0x924f3d76ed8a3f83), \
    UINT64_C(0xba37e13b306d87c0), \
    UINT64_C(0xbdd4345cb6872543), \
    UINT64_C(0x1378f88134682957), \
    UINT64_C(0x38c4b957e5f25c2a), \
    UINT64_C(0xa1f4a79ff5cbb379), \
    UINT64_C(0x81661c57b7dcff7e), \
    UINT64_C(0x561d9af1024f3627), \
    UINT64_C(0xf3074503f0e95a1c), \
    UINT64_C(0xc013b9a949ea320c), \
    UINT64_C(0x59cd60949179dbff), \
    UINT64_C(0x053d056cc3e7f365), \
    UINT64_C(0xe3d02dc12ceb0c6a), \
    UINT64_C(0x5e1b27c5661b5817), \
    UINT64_C(0x09e48f36167fbfc7), \
    UINT64_C(0x2bb47b18a0702d33), \
    UINT64_C(0x383a91d9edff21d8), \
    UINT64_C(0xaf04b5e323660181), \
    UINT64_C(0x258d85f46d02d3b8), \
    UINT64_C(0x53842e12741e1a27), \
    UINT64_C(0xbc9aefcd5f1fbe12), \
    UINT64_C(0x341c477ffb8a23f0), \
    UINT64_C(0x81ad84109610a8c1), \
    UINT64_C(0x67e2a556a76051ed), \
    UINT64_C(0x1f55ce64ec1d2176), \
    UINT64_C(0xc70ec158d3c4878b), \
    UINT64_C(0xd5c16202559b7cc5), \
    UINT64_C(0xa850a5cb7450a4cc), \
    UINT64_C(0x5a871b30a1678488), \
    UINT64_C(0x97b0a45bbce7d123), \
    UINT64_C(0x228e16b6a2fafb85), \
    UINT64_C(0xc2161b9c815aaa42), \
    UINT64_C(0x41384eff5634aeed), \
    UINT64_C(0xf78434b4276ad2bf), \
    UINT64_C(0x92b4df23b8f13a20), \
}

#ifdef __cplusplus
}
#endif
#endif
