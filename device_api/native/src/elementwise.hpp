// SPDX-License-Identifier: Apache-2.0
// What the elementwise ops on tensors share: types of computation, and the short way.
#pragma once

#include "dispatch.hpp"
#include "error.hpp"
#include "observe.hpp"

namespace device_api::core {

inline bool in(da_dtype_mask mask, int dtype) {
    return dtype >= 0 && ((mask >> dtype) & 1);
}

// Type of the output for a key operand of type `dtype`; no meaning where the table leaves it free.
inline uint16_t result_dtype(const OpInfo& info, uint16_t dtype) {
    switch (info.result) {
    case DA_RESULT_BOOL: return DA_BOOL;
    case DA_RESULT_INT64: return DA_INT64;
    case DA_RESULT_UINT32: return DA_UINT32;
    case DA_RESULT_REAL: return real_dtype(dtype);
    case DA_RESULT_COMPLEX: return complex_dtype(dtype);
    default: return dtype;
    }
}

// The type that the op computes in when its operands are of type `dtype`; -1 when it has none.
int compute_dtype(const OpInfo& info, int dtype);

// The op that does the work of `op` for operands of a type that the table gives to another one.
uint16_t substitute(uint16_t op, int dtype);

// Sets `status` and returns true where a unary op needs no computation: a copy, or a constant.
bool trivial_unary(uint16_t op, Tensor* x, Tensor** out, da_status* status);

// Whether a type may be cast to another; DTypeError for complex to real numbers.
da_status check_cast(uint16_t from, uint16_t to);

// `t` in that type: itself, or a cast held by `owned`; NULL with the error set.
Tensor* in_dtype(Tensor* t, uint16_t dtype, Owned& owned);

// A new dense result on the device of `like`; NULL with the error set.
Tensor* new_result(const Tensor& like, const Shape& shape, uint16_t dtype, uint16_t op);

da_status no_such_type(uint16_t op, int dtype);
da_status no_common_type(uint16_t op, uint16_t a, uint16_t b);
da_status same_device(uint16_t op, const Tensor& a, const Tensor& b);

inline bool same_shape(const Tensor& a, const Tensor& b) {
    if (a.rank != b.rank) return false;
    for (int i = 0; i < a.rank; ++i) {
        if (a.shape[i] != b.shape[i]) return false;
    }
    return true;
}

// The common case: dense operands of one type and shape, on a device that has the op. An input
// `immediate` >= 0 is a host scalar of that type instead, at `element`. Returns false when it is
// another case.
inline bool short_way(uint16_t op, Tensor* const* inputs, int n, Tensor& out, da_status* status,
                      int immediate = -1, void* element = nullptr) {
    Device& device = *out.device;
    const dab_op& entry = device.ops[op];
    const uint16_t key = inputs[immediate == 0 ? 1 : 0]->dtype;
    if (!entry.run || !in(entry.dtypes, key) || out.size == 0) return false;
    const int64_t stride = 1;
    Call call;
    call.device = &device;
    call.stream = current_stream(device);
    call.op = op;
    call.n_inputs = n;
    call.attributes = nullptr;
    for (int k = 0; k <= n; ++k) {
        da_tensor& d = call.tensors[k];
        if (k == immediate) {
            d = da_tensor{element, element, dtype_size(key),    nullptr, nullptr,
                          0,       key,     DA_TENSOR_IMMEDIATE};
            call.blocks[k] = nullptr;
            continue;
        }
        const Tensor& t = k < n ? *inputs[k] : out;
        d.data = t.data;
        d.storage = t.block->address;
        d.storage_bytes = t.block->size;
        d.shape = &out.size;
        d.strides = &stride;
        d.rank = 1;
        d.dtype = t.dtype;
        d.flags = DA_TENSOR_CONTIGUOUS;
        call.blocks[k] = t.block;
    }
    *status = run_short(call);
    return *status != DA_NOT_SUPPORTED;
}

// The same for two dense operands whose shapes differ but broadcast: sets `out` to a new result.
bool broadcast_way(uint16_t op, Tensor* a, Tensor* b, uint16_t result, Tensor** out,
                   da_status* status);

} // namespace device_api::core
