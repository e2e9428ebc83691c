// SPDX-License-Identifier: Apache-2.0
// Sorting: tiles in shared memory, then merges between two buffers of the workspace.
#include <algorithm>

#include "lines.hpp"
#include "structured.hpp"

namespace device_api::simt {
namespace {

constexpr unsigned threads = 256;
constexpr std::uint64_t tile = 512; // as in sort.inc

struct Buffers {
    void* keys[2];
    void* places[2];
};

unsigned key_bytes(unsigned dtype) {
    return dtype_row(dtype).bytes;
}

Buffers buffers_of(const Call& c, std::uint64_t count) {
    Buffers b;
    char* at = static_cast<char*>(c.workspace);
    for (int i = 0; i < 2; ++i) {
        b.keys[i] = at;
        at += rounded(count * key_bytes(c.input(0).dtype));
        b.places[i] = at;
        at += rounded(count * 4);
    }
    return b;
}

da_status kernel(const Call& c, unsigned step, Handle* function) {
    const unsigned dtype = c.input(0).dtype, result = c.output().dtype;
    Key key(family_sort);
    key.add(step, 3).add(dtype, 4).add(result, 4);
    return c.kernel(key, function, [&](Variant& v) {
        v.files = {"sort.inc"};
        v.entry = "da_sort";
        v.macros = {std::string("IN=") + dtype_row(dtype).stored,
                    std::string("KEY=") + raw_name(key_bytes(dtype)),
                    std::string("OUT=") + dtype_row(result).stored, "STEP=" + std::to_string(step)};
    });
}

da_status sort_tiles(const Call& c, const Geometry& rest, std::int64_t axis, std::uint32_t length,
                     bool descending, void* keys, void* places) {
    Handle function = nullptr;
    if (const da_status status = kernel(c, 1, &function)) return status;
    Geometry g = rest;
    void* in = c.input(0).data;
    std::uint32_t down = descending;
    std::int64_t step = step_of(c.input(0), axis);
    void* arguments[] = {&keys, &places, &in,      &g.count,  &length,
                         &down, &step,   &g.shape, &g.view[1]};
    const std::uint64_t blocks = g.count * ((length + tile - 1) / tile);
    return c.launch(function, Grid{{static_cast<unsigned>(blocks), 1, 1}, threads, 0}, arguments);
}

da_status merge_runs(const Call& c, std::uint64_t count, std::uint32_t length, std::uint32_t run,
                     const Buffers& b, int from) {
    Handle function = nullptr;
    if (const da_status status = kernel(c, 2, &function)) return status;
    void *keys = b.keys[from], *places = b.places[from];
    void *to_keys = b.keys[1 - from], *to_places = b.places[1 - from];
    void* arguments[] = {&to_keys, &to_places, &keys, &places, &count, &length, &run};
    const unsigned blocks = blocks_for(c.device.chip, count, threads, threads);
    return c.launch(function, Grid{{blocks, 1, 1}, threads, 0}, arguments);
}

da_status write(const Call& c, const Geometry& rest, std::int64_t axis, std::uint32_t length,
                void* places) {
    Handle function = nullptr;
    if (const da_status status = kernel(c, c.call.op == DA_OP_SORT ? 3 : 4, &function))
        return status;
    Geometry g = rest;
    void *out = c.output().data, *in = c.input(0).data;
    auto kept = static_cast<std::uint32_t>(c.output().shape[axis]);
    std::uint64_t count = g.count * kept;
    std::int64_t to = step_of(c.output(), axis), from = step_of(c.input(0), axis);
    void* arguments[] = {&out, &in,   &places,  &count,     &kept,     &length,
                         &to,  &from, &g.shape, &g.view[0], &g.view[1]};
    const unsigned blocks = blocks_for(c.device.chip, count, threads, threads);
    return c.launch(function, Grid{{blocks, 1, 1}, threads, 0}, arguments);
}

da_status check_length(std::uint64_t length, std::uint64_t lines) {
    if (length < (1u << 30) && lines * ((length + tile - 1) / tile) < (1u << 31)) return DA_OK;
    return fail(DA_NOT_SUPPORTED, nullptr, "lines of more than 2^30 elements are not sorted");
}

} // namespace

da_status sort_workspace(const Call& c, std::uint64_t* bytes) {
    const std::uint64_t count = count_of(c.input(0));
    const auto length = static_cast<std::uint64_t>(c.input(0).shape[axis_of(c, 0)]);
    if (const da_status status = check_length(length, count / length)) return status;
    *bytes = 2 * (rounded(count * key_bytes(c.input(0).dtype)) + rounded(count * 4));
    return DA_OK;
}

da_status run_sort(const Call& c) {
    const std::int64_t axis = axis_of(c, 0);
    const std::int64_t* strides[] = {c.output().strides, c.input(0).strides};
    const Split parts = split(c.input(0), std::uint64_t(1) << axis, strides, 2);
    const auto length = static_cast<std::uint32_t>(c.input(0).shape[axis]);
    const bool descending =
        (c.call.op == DA_OP_TOPK) ? c.attribute(1).u == 0 : c.attribute(1).u != 0;
    const std::uint64_t count = parts.rest.count * length;
    const Buffers b = buffers_of(c, count);
    if (const da_status status =
            sort_tiles(c, parts.rest, axis, length, descending, b.keys[0], b.places[0]))
        return status;
    int now = 0;
    for (std::uint64_t run = tile; run < length; run *= 2, now = 1 - now)
        if (const da_status status =
                merge_runs(c, count, length, static_cast<std::uint32_t>(run), b, now))
            return status;
    return write(c, parts.rest, axis, length, b.places[now]);
}

da_status run_search(const Call& c) {
    const da_tensor &x = c.input(0), &values = c.input(1), &out = c.output();
    const std::int64_t* strides[] = {out.strides, values.strides};
    Geometry g = merge(out.shape, static_cast<unsigned>(out.rank), strides, 2);
    Handle function = nullptr;
    if (const da_status status =
            c.kernel(Key(family_search).add(x.dtype, 4), &function, [&](Variant& v) {
                v.files = {"search.inc"};
                v.entry = "da_search";
                v.macros = {std::string("IN=") + dtype_row(x.dtype).stored};
            }))
        return status;
    void *o = out.data, *in = x.data, *from = values.data;
    auto length = static_cast<std::uint64_t>(x.shape[0]);
    std::int64_t step = x.strides[0];
    std::uint32_t right = c.attribute(0).u != 0;
    void* arguments[] = {&o,    &in,    &from,    &g.count,   &length,
                         &step, &right, &g.shape, &g.view[0], &g.view[1]};
    const unsigned blocks = blocks_for(c.device.chip, g.count, threads, threads);
    return c.launch(function, Grid{{blocks, 1, 1}, threads, 0}, arguments);
}

} // namespace device_api::simt
