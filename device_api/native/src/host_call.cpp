// SPDX-License-Identifier: Apache-2.0
// A device's call repeated on the host.
#include "host_call.hpp"

#include "compose.hpp"
#include "copy.hpp"
#include "error.hpp"
#include "observe.hpp"

namespace device_api::core {

static bool fills(const da_tensor& t, const Span& span) {
    uint64_t elements = 1;
    for (int i = 0; i < t.rank; ++i) elements *= static_cast<uint64_t>(t.shape[i]);
    return elements * dtype_size(t.dtype) == span.bytes;
}

HostCall::~HostCall() {
    for (Image& image : images_) {
        if (image.block) release(image.block);
    }
}

void HostCall::keep_immediate(int k) {
    da_tensor& t = here_.tensors[k];
    std::memcpy(images_[k].immediate, t.data, dtype_size(t.dtype));
    t.data = t.storage = images_[k].immediate;
}

da_status HostCall::take_operand(const Call& call, int k) {
    Image& image = images_[k];
    const da_tensor& from = call.tensors[k];
    da_tensor& t = here_.tensors[k];
    image.span = span_of(from);
    image.block = told(here_.device->allocator->allocate(image.span.bytes, here_.stream, call.op));
    if (!image.block) return last_status();
    char* base = static_cast<char*>(image.block->address);
    for (int i = 0; i < from.rank; ++i) {
        image.shape[i] = from.shape[i];
        image.strides[i] = from.strides[i];
    }
    t.shape = image.shape;
    t.strides = image.strides;
    t.data = base + (static_cast<char*>(from.data) - image.span.low);
    t.storage = base;
    t.storage_bytes = image.block->size;
    here_.blocks[k] = image.block;
    // What lies between the elements of an output must come back unchanged.
    if (k == call.n_inputs && fills(from, image.span)) return DA_OK;
    moved_ += image.span.bytes;
    return copy_bytes(nullptr, base, call.device, image.span.low, image.span.bytes, call.stream);
}

da_status HostCall::take(const Call& call, Device& host) {
    device_ = call.device;
    stream_ = call.stream;
    here_ = call;
    here_.device = &host;
    here_.stream = host.default_stream;
    if (call.attributes) {
        const int n = op_info(call.op).n_attributes;
        std::memcpy(attributes_, call.attributes, sizeof(da_value) * static_cast<size_t>(n));
        here_.attributes = attributes_;
    }
    for (int k = 0; k <= call.n_inputs; ++k) {
        if (call.tensors[k].flags & DA_TENSOR_IMMEDIATE)
            keep_immediate(k);
        else if (da_status status = take_operand(call, k))
            return status;
    }
    return DA_OK;
}

da_status HostCall::run(std::string* why) {
    if (const char* also = missing(here_)) {
        *why = std::string(also) + " (nor has the host)";
        return compose(here_, why);
    }
    const da_status status = run_native(here_);
    // The host's run is an emulation: it is not a native op of the host's account.
    if (!status) here_.device->native_counts[here_.op].fetch_sub(1, std::memory_order_relaxed);
    return status;
}

da_status HostCall::give_back() {
    const Image& out = images_[here_.n_inputs];
    moved_ += out.span.bytes;
    return copy_bytes(device_, out.span.low, nullptr, out.block->address, out.span.bytes, stream_);
}

} // namespace device_api::core

struct dah_replica {
    device_api::core::HostCall call;
};

using namespace device_api::core;

da_status dah_replica_take(const dah_observation* begin, dah_replica** out) {
    const auto* call = static_cast<const Call*>(begin->call);
    if (!call || begin->kind != DAH_OBSERVE_OP || begin->phase != DAH_BEGIN) {
        return fail(DA_INVALID_ARGUMENT, "an op is repeated on the host from its begin on");
    }
    if (is_host(*call->device)) {
        return fail(DA_NOT_SUPPORTED, "the op runs on the host already");
    }
    Device* host = host_device();
    if (!host) return last_status();
    auto replica = std::make_unique<dah_replica>();
    if (da_status status = replica->call.take(*call, *host)) return status;
    *out = replica.release();
    return DA_OK;
}

da_status dah_replica_run(dah_replica* replica) {
    std::string why = "the host does not support this combination";
    const da_status status = replica->call.run(&why);
    return status == DA_NOT_SUPPORTED ? fail(status, why) : status;
}

da_status dah_replica_operand(dah_replica* replica, int32_t k, dah_tensor** out) {
    if (k < 0 || k > replica->call.call().n_inputs) {
        return fail(DA_INVALID_ARGUMENT, "there is no such operand");
    }
    *out = as_tensor(replica->call.call(), k);
    return *out ? DA_OK : last_status();
}

void dah_replica_release(dah_replica* replica) {
    delete replica;
}
