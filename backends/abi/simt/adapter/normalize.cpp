// SPDX-License-Identifier: Apache-2.0
// Softmax and norms.
#include "lines.hpp"
#include "structured.hpp"

namespace device_api::simt {

da_status run_normalize(const Call& c) {
    constexpr unsigned threads = 256;
    const da_tensor &x = c.input(0), &out = c.output();
    const unsigned what = c.row.mode;
    const bool norm = what >= 3;
    const std::int64_t axis = norm ? x.rank - 1 : axis_of(c, 0);
    const std::int64_t* strides[] = {out.strides, x.strides};
    Split parts = split(x, std::uint64_t(1) << axis, strides, 2);
    Geometry& rest = parts.rest;
    Handle function = nullptr;
    if (const da_status status = c.kernel(
            Key(family_normalize).add(what, 3).add(x.dtype, 4), &function, [&](Variant& v) {
                v.files = {"normalize.inc"};
                v.entry = "da_normalize";
                v.macros = {std::string("IN=") + dtype_row(x.dtype).stored,
                            std::string("WIDE=") + dtype_row(x.dtype).wide,
                            "WHAT=" + std::to_string(what)};
            }))
        return status;
    void *o = out.data, *from = x.data;
    void* weight = norm ? c.input(1).data : nullptr;
    void* bias = what == 3 ? c.input(2).data : nullptr;
    std::int64_t length = x.shape[axis], to_step = step_of(out, axis), from_step = step_of(x, axis);
    std::int64_t weight_step = norm ? c.input(1).strides[0] : 0;
    std::int64_t bias_step = what == 3 ? c.input(2).strides[0] : 0;
    double epsilon = norm ? c.attribute(0).f : 0;
    void* arguments[] = {&o,       &from,       &weight,       &bias,        &rest.count,
                         &length,  &to_step,    &from_step,    &weight_step, &bias_step,
                         &epsilon, &rest.shape, &rest.view[0], &rest.view[1]};
    const unsigned blocks = blocks_for(c.device.chip, rest.count, 1, threads);
    return c.launch(function, Grid{{blocks, 1, 1}, threads, 0}, arguments);
}

} // namespace device_api::simt
