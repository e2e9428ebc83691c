// SPDX-License-Identifier: Apache-2.0
// Ops: the table of what there are kernels for, and what one call of one needs.
#pragma once

#include "dtypes.hpp"
#include "kernels.hpp"

namespace device_api::simt {

struct OpRow;

/// One call of one op on its way to the device.
struct Call {
    Instance& self;
    Device& device;
    const OpRow& row;
    const dab_call& call;
    void* workspace;

    const da_tensor& input(unsigned i) const { return call.tensors[i]; }
    const da_tensor& output() const { return call.tensors[call.n_inputs]; }
    const da_value& attribute(unsigned i) const { return call.attributes[i]; }
    da_status launch(Handle function, const Grid& grid, void** arguments) const {
        return self.parts.driver->launch(function, grid, call.stream->raw, arguments);
    }
    /// The kernel for a key; `describe` fills in the variant when it must be made.
    template <class Describe>
    da_status kernel(Key key, Handle* function, Describe describe) const {
        if ((*function = find_kernel(device, key)) != nullptr) return DA_OK;
        Variant variant;
        describe(variant);
        return make_kernel(self, call.stream->device, key, variant, function);
    }
};

/// How an elementwise op takes its operands.
enum Mode : unsigned {
    computed = 0,      // widened, rounded once
    in_double = 1,     // the same, but float32 in double
    as_they_are = 2,   // in their own type: no widening
    moved = 3,         // bits of any type of that size
    converted = 4,     // cast
    made_of_scalar = 5 // no operand
};

struct OpRow {
    da_op op;
    da_status (*run)(const Call&);
    da_dtype_mask dtypes; // of the key operand
    std::uint32_t flags;
    const char* file = nullptr;     // source of the op's function
    const char* function = nullptr; // in kernels
    unsigned mode = computed;       // what the family makes of it
    da_dtype_mask others = 0;       // of the second free operand
    /// Bytes of device memory that run needs; null: none.
    da_status (*workspace)(const Call&, std::uint64_t* bytes) = nullptr;
};

struct OpRows {
    const OpRow* rows;
    std::size_t count;
    const OpRow* begin() const { return rows; }
    const OpRow* end() const { return rows + count; }
};

OpRows elementwise_rows();
OpRows structured_rows();
/// Null when there is no such op.
const OpRow* row_of(unsigned op);

constexpr std::uint32_t strided = DAB_OP_STRIDED;
constexpr std::uint32_t elementwise = DAB_OP_STRIDED | DAB_OP_IN_PLACE;
constexpr std::uint32_t with_scalar = elementwise | DAB_OP_IMMEDIATE;

/// First numbers of the families' keys.
enum Family : unsigned {
    family_elementwise = 1,
    family_reduce,
    family_scan,
    family_sort,
    family_search,
    family_index,
    family_window,
    family_normalize,
    family_product,
    family_attention,
};

} // namespace device_api::simt
