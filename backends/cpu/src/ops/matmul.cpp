// SPDX-License-Identifier: Apache-2.0
// Batched matrix product: small ones by the level's own loops, large floating ones by BLAS.
#include <algorithm>
#include <memory>
#include <new>

#include "blas.hpp"
#include "ops/map.hpp"
#include "ops/ops.hpp"
#include "ops/temporary.hpp"
#include "pool.hpp"

namespace device_api::cpu {
namespace {

constexpr int64_t kSmallWork = 16 * 16 * 16; // multiplications that are quicker without BLAS
constexpr int64_t kPanel = 4096;             // bytes of a small matrix that is packed on the stack
constexpr int64_t kStrip = 32;               // columns of a large matrix packed together
constexpr int64_t kParallelWork = 1 << 20;   // multiplications
constexpr int64_t kBand = 128;               // rows or columns of one task
constexpr int64_t kMaxSize = 0x7fffffff;     // of BLAS arguments

// One matrix, strides in elements.
struct Matrix {
    const char* data;
    int64_t row, column;
};

struct Job {
    dab_instance* self;
    unsigned type;
    int width;
    int64_t m, n, k;
    Nest batch;     // operands: out, a, b
    Matrix a, b, c; // of the first product of the batch
    bool small;     // packed on the stack where need be
    bool blas;

    const char* shift(const char* p, int64_t offset) const {
        return p + offset * (int64_t(1) << width);
    }
    bool floating() const { return type == DA_FLOAT32 || type == DA_FLOAT64; }
};

// Whether BLAS can read it: one stride 1, the other at least the other extent.
bool blas_layout(const Matrix& x, int64_t rows, int64_t columns) {
    const bool plain = (x.column == 1 || columns == 1) && (x.row >= columns || rows == 1);
    const bool turned = (x.row == 1 || rows == 1) && (x.column >= rows || columns == 1);
    return plain || turned;
}

void by_blas(const Job& job, const Matrix& a, const Matrix& b, const Matrix& c) {
    Product p;
    p.m = job.m, p.n = job.n, p.k = job.k;
    const auto layout = [](const Matrix& x, int64_t rows, int64_t columns, bool* turned) {
        *turned = !((x.column == 1 || columns == 1) && (x.row >= columns || rows == 1));
        const int64_t stride = *turned ? x.column : x.row;
        return std::max({stride, *turned ? rows : columns, int64_t(1)});
    };
    p.a = a.data, p.b = b.data, p.c = const_cast<char*>(c.data);
    p.lda = layout(a, job.m, job.k, &p.a_transposed);
    p.ldb = layout(b, job.k, job.n, &p.b_transposed);
    p.ldc = std::max(c.row, job.n);
    if (job.type == DA_FLOAT32)
        job.self->blas->multiply_float(p);
    else
        job.self->blas->multiply_double(p);
}

// The level's own loop, which wants dense rows of b: strips of b are packed, those of a small
// product where they are not dense, those of a large one always, to lie together in memory.
void by_loop(const Job& job, const Matrix& a, const Matrix& b, const Matrix& c) {
    const Kernels& k = *job.self->kernels;
    const SmallMatmul loop = k.matmul[job.type];
    char* out = const_cast<char*>(c.data);
    alignas(64) char on_stack[kPanel];
    std::unique_ptr<char[]> on_heap;
    char* panel = on_stack;
    int64_t strip = std::max<int64_t>(1, (kPanel >> job.width) / job.k);
    bool direct = b.column == 1 || job.n == 1;
    if (!job.small && job.n > kStrip) {
        on_heap.reset(new (std::nothrow) char[size_t(job.k * kStrip) << job.width]);
        panel = on_heap.get();
        strip = kStrip;
        direct = !panel; // the rows are dense
    }
    if (direct) {
        loop(job.m, job.n, job.k, a.data, a.row, a.column, b.data, b.row, out, c.row);
        return;
    }
    for (int64_t j = 0; j < job.n; j += strip) {
        const int64_t n = std::min(strip, job.n - j);
        for (int64_t p = 0; p < job.k; ++p)
            k.gather[job.width](size_t(n), panel + ((p * n) << job.width),
                                job.shift(b.data, p * b.row + j * b.column), b.column);
        loop(job.m, n, job.k, a.data, a.row, a.column, panel, n, out + (j << job.width), c.row);
    }
}

// One product, or a band of it.
void multiply(const Job& job, const Matrix& a, const Matrix& b, const Matrix& c) {
    (job.blas ? by_blas : by_loop)(job, a, b, c);
}

// Task `band` of one product: some rows, or some columns, whichever there are more of.
void multiply_band(const Job& whole, const int64_t* offsets, int64_t band, int64_t bands) {
    Job job = whole;
    Matrix c = job.c, a = job.a, b = job.b;
    c.data = job.shift(c.data, offsets[0]);
    a.data = job.shift(a.data, offsets[1]);
    b.data = job.shift(b.data, offsets[2]);
    const bool by_rows = job.m >= job.n;
    const int64_t extent = by_rows ? job.m : job.n;
    int64_t size = (extent + bands - 1) / bands;
    size = (size + 31) / 32 * 32;
    const int64_t first = std::min(extent, band * size), end = std::min(extent, first + size);
    if (first >= end) return;
    if (by_rows) {
        job.m = end - first;
        a.data = job.shift(a.data, first * a.row);
        c.data = job.shift(c.data, first * c.row);
    } else {
        job.n = end - first;
        b.data = job.shift(b.data, first * b.column);
        c.data = job.shift(c.data, first);
    }
    multiply(job, a, b, c);
}

void multiply_all(const Job& job) {
    const int64_t batches = job.batch.elements();
    const int64_t work = job.m * job.n * job.k;
    if (batches == 1 && work < kParallelWork) {
        multiply(job, job.a, job.b, job.c);
        return;
    }
    const bool split = work >= kParallelWork && batches < 16;
    const int64_t bands = split ? std::clamp<int64_t>(std::max(job.m, job.n) / kBand, 1, 16) : 1;
    const int64_t group = std::max<int64_t>(1, kParallelWork / 4 / std::max<int64_t>(work, 1));
    const int64_t tasks = batches * bands;
    auto body = [&](int64_t g) {
        const int64_t end = std::min(tasks, (g + 1) * group);
        for (int64_t task = g * group; task < end; ++task) {
            const Walk walk(job.batch, job.batch.rank, task / bands);
            multiply_band(job, walk.offsets(), task % bands, bands);
        }
    };
    const bool large = work * batches >= kParallelWork;
    parallel(large ? job.self->threads : 1, (tasks + group - 1) / group, body);
}

Matrix last_two(const da_tensor& t) {
    return {static_cast<const char*>(t.data), t.strides[t.rank - 2], t.strides[t.rank - 1]};
}

// Batch strides of an operand whose leading dimensions broadcast to the output's.
int64_t batch_stride(const da_tensor& t, const da_tensor& out, int d) {
    const int own = d - (out.rank - t.rank);
    return own < 0 || t.shape[own] == 1 ? 0 : t.strides[own];
}

void describe(const da_tensor& a, const da_tensor& b, const da_tensor& out, Job* job) {
    job->a = last_two(a);
    job->b = last_two(b);
    job->c = last_two(out);
    job->batch = Nest();
    job->batch.operands = 3;
    for (int d = 0; d < out.rank - 2; ++d) {
        const int64_t strides[] = {out.strides[d], batch_stride(a, out, d),
                                   batch_stride(b, out, d)};
        job->batch.push(out.shape[d], strides);
    }
    job->batch.merge();
}

da_status zero_fill(dab_instance* self, const dab_call* call) {
    const da_value zero = {};
    dab_call fill = *call;
    fill.tensors = &call->tensors[2];
    fill.attributes = &zero;
    return run_fill(self, &fill);
}

// Through dense temporaries of the loops' type, for those operands that need one.
da_status with_temporaries(dab_instance* self, const da_tensor* t, Job* job, const bool* needs) {
    Temporary copies[3];
    const da_tensor* used[3];
    for (int i = 0; i < 3; ++i) {
        used[i] = needs[i] ? &copies[i].tensor() : &t[i];
        if (!needs[i]) continue;
        // The matrices themselves are dense: the loops take no row or column that repeats.
        const int repeating = i < 2 ? t[i].rank - 2 : 0;
        if (!copies[i].allocate(t[i], job->type, repeating))
            return Temporary::out_of_memory("matmul");
        if (i < 2) convert_tensor(self, t[i], copies[i].tensor());
    }
    describe(*used[0], *used[1], *used[2], job);
    multiply_all(*job);
    return needs[2] ? convert_tensor(self, copies[2].tensor(), t[2]) : DA_OK;
}

} // namespace

da_status run_matmul(dab_instance* self, const dab_call* call) {
    const da_tensor* t = call->tensors;
    if (t[0].dtype >= kTypes || t[0].dtype == DA_BOOL) return unsupported(call);
    if (t[0].rank < 2 || t[1].rank < 2 || t[2].rank < 2)
        return fail(DA_INVALID_ARGUMENT, "pass matrices, or stacks of them",
                    "matmul: operands of rank %d and %d", int(t[0].rank), int(t[1].rank));
    if (t[0].dtype == DA_COMPLEX64 || t[0].dtype == DA_COMPLEX128)
        return run_matmul_complex(self, call);
    Job job;
    job.self = self;
    job.type = is_half(t[0].dtype) ? unsigned(DA_FLOAT32) : t[0].dtype;
    job.width = kWidth[job.type];
    job.m = t[2].shape[t[2].rank - 2];
    job.n = t[2].shape[t[2].rank - 1];
    job.k = t[0].shape[t[0].rank - 1];
    if (job.k == 0) return zero_fill(self, call);
    describe(t[0], t[1], t[2], &job);
    const bool half = is_half(t[0].dtype);
    job.small = job.m * job.n * job.k <= kSmallWork && job.k <= (kPanel >> job.width);
    job.blas = job.floating() && !job.small && std::max({job.m, job.n, job.k}) < kMaxSize &&
               self->blas->available();
    const bool dense_out = (job.c.column == 1 || job.n == 1) && (job.c.row >= job.n || job.m == 1);
    const bool needs[3] = {
        half || (job.blas && !blas_layout(job.a, job.m, job.k)),
        half || (job.blas ? !blas_layout(job.b, job.k, job.n) : !(job.small || job.b.column == 1)),
        half || !dense_out};
    if (needs[0] || needs[1] || needs[2]) return with_temporaries(self, t, &job, needs);
    multiply_all(job);
    return DA_OK;
}

} // namespace device_api::cpu
