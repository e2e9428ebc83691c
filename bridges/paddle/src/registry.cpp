// SPDX-License-Identifier: Apache-2.0
// Registers the kernels with Paddle at run time, so that one library serves any device type.
#include "kernels.hpp"

namespace bridge {
namespace {

constexpr da_dtype_mask kNumeric = 0x1ffe; // all of the op table but bool
constexpr da_dtype_mask kAll = kNumeric | DA_DTYPE_BIT(DA_BOOL);
constexpr da_dtype_mask kComplex = DA_DTYPE_BIT(DA_COMPLEX64) | DA_DTYPE_BIT(DA_COMPLEX128);

struct Row {
    const char* name;
    da_dtype_mask dtypes;
    phi::KernelArgsParseFn parse;
    phi::KernelFn kernel;
    void* variadic;
};

template <auto function>
Row row(const char* name, da_dtype_mask dtypes) {
    using Implementation = phi::KernelImpl<decltype(function), function>;
    return {name, dtypes, phi::KernelArgsParseFunctor<decltype(function)>::Parse,
            Implementation::Compute, reinterpret_cast<void*>(&Implementation::VariadicCompute)};
}

// One row for a kernel: its name in Paddle, and the element types it takes.
const Row kRows[] = {
    row<&full>("full", kAll),
    row<&fill>("fill", kAll),
    row<&add>("add", kNumeric),
    row<&matmul>("matmul", kNumeric),
    row<&contiguous>("contiguous", kAll | kComplex),
    row<&strided_copy>("strided_copy", kAll | kComplex),
};

void no_more_arguments(const phi::KernelKey&, phi::Kernel*) {}

} // namespace

void register_kernels(const char* device_type) {
    for (const Row& entry : kRows)
        for (int dtype = 0; dtype < DA_DTYPE_COUNT; ++dtype)
            if (entry.dtypes & DA_DTYPE_BIT(dtype))
                phi::KernelRegistrar(phi::RegType::OUTER, entry.name, device_type,
                                     phi::DataLayout::ALL_LAYOUT,
                                     paddle_dtype(static_cast<da_dtype>(dtype)), entry.parse,
                                     no_more_arguments, entry.kernel, entry.variadic);
}

} // namespace bridge
