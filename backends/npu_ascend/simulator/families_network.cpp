// SPDX-License-Identifier: Apache-2.0
// Families along an axis and of neural networks: their kernels of phase 2.
#include "checks.hpp"

namespace cann_sim {

namespace {

using engine::TaskContext;
using engine::Tensor;

// A tensor of rank 0 is a line of one element.
Tensor line_of(const Tensor& t) {
    return t.rank ? t : Tensor(t.dtype, t.data, {1});
}
int axis_of(const Work& w) {
    return w.plan->axes.empty() ? 0 : static_cast<int>(w.plan->axes[0]);
}

Status run_scan(TaskContext& t, const Work& w) {
    return engine::scan(t, static_cast<engine::Reduce>(w.plan->row->kernel), w.compute,
                        line_of(w.inputs[0]), axis_of(w), line_of(w.out()));
}

// numbers: stable, descending; or k, largest, sorted.
Status run_sort(TaskContext& t, const Work& w) {
    const Tensor values = line_of(w.outputs[0]), indices = line_of(w.outputs[1]);
    return engine::sort(t, line_of(w.inputs[0]), axis_of(w), w.plan->numbers[1] != 0, &values,
                        &indices);
}

Status run_search(TaskContext& t, const Work& w) {
    return engine::search_sorted(t, w.inputs[0], w.inputs[1], w.plan->numbers[1] != 0, w.out());
}

Status run_softmax(TaskContext& t, const Work& w) {
    return engine::softmax(t, w.plan->row->kernel != 0, line_of(w.inputs[0]), axis_of(w),
                           line_of(w.out()));
}

// Operands are dense here, so the normalised axes are one, and so are the others.
Tensor as_lines(const Tensor& t, std::int64_t length) {
    return Tensor(t.dtype, t.data, {length ? t.numel() / length : 0, length});
}

const Tensor* lines_or_null(const Tensor* t, std::int64_t length, Tensor* lines) {
    if (!t) return nullptr;
    *lines = length ? as_lines(*t, length) : Tensor(t->dtype, t->data, {t->numel()});
    return lines;
}

Status run_layer_norm(TaskContext& t, const Work& w) {
    std::int64_t n = 1;
    for (const std::int64_t size : w.plan->axes) n *= size;
    if (w.out().numel() == 0) return Status::ok;
    Tensor weight, bias, mean, rstd;
    return engine::layer_norm(
        t, as_lines(w.inputs[0], n), lines_or_null(w.maybe_input(1), 0, &weight),
        lines_or_null(w.maybe_input(2), 0, &bias), w.plan->reals[0], as_lines(w.out(), n),
        lines_or_null(w.maybe_output(1), 1, &mean), lines_or_null(w.maybe_output(2), 1, &rstd));
}

Status run_rms_norm(TaskContext& t, const Work& w) {
    const std::int64_t n = w.inputs[1].numel();
    if (w.out().numel() == 0) return Status::ok;
    const Tensor rstd = as_lines(w.outputs[1], 1);
    return engine::rms_norm(t, as_lines(w.inputs[0], n),
                            Tensor(w.inputs[1].dtype, w.inputs[1].data, {n}), w.plan->reals[0],
                            as_lines(w.out(), n), &rstd);
}

Status run_convolution(TaskContext& t, const Work& w) {
    Tensor in = w.inputs[0], weight = w.inputs[1];
    Status status = round_matrix(t, w.plan->rounding, &in);
    if (status == Status::ok) status = round_matrix(t, w.plan->rounding, &weight);
    if (status != Status::ok) return status;
    return engine::convolution(t, in, weight, w.maybe_input(2), w.plan->window, w.plan->numbers[1],
                               w.out());
}

Status run_max_pool(TaskContext& t, const Work& w) {
    return engine::max_pool(t, w.inputs[0], w.plan->window, w.out());
}

Status run_avg_pool(TaskContext& t, const Work& w) {
    return engine::avg_pool(t, w.inputs[0], w.plan->window, w.plan->numbers[1] != 0,
                            w.plan->numbers[2], w.out());
}

} // namespace

const Family scan_family = {check_scan, run_scan};
const Family scan_scalar_family = {check_scan_scalar, run_scan};
const Family sort_family = {check_sort, run_sort};
const Family topk_family = {check_topk, run_sort};
const Family search_family = {check_search, run_search};
const Family softmax_family = {check_softmax, run_softmax};
const Family layer_norm_family = {check_layer_norm, run_layer_norm};
const Family rms_norm_family = {check_rms_norm, run_rms_norm};
const Family convolution_family = {check_convolution, run_convolution};
const Family max_pool_family = {check_max_pool, run_max_pool};
const Family avg_pool_family = {check_avg_pool, run_avg_pool};

} // namespace cann_sim
