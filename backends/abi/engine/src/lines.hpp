// SPDX-License-Identifier: Apache-2.0
// Loops over the lines along one axis of operands that agree in all other axes.
#pragma once

#include <vector>

#include "loop.hpp"
#include "parallel.hpp"

namespace device_api::engine {

/// One line of an operand: elements `step` apart.
struct Line {
    char* at;
    std::int64_t step; // in elements
    std::int64_t length;
    DType dtype;

    template <class C>
    void read(std::vector<C>* values) const {
        values->resize(static_cast<std::size_t>(length));
        loader<C>(dtype)(at, step, length, values->data());
    }
    template <class C>
    void write(const std::vector<C>& values) const {
        storer<C>(dtype)(values.data(), at, step, length);
    }
    void write_one(double value) const { storer<double>(dtype)(&value, at, 1, 1); }
};

inline Tensor without_axis(const Tensor& t, int axis) {
    Tensor rest = t;
    rest.rank = t.rank - 1;
    for (int i = axis; i < rest.rank; ++i) {
        rest.shape[i] = t.shape[i + 1];
        rest.strides[i] = t.strides[i + 1];
    }
    return rest;
}

/// f(the line of each operand) with an f of make()'s for each thread; an element of the first costs
/// `cost` multiplications. Operands from `writes_from` on are written.
template <int N, class M>
Status each_line(TaskContext& ctx, const Tensor* const (&t)[N], int axis, int writes_from,
                 double cost, M make) {
    Tensor rest[N];
    const Tensor* r[N];
    Line lines[N];
    std::int64_t bytes[N];
    for (int k = 0; k < N; ++k) {
        rest[k] = without_axis(*t[k], axis);
        r[k] = &rest[k];
        if (t[k]->rank != t[0]->rank) return shape_error("lines", *t[0], *t[k]);
        for (int i = 0; i < rest[k].rank; ++i)
            if (rest[k].shape[i] != rest[0].shape[i]) return shape_error("lines", *t[0], *t[k]);
        lines[k] = {nullptr, t[k]->strides[axis], t[k]->shape[axis], t[k]->dtype};
    }
    char* base[N];
    if (!map_all(ctx, t, writes_from, base)) return ctx.error();
    Loop<N> loop(r);
    for (int k = 0; k < N; ++k)
        bytes[k] = loop.step[k] * static_cast<std::int64_t>(dtype_size(t[k]->dtype));
    const double line = cost * double(lines[0].length);
    loop.rows(base, [&](char* const* p) {
        share(loop.inner, line * double(loop.inner), [&](std::int64_t i, std::int64_t last) {
            auto f = make();
            Line at[N];
            std::copy(lines, lines + N, at);
            for (; i < last; ++i) {
                for (int k = 0; k < N; ++k) at[k].at = p[k] + i * bytes[k];
                f(at);
            }
        });
    });
    return Status::ok;
}

} // namespace device_api::engine
