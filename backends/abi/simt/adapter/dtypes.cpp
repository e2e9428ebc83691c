// SPDX-License-Identifier: Apache-2.0
// The table of element types.
#include "dtypes.hpp"

namespace device_api::simt {
namespace {

constexpr Dtype rows[DA_DTYPE_COUNT] = {
    {"Bool", "bool", 1},     {"i8", "i8", 1},         {"i16", "i16", 2},
    {"i32", "i32", 4},       {"i64", "i64", 8},       {"u8", "u8", 1},
    {"u16", "u16", 2},       {"u32", "u32", 4},       {"u64", "u64", 8},
    {"Half", "float", 2},    {"Bfloat", "float", 2},  {"float", "float", 4},
    {"double", "double", 8}, {"Cfloat", "Cfloat", 8}, {"Cdouble", "Cdouble", 16},
};

} // namespace

const Dtype& dtype_row(unsigned dtype) {
    return rows[dtype];
}

const char* raw_name(unsigned bytes) {
    return bytes == 1   ? "u8"
           : bytes == 2 ? "u16"
           : bytes == 4 ? "u32"
           : bytes == 8 ? "u64"
                        : "Cdouble";
}

} // namespace device_api::simt
