// SPDX-License-Identifier: Apache-2.0
// The short way of a binary op on two dense operands whose shapes differ.
#include "elementwise.hpp"

namespace device_api::core {
namespace {

// Merged dimensions, in the last elements of the arrays, from `first` on. Of dense operands all
// neighbours merge that are spread the same way, and the output is in order already.
struct Pair {
    int first = DA_MAX_RANK;
    int64_t shape[DA_MAX_RANK];
    int64_t strides[3][DA_MAX_RANK];
    bool whole[2] = {true, true}; // not spread at all
};

void push(Pair& p, int64_t n, const int64_t* steps, unsigned present) {
    --p.first;
    p.shape[p.first] = n;
    p.strides[0][p.first] = present & 1 ? steps[0] : 0;
    p.strides[1][p.first] = present & 2 ? steps[1] : 0;
    p.strides[2][p.first] = steps[2];
}

// False when they do not broadcast, or to nothing.
bool match(const Tensor& a, const Tensor& b, Shape& out, Pair& p) {
    out.rank = a.rank > b.rank ? a.rank : b.rank;
    const int lead_a = out.rank - a.rank, lead_b = out.rank - b.rank;
    int64_t steps[3] = {1, 1, 1};
    unsigned last = 0;
    for (int i = out.rank - 1; i >= 0; --i) {
        const int64_t na = i >= lead_a ? a.shape[i - lead_a] : 1;
        const int64_t nb = i >= lead_b ? b.shape[i - lead_b] : 1;
        const int64_t n = na == 1 ? nb : na;
        if ((nb != n && nb != 1) || n == 0) return false;
        out.sizes[i] = n;
        if (n == 1) continue;
        const unsigned present = (na == n ? 1u : 0u) | (nb == n ? 2u : 0u);
        if (present == last)
            p.shape[p.first] *= n;
        else
            push(p, n, steps, present);
        p.whole[0] &= present & 1;
        p.whole[1] &= (present >> 1) & 1;
        last = present;
        steps[0] *= na;
        steps[1] *= nb;
        steps[2] *= n;
    }
    if (p.first == DA_MAX_RANK) push(p, 1, steps, 3);
    return true;
}

} // namespace

bool broadcast_way(uint16_t op, Tensor* a, Tensor* b, uint16_t result, Tensor** out,
                   da_status* status) {
    Device& device = *a->device;
    const dab_op& entry = device.ops[op];
    if (!entry.run || !in(entry.dtypes, a->dtype) || !(entry.flags & DAB_OP_STRIDED)) return false;
    Shape shape;
    Pair p;
    if (!match(*a, *b, shape, p)) return false;
    Call call;
    call.device = &device;
    call.stream = current_stream(device);
    call.op = op;
    call.n_inputs = 2;
    call.attributes = nullptr;
    Tensor* made = new_tensor(device, result, shape.rank, shape.sizes, call.stream, op);
    if (!made) {
        *status = annotate(last_status(), op, &device);
        return true;
    }
    const Tensor* operands[3] = {a, b, made};
    for (int k = 0; k < 3; ++k) {
        const Tensor& t = *operands[k];
        const bool whole = k == 2 || p.whole[k];
        call.tensors[k] = da_tensor{t.data,
                                    t.block->address,
                                    t.block->size,
                                    p.shape + p.first,
                                    p.strides[k] + p.first,
                                    DA_MAX_RANK - p.first,
                                    t.dtype,
                                    whole ? uint16_t{DA_TENSOR_CONTIGUOUS} : uint16_t{0}};
        call.blocks[k] = t.block;
    }
    *status = run_short(call);
    if (*status)
        release(made);
    else
        *out = made;
    return *status != DA_NOT_SUPPORTED;
}

} // namespace device_api::core
