// SPDX-License-Identifier: Apache-2.0
// Facts of each op, from the op table.
#include "op_info.hpp"

#include "device_api/host.h"

namespace device_api::core {

#define DA_ROW(id, NAME, name, version, KIND, inputs, attributes, key, types, RESULT, others, c)   \
    {#name, DA_KIND_##KIND, DA_RESULT_##RESULT, inputs, key, attributes, version, types, others},
static const OpInfo table[DA_OP_COUNT + 1] = {
    {"none", DA_KIND_UNARY, DA_RESULT_KEY, 0, 0, 0, 0, 0, 0}, DA_OPS(DA_ROW)};
#undef DA_ROW

const OpInfo& op_info(uint16_t op) {
    return table[op <= DA_OP_COUNT ? op : 0];
}

char attribute_kind(const OpInfo& info, int index) {
    if (index < 0 || index >= info.n_attributes) return 0;
    switch (info.kind) {
    case DA_KIND_FILL:
    case DA_KIND_IOTA:
    case DA_KIND_ACTIVATION: return 's';
    case DA_KIND_REDUCE: return 'm';
    case DA_KIND_ARG_REDUCE:
    case DA_KIND_GATHER:
    case DA_KIND_SCATTER:
    case DA_KIND_SCAN: return 'a';
    case DA_KIND_SORT: return index ? 'u' : 'a';
    case DA_KIND_NORMALIZE: return info.n_inputs == 1 ? 'a' : 's'; // along an axis, or affine
    case DA_KIND_ATTENTION: return index ? 'u' : 's';
    default: return 'u';
    }
}

const uint64_t op_table_hashes[DA_OP_COUNT + 1] = DA_OP_TABLE_HASHES;

} // namespace device_api::core

char dah_attribute_kind(uint16_t op, int32_t index) {
    return device_api::core::attribute_kind(device_api::core::op_info(op), index);
}
