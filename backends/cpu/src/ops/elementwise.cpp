// SPDX-License-Identifier: Apache-2.0
// Ops with one, two or three elementwise inputs, and conversions.
#include "ops/map.hpp"
#include "ops/ops.hpp"
#include "ops/small.hpp"

namespace device_api::cpu {
namespace {

// 16-bit floats are computed in float32 where there is no loop for themselves.
template <class Loop>
unsigned compute_type(const Loop* row, unsigned dtype) {
    return is_half(dtype) && !row[dtype] ? unsigned(DA_FLOAT32) : dtype;
}

bool gives_bool(unsigned op) {
    switch (op) {
    case DA_OP_ISNAN:
    case DA_OP_ISINF:
    case DA_OP_ISFINITE:
    case DA_OP_SIGNBIT:
    case DA_OP_LOGICAL_NOT:
    case DA_OP_EQUAL:
    case DA_OP_NOT_EQUAL:
    case DA_OP_LESS:
    case DA_OP_LESS_EQUAL:
    case DA_OP_LOGICAL_AND:
    case DA_OP_LOGICAL_OR: return true;
    default: return false;
    }
}

bool has_attributes(unsigned op) {
    return op >= unsigned(kFirstAttributed) && op < unsigned(kFirstAttributed + kAttributed);
}
int attribute_count(unsigned op) {
    return op == DA_OP_HARDSIGMOID || op == DA_OP_SOFTPLUS ? 2 : 1;
}

// Worth several threads earlier than a sum is.
bool costly(unsigned op) {
    return (op >= DA_OP_EXP && op <= DA_OP_TANH && op != DA_OP_SQRT) || op == DA_OP_POW ||
           (op >= DA_OP_EXPM1 && op <= DA_OP_ATANH) || op == DA_OP_ERF ||
           (op >= DA_OP_FLOOR_DIVIDE && op <= DA_OP_HYPOT) || op == DA_OP_LOGADDEXP ||
           (op >= DA_OP_SIGMOID && op <= DA_OP_ELU);
}

// `type` is the one to compute in.
MapSteps steps_for(const dab_instance* self, unsigned op, unsigned dtype, unsigned type,
                   int inputs) {
    MapSteps steps;
    steps.inputs = inputs;
    for (int i = 0; i < inputs; ++i)
        if (type != dtype) steps.load[i] = self->kernels->convert[dtype][type];
    if (type != dtype && !gives_bool(op)) steps.store = self->kernels->convert[type][dtype];
    steps.costly = costly(op);
    return steps;
}

// Whether a floating tensor repeats the number 2: x to the power 2 is x times x, rounded once too.
bool is_two(const dab_instance* self, const da_tensor& t) {
    for (int d = 0; d < t.rank; ++d)
        if (t.strides[d] != 0 && t.shape[d] != 1) return false;
    if (t.dtype == DA_FLOAT64) return *static_cast<const double*>(t.data) == 2;
    if (t.dtype == DA_FLOAT32) return *static_cast<const float*>(t.data) == 2;
    if (!is_half(t.dtype)) return false;
    float single = 0;
    self->kernels->convert[t.dtype][DA_FLOAT32](1, &single, t.data);
    return single == 2;
}

da_status square(dab_instance* self, const dab_call* call) {
    const da_tensor tensors[] = {call->tensors[0], call->tensors[0], call->tensors[2]};
    dab_call product = *call;
    product.op = DA_OP_MUL;
    product.tensors = tensors;
    return run_binary(self, &product);
}

// Appends the steps from one real type to another. Those of more than one go through float32, or
// float32 rounded to odd, so that the value is rounded once in effect.
int real_steps(const Kernels& k, unsigned source, unsigned target, Map1* steps) {
    int count = 0;
    const bool to_half = is_half(target);
    if (source == target) return 0;
    if (is_half(source) && target != DA_FLOAT32) {
        steps[count++] = k.convert[source][DA_FLOAT32];
        source = DA_FLOAT32;
    } else if (to_half && (source == DA_INT32 || source == DA_UINT32)) {
        steps[count++] = k.convert[source][DA_FLOAT64];
        source = DA_FLOAT64;
    }
    if (to_half && source != DA_FLOAT32) {
        steps[count++] = k.to_odd[source] ? k.to_odd[source] : k.convert[source][DA_FLOAT32];
        source = DA_FLOAT32;
    }
    if (source != target) steps[count++] = k.convert[source][target];
    return count;
}

bool is_complex(unsigned dtype) {
    return dtype == DA_COMPLEX64 || dtype == DA_COMPLEX128;
}
unsigned part_type(unsigned dtype) {
    return dtype == DA_COMPLEX64 ? DA_FLOAT32 : DA_FLOAT64;
}

// A complex number becomes its real part, but for bool; a real one gets the imaginary part 0.
int cast_steps(const Kernels& k, unsigned source, unsigned target, Map1* steps) {
    if (k.convert[source][target] && is_complex(source)) {
        steps[0] = k.convert[source][target];
        return 1;
    }
    int count = 0;
    if (is_complex(source)) {
        steps[count++] = k.convert[source][part_type(source)];
        source = part_type(source);
    }
    if (!is_complex(target)) return count + real_steps(k, source, target, steps + count);
    count += real_steps(k, source, part_type(target), steps + count);
    steps[count++] = k.convert[part_type(target)][target];
    return count;
}

} // namespace

da_status unsupported(const dab_call* call) {
    return fail(DA_NOT_SUPPORTED, "cast the inputs to a type that the op table lists for the op",
                "op %d does not take elements of type %d on the CPU", int(call->op),
                int(call->tensors[0].dtype));
}

da_dtype_mask types_with_loops(const Kernels& kernels, da_op op) {
    da_dtype_mask types = 0;
    for (unsigned dtype = 0; dtype < kTypes; ++dtype) {
        const unsigned half = is_half(dtype) ? unsigned(DA_FLOAT32) : dtype;
        const bool attributed =
            has_attributes(op) && kernels.attributed[op - kFirstAttributed][half];
        if (kernels.unary[op][dtype] || kernels.unary[op][half] || kernels.binary[op][dtype] ||
            kernels.binary[op][half] || attributed)
            types |= DA_DTYPE_BIT(dtype);
    }
    return types;
}

da_status run_unary(dab_instance* self, const dab_call* call) {
    const da_tensor* t = call->tensors;
    if (t[0].dtype >= kTypes) return unsupported(call);
    const Map1* row = self->kernels->unary[call->op];
    if (const Map1 loop = row[t[0].dtype]) {
        const int64_t n = dense_elements(t, 2, costly(call->op) ? kSmall / 4 : kSmall);
        if (n > 0) {
            loop(size_t(n), t[1].data, t[0].data);
            return DA_OK;
        }
    }
    const unsigned type = compute_type(row, t[0].dtype);
    MapSteps steps = steps_for(self, call->op, t[0].dtype, type, 1);
    steps.compute1 = row[type];
    if (!steps.compute1) return unsupported(call);
    steps.stream1 = self->kernels->unary_stream[call->op][t[0].dtype];
    const da_tensor* operands[] = {&t[1], &t[0]};
    map(self, steps, operands);
    return DA_OK;
}

// Activations: those with attributes have loops of their own.
da_status run_activation(dab_instance* self, const dab_call* call) {
    if (!has_attributes(call->op)) return run_unary(self, call);
    const da_tensor* t = call->tensors;
    if (t[0].dtype >= kTypes) return unsupported(call);
    const MapAttributes* row = self->kernels->attributed[call->op - kFirstAttributed];
    const unsigned type = compute_type(row, t[0].dtype);
    MapSteps steps = steps_for(self, call->op, t[0].dtype, type, 1);
    steps.compute_attributes = row[type];
    if (!steps.compute_attributes) return unsupported(call);
    const double attributes[] = {call->attributes[0].f,
                                 attribute_count(call->op) > 1 ? call->attributes[1].f : 0};
    steps.attributes = attributes;
    const da_tensor* operands[] = {&t[1], &t[0]};
    map(self, steps, operands);
    return DA_OK;
}

da_status run_binary(dab_instance* self, const dab_call* call) {
    const da_tensor* t = call->tensors;
    if (t[0].dtype >= kTypes) return unsupported(call);
    if (call->op == DA_OP_POW && is_two(self, t[1])) return square(self, call);
    const Map2* row = self->kernels->binary[call->op];
    if (const Map2 loop = row[t[0].dtype]) {
        const int64_t n = dense_elements(t, 3, kSmall);
        if (n > 0) {
            loop(size_t(n), t[2].data, t[0].data, t[1].data);
            return DA_OK;
        }
        if (small_scalar(self, loop, t) || small_rows(self, loop, t)) return DA_OK;
    }
    const unsigned type = compute_type(row, t[0].dtype);
    MapSteps steps = steps_for(self, call->op, t[0].dtype, type, 2);
    steps.compute2 = row[type];
    if (!steps.compute2) return unsupported(call);
    steps.stream2 = self->kernels->binary_stream[call->op][t[0].dtype];
    const da_tensor* operands[] = {&t[2], &t[0], &t[1]};
    map(self, steps, operands);
    return DA_OK;
}

da_status run_where(dab_instance* self, const dab_call* call) {
    const da_tensor* t = call->tensors;
    if (t[1].dtype >= kTypes) return unsupported(call);
    MapSteps steps;
    steps.inputs = 3;
    steps.compute3 = self->kernels->where[kWidth[t[1].dtype]];
    const int64_t n = dense_elements(t, 4, kSmall);
    if (n > 0) {
        steps.compute3(size_t(n), t[3].data, t[0].data, t[1].data, t[2].data);
        return DA_OK;
    }
    steps.stream3 = self->kernels->where_stream[kWidth[t[1].dtype]];
    const da_tensor* operands[] = {&t[3], &t[0], &t[1], &t[2]};
    map(self, steps, operands);
    return DA_OK;
}

da_status run_cast(dab_instance* self, const dab_call* call) {
    const da_tensor &in = call->tensors[0], &out = call->tensors[1];
    if (in.dtype >= kTypes || out.dtype >= kTypes) return unsupported(call);
    if (in.dtype == out.dtype) return run_copy(self, call);
    Map1 list[4] = {};
    const int count = cast_steps(*self->kernels, in.dtype, out.dtype, list);
    MapSteps steps;
    steps.inputs = 1;
    if (count > 1) steps.load[0] = list[0];
    steps.compute1 = list[count > 1];
    if (count > 2) steps.store = list[2];
    if (in.dtype == DA_FLOAT32) steps.stream1 = self->kernels->narrow_stream[out.dtype];
    const da_tensor* operands[] = {&out, &in};
    map(self, steps, operands);
    return DA_OK;
}

} // namespace device_api::cpu
