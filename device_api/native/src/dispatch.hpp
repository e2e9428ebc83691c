// SPDX-License-Identifier: Apache-2.0
// Running one primitive: natively where the device has it, else by the fallback policy.
#pragma once

#include "op_info.hpp"
#include "shape.hpp"
#include "stream.hpp"

namespace device_api::core {

// Operands: inputs, then the output. Shapes are as the contract wants them, but for density.
struct Call {
    Device* device;
    dah_stream* stream;
    uint16_t op;
    int n_inputs;
    da_tensor tensors[max_operands];
    Block* blocks[max_operands]; // NULL for foreign memory and immediates
    const da_value* attributes;
};

// Why the device cannot run the call natively, or NULL when it can as far as its table says.
const char* missing(const Call& call);

// Natively only; DA_NOT_SUPPORTED without it (the error is set).
da_status run_native(Call& call);

// Natively, or on the host by the policy.
da_status execute(Call& call);

// On the host: moves the operands there and back, and counts it.
da_status fall_back(Call& call, const char* reason);

// The bytes that a view spans, from its lowest to past its highest element.
struct Span {
    char* low;
    uint64_t bytes;
};
Span span_of(const da_tensor& t);

// Fills in an operand from a tensor as it is.
inline void operand(Call& call, int k, const Tensor& t) {
    describe(t, &call.tensors[k]);
    call.blocks[k] = t.block;
}

// Runs an elementwise op into `out` (any strides, not overlapping the inputs unless the same
// view). Inputs broadcast to its shape; `immediate` >= 0 marks that input as a host scalar whose
// element stands at `scalar`.
da_status run_elementwise(uint16_t op, Device& device, Tensor* const* inputs, int n_inputs,
                          Tensor& out, int immediate = -1, const void* scalar = nullptr,
                          uint16_t scalar_dtype = 0, const da_value* attributes = nullptr);

} // namespace device_api::core
