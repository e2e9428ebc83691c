// SPDX-License-Identifier: Apache-2.0
// Facts of each op, from the op table.
#pragma once

#include "device_api/ops.h"

namespace device_api::core {

struct OpInfo {
    const char* name;
    da_op_kind kind;
    da_result result;
    uint8_t n_inputs;
    uint8_t key; // index of the operand whose type the table lists; n_inputs is the output
    uint8_t n_attributes;
    uint16_t version;
    da_dtype_mask dtypes;
    da_dtype_mask others;
};

// For 0 < op <= DA_OP_COUNT; number 0 is an entry with the name "none".
const OpInfo& op_info(uint16_t op);

// As dah_attribute_kind.
char attribute_kind(const OpInfo& info, int index);

// Ops whose operands all have the output's shape.
inline bool is_elementwise(da_op_kind kind) {
    return kind <= DA_KIND_COPY || kind == DA_KIND_ACTIVATION;
}

// Element N identifies the first N ops.
extern const uint64_t op_table_hashes[DA_OP_COUNT + 1];

} // namespace device_api::core
