// SPDX-License-Identifier: Apache-2.0
// Element types in CANN's numbers, and scalars in an element type.
#pragma once

#include <cstddef>

#include "device_api/types.h"
#include "device_api_npu/cann.h"

namespace device_api::npu {

constexpr da_dtype_mask bits() {
    return 0;
}
template <class... Rest>
constexpr da_dtype_mask bits(da_dtype first, Rest... rest) {
    return DA_DTYPE_BIT(first) | bits(rest...);
}

aclDataType acl_type(unsigned dtype);
std::size_t element_size(unsigned dtype);

/// One element, as bytes in its own type.
struct Element {
    alignas(16) unsigned char bytes[16];
};

/// `value` rounded once, half to even, to `dtype`.
Element element_of(const da_value& value, unsigned dtype);

} // namespace device_api::npu
