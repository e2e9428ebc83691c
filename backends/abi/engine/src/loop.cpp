// SPDX-License-Identifier: Apache-2.0
// Preparing operands for a kernel's loop.
#include "loop.hpp"

#include <string>

namespace device_api::engine {
namespace {

std::string shape_text(const Tensor& t) {
    std::string s = "(";
    for (int i = 0; i < t.rank && i < max_rank; ++i)
        s += (i ? ", " : "") + std::to_string(t.shape[i]);
    return s + ")";
}

bool same_layout(const Tensor& a, const Tensor& b) {
    if (a.data != b.data || dtype_size(a.dtype) != dtype_size(b.dtype)) return false;
    for (int i = 0; i < a.rank; ++i)
        if (a.shape[i] > 1 && a.strides[i] != b.strides[i]) return false;
    return true;
}

} // namespace

bool overlap(const Tensor& a, const Tensor& b) {
    std::uintptr_t a0, a1, b0, b1;
    return a.span(&a0, &a1) && b.span(&b0, &b1) && a0 < b1 && b0 < a1;
}

bool operand(TaskContext& ctx, const Tensor& in, const Tensor& out, Tensor* ready) {
    Tensor view;
    if (!in.broadcast(out.rank, out.shape, &view)) {
        fail(Status::invalid_value, "shape %s does not broadcast to the result's %s",
             shape_text(in).c_str(), shape_text(out).c_str());
        return false;
    }
    if (same_layout(view, out) || !overlap(view, out)) {
        *ready = view;
        return true;
    }
    Tensor copy = ctx.temporary_like(in, in.dtype);
    if (copy_tensor(ctx, in, copy) != Status::ok) return false;
    return copy.broadcast(out.rank, out.shape, ready);
}

bool fix_axis(int rank, int* axis) {
    if (*axis >= -rank && *axis < rank) {
        if (*axis < 0) *axis += rank;
        return true;
    }
    fail(Status::invalid_value, "axis %d of a tensor of rank %d", *axis, rank);
    return false;
}

Status shape_error(const char* kernel, const Tensor& a, const Tensor& b) {
    return fail(Status::invalid_value, "%s: shapes %s and %s do not fit", kernel,
                shape_text(a).c_str(), shape_text(b).c_str());
}

} // namespace device_api::engine
