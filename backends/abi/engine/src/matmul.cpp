// SPDX-License-Identifier: Apache-2.0
// Batched matrix product: operands are packed to the compute class, then a blocked loop (or the
// BLAS hook).
#include <cstring>
#include <type_traits>
#include <vector>

#include "engine.hpp"
#include "loop.hpp"

namespace device_api::engine {
namespace {

constexpr std::int64_t tile_rows = 4, tile_columns = 8, depth = 256;

/// Integers multiply as uint64, so that overflow wraps.
template <class C>
using Number = std::conditional_t<std::is_floating_point_v<C>, C, std::uint64_t>;

/// c[4][8] += a[4][k] * panel[k][8]
template <class N>
void tile(std::int64_t k, const N* a, std::int64_t lda, const N* panel, N* c, std::int64_t ldc,
          std::int64_t rows, std::int64_t columns) {
    N sum[tile_rows][tile_columns] = {};
    const N* row[tile_rows];
    for (std::int64_t i = 0; i < tile_rows; ++i) row[i] = a + std::min(i, rows - 1) * lda;
    for (std::int64_t x = 0; x < k; ++x) {
        const N* b = panel + x * tile_columns;
        for (std::int64_t i = 0; i < tile_rows; ++i) {
            const N left = row[i][x];
            for (std::int64_t j = 0; j < tile_columns; ++j) sum[i][j] += left * b[j];
        }
    }
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) c[i * ldc + j] += sum[i][j];
}

/// c[m][n] = a[m][k] * b[k][n], all contiguous.
template <class N>
void multiply(std::int64_t m, std::int64_t n, std::int64_t k, const N* a, const N* b, N* c) {
    std::fill(c, c + m * n, N(0));
    std::vector<N> panel(static_cast<std::size_t>(std::min(depth, k) * tile_columns));
    for (std::int64_t k0 = 0; k0 < k; k0 += depth) {
        const std::int64_t kn = std::min(depth, k - k0);
        for (std::int64_t j = 0; j < n; j += tile_columns) {
            const std::int64_t columns = std::min(tile_columns, n - j);
            for (std::int64_t x = 0; x < kn; ++x)
                for (std::int64_t y = 0; y < tile_columns; ++y)
                    panel[static_cast<std::size_t>(x * tile_columns + y)] =
                        y < columns ? b[(k0 + x) * n + j + y] : N(0);
            for (std::int64_t i = 0; i < m; i += tile_rows)
                tile(kn, a + i * k + k0, k, panel.data(), c + i * n + j, n,
                     std::min(tile_rows, m - i), columns);
        }
    }
}

/// One matrix as contiguous values of class C; kept while the next batch uses the same one.
template <class C>
struct Packed {
    const char* at = nullptr;
    std::vector<C> values;

    void pack(const Tensor& t, DType compute, const char* base) {
        if (base == at) return;
        at = base;
        const std::int64_t rows = t.shape[t.rank - 2], columns = t.shape[t.rank - 1];
        const auto size = static_cast<std::int64_t>(dtype_size(t.dtype));
        values.resize(static_cast<std::size_t>(rows * columns));
        auto load = loader<C>(t.dtype);
        for (std::int64_t i = 0; i < rows; ++i)
            load(base + i * t.strides[t.rank - 2] * size, t.strides[t.rank - 1], columns,
                 values.data() + i * columns);
        if (compute != native_dtype<C>() && compute != t.dtype)
            narrow<C>(compute, values.data(), rows * columns);
    }
};

struct Problem {
    DType compute;
    std::int64_t m, n, k;
    double alpha, beta;
};

template <class C>
void product(const Problem& p, const std::vector<C>& a, const std::vector<C>& b,
             std::vector<C>& c) {
    using N = Number<C>;
    c.resize(static_cast<std::size_t>(p.m * p.n));
    if constexpr (std::is_same_v<C, float>) {
        SgemmHook hook = engine().sgemm.load();
        if (hook && p.k > 0 && hook(p.m, p.n, p.k, a.data(), p.k, b.data(), p.n, c.data(), p.n))
            return;
    }
    multiply(p.m, p.n, p.k, reinterpret_cast<const N*>(a.data()),
             reinterpret_cast<const N*>(b.data()), reinterpret_cast<N*>(c.data()));
}

template <class C>
void finish(const Problem& p, std::vector<C>& result, const Tensor& out, char* to, const Tensor* c,
            const char* add) {
    using N = Number<C>;
    const auto rows_out =
        out.strides[out.rank - 2] * static_cast<std::int64_t>(dtype_size(out.dtype));
    auto store = storer<C>(out.dtype);
    std::vector<C> extra(static_cast<std::size_t>(p.n));
    const N alpha = static_cast<N>(static_cast<C>(p.alpha)),
            beta = static_cast<N>(static_cast<C>(p.beta));
    for (std::int64_t i = 0; i < p.m; ++i) {
        C* row = result.data() + i * p.n;
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
    Packed<C> left, right;
    std::vector<C> result;
    loop.rows(base, [&](char* const* q) {
        for (std::int64_t i = 0; i < loop.inner; ++i) {
            left.pack(a, p.compute, q[0] + i * step[0]);
            right.pack(b, p.compute, q[1] + i * step[1]);
            product(p, left.values, right.values, result);
            finish(p, result, out, q[3] + i * step[3], c, c ? q[2] + i * step[2] : nullptr);
        }
    });
    ctx.add_flops(2.0 * double(p.k) * double(out.numel()));
    return Status::ok;
}

bool overlaps(const Tensor& a, const Tensor& b) {
    std::uintptr_t a0, a1, b0, b1;
    return a.span(&a0, &a1) && b.span(&b0, &b1) && a0 < b1 && b0 < a1;
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
    const bool aliased =
        out.rank > 2 && (overlaps(x, out) || overlaps(y, out) || (c && overlaps(z, out)));
    if (aliased) target = ctx.temporary_like(out, out.dtype);
    const Problem p{compute, m, n, k, alpha, beta};
    Status s = with_class(compute, [&](auto zero) {
        return run<decltype(zero)>(ctx, p, x, y, target, c ? &z : nullptr);
    });
    return s == Status::ok && aliased ? copy_tensor(ctx, target, out) : s;
}

void set_sgemm_hook(SgemmHook hook) noexcept {
    engine().sgemm = hook;
}

} // namespace device_api::engine
