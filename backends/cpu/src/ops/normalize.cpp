// SPDX-License-Identifier: Apache-2.0
// softmax, log_softmax, layer_norm and rms_norm: rows along the axis, each on its own.
//
// Dense rows are worked on where they lie, 16-bit floats by way of a float32 copy of a row; any
// other layout goes through a temporary tensor whose axis is dense.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <new>

#include "ops/map.hpp"
#include "ops/structured.hpp"
#include "ops/temporary.hpp"
#include "pool.hpp"

namespace device_api::cpu {
namespace {

constexpr int64_t kOnStack = 4096; // elements of a row that fit the buffers on the stack

template <class F>
double sum_of(size_t n, F f) {
    double lane[8] = {};
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (size_t j = 0; j < 8; ++j) lane[j] += f(i + j);
    for (size_t j = 0; i < n; ++i, ++j) lane[j] += f(i);
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) +
           ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

double largest(size_t n, const double* x) {
    double most = x[0];
    for (size_t i = 1; i < n; ++i) most = x[i] > most || most != most ? x[i] : most;
    return most;
}

void softmax_double(size_t n, void* out, const void* in, void*, bool) {
    const double* x = static_cast<const double*>(in);
    double* y = static_cast<double*>(out);
    const double most = largest(n, x);
    for (size_t i = 0; i < n; ++i) {
        // The rounding error of the difference is made good.
        const double d = x[i] - most, back = d - x[i];
        const double error = (x[i] - (d - back)) - (most + back), e = std::exp(d);
        y[i] = e > 0 ? e + e * error : e;
    }
    const double sum = sum_of(n, [=](size_t i) { return y[i]; });
    for (size_t i = 0; i < n; ++i) y[i] /= sum;
}

void log_softmax_double(size_t n, void* out, const void* in, void*, bool) {
    const double* x = static_cast<const double*>(in);
    double* y = static_cast<double*>(out);
    const double most = largest(n, x);
    const double rest = std::log(sum_of(n, [=](size_t i) { return std::exp(x[i] - most); }));
    for (size_t i = 0; i < n; ++i) y[i] = (x[i] - most) - rest;
}

void layer_norm_double(size_t n, void* out, const void* in, const void* weight, const void* bias,
                       double epsilon, bool) {
    const double *x = static_cast<const double*>(in), *w = static_cast<const double*>(weight),
                 *b = static_cast<const double*>(bias);
    double* y = static_cast<double*>(out);
    const double mean = sum_of(n, [=](size_t i) { return x[i]; }) / double(n);
    const double squares = sum_of(n, [=](size_t i) { return (x[i] - mean) * (x[i] - mean); });
    const double root = std::sqrt(squares / double(n) + epsilon);
    for (size_t i = 0; i < n; ++i) y[i] = (x[i] - mean) / root * w[i] + b[i];
}

void rms_norm_double(size_t n, void* out, const void* in, const void* weight, const void*,
                     double epsilon, bool) {
    const double *x = static_cast<const double*>(in), *w = static_cast<const double*>(weight);
    double* y = static_cast<double*>(out);
    const double squares = sum_of(n, [=](size_t i) { return x[i] * x[i]; });
    const double root = std::sqrt(squares / double(n) + epsilon);
    for (size_t i = 0; i < n; ++i) y[i] = x[i] / root * w[i];
}

// A row at a time: softmax-like with neither weight nor bias, or the others.
struct RowWork {
    SoftmaxRow softmax = nullptr;
    NormRow norm = nullptr;
    const void *weight = nullptr, *bias = nullptr;
    double epsilon = 0;

    void operator()(int64_t n, void* out, const void* in, void* scratch, bool stream) const {
        if (softmax)
            softmax(size_t(n), out, in, scratch, stream);
        else
            norm(size_t(n), out, in, weight, bias, epsilon, stream);
    }
};

struct Rows {
    Nest nest; // operands: output, input
    char *out, *in;
    int64_t length;
    unsigned dtype;
};

Rows rows_of(const da_tensor& out, const da_tensor& in, int64_t axis) {
    Rows rows;
    rows.nest.operands = 2;
    for (int d = 0; d < in.rank; ++d) {
        const int64_t strides[] = {out.strides[d], in.strides[d]};
        if (d != axis) rows.nest.push(in.shape[d], strides);
    }
    rows.nest.sort();
    rows.nest.merge();
    rows.out = static_cast<char*>(out.data);
    rows.in = static_cast<char*>(in.data);
    rows.length = in.shape[axis];
    rows.dtype = in.dtype;
    return rows;
}

// One row of 16-bit floats by way of two of float32.
void half_row(const Kernels& k, const RowWork& work, const Rows& rows, char* out, const char* in,
              float* buffer) {
    const size_t n = size_t(rows.length);
    k.convert[rows.dtype][DA_FLOAT32](n, buffer, in);
    work(rows.length, buffer, buffer, buffer, false);
    k.convert[DA_FLOAT32][rows.dtype](n, out, buffer);
}

da_status run_rows(const dab_instance* self, const RowWork& work, const Rows& rows) {
    const int64_t count = rows.nest.elements(), n = rows.length;
    const int64_t group = std::max<int64_t>(1, (1 << 15) / n);
    const bool half = is_half(rows.dtype);
    const bool stream = !half && count * n * size_of(rows.dtype) >= kStreamBytes;
    std::atomic<bool> failed{false};
    auto body = [&](int64_t g) {
        alignas(64) float on_stack[kOnStack];
        std::unique_ptr<float[]> on_heap;
        float* buffer = on_stack;
        if (n > kOnStack && half) {
            on_heap.reset(new (std::nothrow) float[size_t(n)]);
            buffer = on_heap.get();
            if (!buffer) failed = true;
        }
        const int64_t end = buffer ? std::min(count, (g + 1) * group) : 0;
        Walk walk(rows.nest, rows.nest.rank, g * group);
        for (int64_t i = g * group; i < end; ++i) {
            char* out = rows.out + walk.offset(0) * size_of(rows.dtype);
            const char* in = rows.in + walk.offset(1) * size_of(rows.dtype);
            if (half)
                half_row(*self->kernels, work, rows, out, in, buffer);
            else
                work(n, out, in, n > kOnStack ? static_cast<void*>(out) : buffer, stream);
            if (i + 1 < end) walk.next();
        }
        if (stream) stream_fence();
    };
    const bool large = count * n >= kParallelElementsCostly;
    parallel(large ? self->threads : 1, (count + group - 1) / group, body);
    return failed ? Temporary::out_of_memory("normalization") : DA_OK;
}

// A view whose axis is the last one.
struct AxisLast {
    AxisLast(const da_tensor& t, int64_t axis) : tensor(t) {
        for (int d = 0, to = 0; d < t.rank; ++d) {
            if (d == axis) continue;
            shape[to] = t.shape[d];
            strides[to++] = t.strides[d];
        }
        shape[t.rank - 1] = t.shape[axis];
        strides[t.rank - 1] = t.strides[axis];
        tensor.shape = shape;
        tensor.strides = strides;
        tensor.flags = 0;
    }
    AxisLast(const AxisLast&) = delete;
    da_tensor tensor;
    int64_t shape[DA_MAX_RANK], strides[DA_MAX_RANK];
};

da_status run_axis(dab_instance* self, const RowWork& work, const da_tensor& in,
                   const da_tensor& out, int64_t axis) {
    const bool dense = in.shape[axis] == 1 || (in.strides[axis] == 1 && out.strides[axis] == 1);
    if (dense) return run_rows(self, work, rows_of(out, in, axis));
    const AxisLast from(in, axis), to(out, axis);
    const unsigned type = in.dtype == DA_FLOAT64 ? DA_FLOAT64 : DA_FLOAT32;
    Temporary copy;
    if (!copy.allocate(from.tensor, type)) return Temporary::out_of_memory("normalization");
    if (const da_status bad = convert_tensor(self, from.tensor, copy.tensor())) return bad;
    const Rows rows = rows_of(copy.tensor(), copy.tensor(), in.rank - 1);
    if (const da_status bad = run_rows(self, work, rows)) return bad;
    return convert_tensor(self, copy.tensor(), to.tensor);
}

// A dense vector of the loops' type.
da_status dense_vector(dab_instance* self, const da_tensor& t, unsigned type, Temporary* copy,
                       const void** data) {
    *data = t.data;
    if (t.dtype == type && (t.strides[0] == 1 || t.shape[0] == 1)) return DA_OK;
    if (!copy->allocate(t, type)) return Temporary::out_of_memory("normalization");
    *data = copy->tensor().data;
    return convert_tensor(self, t, copy->tensor());
}

constexpr da_dtype_mask kFloating = DA_DTYPE_BIT(DA_FLOAT16) | DA_DTYPE_BIT(DA_BFLOAT16) |
                                    DA_DTYPE_BIT(DA_FLOAT32) | DA_DTYPE_BIT(DA_FLOAT64);

} // namespace

da_status run_softmax(dab_instance* self, const dab_call* call) {
    const da_tensor &in = call->tensors[0], &out = call->tensors[1];
    const int64_t axis = call->attributes[DA_SOFTMAX_AXIS].i;
    if (!(kFloating >> in.dtype & 1)) return unsupported(call);
    if (const da_status bad = check_axis(call, axis)) return bad;
    RowWork work;
    const bool wide = in.dtype == DA_FLOAT64;
    work.softmax = call->op == DA_OP_SOFTMAX
                       ? (wide ? softmax_double : self->kernels->softmax)
                       : (wide ? log_softmax_double : self->kernels->log_softmax);
    return run_axis(self, work, in, out, axis);
}

da_status run_norm(dab_instance* self, const dab_call* call) {
    const da_tensor* t = call->tensors;
    const da_tensor &in = t[0], &out = t[call->n_inputs];
    const bool layer = call->op == DA_OP_LAYER_NORM, wide = in.dtype == DA_FLOAT64;
    if (!(kFloating >> in.dtype & 1) || in.rank < 1) return unsupported(call);
    const unsigned type = wide ? DA_FLOAT64 : DA_FLOAT32;
    RowWork work;
    work.norm = layer ? (wide ? layer_norm_double : self->kernels->layer_norm)
                      : (wide ? rms_norm_double : self->kernels->rms_norm);
    work.epsilon = call->attributes[DA_LAYER_NORM_EPSILON].f;
    Temporary weight, bias;
    if (const da_status bad = dense_vector(self, t[1], type, &weight, &work.weight)) return bad;
    if (layer)
        if (const da_status bad = dense_vector(self, t[2], type, &bias, &work.bias)) return bad;
    return run_axis(self, work, in, out, in.rank - 1);
}

} // namespace device_api::cpu
