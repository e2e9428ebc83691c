// SPDX-License-Identifier: Apache-2.0
// Complex matrix products, from four real ones of the parts.
#include "ops/ops.hpp"
#include "ops/temporary.hpp"

namespace device_api::cpu {
namespace {

// The real or imaginary parts of a complex tensor: a view of floats.
struct Part {
    Part(const da_tensor& t, bool imaginary) : view(t) {
        const bool single = t.dtype == DA_COMPLEX64;
        view.dtype = single ? DA_FLOAT32 : DA_FLOAT64;
        view.data = static_cast<char*>(t.data) + (imaginary ? (single ? 4 : 8) : 0);
        for (int d = 0; d < t.rank; ++d) strides[d] = 2 * t.strides[d];
        view.strides = strides;
        view.flags = 0;
    }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

    da_tensor view;
    int64_t strides[DA_MAX_RANK];
};

da_status binary(dab_instance* self, const dab_call& like, unsigned op, const da_tensor& a,
                 const da_tensor& b, const da_tensor& out) {
    const da_tensor tensors[] = {a, b, out};
    dab_call call = like;
    call.op = uint16_t(op);
    call.tensors = tensors;
    return op == DA_OP_MATMUL ? run_matmul(self, &call) : run_binary(self, &call);
}

} // namespace

da_status run_matmul_complex(dab_instance* self, const dab_call* call) {
    const da_tensor* t = call->tensors;
    const Part ar(t[0], false), ai(t[0], true), br(t[1], false), bi(t[1], true);
    const Part real(t[2], false), imaginary(t[2], true);
    Temporary first, second;
    if (!first.allocate(t[2], real.view.dtype) || !second.allocate(t[2], real.view.dtype))
        return Temporary::out_of_memory("matmul");
    struct Step {
        unsigned op;
        const da_tensor &a, &b, &out;
    };
    const da_tensor &x = first.tensor(), &y = second.tensor();
    const Step steps[] = {
        {DA_OP_MATMUL, ar.view, br.view, x}, {DA_OP_MATMUL, ai.view, bi.view, y},
        {DA_OP_SUB, x, y, real.view},        {DA_OP_MATMUL, ar.view, bi.view, x},
        {DA_OP_MATMUL, ai.view, br.view, y}, {DA_OP_ADD, x, y, imaginary.view},
    };
    for (const Step& step : steps)
        if (const da_status bad = binary(self, *call, step.op, step.a, step.b, step.out))
            return bad;
    return DA_OK;
}

} // namespace device_api::cpu
