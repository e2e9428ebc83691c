// SPDX-License-Identifier: Apache-2.0
// New tensors: empty, filled, counted, random, from and to host memory, on another device.
#include "copy.hpp"
#include "dispatch.hpp"
#include "error.hpp"

using namespace device_api::core;

static Tensor* make(Device* device, uint16_t dtype, int rank, const int64_t* shape,
                    uint16_t owner) {
    if (!device) return nullptr;
    return new_tensor(*device, dtype, rank, shape, current_stream(*device), owner);
}

// Runs an op without inputs into a whole new tensor.
static da_status generate(uint16_t op, Tensor& out, const da_value* attributes) {
    if (!out.size) return DA_OK;
    Call call{out.device, current_stream(*out.device), op, 0, {}, {}, attributes};
    operand(call, 0, out);
    return execute(call);
}

da_status dah_empty(dah_device device, uint16_t dtype, int32_t rank, const int64_t* shape,
                    dah_tensor** out) {
    Tensor* t = make(open_device(device), dtype, rank, shape, owner_empty);
    if (!t) return last_status();
    *out = t;
    return DA_OK;
}

da_status dah_full(dah_device device, uint16_t dtype, int32_t rank, const int64_t* shape,
                   const dah_scalar* value, dah_tensor** out) {
    Owned t(make(open_device(device), dtype, rank, shape, DA_OP_FILL));
    if (!t) return last_status();
    if (da_status status = dah_assign_scalar(t.get(), value)) return status;
    *out = t.pass();
    return DA_OK;
}

da_status dah_iota(dah_device device, uint16_t dtype, int64_t n, const dah_scalar* start,
                   const dah_scalar* step, dah_tensor** out) {
    const int64_t size = n < 0 ? 0 : n;
    Owned t(make(open_device(device), dtype, 1, &size, DA_OP_IOTA));
    if (!t) return last_status();
    da_value attributes[2];
    const char kind = dtype_kind(dtype);
    if (kind == 'b' || kind == 'c' || !scalar_value(*start, dtype, &attributes[DA_IOTA_START]) ||
        !scalar_value(*step, dtype, &attributes[DA_IOTA_STEP])) {
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_DTYPE,
                    std::string("start and step do not fit into ") + dtype_name(dtype),
                    "choose a wider data type");
    }
    if (da_status status = generate(DA_OP_IOTA, *t.get(), attributes)) return status;
    *out = t.pass();
    return DA_OK;
}

da_status dah_random_bits(dah_device device, int64_t n, uint64_t seed, uint64_t offset,
                          dah_tensor** out) {
    Owned t(make(open_device(device), DA_UINT32, 1, &n, DA_OP_RANDOM_BITS));
    if (!t) return last_status();
    da_value attributes[2];
    attributes[DA_RANDOM_BITS_SEED].u = seed;
    attributes[DA_RANDOM_BITS_OFFSET].u = offset;
    if (da_status status = generate(DA_OP_RANDOM_BITS, *t.get(), attributes)) return status;
    *out = t.pass();
    return DA_OK;
}

da_status dah_from_host(dah_device handle, uint16_t dtype, int32_t rank, const int64_t* shape,
                        const void* data, dah_tensor** out) {
    Device* device = open_device(handle);
    Owned t(make(device, dtype, rank, shape, owner_host_data));
    if (!t) return last_status();
    if (t->size) {
        const uint64_t bytes = static_cast<uint64_t>(t->size) * dtype_size(dtype);
        da_status status = copy_bytes(device, t->data, nullptr, data, bytes, nullptr);
        if (status) return status;
    }
    *out = t.pass();
    return DA_OK;
}

// Work of the stream that the tensor was made on comes first, where that is not the current one.
static da_status wait_for_maker(const Tensor& x) {
    const Block* block = x.block;
    if (!block || !block->pool || x.device->synchronous) return DA_OK;
    if (block->stream_id == current_stream(*x.device)->id) return DA_OK;
    dah_stream* maker = x.device->allocator->maker(*block);
    if (!maker) return DA_OK;
    const da_status status = synchronize(*maker);
    dah_stream_release(maker);
    return status;
}

da_status dah_to_host(dah_tensor* x, void* data) {
    if (!x->size) return DA_OK;
    if (da_status status = wait_for_maker(*x)) return status;
    Owned dense;
    if (dah_contiguous(x, 0, dense.out())) return last_status();
    const uint64_t bytes = static_cast<uint64_t>(x->size) * dtype_size(x->dtype);
    return copy_bytes(nullptr, data, x->device, dense->data, bytes, nullptr);
}

da_status dah_to_device(dah_tensor* x, dah_device handle, dah_tensor** out) {
    Device* device = open_device(handle);
    if (!device) return last_status();
    if (x->device == device) {
        retain(x);
        *out = x;
        return DA_OK;
    }
    if (da_status status = wait_for_maker(*x)) return status;
    Owned dense, t;
    if (dah_contiguous(x, 0, dense.out())) return last_status();
    t.reset(make(device, x->dtype, x->rank, x->shape, owner_host_data));
    if (!t) return last_status();
    const uint64_t bytes = static_cast<uint64_t>(x->size) * dtype_size(x->dtype);
    da_status status = copy_bytes(device, t->data, x->device, dense->data, bytes, nullptr);
    if (status) return status;
    *out = t.pass();
    return DA_OK;
}

da_status dah_wrap(dah_device handle, uint16_t dtype, int32_t rank, const int64_t* shape,
                   const int64_t* strides, void* data, void* storage, uint64_t bytes,
                   void (*release)(void*), void* context, dah_tensor** out) {
    Device* device = open_device(handle);
    if (!device) return last_status();
    int64_t size;
    if (da_status status = count_elements(dtype, rank, shape, &size)) return status;
    auto* block = new Block;
    block->foreign = true;
    block->device = device;
    block->address = storage;
    block->size = bytes;
    block->release = release;
    block->context = context;
    Tensor* t = take_tensor();
    t->dtype = dtype;
    t->rank = static_cast<uint8_t>(rank);
    t->device = device;
    t->block = block;
    t->data = data;
    t->size = size;
    for (int i = 0; i < rank; ++i) t->shape[i] = shape[i];
    if (strides)
        std::memcpy(t->strides, strides, sizeof(int64_t) * static_cast<size_t>(rank));
    else
        row_major(rank, shape, t->strides);
    t->contiguous = is_contiguous(rank, t->shape, t->strides);
    *out = t;
    return DA_OK;
}
