// SPDX-License-Identifier: Apache-2.0
// Data types: sizes, names, promotion, and host values of each type.
#pragma once

#include "device_api/host.h"

namespace device_api::core {

inline constexpr uint8_t dtype_sizes[DA_DTYPE_COUNT] = {1, 1, 2, 4, 8, 1, 2, 4,
                                                        8, 2, 2, 4, 8, 8, 16};
inline uint8_t dtype_size(uint16_t dtype) {
    return dtype_sizes[dtype];
}
const char* dtype_name(uint16_t dtype);

// 'b', 'i', 'u', 'f' or 'c'.
inline char dtype_kind(uint16_t dtype) {
    return "biiiiuuuuffffcc"[dtype];
}

inline constexpr uint16_t default_float = DAH_DEFAULT_FLOAT;
inline constexpr uint16_t default_int = DAH_DEFAULT_INT;

// The array API's promotion table, and beyond it: bool gives way to any other type, integers to
// floating types; -1 for uint64 with a signed type, where no type holds both.
int promote(uint16_t a, uint16_t b);

// Type of an op between a tensor of type `dtype` and a Python-like scalar of `kind`; -1 when the
// array API defines none and no reading is safe (an integer type for a bool scalar is fine).
int promote_scalar(uint16_t dtype, char kind);

// The real type of a complex one and the other way round, of equal precision.
inline uint16_t real_dtype(uint16_t dtype) {
    if (dtype < DA_COMPLEX64) return dtype;
    return dtype == DA_COMPLEX64 ? uint16_t{DA_FLOAT32} : uint16_t{DA_FLOAT64};
}
inline uint16_t complex_dtype(uint16_t dtype) {
    return dtype == DA_FLOAT64 ? uint16_t{DA_COMPLEX128} : uint16_t{DA_COMPLEX64};
}

// Writes one element of type `dtype`. False when the value does not fit the type: an integer out
// of range, a complex number for a real type.
bool store_scalar(const dah_scalar& scalar, uint16_t dtype, void* element);

// As an op's attribute of that type.
bool scalar_value(const dah_scalar& scalar, uint16_t dtype, da_value* value);

} // namespace device_api::core
