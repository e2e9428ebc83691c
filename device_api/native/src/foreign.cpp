// SPDX-License-Identifier: Apache-2.0
// Ops on foreign memory: for clients that have tensors of their own.
#include "dispatch.hpp"
#include "error.hpp"
#include "observe.hpp"

using namespace device_api::core;

static bool spreads(da_op_kind kind) {
    return is_elementwise(kind) || kind == DA_KIND_FILL;
}

static bool empty(const da_tensor& t) {
    for (int i = 0; i < t.rank; ++i) {
        if (!t.shape[i]) return true;
    }
    return false;
}

static da_status check(uint16_t op, const da_tensor* inputs, int32_t n_inputs,
                       const da_tensor* output) {
    if (op == DA_OP_NONE || op > DA_OP_COUNT) return fail(DA_INVALID_ARGUMENT, "no such op");
    const OpInfo& info = op_info(op);
    if (n_inputs != info.n_inputs) {
        fail(DA_INVALID_ARGUMENT, "the op takes " + std::to_string(info.n_inputs) +
                                      " inputs, not " + std::to_string(n_inputs));
        return annotate(DA_INVALID_ARGUMENT, op, nullptr);
    }
    for (int k = 0; k <= n_inputs; ++k) {
        const da_tensor& t = k < n_inputs ? inputs[k] : *output;
        if (t.dtype >= DA_DTYPE_COUNT || t.rank < 0 || t.rank > DA_MAX_RANK) {
            fail(DA_INVALID_ARGUMENT, "operand " + std::to_string(k) + " is malformed");
            return annotate(DA_INVALID_ARGUMENT, op, nullptr);
        }
    }
    return DA_OK;
}

// Brings the operands of an elementwise op to the output's shape.
static da_status spread(Call& call, Loop& loop) {
    const da_tensor& out = call.tensors[call.n_inputs];
    Shape shape;
    shape.rank = loop.rank = out.rank;
    std::memcpy(shape.sizes, out.shape, sizeof(int64_t) * static_cast<size_t>(out.rank));
    std::memcpy(loop.shape, shape.sizes, sizeof(int64_t) * static_cast<size_t>(out.rank));
    int slots[max_operands];
    for (int k = 0; k <= call.n_inputs; ++k) {
        da_tensor& t = call.tensors[k];
        if (t.flags & DA_TENSOR_IMMEDIATE) continue;
        slots[k] = loop.n++;
        if (!broadcast_strides(t.rank, t.shape, t.strides, shape, loop.strides[slots[k]])) {
            fail(DA_INVALID_ARGUMENT, DAH_ERROR_SHAPE,
                 "the shape " + shape_text(t.rank, t.shape) + " does not broadcast to " +
                     shape_text(out.rank, out.shape));
            return annotate(DA_INVALID_ARGUMENT, call.op, call.device);
        }
    }
    coalesce(loop);
    for (int k = 0; k <= call.n_inputs; ++k) {
        da_tensor& t = call.tensors[k];
        if (t.flags & DA_TENSOR_IMMEDIATE) continue;
        t.rank = loop.rank;
        t.shape = loop.shape;
        t.strides = loop.strides[slots[k]];
    }
    return DA_OK;
}

// How an input lies to the output.
enum class Overlap { none, same_view, partial };

static Overlap overlap(const da_tensor& in, const da_tensor& out) {
    if (in.flags & DA_TENSOR_IMMEDIATE) return Overlap::none;
    const Span a = span_of(in), b = span_of(out);
    if (a.low + a.bytes <= b.low || b.low + b.bytes <= a.low) return Overlap::none;
    bool same = in.data == out.data && in.dtype == out.dtype && in.rank == out.rank;
    for (int i = 0; same && i < in.rank; ++i) {
        same = in.shape[i] == out.shape[i] && in.strides[i] == out.strides[i];
    }
    return same ? Overlap::same_view : Overlap::partial;
}

// The contract promises backends that outputs do not overlap inputs: true as the call stands?
static bool overlap_allowed(const Call& call) {
    const bool in_place = call.device->ops[call.op].flags & DAB_OP_IN_PLACE;
    for (int k = 0; k < call.n_inputs; ++k) {
        const Overlap found = overlap(call.tensors[k], call.tensors[call.n_inputs]);
        if (found == Overlap::partial || (found == Overlap::same_view && !in_place)) return false;
    }
    return true;
}

// Into memory of its own, which is then copied over the output.
static da_status run_apart(Call& call) {
    da_tensor& out = call.tensors[call.n_inputs];
    const da_tensor target = out;
    Owned apart(new_tensor(*call.device, out.dtype, out.rank, out.shape, call.stream, call.op));
    if (!apart) return last_status();
    operand(call, call.n_inputs, *apart.get());
    if (da_status status = run_native(call)) return status;
    Call copy{call.device, call.stream, DA_OP_COPY, 1, {}, {}, nullptr};
    operand(copy, 0, *apart.get());
    copy.tensors[1] = target;
    return missing(copy) ? DA_NOT_SUPPORTED : run_native(copy);
}

static da_status run_as_given(Call& call) {
    return overlap_allowed(call) ? run_native(call) : run_apart(call);
}

static da_status no_such_op(const Call& call, const char* reason) {
    fail(DA_NOT_SUPPORTED, std::string("'") + op_info(call.op).name + "' for " +
                               dtype_name(call.tensors[op_info(call.op).key].dtype) +
                               " does not run natively: " + reason);
    return annotate(DA_NOT_SUPPORTED, call.op, call.device);
}

da_status dah_call(dah_stream* stream, uint16_t op, const da_tensor* inputs, int32_t n_inputs,
                   const da_tensor* output, const da_value* attributes) {
    if (da_status status = check(op, inputs, n_inputs, output)) return status;
    if (empty(*output)) return DA_OK;
    Device& device = *stream->device;
    if (!open_device(device.handle)) return last_status();
    Call call{&device, stream, op, n_inputs, {}, {}, attributes};
    for (int k = 0; k < n_inputs; ++k) call.tensors[k] = inputs[k];
    call.tensors[n_inputs] = *output;
    Loop loop;
    if (spreads(op_info(op).kind)) {
        if (da_status status = spread(call, loop)) return status;
    }
    for (int k = 0; k <= n_inputs; ++k) {
        da_tensor& t = call.tensors[k];
        if (t.flags & DA_TENSOR_IMMEDIATE) continue;
        t.flags = is_contiguous(t.rank, t.shape, t.strides) ? DA_TENSOR_CONTIGUOUS : 0;
    }
    if (const char* reason = missing(call)) return no_such_op(call, reason);
    const da_status status = watched(DAH_OBSERVE_OP | watch_sync) ? run_observed(call, run_as_given)
                                                                  : run_as_given(call);
    if (status != DA_NOT_SUPPORTED) return status;
    return no_such_op(call, "the device does not support this combination");
}
