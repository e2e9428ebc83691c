// SPDX-License-Identifier: Apache-2.0
// Matrix products: by the vendor's library where it has the type and can take the views, else by a
// kernel of our own.
#include <algorithm>

#include "lines.hpp"
#include "structured.hpp"

namespace device_api::simt {
namespace {

struct Matrices {
    std::int64_t m, n, k;
    Geometry batch; // views: output, a, b
};

Matrices matrices_of(const Call& c) {
    const da_tensor &a = c.input(0), &b = c.input(1), &out = c.output();
    const int r = out.rank;
    const std::int64_t* strides[] = {out.strides, a.strides, b.strides};
    Matrices x;
    x.m = out.shape[r - 2];
    x.n = out.shape[r - 1];
    x.k = a.shape[r - 1];
    x.batch = merge(out.shape, static_cast<unsigned>(r - 2), strides, 3);
    return x;
}

// A library takes matrices whose lines or columns are dense.
bool matrix(const da_tensor& t, std::int64_t rows, std::int64_t columns, std::int64_t* lead,
            bool* transposed) {
    const std::int64_t row = t.strides[t.rank - 2], column = t.strides[t.rank - 1];
    if ((column == 1 || columns == 1) && (row >= columns || rows == 1)) {
        *transposed = false;
        *lead = rows == 1 ? std::max<std::int64_t>(columns, 1) : row;
        return true;
    }
    if ((row == 1 || rows == 1) && (column >= rows || columns == 1)) {
        *transposed = true;
        *lead = columns == 1 ? std::max<std::int64_t>(rows, 1) : column;
        return true;
    }
    return false;
}

// One call of the library does the innermost batch; outer ones are calls of their own.
bool few_products(const Matrices& x) {
    std::int64_t calls = 1;
    for (int d = 0; d < x.batch.shape.rank; ++d) {
        if (d + 1 < x.batch.shape.rank) calls *= x.batch.shape.size[d];
        for (unsigned v = 0; v < 3; ++v)
            if (x.batch.view[v].stride[d] < 0) return false;
    }
    return calls <= 256;
}

bool library_takes(const Call& c, const Matrices& x, Product* p) {
    Blas* blas = c.self.parts.blas.get();
    const unsigned dtype = c.output().dtype;
    if (!blas || !in(blas->dtypes(), dtype) || !few_products(x)) return false;
    const std::int64_t most = INT32_MAX;
    if (std::max({x.m, x.n, x.k}) > most || x.batch.count > std::uint64_t(most)) return false;
    bool trans_c = false;
    p->dtype = static_cast<da_dtype>(dtype);
    if (!matrix(c.input(0), x.m, x.k, &p->lda, &p->trans_a) ||
        !matrix(c.input(1), x.k, x.n, &p->ldb, &p->trans_b) ||
        !matrix(c.output(), x.m, x.n, &p->ldc, &trans_c) || trans_c)
        return false;
    return std::max({p->lda, p->ldb, p->ldc}) <= most && blas->available();
}

da_status by_kernel(const Call& c, Matrices& x) {
    const da_tensor &a = c.input(0), &b = c.input(1), &out = c.output();
    const bool complex = in(complex_types, out.dtype);
    Handle function = nullptr;
    if (const da_status status =
            c.kernel(Key(family_product).add(out.dtype, 4), &function, [&](Variant& v) {
                v.files = {complex ? "complex.inc" : "arithmetic.inc", "product.inc"};
                v.entry = "da_product";
                v.contract = true;
                v.macros = {std::string("IN=") + dtype_row(out.dtype).stored,
                            std::string("WIDE=") + dtype_row(out.dtype).wide};
            }))
        return status;
    const int r = out.rank;
    void *o = out.data, *pa = a.data, *pb = b.data;
    std::int64_t am = a.strides[r - 2], ak = a.strides[r - 1], bk = b.strides[r - 2],
                 bn = b.strides[r - 1], cm = out.strides[r - 2], cn = out.strides[r - 1];
    void* arguments[] = {&o,
                         &pa,
                         &pb,
                         &x.m,
                         &x.n,
                         &x.k,
                         &am,
                         &ak,
                         &bk,
                         &bn,
                         &cm,
                         &cn,
                         &x.batch.count,
                         &x.batch.shape,
                         &x.batch.view[0],
                         &x.batch.view[1],
                         &x.batch.view[2]};
    constexpr std::int64_t side = 16;
    const std::int64_t tiles = ((x.m + side - 1) / side) * ((x.n + side - 1) / side);
    const auto batches = static_cast<unsigned>(std::min<std::uint64_t>(x.batch.count, 65535));
    return c.launch(function, Grid{{static_cast<unsigned>(tiles), batches, 1}, side * side, 0},
                    arguments);
}

} // namespace

da_status run_product(const Call& c) {
    Matrices x = matrices_of(c);
    Product p{};
    if (!library_takes(c, x, &p)) return by_kernel(c, x);
    const Shape& shape = x.batch.shape;
    const int inner = shape.rank - 1;
    p.m = x.m;
    p.n = x.n;
    p.k = x.k;
    p.batches = inner < 0 ? 1 : shape.size[inner];
    const auto step = [&](unsigned view) {
        return inner < 0 ? 0 : x.batch.view[view].stride[inner];
    };
    p.stride_c = step(0);
    p.stride_a = step(1);
    p.stride_b = step(2);
    const unsigned bytes = dtype_row(c.output().dtype).bytes;
    const auto calls = static_cast<std::int64_t>(x.batch.count) / p.batches;
    for (std::int64_t call = 0; call < calls; ++call) {
        std::int64_t rest = call, at[3] = {0, 0, 0};
        for (int d = inner - 1; d >= 0; --d) {
            const std::int64_t digit = rest % shape.size[d];
            rest /= shape.size[d];
            for (unsigned v = 0; v < 3; ++v) at[v] += digit * x.batch.view[v].stride[d];
        }
        p.c = static_cast<char*>(c.output().data) + at[0] * bytes;
        p.a = static_cast<const char*>(c.input(0).data) + at[1] * bytes;
        p.b = static_cast<const char*>(c.input(1).data) + at[2] * bytes;
        if (const da_status status =
                c.self.parts.blas->multiply(p, c.call.stream->device, c.call.stream->raw))
            return status;
    }
    return DA_OK;
}

} // namespace device_api::simt
