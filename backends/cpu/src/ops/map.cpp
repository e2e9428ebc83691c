// SPDX-License-Identifier: Apache-2.0
// Elementwise work: rows are cut into blocks that fit the first-level cache; operands that are not
// dense, or of another type than the loop's, pass through buffers of one block.
#include "ops/map.hpp"

#include <algorithm>

#include "ops/temporary.hpp"
#include "pool.hpp"

namespace device_api::cpu {
namespace {

constexpr int64_t kBlock = 512;
constexpr int64_t kShortRow = 16;    // shorter rows are joined with the next dimension
constexpr int64_t kTurned = 1 << 16; // elements from which a transposed input is copied first

// The innermost dimension makes a row; when it is short and the output is dense, the innermost
// two do, and an input then has two strides along the row.
struct Job {
    const Kernels* kernels;
    const MapSteps* steps;
    Nest nest; // operand 0 is the output
    char* data[kMaxOperands];
    int width[kMaxOperands];
    int64_t inner[kMaxOperands]; // stride inside a piece of a row
    int64_t outer[kMaxOperands]; // stride from piece to piece
    int64_t piece;               // elements; equal to `length` when a row is one piece
    int64_t length;              // of a row
    int depth;                   // dimensions outside the row
    bool stream;
    bool buffered; // some operand passes through a buffer

    bool dense(int i) const { return inner[i] == 1 && (piece == length || outer[i] == piece); }
    bool repeats(int i) const { return inner[i] == 0 && (piece == length || outer[i] == 0); }
    char* at(int i, int64_t offset) const { return data[i] + offset * (int64_t(1) << width[i]); }
};

struct Buffers {
    alignas(64) char in[3][kBlock * 16];
    alignas(64) char raw[kBlock * 16];
    alignas(64) char out[kBlock * 16];
};

void compute(const Job& job, int64_t n, void* out, const void* const* in) {
    const MapSteps& steps = *job.steps;
    const bool past_caches = job.stream && !job.buffered;
    if (steps.compute_attributes) {
        steps.compute_attributes(size_t(n), out, in[0], steps.attributes);
        return;
    }
    switch (steps.inputs) {
    case 1: (past_caches ? steps.stream1 : steps.compute1)(size_t(n), out, in[0]); break;
    case 2: (past_caches ? steps.stream2 : steps.compute2)(size_t(n), out, in[0], in[1]); break;
    default:
        (past_caches ? steps.stream3 : steps.compute3)(size_t(n), out, in[0], in[1], in[2]);
        break;
    }
}

// Elements first .. first + n - 1 of a row of input `i`, gathered piece by piece.
void gather(const Job& job, int i, int64_t offset, int64_t first, int64_t n, char* out) {
    const Gather loop = job.kernels->gather[job.width[i]];
    int64_t inside = first % job.piece;
    const char* p = job.at(i, offset + first / job.piece * job.outer[i]);
    while (n > 0) {
        const int64_t m = std::min(job.piece - inside, n);
        loop(size_t(m), out, p + inside * job.inner[i] * (int64_t(1) << job.width[i]),
             job.inner[i]);
        out += m << job.width[i];
        p += job.outer[i] * (int64_t(1) << job.width[i]);
        n -= m;
        inside = 0;
    }
}

// Asks for the bytes that large sequential work will read some blocks later, into the second-level
// cache.
void fetch_ahead(const void* p, int64_t bytes) {
    for (int64_t i = 0; i < bytes; i += 64)
        __builtin_prefetch(static_cast<const char*>(p) + 16384 + i, 0, 2);
}

// Dense elements of one input, in the loop's type: in place where possible. `filled` tells that
// the buffer holds as many elements of the block before, which began at the same place in a piece.
const void* fetch(const Job& job, int i, int64_t offset, int64_t first, int64_t n, bool filled,
                  Buffers& b) {
    const int operand = i + 1;
    const Map1 load = job.steps->load[i];
    char* buffer = b.in[i];
    const void* source = load ? b.raw : buffer;
    if (job.dense(operand)) {
        source = job.at(operand, offset + first);
        if (job.stream) fetch_ahead(source, n << job.width[operand]);
        if (!load) return source;
    } else if (job.repeats(operand)) {
        if (filled) return buffer;
        job.kernels->splat[job.width[operand]](size_t(n), load ? b.raw : buffer,
                                               job.at(operand, offset));
    } else {
        const bool periodic = job.piece != job.length && job.outer[operand] == 0;
        if (filled && periodic) return buffer;
        gather(job, operand, offset, first, n, load ? b.raw : buffer);
    }
    if (load) load(size_t(n), buffer, source);
    return buffer;
}

// The results of one block to where they belong.
void deliver(const Job& job, char* target, int64_t n, Buffers& b) {
    const char* results = b.out;
    const bool dense = job.dense(0);
    if (job.steps->store) {
        if (dense && !job.stream) {
            job.steps->store(size_t(n), target, b.out);
            return;
        }
        job.steps->store(size_t(n), b.raw, b.out);
        results = b.raw;
    }
    if (dense)
        job.kernels->stream_copy(target, results, size_t(n << job.width[0]));
    else
        job.kernels->scatter[job.width[0]](size_t(n), target, job.inner[0], results);
}

// Elements first .. first + n - 1 of the row that starts at the given offsets.
void run_row(const Job& job, const int64_t* offsets, int64_t first, int64_t n, Buffers& b) {
    const int inputs = job.steps->inputs;
    const void* in[3];
    if (!job.buffered) {
        for (int i = 0; i < inputs; ++i) in[i] = job.at(i + 1, offsets[i + 1] + first);
        compute(job, n, job.at(0, offsets[0] + first), in);
        return;
    }
    const bool direct = job.dense(0) && !job.steps->store && !job.stream;
    const int64_t block = job.piece <= kBlock ? kBlock / job.piece * job.piece : kBlock;
    int64_t filled = 0;
    for (int64_t done = 0; done < n; done += block) {
        const int64_t m = std::min(block, n - done), at = first + done;
        for (int i = 0; i < inputs; ++i)
            in[i] = fetch(job, i, offsets[i + 1], at, m, filled >= m, b);
        filled = std::max(filled, m);
        char* target = job.at(0, offsets[0] + at * job.inner[0]);
        compute(job, m, direct ? target : b.out, in);
        if (!direct) deliver(job, target, m, b);
    }
}

// Elements begin .. end - 1 in the nest's order.
void run_range(const Job& job, int64_t begin, int64_t end) {
    Buffers buffers;
    Walk walk(job.nest, job.depth, begin / job.length);
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
    const bool can_stream = job.steps->stream1 || job.steps->stream2 || job.steps->stream3;
    if ((job.stream && !can_stream) || job.steps->store || !job.dense(0)) return true;
    for (int i = 0; i < job.steps->inputs; ++i)
        if (job.steps->load[i] || !job.dense(i + 1)) return true;
    return false;
}

bool wants_stream(const Job& job, int64_t n) {
    bool apart = (n << job.width[0]) >= kStreamBytes && job.length >= kBlock / 8;
    for (int i = 1; i <= job.steps->inputs; ++i) apart = apart && job.data[i] != job.data[0];
    return apart && job.dense(0);
}

void choose_rows(Job* job) {
    const Nest& nest = job->nest;
    const int last = nest.rank - 1, operands = job->steps->inputs + 1;
    job->length = job->piece = nest.rank ? nest.shape[last] : 1;
    job->depth = std::max(last, 0);
    for (int i = 0; i < operands; ++i) {
        job->inner[i] = nest.rank ? nest.stride[last][i] : 1;
        job->outer[i] = 0;
    }
    if (nest.rank < 2 || job->piece >= kShortRow || job->inner[0] != 1 ||
        nest.stride[last - 1][0] != job->piece)
        return;
    job->length *= nest.shape[last - 1];
    job->depth = last - 1;
    for (int i = 0; i < operands; ++i) job->outer[i] = nest.stride[last - 1][i];
}

// An input that is dense along another dimension than the output is slow to gather: one element
// of each cache line. A transposing copy costs less.
bool is_turned(const Nest& nest, int operand) {
    const int last = nest.rank - 1;
    if (nest.rank < 2 || nest.stride[last][operand] == 0 || nest.stride[last][operand] == 1 ||
        nest.stride[last][0] != 1 || nest.shape[last] < kShortRow)
        return false;
    for (int d = 0; d < last; ++d)
        if (nest.stride[d][operand] == 1 && nest.shape[d] >= kShortRow) return true;
    return false;
}

} // namespace

void map(dab_instance* self, const MapSteps& steps, const da_tensor* const* tensors) {
    Job job;
    job.kernels = self->kernels;
    job.steps = &steps;
    job.nest = nest_of(tensors, steps.inputs + 1);
    const int64_t n = job.nest.elements();
    if (n == 0) return;
    for (int i = 1; n >= kTurned && i <= steps.inputs; ++i) {
        Temporary copy;
        if (!is_turned(job.nest, i) ||
            !copy.allocate(*tensors[i], tensors[i]->dtype, tensors[i]->rank, tensors[0]))
            continue;
        convert_tensor(self, *tensors[i], copy.tensor());
        const da_tensor* dense[kMaxOperands];
        std::copy(tensors, tensors + steps.inputs + 1, dense);
        dense[i] = &copy.tensor();
        map(self, steps, dense); // with one turned input less
        return;
    }
    for (int i = 0; i <= steps.inputs; ++i) {
        job.data[i] = static_cast<char*>(tensors[i]->data);
        job.width[i] = kWidth[tensors[i]->dtype];
    }
    choose_rows(&job);
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
