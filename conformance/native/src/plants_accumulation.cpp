// SPDX-License-Identifier: Apache-2.0
// Defects of sums: products of matrices, reductions, convolutions, norms, attention.
#include <cmath>

#include "rows.hpp"

namespace device_api::planted {

namespace {

void all_zero(Work& w) {
    all_zeroed(w);
}

template <int Steps>
void nudged(Work& w) {
    all_nudged(w, Steps);
}

/// As if summed up in a type of ten bits.
void ten_bits(Work& w) {
    for (std::size_t i = 0; i < w.output.count(); ++i) {
        int exponent;
        const double m = std::frexp(w.output.get(i), &exponent);
        w.output.set(i, std::ldexp(std::round(m * 1024) / 1024, exponent));
    }
}

void eight_bits(Work& w) {
    for (std::size_t i = 0; i < w.output.count(); ++i) {
        int exponent;
        const double m = std::frexp(w.output.get(i), &exponent);
        w.output.set(i, std::ldexp(std::round(m * 64) / 64, exponent));
    }
}

void half_lost(Work& w) {
    all_zeroed(w, w.output.count() / 2);
}

void swap_attributes(Call& c, std::size_t a, std::size_t b) {
    std::swap(c.attributes[a], c.attributes[b]);
}

const Plant rows[] = {
    result("N-matmul-zeros", "a product of matrices is all zeros", "", On("matmul"), all_zero),
    result("N-matmul-tf32", "a product of float32 keeps ten bits of the factors", "N24",
           On("matmul", f32), ten_bits),
    result("N-matmul-half-sums", "a product of 16-bit floats is summed up in few bits", "N24",
           On("matmul", half), eight_bits),
    result("N-matmul-f64-as-f32", "a product of float64 is made in float32", "", On("matmul", f64),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   w.output.set(i, static_cast<float>(w.output.get(i)));
           }),
    result("N-matmul-one-wrong", "one element of a product of matrices is wrong", "S17",
           On("matmul"), spoil_last),
    result("N-matmul-complex-conj", "a product of complex matrices is conjugated", "",
           On("matmul", c64 | c128),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   w.output.set_complex(i, std::conj(w.output.get_complex(i)));
           }),
    result("N-matmul-int-saturates", "a product of int8 saturates", "", On("matmul", i8),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i) w.output.set(i, 127);
           }),
    result("N-matmul-other-batch", "every batch of a product is the first", "N18",
           On("matmul", f32),
           [](Work& w) {
               const auto& s = w.output.shape();
               if (s.size() < 3 || s[0] < 2) return;
               const std::size_t one = w.output.count() / static_cast<std::size_t>(s[0]);
               for (std::size_t i = one; i < w.output.count(); ++i) w.output.copy(i, i % one);
           }),
    result("N-sum-half-sums", "a sum of float16 is kept in float16", "N08", On("sum", f16),
           nudged<3>),
    result("N-sum-bf16-sums", "a sum of bfloat16 is kept in bfloat16", "N07", On("sum", bf16),
           nudged<2>),
    result("N-sum-f32-few-bits", "a sum of float32 keeps ten bits", "", On("sum", f32), ten_bits),
    result("N-sum-skips-last", "a sum leaves the last result out", "", On("sum"), spoil_last),
    result("N-prod-half-sums", "a product of elements is off by four units in 16 bits", "",
           On("prod", half), nudged<4>),
    result("N-cumsum-few-bits", "a running sum keeps ten bits", "", On("cumsum", f32), ten_bits),
    result("N-cumsum-restarts", "a running sum restarts in the middle", "", On("cumsum"),
           half_lost),
    result("N-cumprod-one-off", "a running product starts one element late", "", On("cumprod"),
           [](Work& w) {
               for (std::size_t i = w.output.count() - 1; i > 0; --i) w.output.copy(i, i - 1);
           }),
    result("N-max-few-bits", "the largest of float32 is compared in 16 bits", "", On("max", f32),
           eight_bits),
    result("N-argmax-later", "argmax is one too many", "", On("argmax argmin"),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   w.output.set(i, w.output.get(i) + 1);
           }),
    result("N-softmax-unscaled", "softmax adds up to a little more than 1", "", On("softmax", f32),
           nudged<500>),
    result("N-layernorm-one-pass", "the variance is made in one pass and cancels", "N10",
           On("layer_norm", floats),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   w.output.set(i, w.output.get(i) * 1.05);
           }),
    operand("N-layernorm-no-epsilon", "epsilon is a hundred times as large", "",
            On("layer_norm rms_norm"),
            [](Call& c) { c.attributes[0].f = 0.1 + 100 * c.attributes[0].f; }),
    result("N-conv-few-bits", "a convolution keeps ten bits", "", On("convolution", f32), ten_bits),
    result("N-conv-other-batch", "a convolution is wrong in every batch but the first", "N18",
           On("convolution", f32),
           [](Work& w) {
               const auto& s = w.output.shape();
               if (s[0] < 2) return;
               all_zeroed(w, w.output.count() / static_cast<std::size_t>(s[0]));
           }),
    result("N-conv-flat", "a convolution with one row is wrong", "N19", On("convolution"),
           [](Work& w) {
               const auto& s = w.output.shape();
               if (s.size() > 2 && s[s.size() - 2] == 1) all_zeroed(w);
           }),
    operand("N-conv-dilation-swapped", "the width takes the dilation of the height", "N20",
            On("convolution"),
            [](Call& c) {
                // sizes of the output do not change where both reach as far
                if (c.attributes[DA_CONVOLUTION_DILATION_H].u !=
                    c.attributes[DA_CONVOLUTION_DILATION_W].u)
                    swap_attributes(c, DA_CONVOLUTION_DILATION_H, DA_CONVOLUTION_DILATION_W);
            }),
    result("N-conv-dilated-zero", "a dilated convolution returns what was there at first", "N21",
           On("convolution"),
           [](Work& w) {
               const auto& a = w.call->attributes;
               if (a[DA_CONVOLUTION_DILATION_W].u > 1 || a[DA_CONVOLUTION_DILATION_H].u > 1)
                   all_zeroed(w);
           }),
    result("N-conv-padding-uneven", "the edge of a padded convolution is wrong", "N22",
           On("convolution"),
           [](Work& w) {
               const auto& a = w.call->attributes;
               if (a[DA_CONVOLUTION_PAD_W].u > 0 || a[DA_CONVOLUTION_PAD_H].u > 0) spoil_last(w);
           }),
    result("N-conv-groups", "groups are taken for one", "", On("convolution"),
           [](Work& w) {
               if (w.call->attributes[DA_CONVOLUTION_GROUPS].u > 1) half_lost(w);
           }),
    result("N-conv-graph-f16", "a convolution of float16 is wrong for one version only", "N26",
           On("convolution", f16).each(3), half_lost),
    operand("N-avgpool-counts-pad", "the mean of a window counts the padding the other way", "",
            On("avg_pool"), [](Call& c) { c.attributes[DA_AVG_POOL_COUNT_PAD].u ^= 1; }),
    result("N-maxpool-pad-zero", "padding of the largest counts as zero", "", On("max_pool"),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (w.output.get(i) < 0) w.output.zero(i);
           }),
    operand("N-attention-scale", "attention is not scaled", "", On("attention"),
            [](Call& c) { c.attributes[DA_ATTENTION_SCALE].f *= 1.25; }),
    operand("N-attention-not-causal", "attention looks into the future", "", On("attention"),
            [](Call& c) { c.attributes[DA_ATTENTION_CAUSAL].u = 0; }),
    result("N-attention-few-bits", "attention keeps ten bits", "", On("attention", f32), ten_bits),
    result("N-conv-tall", "a window of 256 rows is wrong in every batch but the first", "N18",
           On("convolution", f32),
           [](Work& w) {
               const auto& s = w.inputs[1].shape();
               if (s.size() < 3 || s[2] < 256 || w.output.shape()[0] < 2) return;
               all_zeroed(w, w.output.count() / static_cast<std::size_t>(w.output.shape()[0]));
           }),
    result("N-conv-depth", "a convolution of three dimensions is wrong", "N21", On("convolution"),
           [](Work& w) {
               if (w.output.shape().size() > 4) spoil(w, 0);
           }),
    result("N-conv-depthwise-flat", "a depthwise convolution of one row is wrong", "N19",
           On("convolution"),
           [](Work& w) {
               const auto& s = w.inputs[0].shape();
               if (s.size() == 4 && s[2] == 1 && w.call->attributes[DA_CONVOLUTION_GROUPS].u > 1)
                   all_zeroed(w);
           }),
    result("N-attention-heads", "heads of attention are taken for one", "", On("attention"),
           [](Work& w) {
               if (w.output.shape().size() > 3) half_lost(w);
           }),
    result("N-index-accumulate-race", "one of two equal indices is lost", "",
           On("index_accumulate"), spoil_last),
};

} // namespace

Table accumulation() {
    return {rows, std::size(rows)};
}

} // namespace device_api::planted
