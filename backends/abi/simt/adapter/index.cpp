// SPDX-License-Identifier: Apache-2.0
// take_along_axis, put_along_axis, index_accumulate. The two that write go by way of the workspace:
// which update comes last, or sums in the wide type.
#include "lines.hpp"
#include "structured.hpp"

namespace device_api::simt {
namespace {

constexpr unsigned threads = 256;

enum Step : unsigned { take = 1, mark, settle, begin, accumulate, finish };

const char* wide_name(unsigned dtype) {
    const Dtype& row = dtype_row(dtype);
    return row.wide;
}

unsigned wide_bytes(unsigned dtype) {
    return in(half_types, dtype) ? 4 : dtype_row(dtype).bytes;
}

// Steps that only move take any type of the size; the others the type itself.
da_status kernel(const Call& c, Step step, Handle* function) {
    const unsigned dtype = c.output().dtype, index = c.input(1).dtype;
    const bool moves = step <= settle, complex = in(complex_types, dtype);
    Key key(family_index);
    key.add(step, 3).add(index, 4).add(moves, 1).add(moves ? dtype_row(dtype).bytes : dtype, 5);
    return c.kernel(key, function, [&](Variant& v) {
        v.files = {complex ? "complex.inc" : "arithmetic.inc", "index.inc"};
        v.entry = "da_index";
        v.macros = {std::string("IN=") +
                        (moves ? raw_name(dtype_row(dtype).bytes) : dtype_row(dtype).stored),
                    std::string("WIDE=") + wide_name(dtype),
                    std::string("INDEX=") + dtype_row(index).stored,
                    "STEP=" + std::to_string(step)};
    });
}

da_status start(const Call& c, Step step, std::uint64_t count, void** arguments) {
    Handle function = nullptr;
    if (const da_status status = kernel(c, step, &function)) return status;
    const unsigned blocks = blocks_for(c.device.chip, count, threads, threads);
    return c.launch(function, Grid{{blocks, 1, 1}, threads, 0}, arguments);
}

// Strides of an array of this shape that lies dense in the workspace.
struct Dense {
    std::int64_t stride[most_dims];
    explicit Dense(const da_tensor& t) {
        std::int64_t step = 1;
        for (int d = t.rank - 1; d >= 0; --d) {
            stride[d] = step;
            step *= t.shape[d];
        }
    }
};

// Strides without those of the axis.
struct Without {
    std::int64_t stride[most_dims];
    Without(const std::int64_t* from, int rank, std::int64_t axis) {
        for (int d = 0; d < rank; ++d) stride[d] = d == axis ? 0 : from[d];
    }
};

da_status check_axis(std::uint64_t size) {
    if (size < 0xffffffffu) return DA_OK;
    return fail(DA_NOT_SUPPORTED, nullptr, "more than 2^32 updates along one axis");
}

} // namespace

da_status run_take(const Call& c) {
    const da_tensor &x = c.input(0), &indices = c.input(1), &out = c.output();
    const std::int64_t axis = axis_of(c, 0);
    const Without line(x.strides, x.rank, axis);
    const std::int64_t* strides[] = {out.strides, line.stride, indices.strides};
    Geometry g = merge(out.shape, static_cast<unsigned>(out.rank), strides, 3);
    void *o = out.data, *from = x.data, *at = indices.data;
    std::int64_t step = step_of(x, axis);
    void* arguments[] = {&o,       &from,      &at,        &g.count,  &step,
                         &g.shape, &g.view[0], &g.view[1], &g.view[2]};
    return start(c, take, g.count, arguments);
}

da_status put_workspace(const Call& c, std::uint64_t* bytes) {
    *bytes = count_of(c.output()) * 4;
    return check_axis(static_cast<std::uint64_t>(c.input(1).shape[axis_of(c, 0)]));
}

da_status run_put(const Call& c) {
    const da_tensor &x = c.input(0), &indices = c.input(1), &updates = c.input(2);
    const da_tensor& out = c.output();
    const std::int64_t axis = axis_of(c, 0);
    const Dense place(out);
    void* last = c.workspace;
    const std::uint64_t count = count_of(out);
    if (const da_status status = c.self.parts.driver->fill(last, 0, count * 4, c.call.stream->raw))
        return status;
    { // positions of the updates in the order that has the axis last
        const Without line(place.stride, out.rank, axis);
        std::int64_t shape[most_dims], at[most_dims], to[most_dims];
        unsigned n = 0;
        for (int d = 0; d < out.rank; ++d) {
            if (d == axis) continue;
            shape[n] = indices.shape[d];
            at[n] = indices.strides[d];
            to[n++] = line.stride[d];
        }
        shape[n] = indices.shape[axis];
        at[n] = step_of(indices, axis);
        to[n++] = 0;
        const std::int64_t* strides[] = {at, to};
        Geometry g = merge_in_order(shape, n, strides, 2);
        void* from = indices.data;
        auto size = static_cast<std::uint64_t>(indices.shape[axis]);
        std::int64_t step = place.stride[axis];
        void* arguments[] = {&last, &from,    &g.count,   &size,
                             &step, &g.shape, &g.view[0], &g.view[1]};
        if (const da_status status = start(c, mark, g.count, arguments)) return status;
    }
    const Without line(updates.strides, updates.rank, axis);
    const std::int64_t* strides[] = {out.strides, x.strides, line.stride};
    Geometry g = merge_in_order(out.shape, static_cast<unsigned>(out.rank), strides, 3);
    void *o = out.data, *from = x.data, *u = updates.data;
    std::int64_t step = step_of(updates, axis);
    void* arguments[] = {&o,    &from,    &u,         &last,      &g.count,
                         &step, &g.shape, &g.view[0], &g.view[1], &g.view[2]};
    return start(c, settle, g.count, arguments);
}

da_status accumulate_workspace(const Call& c, std::uint64_t* bytes) {
    *bytes = count_of(c.output()) * wide_bytes(c.output().dtype);
    return DA_OK;
}

da_status run_accumulate(const Call& c) {
    const da_tensor &x = c.input(0), &indices = c.input(1), &updates = c.input(2);
    const da_tensor& out = c.output();
    const std::int64_t axis = axis_of(c, 0);
    const Dense place(out);
    void* sums = c.workspace;
    {
        const std::int64_t* strides[] = {x.strides};
        Geometry g = merge_in_order(x.shape, static_cast<unsigned>(x.rank), strides, 1);
        void* from = x.data;
        void* arguments[] = {&sums, &from, &g.count, &g.shape, &g.view[0]};
        if (const da_status status = start(c, begin, g.count, arguments)) return status;
    }
    {
        const std::int64_t* strides[] = {place.stride, indices.strides, updates.strides};
        Split parts = split(indices, std::uint64_t(1) << axis, strides, 3);
        Geometry& g = parts.rest;
        void *at = indices.data, *u = updates.data;
        auto size = static_cast<std::uint64_t>(indices.shape[axis]);
        std::int64_t place_step = place.stride[axis], index_step = step_of(indices, axis),
                     update_step = step_of(updates, axis);
        void* arguments[] = {&sums,    &at,         &u,          &g.count,
                             &size,    &place_step, &index_step, &update_step,
                             &g.shape, &g.view[0],  &g.view[1],  &g.view[2]};
        if (const da_status status = start(c, accumulate, g.count, arguments)) return status;
    }
    const std::int64_t* strides[] = {out.strides};
    Geometry g = merge_in_order(out.shape, static_cast<unsigned>(out.rank), strides, 1);
    void* o = out.data;
    void* arguments[] = {&o, &sums, &g.count, &g.shape, &g.view[0]};
    return start(c, finish, g.count, arguments);
}

} // namespace device_api::simt
