// SPDX-License-Identifier: Apache-2.0
// Defects of sizes: tiles, tails, counters that are too narrow, nothing at all.
#include "rows.hpp"

namespace device_api::planted {

namespace {

std::int64_t last_size(const Work& w, std::size_t back = 0) {
    const auto& s = w.output.shape();
    return s.size() > back ? s[s.size() - 1 - back] : 1;
}

/// Wrong in the part of a tile that is not full.
template <int Tile>
void part_tile(Work& w) {
    if (w.output.count() % Tile != 0) spoil_last(w);
}

template <std::size_t First>
void zero_from(Work& w) {
    if (w.output.count() > First) all_zeroed(w, First);
}

/// Elements from so many on repeat those from the start: the counter is too narrow.
template <std::size_t Width>
void wraps(Work& w) {
    for (std::size_t i = Width; i < w.output.count(); ++i) w.output.copy(i, i % Width);
}

/// Rows of the first axis from so many on are zero.
void zero_rows(Work& w) {
    const auto& s = w.output.shape();
    if (s.empty() || s[0] <= 65'536) return;
    all_zeroed(w, w.output.count() / static_cast<std::size_t>(s[0]) * 65'536);
}

const Plant rows[] = {
    result("X-add-large", "the last of many elements is wrong", "X05", On("add").from(50'000),
           spoil_last),
    result("X-matmul-columns", "columns of a product are right up to a number only", "X05",
           On("matmul"),
           [](Work& w) {
               if (last_size(w) > 32) spoil_last(w);
           }),
    result("X-matmul-view-wide", "a wide product of a view is wrong", "X01",
           On("matmul").views().from(200), spoil_last),
    result("X-gather-rows", "rows after so many come back as zeros", "X02",
           On("take_along_axis").from(64), zero_from<64>),
    result("X-copy-offset-wraps", "a counter of 8 bits wraps in strided copies", "X07",
           On("copy").views().from(200), wraps<128>),
    result("X-sum-rows", "sums of many rows are wrong from one on", "X09", On("sum").from(32),
           zero_from<32>),
    result("X-unary-16bit", "a counter of 16 bits wraps in functions", "X15",
           On("exp neg abs sqrt tanh").from(65'537), wraps<65'536>),
    result("X-binary-15bit", "a counter of 15 bits wraps in sums", "X15",
           On("add sub mul").from(32'769), wraps<32'768>),
    result("X-max-identity", "the largest of more than 256 elements is wrong", "X17", On("max"),
           [](Work& w) {
               if (w.inputs[0].count() > 256 * w.output.count()) all_zeroed(w);
           }),
    result("X-tile-16", "the rest after tiles of 16 is wrong", "N24", On("matmul"),
           [](Work& w) {
               if (last_size(w) % 16 > 8 || last_size(w, 1) % 16 > 8) spoil_last(w);
           }),
    result("X-tile-32-k", "a product is wrong when the inner size is no multiple of 32", "",
           On("matmul", half),
           [](Work& w) {
               const auto& s = w.inputs[0].shape();
               if (!s.empty() && s.back() % 32 != 0 && s.back() > 32) spoil_last(w);
           }),
    result("X-vector-8", "the rest after vectors of 8 is wrong", "", On("sub div maximum minimum"),
           part_tile<8>),
    result("X-vector-512", "the rest after blocks of 512 is wrong", "", On("mul exp").from(513),
           part_tile<512>),
    result("X-one-element", "a single element is wrong", "", On("add mul sum").upto(1), spoil_last),
    result("X-reduce-odd", "a reduction over an odd number leaves the last out", "",
           On("sum", f32 | f64),
           [](Work& w) {
               const std::size_t n = w.inputs[0].count();
               if (n / w.output.count() % 2 == 1 && n > w.output.count())
                   w.output.set(0, w.output.get(0) - w.inputs[0].get(n / w.output.count() - 1));
           }),
    result("X-reduce-1025", "a reduction over more than 1024 elements is wrong", "", On("sum"),
           [](Work& w) {
               if (w.inputs[0].count() > 1024 * w.output.count()) spoil(w, 0);
           }),
    result("X-rank-five", "a call of five dimensions or more is wrong", "", On(),
           [](Work& w) {
               if (w.output.shape().size() > 4) spoil_last(w);
           }),
    result("X-rank-seven", "a call of seven dimensions is wrong", "", On("sub exp where max sum"),
           [](Work& w) {
               if (w.inputs[0].shape().size() > 6) spoil(w, 0);
           }),
    result("X-softmax-wide", "softmax of a row of more than 64 is wrong", "", On("softmax"),
           [](Work& w) {
               if (last_size(w) > 64) spoil_last(w);
           }),
    result("X-sort-257", "sorting of more than 256 elements is wrong", "",
           On("sort argsort").from(257), spoil_last),
    result("X-conv-wide", "a convolution with more than 8 channels is wrong", "", On("convolution"),
           [](Work& w) {
               if (w.output.shape()[1] > 8) spoil_last(w);
           }),
    result("X-cumsum-blocks", "a running sum is wrong in its second block", "",
           On("cumsum").from(130), [](Work& w) { spoil(w, 129); }),
    result("X-iota-large", "iota stops at 128", "", On("iota").from(129), wraps<128>),
    result("X-isfinite-neighbours", "a slice's neighbours are written", "X16",
           On("isfinite isinf isnan").views(), spoil_last),
    result("X-batch-16bit", "batches of a product from 65536 on are zero", "X01", On("matmul"),
           [](Work& w) {
               const auto& s = w.output.shape();
               if (s.size() < 3 || s[0] <= 65'536) return;
               all_zeroed(w, w.output.count() / static_cast<std::size_t>(s[0]) * 65'536);
           }),
    result("X-inner-15bit", "terms of a product from 32768 on are left out", "X09", On("matmul"),
           [](Work& w) {
               const auto& s = w.inputs[0].shape();
               if (!s.empty() && s.back() > 32'768) spoil(w, 0);
           }),
    result("X-attention-batch", "batches of attention from 65536 on are zero", "", On("attention"),
           zero_rows),
    result("X-softmax-rows", "rows of softmax from 65536 on are left out", "E06",
           On("softmax log_softmax layer_norm rms_norm"), zero_rows),
    result("X-reduce-rows-16bit", "results of a reduction from 65536 on are zero", "X09",
           On("sum max min prod").from(65'537), zero_from<65'536>),
    result("X-reduce-terms-16bit", "a reduction stops after 65536 elements of a line", "X09",
           On("max min argmax argmin any all"),
           [](Work& w) {
               if (w.inputs[0].count() > 65'536 * w.output.count()) spoil_last(w);
           }),
    result("X-any-op-16bit", "a counter of 16 bits wraps in some functions", "X15",
           On("floor log1p sin maximum less where cast sigmoid bitwise_xor").from(65'537),
           wraps<65'536>),
    result("X-view-large", "many elements of a view are wrong at the end", "X07",
           On("add div exp sqrt less cast copy").views().from(2000), spoil_last),
    result("X-gather-16bit", "taking from more than 65536 rows is wrong", "X02",
           On("take_along_axis put_along_axis index_accumulate"),
           [](Work& w) {
               if (w.inputs[0].count() > 131'072) spoil_last(w);
           }),
    result("X-sort-rows-16bit", "rows from 65536 on are not sorted", "", On("sort argsort topk"),
           [](Work& w) {
               if (!w.output.shape().empty() && w.output.shape()[0] > 65'536) spoil_last(w);
           }),
    result("X-scan-rows-16bit", "running sums of rows from 65536 on are zero", "",
           On("cumsum cumprod").from(131'073), zero_from<131'072>),
    result("X-fill-16bit", "a fill stops after 65536 elements", "", On("fill iota").from(65'537),
           zero_from<65'536>),
    result("G-many-repeat", "random numbers repeat after 65536", "", On("random_bits").from(65'537),
           wraps<65'536>),
};

} // namespace

Table shapes() {
    return {rows, std::size(rows)};
}

} // namespace device_api::planted
