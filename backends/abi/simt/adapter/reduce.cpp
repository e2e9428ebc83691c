// SPDX-License-Identifier: Apache-2.0
// Reductions and arg-reductions: how outputs and elements are shared among threads.
#include <algorithm>

#include "lines.hpp"
#include "structured.hpp"

namespace device_api::simt {
namespace {

constexpr unsigned threads = 256;

struct Layout {
    Split parts;
    std::uint32_t width;   // outputs of one block
    std::uint32_t columns; // neighbouring threads take neighbouring outputs
    std::uint64_t chunk;   // elements of one part
    unsigned chunks;
};

unsigned power_of_two(std::uint64_t at_least, unsigned most) {
    unsigned p = 1;
    while (p < at_least && p < most) p *= 2;
    return p;
}

std::int64_t innermost(const Geometry& g, unsigned view) {
    if (g.shape.rank == 0) return INT64_MAX;
    const std::int64_t s = g.view[view].stride[g.shape.rank - 1];
    return s < 0 ? -s : s;
}

Layout layout_of(const Call& c) {
    const da_tensor &x = c.input(0), &out = c.output();
    const bool indexed = c.row.mode == 1;
    const std::uint64_t mask = indexed ? std::uint64_t(1) << axis_of(c, 0) : c.attribute(0).u;
    const std::int64_t* strides[] = {x.strides, out.strides};
    Layout l{split(x, mask, strides, 2, 2), 1, 0, 0, 1};
    const std::uint64_t length = l.parts.axes.count, outputs = l.parts.rest.count;
    l.columns = innermost(l.parts.rest, 0) < innermost(l.parts.axes, 0);
    unsigned lanes = power_of_two(length, threads);
    if (l.columns) {
        const unsigned wanted = power_of_two(outputs, 32);
        lanes = std::min(lanes, threads / wanted);
    }
    l.width = threads / lanes;
    // Parts, where whole outputs would leave most of the chip idle.
    const std::uint64_t blocks = (outputs + l.width - 1) / l.width;
    const std::uint64_t resident = std::uint64_t(c.device.chip.compute_units) *
                                   std::max(1u, c.device.chip.threads_per_unit / threads);
    const std::uint64_t most = std::max<std::uint64_t>(1, length / (std::uint64_t(lanes) * 16));
    l.chunks = static_cast<unsigned>(
        std::max<std::uint64_t>(1, std::min({resident / blocks, most, std::uint64_t(1024)})));
    l.chunk = (length + l.chunks - 1) / l.chunks;
    l.chunks = static_cast<unsigned>((length + l.chunk - 1) / l.chunk);
    return l;
}

unsigned accumulator_bytes(const Call& c) {
    if (c.row.mode == 1) return 16; // an element and where it stands
    if (c.output().dtype == DA_BOOL) return 1;
    return std::max(4u, dtype_row(c.input(0).dtype).bytes);
}

void describe(const Call& c, unsigned pass, Variant& v) {
    const unsigned dtype = c.input(0).dtype;
    const bool complex = in(complex_types, dtype), ordered = c.row.mode != 2;
    v.files = {complex ? "complex.inc" : "arithmetic.inc", "reduce.inc"};
    v.entry = "da_reduce";
    v.macros = {
        std::string("REDUCTION=") + c.row.function, std::string("IN=") + dtype_row(dtype).stored,
        std::string("WIDE=") + dtype_row(dtype).wide,
        std::string("OUT=") + dtype_row(c.output().dtype).stored, "PASS=" + std::to_string(pass)};
    if (ordered) v.macros.push_back("DA_ORDERED=1");
    if (!ordered && c.output().dtype != DA_BOOL) v.macros.push_back("DA_ARITHMETIC=1");
}

da_status launch(const Call& c, const Layout& l, unsigned pass, void* out, const void* in,
                 std::uint64_t length) {
    const Key key = Key(family_reduce)
                        .add(c.call.op, 8)
                        .add(c.input(0).dtype, 4)
                        .add(c.output().dtype, 4)
                        .add(pass, 2);
    Handle function = nullptr;
    if (const da_status status =
            c.kernel(key, &function, [&](Variant& v) { describe(c, pass, v); }))
        return status;
    Geometry kept = l.parts.rest, reduced = l.parts.axes;
    View kept_in = kept.view[0], kept_out = kept.view[1], reduced_in = reduced.view[0];
    std::uint64_t outputs = kept.count, chunk = l.chunk;
    std::uint32_t width = l.width, columns = l.columns;
    unsigned chunks = l.chunks;
    if (pass == 2) { // the parts lie output by output
        reduced.shape.rank = 1;
        reduced.shape.size[0] = static_cast<std::int64_t>(length);
        reduced_in.stride[0] = 1;
        std::int64_t step = static_cast<std::int64_t>(length);
        for (int d = kept.shape.rank - 1; d >= 0; --d) {
            kept_in.stride[d] = step;
            step *= kept.shape.size[d];
        }
        width = threads / power_of_two(length, threads);
        columns = 0;
        chunk = length;
        chunks = 1;
    }
    void* arguments[] = {&out,     &in,         &outputs, &length,   &chunk,         &width,
                         &columns, &kept.shape, &kept_in, &kept_out, &reduced.shape, &reduced_in};
    const auto blocks = static_cast<unsigned>((outputs + width - 1) / width);
    return c.launch(function, Grid{{blocks, chunks, 1}, threads, 0}, arguments);
}

} // namespace

da_status reduce_workspace(const Call& c, std::uint64_t* bytes) {
    const Layout l = layout_of(c);
    if (l.chunks > 1) *bytes = l.parts.rest.count * l.chunks * accumulator_bytes(c);
    return DA_OK;
}

da_status run_reduce(const Call& c) {
    const Layout l = layout_of(c);
    const void* x = c.input(0).data;
    if (l.chunks == 1) return launch(c, l, 0, c.output().data, x, l.parts.axes.count);
    if (const da_status status = launch(c, l, 1, c.workspace, x, l.parts.axes.count)) return status;
    return launch(c, l, 2, c.output().data, c.workspace, l.chunks);
}

} // namespace device_api::simt
