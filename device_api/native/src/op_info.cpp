// SPDX-License-Identifier: Apache-2.0
// Facts of each op, from the op table.
#include "op_info.hpp"

namespace device_api::core {

#define DA_ROW(id, NAME, name, version, KIND, inputs, attributes, key, types, RESULT, others, c)   \
    {#name, DA_KIND_##KIND, DA_RESULT_##RESULT, inputs, key, attributes, version, types, others},
static const OpInfo table[DA_OP_COUNT + 1] = {
    {"none", DA_KIND_UNARY, DA_RESULT_KEY, 0, 0, 0, 0, 0, 0}, DA_OPS(DA_ROW)};
#undef DA_ROW

const OpInfo& op_info(uint16_t op) {
    return table[op <= DA_OP_COUNT ? op : 0];
}

const uint64_t op_table_hashes[DA_OP_COUNT + 1] = DA_OP_TABLE_HASHES;

} // namespace device_api::core
