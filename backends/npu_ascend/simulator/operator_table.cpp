// SPDX-License-Identifier: Apache-2.0
// One row per operator. Types and limits restate the operator documentation, 9.x; "old" chips are
// 910A and 310P. Chips without bf16 refuse it everywhere, so the rows do not repeat that.
#include "operator.hpp"

namespace cann_sim {

namespace {

using U = engine::Unary;
using B = engine::Binary;
using R = engine::Reduce;
using A = engine::Activation;

template <class E>
constexpr int k(E e) {
    return static_cast<int>(e);
}
constexpr int none = 0;

constexpr Mask real = floats | common_ints | boolean; // f32 f16 bf16 f64 i8..i64 u8 bool
constexpr Mask any = real | wide_unsigned;            // and u16 u32 u64
constexpr Mask to_floats = floats | complexes;
constexpr Mask c = c64 | c128;
constexpr Mask index_types = i32 | i64;
constexpr Mask matrix = f32 | f16 | bf16;
constexpr Mask narrow_floats = f32 | f16 | f64; // without bf16
constexpr unsigned old_310 = chip_310b | chip_310p;
constexpr unsigned only_new = chip_310b | chip_310p | chip_910a; // A2, A3, 950
constexpr unsigned trig_lacks = chip_950 | chip_310b;

constexpr OpRow table[] = {
    // op, name, family, kernel, flags, not on, inputs, output, limits
    {Op::Neg, "aclnnNeg", &unary_family, k(U::neg), 0, chip_310p, floats | i8 | i32 | i64 | c,
     floats | i8 | i32 | i64 | c},
    {Op::Abs, "aclnnAbs", &unary_family, k(U::abs), 0, chip_310b, real | c32 | c64, real},
    {Op::Exp, "aclnnExp", &unary_family, k(U::exp), float_result, chip_310b | chip_310p | chip_910a,
     floats | i64 | boolean | c, to_floats},
    {Op::Log, "aclnnLog", &unary_family, k(U::log), float_result, chip_310b | chip_310p | chip_910a,
     real | c, to_floats},
    {Op::Sqrt, "aclnnSqrt", &unary_family, k(U::sqrt), float_result, chip_310b | chip_310p,
     real | c, to_floats},
    {Op::Rsqrt, "aclnnRsqrt", &unary_family, k(U::rsqrt), float_result, 0, real | c, to_floats},
    {Op::Reciprocal, "aclnnReciprocal", &unary_family, k(U::reciprocal), float_result, chip_310b,
     real | c, to_floats},
    {Op::Tanh, "aclnnTanh", &unary_family, k(U::tanh), float_result, chip_310b | chip_310p,
     real & ~f64, matrix},
    {Op::Floor, "aclnnFloor", &unary_family, k(U::floor), 0, chip_310b | chip_310p,
     f32 | f16 | f64 | ints, f32 | f16 | f64 | ints},
    {Op::Sign, "aclnnSign", &unary_family, k(U::sign), 0, chip_310b | chip_310p | chip_910a,
     floats | i32 | i64 | boolean | c, floats | i32 | i64 | boolean | c},
    {Op::Relu, "aclnnRelu", &unary_family, k(U::relu), 0, chip_310b | chip_310p,
     matrix | i8 | i32 | i64, matrix | i8 | i32 | i64},
    {Op::Sigmoid, "aclnnSigmoid", &unary_family, k(U::sigmoid), 0, chip_310b, matrix, matrix},
    {Op::LogicalNot, "aclnnLogicalNot", &unary_family, k(U::logical_not), bool_result, chip_310b,
     real, real},
    {Op::Expm1, "aclnnExpm1", &unary_family, k(U::expm1), float_result, chip_310b,
     matrix | i64 | boolean, floats},
    {Op::Log1p, "aclnnLog1p", &unary_family, k(U::log1p), float_result, chip_310b, real, floats},
    {Op::Log2, "aclnnLog2", &unary_family, k(U::log2), float_result, only_new, real | c, to_floats},
    {Op::Log10, "aclnnLog10", &unary_family, k(U::log10), float_result, only_new, real | c,
     matrix | c},
    {Op::Sin, "aclnnSin", &unary_family, k(U::sin), float_result, 0, real | c, to_floats},
    {Op::Cos, "aclnnCos", &unary_family, k(U::cos), float_result, chip_950, real | c, to_floats},
    {Op::Tan, "aclnnTan", &unary_family, k(U::tan), float_result, trig_lacks, real | c, to_floats},
    {Op::Asin, "aclnnAsin", &unary_family, k(U::asin), float_result, chip_310b, real & ~bf16,
     narrow_floats},
    {Op::Acos, "aclnnAcos", &unary_family, k(U::acos), float_result, trig_lacks, real & ~bf16,
     narrow_floats},
    {Op::Atan, "aclnnAtan", &unary_family, k(U::atan), float_result, chip_310b, real, floats},
    {Op::Sinh, "aclnnSinh", &unary_family, k(U::sinh), float_result, trig_lacks, real | c,
     to_floats},
    {Op::Cosh, "aclnnCosh", &unary_family, k(U::cosh), 0, trig_lacks, narrow_floats, narrow_floats},
    {Op::Asinh, "aclnnAsinh", &unary_family, k(U::asinh), float_result, trig_lacks, real & ~bf16,
     narrow_floats},
    {Op::Acosh, "aclnnAcosh", &unary_family, k(U::acosh), 0, trig_lacks, narrow_floats,
     narrow_floats},
    {Op::Atanh, "aclnnAtanh", &unary_family, k(U::atanh), float_result, trig_lacks, real & ~bf16,
     narrow_floats},
    {Op::Erf, "aclnnErf", &unary_family, k(U::erf), float_result, old_310,
     narrow_floats | i64 | boolean, narrow_floats},
    {Op::Ceil, "aclnnCeil", &unary_family, k(U::ceil), 0, chip_310b, floats, floats},
    {Op::Trunc, "aclnnTrunc", &unary_family, k(U::trunc), 0, chip_310b, matrix, matrix},
    {Op::Signbit, "aclnnSignbit", &unary_family, k(U::signbit), bool_result, old_310, any, boolean},
    {Op::BitwiseNot, "aclnnBitwiseNot", &unary_family, k(U::bitwise_not), 0, chip_310b,
     common_ints | boolean, common_ints | boolean},
    {Op::IsFinite, "aclnnIsFinite", &unary_family, k(U::isfinite), bool_result, old_310, floats,
     boolean},
    {Op::IsInf, "aclnnIsInf", &unary_family, k(U::isinf), bool_result, chip_310b | chip_910a, real,
     boolean},

    {Op::Silu, "aclnnSilu", &unary_family, k(U::silu), 0, chip_310b, matrix, matrix},
    {Op::Hardswish, "aclnnHardswish", &activation_family, k(A::hardswish), 0, old_310, matrix,
     matrix},
    {Op::Mish, "aclnnMish", &activation_family, k(A::mish), 0, old_310, matrix, matrix},
    {Op::GeluV2, "aclnnGeluV2", &gelu_family, none, 0, chip_310b, matrix, matrix},
    {Op::LeakyRelu, "aclnnLeakyRelu", &activation_family, k(A::leaky_relu), 0, old_310, matrix,
     matrix},
    {Op::Elu, "aclnnElu", &activation_family, k(A::elu), 0, chip_310b, matrix, matrix},
    {Op::Softplus, "aclnnSoftplus", &activation_family, k(A::softplus), 0, trig_lacks, matrix,
     matrix},

    {Op::Add, "aclnnAdd", &binary_family, k(B::add), promotes, chip_310b | chip_310p, real | c,
     real | c},
    {Op::Sub, "aclnnSub", &binary_family, k(B::sub), promotes, chip_310p, real | c, real | c},
    {Op::Mul, "aclnnMul", &binary_family, k(B::mul), promotes, chip_310b, real | c, real | c},
    {Op::Div, "aclnnDiv", &binary_family, k(B::div), promotes | float_result, chip_310p, real | c,
     real | c},
    {Op::Maximum, "aclnnMaximum", &binary_family, k(B::max), promotes, chip_310b, real, real},
    {Op::Minimum, "aclnnMinimum", &binary_family, k(B::min), promotes, chip_310b, real, real, 0, 0,
     boolean, boolean},
    {Op::PowTensorTensor, "aclnnPowTensorTensor", &binary_family, k(B::pow),
     promotes | no_bool_pair, 0, real | c, any | c},
    {Op::EqTensor, "aclnnEqTensor", &binary_family, k(B::eq), promotes | bool_result,
     chip_310b | chip_310p, real | u32 | u64 | c, any | c, u32 | u64, wide_unsigned, 0,
     wide_unsigned},
    {Op::NeTensor, "aclnnNeTensor", &binary_family, k(B::ne), promotes | bool_result,
     chip_310b | chip_310p, real | u64 | c, any | c},
    {Op::LtTensor, "aclnnLtTensor", &binary_family, k(B::lt), promotes | bool_result, chip_310p,
     any, any | c},
    {Op::LeTensor, "aclnnLeTensor", &binary_family, k(B::le), promotes | bool_result, chip_310b,
     real | u16 | u64, any | c, u64, 0, u64, 0},
    {Op::GtTensor, "aclnnGtTensor", &binary_family, k(B::gt), promotes | bool_result, chip_310b,
     any, any | c},
    {Op::GeTensor, "aclnnGeTensor", &binary_family, k(B::ge), promotes | bool_result, chip_310b,
     any, any | c},
    {Op::LogicalAnd, "aclnnLogicalAnd", &binary_family, k(B::logical_and), promotes | bool_result,
     chip_310b, real | c, real | c},
    {Op::LogicalOr, "aclnnLogicalOr", &binary_family, k(B::logical_or), promotes | bool_result,
     chip_310b, real | c, any | c, 0, wide_unsigned, 0, wide_unsigned},

    {Op::Adds, "aclnnAdds", &scalar_family, k(B::add), promotes, chip_310b | chip_310p, real | c,
     real | c},
    {Op::Subs, "aclnnSubs", &scalar_family, k(B::sub), promotes, chip_310p, real | c, real | c},
    {Op::Muls, "aclnnMuls", &scalar_family, k(B::mul), promotes, chip_310b, real | c, real | c},
    {Op::Divs, "aclnnDivs", &scalar_family, k(B::div), promotes | float_result, chip_310p, real | c,
     real | c},
    {Op::PowTensorScalar, "aclnnPowTensorScalar", &scalar_family, k(B::pow), promotes, 0, real | c,
     real | c},

    {Op::FloorDivide, "aclnnFloorDivide", &binary_family, k(B::floor_of_quotient), promotes,
     chip_310b, real, floats | common_ints | c},
    {Op::Atan2, "aclnnAtan2", &binary_family, k(B::atan2), promotes | float_result, chip_310b, real,
     floats},
    {Op::BitwiseAndTensor, "aclnnBitwiseAndTensor", &binary_family, k(B::bitwise_and), promotes,
     chip_310b, common_ints | u16 | boolean, ints | boolean},
    {Op::BitwiseOrTensor, "aclnnBitwiseOrTensor", &binary_family, k(B::bitwise_or), promotes,
     chip_310b, ints | boolean, ints | boolean},
    {Op::BitwiseXorTensor, "aclnnBitwiseXorTensor", &binary_family, k(B::bitwise_xor), promotes,
     chip_310b, ints | boolean, any | c, wide_unsigned, wide_unsigned | c, wide_unsigned,
     wide_unsigned | c},
    {Op::LeftShift, "aclnnLeftShift", &binary_family, k(B::shift_left), promotes, only_new, ints,
     ints},
    {Op::RightShift, "aclnnRightShift", &binary_family, k(B::shift_right), promotes, only_new, ints,
     ints},

    {Op::SWhere, "aclnnSWhere", &select_family, none, promotes, chip_310b, any | c, any | c},
    {Op::Cast, "aclnnCast", &cast_family, none, 0, chip_310b, any | complexes, any | complexes, c32,
     c32},
    {Op::InplaceCopy, "aclnnInplaceCopy", &copy_family, none, strides_native, 0, any | c, any | c},
    {Op::InplaceFillScalar, "aclnnInplaceFillScalar", &fill_family, none, 0, chip_310b, any | c,
     any | c, 0, 0, wide_unsigned, wide_unsigned},
    {Op::InplaceZero, "aclnnInplaceZero", &zero_family, none, 0, chip_310b, 0, real | u16 | c},
    {Op::Arange, "aclnnArange", &arange_family, none, 0, chip_310b, real, floats | i32 | i64},

    {Op::ReduceSum, "aclnnReduceSum", &sum_family, k(R::sum), 0, chip_310b, real | c, real | c},
    {Op::Amax, "aclnnAmax", &reduce_family, k(R::max), 0, chip_310b, real, real},
    {Op::Amin, "aclnnAmin", &reduce_family, k(R::min), 0, chip_310b, real, real},
    {Op::ArgMax, "aclnnArgMax", &arg_reduce_family, 1, 0, chip_310b, floats | common_ints,
     index_types},
    {Op::ArgMin, "aclnnArgMin", &arg_reduce_family, 0, 0, chip_310b, floats | common_ints,
     index_types},
    {Op::Matmul, "aclnnMatmul", &matmul_family, 0, promotes | transpose_native, chip_310b, matrix,
     matrix},
    {Op::Mm, "aclnnMm", &matmul_family, 2, promotes | transpose_native, chip_310b, matrix, matrix},
    {Op::BatchMatMul, "aclnnBatchMatMul", &matmul_family, 3, promotes | transpose_native, chip_310b,
     matrix, matrix},
    {Op::Gather, "aclnnGather", &gather_family, none, 0,
     chip_950 | chip_310b | chip_310p | chip_910a, any, any},
    {Op::ScatterAdd, "aclnnScatterAdd", &scatter_family, none, 0, chip_310b | chip_310p | chip_910a,
     real | c, real | c},
    {Op::Flip, "aclnnFlip", &flip_family, none, 0, chip_310b | chip_310p | chip_910a, real | c,
     real | c},

    {Op::Prod, "aclnnProd", &prod_family, k(R::prod), 0, chip_310b, real | c, real | c},
    {Op::ProdDim, "aclnnProdDim", &prod_axis_family, k(R::prod), 0, chip_310b, real | c, real | c},
    {Op::All, "aclnnAll", &logical_reduce_family, k(R::all), 0, 0, real, u8 | boolean},
    {Op::Any, "aclnnAny", &logical_reduce_family, k(R::any), 0, 0, real, boolean},
    {Op::Cumsum, "aclnnCumsum", &scan_family, k(R::sum), 0, 0, floats | common_ints | c,
     floats | common_ints | c},
    {Op::Cumprod, "aclnnCumprod", &scan_scalar_family, k(R::prod), 0, chip_950 | only_new,
     floats | ints, floats | ints},
    {Op::Sort, "aclnnSort", &sort_family, none, 0, chip_310b, any & ~f64, any, wide_unsigned,
     wide_unsigned},
    {Op::Topk, "aclnnTopk", &topk_family, none, 0, chip_310b, floats | ints, floats | ints,
     wide_unsigned, wide_unsigned},
    {Op::SearchSorted, "aclnnSearchSorted", &search_family, none, 0, old_310,
     narrow_floats | common_ints, index_types},
    {Op::Scatter, "aclnnScatter", &scatter_family, none, 0, only_new, real | c, real | c},

    {Op::Softmax, "aclnnSoftmax", &softmax_family, 0, 0, 0, floats, floats},
    {Op::LogSoftmax, "aclnnLogSoftmax", &softmax_family, 1, 0, chip_310b, floats, floats},
    {Op::LayerNorm, "aclnnLayerNorm", &layer_norm_family, none, 0, chip_310p, matrix, matrix},
    {Op::RmsNorm, "aclnnRmsNorm", &rms_norm_family, none, 0, chip_310b | chip_910a, matrix, matrix},
    {Op::Convolution, "aclnnConvolution", &convolution_family, none, promotes, chip_910a, matrix,
     matrix},
    {Op::MaxPool, "aclnnMaxPool", &max_pool_family, none, 0, old_310, matrix | common_ints | u16,
     matrix | common_ints | u16, bf16 | common_ints | u16, bf16 | common_ints | u16,
     f32 | common_ints | u16, f32 | common_ints | u16},
    {Op::AvgPool2d, "aclnnAvgPool2d", &avg_pool_family, none, 0, chip_310b, matrix, matrix},
};

constexpr bool in_order() {
    int i = 0;
    for (const OpRow& row : table)
        if (static_cast<int>(row.op) != i++) return false;
    return i == static_cast<int>(Op::count);
}
static_assert(in_order(), "the rows stand in the order of CANN_ACLNN_SYMBOLS, one for each");

} // namespace

const OpRow& row_of(Op op) {
    return table[static_cast<int>(op)];
}

} // namespace cann_sim
