// SPDX-License-Identifier: Apache-2.0
// Elementwise work: rows are cut into blocks that fit the first-level cache; operands that are not
// dense, or of another type than the loop's, pass through buffers of one block.
#include "ops/map.hpp"

#include <algorithm>

#include "pool.hpp"

namespace device_api::cpu {
namespace {

constexpr int64_t kBlock = 512;

struct Job {
    const Kernels* kernels;
    const MapSteps* steps;
    Nest nest; // operand 0 is the output
    char* data[kMaxOperands];
    int width[kMaxOperands];
    bool stream;
    bool buffered;  // some operand passes through a buffer
    int64_t length; // of a row
};

struct Buffers {
    alignas(64) char in[3][kBlock * 8];
    alignas(64) char raw[kBlock * 8];
    alignas(64) char out[kBlock * 8];
};

void compute(const MapSteps& steps, int64_t n, void* out, const void* const* in) {
    switch (steps.inputs) {
    case 1: steps.compute1(size_t(n), out, in[0]); break;
    case 2: steps.compute2(size_t(n), out, in[0], in[1]); break;
    default: steps.compute3(size_t(n), out, in[0], in[1], in[2]); break;
    }
}

// Dense elements of one input, in the loop's type: in place where possible.
const void* fetch(const Job& job, int i, const char* p, int64_t n, bool filled, Buffers& b) {
    const int operand = i + 1, width = job.width[operand];
    const int64_t stride = job.nest.rank ? job.nest.stride[job.nest.rank - 1][operand] : 1;
    const Map1 load = job.steps->load[i];
    char* buffer = b.in[i];
    if (stride == 1 || (n == 1 && stride != 0)) {
        if (!load) return p;
        load(size_t(n), buffer, p);
    } else if (stride == 0) {
        if (filled) return buffer;
        job.kernels->splat[width](size_t(n), load ? b.raw : buffer, p);
        if (load) load(size_t(n), buffer, b.raw);
    } else {
        job.kernels->gather[width](size_t(n), load ? b.raw : buffer, p, stride);
        if (load) load(size_t(n), buffer, b.raw);
    }
    return buffer;
}

// The results of one block to where they belong.
void deliver(const Job& job, char* target, int64_t n, Buffers& b) {
    const int width = job.width[0];
    const int64_t stride = job.nest.rank ? job.nest.stride[job.nest.rank - 1][0] : 1;
    const char* results = b.out;
    if (job.steps->store) {
        if (stride == 1 && !job.stream) {
            job.steps->store(size_t(n), target, b.out);
            return;
        }
        job.steps->store(size_t(n), b.raw, b.out);
        results = b.raw;
    }
    if (stride != 1)
        job.kernels->scatter[width](size_t(n), target, stride, results);
    else
        job.kernels->stream_copy(target, results, size_t(n << width));
}

// Elements first .. first + n - 1 of the row that starts at the given offsets.
void run_row(const Job& job, const int64_t* offsets, int64_t first, int64_t n, Buffers& b) {
    const int inner = job.nest.rank - 1;
    const int operands = job.steps->inputs + 1;
    char* p[kMaxOperands];
    int64_t step[kMaxOperands]; // bytes from element to element
    for (int i = 0; i < operands; ++i) {
        const int64_t stride = inner >= 0 ? job.nest.stride[inner][i] : 1;
        step[i] = stride * (int64_t(1) << job.width[i]);
        p[i] = job.data[i] + offsets[i] * (int64_t(1) << job.width[i]) + first * step[i];
    }
    const bool direct = !job.steps->store && !job.stream &&
                        step[0] == (int64_t(1) << job.width[0]);
    const int64_t block = job.buffered ? kBlock : n;
    int64_t filled = 0;
    for (int64_t done = 0; done < n; done += block) {
        const int64_t m = std::min(block, n - done);
        const void* in[3];
        for (int i = 0; i < operands - 1; ++i)
            in[i] = fetch(job, i, p[i + 1] + done * step[i + 1], m, filled >= m, b);
        filled = std::max(filled, m);
        char* target = p[0] + done * step[0];
        compute(*job.steps, m, direct ? target : b.out, in);
        if (!direct) deliver(job, target, m, b);
    }
}

// Elements begin .. end - 1 in the nest's order.
void run_range(const Job& job, int64_t begin, int64_t end) {
    Buffers buffers;
    const int depth = std::max(job.nest.rank - 1, 0);
    Walk walk(job.nest, depth, begin / job.length);
    int64_t first = begin % job.length;
    while (begin < end) {
        const int64_t n = std::min(job.length - first, end - begin);
        run_row(job, walk.offsets(), first, n, buffers);
        begin += n;
        first = 0;
        if (begin < end) walk.next();
    }
    if (job.stream) stream_fence();
}

bool needs_buffers(const Job& job) {
    if (job.stream || job.steps->store) return true;
    for (int i = 0; i < job.steps->inputs; ++i)
        if (job.steps->load[i]) return true;
    for (int i = 0; i <= job.steps->inputs; ++i)
        if (job.nest.rank && job.nest.stride[job.nest.rank - 1][i] != 1) return true;
    return false;
}

bool wants_stream(const Job& job, int64_t n) {
    bool apart = (n << job.width[0]) >= kStreamBytes && job.length * 8 >= kBlock;
    for (int i = 1; i <= job.steps->inputs; ++i) apart = apart && job.data[i] != job.data[0];
    return apart && job.nest.rank && job.nest.stride[job.nest.rank - 1][0] == 1;
}

} // namespace

void map(const dab_instance* self, const MapSteps& steps, const da_tensor* const* tensors) {
    Job job;
    job.kernels = self->kernels;
    job.steps = &steps;
    job.nest = nest_of(tensors, steps.inputs + 1);
    for (int i = 0; i <= steps.inputs; ++i) {
        job.data[i] = static_cast<char*>(tensors[i]->data);
        job.width[i] = kWidth[tensors[i]->dtype];
    }
    job.length = job.nest.rank ? job.nest.shape[job.nest.rank - 1] : 1;
    const int64_t n = job.nest.elements();
    if (n == 0) return;
    job.stream = wants_stream(job, n);
    job.buffered = needs_buffers(job);
    const int64_t chunk = steps.costly ? kParallelElementsCostly : kParallelElements / 2;
    if (n < 2 * chunk || self->threads == 1) {
        run_range(job, 0, n);
        return;
    }
    auto body = [&](int64_t c) { run_range(job, c * chunk, std::min(n, (c + 1) * chunk)); };
    parallel(self->threads, (n + chunk - 1) / chunk, body);
}

} // namespace device_api::cpu
