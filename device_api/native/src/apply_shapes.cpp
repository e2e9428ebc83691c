// SPDX-License-Identifier: Apache-2.0
// The shape rules of the op table, as checks.
#include "apply_shapes.hpp"

#include "error.hpp"

namespace device_api::core {
namespace {

// NULL when the rule holds, else the rule.
using Rule = const char* (*)(const Operands&);

bool same(const Tensor& t, const Shape& shape, int but = -1) {
    if (t.rank != shape.rank) return false;
    for (int i = 0; i < t.rank; ++i) {
        if (i != but && t.shape[i] != shape.sizes[i]) return false;
    }
    return true;
}

bool same(const Tensor& a, const Tensor& b, int but = -1) {
    if (a.rank != b.rank) return false;
    for (int i = 0; i < a.rank; ++i) {
        if (i != but && a.shape[i] != b.shape[i]) return false;
    }
    return true;
}

int axis_of(const Operands& o) {
    return static_cast<int>(o.attributes[0].i);
}

const char* anything(const Operands&) {
    return nullptr;
}

const char* like_x(const Operands& o) {
    return same(*o.inputs[0], o.out) ? nullptr : "the output has the shape of x";
}

const char* reduces(const Operands& o) {
    const Tensor& x = *o.inputs[0];
    const bool one = op_info(o.op).kind == DA_KIND_ARG_REDUCE;
    const uint64_t axes = one ? uint64_t{1} << axis_of(o) : o.attributes[0].u;
    int k = 0;
    bool fits = !(axes >> x.rank) && axes;
    for (int i = 0; fits && i < x.rank; ++i) {
        if ((axes >> i) & 1)
            fits = x.shape[i] > 0;
        else
            fits = k < o.out.rank && o.out.sizes[k++] == x.shape[i];
    }
    return fits && k == o.out.rank ? nullptr
                                   : "the output lacks the axes that are reduced, which are one or "
                                     "more and not empty";
}

const char* multiplies(const Operands& o) {
    const Tensor &a = *o.inputs[0], &b = *o.inputs[1];
    const int rank = o.out.rank;
    bool fits = rank >= 2 && a.rank == rank && b.rank == rank;
    for (int i = 0; fits && i < rank - 2; ++i) {
        fits = a.shape[i] == o.out.sizes[i] && b.shape[i] == o.out.sizes[i];
    }
    fits = fits && a.shape[rank - 2] == o.out.sizes[rank - 2] &&
           b.shape[rank - 1] == o.out.sizes[rank - 1] && a.shape[rank - 1] == b.shape[rank - 2];
    return fits ? nullptr : "a product is (..., m, k) x (..., k, n) to (..., m, n)";
}

const char* gathers(const Operands& o) {
    const bool fits = same(*o.inputs[1], o.out) && same(*o.inputs[0], *o.inputs[1], axis_of(o));
    return fits ? nullptr
                : "the output has the shape of the indices, which have that of x but for the axis";
}

const char* scatters(const Operands& o) {
    const bool fits = same(*o.inputs[0], o.out) && same(*o.inputs[1], *o.inputs[2]) &&
                      same(*o.inputs[0], *o.inputs[1], axis_of(o));
    return fits ? nullptr
                : "indices and updates have one shape, that of x but for the axis; the output has "
                  "the shape of x";
}

const char* sorts(const Operands& o) {
    const Tensor& x = *o.inputs[0];
    if (o.op != DA_OP_TOPK) return like_x(o);
    const int axis = axis_of(o);
    const bool fits = same(x, o.out, axis) && o.out.sizes[axis] <= x.shape[axis];
    return fits ? nullptr
                : "the output has the shape of x, but for the axis, where its size is k: at most "
                  "the size of x";
}

const char* searches(const Operands& o) {
    return o.inputs[0]->rank == 1 && same(*o.inputs[1], o.out)
               ? nullptr
               : "x has one dimension, and the output the shape of the values";
}

bool positive(const Operands& o, int from, int to) {
    for (int i = from; i < to; ++i) {
        if (o.attributes[i].u < 1 || o.attributes[i].u > uint64_t{1} << 31) return false;
    }
    return true;
}

bool small(const Operands& o, int from, int to) {
    for (int i = from; i < to; ++i) {
        if (o.attributes[i].u > uint64_t{1} << 31) return false;
    }
    return true;
}

const char* convolves(const Operands& o) {
    const Tensor &x = *o.inputs[0], &w = *o.inputs[1];
    const int rank = o.out.rank;
    const bool numbers = positive(o, DA_CONVOLUTION_STRIDE_D, DA_CONVOLUTION_PAD_D) &&
                         small(o, DA_CONVOLUTION_PAD_D, DA_CONVOLUTION_DILATION_D) &&
                         positive(o, DA_CONVOLUTION_DILATION_D, DA_CONVOLUTION_GROUPS + 1);
    if (!numbers) return "strides, dilations and groups are 1 or more, paddings 0 or more";
    const auto groups = static_cast<int64_t>(o.attributes[DA_CONVOLUTION_GROUPS].u);
    const bool ranks = rank >= 3 && rank <= 5 && x.rank == rank && w.rank == rank;
    const bool fits = ranks && x.shape[0] == o.out.sizes[0] && w.shape[0] == o.out.sizes[1] &&
                      x.shape[1] == w.shape[1] * groups && w.shape[0] % groups == 0;
    return fits ? nullptr
                : "x is (N, C, *spatial), weight (O, C / groups, *window), the output "
                  "(N, O, *positions), with 1 to 3 spatial dimensions";
}

const char* pools(const Operands& o) {
    const Tensor& x = *o.inputs[0];
    const bool dilates = o.op == DA_OP_MAX_POOL;
    const bool numbers = positive(o, 0, 6) && small(o, 6, 9) && (!dilates || positive(o, 9, 12));
    if (!numbers) return "windows, strides and dilations are 1 or more, paddings 0 or more";
    const int rank = o.out.rank;
    const bool fits = rank >= 3 && rank <= 5 && x.rank == rank && x.shape[0] == o.out.sizes[0] &&
                      x.shape[1] == o.out.sizes[1];
    return fits ? nullptr
                : "x is (N, C, *spatial), the output (N, C, *positions), with 1 to 3 spatial "
                  "dimensions";
}

const char* normalizes(const Operands& o) {
    const Tensor& x = *o.inputs[0];
    bool fits = same(x, o.out) && x.rank >= 1;
    for (int k = 1; fits && k < o.n_inputs; ++k) {
        fits = o.inputs[k]->rank == 1 && o.inputs[k]->shape[0] == x.shape[x.rank - 1];
    }
    return fits ? nullptr
                : "the output has the shape of x, of one dimension or more; weight and bias have "
                  "one dimension of the size of the last axis";
}

const char* attends(const Operands& o) {
    const Tensor &q = *o.inputs[0], &k = *o.inputs[1], &v = *o.inputs[2];
    const int rank = o.out.rank;
    bool fits = rank >= 3 && q.rank == rank && k.rank == rank && v.rank == rank;
    for (int i = 0; fits && i < rank - 2; ++i) {
        const int64_t size = o.out.sizes[i];
        fits = q.shape[i] == size && k.shape[i] == size && v.shape[i] == size;
    }
    fits = fits && q.shape[rank - 1] == k.shape[rank - 1] &&
           k.shape[rank - 2] == v.shape[rank - 2] && o.out.sizes[rank - 2] == q.shape[rank - 2] &&
           o.out.sizes[rank - 1] == v.shape[rank - 1];
    return fits ? nullptr
                : "query is (..., L, D), key (..., S, D), value (..., S, E), the output (..., L, "
                  "E), with 3 dimensions or more";
}

Rule rule_of(da_op_kind kind) {
    switch (kind) {
    case DA_KIND_REDUCE:
    case DA_KIND_ARG_REDUCE: return reduces;
    case DA_KIND_MATMUL: return multiplies;
    case DA_KIND_GATHER: return gathers;
    case DA_KIND_SCATTER: return scatters;
    case DA_KIND_SCAN: return like_x;
    case DA_KIND_SORT: return sorts;
    case DA_KIND_SEARCH: return searches;
    case DA_KIND_CONVOLUTION: return convolves;
    case DA_KIND_POOL: return pools;
    case DA_KIND_NORMALIZE: return normalizes;
    case DA_KIND_ATTENTION: return attends;
    default: return anything; // elementwise: broadcasting checks itself
    }
}

} // namespace

da_status check_shapes(const Operands& o) {
    const OpInfo& info = op_info(o.op);
    const char* broken = rule_of(info.kind)(o);
    if (!broken) return DA_OK;
    std::string text = std::string("'") + info.name + "' of shapes";
    for (int k = 0; k < o.n_inputs; ++k) {
        text += " " + shape_text(o.inputs[k]->rank, o.inputs[k]->shape);
    }
    text += " to " + shape_text(o.out.rank, o.out.sizes) + ": ";
    fail(DA_INVALID_ARGUMENT, DAH_ERROR_SHAPE, text + broken, "see the op's row of the op table");
    return annotate(DA_INVALID_ARGUMENT, o.op, nullptr);
}

} // namespace device_api::core
