// SPDX-License-Identifier: Apache-2.0
// Phase 1 by signature: one function for each way in which aclnn operators take their parameters.
#pragma once

namespace device_api::npu {

class Builder;

int build_unary(Builder& b);
int build_isnan(Builder& b); // x != x
int build_binary(Builder& b);
int build_add(Builder& b); // x1 + 1 * x2; variant 1 takes a scalar
int build_sub(Builder& b); // x1 - 1 * x2
int build_mul(Builder& b); // variant 1 takes a scalar
int build_where(Builder& b);
int build_cast(Builder& b);
int build_copy(Builder& b); // variant 1 flips
int build_fill(Builder& b);
int build_iota(Builder& b); // variant 1 fills, for a step of 0
int build_sum(Builder& b);
int build_max(Builder& b);
int build_argmax(Builder& b);
int build_matmul(Builder& b); // variant 1 for rank 2, variant 2 for rank 3
int build_gather(Builder& b);
int build_scatter(Builder& b);
int build_put(Builder& b);

int build_gelu(Builder& b); // by erf or by tanh
int build_softplus(Builder& b);
int build_leaky_relu(Builder& b);
int build_elu(Builder& b);

int build_min(Builder& b);
int build_prod(Builder& b); // one axis, or several that are one; variant 1 all of them
int build_any(Builder& b);  // and all
int build_cumsum(Builder& b);
int build_cumprod(Builder& b);
int build_sort(Builder& b);
int build_argsort(Builder& b);
int build_topk(Builder& b);
int build_searchsorted(Builder& b);

int build_softmax(Builder& b);
int build_layer_norm(Builder& b);
int build_rms_norm(Builder& b);
int build_convolution(Builder& b);
int build_max_pool(Builder& b);
int build_avg_pool(Builder& b);

} // namespace device_api::npu
