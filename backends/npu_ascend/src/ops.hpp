// SPDX-License-Identifier: Apache-2.0
// Operators: the table of what CANN has, and what one call of one needs.
#pragma once

#include <array>

#include "device_api/backend.h"
#include "device_api_npu/cann.h"

namespace device_api::npu {

class Builder;

constexpr unsigned max_symbols = 3;

/// One op and the aclnn operator (or its variants) that is it.
struct OpRow {
    da_op op;
    /// Phase 1: make CANN's objects and get the executor. Returns CANN's code.
    int (*build)(Builder&);
    /// Names without "aclnn"; the first is required, the others are variants that `build` knows.
    const char* symbols[max_symbols];
    std::uint32_t flags;
    unsigned families;        // chips for which the vendor documents it
    da_dtype_mask dtypes;     // of the key operand, where nothing below takes some away
    da_dtype_mask others = 0; // of the second free operand
    unsigned lacking = 0;     // these chips lack the types `lack`
    da_dtype_mask lack = 0;
    da_dtype_mask unsure = 0; // types for which `belief` must hold
    int belief = -1;          // cannBelief; -1: none
};

struct OpRows {
    const OpRow* rows;
    unsigned count;
    const OpRow* begin() const { return rows; }
    const OpRow* end() const { return rows + count; }
};

OpRows elementwise_rows();
OpRows structured_rows();

/// What a process has of an operator.
struct OpSymbols {
    void* phase1 = nullptr;
    aclnnRun_fn phase2 = nullptr;
    explicit operator bool() const { return phase1 && phase2; }
};

struct OpEntry {
    const OpRow* row = nullptr;
    std::array<OpSymbols, max_symbols> symbols;
};

/// CANN's objects for one call, between plan and launch.
struct Plan {
    aclTensor* tensors[4];
    aclScalar* scalars[3];
    aclIntArray* ints[4];
    aclOpExecutor* executor;
    std::uint64_t workspace; // CANN's
    std::uint64_t scratch;   // for outputs that the op does not have; before CANN's
    aclnnRun_fn run;
    unsigned n_tensors;
    unsigned n_scalars;
    unsigned n_ints;
    bool used;
    bool pooled;
};

} // namespace device_api::npu
