// SPDX-License-Identifier: Apache-2.0
// Running sums and products.
#include "lines.hpp"
#include "structured.hpp"

namespace device_api::simt {

da_status run_scan(const Call& c) {
    constexpr unsigned threads = 256;
    const da_tensor &x = c.input(0), &out = c.output();
    const std::int64_t axis = axis_of(c, 0);
    const std::int64_t* strides[] = {out.strides, x.strides};
    Split parts = split(x, std::uint64_t(1) << axis, strides, 2);
    Geometry& rest = parts.rest;
    std::int64_t length = x.shape[axis], to = step_of(out, axis), from = step_of(x, axis);
    // Many short lines: a thread for each; else a block for each.
    const unsigned way = length <= 32 || rest.count >= 16384 ? 1 : 2;
    const bool product = c.call.op == DA_OP_CUMPROD, complex = in(complex_types, x.dtype);
    Handle function = nullptr;
    if (const da_status status =
            c.kernel(Key(family_scan).add(product, 1).add(x.dtype, 4).add(way, 2), &function,
                     [&](Variant& v) {
                         v.files = {complex ? "complex.inc" : "arithmetic.inc", "scan.inc"};
                         v.entry = "da_scan";
                         v.macros = {std::string("IN=") + dtype_row(x.dtype).stored,
                                     std::string("OUT=") + dtype_row(x.dtype).stored,
                                     std::string("WIDE=") + dtype_row(x.dtype).wide,
                                     std::string("COMBINE=") + (product ? "op_mul" : "op_add"),
                                     std::string("FIRST=") + (product ? "1" : "0"),
                                     "WAY=" + std::to_string(way)};
                     }))
        return status;
    void *o = out.data, *i = x.data;
    void* arguments[] = {&o,    &i,          &rest.count,   &length,      &to,
                         &from, &rest.shape, &rest.view[0], &rest.view[1]};
    const unsigned blocks = blocks_for(c.device.chip, rest.count, way == 1 ? threads : 1, threads);
    return c.launch(function, Grid{{blocks, 1, 1}, threads, 0}, arguments);
}

} // namespace device_api::simt
