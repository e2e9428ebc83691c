// SPDX-License-Identifier: Apache-2.0
/* The operators of CANN (aclnn), by signature.
 *
 * CANN_ACLNN_SYMBOLS(X): one row per operator, X(OP, SIGNATURE, LIBRARY, SINCE, MARK), two symbols:
 *     aclnnStatus aclnn<OP>GetWorkspaceSize(CANN_SIG_<SIGNATURE>, uint64_t*, aclOpExecutor**)
 *     aclnnStatus aclnn<OP>(void* workspace, uint64_t size, aclOpExecutor*, aclrtStream)
 * MARK speaks of name and signature.  Which libopapi_*.so has the symbol is a hint only: search
 * all of them.
 */
#ifndef DEVICE_API_NPU_CANN_OPERATORS_H
#define DEVICE_API_NPU_CANN_OPERATORS_H

/* clang-format off */
/* Parameters of phase 1, without the last two (which are the same for every operator). */
#define CANN_SIG_UNARY const aclTensor *self, aclTensor *out
#define CANN_SIG_BINARY const aclTensor *self, const aclTensor *other, aclTensor *out
#define CANN_SIG_BINARY_ALPHA const aclTensor *self, const aclTensor *other, const aclScalar *alpha, aclTensor *out
#define CANN_SIG_SCALAR const aclTensor *self, const aclScalar *other, aclTensor *out
#define CANN_SIG_SCALAR_CONST_OUT const aclTensor *self, const aclScalar *other, const aclTensor *out
#define CANN_SIG_SCALAR_ALPHA const aclTensor *self, const aclScalar *other, const aclScalar *alpha, aclTensor *out
#define CANN_SIG_SELECT const aclTensor *condition, const aclTensor *self, const aclTensor *other, aclTensor *out
#define CANN_SIG_CAST const aclTensor *self, const aclDataType dtype, aclTensor *out
#define CANN_SIG_COPY aclTensor *selfRef, const aclTensor *src
#define CANN_SIG_FILL aclTensor *selfRef, const aclScalar *value
#define CANN_SIG_INPLACE aclTensor* selfRef
#define CANN_SIG_ARANGE const aclScalar *start, const aclScalar *end, const aclScalar *step, aclTensor *out
#define CANN_SIG_REDUCE_DTYPE const aclTensor *self, const aclIntArray *dims, bool keepDims, aclDataType dtype, aclTensor *out
#define CANN_SIG_REDUCE const aclTensor *self, const aclIntArray *dim, bool keepDim, aclTensor *out
#define CANN_SIG_ARG_REDUCE const aclTensor *self, int64_t dim, bool keepdim, aclTensor *out
#define CANN_SIG_MATMUL const aclTensor *self, const aclTensor *mat2, aclTensor *out, int8_t cubeMathType
#define CANN_SIG_GATHER const aclTensor *self, const int64_t dim, const aclTensor *index, aclTensor *out
#define CANN_SIG_SCATTER_ADD const aclTensor *self, int64_t dim, const aclTensor *index, const aclTensor *src, aclTensor *out
#define CANN_SIG_FLIP const aclTensor *self, const aclIntArray *dims, aclTensor *out
#define CANN_SIG_GELU_V2 const aclTensor *x, int64_t approximate, aclTensor *y
#define CANN_SIG_LEAKY_RELU const aclTensor *self, const aclScalar *negativeSlope, aclTensor *out
#define CANN_SIG_ELU const aclTensor *self, const aclScalar *alpha, const aclScalar *scale, const aclScalar *inputScale, aclTensor *out
#define CANN_SIG_SOFTPLUS const aclTensor *self, const aclScalar *beta, const aclScalar *threshold, aclTensor *out
#define CANN_SIG_LEFT_SHIFT const aclTensor *self, const aclTensor *shiftBits, aclTensor *out
#define CANN_SIG_RIGHT_SHIFT const aclTensor *input, const aclTensor *shiftBits, aclTensor *out
#define CANN_SIG_PROD const aclTensor *self, const aclDataType dtype, aclTensor *out
#define CANN_SIG_PROD_DIM const aclTensor *self, int64_t dim, bool keepDim, const aclDataType dtype, aclTensor *out
#define CANN_SIG_REDUCE_LOGICAL const aclTensor *self, const aclIntArray *dim, bool keepdim, aclTensor *out
#define CANN_SIG_CUMSUM const aclTensor *self, int64_t dim, aclDataType dtype, aclTensor *out
#define CANN_SIG_CUMPROD const aclTensor *input, const aclScalar *dim, const aclDataType dtype, aclTensor *out
#define CANN_SIG_SORT const aclTensor *self, bool stable, int64_t dim, bool descending, aclTensor *valuesOut, aclTensor *indicesOut
#define CANN_SIG_TOPK const aclTensor *self, int64_t k, int64_t dim, bool largest, bool sorted, aclTensor *valuesOut, aclTensor *indicesOut
#define CANN_SIG_SEARCH_SORTED const aclTensor *sortedSequence, const aclTensor *self, const bool outInt32, const bool right, const aclTensor *sorter, aclTensor *out
#define CANN_SIG_SCATTER const aclTensor *self, int64_t dim, const aclTensor *index, const aclTensor *src, int64_t reduce, aclTensor *out
#define CANN_SIG_SOFTMAX const aclTensor *self, int64_t dim, aclTensor *out
#define CANN_SIG_LAYER_NORM const aclTensor *input, const aclIntArray *normalizedShape, const aclTensor *weightOptional, const aclTensor *biasOptional, double eps, aclTensor *out, aclTensor *meanOutOptional, aclTensor *rstdOutOptional
#define CANN_SIG_RMS_NORM const aclTensor *x, const aclTensor *gamma, double epsilon, const aclTensor *yOut, const aclTensor *rstdOut
#define CANN_SIG_CONVOLUTION const aclTensor *input, const aclTensor *weight, const aclTensor *bias, const aclIntArray *stride, const aclIntArray *padding, const aclIntArray *dilation, bool transposed, const aclIntArray *outputPadding, const int64_t groups, aclTensor *output, int8_t cubeMathType
#define CANN_SIG_MAX_POOL const aclTensor *self, const aclIntArray *kernelShape, const aclIntArray *strides, const int64_t autoPad, const aclIntArray *pads, const aclIntArray *dilations, const int64_t ceilMode, aclTensor *out
#define CANN_SIG_AVG_POOL_2D const aclTensor *self, const aclIntArray *kernelSize, const aclIntArray *strides, const aclIntArray *paddings, const bool ceilMode, const bool countIncludePad, const int64_t divisorOverride, const int8_t cubeMathType, aclTensor *out

#define CANN_ACLNN_UNARY_SYMBOLS(X) \
    X(Neg, UNARY, MATH, 8_1, CONFIRMED) \
    X(Abs, UNARY, MATH, 8_1, CONFIRMED) \
    X(Exp, UNARY, MATH, 8_1, CONFIRMED) \
    X(Log, UNARY, MATH, 8_1, CONFIRMED) \
    X(Sqrt, UNARY, MATH, 8_1, CONFIRMED) \
    X(Rsqrt, UNARY, MATH, 8_1, CONFIRMED) \
    X(Reciprocal, UNARY, MATH, 8_1, CONFIRMED) \
    X(Tanh, UNARY, MATH, 8_1, CONFIRMED) \
    X(Floor, UNARY, MATH, 8_1, CONFIRMED) \
    X(Sign, UNARY, MATH, 8_1, CONFIRMED) \
    X(Relu, UNARY, NN, 8_1, CONFIRMED) \
    X(Sigmoid, UNARY, NN, 8_1, CONFIRMED) \
    X(LogicalNot, UNARY, MATH, 8_1, CONFIRMED) \
    X(Expm1, UNARY, MATH, 8_1, CONFIRMED) \
    X(Log1p, UNARY, MATH, 8_1, CONFIRMED) \
    X(Log2, UNARY, MATH, 8_1, CONFIRMED) \
    X(Log10, UNARY, MATH, 8_1, CONFIRMED) \
    X(Sin, UNARY, MATH, 8_1, CONFIRMED) \
    X(Cos, UNARY, MATH, 8_1, CONFIRMED) \
    X(Tan, UNARY, MATH, 8_1, CONFIRMED) \
    X(Asin, UNARY, MATH, 8_1, CONFIRMED) \
    X(Acos, UNARY, MATH, 8_1, CONFIRMED) \
    X(Atan, UNARY, MATH, 8_1, CONFIRMED) \
    X(Sinh, UNARY, MATH, 8_1, CONFIRMED) \
    X(Cosh, UNARY, MATH, 8_1, CONFIRMED) \
    X(Asinh, UNARY, MATH, 8_1, CONFIRMED) \
    X(Acosh, UNARY, MATH, 8_1, CONFIRMED) \
    X(Atanh, UNARY, MATH, 8_1, CONFIRMED) \
    X(Erf, UNARY, MATH, 8_1, CONFIRMED) \
    X(Ceil, UNARY, MATH, 8_1, CONFIRMED) \
    X(Trunc, UNARY, MATH, 8_1, CONFIRMED) \
    X(Signbit, UNARY, MATH, 8_1, CONFIRMED) \
    X(BitwiseNot, UNARY, MATH, 8_1, CONFIRMED) \
    X(IsFinite, UNARY, MATH, 8_1, CONFIRMED) \
    X(IsInf, UNARY, MATH, 8_1, CONFIRMED)

#define CANN_ACLNN_BINARY_SYMBOLS(X) \
    X(Add, BINARY_ALPHA, MATH, 8_1, CONFIRMED) \
    X(Sub, BINARY_ALPHA, MATH, 8_1, CONFIRMED) \
    X(Mul, BINARY, MATH, 8_1, CONFIRMED) \
    X(Div, BINARY, MATH, 8_1, CONFIRMED) \
    X(Maximum, BINARY, MATH, 8_1, CONFIRMED) \
    X(Minimum, BINARY, MATH, 8_1, CONFIRMED) \
    X(PowTensorTensor, BINARY, MATH, 8_1, CONFIRMED) \
    X(EqTensor, BINARY, MATH, 8_1, CONFIRMED) \
    X(NeTensor, BINARY, MATH, 8_1, CONFIRMED) \
    X(LtTensor, BINARY, MATH, 8_1, CONFIRMED) \
    X(LeTensor, BINARY, MATH, 8_1, CONFIRMED) \
    X(GtTensor, BINARY, MATH, 8_1, CONFIRMED) \
    X(GeTensor, BINARY, MATH, 8_1, CONFIRMED) \
    X(LogicalAnd, BINARY, MATH, 8_1, CONFIRMED) \
    X(LogicalOr, BINARY, MATH, 8_1, CONFIRMED) \
    X(Adds, SCALAR_ALPHA, MATH, 8_1, CONFIRMED) \
    X(Subs, SCALAR_ALPHA, MATH, 8_1, CONFIRMED) \
    X(Muls, SCALAR, MATH, 8_1, CONFIRMED) \
    X(Divs, SCALAR, MATH, 8_1, CONFIRMED) \
    X(PowTensorScalar, SCALAR_CONST_OUT, MATH, 8_1, CONFIRMED) \
    X(FloorDivide, BINARY, MATH, 8_1, CONFIRMED) \
    X(Atan2, BINARY, MATH, 8_1, CONFIRMED) \
    X(BitwiseAndTensor, BINARY, MATH, 8_1, CONFIRMED) \
    X(BitwiseOrTensor, BINARY, MATH, 8_1, CONFIRMED) \
    X(BitwiseXorTensor, BINARY, MATH, 8_1, CONFIRMED) \
    X(LeftShift, LEFT_SHIFT, MATH, 9, CONFIRMED) \
    X(RightShift, RIGHT_SHIFT, MATH, 9, CONFIRMED)

#define CANN_ACLNN_OTHER_SYMBOLS(X) \
    X(SWhere, SELECT, MATH, 8_1, CONFIRMED) \
    X(Cast, CAST, MATH, 8_1, CONFIRMED) \
    X(InplaceCopy, COPY, MATH, 8_1, CONFIRMED) \
    X(InplaceFillScalar, FILL, MATH, 8_1, CONFIRMED) \
    X(InplaceZero, INPLACE, MATH, 8_1, CONFIRMED) \
    X(Arange, ARANGE, MATH, 8_1, CONFIRMED) \
    X(ReduceSum, REDUCE_DTYPE, MATH, 8_1, CONFIRMED) \
    X(Amax, REDUCE, MATH, 8_1, CONFIRMED) \
    X(Amin, REDUCE, MATH, 8_1, CONFIRMED) \
    X(ArgMax, ARG_REDUCE, MATH, 8_1, CONFIRMED) \
    X(ArgMin, ARG_REDUCE, MATH, 8_1, CONFIRMED) \
    X(Matmul, MATMUL, NN, 8_1, CONFIRMED) \
    X(Mm, MATMUL, NN, 8_1, CONFIRMED) \
    X(BatchMatMul, MATMUL, NN, 8_1, CONFIRMED) \
    X(Gather, GATHER, NN, 8_1, CONFIRMED) \
    X(ScatterAdd, SCATTER_ADD, NN, 8_1, CONFIRMED) \
    X(Flip, FLIP, MATH, 8_1, CONFIRMED)

#define CANN_ACLNN_ACTIVATION_SYMBOLS(X) \
    X(Silu, UNARY, NN, 8_1, CONFIRMED) \
    X(Hardswish, UNARY, NN, 8_1, CONFIRMED) \
    X(Mish, UNARY, NN, 8_1, CONFIRMED) \
    X(GeluV2, GELU_V2, NN, 8_1, CONFIRMED) \
    X(LeakyRelu, LEAKY_RELU, NN, 8_1, CONFIRMED) \
    X(Elu, ELU, NN, 8_1, CONFIRMED) \
    X(Softplus, SOFTPLUS, NN, 8_1, CONFIRMED)

#define CANN_ACLNN_LINE_SYMBOLS(X) \
    X(Prod, PROD, MATH, 8_1, CONFIRMED) \
    X(ProdDim, PROD_DIM, MATH, 8_1, CONFIRMED) \
    X(All, REDUCE_LOGICAL, MATH, 8_1, CONFIRMED) \
    X(Any, REDUCE_LOGICAL, MATH, 8_1, CONFIRMED) \
    X(Cumsum, CUMSUM, MATH, 8_1, CONFIRMED) \
    X(Cumprod, CUMPROD, MATH, 8_1, CONFIRMED) \
    X(Sort, SORT, MATH, 8_1, CONFIRMED) \
    X(Topk, TOPK, MATH, 8_1, CONFIRMED) \
    X(SearchSorted, SEARCH_SORTED, MATH, 8_1, CONFIRMED) \
    X(Scatter, SCATTER, NN, 8_1, CONFIRMED)

#define CANN_ACLNN_NETWORK_SYMBOLS(X) \
    X(Softmax, SOFTMAX, NN, 8_1, CONFIRMED) \
    X(LogSoftmax, SOFTMAX, NN, 8_1, CONFIRMED) \
    X(LayerNorm, LAYER_NORM, NN, 8_1, CONFIRMED) \
    X(RmsNorm, RMS_NORM, NN, 8_1, CONFIRMED) \
    X(Convolution, CONVOLUTION, NN, 8_1, CONFIRMED) \
    X(MaxPool, MAX_POOL, NN, 8_1, CONFIRMED) \
    X(AvgPool2d, AVG_POOL_2D, NN, 8_1, CONFIRMED)

#define CANN_ACLNN_SYMBOLS(X) \
    CANN_ACLNN_UNARY_SYMBOLS(X) \
    CANN_ACLNN_ACTIVATION_SYMBOLS(X) \
    CANN_ACLNN_BINARY_SYMBOLS(X) \
    CANN_ACLNN_OTHER_SYMBOLS(X) \
    CANN_ACLNN_LINE_SYMBOLS(X) \
    CANN_ACLNN_NETWORK_SYMBOLS(X)
/* clang-format on */

#endif
