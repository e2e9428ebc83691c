// SPDX-License-Identifier: Apache-2.0
// Phase 1 of the elementwise families, and of copies, fills and ranges.
#include <cmath>

#include "checks.hpp"

namespace cann_sim {

namespace {

bool is_floating(aclDataType type) {
    return (bit(type) & floats) != 0;
}

// The type to compute in, once operands have the type `common`; and whether the result fits.
aclnnStatus settle_types(Phase1& p, aclDataType common) {
    const bool to_float = (p.row.flags & float_result) && !is_floating(common);
    p.plan.compute = to_float ? ACL_FLOAT : common;
    return expect_converts(p, (p.row.flags & bool_result) ? ACL_BOOL : p.plan.compute);
}

aclnnStatus no_promotion(const Phase1& p, aclDataType a, aclDataType b) {
    return p.call.fail(ACLNN_ERR_PARAM_INVALID, "%s and %s do not promote to a common type",
                       dtype_name(a), dtype_name(b));
}

// alpha converts to the type that the operation is done in.
aclnnStatus check_alpha(Phase1& p, std::size_t i) {
    if (p.scalars.size() <= i) return ACLNN_SUCCESS;
    if (!converts(p.scalars[i]->dtype, p.plan.compute) ||
        (is_floating(p.scalars[i]->dtype) && !is_floating(p.plan.compute)))
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "alpha of %s does not convert to %s",
                           dtype_name(p.scalars[i]->dtype), dtype_name(p.plan.compute));
    return read_scalar(p, i);
}

aclnnStatus broadcast_two(const Phase1& p, const Shape& a, const Shape& b, Shape* out) {
    if (broadcast(a, b, out)) return ACLNN_SUCCESS;
    return p.call.fail(ACLNN_ERR_PARAM_INVALID, "shapes %s and %s do not broadcast",
                       text(a).c_str(), text(b).c_str());
}

} // namespace

aclnnStatus check_unary(Phase1& p) {
    if (aclnnStatus s = expect_shape(p, p.in(0).dims)) return s;
    return settle_types(p, p.in(0).dtype);
}

aclnnStatus check_activation(Phase1& p) {
    if (aclnnStatus s = check_unary(p)) return s;
    for (std::size_t i = 0; i < p.scalars.size(); ++i)
        if (aclnnStatus s = read_scalar(p, i)) return s;
    return ACLNN_SUCCESS;
}

aclnnStatus check_gelu(Phase1& p) {
    const std::int64_t approximate = p.plan.numbers[0];
    if (approximate != 0 && approximate != 1)
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "approximate is %lld; 0 is erf, 1 is tanh",
                           static_cast<long long>(approximate));
    return check_unary(p);
}

aclnnStatus check_binary(Phase1& p) {
    const TensorObject &a = p.in(0), &b = p.in(1);
    const aclDataType common = promote(a.dtype, b.dtype);
    if (common == ACL_DT_UNDEFINED) return no_promotion(p, a.dtype, b.dtype);
    if ((p.row.flags & no_bool_pair) && common == ACL_BOOL)
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "self and exponent may not both be bool");
    Shape shape;
    if (aclnnStatus s = broadcast_two(p, a.dims, b.dims, &shape)) return s;
    if (aclnnStatus s = expect_shape(p, shape)) return s;
    if (aclnnStatus s = settle_types(p, common)) return s;
    return check_alpha(p, 0);
}

aclnnStatus check_scalar(Phase1& p) {
    const aclDataType common = promote_scalar(p.in(0).dtype, p.scalars[0]->dtype);
    if (common == ACL_DT_UNDEFINED) return no_promotion(p, p.in(0).dtype, p.scalars[0]->dtype);
    if (aclnnStatus s = expect_shape(p, p.in(0).dims)) return s;
    if (aclnnStatus s = settle_types(p, common)) return s;
    if (aclnnStatus s = read_scalar(p, 0)) return s;
    return check_alpha(p, 1);
}

aclnnStatus check_select(Phase1& p) {
    const TensorObject &condition = p.in(0), &a = p.in(1), &b = p.in(2);
    const aclDataType common = promote(a.dtype, b.dtype);
    if (common == ACL_DT_UNDEFINED) return no_promotion(p, a.dtype, b.dtype);
    Shape values, shape;
    if (aclnnStatus s = broadcast_two(p, a.dims, b.dims, &values)) return s;
    if (aclnnStatus s = broadcast_two(p, condition.dims, values, &shape)) return s;
    if (aclnnStatus s = expect_shape(p, shape)) return s;
    return settle_types(p, common);
}

aclnnStatus check_cast(Phase1& p) {
    if (p.arguments.dtype != p.out().dtype)
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "dtype is %s, out is %s; they must be equal",
                           dtype_name(p.arguments.dtype), dtype_name(p.out().dtype));
    p.plan.compute = p.out().dtype;
    return expect_shape(p, p.in(0).dims);
}

aclnnStatus check_copy(Phase1& p) {
    if (!broadcasts_to(p.in(0).dims, p.out().dims))
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "src %s does not broadcast to selfRef %s",
                           text(p.in(0).dims).c_str(), text(p.out().dims).c_str());
    p.plan.compute = p.out().dtype;
    return ACLNN_SUCCESS;
}

aclnnStatus check_fill(Phase1& p) {
    p.plan.compute = p.out().dtype;
    return read_scalar(p, 0);
}

aclnnStatus check_zero(Phase1& p) {
    p.plan.compute = p.out().dtype;
    return ACLNN_SUCCESS;
}

// The length is computed in f32 where a scalar is f32, as the kernel does; otherwise in double.
aclnnStatus check_arange(Phase1& p) {
    bool single = false;
    for (std::size_t i = 0; i < 3; ++i) {
        if (!(bit(p.scalars[i]->dtype) & p.row.inputs))
            return p.call.fail(ACLNN_ERR_PARAM_INVALID, "%s: %s is not supported",
                               p.arguments.scalars[i].name, dtype_name(p.scalars[i]->dtype));
        if (aclnnStatus s = read_scalar(p, i)) return s;
        single = single || p.scalars[i]->dtype == ACL_FLOAT;
    }
    const double start = p.plan.scalars[0].as_double(), end = p.plan.scalars[1].as_double(),
                 step = p.plan.scalars[2].as_double();
    if (step == 0 || (end - start) / step < 0 || !std::isfinite((end - start) / step))
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "step %g does not lead from %g to %g", step,
                           start, end);
    const double length = single ? std::ceil((static_cast<float>(end) - static_cast<float>(start)) /
                                             static_cast<float>(step))
                                 : std::ceil((end - start) / step);
    p.plan.compute = p.out().dtype;
    return expect_shape(p, {static_cast<std::int64_t>(length)});
}

} // namespace cann_sim
