// SPDX-License-Identifier: Apache-2.0
// Words of the tables of operators: chips, types, flags.
//
// From the operator documentation (CANN 9, which also holds for 8.1): a chip that the
// documentation does not name, or a type that it does not list, is left out, so the host computes
// elsewhere and says so. bfloat16 is taken away in one place (op_table.cpp) on chips without it.
#pragma once

#include "chip.hpp"
#include "dtypes.hpp"
#include "ops.hpp"

namespace device_api::npu {

constexpr unsigned not_on(unsigned families) {
    return family_all & ~families;
}
constexpr unsigned old_310 = family_310p | family_310b;
constexpr unsigned all_but_950 = not_on(family_950);

constexpr da_dtype_mask boolean = bits(DA_BOOL);
constexpr da_dtype_mask wide_unsigned = bits(DA_UINT16, DA_UINT32, DA_UINT64);
constexpr da_dtype_mask short_floats = bits(DA_FLOAT16, DA_BFLOAT16);
constexpr da_dtype_mask up_to_f32 = bits(DA_FLOAT16, DA_BFLOAT16, DA_FLOAT32);
constexpr da_dtype_mask no_bfloat16 = bits(DA_FLOAT16, DA_FLOAT32, DA_FLOAT64);
constexpr da_dtype_mask real = up_to_f32 | bits(DA_FLOAT64);
constexpr da_dtype_mask integers = bits(DA_INT8, DA_INT16, DA_INT32, DA_INT64, DA_UINT8);
constexpr da_dtype_mask numbers = real | integers; // what arithmetic takes: no u16, u32, u64
constexpr da_dtype_mask indices = bits(DA_INT32, DA_INT64);
constexpr da_dtype_mask everything = numbers | wide_unsigned | boolean;

constexpr std::uint32_t strided = DAB_OP_STRIDED;
constexpr std::uint32_t elementwise = DAB_OP_STRIDED | DAB_OP_IN_PLACE;
constexpr std::uint32_t with_scalar = elementwise | DAB_OP_IMMEDIATE;
constexpr std::uint32_t adds_up = DAB_OP_STRIDED | DAB_OP_NONDETERMINISTIC;

} // namespace device_api::npu
