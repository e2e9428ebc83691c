// SPDX-License-Identifier: Apache-2.0
// A backend for the core's tests: memory with a limit, counted calls, and ops to order.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "device_api/backend.h"

namespace mock {

// What the tests set and read.
struct State {
    uint64_t limit = 64 << 20;
    uint64_t used = 0;
    std::map<void*, uint64_t> memory;
    int allocs = 0, frees = 0, synchronised = 0, resets = 0, streams = 0;
    int planned = 0, launched = 0, abandoned = 0;
    uint64_t workspace = 0;
    std::vector<dab_op> ops;
    std::vector<dab_call> calls;
    std::vector<std::vector<int64_t>> shapes, strides; // of the last call's operands
    da_status next = DA_OK;                            // what the next op returns
    da_status last = DA_OK;                            // the last failure
    bool events = false;
    uint16_t refused = 0;  // an op that does not support any combination
    int64_t attribute = 0; // the last call's first one
};
inline State state;

inline da_status create(const dab_config*, dab_instance** self) {
    *self = reinterpret_cast<dab_instance*>(&state);
    return DA_OK;
}
inline void last_error(dab_instance*, dab_error* error) {
    error->status = state.last;
    error->vendor_code = 77;
    std::snprintf(error->message, sizeof error->message, "the mock was told to fail");
}
inline da_status count(dab_instance*, int32_t* n) {
    *n = 2;
    return DA_OK;
}
inline da_status properties(dab_instance*, int32_t, dab_properties* p) {
    p->alignment = 512;
    p->total_memory = state.limit;
    std::snprintf(p->name, sizeof p->name, "mock");
    return DA_OK;
}
inline da_status alloc(dab_instance*, int32_t, uint64_t bytes, void** address) {
    if (state.used + bytes > state.limit) {
        state.last = DA_OUT_OF_MEMORY;
        return DA_OUT_OF_MEMORY;
    }
    *address = std::aligned_alloc(512, (bytes + 511) / 512 * 512);
    state.memory[*address] = bytes;
    state.used += bytes;
    ++state.allocs;
    return DA_OK;
}
inline da_status release(dab_instance*, int32_t, void* address) {
    auto found = state.memory.find(address);
    if (found == state.memory.end()) std::abort(); // freed twice, or never allocated
    state.used -= found->second;
    state.memory.erase(found);
    std::free(address);
    ++state.frees;
    return DA_OK;
}
inline da_status memory_info(dab_instance*, int32_t, uint64_t* free_bytes, uint64_t* total) {
    *free_bytes = state.limit - state.used;
    *total = state.limit;
    return DA_OK;
}
inline da_status reset(dab_instance*, int32_t) {
    if (state.next) return state.last = std::exchange(state.next, DA_OK);
    for (auto& [address, bytes] : state.memory) std::free(address);
    state.memory.clear(); // one that is freed later aborts
    state.used = 0;
    ++state.resets;
    return DA_OK;
}
inline da_status copy(dab_instance*, dab_stream, void* target, const void* source, uint64_t bytes,
                      dab_copy_kind) {
    std::memcpy(target, source, bytes);
    return DA_OK;
}
inline da_status stream_create(dab_instance*, int32_t, int32_t, dab_stream* stream) {
    *stream = reinterpret_cast<dab_stream>(new int);
    ++state.streams;
    return DA_OK;
}
inline da_status stream_destroy(dab_instance*, dab_stream stream) {
    delete reinterpret_cast<int*>(stream);
    --state.streams;
    return DA_OK;
}
inline da_status stream_synchronize(dab_instance*, dab_stream, int32_t) {
    ++state.synchronised;
    return DA_OK;
}

inline void note(const dab_call* call) {
    state.calls.push_back(*call);
    state.shapes.clear();
    state.strides.clear();
    for (int k = 0; k < call->n_inputs + call->n_outputs; ++k) {
        const da_tensor& t = call->tensors[k];
        const bool immediate = t.flags & DA_TENSOR_IMMEDIATE;
        state.shapes.emplace_back(t.shape, t.shape + (immediate ? 0 : t.rank));
        state.strides.emplace_back(t.strides, t.strides + (immediate ? 0 : t.rank));
    }
}

// float32 sums of operands of one shape; strides as they are.
inline void add_elements(const dab_call* call) {
    const da_tensor* t = call->tensors;
    int64_t n = 1;
    for (int i = 0; i < t[2].rank; ++i) n *= t[2].shape[i];
    auto at = [](const da_tensor& x, int64_t linear) {
        int64_t offset = 0;
        for (int i = x.rank - 1; i >= 0; --i) {
            offset += linear % x.shape[i] * x.strides[i];
            linear /= x.shape[i];
        }
        return static_cast<float*>(x.data) + offset;
    };
    for (int64_t i = 0; i < n; ++i) {
        const float a = *at(t[0], i);
        const float b =
            t[1].flags & DA_TENSOR_IMMEDIATE ? *static_cast<float*>(t[1].data) : *at(t[1], i);
        *at(t[2], i) = a + b;
    }
}
inline da_status run(dab_instance*, const dab_call* call) {
    if (state.next) return state.last = std::exchange(state.next, DA_OK);
    if (call->op == state.refused) return DA_NOT_SUPPORTED;
    note(call);
    if (call->attributes) state.attribute = call->attributes[0].i;
    if (call->op == DA_OP_ADD) add_elements(call);
    return DA_OK;
}
inline da_status plan(dab_instance*, const dab_call* call, dab_plan* out) {
    if (state.next) return state.last = std::exchange(state.next, DA_OK);
    note(call);
    out->workspace_bytes = state.workspace;
    ++state.planned;
    return DA_OK;
}
inline da_status launch(dab_instance*, const dab_call* call, dab_plan*, void* workspace) {
    ++state.launched;
    if (workspace) std::memset(workspace, 0xff, state.workspace);
    if (call->op == DA_OP_ADD) add_elements(call);
    return DA_OK;
}
inline void abandon(dab_instance*, dab_plan*) {
    ++state.abandoned;
}

inline da_status op_table(dab_instance*, int32_t, const dab_op** ops, uint32_t* n,
                          uint32_t* stride) {
    *ops = state.ops.data();
    *n = static_cast<uint32_t>(state.ops.size());
    *stride = sizeof(dab_op);
    return DA_OK;
}

inline dab_op one_call(uint16_t op, uint32_t flags, da_dtype_mask dtypes) {
    return {sizeof(dab_op), op, 1, flags, 0, dtypes, 0, run, nullptr, nullptr, nullptr};
}
inline dab_op two_phases(uint16_t op, uint32_t flags, da_dtype_mask dtypes) {
    return {sizeof(dab_op), op, 1, flags, 0, dtypes, 0, nullptr, plan, launch, abandon};
}

inline const dab_backend* table() {
    static const uint64_t hashes[DA_OP_COUNT + 1] = DA_OP_TABLE_HASHES;
    static dab_backend t{};
    t.size = sizeof t;
    t.abi_minor = DAB_ABI_MINOR;
    t.type = "mock";
    t.vendor = "nobody";
    t.version = "1";
    t.op_count = DA_OP_COUNT;
    t.op_hashes = hashes;
    t.create = create;
    t.last_error = last_error;
    t.device_count = count;
    t.device_properties = properties;
    t.device_reset = reset;
    t.alloc = alloc;
    t.free = release;
    t.memory_info = memory_info;
    t.copy = copy;
    t.stream_create = stream_create;
    t.stream_destroy = stream_destroy;
    t.stream_synchronize = stream_synchronize;
    t.op_table = op_table;
    return &t;
}

} // namespace mock
