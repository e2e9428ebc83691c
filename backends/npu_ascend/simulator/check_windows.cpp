// SPDX-License-Identifier: Apache-2.0
// Phase 1 of convolution and pools: arrays of strides and paddings, and the shape that they give.
#include <algorithm>

#include "checks.hpp"

namespace cann_sim {

namespace {

using Array = std::int64_t (&)[3];

// The numbers of the spatial axes, into the last places; one number stands for all axes.
bool spread(const Shape& values, std::size_t axes, std::int64_t least, Array to) {
    if (values.size() != axes && values.size() != 1) return false;
    for (std::size_t i = 0; i < axes; ++i) {
        const std::int64_t value = values.size() == 1 ? values[0] : values[i];
        if (value < least) return false;
        to[3 - axes + i] = value;
    }
    return true;
}

aclnnStatus bad_array(const Phase1& p, std::size_t i) {
    return p.call.fail(ACLNN_ERR_PARAM_INVALID, "%s is %s", p.arguments.arrays[i].name,
                       text(p.ints(i)).c_str());
}

// Paddings before and after; twice as many numbers as axes: all before, then all after (two axes)
// or in pairs, which is the same for one axis.
bool paddings(const Shape& values, std::size_t axes, Array before, Array after) {
    const Shape first(values.begin(),
                      values.begin() + static_cast<std::ptrdiff_t>(std::min(axes, values.size())));
    const bool two_sided = axes < 3 && values.size() == 2 * axes;
    const Shape second(two_sided ? values.end() - static_cast<std::ptrdiff_t>(axes) : values.end(),
                       values.end());
    if (!two_sided && values.size() != axes && values.size() != 1) return false;
    return spread(first, axes, 0, before) && spread(two_sided ? second : first, axes, 0, after);
}

// Number of window positions along each axis.
Shape positions(const Phase1& p, const engine::Window& w, const std::int64_t* after, bool ceil) {
    const Shape& in = p.in(0).dims;
    const std::size_t axes = in.size() - 2;
    Shape out(in.begin(), in.begin() + 2);
    for (std::size_t i = 3 - axes; i < 3; ++i) {
        const std::int64_t size = in[2 + i - (3 - axes)];
        const std::int64_t room = size + w.pad[i] + after[i] - w.dilation[i] * (w.size[i] - 1) - 1;
        std::int64_t n = (room + (ceil ? w.stride[i] - 1 : 0)) / w.stride[i] + 1;
        if (ceil && (n - 1) * w.stride[i] >= size + w.pad[i]) --n;
        out.push_back(room < 0 ? 0 : n);
    }
    return out;
}

aclnnStatus same_types(const Phase1& p) {
    if (p.in(0).dtype == p.out().dtype) return ACLNN_SUCCESS;
    return p.call.fail(ACLNN_ERR_PARAM_INVALID, "out is %s, self is %s; they must be equal",
                       dtype_name(p.out().dtype), dtype_name(p.in(0).dtype));
}

aclnnStatus check_format(const Phase1& p, const TensorObject& t, const char* name) {
    constexpr aclFormat formats[] = {ACL_FORMAT_NCL, ACL_FORMAT_NCHW, ACL_FORMAT_NCDHW};
    const std::size_t rank = t.dims.size();
    if (rank < 3 || rank > 5 || t.format != formats[rank - 3])
        return p.call.fail(ACLNN_ERR_PARAM_INVALID,
                           "%s has rank %zu and format %d; NCL, NCHW and NCDHW of rank 3 to 5 are "
                           "supported",
                           name, rank, static_cast<int>(t.format));
    return ACLNN_SUCCESS;
}

aclnnStatus check_channels(const Phase1& p, std::int64_t groups) {
    const Shape &in = p.in(0).dims, &weight = p.in(1).dims;
    if (weight.size() == in.size() && groups > 0 && in[1] == weight[1] * groups &&
        weight[0] % groups == 0)
        return ACLNN_SUCCESS;
    return p.call.fail(ACLNN_ERR_PARAM_INVALID, "input %s, weight %s and %lld groups do not fit",
                       text(in).c_str(), text(weight).c_str(), static_cast<long long>(groups));
}

} // namespace

aclnnStatus check_convolution(Phase1& p) {
    const TensorObject &input = p.in(0), &weight = p.in(1);
    engine::Window& w = p.plan.window;
    if (aclnnStatus s = check_format(p, input, "input")) return s;
    if (aclnnStatus s = check_format(p, weight, "weight")) return s;
    if (aclnnStatus s = check_format(p, p.out(), "output")) return s;
    if (p.plan.numbers[0])
        return p.call.fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
                           "the simulator has no kernel for transposed convolutions");
    if (aclnnStatus s = check_channels(p, p.plan.numbers[1])) return s;
    const std::size_t axes = input.dims.size() - 2;
    std::int64_t after[3] = {0, 0, 0};
    if (p.ints(0).size() != axes || !spread(p.ints(0), axes, 1, w.stride)) return bad_array(p, 0);
    if (!paddings(p.ints(1), axes, w.pad, after)) return bad_array(p, 1);
    if (p.ints(2).size() != axes || !spread(p.ints(2), axes, 1, w.dilation)) return bad_array(p, 2);
    // Two numbers are both sides of one axis, four are top, bottom, left and right.
    if (axes == 2 && p.ints(1).size() == 4) {
        const Shape& sides = p.ints(1);
        w.pad[1] = sides[0], after[1] = sides[1], w.pad[2] = sides[2], after[2] = sides[3];
    }
    std::copy(weight.dims.begin() + 2, weight.dims.end(), w.size + 3 - axes);
    Shape shape = positions(p, w, after, false);
    shape[1] = weight.dims[0];
    if (aclnnStatus s = expect_shape(p, shape)) return s;
    if (p.plan.inputs[2] && p.in(2).dims != Shape{weight.dims[0]})
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "bias has shape %s",
                           text(p.in(2).dims).c_str());
    p.plan.compute = promote(input.dtype, weight.dtype);
    if (aclnnStatus s = expect_converts(p, p.plan.compute)) return s;
    return check_cube(p, p.plan.compute);
}

aclnnStatus check_max_pool(Phase1& p) {
    engine::Window& w = p.plan.window;
    std::int64_t after[3] = {0, 0, 0};
    if (p.in(0).dims.size() != 4)
        return p.call.fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "the simulator pools rank 4 only");
    if (!spread(p.ints(0), 2, 1, w.size)) return bad_array(p, 0);
    if (!p.ints(1).empty() && !spread(p.ints(1), 2, 1, w.stride)) return bad_array(p, 1);
    if (!p.ints(2).empty() && !paddings(p.ints(2), 2, w.pad, after)) return bad_array(p, 2);
    for (const std::int64_t dilation : p.ints(3))
        if (dilation != 1) return bad_array(p, 3);
    if (p.plan.numbers[0] != 0)
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "autoPad is %lld; only 0 is supported",
                           static_cast<long long>(p.plan.numbers[0]));
    p.plan.compute = p.in(0).dtype;
    if (aclnnStatus s = same_types(p)) return s;
    return expect_shape(p, positions(p, w, after, p.plan.numbers[1] != 0));
}

aclnnStatus check_avg_pool(Phase1& p) {
    engine::Window& w = p.plan.window;
    const TensorObject& self = p.in(0);
    if (aclnnStatus s = check_format(p, self, "self")) return s;
    if (self.dims.size() != 4)
        return p.call.fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "the simulator pools rank 4 only");
    if (!spread(p.ints(0), 2, 1, w.size)) return bad_array(p, 0);
    std::copy(w.size, w.size + 3, w.stride);
    if (!p.ints(1).empty() && !spread(p.ints(1), 2, 1, w.stride)) return bad_array(p, 1);
    if (!spread(p.ints(2), 2, 0, w.pad)) return bad_array(p, 2);
    const bool old = (chip().family & (chip_910a | chip_310p)) != 0;
    if (p.arguments.cube_math_type != ACL_CUBE_KEEP_DTYPE || (old && self.dtype == ACL_FLOAT))
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "cubeMathType %d is not supported for %s on %s",
                           p.arguments.cube_math_type, dtype_name(self.dtype), chip().soc);
    p.plan.compute = self.dtype;
    if (aclnnStatus s = same_types(p)) return s;
    return expect_shape(p, positions(p, w, w.pad, p.plan.numbers[0] != 0));
}

} // namespace cann_sim
