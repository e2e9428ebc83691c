// SPDX-License-Identifier: Apache-2.0
// Families of operators: the check of phase 1 and the kernel of phase 2 of each.
#include <cstring>

#include "checks.hpp"

namespace cann_sim {

namespace {

using engine::DType;
using engine::TaskContext;
using engine::Tensor;

Status run_unary(TaskContext& t, const Work& w) {
    return engine::unary(t, static_cast<engine::Unary>(w.plan->row->kernel), w.compute, w.inputs[0],
                         w.out());
}

Status run_binary(TaskContext& t, const Work& w) {
    const engine::Scalar alpha = w.plan->scalars.empty() ? engine::Scalar(1) : w.plan->scalars[0];
    return engine::binary(t, static_cast<engine::Binary>(w.plan->row->kernel), w.compute,
                          w.inputs[0], w.inputs[1], w.out(), alpha);
}

Status run_scalar(TaskContext& t, const Work& w) {
    const engine::Scalar alpha =
        w.plan->scalars.size() < 2 ? engine::Scalar(1) : w.plan->scalars[1];
    const Tensor other = t.constant(w.plan->scalars[0], w.compute);
    return engine::binary(t, static_cast<engine::Binary>(w.plan->row->kernel), w.compute,
                          w.inputs[0], other, w.out(), alpha);
}

Status run_activation(TaskContext& t, const Work& w) {
    engine::Parameters parameters;
    double* const to[] = {&parameters.a, &parameters.b, &parameters.c};
    for (std::size_t i = 0; i < w.plan->scalars.size(); ++i)
        *to[i] = w.plan->scalars[i].as_double();
    return engine::activation(t, static_cast<engine::Activation>(w.plan->row->kernel), w.compute,
                              w.inputs[0], w.out(), parameters);
}

Status run_gelu(TaskContext& t, const Work& w) {
    if (w.plan->numbers[0])
        return engine::activation(t, engine::Activation::gelu_tanh, w.compute, w.inputs[0],
                                  w.out());
    return engine::unary(t, engine::Unary::gelu, w.compute, w.inputs[0], w.out());
}

Status run_select(TaskContext& t, const Work& w) {
    return engine::where(t, w.inputs[0], w.inputs[1], w.inputs[2], w.out());
}

Status run_copy(TaskContext& t, const Work& w) {
    return engine::copy_tensor(t, w.inputs[0], w.out());
}

Status run_fill(TaskContext& t, const Work& w) {
    return engine::fill(t, w.plan->scalars[0], w.out());
}

Status run_zero(TaskContext& t, const Work& w) {
    return engine::fill(t, engine::Scalar(0), w.out());
}

Status run_arange(TaskContext& t, const Work& w) {
    return engine::arange(t, w.plan->scalars[0], w.plan->scalars[2], w.out());
}

Status run_reduce(TaskContext& t, const Work& w) {
    const auto& axes = w.plan->axes;
    if (axes.empty()) return engine::copy_tensor(t, w.inputs[0], w.out()); // rank 0
    return engine::reduce(t, static_cast<engine::Reduce>(w.plan->row->kernel), w.compute,
                          w.inputs[0], axes.data(), static_cast<int>(axes.size()), w.out());
}

Status run_arg_reduce(TaskContext& t, const Work& w) {
    const auto& axes = w.plan->axes;
    const int axis = axes.empty() ? engine::all_axes : static_cast<int>(axes[0]);
    return engine::arg_reduce(t, w.plan->row->kernel != 0, w.inputs[0], axis, w.out());
}

// HF32 keeps 11 bits of the 23-bit mantissa (about 12 significant bits).
Status round_hf32(TaskContext& t, const Tensor& in, Tensor* out) {
    *out = t.temporary_like(in, DType::f32);
    const Status status = engine::copy_tensor(t, in, *out);
    if (status != Status::ok) return status;
    auto* values = static_cast<unsigned char*>(t.map(*out, true));
    if (!values) return t.error();
    for (std::int64_t i = 0, n = out->numel(); i < n; ++i) {
        std::uint32_t bits;
        std::memcpy(&bits, values + 4 * i, 4);
        const bool finite = (bits & 0x7f800000u) != 0x7f800000u;
        if (finite) bits = (bits + 0x800u) & ~0xfffu;
        std::memcpy(values + 4 * i, &bits, 4);
    }
    return Status::ok;
}

} // namespace

Status round_matrix(TaskContext& t, MatrixRounding rounding, Tensor* matrix) {
    Tensor rounded;
    if (rounding == MatrixRounding::none) return Status::ok;
    Status status;
    if (rounding == MatrixRounding::hf32) {
        status = round_hf32(t, *matrix, &rounded);
    } else {
        rounded = t.temporary_like(*matrix, DType::f16);
        status = engine::copy_tensor(t, *matrix, rounded);
    }
    *matrix = rounded;
    return status;
}

namespace {

// A vector becomes a matrix of one row (column); returns the axis that was put in.
void insert_axis(Tensor* t, int at) {
    for (int i = t->rank; i > at; --i) {
        t->shape[i] = t->shape[i - 1];
        t->strides[i] = t->strides[i - 1];
    }
    t->shape[at] = 1;
    t->strides[at] = 0;
    ++t->rank;
}

Status run_matmul(TaskContext& t, const Work& w) {
    Tensor a = w.inputs[0], b = w.inputs[1], out = w.out();
    const bool vector_a = a.rank == 1, vector_b = b.rank == 1;
    Status status = round_matrix(t, w.plan->rounding, &a);
    if (status == Status::ok) status = round_matrix(t, w.plan->rounding, &b);
    if (status != Status::ok) return status;
    if (vector_a) insert_axis(&a, 0);
    if (vector_b) insert_axis(&b, b.rank);
    if (vector_b) insert_axis(&out, out.rank);
    if (vector_a) insert_axis(&out, out.rank - 1);
    return engine::matmul(t, w.compute, a, b, out);
}

Status run_gather(TaskContext& t, const Work& w) {
    if (w.plan->axes.empty()) return engine::copy_tensor(t, w.inputs[0], w.out()); // rank 0
    return engine::gather(t, w.inputs[0], static_cast<int>(w.plan->axes[0]), w.inputs[1], w.out());
}

Status run_scatter(TaskContext& t, const Work& w) {
    const Tensor &self = w.inputs[0], &index = w.inputs[1];
    const bool adds = w.plan->numbers.empty() || w.plan->numbers[0] == 1;
    Tensor src = w.inputs[2]; // only its leading part, as large as index, is read
    for (int i = 0; i < src.rank; ++i) src.shape[i] = index.shape[i];
    const Status status = engine::copy_tensor(t, self, w.out());
    if (status != Status::ok) return status;
    if (w.plan->axes.empty())
        return adds ? engine::binary(t, engine::Binary::add, w.compute, w.out(), src, w.out())
                    : engine::copy_tensor(t, src, w.out());
    return engine::scatter(t, w.out(), static_cast<int>(w.plan->axes[0]), index, src, adds);
}

Status run_flip(TaskContext& t, const Work& w) {
    Tensor in = w.inputs[0];
    for (const std::int64_t axis : w.plan->axes) {
        const auto bytes = static_cast<std::int64_t>(engine::dtype_size(in.dtype));
        const std::int64_t last = (in.shape[axis] - 1) * in.strides[axis] * bytes;
        in.data += static_cast<std::uintptr_t>(last);
        in.strides[axis] = -in.strides[axis];
    }
    return engine::copy_tensor(t, in, w.out());
}

} // namespace

const Family unary_family = {check_unary, run_unary};
const Family binary_family = {check_binary, run_binary};
const Family scalar_family = {check_scalar, run_scalar};
const Family activation_family = {check_activation, run_activation};
const Family gelu_family = {check_gelu, run_gelu};
const Family select_family = {check_select, run_select};
const Family cast_family = {check_cast, run_copy};
const Family copy_family = {check_copy, run_copy};
const Family fill_family = {check_fill, run_fill};
const Family zero_family = {check_zero, run_zero};
const Family arange_family = {check_arange, run_arange};
const Family sum_family = {check_sum, run_reduce};
const Family reduce_family = {check_reduce, run_reduce};
const Family prod_family = {check_prod, run_reduce};
const Family prod_axis_family = {check_prod_axis, run_reduce};
const Family logical_reduce_family = {check_logical_reduce, run_reduce};
const Family arg_reduce_family = {check_arg_reduce, run_arg_reduce};
const Family matmul_family = {check_matmul, run_matmul};
const Family gather_family = {check_gather, run_gather};
const Family scatter_family = {check_scatter, run_scatter};
const Family flip_family = {check_flip, run_flip};

} // namespace cann_sim
