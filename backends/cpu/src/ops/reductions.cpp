// SPDX-License-Identifier: Apache-2.0
// The ops that reduce: sum, prod, max, min, any, all.
#include <algorithm>
#include <complex>
#include <cstring>

#include "ops/map.hpp"
#include "ops/reduce.hpp"
#include "ops/structured.hpp"
#include "pool.hpp"

namespace device_api::cpu {
namespace {

Reduction reduction_of(unsigned op) {
    switch (op) {
    case DA_OP_SUM: return kSum;
    case DA_OP_PROD: return kProd;
    case DA_OP_MAX:
    case DA_OP_ANY: return kMax; // of elements that are 0 or 1
    default: return kMin;
    }
}

// Everything, dense, small, in a type with loops of its own.
bool reduce_small(const dab_instance* self, const dab_call* call) {
    const da_tensor &in = call->tensors[0], &out = call->tensors[1];
    const uint64_t all = (uint64_t(1) << in.rank) - 1;
    const bool whole = (in.flags & DA_TENSOR_CONTIGUOUS) && in.dtype < kTypes &&
                       (call->attributes[DA_SUM_AXES].u & all) == all;
    const Reduction how = reduction_of(call->op);
    const ReduceRow row = whole ? self->kernels->reduce_row[how][in.dtype] : nullptr;
    const int64_t n = row ? elements(in) : 0;
    if (n < 1 || n >= 2 * kReducePart) return false;
    Accumulator acc;
    row(size_t(n), &acc, in.data);
    if (in.dtype == DA_FLOAT32 && (how == kSum || how == kProd))
        *static_cast<float*>(out.data) = float(acc.f);
    else
        std::memcpy(out.data, &acc, size_t(size_of(in.dtype)));
    return true;
}

// A complex tensor as the one of its parts, which are its last dimension.
struct Parts {
    explicit Parts(const da_tensor& t) : tensor(t) {
        for (int d = 0; d < t.rank; ++d) shape[d] = t.shape[d], strides[d] = 2 * t.strides[d];
        shape[t.rank] = 2, strides[t.rank] = 1;
        tensor.shape = shape;
        tensor.strides = strides;
        tensor.rank = t.rank + 1;
        tensor.dtype = t.dtype == DA_COMPLEX64 ? DA_FLOAT32 : DA_FLOAT64;
    }
    Parts(const Parts&) = delete;
    da_tensor tensor;
    int64_t shape[DA_MAX_RANK + 1], strides[DA_MAX_RANK + 1];
};

da_status sum_complex(const dab_instance* self, const dab_call* call) {
    const Parts in(call->tensors[0]), out(call->tensors[1]);
    const uint64_t axes = call->attributes[DA_SUM_AXES].u;
    ReduceJob job = reduce_job(self, kSum, in.tensor.dtype, in.tensor, out.tensor, axes);
    return reduce(job);
}

using Number = std::complex<double>;

Number times(Number a, Number b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

template <class T>
void product_complex(const ReduceJob& job) {
    const std::complex<T>* in = reinterpret_cast<const std::complex<T>*>(job.in);
    std::complex<T>* out = reinterpret_cast<std::complex<T>*>(job.out);
    const int64_t count = job.reduced.elements(), outputs = job.kept.elements();
    auto body = [&](int64_t o) {
        const Walk at(job.kept, job.kept.rank, o);
        Walk walk(job.reduced, job.reduced.rank, 0);
        Number product = 1;
        for (int64_t i = 0; i < count; ++i) {
            product = times(product, Number(in[at.offset(0) + walk.offset(0)]));
            if (i + 1 < count) walk.next();
        }
        out[at.offset(1)] = std::complex<T>(T(product.real()), T(product.imag()));
    };
    parallel(outputs * count < kParallelElements ? 1 : job.self->threads, outputs, body);
}

// Whether elements are not zero: NaN is not. The sign bit of a zero does not count.
template <class T, bool floating>
void truth(size_t n, void* out, const void* in) {
    const T* x = static_cast<const T*>(in);
    uint8_t* o = static_cast<uint8_t*>(out);
    for (size_t i = 0; i < n; ++i) o[i] = T(x[i] << (floating ? 1 : 0)) != 0;
}

template <class T>
void truth_complex(size_t n, void* out, const void* in) {
    const T* x = static_cast<const T*>(in);
    uint8_t* o = static_cast<uint8_t*>(out);
    for (size_t i = 0; i < n; ++i) o[i] = x[2 * i] != 0 || x[2 * i + 1] != 0;
}

Map1 truth_loop(unsigned dtype) {
    constexpr Map1 integers[] = {truth<uint8_t, false>, truth<uint16_t, false>,
                                 truth<uint32_t, false>, truth<uint64_t, false>};
    constexpr Map1 floats[] = {nullptr, truth<uint16_t, true>, truth<uint32_t, true>,
                               truth<uint64_t, true>};
    switch (dtype) {
    case DA_BOOL: return nullptr;
    case DA_COMPLEX64: return truth_complex<float>;
    case DA_COMPLEX128: return truth_complex<double>;
    default: return (dtype >= DA_FLOAT16 ? floats : integers)[kWidth[dtype]];
    }
}

} // namespace

da_status run_reduction(dab_instance* self, const dab_call* call) {
    const da_tensor &in = call->tensors[0], &out = call->tensors[1];
    const Reduction how = reduction_of(call->op);
    const uint64_t axes = call->attributes[DA_SUM_AXES].u;
    if (reduce_small(self, call)) return DA_OK;
    if (in.dtype >= DA_COMPLEX64 && in.dtype < kTypes && how <= kProd) {
        if (how == kSum) return sum_complex(self, call);
        const ReduceJob job = reduce_job(self, how, DA_FLOAT64, in, out, axes);
        (in.dtype == DA_COMPLEX64 ? product_complex<float> : product_complex<double>)(job);
        return DA_OK;
    }
    const unsigned type = is_half(in.dtype) ? unsigned(DA_FLOAT32) : in.dtype;
    if (type >= kTypes || !self->kernels->reduce_row[how][type]) return unsupported(call);
    ReduceJob job = reduce_job(self, how, type, in, out, axes);
    if (type != in.dtype) job.load = self->kernels->convert[in.dtype][type];
    return reduce(job);
}

da_status run_truth(dab_instance* self, const dab_call* call) {
    const da_tensor &in = call->tensors[0], &out = call->tensors[1];
    if (in.dtype >= kTypes) return unsupported(call);
    const uint64_t axes = call->attributes[DA_ANY_AXES].u;
    ReduceJob job = reduce_job(self, reduction_of(call->op), DA_UINT8, in, out, axes);
    job.load = truth_loop(in.dtype);
    return reduce(job);
}

} // namespace device_api::cpu
