// SPDX-License-Identifier: Apache-2.0
// Element types: their names in kernels, and sets of them.
#pragma once

#include <cstdint>

#include "device_api/types.h"

namespace device_api::simt {

struct Dtype {
    const char* stored; // in memory
    const char* wide;   // that arithmetic happens in
    unsigned bytes;
};
const Dtype& dtype_row(unsigned dtype);
/// The unsigned type, or pair, of as many bytes: for what only moves.
const char* raw_name(unsigned bytes);

template <class... T>
constexpr da_dtype_mask types(T... dtype) {
    return (DA_DTYPE_BIT(dtype) | ...);
}
constexpr da_dtype_mask half_types = types(DA_FLOAT16, DA_BFLOAT16);
constexpr da_dtype_mask wide_types = types(DA_FLOAT32, DA_FLOAT64);
constexpr da_dtype_mask floating_types = half_types | wide_types;
constexpr da_dtype_mask signed_types = types(DA_INT8, DA_INT16, DA_INT32, DA_INT64);
constexpr da_dtype_mask unsigned_types = types(DA_UINT8, DA_UINT16, DA_UINT32, DA_UINT64);
constexpr da_dtype_mask integer_types = signed_types | unsigned_types;
constexpr da_dtype_mask numeric_types = integer_types | floating_types;
constexpr da_dtype_mask complex_types = types(DA_COMPLEX64, DA_COMPLEX128);
constexpr da_dtype_mask bool_type = types(DA_BOOL);
constexpr da_dtype_mask all_types = bool_type | numeric_types | complex_types;
constexpr da_dtype_mask index_types = types(DA_INT32, DA_INT64);

constexpr bool in(da_dtype_mask mask, unsigned dtype) {
    return (mask >> dtype & 1) != 0;
}

} // namespace device_api::simt
