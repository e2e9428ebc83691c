// SPDX-License-Identifier: Apache-2.0
// Phase 1: what is checked for every operator, and the checks of each family.
#pragma once

#include "operator.hpp"
#include "shapes.hpp"

namespace cann_sim {

/// Nulls, handles, chip, types, formats, ranks, storage; fills the plan's objects.
aclnnStatus check_arguments(Phase1& p);

/// Types of operands that have types of their own, by name (index and condition, say); 0: none.
Mask special_types(const char* name);

/// Output i has exactly this shape?
aclnnStatus expect_shape(const Phase1& p, const Shape& shape, std::size_t i = 0);
/// A result of this type may be written to the output?
aclnnStatus expect_converts(const Phase1& p, aclDataType result);
/// The cubeMathType fits the type of the operands; decides how they are rounded.
aclnnStatus check_cube(Phase1& p, aclDataType common);
/// The scalar as the engine's.
aclnnStatus read_scalar(Phase1& p, std::size_t i);

aclnnStatus check_unary(Phase1& p);
aclnnStatus check_activation(Phase1& p);
aclnnStatus check_gelu(Phase1& p);
aclnnStatus check_binary(Phase1& p);
aclnnStatus check_scalar(Phase1& p);
aclnnStatus check_select(Phase1& p);
aclnnStatus check_cast(Phase1& p);
aclnnStatus check_copy(Phase1& p);
aclnnStatus check_fill(Phase1& p);
aclnnStatus check_zero(Phase1& p);
aclnnStatus check_arange(Phase1& p);
aclnnStatus check_sum(Phase1& p);
aclnnStatus check_reduce(Phase1& p);
aclnnStatus check_arg_reduce(Phase1& p);
aclnnStatus check_matmul(Phase1& p);
aclnnStatus check_gather(Phase1& p);
aclnnStatus check_scatter(Phase1& p);
aclnnStatus check_flip(Phase1& p);
aclnnStatus check_prod(Phase1& p);
aclnnStatus check_prod_axis(Phase1& p);
aclnnStatus check_logical_reduce(Phase1& p);
aclnnStatus check_scan(Phase1& p);
aclnnStatus check_scan_scalar(Phase1& p);
aclnnStatus check_sort(Phase1& p);
aclnnStatus check_topk(Phase1& p);
aclnnStatus check_search(Phase1& p);
aclnnStatus check_softmax(Phase1& p);
aclnnStatus check_layer_norm(Phase1& p);
aclnnStatus check_rms_norm(Phase1& p);
aclnnStatus check_convolution(Phase1& p);
aclnnStatus check_max_pool(Phase1& p);
aclnnStatus check_avg_pool(Phase1& p);

} // namespace cann_sim
