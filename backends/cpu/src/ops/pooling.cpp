// SPDX-License-Identifier: Apache-2.0
// max_pool and avg_pool: a row of the output at a time; 16-bit floats by way of float32 copies.
#include <algorithm>
#include <limits>

#include "ops/map.hpp"
#include "ops/structured.hpp"
#include "ops/temporary.hpp"
#include "ops/window.hpp"
#include "pool.hpp"

namespace device_api::cpu {
namespace {

constexpr int64_t kTile = 512; // positions of a row that are worked on together

// Positions first <= p < end for which element w of the window lies inside the input.
void inside(const Slide& s, int64_t w, int64_t* first, int64_t* end) {
    const int64_t shift = w * s.dilation - s.pad;
    *first = std::max<int64_t>(Slide::up(-shift, s.stride), 0);
    *end = std::min(Slide::up(s.size - shift, s.stride), s.positions);
}

// Number of elements of the window at p that count for the mean.
int64_t counted(const Slide& s, int64_t p, bool with_pad) {
    const int64_t begin = p * s.stride - s.pad, margin = with_pad ? s.pad : 0;
    const int64_t end = std::min(begin + s.window, s.size + margin);
    return std::max<int64_t>(0, end - std::max(begin, -margin));
}

struct Largest {
    template <class T>
    using Accumulator = T;
    template <class T>
    static T start() {
        return -std::numeric_limits<T>::infinity();
    }
    template <class T>
    static T of(T acc, T x) {
        return x > acc || x != x ? x : acc;
    }
};
struct Total {
    template <class T>
    using Accumulator = double;
    template <class T>
    static double start() {
        return 0;
    }
    static double of(double acc, double x) { return acc + x; }
};

struct PoolJob {
    Images images;
    bool mean, with_pad;
    const void* in;
    void* out;
};

// Positions first .. first + n - 1 of one row.
template <class F, class T>
void row(const PoolJob& job, const T* x, T* y, int64_t d, int64_t h, int64_t first, int64_t n) {
    using A = typename F::template Accumulator<T>;
    const Slide *s = job.images.slide, &sw = s[2];
    A acc[kTile];
    std::fill(acc, acc + n, F::template start<T>());
    int64_t from[3], to[3]; // elements of the window
    s[0].inside(d, d, &from[0], &to[0]);
    s[1].inside(h, h, &from[1], &to[1]);
    sw.inside(first, first + n - 1, &from[2], &to[2]);
    for (int64_t wd = from[0]; wd < to[0]; ++wd) {
        const int64_t id = d * s[0].stride - s[0].pad + wd * s[0].dilation;
        for (int64_t wh = from[1]; wh < to[1]; ++wh) {
            const int64_t ih = h * s[1].stride - s[1].pad + wh * s[1].dilation;
            const T* line = x + id * s[0].in_step + ih * s[1].in_step;
            for (int64_t ww = from[2]; ww < to[2]; ++ww) {
                int64_t begin, end;
                inside(sw, ww, &begin, &end);
                begin = std::max(begin, first), end = std::min(end, first + n);
                if (begin >= end) continue;
                const int64_t step = end - begin > 1 ? sw.stride * sw.in_step : 0;
                const int64_t iw = begin * sw.stride - sw.pad + ww * sw.dilation;
                const T* at = line + iw * sw.in_step;
                for (int64_t i = 0; i < end - begin; ++i)
                    acc[begin - first + i] = F::of(acc[begin - first + i], A(at[i * step]));
            }
        }
    }
    const double rows =
        double(counted(s[0], d, job.with_pad)) * double(counted(s[1], h, job.with_pad));
    for (int64_t i = 0; i < n; ++i)
        y[(first + i) * sw.out_step] =
            T(job.mean ? acc[i] / A(rows * double(counted(sw, first + i, job.with_pad))) : acc[i]);
}

template <class F, class T>
void pool(const dab_instance* self, const PoolJob& job) {
    const Images& m = job.images;
    const Slide* s = m.slide;
    // Windows that miss much of the input together are worked on one by one.
    const int64_t tile = s[2].stride < s[2].size ? kTile : 1;
    auto body = [&](int64_t task) {
        const int64_t n = task / m.channels, c = task % m.channels;
        const T* x = static_cast<const T*>(job.in) + n * m.in_batch + c * m.in_channel;
        T* y = static_cast<T*>(job.out) + n * m.out_batch + c * m.out_channel;
        for (int64_t d = 0; d < s[0].positions; ++d)
            for (int64_t h = 0; h < s[1].positions; ++h)
                for (int64_t w = 0; w < s[2].positions; w += tile)
                    row<F, T>(job, x, y + d * s[0].out_step + h * s[1].out_step, d, h, w,
                              std::min(tile, s[2].positions - w));
    };
    const int64_t images = m.batch * m.channels;
    double work = double(images) * double(m.positions());
    for (int d = 0; d < 3; ++d) work *= double(std::min(s[d].window, s[d].size));
    const bool large = work >= double(kParallelElements);
    parallel(large ? self->threads : 1, images, body);
}

da_status run(dab_instance* self, PoolJob& job, const da_tensor& in, const da_tensor& out) {
    if (!describe_images(in, out, &job.images))
        return fail(DA_INVALID_ARGUMENT, "pass (N, C, 1 to 3 spatial dimensions)",
                    "pooling of a tensor of rank %d", int(in.rank));
    for (Slide& s : job.images.slide)
        if (!s.limit()) return windows_too_far("pooling");
    job.in = in.data;
    job.out = out.data;
    const bool wide = in.dtype == DA_FLOAT64;
    (job.mean ? (wide ? pool<Total, double> : pool<Total, float>)
              : (wide ? pool<Largest, double> : pool<Largest, float>))(self, job);
    return DA_OK;
}

} // namespace

da_status run_pool(dab_instance* self, const dab_call* call) {
    const da_tensor &in = call->tensors[0], &out = call->tensors[1];
    const da_value* a = call->attributes;
    if (in.dtype < DA_FLOAT16 || in.dtype > DA_FLOAT64) return unsupported(call);
    PoolJob job;
    job.mean = call->op == DA_OP_AVG_POOL;
    job.with_pad = job.mean && a[DA_AVG_POOL_COUNT_PAD].u != 0;
    for (int d = 0; d < 3; ++d) {
        Slide& s = job.images.slide[d];
        if (d < 5 - in.rank) continue;
        s.window = int64_t(a[DA_MAX_POOL_WINDOW_D + d].u);
        s.stride = int64_t(a[DA_MAX_POOL_STRIDE_D + d].u);
        s.pad = int64_t(a[DA_MAX_POOL_PAD_D + d].u);
        if (!job.mean) s.dilation = int64_t(a[DA_MAX_POOL_DILATION_D + d].u);
        if (s.window < 1 || s.stride < 1 || s.pad < 0 || s.dilation < 1)
            return fail(DA_INVALID_ARGUMENT, "pass windows, strides and dilations of 1 or more",
                        "pooling with a window, stride or dilation of 0");
    }
    if (!is_half(in.dtype)) return run(self, job, in, out);
    Temporary wide, result;
    if (!wide.allocate(in, DA_FLOAT32) || !result.allocate(out, DA_FLOAT32))
        return Temporary::out_of_memory("pooling");
    if (const da_status bad = convert_tensor(self, in, wide.tensor())) return bad;
    if (const da_status bad = run(self, job, wide.tensor(), result.tensor())) return bad;
    return convert_tensor(self, result.tensor(), out);
}

} // namespace device_api::cpu
