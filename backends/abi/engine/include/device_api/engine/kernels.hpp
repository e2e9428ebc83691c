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

/// What a chip computes with: products of matrices and convolutions, or all else.
enum class Unit : int { matrix, vector };
/// Operations that a transcendental function counts for.
constexpr double function_weight = 8;

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

    /// For the simulated clock: so many operations (a multiply-add is two) of a unit, in this type.
    void add_work(Unit unit, DType dtype, double operations);
    void add_flops(double flops, DType dtype = DType::f32) { add_work(Unit::matrix, dtype, flops); }
    bool stopping() const; // the stream is being abandoned: return soon
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
    signbit,  // bool result, cast to out
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
    floor_of_quotient, // floats: floor(a / b), the quotient rounded first; integers as floor_div
};
/// Functions of one input with parameters, of floating types.
enum class Activation : int {
    gelu_tanh,  // x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) / 2
    mish,       // x * tanh(log(1 + exp(x)))
    hardswish,  // x * min(max(x + 3, 0), 6) / 6
    leaky_relu, // x > 0 ? x : a * x
    elu,        // x > 0 ? b * x : a * b * (exp(c * x) - 1)
    softplus,   // a * x > b ? x : log(1 + exp(a * x)) / a
};
struct Parameters {
    double a = 1, b = 1, c = 1;
};
enum class Reduce : int { sum, prod, max, min, any, all };

/// compute: the dtype the operation is done in (e.g. f32 for exp of an i32 tensor into f32).
Status unary(TaskContext&, Unary op, DType compute, const Tensor& in, const Tensor& out);
Status binary(TaskContext&, Binary op, DType compute, const Tensor& a, const Tensor& b,
              const Tensor& out, const Scalar& alpha = Scalar(1));
Status activation(TaskContext&, Activation op, DType compute, const Tensor& in, const Tensor& out,
                  const Parameters& parameters = {});
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

/// In order along the axis, NaN as the largest, equal elements in their order (also descending).
/// values and indices (i32 or i64) may be null; their size along the axis, k, may be smaller than
/// in's: the first k of the order are written.
Status sort(TaskContext&, const Tensor& in, int axis, bool descending, const Tensor* values,
            const Tensor* indices);
/// out (i32 or i64, the shape of values): the place of the first element of `sorted` (rank 1) that
/// is at least the value (`right`: that is more); the size of `sorted` when there is none.
Status search_sorted(TaskContext&, const Tensor& sorted, const Tensor& values, bool right,
                     const Tensor& out);

/// exp(x) over its sum along the axis, or the logarithm of that; in double.
Status softmax(TaskContext&, bool logarithm, const Tensor& in, int axis, const Tensor& out);
/// (x - mean) * rstd * weight + bias over the last axis, in double; rstd = 1 / sqrt(variance +
/// epsilon). Null weight, bias, mean or rstd: left out. mean and rstd have size 1 there.
Status layer_norm(TaskContext&, const Tensor& in, const Tensor* weight, const Tensor* bias,
                  double epsilon, const Tensor& out, const Tensor* mean, const Tensor* rstd);
/// x * rstd * weight over the last axis; rstd = 1 / sqrt(mean of x * x + epsilon); an infinite x
/// gives an infinity.
Status rms_norm(TaskContext&, const Tensor& in, const Tensor& weight, double epsilon,
                const Tensor& out, const Tensor* rstd);

/// Windows over the last one to three axes of (N, C, *spatial) tensors; arrays in the order d, h,
/// w, of which the last ones count. What lies outside the input is 0 (max: does not count).
struct Window {
    std::int64_t size[3] = {1, 1, 1}; // pools only
    std::int64_t stride[3] = {1, 1, 1};
    std::int64_t pad[3] = {0, 0, 0}; // before the input
    std::int64_t dilation[3] = {1, 1, 1};
};
/// bias (rank 1) may be null.
Status convolution(TaskContext&, const Tensor& in, const Tensor& weight, const Tensor* bias,
                   const Window& window, std::int64_t groups, const Tensor& out);
Status max_pool(TaskContext&, const Tensor& in, const Window& window, const Tensor& out);
/// divisor 0: the number of elements inside the input (count_pad: inside it with `pad` on both
/// sides).
Status avg_pool(TaskContext&, const Tensor& in, const Window& window, bool count_pad,
                std::int64_t divisor, const Tensor& out);

/// Philox 4x32-10: out (u32 or i32, contiguous order) = the stream of 32-bit words of counters
/// offset, offset+1, ... under the key `seed`; words of one counter in order 0..3.
Status philox(TaskContext&, std::uint64_t seed, std::uint64_t offset, const Tensor& out);

/// c[m,n] = a[m,k] b[k,n] of f32, rows contiguous at the given distances; a transposed operand is
/// stored as [k,m] or [n,k].
struct Sgemm {
    std::int64_t m, n, k;
    const float* a;
    std::int64_t lda;
    bool a_transposed;
    const float* b;
    std::int64_t ldb;
    bool b_transposed;
    float* c;
    std::int64_t ldc;
};
/// Does the product, or returns false: not done, use the loop. Null (the default): the engine looks
/// for a BLAS library (blas.cpp) for all but small products.
using SgemmHook = bool (*)(const Sgemm&);
void set_sgemm_hook(SgemmHook hook) noexcept;

// Bit conversions (round half-even), for vendors' own use.
float f16_to_f32(std::uint16_t h) noexcept;
std::uint16_t f32_to_f16(float f) noexcept;
float bf16_to_f32(std::uint16_t h) noexcept;
std::uint16_t f32_to_bf16(float f) noexcept;

} // namespace device_api::engine
