// SPDX-License-Identifier: Apache-2.0
// Phase 1 of reductions, matrix products, gather and scatter.
#include "checks.hpp"

namespace cann_sim {

namespace {

aclnnStatus reduction_axes(Phase1& p, const Shape& axes, bool needs_elements) {
    const TensorObject& self = p.in(0);
    if (!normalise_axes(axes, self.dims.size(), &p.plan.axes))
        return p.call.fail(ACLNN_ERR_PARAM_INVALID,
                           "axes %s are out of range or repeated for rank %zu", text(axes).c_str(),
                           self.dims.size());
    for (std::int64_t axis : p.plan.axes)
        if (needs_elements && self.dims[static_cast<std::size_t>(axis)] == 0)
            return p.call.fail(ACLNN_ERR_PARAM_INVALID, "axis %lld to reduce is empty",
                               static_cast<long long>(axis));
    return expect_shape(p, reduced(self.dims, p.plan.axes, p.arguments.keep_dims));
}

struct CubeRule {
    int type;   // cubeMathType
    Mask mixes; // promoted types that it takes on A2, A3, 950
    MatrixRounding f32_new;
    Mask old_mixes; // on 910A and 310P; 0: not supported
    MatrixRounding f32_old;
};

constexpr Mask cube_all = f32 | f16 | bf16;
constexpr CubeRule cube_rules[] = {
    {ACL_CUBE_KEEP_DTYPE, cube_all, MatrixRounding::none, f16, MatrixRounding::none},
    {ACL_CUBE_ALLOW_FP32_DOWN_PRECISION, cube_all, MatrixRounding::hf32, f16 | f32,
     MatrixRounding::f16},
    {ACL_CUBE_USE_FP16, f16 | f32, MatrixRounding::f16, f16 | f32, MatrixRounding::f16},
    {ACL_CUBE_USE_HF32, f32, MatrixRounding::hf32, 0, MatrixRounding::none},
    {ACL_CUBE_USE_FP32_ADD, cube_all, MatrixRounding::none, 0, MatrixRounding::none},
};

} // namespace

aclnnStatus check_cube(Phase1& p, aclDataType common) {
    const int type = p.arguments.cube_math_type;
    const bool old = (chip().family & (chip_910a | chip_310p)) != 0;
    for (const CubeRule& rule : cube_rules) {
        if (rule.type != type) continue;
        if (!(bit(common) & (old ? rule.old_mixes : rule.mixes)))
            return p.call.fail(ACLNN_ERR_PARAM_INVALID,
                               "cubeMathType %d is not supported for %s on %s", type,
                               dtype_name(common), chip().soc);
        if (common == ACL_FLOAT) p.plan.rounding = old ? rule.f32_old : rule.f32_new;
        return ACLNN_SUCCESS;
    }
    return p.call.fail(ACLNN_ERR_PARAM_INVALID, "cubeMathType %d is unknown", type);
}

namespace {

aclnnStatus check_matrix_ranks(const Phase1& p) {
    const std::size_t a = p.in(0).dims.size(), b = p.in(1).dims.size();
    const std::size_t exact = static_cast<std::size_t>(p.row.kernel); // 0: any from 1 to 6
    const bool fits = exact ? a == exact && b == exact : a >= 1 && a <= 6 && b >= 1 && b <= 6;
    if (!fits)
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "ranks %zu and %zu are not supported", a, b);
    if (exact == 3 && p.in(0).dims[0] != p.in(1).dims[0])
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "batches %lld and %lld differ",
                           static_cast<long long>(p.in(0).dims[0]),
                           static_cast<long long>(p.in(1).dims[0]));
    return ACLNN_SUCCESS;
}

// Axis and ranks.
aclnnStatus check_index(Phase1& p, const TensorObject& index) {
    if (!normalise_axes({p.arguments.axis}, p.in(0).dims.size(), &p.plan.axes))
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "dim %lld is out of range for rank %zu",
                           static_cast<long long>(p.arguments.axis), p.in(0).dims.size());
    if (index.dims.size() != p.in(0).dims.size() || index.dims.size() > rank_limit)
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "index has rank %zu, self has %zu",
                           index.dims.size(), p.in(0).dims.size());
    return ACLNN_SUCCESS;
}

aclnnStatus within(const Phase1& p, const Shape& index, const Shape& other, std::int64_t skip_axis,
                   const char* name) {
    for (std::size_t i = 0; i < index.size(); ++i)
        if (static_cast<std::int64_t>(i) != skip_axis && index[i] > other[i])
            return p.call.fail(ACLNN_ERR_PARAM_INVALID, "index %s is larger than %s %s",
                               text(index).c_str(), name, text(other).c_str());
    return ACLNN_SUCCESS;
}

std::int64_t axis_of(const Phase1& p) {
    return p.plan.axes.empty() ? -1 : p.plan.axes[0];
}

} // namespace

aclnnStatus check_sum(Phase1& p) {
    if (p.arguments.dtype != p.out().dtype)
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "dtype is %s, out is %s; they must be equal",
                           dtype_name(p.arguments.dtype), dtype_name(p.out().dtype));
    p.plan.compute = p.arguments.dtype;
    if (aclnnStatus s = expect_converts(p, p.in(0).dtype)) return s;
    return reduction_axes(p, p.ints(0), false);
}

aclnnStatus check_reduce(Phase1& p) {
    p.plan.compute = p.in(0).dtype;
    if (aclnnStatus s = expect_converts(p, p.in(0).dtype)) return s;
    return reduction_axes(p, p.ints(0), true);
}

namespace {

aclnnStatus check_product(Phase1& p, const Shape& axes) {
    if (p.arguments.dtype != p.out().dtype)
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "dtype is %s, out is %s; they must be equal",
                           dtype_name(p.arguments.dtype), dtype_name(p.out().dtype));
    p.plan.compute = p.arguments.dtype;
    if (aclnnStatus s = expect_converts(p, p.in(0).dtype)) return s;
    return reduction_axes(p, axes, false);
}

} // namespace

aclnnStatus check_prod(Phase1& p) {
    return check_product(p, {});
}

aclnnStatus check_prod_axis(Phase1& p) {
    return check_product(p, {p.arguments.axis});
}

aclnnStatus check_logical_reduce(Phase1& p) {
    p.plan.compute = p.in(0).dtype;
    if (aclnnStatus s = expect_converts(p, ACL_BOOL)) return s;
    return reduction_axes(p, p.ints(0), false);
}

aclnnStatus check_arg_reduce(Phase1& p) {
    p.plan.compute = p.in(0).dtype;
    return reduction_axes(p, {p.arguments.axis}, true);
}

aclnnStatus check_matmul(Phase1& p) {
    const aclDataType common = promote(p.in(0).dtype, p.in(1).dtype);
    if (common == ACL_DT_UNDEFINED)
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "the matrices do not promote");
    if (aclnnStatus s = check_matrix_ranks(p)) return s;
    Shape shape;
    if (!matrix_product(p.in(0).dims, p.in(1).dims, &shape))
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "%s and %s do not multiply",
                           text(p.in(0).dims).c_str(), text(p.in(1).dims).c_str());
    if (aclnnStatus s = expect_shape(p, shape)) return s;
    p.plan.compute = common;
    if (aclnnStatus s = expect_converts(p, common)) return s;
    return check_cube(p, common);
}

aclnnStatus check_gather(Phase1& p) {
    const TensorObject &self = p.in(0), &index = p.in(1);
    p.plan.compute = self.dtype;
    if (self.dtype != p.out().dtype)
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "out is %s, self is %s; they must be equal",
                           dtype_name(p.out().dtype), dtype_name(self.dtype));
    if (aclnnStatus s = check_index(p, index)) return s;
    if (aclnnStatus s = within(p, index.dims, self.dims, axis_of(p), "self")) return s;
    return expect_shape(p, index.dims);
}

aclnnStatus check_scatter(Phase1& p) {
    const TensorObject &self = p.in(0), &index = p.in(1), &src = p.in(2);
    if (!p.plan.numbers.empty() && p.plan.numbers[0] != 0 && p.plan.numbers[0] != 1)
        return p.call.fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
                           "the simulator has no kernel for reduce %lld",
                           static_cast<long long>(p.plan.numbers[0]));
    p.plan.compute = self.dtype;
    if (self.dtype != src.dtype || self.dtype != p.out().dtype)
        return p.call.fail(ACLNN_ERR_PARAM_INVALID,
                           "self is %s, src %s, out %s; one type is needed", dtype_name(self.dtype),
                           dtype_name(src.dtype), dtype_name(p.out().dtype));
    if (aclnnStatus s = check_index(p, index)) return s;
    if (src.dims.size() != index.dims.size())
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "src has rank %zu, index %zu", src.dims.size(),
                           index.dims.size());
    if (aclnnStatus s = within(p, index.dims, src.dims, -1, "src")) return s;
    if (aclnnStatus s = within(p, index.dims, self.dims, axis_of(p), "self")) return s;
    return expect_shape(p, self.dims);
}

aclnnStatus check_flip(Phase1& p) {
    const TensorObject& self = p.in(0);
    p.plan.compute = self.dtype;
    if (self.dtype != p.out().dtype)
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "out is %s, self is %s; they must be equal",
                           dtype_name(p.out().dtype), dtype_name(self.dtype));
    const Shape& axes = p.ints(0);
    if (axes.empty() || !normalise_axes(axes, self.dims.size(), &p.plan.axes))
        return p.call.fail(ACLNN_ERR_PARAM_INVALID,
                           "axes %s are missing, out of range or repeated for rank %zu",
                           text(axes).c_str(), self.dims.size());
    return expect_shape(p, self.dims);
}

} // namespace cann_sim
