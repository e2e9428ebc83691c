// SPDX-License-Identifier: Apache-2.0
// Index of the first largest, or smallest, element along one axis.
#include <algorithm>
#include <memory>
#include <new>

#include "ops/map.hpp"
#include "ops/structured.hpp"
#include "pool.hpp"

namespace device_api::cpu {
namespace {

constexpr int64_t kOnStack = 1024; // elements of the axis that are fetched without allocation

struct Job {
    const Kernels* kernels;
    Map1 load;
    int width;
    const char* in;
    int64_t length, stride; // of the axis
    ArgMax loop;
};

// `raw` and `loaded` have room for the whole axis.
int64_t index_at(const Job& job, int64_t offset, char* raw, char* loaded) {
    const void* dense = job.in + offset * (int64_t(1) << job.width);
    if (job.stride != 1) {
        job.kernels->gather[job.width](size_t(job.length), raw, dense, job.stride);
        dense = raw;
    }
    if (job.load) {
        job.load(size_t(job.length), loaded, dense);
        dense = loaded;
    }
    return job.loop(size_t(job.length), dense);
}

} // namespace

da_status run_arg_extreme(dab_instance* self, const dab_call* call) {
    const da_tensor &in = call->tensors[0], &out = call->tensors[1];
    const int64_t axis = call->attributes[DA_ARGMAX_AXIS].i;
    if (in.dtype > DA_FLOAT64 || in.dtype == DA_BOOL) return unsupported(call);
    if (axis < 0 || axis >= in.rank)
        return fail(DA_INVALID_ARGUMENT, "pass 0 <= axis < rank", "axis %lld of rank %d",
                    static_cast<long long>(axis), int(in.rank));
    const unsigned type = is_half(in.dtype) ? unsigned(DA_FLOAT32) : in.dtype;
    const Job job = {
        self->kernels,
        type == in.dtype ? nullptr : self->kernels->convert[in.dtype][type],
        kWidth[in.dtype],
        static_cast<const char*>(in.data),
        in.shape[axis],
        in.strides[axis],
        (call->op == DA_OP_ARGMAX ? self->kernels->argmax : self->kernels->argmin)[type]};
    Nest kept;
    kept.operands = 2;
    for (int d = 0, o = 0; d < in.rank; ++d) {
        if (d == axis && out.rank != in.rank) continue;
        const int64_t strides[] = {in.strides[d], out.strides[o++]};
        if (d != axis) kept.push(in.shape[d], strides);
    }
    kept.sort();
    kept.merge();
    const int64_t outputs = kept.elements();
    if (outputs == 0 || job.length == 0) return DA_OK;
    const int64_t group = std::max<int64_t>(1, (1 << 14) / job.length);
    auto work = [&](int64_t g, char* raw, char* loaded) {
        Walk walk(kept, kept.rank, g * group);
        const int64_t end = std::min(outputs, (g + 1) * group);
        for (int64_t o = g * group; o < end; ++o) {
            static_cast<int64_t*>(out.data)[walk.offset(1)] =
                index_at(job, walk.offset(0), raw, loaded);
            if (o + 1 < end) walk.next();
        }
    };
    const int64_t groups = (outputs + group - 1) / group;
    if (job.length > kOnStack && (job.stride != 1 || job.load)) {
        const std::unique_ptr<char[]> memory(new (std::nothrow) char[size_t(job.length) * 16]);
        if (!memory)
            return fail(DA_OUT_OF_MEMORY, "free memory", "no memory for a buffer of %lld bytes",
                        static_cast<long long>(job.length) * 16);
        for (int64_t g = 0; g < groups; ++g) work(g, memory.get(), memory.get() + job.length * 8);
        return DA_OK;
    }
    auto body = [&](int64_t g) {
        alignas(64) char buffers[2][kOnStack * 8];
        work(g, buffers[0], buffers[1]);
    };
    parallel(outputs * job.length < kParallelElements ? 1 : self->threads, groups, body);
    return DA_OK;
}

} // namespace device_api::cpu
