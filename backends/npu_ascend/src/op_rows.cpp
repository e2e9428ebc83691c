// SPDX-License-Identifier: Apache-2.0
// The table of operators: which aclnn operator is which op, for which types, on which chips.
//
// From the operator documentation (CANN 9, which also holds for 8.1): a chip that the
// documentation does not name, or a type that it does not list, is left out, so the host computes
// elsewhere and says so. bfloat16 is taken away in one place (op_table.cpp) on chips without it.
// random_bits is missing on purpose: no aclnn operator gives Philox 4x32-10 bit by bit.
#include "builds.hpp"
#include "chip.hpp"
#include "dtypes.hpp"
#include "ops.hpp"

namespace device_api::npu {
namespace {

constexpr unsigned not_on(unsigned families) {
    return family_all & ~families;
}
constexpr unsigned old_910a = family_910a;
constexpr unsigned old_310 = family_310p | family_310b;
constexpr unsigned old_310p_910a = family_310p | family_910a;

constexpr da_dtype_mask boolean = bits(DA_BOOL);
constexpr da_dtype_mask wide_unsigned = bits(DA_UINT16, DA_UINT32, DA_UINT64);
constexpr da_dtype_mask short_floats = bits(DA_FLOAT16, DA_BFLOAT16);
constexpr da_dtype_mask real16_32 = bits(DA_FLOAT16, DA_BFLOAT16, DA_FLOAT32);
constexpr da_dtype_mask real = real16_32 | bits(DA_FLOAT64);
constexpr da_dtype_mask integers = bits(DA_INT8, DA_INT16, DA_INT32, DA_INT64, DA_UINT8);
constexpr da_dtype_mask numbers = real | integers; // what arithmetic takes: no u16, u32, u64
constexpr da_dtype_mask indices = bits(DA_INT32, DA_INT64);
constexpr da_dtype_mask everything = numbers | wide_unsigned | boolean;

constexpr std::uint32_t strided = DAB_OP_STRIDED;
constexpr std::uint32_t elementwise = DAB_OP_STRIDED | DAB_OP_IN_PLACE;
constexpr std::uint32_t with_scalar = elementwise | DAB_OP_IMMEDIATE;
constexpr std::uint32_t adds_up = DAB_OP_STRIDED | DAB_OP_NONDETERMINISTIC;

constexpr int pow_belief = CANN_BELIEF_INTEGER_POW;

// clang-format off
// op, build, symbols, flags, families, dtypes, others, chips that lack types, the types,
// unconfirmed types, the belief
constexpr OpRow rows[] = {
    {DA_OP_NEG, build_unary, {"Neg"}, elementwise, not_on(family_310p),
     real | bits(DA_INT8, DA_INT32, DA_INT64), 0, 0, 0, 0, -1},
    {DA_OP_ABS, build_unary, {"Abs"}, elementwise, not_on(family_310b), numbers, 0, 0, 0, 0, -1},
    {DA_OP_EXP, build_unary, {"Exp"}, elementwise, not_on(old_310 | old_910a), real, 0, 0, 0, 0,
     -1},
    {DA_OP_LOG, build_unary, {"Log"}, elementwise, not_on(old_310 | old_910a), real, 0, 0, 0, 0,
     -1},
    {DA_OP_SQRT, build_unary, {"Sqrt"}, elementwise, not_on(old_310), real, 0, 0, 0, 0, -1},
    {DA_OP_TANH, build_unary, {"Tanh"}, elementwise, not_on(old_310), real16_32, 0, 0, 0, 0, -1},
    {DA_OP_FLOOR, build_unary, {"Floor"}, elementwise, not_on(old_310),
     bits(DA_FLOAT16, DA_FLOAT32, DA_FLOAT64), 0, 0, 0, 0, -1},
    {DA_OP_SIGN, build_unary, {"Sign"}, elementwise, not_on(old_310 | old_910a),
     real | bits(DA_INT32, DA_INT64), 0, 0, 0, 0, -1},
    {DA_OP_ISNAN, build_isnan, {"NeTensor"}, strided, not_on(old_310), real, 0, 0, 0, 0, -1},
    {DA_OP_LOGICAL_NOT, build_unary, {"LogicalNot"}, elementwise, not_on(family_310b), boolean, 0,
     0, 0, 0, -1},

    {DA_OP_ADD, build_add, {"Add", "Adds"}, with_scalar, not_on(old_310), numbers, 0, 0, 0, 0, -1},
    {DA_OP_SUB, build_sub, {"Sub"}, elementwise, not_on(family_310p), numbers, 0, 0, 0, 0, -1},
    {DA_OP_MUL, build_mul, {"Mul", "Muls"}, with_scalar, not_on(family_310b), numbers, 0, 0, 0, 0,
     -1},
    {DA_OP_DIV, build_binary, {"Div"}, elementwise, not_on(family_310p), real, 0, 0, 0, 0, -1},
    {DA_OP_MAXIMUM, build_binary, {"Maximum"}, elementwise, not_on(family_310b), numbers, 0, 0, 0,
     0, -1},
    {DA_OP_MINIMUM, build_binary, {"Minimum"}, elementwise, not_on(family_310b), numbers, 0, 0, 0,
     0, -1},
    {DA_OP_POW, build_binary, {"PowTensorTensor"}, elementwise, family_all, numbers, 0, 0, 0,
     integers, pow_belief},
    {DA_OP_EQUAL, build_binary, {"EqTensor"}, elementwise, not_on(old_310), numbers | boolean, 0, 0,
     0, 0, -1},
    {DA_OP_LESS, build_binary, {"LtTensor"}, elementwise, not_on(family_310p),
     numbers | wide_unsigned, 0, 0, 0, 0, -1},
    {DA_OP_LOGICAL_AND, build_binary, {"LogicalAnd"}, elementwise, not_on(family_310b), boolean, 0,
     0, 0, 0, -1},
    {DA_OP_LOGICAL_OR, build_binary, {"LogicalOr"}, elementwise, not_on(family_310b), boolean, 0, 0,
     0, 0, -1},
    {DA_OP_WHERE, build_where, {"SWhere"}, elementwise, not_on(family_310b), everything, 0, 0, 0, 0,
     -1},

    {DA_OP_CAST, build_cast, {"Cast"}, strided, not_on(family_310b), everything, everything, 0, 0,
     0, -1},
    {DA_OP_COPY, build_copy, {"InplaceCopy", "Flip"}, strided, family_all, everything, 0, 0, 0, 0,
     -1},
    {DA_OP_FILL, build_fill, {"InplaceFillScalar"}, strided, not_on(family_310b), everything, 0,
     old_310p_910a, wide_unsigned, 0, -1},
    {DA_OP_IOTA, build_iota, {"Arange", "InplaceFillScalar"}, strided, not_on(family_310b),
     real | indices, 0, 0, 0, 0, -1},

    {DA_OP_SUM, build_sum, {"ReduceSum"}, strided, not_on(family_310b), numbers, 0, 0, 0, 0, -1},
    {DA_OP_MAX, build_max, {"Amax"}, strided, not_on(family_310b), numbers, 0, 0, 0, 0, -1},
    {DA_OP_ARGMAX, build_argmax, {"ArgMax"}, strided, not_on(family_310b), numbers, 0, 0, 0, 0, -1},

    // cubeMathType 0 keeps float32; the first generation rejects it with float32.
    {DA_OP_MATMUL, build_matmul, {"Matmul", "Mm", "BatchMatMul"}, strided, not_on(family_310b),
     real16_32, 0, old_310p_910a, bits(DA_FLOAT32), 0, -1},
    {DA_OP_TAKE_ALONG_AXIS, build_gather, {"Gather"}, strided, family_a2 | family_a3, everything,
     indices, 0, 0, 0, -1},
    // 16-bit floats must accumulate in float32; whether aclnnScatterAdd does, is not documented.
    {DA_OP_INDEX_ACCUMULATE, build_scatter, {"ScatterAdd"}, adds_up, not_on(old_310 | old_910a),
     numbers & ~short_floats, indices, 0, 0, 0, -1},
};
// clang-format on

} // namespace

const OpRow* op_rows(unsigned* count) {
    *count = sizeof rows / sizeof rows[0];
    return rows;
}

} // namespace device_api::npu
