// SPDX-License-Identifier: Apache-2.0
// Tensor operands of kernels: dtype, device address, shape, strides in elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace device_api::engine {

enum class DType : std::uint8_t {
    boolean,
    i8,
    i16,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
    f16,
    bf16,
    f32,
    f64
};
constexpr int dtype_count = 13;

std::size_t dtype_size(DType d) noexcept; // bytes
const char* dtype_name(DType d) noexcept; // "float32", "bfloat16", "bool"
constexpr bool is_float(DType d) {
    return d >= DType::f16;
}
constexpr bool is_unsigned(DType d) {
    return d >= DType::u8 && d <= DType::u64;
}
constexpr bool is_signed(DType d) {
    return d >= DType::i8 && d <= DType::i64;
}

constexpr int max_rank = 12;

struct Tensor {
    DType dtype = DType::f32;
    int rank = 0;
    std::uintptr_t data = 0; // address of element [0, ..., 0] (a device pointer)
    std::int64_t shape[max_rank] = {};
    std::int64_t strides[max_rank] = {}; // in elements; may be 0 or negative

    Tensor() = default;
    /// strides null: C-contiguous.
    Tensor(DType dtype, std::uintptr_t data, int rank, const std::int64_t* shape,
           const std::int64_t* strides = nullptr) noexcept;
    Tensor(DType dtype, std::uintptr_t data, std::initializer_list<std::int64_t> shape) noexcept;

    std::int64_t numel() const noexcept;
    bool contiguous() const noexcept;
    /// The bytes that the elements span, [lo, hi): false when there are no elements.
    bool span(std::uintptr_t* lo, std::uintptr_t* hi) const noexcept;
    /// Broadcast to `shape` (stride 0 on expanded axes, NumPy's rule); false when it does not fit.
    bool broadcast(int rank, const std::int64_t* shape, Tensor* out) const noexcept;
    /// Swap two axes (negative: from the end).
    Tensor transposed(int a, int b) const noexcept;
};

/// One value of a dtype, for scalar arguments.
struct Scalar {
    DType dtype = DType::f64;
    union {
        double f;        // f16, bf16, f32, f64
        std::int64_t i;  // bool, signed
        std::uint64_t u; // unsigned
    };
    Scalar() : f(0) {}
    Scalar(double v) : dtype(DType::f64), f(v) {}
    Scalar(float v) : dtype(DType::f32), f(v) {}
    Scalar(bool v) : dtype(DType::boolean), i(v) {}
    Scalar(std::int64_t v) : dtype(DType::i64), i(v) {}
    Scalar(int v) : dtype(DType::i64), i(v) {}
    Scalar(std::uint64_t v) : dtype(DType::u64), u(v) {}
    /// From a value in memory laid out as `dtype` (e.g. an aclScalar's bytes).
    static Scalar from_memory(DType dtype, const void* value) noexcept;
    double as_double() const noexcept;
    std::int64_t as_int() const noexcept;
};

} // namespace device_api::engine
