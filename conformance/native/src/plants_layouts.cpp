// SPDX-License-Identifier: Apache-2.0
// Defects of views: strides, offsets, alignment, aliasing.
#include "rows.hpp"

namespace device_api::planted {

namespace {

bool is_view(const da_tensor& t) {
    return !(t.flags & (DA_TENSOR_CONTIGUOUS | DA_TENSOR_IMMEDIATE));
}

/// The strides of dense memory in place of a view's own.
void dense(Call& c, std::size_t i) {
    std::int64_t step = 1;
    for (std::size_t d = c.shapes[i].size(); d-- > 0;) {
        if (c.strides[i][d] == 0 || c.strides[i][d] < step) return; // might leave the storage
        step *= c.shapes[i][d];
    }
    step = 1;
    for (std::size_t d = c.shapes[i].size(); d-- > 0;) {
        c.strides[i][d] = step;
        step *= c.shapes[i][d];
    }
}

void first_dense(Call& c) {
    if (is_view(c.tensors[0])) dense(c, 0);
}

void second_dense(Call& c) {
    if (c.inputs > 1 && is_view(c.tensors[1])) dense(c, 1);
}

void output_dense(Call& c) {
    if (is_view(c.output())) dense(c, c.tensors.size() - 1);
}

/// An input starts at its storage, wherever the view starts, when all strides are positive.
void no_offset(Call& c) {
    for (std::size_t i = 0; i < c.inputs; ++i) {
        if (c.tensors[i].flags & DA_TENSOR_IMMEDIATE) continue;
        for (const std::int64_t s : c.strides[i])
            if (s < 0) return;
        c.tensors[i].data = c.tensors[i].storage;
    }
}

/// Strides of two dimensions change places where sizes are equal, so no byte outside is read.
void transposed(Call& c) {
    auto& s = c.strides[0];
    const auto& n = c.shapes[0];
    if (s.size() < 2) return;
    if (n[0] == n[1]) std::swap(s[0], s[1]);
}

void first_row_everywhere(Call& c) {
    if (c.strides[0].size() > 1 && c.shapes[0][0] > 1 && c.strides[0][0] > 0) c.strides[0][0] = 0;
}

/// Rows with a gap between them are taken for dense where the elements of a row are neighbours.
void rows_dense(Call& c) {
    for (std::size_t i = 0; i < c.inputs; ++i) {
        const auto& s = c.strides[i];
        const auto& n = c.shapes[i];
        if (s.size() > 1 && s.back() == 1 && s[s.size() - 2] > n.back()) dense(c, i);
    }
}

/// A view whose second axis lies innermost is taken for dense: the same bytes in another order.
void channels_dense(Call& c) {
    for (std::size_t i = 0; i < c.inputs; ++i) {
        auto& s = c.strides[i];
        const auto& n = c.shapes[i];
        if (s.size() < 3 || s[1] != 1 || n[1] < 2) continue;
        std::int64_t step = 1;
        for (std::size_t d = s.size(); d-- > 0; step *= n[d]) s[d] = step;
    }
}

/// A stride of 0 in the last axis counts as 1; what is read lies inside the same view's shape.
void last_axis_runs(Call& c) {
    for (std::size_t i = 0; i < c.inputs; ++i) {
        auto& s = c.strides[i];
        if (s.size() > 1 && s.back() == 0 && c.shapes[i].back() > 1 && s[s.size() - 2] == 1)
            s.back() = 1;
    }
}

/// The last axis of an operand is read from the other end.
template <std::size_t I>
void forwards(Call& c) {
    if (c.inputs <= I || c.strides[I].empty() || c.strides[I].back() >= 0) return;
    const std::int64_t n = c.shapes[I].back(), step = c.strides[I].back();
    const auto bytes = static_cast<std::int64_t>(size_of(c.tensors[I].dtype));
    c.tensors[I].data = static_cast<char*>(c.tensors[I].data) + (n - 1) * step * bytes;
    c.strides[I].back() = -step;
}

bool in_place(const Work& w) {
    return w.call->inputs > 0 && w.call->tensors[0].data == w.call->tensors.back().data;
}

const char* const elementwise = "add sub mul div neg abs exp log sqrt tanh maximum minimum where "
                                "equal less copy cast";

const Plant rows[] = {
    operand("L-matmul-weight-rows", "rows of a stepped weight are taken for dense", "L02",
            On("matmul").views(), second_dense),
    operand("L-minimum-storage-order", "bounds are read in storage order", "L04",
            On("minimum maximum").views(), second_dense),
    operand("L-copy-destination-offset", "the offset of a view is ignored in copies", "L06",
            On("copy cast"), no_offset),
    result("L-copy-into-view", "a copy writes the first element and zeros", "L08",
           On("copy").views(), [](Work& w) { all_zeroed(w, 1); }),
    result("L-fill-spread", "one element fills the whole row of an expanded view", "L10",
           On("where copy").spread(),
           [](Work& w) {
               for (std::size_t i = 1; i < w.output.count(); ++i) w.output.copy(i, 0);
           }),
    operand("L-matmul-permuted", "a permuted operand is taken for dense", "L15",
            On("matmul").views(), first_dense),
    operand("L-elementwise-row-column", "a row is read in place of a column", "L16",
            On(elementwise).views(), transposed),
    result("L-matmul-in-place-scratch", "a permuted copy overwrites its source later on", "L23",
           On("copy matmul").views().later(20), spoil_last),
    operand("L-add-first-dense", "strides of the first operand are ignored", "",
            On("add sub mul").views(), first_dense),
    operand("L-add-second-dense", "strides of the second operand are ignored", "",
            On("add sub mul").views(), second_dense),
    operand("L-unary-dense", "strides of the operand are ignored by functions", "",
            On("exp log sqrt tanh sin cos neg abs").views(), first_dense),
    operand("L-reduce-dense", "strides are ignored by reductions", "",
            On("sum max min prod").views(), first_dense),
    operand("L-output-dense", "a result is written as if the target were dense", "", On().views(),
            output_dense),
    operand("L-unary-offset", "the offset of an operand is ignored", "",
            On("exp log sqrt tanh neg abs"), no_offset),
    operand("L-reduce-offset", "the offset is ignored by reductions", "",
            On("sum max min prod argmax"), no_offset),
    operand("L-matmul-offset", "the offset of a factor is ignored", "", On("matmul"), no_offset),
    result("L-negative-strides", "a view that runs backwards loses its last element", "",
           On(elementwise).backward(), spoil_last),
    result("L-misaligned-vector", "vectors of misaligned memory are wrong at the end", "A04",
           On(elementwise).off(16), spoil_last),
    result("L-misaligned-64", "memory not aligned to 64 bytes gives a wrong first element", "",
           On("sum max matmul").off(64), [](Work& w) { spoil(w, 0); }),
    result("L-spread-operand", "an operand of stride 0 is read once too few", "",
           On("add mul where").spread(), spoil_last),
    operand("L-spread-rows", "every row of a view is the first one", "", On(elementwise).views(),
            first_row_everywhere),
    operand("L-sort-view", "sorting ignores strides", "", On("sort argsort").views(), first_dense),
    operand("L-gather-view", "taking by index ignores the strides of the indices", "",
            On("take_along_axis").views(), second_dense),
    operand("L-softmax-view", "softmax ignores strides", "",
            On("softmax log_softmax layer_norm rms_norm").views(), first_dense),
    operand("L-conv-view", "a convolution ignores the strides of the weight", "",
            On("convolution").views(), second_dense),
    operand("L-where-view", "where ignores the strides of the first choice", "",
            On("where").views(), second_dense),
    operand("L-cast-view", "a conversion ignores strides", "", On("cast").views(), first_dense),
    result("L-in-place-reads-late", "a view of the result is wrong when it is an operand", "",
           On("copy index_accumulate put_along_axis").views(), spoil_last),
    operand("L-pitched-rows", "the gap between rows is ignored", "",
            On("add mul maximum exp neg where sum softmax matmul cast").views(), rows_dense),
    operand("L-channels-innermost", "a view whose channels lie innermost is taken for dense", "",
            On("convolution max_pool add mul exp matmul attention").views(), channels_dense),
    operand("L-last-axis-spread", "a stride of 0 in the last axis counts as 1", "",
            On("add mul exp less equal sum max copy").spread(), last_axis_runs),
    operand("L-second-backwards", "a second operand that runs backwards is read forwards", "",
            On("sub div less maximum matmul").backward(), forwards<1>),
    operand("L-flipped-last", "a last axis that runs backwards is read forwards", "",
            On("exp sum argmax sort cast").backward(), forwards<0>),
    operand("L-third-dense", "strides of the third operand are ignored", "",
            On("where layer_norm attention put_along_axis").views(),
            [](Call& c) {
                if (c.inputs > 2 && is_view(c.tensors[2])) dense(c, 2);
            }),
    operand("L-key-only", "a strided key is taken for dense beside dense others", "",
            On("attention convolution matmul").views(),
            [](Call& c) {
                if (!is_view(c.tensors[0]) && is_view(c.tensors[1])) dense(c, 1);
            }),
    result("L-scalar-operand", "a second operand that is one number is wrong at the end", "",
           On("add sub mul less maximum").spread(),
           [](Work& w) {
               const auto& s = w.call->strides[1];
               for (std::size_t d = 0; d < s.size(); ++d)
                   if (s[d] != 0 && w.call->shapes[1][d] > 1) return;
               spoil_last(w);
           }),
    result("L-row-operand", "a row that is added to all rows is wrong", "",
           On("add div equal where").spread(),
           [](Work& w) {
               for (std::size_t i = 1; i < w.call->inputs; ++i) {
                   const auto& s = w.call->strides[i];
                   if (s.size() == 2 && s[0] == 0 && s[1] == 1) return spoil(w, 0);
               }
           }),
    result("L-column-operand", "a column that is added to all columns is wrong", "",
           On("sub pow minimum not_equal").spread(),
           [](Work& w) {
               const auto& s = w.call->strides[1];
               if (s.size() == 2 && s[0] != 0 && s[1] == 0) spoil_last(w);
           }),
    result("L-in-place", "an operation in place is wrong at the end", "", On("add mul"),
           [](Work& w) {
               if (in_place(w)) spoil_last(w);
           }),
    result("L-in-place-view", "an operation in place on a view with gaps is wrong", "",
           On("add mul").views(),
           [](Work& w) {
               if (in_place(w)) spoil(w, 0);
           }),
};

} // namespace

Table layouts() {
    return {rows, std::size(rows)};
}

} // namespace device_api::planted
