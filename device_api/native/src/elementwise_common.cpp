// SPDX-License-Identifier: Apache-2.0
// What the elementwise ops on tensors share.
#include "elementwise.hpp"

namespace device_api::core {

da_status no_such_type(uint16_t op, int dtype) {
    const std::string name = op_info(op).name;
    const bool is_bool = dtype == DA_BOOL;
    fail(DA_INVALID_ARGUMENT, DAH_ERROR_DTYPE,
         "'" + name + "' has no meaning for " + dtype_name(static_cast<uint16_t>(dtype)),
         is_bool ? "cast to an integer type first, or use the logical functions"
                 : "cast with astype() first");
    return annotate(DA_INVALID_ARGUMENT, op, nullptr);
}

da_status no_common_type(uint16_t op, uint16_t a, uint16_t b) {
    fail(DA_INVALID_ARGUMENT, DAH_ERROR_DTYPE,
         std::string("no data type holds both ") + dtype_name(a) + " and " + dtype_name(b),
         "cast one of them with astype() first");
    return annotate(DA_INVALID_ARGUMENT, op, nullptr);
}

int compute_dtype(const OpInfo& info, int dtype) {
    if (dtype < 0 || in(info.dtypes, dtype)) return dtype;
    if (info.dtypes == DA_DTYPE_BIT(DA_BOOL)) return DA_BOOL;
    if (info.kind == DA_KIND_COMPARE && dtype == DA_BOOL) return DA_UINT8;
    if (!in(info.dtypes, DA_INT64) && dtype_kind(uint16_t(dtype)) != 'c') return default_float;
    return -1;
}

da_status check_cast(uint16_t from, uint16_t to) {
    const char kind = dtype_kind(to);
    if (dtype_kind(from) != 'c' || kind == 'c' || kind == 'b') return DA_OK;
    fail(DA_INVALID_ARGUMENT, DAH_ERROR_DTYPE,
         std::string(dtype_name(from)) + " does not become " + dtype_name(to) +
             ": the imaginary parts would be lost",
         "take real(x), imag(x) or abs(x) first");
    return annotate(DA_INVALID_ARGUMENT, DA_OP_CAST, nullptr);
}

Tensor* in_dtype(Tensor* t, uint16_t dtype, Owned& owned) {
    if (t->dtype == dtype) return t;
    owned.reset(
        new_tensor(*t->device, dtype, t->rank, t->shape, current_stream(*t->device), DA_OP_CAST));
    if (!owned) return nullptr;
    if (run_elementwise(DA_OP_CAST, *t->device, &t, 1, *owned.get())) return nullptr;
    return owned.get();
}

da_status same_device(uint16_t op, const Tensor& a, const Tensor& b) {
    if (a.device == b.device) return DA_OK;
    for (const Tensor* t : {&a, &b}) {
        if (t->device->gone) return annotate(fail_gone(*t->device), op, t->device);
    }
    fail(DA_INVALID_ARGUMENT, DAH_ERROR_DEVICE_MISMATCH,
         "the operands are on different devices: " + a.device->name() + " and " + b.device->name(),
         "move one with to_device()");
    return annotate(DA_INVALID_ARGUMENT, op, a.device);
}

Tensor* new_result(const Tensor& like, const Shape& shape, uint16_t dtype, uint16_t op) {
    Tensor* t =
        new_tensor(*like.device, dtype, shape.rank, shape.sizes, current_stream(*like.device), op);
    if (!t) annotate(last_status(), op, like.device);
    return t;
}

} // namespace device_api::core
