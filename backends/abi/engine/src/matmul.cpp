// SPDX-License-Identifier: Apache-2.0
// Batched matrix product: operands are packed to the compute class, then a blocked loop. Products
// in float go to a BLAS where there is one, unpacked where they are float32 already.
#include <atomic>
#include <cstring>
#include <type_traits>
#include <vector>

#include "blas.hpp"
#include "loop.hpp"
#include "multiply.hpp"
#include "parallel.hpp"

namespace device_api::engine {
namespace {

constexpr double large = 1e7;      // multiplications
constexpr std::int64_t strip = 64; // rows or columns of a result that are not shared among cores

/// One matrix as contiguous values of class C; kept while the next batch uses the same one.
template <class C>
struct Packed {
    const char* at = nullptr;
    Room<C> room;
    C* values = nullptr;

    void pack(const Tensor& t, DType compute, const char* base) {
        if (base == at) return;
        at = base;
        const std::int64_t rows = t.shape[t.rank - 2], columns = t.shape[t.rank - 1];
        const std::int64_t row = t.strides[t.rank - 2], column = t.strides[t.rank - 1];
        const auto size = static_cast<std::int64_t>(dtype_size(t.dtype));
        values = room.of(rows * columns);
        auto load = loader<C>(t.dtype);
        if (column == 1 && row == columns)
            load(base, 1, rows * columns, values);
        else
            for (std::int64_t i = 0; i < rows; ++i)
                load(base + i * row * size, column, columns, values + i * columns);
        if (compute != native_dtype<C>() && compute != t.dtype)
            narrow<C>(compute, values, rows * columns);
    }
};

/// What a stream's thread keeps from one product to the next.
template <class C>
struct Rooms {
    Packed<C> left, right;
    Room<C> result;

    void forget() { left.at = right.at = nullptr; }
    void trim() {
        left.room.trim();
        right.room.trim();
        result.trim();
    }
};

struct Problem {
    DType compute;
    std::int64_t m, n, k;
    double alpha, beta;
    bool overlapping; // the result with an operand
};

double work(const Problem& p) {
    return double(p.m) * double(p.n) * double(p.k);
}
double loop_work(const Problem& p) {
    return 8 * work(p); // a loop is that much slower
}

template <class C>
void product(const Problem& p, const C* a, const C* b, C* c) {
    using N = Number<C>;
    share(p.m, loop_work(p), [&](std::int64_t first, std::int64_t last) {
        multiply(last - first, p.n, p.k, reinterpret_cast<const N*>(a) + first * p.k,
                 reinterpret_cast<const N*>(b), reinterpret_cast<N*>(c) + first * p.n);
    });
}

/// A float matrix as BLAS takes it: in place, or packed in the order in which it is stored.
struct FloatMatrix {
    const float* values = nullptr;
    std::int64_t distance = 0; // of rows
    bool transposed = false;

    void prepare(const Tensor& t, DType compute, const char* base, Packed<float>* packed) {
        const std::int64_t rows = t.shape[t.rank - 2], columns = t.shape[t.rank - 1];
        const std::int64_t row = t.strides[t.rank - 2], column = t.strides[t.rank - 1];
        transposed = column != 1 && row == 1 && column >= rows;
        const std::int64_t length = transposed ? rows : columns, step = transposed ? column : row;
        const bool rows_fit = transposed || (column == 1 && (row >= columns || rows == 1));
        if (t.dtype == DType::f32 && compute == DType::f32 && rows_fit) {
            values = reinterpret_cast<const float*>(base);
            distance = std::max(step, length);
            return;
        }
        packed->pack(transposed ? t.transposed(-2, -1) : t, compute, base);
        values = packed->values;
        distance = length;
    }
};

/// The product straight from and to memory where that is float32; false: not done.
bool by_blas(SgemmHook hook, const Problem& p, const Tensor& a, const char* at_a, const Tensor& b,
             const char* at_b, Packed<float>* left, Packed<float>* right, float* c,
             std::int64_t ldc) {
    FloatMatrix x, y;
    x.prepare(a, p.compute, at_a, left);
    y.prepare(b, p.compute, at_b, right);
    const bool by_rows = p.m >= p.n; // of the result, in strips
    const std::int64_t whole = by_rows ? p.m : p.n, strips = (whole + strip - 1) / strip;
    std::atomic<bool> done{true};
    share(strips, work(p), [&](std::int64_t first, std::int64_t last) {
        const std::int64_t at = first * strip, end = std::min(last * strip, whole);
        const float* a_at = x.values;
        const float* b_at = y.values;
        (by_rows ? a_at : b_at) +=
            at * ((by_rows ? !x.transposed : y.transposed) ? (by_rows ? x : y).distance : 1);
        if (!hook({by_rows ? end - at : p.m, by_rows ? p.n : end - at, p.k, a_at, x.distance,
                   x.transposed, b_at, y.distance, y.transposed, c + at * (by_rows ? ldc : 1),
                   ldc}))
            done = false;
    });
    return done;
}

/// Rows of `out` are where a product may be put at once.
bool direct(const Problem& p, const Tensor& out, const Tensor* c, bool overlapping) {
    return !overlapping && out.dtype == DType::f32 && p.compute == DType::f32 && p.alpha == 1 &&
           !c && out.strides[out.rank - 1] == 1 && out.strides[out.rank - 2] >= p.n;
}

template <class C>
void finish(const Problem& p, C* result, const Tensor& out, char* to, const Tensor* c,
            const char* add) {
    using N = Number<C>;
    const auto rows_out =
        out.strides[out.rank - 2] * static_cast<std::int64_t>(dtype_size(out.dtype));
    auto store = storer<C>(out.dtype);
    std::vector<C> extra(static_cast<std::size_t>(p.n));
    const N alpha = static_cast<N>(static_cast<C>(p.alpha)),
            beta = static_cast<N>(static_cast<C>(p.beta));
    for (std::int64_t i = 0; i < p.m; ++i) {
        C* row = result + i * p.n;
        if (p.alpha != 1)
            for (std::int64_t j = 0; j < p.n; ++j) row[j] = static_cast<C>(N(row[j]) * alpha);
        if (add) {
            loader<C>(c->dtype)(add + i * c->strides[c->rank - 2] *
                                          static_cast<std::int64_t>(dtype_size(c->dtype)),
                                c->strides[c->rank - 1], p.n, extra.data());
            for (std::int64_t j = 0; j < p.n; ++j)
                row[j] = static_cast<C>(N(row[j]) + beta * N(extra[static_cast<std::size_t>(j)]));
        }
        if (p.compute != native_dtype<C>() && p.compute != out.dtype)
            narrow<C>(p.compute, row, p.n);
        store(row, to + i * rows_out, out.strides[out.rank - 1], p.n);
    }
}

Tensor batch_axes(const Tensor& t) {
    Tensor b = t;
    b.rank = t.rank - 2;
    return b;
}

/// The last two axes as they are, the batch axes broadcast to out's.
bool matrix(const Tensor& t, std::int64_t rows, std::int64_t columns, const Tensor& out,
            Tensor* ready) {
    if (t.rank < 2 || t.shape[t.rank - 2] != rows || t.shape[t.rank - 1] != columns) return false;
    std::int64_t shape[max_rank];
    std::copy(out.shape, out.shape + out.rank - 2, shape);
    shape[out.rank - 2] = rows;
    shape[out.rank - 1] = columns;
    return t.broadcast(out.rank, shape, ready);
}

/// One call: its operands, and how it is done.
struct Call {
    const Problem& problem;
    const Tensor &a, &b, &out;
    const Tensor* c;
    SgemmHook hook;
    bool straight; // into `out`
};

/// Where one matrix of each operand begins; `add` may be null.
struct Place {
    const char *a, *b, *add;
    char* out;
};

template <class C>
void one_product(const Call& call, const Place& at, Rooms<C>* rooms) {
    const Problem& p = call.problem;
    C* result = call.straight ? nullptr : rooms->result.of(p.m * p.n);
    if constexpr (std::is_same_v<C, float>)
        if (call.hook) {
            float* to = call.straight ? reinterpret_cast<float*>(at.out) : result;
            const std::int64_t ldc = call.straight ? call.out.strides[call.out.rank - 2] : p.n;
            if (by_blas(call.hook, p, call.a, at.a, call.b, at.b, &rooms->left, &rooms->right, to,
                        ldc)) {
                if (!call.straight) finish(p, result, call.out, at.out, call.c, at.add);
                return;
            }
            rooms->forget(); // what is packed may be in another order
        }
    rooms->left.pack(call.a, p.compute, at.a);
    rooms->right.pack(call.b, p.compute, at.b);
    result = rooms->result.of(p.m * p.n);
    product(p, rooms->left.values, rooms->right.values, result);
    finish(p, result, call.out, at.out, call.c, at.add);
    if (call.hook) rooms->forget();
}

template <class C>
Status run(TaskContext& ctx, const Problem& p, const Tensor& a, const Tensor& b, const Tensor& out,
           const Tensor* c) {
    const Tensor third = c ? *c : b;
    const Tensor* whole[4] = {&a, &b, &third, &out};
    char* base[4];
    if (!map_all(ctx, whole, 3, base)) return ctx.error();
    const Tensor batch[4] = {batch_axes(a), batch_axes(b), batch_axes(third), batch_axes(out)};
    const Tensor* t[4] = {&batch[0], &batch[1], &batch[2], &batch[3]};
    Loop<4> loop(t);
    std::int64_t step[4];
    for (int k = 0; k < 4; ++k)
        step[k] = loop.step[k] * static_cast<std::int64_t>(dtype_size(whole[k]->dtype));
    std::vector<Place> places;
    loop.rows(base, [&](char* const* q) {
        for (std::int64_t i = 0; i < loop.inner; ++i)
            places.push_back({q[0] + i * step[0], q[1] + i * step[1],
                              c ? q[2] + i * step[2] : nullptr, q[3] + i * step[3]});
    });
    const SgemmHook hook = std::is_same_v<C, float> ? sgemm_for(p.m, p.n, p.k) : nullptr;
    const Call call{p, a, b, out, c, hook, hook && direct(p, out, c, p.overlapping)};
    const auto count = static_cast<std::int64_t>(places.size());
    const double each = hook ? work(p) : loop_work(p);
    // A large product is shared itself.
    share(count, each > large ? 0 : each * double(count), [&](std::int64_t i, std::int64_t last) {
        thread_local Rooms<C> rooms;
        rooms.forget();
        for (; i < last; ++i) one_product(call, places[static_cast<std::size_t>(i)], &rooms);
        rooms.trim();
    });
    ctx.add_flops(2.0 * double(p.k) * double(out.numel()), p.compute);
    return Status::ok;
}

} // namespace

Status matmul(TaskContext& ctx, DType compute, const Tensor& a, const Tensor& b, const Tensor& out,
              double alpha, double beta, const Tensor* c) {
    if (a.rank < 2 || b.rank < 2 || out.rank < 2)
        return fail(Status::invalid_value, "matmul: ranks %d, %d, %d; at least 2 are needed",
                    a.rank, b.rank, out.rank);
    const std::int64_t m = out.shape[out.rank - 2], n = out.shape[out.rank - 1],
                       k = a.shape[a.rank - 1];
    Tensor x, y, z;
    if (!matrix(a, m, k, out, &x)) return shape_error("matmul", a, out);
    if (!matrix(b, k, n, out, &y)) return shape_error("matmul", a, b);
    if (c && !c->broadcast(out.rank, out.shape, &z))
        return shape_error("matmul, the added term", *c, out);
    if (out.numel() == 0) return Status::ok;
    // A batch's result must not change a later batch's operand.
    Tensor target = out;
    const bool overlapping = overlap(x, out) || overlap(y, out);
    const bool aliased = out.rank > 2 && (overlapping || (c && overlap(z, out)));
    if (aliased) target = ctx.temporary_like(out, out.dtype);
    const Problem p{compute, m, n, k, alpha, beta, overlapping && !aliased};
    Status s = with_class(compute, [&](auto zero) {
        return run<decltype(zero)>(ctx, p, x, y, target, c ? &z : nullptr);
    });
    return s == Status::ok && aliased ? copy_tensor(ctx, target, out) : s;
}

} // namespace device_api::engine
