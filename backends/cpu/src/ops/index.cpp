// SPDX-License-Identifier: Apache-2.0
// take_along_axis, put_along_axis and index_accumulate.
#include <algorithm>
#include <complex>
#include <memory>
#include <new>

#include "ops/map.hpp"
#include "ops/structured.hpp"
#include "ops/temporary.hpp"
#include "pool.hpp"

namespace device_api::cpu {
namespace {

// Sixteen bytes, aligned as the parts of a complex128.
struct Two {
    uint64_t low, high;
};

// Operands in the order of their use; `turning` is the one that the index moves along the axis.
struct Indexed {
    Nest nest; // operands: plain, indices, turning (stride 0 along the axis)
    char* plain;
    const char* indices;
    char* turning;
    int64_t axis_stride; // of turning
    int64_t limit;       // its extent along the axis
};

Indexed indexed(const da_tensor& plain, const da_tensor& indices, const da_tensor& turning,
                int64_t axis) {
    Indexed job;
    job.nest.operands = 3;
    for (int d = 0; d < indices.rank; ++d) {
        const int64_t strides[] = {plain.strides[d], indices.strides[d],
                                   d == axis ? 0 : turning.strides[d]};
        job.nest.push(indices.shape[d], strides);
    }
    job.nest.sort();
    job.nest.merge();
    job.plain = static_cast<char*>(plain.data);
    job.indices = static_cast<const char*>(indices.data);
    job.turning = static_cast<char*>(turning.data);
    job.axis_stride = turning.strides[axis];
    job.limit = turning.shape[axis];
    return job;
}

// Calls f(plain offset, index offset, turning offset) for positions begin .. end - 1.
template <class F>
void for_each(const Nest& nest, int64_t begin, int64_t end, F f) {
    const int inner = nest.rank - 1;
    static const int64_t none[kMaxOperands] = {};
    const int64_t length = inner >= 0 ? nest.shape[inner] : 1;
    const int64_t* s = inner >= 0 ? nest.stride[inner] : none;
    Walk walk(nest, std::max(inner, 0), begin / length);
    int64_t first = begin % length;
    while (begin < end) {
        const int64_t stop = std::min(length, first + end - begin);
        const int64_t a = walk.offset(0), b = walk.offset(1), c = walk.offset(2);
        for (int64_t i = first; i < stop; ++i) f(a + i * s[0], b + i * s[1], c + i * s[2]);
        begin += stop - first;
        first = 0;
        if (begin < end) walk.next();
    }
}

template <class I>
da_status check_indices(const Indexed& job, const char* op) {
    const I* index = reinterpret_cast<const I*>(job.indices);
    int64_t bad = 0;
    bool found = false;
    for_each(job.nest, 0, job.nest.elements(), [&](int64_t, int64_t at, int64_t) {
        if (uint64_t(int64_t(index[at])) >= uint64_t(job.limit) && !found)
            bad = index[at], found = true;
    });
    if (!found) return DA_OK;
    return fail(DA_INVALID_ARGUMENT, "pass indices in 0 <= index < size of the axis",
                "%s: index %lld is out of range for an axis of %lld elements", op,
                static_cast<long long>(bad), static_cast<long long>(job.limit));
}

template <class T, class I>
void take(const dab_instance* self, const Indexed& job) {
    const I* index = reinterpret_cast<const I*>(job.indices);
    T* out = reinterpret_cast<T*>(job.plain);
    const T* x = reinterpret_cast<const T*>(job.turning);
    const int64_t n = job.nest.elements(), chunk = kParallelElements / 2;
    auto body = [&](int64_t c) {
        for_each(job.nest, c * chunk, std::min(n, (c + 1) * chunk),
                 [&](int64_t to, int64_t at, int64_t from) {
                     out[to] = x[from + int64_t(index[at]) * job.axis_stride];
                 });
    };
    parallel(self->threads, (n + chunk - 1) / chunk, body);
}

// In the order of the axis, on one thread: several updates may meet in one element.
template <class T, class I>
void accumulate(const dab_instance*, const Indexed& job) {
    const I* index = reinterpret_cast<const I*>(job.indices);
    const T* update = reinterpret_cast<const T*>(job.plain);
    T* out = reinterpret_cast<T*>(job.turning);
    for_each(job.nest, 0, job.nest.elements(), [&](int64_t from, int64_t at, int64_t to) {
        T& target = out[to + int64_t(index[at]) * job.axis_stride];
        target = T(target + update[from]);
    });
}

// Likewise, so that of equal indices the last one counts.
template <class T, class I>
void put(const dab_instance*, const Indexed& job) {
    const I* index = reinterpret_cast<const I*>(job.indices);
    const T* update = reinterpret_cast<const T*>(job.plain);
    T* out = reinterpret_cast<T*>(job.turning);
    for_each(job.nest, 0, job.nest.elements(), [&](int64_t from, int64_t at, int64_t to) {
        out[to + int64_t(index[at]) * job.axis_stride] = update[from];
    });
}

using Work = void (*)(const dab_instance*, const Indexed&);

template <class I>
constexpr Work kTake[] = {take<uint8_t, I>, take<uint16_t, I>, take<uint32_t, I>, take<uint64_t, I>,
                          take<Two, I>};
template <class I>
constexpr Work kPut[] = {put<uint8_t, I>, put<uint16_t, I>, put<uint32_t, I>, put<uint64_t, I>,
                         put<Two, I>};
template <class I>
constexpr Work kAccumulate[] = {accumulate<uint8_t, I>, accumulate<uint16_t, I>,
                                accumulate<uint32_t, I>, accumulate<uint64_t, I>};

Work accumulate_loop(unsigned dtype, bool wide) {
    using Single = std::complex<float>;
    using Double = std::complex<double>;
    if (dtype == DA_COMPLEX64)
        return wide ? accumulate<Single, int64_t> : accumulate<Single, int32_t>;
    if (dtype == DA_COMPLEX128)
        return wide ? accumulate<Double, int64_t> : accumulate<Double, int32_t>;
    if (dtype == DA_FLOAT32) return wide ? accumulate<float, int64_t> : accumulate<float, int32_t>;
    if (dtype == DA_FLOAT64)
        return wide ? accumulate<double, int64_t> : accumulate<double, int32_t>;
    return (wide ? kAccumulate<int64_t> : kAccumulate<int32_t>)[kWidth[dtype]];
}

da_status check(const Indexed& job, const char* op, bool wide) {
    return wide ? check_indices<int64_t>(job, op) : check_indices<int32_t>(job, op);
}

} // namespace

da_status run_take_along_axis(dab_instance* self, const dab_call* call) {
    const da_tensor* t = call->tensors;
    const int64_t axis = call->attributes[DA_TAKE_ALONG_AXIS_AXIS].i;
    const bool wide = t[1].dtype == DA_INT64;
    if (t[0].dtype >= kTypes || !(wide || t[1].dtype == DA_INT32)) return unsupported(call);
    if (const da_status bad = check_axis(call, axis)) return bad;
    const Indexed job = indexed(t[2], t[1], t[0], axis);
    if (const da_status bad = check(job, "take_along_axis", wide)) return bad;
    (wide ? kTake<int64_t> : kTake<int32_t>)[kWidth[t[0].dtype]](self, job);
    return DA_OK;
}

da_status run_put_along_axis(dab_instance* self, const dab_call* call) {
    const da_tensor* t = call->tensors;
    const int64_t axis = call->attributes[DA_PUT_ALONG_AXIS_AXIS].i;
    const bool wide = t[1].dtype == DA_INT64;
    if (t[0].dtype >= kTypes || !(wide || t[1].dtype == DA_INT32)) return unsupported(call);
    if (const da_status bad = check_axis(call, axis)) return bad;
    const Indexed job = indexed(t[2], t[1], t[3], axis);
    if (const da_status bad = check(job, "put_along_axis", wide)) return bad;
    const da_tensor whole[] = {t[0], t[3]};
    dab_call copy = *call;
    copy.op = DA_OP_COPY;
    copy.n_inputs = 1;
    copy.tensors = whole;
    if (const da_status bad = run_copy(self, &copy)) return bad;
    (wide ? kPut<int64_t> : kPut<int32_t>)[kWidth[t[0].dtype]](self, job);
    return DA_OK;
}

da_status run_index_accumulate(dab_instance* self, const dab_call* call) {
    const da_tensor* t = call->tensors;
    const da_tensor &x = t[0], &out = t[3];
    const int64_t axis = call->attributes[DA_INDEX_ACCUMULATE_AXIS].i;
    const bool wide = t[1].dtype == DA_INT64;
    if (x.dtype >= kTypes || !(wide || t[1].dtype == DA_INT32)) return unsupported(call);
    if (const da_status bad = check_axis(call, axis)) return bad;
    if (const da_status bad = check(indexed(t[2], t[1], out, axis), "index_accumulate", wide))
        return bad;
    if (!is_half(x.dtype)) {
        if (const da_status bad = convert_tensor(self, x, out)) return bad;
        accumulate_loop(x.dtype, wide)(self, indexed(t[2], t[1], out, axis));
        return DA_OK;
    }
    Temporary sums, updates; // in float32
    if (!sums.allocate(out, DA_FLOAT32) || !updates.allocate(t[2], DA_FLOAT32))
        return Temporary::out_of_memory("index_accumulate");
    convert_tensor(self, x, sums.tensor());
    convert_tensor(self, t[2], updates.tensor());
    accumulate_loop(DA_FLOAT32, wide)(self, indexed(updates.tensor(), t[1], sums.tensor(), axis));
    return convert_tensor(self, sums.tensor(), out);
}

} // namespace device_api::cpu
