// SPDX-License-Identifier: Apache-2.0
// Copies between any two layouts: dense, rows, transposed in blocks, or element by element.
#include <algorithm>
#include <cstring>
#include <utility>

#include "ops/map.hpp"
#include "ops/ops.hpp"
#include "pool.hpp"

namespace device_api::cpu {
namespace {

constexpr int64_t kBuffer = 1024;
constexpr int64_t kBandRows = 256; // of a transposed matrix; one chunk of work

struct Copy {
    const Kernels* kernels;
    Nest nest; // operand 0 is the target
    char* target;
    const char* source;
    int width;
    bool stream;

    char* at_target(int64_t offset) const { return target + offset * (int64_t(1) << width); }
    const char* at_source(int64_t offset) const { return source + offset * (int64_t(1) << width); }
};

void copy_row(const Copy& job, int64_t to, int64_t from, int64_t n) {
    const int inner = job.nest.rank - 1;
    const int64_t ts = inner >= 0 ? job.nest.stride[inner][0] : 1;
    const int64_t ss = inner >= 0 ? job.nest.stride[inner][1] : 1;
    const Kernels& k = *job.kernels;
    char* target = job.at_target(to);
    const char* source = job.at_source(from);
    if (ts == 1 && ss == 1) {
        if (job.stream)
            k.stream_copy(target, source, size_t(n << job.width));
        else
            std::memcpy(target, source, size_t(n << job.width));
    } else if (ts == 1) {
        if (ss == 0)
            k.splat[job.width](size_t(n), target, source);
        else
            k.gather[job.width](size_t(n), target, source, ss);
    } else if (ss == 1) {
        k.scatter[job.width](size_t(n), target, ts, source);
    } else {
        alignas(64) char buffer[kBuffer * 16];
        for (int64_t i = 0; i < n; i += kBuffer) {
            const size_t m = size_t(std::min(kBuffer, n - i));
            k.gather[job.width](m, buffer, job.at_source(from + i * ss), ss);
            k.scatter[job.width](m, job.at_target(to + i * ts), ts, buffer);
        }
    }
}

void copy_range(const Copy& job, int64_t begin, int64_t end) {
    const int inner = job.nest.rank - 1;
    const int64_t length = inner >= 0 ? job.nest.shape[inner] : 1;
    Walk walk(job.nest, std::max(inner, 0), begin / length);
    int64_t first = begin % length;
    while (begin < end) {
        const int64_t n = std::min(length - first, end - begin);
        const int64_t ts = inner >= 0 ? job.nest.stride[inner][0] : 0;
        const int64_t ss = inner >= 0 ? job.nest.stride[inner][1] : 0;
        copy_row(job, walk.offset(0) + first * ts, walk.offset(1) + first * ss, n);
        begin += n;
        first = 0;
        if (begin < end) walk.next();
    }
    if (job.stream) stream_fence();
}

// Moves the dimension along which the source is dense next to the innermost one, along which the
// target is. False when there is no such pair.
bool find_transposed(Nest& nest) {
    const int inner = nest.rank - 1;
    if (nest.rank < 2 || nest.stride[inner][0] != 1 || nest.stride[inner][1] == 0 ||
        nest.stride[inner][1] == 1)
        return false;
    for (int d = 0; d < inner; ++d) {
        if (nest.stride[d][1] != 1 || nest.shape[d] < 4 || nest.shape[inner] < 4) continue;
        for (int e = d; e + 1 < inner; ++e) {
            std::swap(nest.shape[e], nest.shape[e + 1]);
            for (int i = 0; i < 2; ++i) std::swap(nest.stride[e][i], nest.stride[e + 1][i]);
        }
        return true;
    }
    return false;
}

void copy_transposed(const dab_instance* self, const Copy& job) {
    const Nest& nest = job.nest;
    const int inner = nest.rank - 1, across = nest.rank - 2;
    const int64_t rows = nest.shape[across], columns = nest.shape[inner];
    const int64_t bands = (rows + kBandRows - 1) / kBandRows;
    int64_t outer = 1;
    for (int d = 0; d < across; ++d) outer *= nest.shape[d];
    auto body = [&](int64_t chunk) {
        const Walk walk(nest, across, chunk / bands);
        const int64_t row = chunk % bands * kBandRows;
        job.kernels->transpose[job.width](
            job.at_target(walk.offset(0) + row * nest.stride[across][0]), nest.stride[across][0],
            job.at_source(walk.offset(1) + row), nest.stride[inner][1],
            std::min(kBandRows, rows - row), columns, job.stream);
        if (job.stream) stream_fence();
    };
    const bool large = outer * rows * columns >= kParallelElements;
    parallel(large ? self->threads : 1, outer * bands, body);
}

} // namespace

da_status run_copy(dab_instance* self, const dab_call* call) {
    const da_tensor &in = call->tensors[0], &out = call->tensors[1];
    if (in.dtype >= kTypes) return unsupported(call);
    const da_tensor* operands[] = {&out, &in};
    Copy job = {self->kernels,
                nest_of(operands, 2),
                static_cast<char*>(out.data),
                static_cast<const char*>(in.data),
                kWidth[in.dtype],
                false};
    const int64_t n = job.nest.elements();
    if (n == 0 || (in.data == out.data && in.rank == out.rank && job.nest.rank <= 1 &&
                   (job.nest.rank == 0 || job.nest.stride[0][0] == job.nest.stride[0][1])))
        return DA_OK;
    job.stream = (n << job.width) >= kStreamBytes;
    if (find_transposed(job.nest)) {
        copy_transposed(self, job);
        return DA_OK;
    }
    const int64_t chunk = kParallelElements;
    if (n < 2 * chunk || self->threads == 1) {
        copy_range(job, 0, n);
        return DA_OK;
    }
    auto body = [&](int64_t c) { copy_range(job, c * chunk, std::min(n, (c + 1) * chunk)); };
    parallel(self->threads, (n + chunk - 1) / chunk, body);
    return DA_OK;
}

} // namespace device_api::cpu
