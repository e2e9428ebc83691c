// SPDX-License-Identifier: Apache-2.0
// The capability table: what this chip and this CANN have of the operators.
#include <string>

#include "chip.hpp"
#include "device_api/adapter/member.hpp"
#include "instance.hpp"
#include "plan.hpp"

namespace device_api::npu {
namespace {

constexpr unsigned without_bfloat16 = family_910a | family_310p | family_310b;

OpSymbols find_symbols(const Cann& cann, const char* name) {
    if (!name) return {};
    const std::string phase2 = std::string("aclnn") + name;
    OpSymbols symbols;
    symbols.phase1 = operator_symbol(cann, (phase2 + "GetWorkspaceSize").c_str());
    symbols.phase2 = reinterpret_cast<aclnnRun_fn>(operator_symbol(cann, phase2.c_str()));
    return symbols;
}

// Chips that the documentation does not name often have the operator all the same; only with
// DEVICE_API_UNCONFIRMED=1 on real hardware.
bool offered(const Instance& self, const OpRow& row) {
    if (row.families & self.family) return true;
    return !self.cann.simulated && self.cann.allow_unconfirmed;
}

// The key operand's types on this chip.
da_dtype_mask types_of(const Instance& self, const OpRow& row, da_dtype_mask types) {
    const bool known = self.family != family_unknown;
    if (!known || (self.family & without_bfloat16)) types &= ~DA_DTYPE_BIT(DA_BFLOAT16);
    if (!known || (self.family & row.lacking)) types &= ~row.lack;
    return types;
}

da_dtype_mask sure_types(const Instance& self, const OpRow& row) {
    const bool sure = row.belief < 0 || relies_on(self.cann, static_cast<cannBelief>(row.belief));
    return row.dtypes & ~(sure ? 0 : row.unsure);
}

dab_op make_op(const Instance& self, const OpRow& row) {
    dab_op op{};
    op.size = sizeof op;
    op.op = static_cast<std::uint16_t>(row.op);
    op.version = 1;
    op.flags = row.flags;
    op.dtypes = types_of(self, row, sure_types(self, row));
    op.others = types_of(self, row, row.others);
    op.plan = Member<plan>::call;
    op.launch = Member<launch, true>::call;
    op.abandon = abandon;
    return op;
}

void build_table(Instance& self) {
    for (const OpRows& rows : {elementwise_rows(), structured_rows()})
        for (const OpRow& row : rows) {
            OpEntry& entry = self.op_entries[row.op];
            for (unsigned s = 0; s < max_symbols; ++s)
                entry.symbols[s] = find_symbols(self.cann, row.symbols[s]);
            if (!offered(self, row) || !entry.symbols[0]) continue;
            const dab_op op = make_op(self, row);
            if (!op.dtypes) continue;
            entry.row = &row;
            self.ops.push_back(op);
        }
}

} // namespace

da_status op_table(Instance& self, std::int32_t device, const dab_op** ops, std::uint32_t* count,
                   std::uint32_t* stride) {
    if (const da_status status = check_device(self, device)) return status;
    const std::lock_guard<std::mutex> guard(self.lock);
    if (!self.ops_built) {
        if (const da_status status = open_operators(self.cann)) return status;
        build_table(self);
        self.ops_built = true;
    }
    *ops = self.ops.data();
    *count = static_cast<std::uint32_t>(self.ops.size());
    *stride = sizeof(dab_op);
    return DA_OK;
}

} // namespace device_api::npu
