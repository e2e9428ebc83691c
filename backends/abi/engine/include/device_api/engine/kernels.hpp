// SPDX-License-Identifier: Apache-2.0
// Reference kernels. They are called inside a Launch's task with the task's context; operands are
// device tensors (or temporaries of the context), checked against live allocations, with any
// strides. Right first.
//
// dtype rules: each kernel names the dtype it computes in; operands are cast to it, the result is
// rounded to it and then cast to out.dtype (NumPy's casts: integers wrap, float to integer
// truncates, anything to bool is != 0). f16 and bf16 are computed in float and rounded half-even
// once. NaN propagates through max and min. Shapes must already be right: inputs broadcast to out's
// shape (NumPy's rule); anything else is invalid_value.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "device_api/engine/status.hpp"
#include "device_api/engine/stream.hpp"
#include "device_api/engine/tensor.hpp"

namespace device_api::engine {

/// Of the running task; valid only inside it and only on its thread.
class TaskContext {
  public:
    /// Host view of device bytes [address, address + bytes): null (and the task's error set) when
    /// they are not inside one live allocation, or in another one than at launch.
    void* map(std::uintptr_t address, std::size_t bytes, bool write);
    /// Host pointer to t's first element after checking t's whole span; null on error. No elements:
    /// a valid dummy.
    void* map(const Tensor& t, bool write);

    /// A temporary, contiguous, poisoned tensor that lives until the task ends; costs no device
    /// memory.
    Tensor temporary(DType dtype, int rank, const std::int64_t* shape);
    Tensor temporary_like(const Tensor& t, DType dtype);
    /// A 0-d temporary that holds `value` converted to `dtype`.
    Tensor constant(const Scalar& value, DType dtype);
    Tensor constant(const Scalar& value) { return constant(value, value.dtype); }

    void add_flops(double flops); // latency model
    bool stopping() const;        // the stream is being abandoned: return soon
    int device() const;
    Status error() const; // first error of map()

    struct State; // engine-private
    explicit TaskContext(State* s) : state_(s) {}
    State* state() const { return state_; }

  private:
    State* state_;
};

enum class Unary : int {
    neg,
    abs,
    sign,
    floor,
    ceil,
    round,
    trunc,
    square,
    reciprocal, // keep integers exact
    exp,
    exp2,
    expm1,
    log,
    log2,
    log10,
    log1p,
    sqrt,
    rsqrt,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    sinh,
    cosh,
    tanh,
    asinh,
    acosh,
    atanh,
    sigmoid,
    relu,
    gelu,
    silu,
    erf,
    erfc,
    isnan,
    isinf,
    isfinite,
    logical_not, // bool result, cast to out
    bitwise_not,
    positive, // identity
};
enum class Binary : int {
    add,
    sub, // a +- alpha * b
    mul,
    div,
    floor_div,
    remainder,
    fmod,
    pow,
    atan2, // div: floats true, integers truncate; x / 0 of integers = 0
    max,
    min,
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    shift_left,
    shift_right,
    eq,
    ne,
    lt,
    le,
    gt,
    ge, // bool result, cast to out
    logical_and,
    logical_or,
    logical_xor,
};
enum class Reduce : int { sum, prod, max, min, any, all };

/// compute: the dtype the operation is done in (e.g. f32 for exp of an i32 tensor into f32).
Status unary(TaskContext&, Unary op, DType compute, const Tensor& in, const Tensor& out);
Status binary(TaskContext&, Binary op, DType compute, const Tensor& a, const Tensor& b,
              const Tensor& out, const Scalar& alpha = Scalar(1));
/// out = cond ? a : b; cond of any dtype (!= 0); a and b are cast to out.dtype.
Status where(TaskContext&, const Tensor& cond, const Tensor& a, const Tensor& b, const Tensor& out);
/// Cast and strided copy with broadcast; overlapping in/out is handled as if `in` had been copied
/// first.
Status copy_tensor(TaskContext&, const Tensor& in, const Tensor& out);
Status fill(TaskContext&, const Scalar& value, const Tensor& out);
/// out[i] = start + i * step, out 1-D (any stride), computed in i64/u64 for integer dtypes, else
/// double.
Status arange(TaskContext&, const Scalar& start, const Scalar& step, const Tensor& out);

/// Reduce over `axes` (count 0: all); out has in's rank with 1 on reduced axes (keepdim) or without
/// them. Floating sums and products accumulate in double; integers wrap in `compute`. Empty sum 0,
/// prod 1, any false, all true, max/min of an empty axis: invalid_value.
Status reduce(TaskContext&, Reduce op, DType compute, const Tensor& in, const std::int64_t* axes,
              int axes_count, const Tensor& out);
/// First occurrence of the largest (smallest) along axis; NaN wins. axis = all_axes: of the
/// flattened tensor.
constexpr int all_axes = 1000;
Status arg_reduce(TaskContext&, bool largest, const Tensor& in, int axis, const Tensor& out);
/// Cumulative sum (or product) along an axis.
Status scan(TaskContext&, Reduce op, DType compute, const Tensor& in, int axis, const Tensor& out);

/// out[..., m, n] = alpha * a[..., m, k] @ b[..., k, n] + beta * c (c null: 0), batch axes
/// broadcast; rank >= 2 each. f16/bf16/f32 accumulate in float, f64 in double, integers in 64 bits.
Status matmul(TaskContext&, DType compute, const Tensor& a, const Tensor& b, const Tensor& out,
              double alpha = 1, double beta = 0, const Tensor* c = nullptr);

/// Index dtype i32 or i64; -n <= index < n, else invalid_value (reported late, like every task
/// error). out[i][j][k] = in[i][index[i][j][k]][k] for axis 1; out and index have one shape.
Status gather(TaskContext&, const Tensor& in, int axis, const Tensor& index, const Tensor& out);
/// out[.., index[j], ..] of one axis; index 1-D (index_select / take).
Status take(TaskContext&, const Tensor& in, int axis, const Tensor& index, const Tensor& out);
/// inout[i][index[i][j][k]][k] += source[i][j][k] (or = when !accumulate), in order, so the last
/// one wins.
Status scatter(TaskContext&, const Tensor& inout, int axis, const Tensor& index,
               const Tensor& source, bool accumulate);

/// Philox 4x32-10: out (u32 or i32, contiguous order) = the stream of 32-bit words of counters
/// offset, offset+1, ... under the key `seed`; words of one counter in order 0..3.
Status philox(TaskContext&, std::uint64_t seed, std::uint64_t offset, const Tensor& out);

/// Optional: C[m,n] = A[m,k] B[k,n], row-major contiguous f32 (leading dimensions given). False:
/// not done, use the loop.
using SgemmHook = bool (*)(std::int64_t m, std::int64_t n, std::int64_t k, const float* a,
                           std::int64_t lda, const float* b, std::int64_t ldb, float* c,
                           std::int64_t ldc);
void set_sgemm_hook(SgemmHook hook) noexcept;

// Bit conversions (round half-even), for vendors' own use.
float f16_to_f32(std::uint16_t h) noexcept;
std::uint16_t f32_to_f16(float f) noexcept;
float bf16_to_f32(std::uint16_t h) noexcept;
std::uint16_t f32_to_bf16(float f) noexcept;

} // namespace device_api::engine
