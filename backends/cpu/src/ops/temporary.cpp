// SPDX-License-Identifier: Apache-2.0
// Dense temporaries.
#include "ops/temporary.hpp"

#include <sys/mman.h>

#include <algorithm>

#include "ops/layout.hpp"
#include "ops/ops.hpp"

namespace device_api::cpu {

void* allocate_scratch(size_t bytes) {
    constexpr size_t large = 4 << 20, huge_page = 2 << 20;
    const size_t unit = bytes >= large ? huge_page : 64;
    if (bytes > SIZE_MAX - unit) return nullptr;
    const size_t rounded = bytes ? (bytes + unit - 1) / unit * unit : unit;
    void* p = std::aligned_alloc(unit, rounded);
    if (p && unit == huge_page) madvise(p, rounded, MADV_HUGEPAGE); // a hint
    return p;
}

bool Temporary::allocate(const da_tensor& like, unsigned dtype, int repeating,
                         const da_tensor* order) {
    int dimensions[DA_MAX_RANK]; // innermost first
    for (int d = 0; d < like.rank; ++d) dimensions[d] = like.rank - 1 - d;
    if (order)
        std::stable_sort(dimensions, dimensions + like.rank, [order](int a, int b) {
            return std::abs(order->strides[a]) < std::abs(order->strides[b]);
        });
    int64_t count = 1;
    for (int i = 0; i < like.rank; ++i) {
        const int d = dimensions[i];
        const bool repeats = d < repeating && like.strides[d] == 0;
        strides_[d] = repeats ? 0 : count;
        if (!repeats) count *= like.shape[d];
    }
    const size_t bytes = size_t(count) * size_t(size_of(dtype));
    memory_ = scratch<char>(int64_t(bytes));
    tensor_ = like;
    tensor_.data = tensor_.storage = memory_.get();
    tensor_.storage_bytes = bytes;
    tensor_.strides = strides_;
    tensor_.dtype = uint16_t(dtype);
    tensor_.flags = repeating || order ? 0 : uint16_t(DA_TENSOR_CONTIGUOUS);
    return memory_ != nullptr;
}

da_status Temporary::out_of_memory(const char* op) {
    return fail(DA_OUT_OF_MEMORY, "free tensors, or work on smaller parts",
                "%s: no memory for a temporary result", op);
}

da_status convert_tensor(dab_instance* self, const da_tensor& from, const da_tensor& to) {
    // Dimensions along which the target repeats are written once.
    int64_t shape[DA_MAX_RANK];
    for (int d = 0; d < to.rank; ++d) shape[d] = to.strides[d] == 0 ? 1 : to.shape[d];
    da_tensor tensors[2] = {from, to};
    tensors[0].shape = tensors[1].shape = shape;
    tensors[0].flags = tensors[1].flags = 0;
    dab_call call = {};
    call.size = sizeof call;
    call.op = DA_OP_CAST;
    call.n_inputs = call.n_outputs = 1;
    call.tensors = tensors;
    return run_cast(self, &call);
}

} // namespace device_api::cpu
