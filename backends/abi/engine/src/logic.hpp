// SPDX-License-Identifier: Apache-2.0
// Logical operations where all operands are of bool.
#pragma once

#include "device_api/engine/kernels.hpp"

namespace device_api::engine {

enum class Logic : int { conjunction, disjunction, difference, negation };

inline bool all_bool(const Tensor& a, const Tensor& b, const Tensor& out) {
    return a.dtype == DType::boolean && b.dtype == DType::boolean && out.dtype == DType::boolean;
}

/// Operands are broadcast to out's shape already; `b` is not used by a negation.
Status logic(TaskContext& ctx, Logic op, const Tensor& a, const Tensor& b, const Tensor& out);

} // namespace device_api::engine
