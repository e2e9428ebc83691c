// SPDX-License-Identifier: Apache-2.0
// Reductions over any set of axes.
//
// Two ways through memory. By rows: the reduced dimension is the dense one (or the long one), each
// output is the reduction of whole rows. By columns: many outputs lie side by side and rows are
// added to them. The split into chunks depends on the shape only, never on the number of threads.
#include "ops/reduce.hpp"

#include <algorithm>
#include <cstring>

#include "ops/map.hpp"
#include "pool.hpp"

namespace device_api::cpu {
namespace {

constexpr int64_t kBuffer = 4096;
constexpr int64_t kMaxPartials = 1024; // tasks for one output
constexpr int64_t kTile = 512;         // outputs side by side
constexpr int64_t kShortRow = 32;

using Job = ReduceJob;
using Acc = Accumulator;

void combine(const Job& job, Acc* acc, const Acc& x) {
    if (job.how == kMax || job.how == kMin)
        job.columns(1, 1, acc, &x, 1, false);
    else if (job.floating())
        acc->f = job.how == kSum ? acc->f + x.f : acc->f * x.f;
    else
        acc->u = job.how == kSum ? acc->u + x.u : acc->u * x.u;
}

// Dense accumulators to elements of the output.
void finish(const Job& job, int64_t n, const void* acc, int64_t out_offset, int64_t out_stride) {
    const Kernels& k = *job.self->kernels;
    const int width = kWidth[job.out_type];
    char converted[kTile * 8];
    float middle[kTile];
    const void* dense = converted;
    const bool half = is_half(job.out_type);
    if (job.doubles() && half) {
        k.to_odd[DA_FLOAT64](size_t(n), middle, acc);
        k.convert[DA_FLOAT32][job.out_type](size_t(n), converted, middle);
    } else if (job.doubles() && job.type == DA_FLOAT32) {
        k.convert[DA_FLOAT64][DA_FLOAT32](size_t(n), converted, acc);
    } else if (half) {
        k.convert[DA_FLOAT32][job.out_type](size_t(n), converted, acc);
    } else {
        dense = acc;
    }
    k.scatter[width](size_t(n), job.out + out_offset * (int64_t(1) << width), out_stride, dense);
}

// Reduces a stretch of one row.
void reduce_stretch(const Job& job, const char* p, int64_t n, int64_t stride, Acc* acc,
                    bool first) {
    const Kernels& k = *job.self->kernels;
    alignas(64) char raw[kBuffer * 16];
    alignas(64) char buffer[kBuffer * 4];
    const bool direct = stride == 1 && !job.load;
    const int64_t block = direct ? n : kBuffer;
    for (int64_t i = 0; i < n; i += block) {
        const size_t m = size_t(std::min(block, n - i));
        const void* dense = p + i * stride * (int64_t(1) << job.width);
        if (stride != 1) {
            k.gather[job.width](m, raw, dense, stride);
            dense = raw;
        }
        if (job.load) {
            job.load(m, buffer, dense);
            dense = buffer;
        }
        Acc part = {};
        job.row(m, &part, dense);
        if (first && i == 0)
            *acc = part;
        else
            combine(job, acc, part);
    }
}

// Reduces elements begin .. end - 1 of the reduced nest for the output whose input is at `offset`.
Acc reduce_range(const Job& job, int64_t offset, int64_t begin, int64_t end) {
    const int64_t length = job.length(), step = job.step();
    Walk walk(job.reduced, std::max(job.reduced.rank - 1, 0), begin / length);
    int64_t skip = begin % length;
    Acc acc = {};
    for (bool first = true; begin < end; first = false) {
        const int64_t n = std::min(length - skip, end - begin);
        reduce_stretch(job, job.at(offset + walk.offset(0) + skip * step), n, step, &acc, first);
        begin += n;
        skip = 0;
        if (begin < end) walk.next();
    }
    return acc;
}

// Few outputs of many elements: tasks are parts of one output.
void by_long_rows(const Job& job, int64_t outputs, int64_t count) {
    int64_t chunk = std::max(kReducePart, (count + kMaxPartials - 1) / kMaxPartials);
    chunk = (chunk + kBuffer - 1) / kBuffer * kBuffer;
    const int64_t parts = (count + chunk - 1) / chunk;
    Acc partial[kMaxPartials];
    Walk walk(job.kept, job.kept.rank, 0);
    for (int64_t o = 0; o < outputs; ++o) {
        auto body = [&](int64_t c) {
            partial[c] =
                reduce_range(job, walk.offset(0), c * chunk, std::min(count, (c + 1) * chunk));
        };
        parallel(job.self->threads, parts, body);
        for (int64_t width = 1; width < parts; width *= 2) // in pairs
            for (int64_t i = 0; i + width < parts; i += 2 * width)
                combine(job, &partial[i], partial[i + width]);
        finish(job, 1, &partial[0], walk.offset(1), 1);
        if (o + 1 < outputs) walk.next();
    }
}

// Tasks are groups of outputs.
void by_rows(const Job& job, int64_t outputs, int64_t count) {
    const int64_t group = std::max<int64_t>(1, (1 << 16) / count);
    auto body = [&](int64_t g) {
        Walk walk(job.kept, job.kept.rank, g * group);
        const int64_t end = std::min(outputs, (g + 1) * group);
        for (int64_t o = g * group; o < end; ++o) {
            const Acc acc = reduce_range(job, walk.offset(0), 0, count);
            finish(job, 1, &acc, walk.offset(1), 1);
            if (o + 1 < end) walk.next();
        }
    };
    const bool large = outputs * count >= kParallelElements;
    parallel(large ? job.self->threads : 1, (outputs + group - 1) / group, body);
}

// Adds rows to a tile of outputs; columns that are not dense, or of another type, are fetched.
void reduce_tile(const Job& job, int64_t offset, int64_t columns, int64_t column_stride,
                 void* acc) {
    const Kernels& k = *job.self->kernels;
    const int64_t rows = job.length(), row_stride = job.step();
    const int64_t walks = job.reduced.elements() / rows;
    Walk walk(job.reduced, std::max(job.reduced.rank - 1, 0), 0);
    alignas(64) char raw[kTile * 16];
    alignas(64) char fetched[kTile * 8];
    for (int64_t w = 0; w < walks; ++w) {
        const int64_t start = offset + walk.offset(0);
        if (column_stride == 1 && !job.load) {
            job.columns(rows, columns, acc, job.at(start), row_stride, w == 0);
        } else {
            for (int64_t r = 0; r < rows; ++r) {
                const void* dense = job.at(start + r * row_stride);
                if (column_stride != 1) {
                    k.gather[job.width](size_t(columns), raw, dense, column_stride);
                    dense = raw;
                }
                if (job.load) {
                    job.load(size_t(columns), fetched, dense);
                    dense = fetched;
                }
                job.columns(1, columns, acc, dense, columns, w == 0 && r == 0);
            }
        }
        if (w + 1 < walks) walk.next();
    }
}

void by_columns(const Job& job, int64_t outputs, int64_t count) {
    const int inner = job.kept.rank - 1;
    const int64_t length = job.kept.shape[inner];
    const int64_t tiles = (length + kTile - 1) / kTile;
    auto body = [&](int64_t task) {
        alignas(64) char acc[kTile * 8];
        const Walk walk(job.kept, inner, task / tiles);
        const int64_t first = task % tiles * kTile, n = std::min(kTile, length - first);
        const int64_t* stride = job.kept.stride[inner];
        reduce_tile(job, walk.offset(0) + first * stride[0], n, stride[0], acc);
        finish(job, n, acc, walk.offset(1) + first * stride[1], stride[1]);
    };
    const bool large = outputs * count >= kParallelElements;
    parallel(large ? job.self->threads : 1, outputs / length * tiles, body);
}

bool prefers_columns(const Job& job) {
    if (job.kept.rank == 0) return false;
    if (job.reduced.rank == 0) return true;
    const int64_t across = job.kept.shape[job.kept.rank - 1];
    const int64_t row = std::abs(job.step());
    const int64_t column = std::abs(job.kept.stride[job.kept.rank - 1][0]);
    return (column < row && across >= 4) || (job.length() < kShortRow && across > job.length());
}

void split_axes(const da_tensor& in, const da_tensor& out, uint64_t mask, Job* job) {
    job->kept.operands = 2;
    job->reduced.operands = 1;
    const bool keeps = out.rank == in.rank; // reduced dimensions kept as 1
    for (int d = 0, o = 0; d < in.rank; ++d) {
        const bool reduced = mask >> d & 1;
        if (reduced) {
            job->reduced.push(in.shape[d], &in.strides[d]);
        } else {
            const int64_t strides[] = {in.strides[d], out.strides[keeps ? d : o]};
            job->kept.push(in.shape[d], strides);
        }
        o += !reduced;
    }
    job->kept.sort();
    job->kept.merge();
    job->reduced.sort();
    job->reduced.merge();
}

} // namespace

ReduceJob reduce_job(const dab_instance* self, Reduction how, unsigned type, const da_tensor& in,
                     const da_tensor& out, uint64_t axes) {
    ReduceJob job;
    job.self = self;
    job.how = how;
    job.type = type;
    job.out_type = out.dtype;
    job.row = self->kernels->reduce_row[how][type];
    job.columns = self->kernels->reduce_columns[how][type];
    job.width = kWidth[in.dtype];
    job.in = static_cast<const char*>(in.data);
    job.out = static_cast<char*>(out.data);
    split_axes(in, out, axes, &job);
    return job;
}

da_status reduce(ReduceJob& job) {
    const int64_t outputs = job.kept.elements(), count = job.reduced.elements();
    if (outputs == 0) return DA_OK;
    if (count == 0)
        return fail(DA_INVALID_ARGUMENT, "the host handles empty tensors itself",
                    "reduction over no elements");
    if (prefers_columns(job))
        by_columns(job, outputs, count);
    else if (count >= 2 * kReducePart)
        by_long_rows(job, outputs, count);
    else
        by_rows(job, outputs, count);
    return DA_OK;
}

} // namespace device_api::cpu
