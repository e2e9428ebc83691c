// SPDX-License-Identifier: Apache-2.0
// Phase 1: what is checked for every operator, and the checks of each family.
#pragma once

#include "operator.hpp"
#include "shapes.hpp"

namespace cann_sim {

/// Nulls, handles, chip, types, formats, ranks, storage; fills the plan's objects.
aclnnStatus check_arguments(Phase1& p);

/// The output has exactly this shape?
aclnnStatus expect_shape(const Phase1& p, const Shape& shape);
/// A result of this type may be written to the output?
aclnnStatus expect_converts(const Phase1& p, aclDataType result);
/// The scalar as the engine's.
aclnnStatus read_scalar(Phase1& p, std::size_t i);

aclnnStatus check_unary(Phase1& p);
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

} // namespace cann_sim
