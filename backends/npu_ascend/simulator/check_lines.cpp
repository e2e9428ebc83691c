// SPDX-License-Identifier: Apache-2.0
// Phase 1 of operators that work along an axis: scans, sorts, search, softmax and normalisations.
#include "checks.hpp"

namespace cann_sim {

namespace {

aclnnStatus find_axis(Phase1& p, std::int64_t axis) {
    const std::size_t rank = p.in(0).dims.size();
    if (normalise_axes({axis}, rank, &p.plan.axes)) return ACLNN_SUCCESS;
    return p.call.fail(ACLNN_ERR_PARAM_INVALID, "dim %lld is out of range for rank %zu",
                       static_cast<long long>(axis), rank);
}

aclnnStatus check_scan_along(Phase1& p, std::int64_t axis) {
    if (p.arguments.dtype != p.out().dtype)
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "dtype is %s, out is %s; they must be equal",
                           dtype_name(p.arguments.dtype), dtype_name(p.out().dtype));
    p.plan.compute = p.arguments.dtype;
    if (aclnnStatus s = find_axis(p, axis)) return s;
    if (aclnnStatus s = expect_converts(p, p.in(0).dtype)) return s;
    return expect_shape(p, p.in(0).dims);
}

aclnnStatus same_type(const Phase1& p, aclDataType expected, aclDataType other, const char* name) {
    if (expected == other) return ACLNN_SUCCESS;
    return p.call.fail(ACLNN_ERR_PARAM_INVALID, "%s is %s, the input is %s; they must be equal",
                       name, dtype_name(other), dtype_name(expected));
}

aclnnStatus check_order(Phase1& p, const Shape& shape) {
    p.plan.compute = p.in(0).dtype;
    if (aclnnStatus s = same_type(p, p.in(0).dtype, p.out().dtype, "valuesOut")) return s;
    if (aclnnStatus s = expect_shape(p, shape)) return s;
    return expect_shape(p, shape, 1);
}

// The last axes of `whole` are `part`; `rest` are the others, then ones.
bool ends_with(const Shape& whole, const Shape& part, Shape* rest) {
    if (part.empty() || part.size() > whole.size()) return false;
    const std::size_t first = whole.size() - part.size();
    for (std::size_t i = 0; i < part.size(); ++i)
        if (whole[first + i] != part[i]) return false;
    *rest = whole;
    for (std::size_t i = first; i < whole.size(); ++i) (*rest)[i] = 1;
    return true;
}

aclnnStatus does_not_end(const Phase1& p, const char* name, const Shape& part) {
    return p.call.fail(ACLNN_ERR_PARAM_INVALID, "%s %s does not end as the input %s does", name,
                       text(part).c_str(), text(p.in(0).dims).c_str());
}

} // namespace

aclnnStatus check_scan(Phase1& p) {
    return check_scan_along(p, p.arguments.axis);
}

aclnnStatus check_scan_scalar(Phase1& p) {
    // Documented as i32; a client that is in wide use gives i64.
    if (p.scalars[0]->dtype != ACL_INT32 && p.scalars[0]->dtype != ACL_INT64)
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "dim is %s, not i32 or i64",
                           dtype_name(p.scalars[0]->dtype));
    if (aclnnStatus s = read_scalar(p, 0)) return s;
    return check_scan_along(p, p.plan.scalars[0].as_int());
}

aclnnStatus check_sort(Phase1& p) {
    const TensorObject& self = p.in(0);
    if (aclnnStatus s = find_axis(p, p.arguments.axis)) return s;
    const bool one =
        !p.plan.axes.empty() && self.dims[static_cast<std::size_t>(p.plan.axes[0])] == 1;
    if (self.dtype == ACL_BF16 && one && (chip().family & (chip_a2 | chip_a3)))
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "bf16 is not sorted along an axis of size 1");
    return check_order(p, self.dims);
}

aclnnStatus check_topk(Phase1& p) {
    const std::int64_t k = p.plan.numbers[0];
    Shape shape = p.in(0).dims;
    if (aclnnStatus s = find_axis(p, p.arguments.axis)) return s;
    if (!p.plan.numbers[2])
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "sorted is false; only true is supported");
    const std::int64_t size =
        p.plan.axes.empty() ? 1 : shape[static_cast<std::size_t>(p.plan.axes[0])];
    if (k < 0 || k > size)
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "k is %lld; the axis has size %lld",
                           static_cast<long long>(k), static_cast<long long>(size));
    if (!p.plan.axes.empty()) shape[static_cast<std::size_t>(p.plan.axes[0])] = k;
    return check_order(p, shape);
}

aclnnStatus check_search(Phase1& p) {
    const TensorObject &sorted = p.in(0), &self = p.in(1);
    if (sorted.dims.size() != 1 || p.plan.inputs[2])
        return p.call.fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
                           "the simulator searches in rank 1 only, without a sorter");
    if (aclnnStatus s = same_type(p, sorted.dtype, self.dtype, "self")) return s;
    if ((p.plan.numbers[0] != 0) != (p.out().dtype == ACL_INT32))
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "outInt32 is %d, out is %s",
                           static_cast<int>(p.plan.numbers[0]), dtype_name(p.out().dtype));
    p.plan.compute = sorted.dtype;
    return expect_shape(p, self.dims);
}

aclnnStatus check_softmax(Phase1& p) {
    p.plan.compute = p.in(0).dtype;
    if (aclnnStatus s = find_axis(p, p.arguments.axis)) return s;
    if (aclnnStatus s = expect_converts(p, p.in(0).dtype)) return s;
    return expect_shape(p, p.in(0).dims);
}

aclnnStatus check_layer_norm(Phase1& p) {
    const TensorObject& input = p.in(0);
    const Shape& normalised = p.ints(0);
    Shape leading;
    p.plan.compute = input.dtype;
    p.plan.axes = normalised; // sizes, for the kernel
    if (!ends_with(input.dims, normalised, &leading))
        return does_not_end(p, "normalizedShape", normalised);
    for (std::size_t i = 1; i < p.plan.inputs.size(); ++i) {
        if (!p.plan.inputs[i]) continue;
        if (p.in(i).dims != normalised)
            return does_not_end(p, p.arguments.inputs[i].name, p.in(i).dims);
        if (p.in(i).dtype != input.dtype && p.in(i).dtype != ACL_FLOAT)
            return same_type(p, input.dtype, p.in(i).dtype, p.arguments.inputs[i].name);
    }
    for (std::size_t i = 1; i < p.plan.outputs.size(); ++i)
        if (p.plan.outputs[i])
            if (aclnnStatus s = expect_shape(p, leading, i)) return s;
    if (aclnnStatus s = same_type(p, input.dtype, p.out().dtype, "out")) return s;
    return expect_shape(p, input.dims);
}

aclnnStatus check_rms_norm(Phase1& p) {
    const TensorObject &x = p.in(0), &gamma = p.in(1);
    Shape leading;
    p.plan.compute = x.dtype;
    if (!ends_with(x.dims, gamma.dims, &leading)) return does_not_end(p, "gamma", gamma.dims);
    if (gamma.dtype != ACL_FLOAT || (chip().family & chip_310p))
        if (aclnnStatus s = same_type(p, x.dtype, gamma.dtype, "gamma")) return s;
    if (aclnnStatus s = same_type(p, x.dtype, p.out().dtype, "yOut")) return s;
    if (aclnnStatus s = expect_shape(p, x.dims)) return s;
    return expect_shape(p, leading, 1);
}

} // namespace cann_sim
