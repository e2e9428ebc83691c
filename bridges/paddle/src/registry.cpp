// SPDX-License-Identifier: Apache-2.0
// Registers the kernels with Paddle at run time, so that one library serves any device type.
#include "host.hpp"
#include "kernels.hpp"

namespace bridge {
namespace {

struct Row {
    const char* name;
    da_op op;
    bool moves_bits; // complex types too, as pairs of halves
    phi::KernelArgsParseFn parse;
    phi::KernelFn kernel;
    void* variadic;
};

template <auto function>
Row row(const char* name, da_op op, bool moves_bits = false) {
    using Implementation = phi::KernelImpl<decltype(function), function>;
    return {name,
            op,
            moves_bits,
            phi::KernelArgsParseFunctor<decltype(function)>::Parse,
            Implementation::Compute,
            reinterpret_cast<void*>(&Implementation::VariadicCompute)};
}

// One row for a kernel: its name in Paddle, and the op that it runs.
const Row kRows[] = {
    row<&full>("full", DA_OP_FILL),
    row<&fill>("fill", DA_OP_FILL),
    row<&add>("add", DA_OP_ADD),
    row<&matmul>("matmul", DA_OP_MATMUL),
    row<&contiguous>("contiguous", DA_OP_COPY, true),
    row<&strided_copy>("strided_copy", DA_OP_COPY, true),
};

// The element types for which the device has the op. The others are left out, so that Paddle runs
// them on the CPU.
da_dtype_mask dtypes_of(const Row& entry) {
    const dab_op* op = dah_device_op(device_at(0), entry.op);
    da_dtype_mask mask = op ? op->dtypes : 0;
    if (entry.moves_bits && (mask & DA_DTYPE_BIT(DA_FLOAT32))) mask |= DA_DTYPE_BIT(DA_COMPLEX64);
    if (entry.moves_bits && (mask & DA_DTYPE_BIT(DA_FLOAT64))) mask |= DA_DTYPE_BIT(DA_COMPLEX128);
    return mask;
}

void no_more_arguments(const phi::KernelKey&, phi::Kernel*) {}

} // namespace

void register_kernels(const char* device_type) {
    for (const Row& entry : kRows) {
        const da_dtype_mask mask = dtypes_of(entry);
        for (int dtype = 0; dtype < DA_DTYPE_COUNT; ++dtype) {
            if (!(mask & DA_DTYPE_BIT(dtype))) continue;
            phi::KernelRegistrar(phi::RegType::OUTER, entry.name, device_type,
                                 phi::DataLayout::ALL_LAYOUT,
                                 paddle_dtype(static_cast<da_dtype>(dtype)), entry.parse,
                                 no_more_arguments, entry.kernel, entry.variadic);
        }
    }
}

} // namespace bridge
