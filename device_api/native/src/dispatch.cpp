// SPDX-License-Identifier: Apache-2.0
// Running one primitive natively.
#include "dispatch.hpp"

#include "error.hpp"
#include "observe.hpp"

namespace device_api::core {
namespace {

da_status failed(const Call& call, da_status status) {
    fail_vendor(*call.device->backend, call.device, status,
                (std::string("the op '") + op_info(call.op).name + "'").c_str());
    return annotate(status, call.op, call.device, call.stream);
}

da_status run_phases(const dab_op& entry, Call& call, const dab_call& native) {
    Device& device = *call.device;
    dab_plan plan{};
    da_status status = entry.plan(device.self(), &native, &plan);
    if (status) return status == DA_NOT_SUPPORTED ? status : failed(call, status);
    Block* workspace = nullptr;
    if (plan.workspace_bytes) {
        workspace =
            told(device.allocator->allocate(plan.workspace_bytes, call.stream, owner_workspace));
        if (!workspace) {
            entry.abandon(device.self(), &plan);
            return annotate(last_status(), call.op, &device, call.stream);
        }
    }
    status = entry.launch(device.self(), &native, &plan, workspace ? workspace->address : nullptr);
    if (status) failed(call, status);
    if (workspace) release(workspace); // reused on this stream only, so after the launch
    return status;
}

void note_streams(Call& call) {
    for (int k = 0; k <= call.n_inputs; ++k) {
        Block* block = call.blocks[k];
        if (block && block->pool && block->stream_id != call.stream->id) {
            call.device->allocator->note_use(block, call.stream);
        }
    }
}

bool allowed(da_dtype_mask mask, uint16_t dtype) {
    return (mask >> dtype) & 1;
}

// Index of the second free operand: the target of a cast, the indices of the others.
int other_operand(const OpInfo& info) {
    return info.kind == DA_KIND_CAST ? info.n_inputs : 1;
}

bool has_views(const Call& call) {
    for (int k = 0; k <= call.n_inputs; ++k) {
        const da_tensor& t = call.tensors[k];
        if (!(t.flags & (DA_TENSOR_CONTIGUOUS | DA_TENSOR_IMMEDIATE))) return true;
    }
    return false;
}

bool needs_dense_copies(const dab_op& entry, const Call& call) {
    return !(entry.flags & DAB_OP_STRIDED) && has_views(call);
}

// What takes strides may still refuse some (negative ones, say); a copy is asked for nothing.
bool may_retry_dense(const Call& call) {
    return call.op != DA_OP_COPY && has_views(call);
}

Tensor* dense_like(Call& call, const da_tensor& t) {
    return new_tensor(*call.device, t.dtype, t.rank, t.shape, call.stream, call.op);
}

da_status copy_descriptor(Call& call, const da_tensor& from, const da_tensor& to) {
    Call copy{call.device, call.stream, DA_OP_COPY, 1, {}, {}, nullptr};
    copy.tensors[0] = from;
    copy.tensors[1] = to;
    return execute(copy);
}

// For an op that takes dense tensors only: copies round it.
da_status run_dense(Call& call) {
    Owned owned[max_operands];
    Call dense = call;
    for (int k = 0; k <= call.n_inputs; ++k) {
        const da_tensor& t = call.tensors[k];
        if (t.flags & (DA_TENSOR_CONTIGUOUS | DA_TENSOR_IMMEDIATE)) continue;
        owned[k].reset(dense_like(call, t));
        if (!owned[k]) return last_status();
        operand(dense, k, *owned[k].get());
        if (k < call.n_inputs) {
            if (da_status status = copy_descriptor(call, t, dense.tensors[k])) return status;
        }
    }
    if (da_status status = run_native(dense)) return status;
    // The copies read the operands on this stream too, and know nothing of their blocks.
    if (!call.device->synchronous) note_streams(call);
    const int out = call.n_inputs;
    if (!owned[out]) return DA_OK;
    return copy_descriptor(call, dense.tensors[out], call.tensors[out]);
}

} // namespace

Span span_of(const da_tensor& t) {
    const int64_t item = dtype_size(t.dtype);
    int64_t low = 0, high = 0;
    for (int i = 0; i < t.rank; ++i) {
        const int64_t reach = (t.shape[i] - 1) * t.strides[i];
        (reach < 0 ? low : high) += reach;
    }
    return {static_cast<char*>(t.data) + low * item,
            static_cast<uint64_t>((high - low + 1) * item)};
}

const char* missing(const Call& call) {
    const dab_op& entry = call.device->ops[call.op];
    if (!entry.op) return "the device has no such op";
    const OpInfo& info = op_info(call.op);
    if (!allowed(entry.dtypes, call.tensors[info.key].dtype)) {
        return "the device has no such op for this data type";
    }
    if (info.others && !allowed(entry.others, call.tensors[other_operand(info)].dtype)) {
        return "the device has no such op for this second data type";
    }
    return nullptr;
}

da_status run_native(Call& call) {
    const dab_op& entry = call.device->ops[call.op];
    if (__builtin_expect(!call.stream->handle, 0)) return fail_dead(*call.stream);
    if (needs_dense_copies(entry, call)) return run_dense(call);
    const dab_call native{sizeof(dab_call),
                          call.op,
                          static_cast<uint8_t>(call.n_inputs),
                          1,
                          call.tensors,
                          call.attributes,
                          call.stream->handle,
                          call.device->index,
                          0};
    da_status status;
    if (entry.run) {
        status = entry.run(call.device->self(), &native);
        if (status && status != DA_NOT_SUPPORTED) failed(call, status);
    } else {
        status = run_phases(entry, call, native);
    }
    if (status) return status;
    call.device->native_counts[call.op].fetch_add(1, std::memory_order_relaxed);
    if (!call.device->synchronous) note_streams(call);
    return DA_OK;
}

static da_status run_somewhere(Call& call) {
    const char* reason = missing(call);
    if (!reason) {
        da_status status = run_native(call);
        if (status == DA_NOT_SUPPORTED && may_retry_dense(call)) status = run_dense(call);
        if (status != DA_NOT_SUPPORTED) return status;
        reason = "the device does not support this combination";
    }
    if (!call.stream->handle || is_shut_down()) return fail_dead(*call.stream);
    return fall_back(call, reason);
}

da_status execute(Call& call) {
    if (watched(DAH_OBSERVE_OP | watch_sync)) return run_observed(call, run_somewhere);
    return run_somewhere(call);
}

da_status run_elementwise(uint16_t op, Device& device, Tensor* const* inputs, int n_inputs,
                          Tensor& out, int immediate, const void* scalar, uint16_t scalar_dtype,
                          const da_value* attributes) {
    if (out.size == 0) return DA_OK;
    Call call{&device, current_stream(device), op, n_inputs, {}, {}, attributes};
    Shape shape;
    shape.rank = out.rank;
    std::memcpy(shape.sizes, out.shape, sizeof(int64_t) * out.rank);
    Loop loop;
    loop.rank = out.rank;
    loop.n = 0;
    std::memcpy(loop.shape, out.shape, sizeof(int64_t) * out.rank);
    int slot[max_operands];
    for (int k = 0; k <= n_inputs; ++k) {
        if (k == immediate) {
            call.tensors[k] = da_tensor{const_cast<void*>(scalar),
                                        const_cast<void*>(scalar),
                                        dtype_size(scalar_dtype),
                                        nullptr,
                                        nullptr,
                                        0,
                                        scalar_dtype,
                                        DA_TENSOR_IMMEDIATE};
            continue;
        }
        const Tensor& t = k < n_inputs ? *inputs[k] : out;
        operand(call, k, t);
        slot[k] = loop.n;
        broadcast_strides(t.rank, t.shape, t.strides, shape, loop.strides[loop.n++]);
    }
    coalesce(loop);
    for (int k = 0; k <= n_inputs; ++k) {
        if (k == immediate) continue;
        da_tensor& t = call.tensors[k];
        t.rank = loop.rank;
        t.shape = loop.shape;
        t.strides = loop.strides[slot[k]];
        t.flags = is_contiguous(loop.rank, loop.shape, t.strides) ? DA_TENSOR_CONTIGUOUS : 0;
    }
    return execute(call);
}

} // namespace device_api::core
