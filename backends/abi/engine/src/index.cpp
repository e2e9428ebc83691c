// SPDX-License-Identifier: Apache-2.0
// Kernels that read or write where an index says.
#include <cstring>
#include <type_traits>

#include "loop.hpp"

namespace device_api::engine {
namespace {

/// Reads indices, from the end when negative; notes the first one out of range.
struct Indices {
    Loader<std::int64_t> load;
    std::int64_t size, limit;
    std::int64_t bad = 0;
    bool failed = false;

    Indices(const Tensor& index, std::int64_t n)
        : load(loader<std::int64_t>(index.dtype)),
          size(static_cast<std::int64_t>(dtype_size(index.dtype))),
          limit(n) {}
    bool read(const char* p, std::int64_t* i) {
        load(p, 1, 1, i);
        if (*i >= -limit && *i < limit) {
            if (*i < 0) *i += limit;
            return true;
        }
        if (!failed) bad = *i;
        failed = true;
        return false;
    }
    Status status(int axis) const {
        return failed ? fail(Status::invalid_value,
                             "index %lld is out of range for axis %d with %lld elements",
                             static_cast<long long>(bad), axis, static_cast<long long>(limit))
                      : Status::ok;
    }
};

Status check_index(const char* kernel, const Tensor& index) {
    if (index.dtype == DType::i32 || index.dtype == DType::i64) return Status::ok;
    return fail(Status::not_supported, "%s: indices of dtype %s; int32 and int64 are supported",
                kernel, dtype_name(index.dtype));
}

/// t seen with `shape`, not moving along `axis`.
bool rest_of(const Tensor& t, int axis, const Tensor& shape, Tensor* out) {
    if (t.rank != shape.rank) return false;
    *out = t;
    for (int i = 0; i < t.rank; ++i) {
        if (i != axis && shape.shape[i] > t.shape[i]) return false;
        out->shape[i] = shape.shape[i];
    }
    out->strides[axis] = 0;
    return true;
}

/// f(element of the rest, index value, element of other) over index's shape; `whole` is what is
/// indexed.
template <class F>
Status each_index(TaskContext& ctx, const Tensor& whole, int axis, const Tensor& index,
                  const Tensor& other, bool writes_whole, F f) {
    Tensor rest;
    if (!rest_of(whole, axis, index, &rest)) return shape_error("gather or scatter", whole, index);
    char* base[3] = {static_cast<char*>(ctx.map(whole, writes_whole)),
                     static_cast<char*>(ctx.map(index, false)),
                     static_cast<char*>(ctx.map(other, !writes_whole))};
    if (!base[0] || !base[1] || !base[2]) return ctx.error();
    const Tensor* t[3] = {&rest, &index, &other};
    Loop<3> loop(t);
    Indices indices(index, whole.shape[axis]);
    const auto size = static_cast<std::int64_t>(dtype_size(whole.dtype));
    const std::int64_t stride = whole.strides[axis] * size;
    const std::int64_t step[3] = {loop.step[0] * size, loop.step[1] * indices.size,
                                  loop.step[2] *
                                      static_cast<std::int64_t>(dtype_size(other.dtype))};
    loop.rows(base, [&](char* const* p) {
        for (std::int64_t i = 0, at; i < loop.inner; ++i)
            if (indices.read(p[1] + i * step[1], &at))
                f(p[0] + i * step[0] + at * stride, p[2] + i * step[2]);
    });
    return indices.status(axis);
}

Status same_dtype(const char* kernel, const Tensor& a, const Tensor& b) {
    if (a.dtype == b.dtype) return Status::ok;
    return fail(Status::not_supported, "%s: dtypes %s and %s differ; cast first", kernel,
                dtype_name(a.dtype), dtype_name(b.dtype));
}

bool same_shape(const Tensor& a, const Tensor& b) {
    return a.rank == b.rank && std::equal(a.shape, a.shape + a.rank, b.shape);
}

} // namespace

Status gather(TaskContext& ctx, const Tensor& in, int axis, const Tensor& index,
              const Tensor& out) {
    if (!fix_axis(in.rank, &axis)) return Status::invalid_value;
    if (Status s = check_index("gather", index); s != Status::ok) return s;
    if (Status s = same_dtype("gather", in, out); s != Status::ok) return s;
    if (!same_shape(index, out)) return shape_error("gather", index, out);
    const std::size_t size = dtype_size(in.dtype);
    return each_index(ctx, in, axis, index, out, false,
                      [size](char* from, char* to) { std::memcpy(to, from, size); });
}

Status take(TaskContext& ctx, const Tensor& in, int axis, const Tensor& index, const Tensor& out) {
    if (!fix_axis(in.rank, &axis)) return Status::invalid_value;
    if (index.rank != 1 || out.rank != in.rank || out.shape[axis] != index.shape[0])
        return shape_error("take", index, out);
    for (int i = 0; i < in.rank; ++i)
        if (i != axis && out.shape[i] != in.shape[i]) return shape_error("take", in, out);
    Tensor spread = out; // the index as if repeated over the other axes
    spread.dtype = index.dtype;
    spread.data = index.data;
    for (int i = 0; i < out.rank; ++i) spread.strides[i] = i == axis ? index.strides[0] : 0;
    return gather(ctx, in, axis, spread, out);
}

Status scatter(TaskContext& ctx, const Tensor& inout, int axis, const Tensor& index,
               const Tensor& source, bool accumulate) {
    if (!fix_axis(inout.rank, &axis)) return Status::invalid_value;
    if (Status s = check_index("scatter", index); s != Status::ok) return s;
    if (Status s = same_dtype("scatter", inout, source); s != Status::ok) return s;
    if (!same_shape(index, source)) return shape_error("scatter", index, source);
    const std::size_t size = dtype_size(inout.dtype);
    if (!accumulate)
        return each_index(ctx, inout, axis, index, source, true,
                          [size](char* to, char* from) { std::memcpy(to, from, size); });
    ctx.add_work(Unit::vector, inout.dtype, double(source.numel()));
    return with_class(inout.dtype, [&](auto zero) {
        using C = decltype(zero);
        auto load = loader<C>(inout.dtype);
        auto store = storer<C>(inout.dtype);
        return each_index(ctx, inout, axis, index, source, true, [=](char* to, char* from) {
            C a, b;
            load(to, 1, 1, &a);
            load(from, 1, 1, &b);
            if constexpr (std::is_floating_point_v<C>)
                a += b;
            else
                a = static_cast<C>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
            store(&a, to, 1, 1);
        });
    });
}

} // namespace device_api::engine
