// SPDX-License-Identifier: Apache-2.0
// Convolution and pooling.
#include "lines.hpp"
#include "structured.hpp"

namespace device_api::simt {
namespace {

// As in window.inc.
struct Windows {
    std::int64_t batches, channels;
    std::int64_t places[3], size[3];
    std::int64_t window[3], stride[3], pad[3], dilation[3];
    std::int64_t x_step[5], out_step[5], weight_step[5];
    std::int64_t group_in, group_out;
    std::int64_t count_pad;
};

// Where each family has its attributes: the first of d, h, w.
struct Attributes {
    int window, stride, pad, dilation, last;
};
constexpr Attributes convolution{-1, DA_CONVOLUTION_STRIDE_D, DA_CONVOLUTION_PAD_D,
                                 DA_CONVOLUTION_DILATION_D, DA_CONVOLUTION_GROUPS};
constexpr Attributes largest{DA_MAX_POOL_WINDOW_D, DA_MAX_POOL_STRIDE_D, DA_MAX_POOL_PAD_D,
                             DA_MAX_POOL_DILATION_D, -1};
constexpr Attributes mean{DA_AVG_POOL_WINDOW_D, DA_AVG_POOL_STRIDE_D, DA_AVG_POOL_PAD_D, -1,
                          DA_AVG_POOL_COUNT_PAD};

const Attributes& attributes_of(unsigned op) {
    return op == DA_OP_CONVOLUTION ? convolution : op == DA_OP_MAX_POOL ? largest : mean;
}

std::int64_t read(const Call& c, int first, int d, std::int64_t without) {
    if (first < 0) return without;
    return static_cast<std::int64_t>(c.attribute(static_cast<unsigned>(first + d)).u);
}

Windows windows_of(const Call& c) {
    const da_tensor &x = c.input(0), &out = c.output();
    const Attributes& where = attributes_of(c.call.op);
    const bool weighted = c.call.op == DA_OP_CONVOLUTION;
    const int missing = 3 - (x.rank - 2); // leading axes that are not there
    Windows w{};
    w.batches = out.shape[0];
    w.channels = out.shape[1];
    const da_tensor& weight = weighted ? c.input(1) : x;
    for (int d = 0; d < 2; ++d) {
        w.x_step[d] = x.strides[d];
        w.out_step[d] = out.strides[d];
        w.weight_step[d] = weight.strides[d];
    }
    for (int d = 0; d < 3; ++d) {
        const bool there = d >= missing;
        const int at = 2 + d - missing;
        w.places[d] = there ? out.shape[at] : 1;
        w.size[d] = there ? x.shape[at] : 1;
        w.x_step[2 + d] = there ? x.strides[at] : 0;
        w.out_step[2 + d] = there ? out.strides[at] : 0;
        w.weight_step[2 + d] = there && weighted ? weight.strides[at] : 0;
        w.window[d] = !there ? 1 : weighted ? weight.shape[at] : read(c, where.window, d, 1);
        w.stride[d] = there ? read(c, where.stride, d, 1) : 1;
        w.pad[d] = there ? read(c, where.pad, d, 0) : 0;
        w.dilation[d] = there ? read(c, where.dilation, d, 1) : 1;
    }
    w.group_in = w.group_out = 1;
    if (weighted) {
        w.group_in = weight.shape[1];
        w.group_out = weight.shape[0] / read(c, where.last, 0, 1);
    }
    w.count_pad = c.call.op == DA_OP_AVG_POOL ? read(c, where.last, 0, 0) : 0;
    return w;
}

} // namespace

da_status run_window(const Call& c) {
    constexpr unsigned threads = 256;
    const da_tensor &x = c.input(0), &out = c.output();
    Windows w = windows_of(c);
    const unsigned what = c.row.mode;
    Handle function = nullptr;
    if (const da_status status =
            c.kernel(Key(family_window).add(what, 2).add(x.dtype, 4), &function, [&](Variant& v) {
                v.files = {"window.inc"};
                v.entry = "da_window";
                v.contract = true;
                v.macros = {std::string("IN=") + dtype_row(x.dtype).stored,
                            std::string("WIDE=") + dtype_row(x.dtype).wide,
                            "WHAT=" + std::to_string(what)};
            }))
        return status;
    void *o = out.data, *from = x.data, *weight = what == 1 ? c.input(1).data : nullptr;
    std::uint64_t count = count_of(out);
    void* weighted[] = {&o, &from, &weight, &count, &w};
    void* plain[] = {&o, &from, &count, &w};
    const unsigned blocks = blocks_for(c.device.chip, count, threads, threads);
    return c.launch(function, Grid{{blocks, 1, 1}, threads, 0}, what == 1 ? weighted : plain);
}

} // namespace device_api::simt
