// SPDX-License-Identifier: Apache-2.0
// Ops that a device lacks, made of others on the same device.
#include "compose.hpp"

#include "error.hpp"
#include "observe.hpp"

namespace device_api::core {
namespace {

// A new dense bool operand of the call's shape, in place of operand `k`.
bool replace(Call& call, int k, Owned& owned) {
    const da_tensor& out = call.tensors[call.n_inputs];
    owned.reset(new_tensor(*call.device, DA_BOOL, out.rank, out.shape, call.stream, call.op));
    if (owned) operand(call, k, *owned.get());
    return bool(owned);
}

// The same operands to a new result.
da_status part(const Call& call, uint16_t op, Owned& result) {
    Call first = call;
    first.op = op;
    return replace(first, call.n_inputs, result) ? execute(first) : last_status();
}

da_status not_equal(Call& call) {
    Owned equal;
    if (da_status status = part(call, DA_OP_EQUAL, equal)) return status;
    Call last{call.device, call.stream, DA_OP_LOGICAL_NOT, 1, {}, {}, nullptr};
    operand(last, 0, *equal.get());
    last.tensors[1] = call.tensors[2];
    last.blocks[1] = call.blocks[2];
    return execute(last);
}

// Not the negation of greater, which is wrong for NaN.
da_status less_equal(Call& call) {
    Owned less, equal;
    if (da_status status = part(call, DA_OP_LESS, less)) return status;
    if (da_status status = part(call, DA_OP_EQUAL, equal)) return status;
    Call last = call;
    last.op = DA_OP_LOGICAL_OR;
    operand(last, 0, *less.get());
    operand(last, 1, *equal.get());
    return execute(last);
}

// What this thread is composing, innermost first.
struct Frame {
    const Call& call;
    const Frame* outer;
};
__attribute__((tls_model("initial-exec"))) thread_local const Frame* frames = nullptr;

std::atomic<dah_composer> composer{nullptr};

uint16_t key_dtype(const Call& call) {
    return call.tensors[op_info(call.op).key].dtype;
}

bool same(const Call& a, const Call& b) {
    return a.op == b.op && a.device == b.device && key_dtype(a) == key_dtype(b);
}

// The chain of composites from `call` back to itself; empty when it is not among them.
std::string circle(const Call& call) {
    std::string text = op_info(call.op).name;
    for (const Frame* f = frames; f; f = f->outer) {
        text = std::string(op_info(f->call.op).name) + " -> " + text;
        if (same(f->call, call)) return text;
    }
    return "";
}

Block* foreign_block(const Call& call, const da_tensor& t) {
    auto* block = new Block;
    block->foreign = true;
    block->device = call.device;
    block->address = t.storage;
    block->size = t.storage_bytes;
    block->release = [](void*) {}; // lives at least as long as the call
    return block;
}

} // namespace

Tensor* as_tensor(const Call& call, int k) {
    const da_tensor& t = call.tensors[k];
    if (t.flags & DA_TENSOR_IMMEDIATE) {
        const da_tensor& out = call.tensors[call.n_inputs];
        Owned scalar;
        Tensor* spread = nullptr;
        if (dah_from_host(call.device->handle, t.dtype, 0, nullptr, t.data, scalar.out()) ||
            dah_broadcast(scalar.get(), out.rank, out.shape, &spread)) {
            return nullptr;
        }
        return spread;
    }
    Tensor* made = take_tensor();
    made->dtype = t.dtype;
    made->rank = static_cast<uint8_t>(t.rank);
    made->device = call.device;
    made->block = call.blocks[k];
    if (made->block)
        retain(made->block);
    else
        made->block = foreign_block(call, t);
    made->data = t.data;
    made->size = 1;
    for (int i = 0; i < t.rank; ++i) {
        made->shape[i] = t.shape[i];
        made->strides[i] = t.strides[i];
        made->size *= t.shape[i];
    }
    made->contiguous = is_contiguous(t.rank, t.shape, t.strides);
    return made;
}

namespace {

da_status ask_composer(dah_composer ask, Call& call) {
    Owned owned[max_operands];
    Tensor* inputs[max_operands];
    for (int k = 0; k <= call.n_inputs; ++k) {
        owned[k].reset(as_tensor(call, k));
        if (!owned[k]) return last_status();
        inputs[k] = owned[k].get();
    }
    const Frame frame{call, frames};
    const dah_device before = thread_state.current;
    frames = &frame;
    thread_state.current = call.device->handle;
    const da_status status =
        ask(call.op, inputs, call.n_inputs, inputs[call.n_inputs], call.attributes);
    thread_state.current = before;
    frames = frame.outer;
    return status;
}

bool has(const Call& call, uint16_t op) {
    const dab_op& entry = call.device->ops[op];
    return entry.op && ((entry.dtypes >> call.tensors[0].dtype) & 1);
}

// Composites that are compared too often to be made in Python.
da_status compose_here(Call& call) {
    if (call.op == DA_OP_NOT_EQUAL && has(call, DA_OP_EQUAL)) return not_equal(call);
    if (call.op == DA_OP_LESS_EQUAL && has(call, DA_OP_EQUAL) && has(call, DA_OP_LESS)) {
        return less_equal(call);
    }
    return DA_NOT_SUPPORTED;
}

} // namespace

da_status compose(Call& call, std::string* why) {
    da_status status = compose_here(call);
    const dah_composer ask = composer.load(std::memory_order_relaxed);
    if (status == DA_NOT_SUPPORTED && ask) {
        const std::string chain = circle(call);
        if (!chain.empty()) {
            *why = "its composite needs itself (" + chain + ")";
            return DA_NOT_SUPPORTED;
        }
        status = ask_composer(ask, call);
    }
    if (!status) {
        call.device->composed_counts[call.op].fetch_add(1, std::memory_order_relaxed);
        if (watched(DAH_OBSERVE_COMPOSED)) tell_composed(call);
    }
    return status == DA_NOT_SUPPORTED ? status : annotate(status, call.op, call.device);
}

} // namespace device_api::core

using namespace device_api::core;

void dah_set_composer(dah_composer function) {
    composer = function;
}

uint64_t dah_composed_count(dah_device handle, uint16_t op) {
    Device* device = find_device(handle);
    if (!device || op > DA_OP_COUNT) return 0;
    return device->composed_counts[op].load();
}

da_status dah_fail(da_status status, int32_t kind, const char* message, const char* remedy) {
    return fail(status, static_cast<dah_error_kind>(kind), message, remedy ? remedy : "");
}
