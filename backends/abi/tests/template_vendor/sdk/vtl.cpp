// SPDX-License-Identifier: Apache-2.0
// Mock vendor SDK: implementation. Device memory is ordinary memory; work is queued on streams.
#include <cstdlib>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <vector>

#include "vtl/api.h"
#include "vtl/runtime.h"

namespace {

struct Stream {
    std::vector<std::function<void()>> pending;
};

void enqueue(void* stream, std::function<void()> work) {
    static_cast<Stream*>(stream)->pending.push_back(std::move(work));
}

} // namespace

extern "C" {
VTL_API int vtl_set_device(int device) {
    return device == 0 ? 0 : -1;
}

VTL_API int vtl_device_count(int* count) {
    *count = 1;
    return 0;
}

VTL_API int vtl_malloc(void** ptr, size_t bytes) {
    if (bytes == 0) return -1; // real runtimes refuse it too
    *ptr = std::malloc(bytes);
    return *ptr ? 0 : -2;
}

VTL_API int vtl_free(void* ptr) {
    std::free(ptr);
    return 0;
}

VTL_API int vtl_memcpy(void* dst, const void* src, size_t bytes) {
    std::memcpy(dst, src, bytes);
    return 0;
}

VTL_API int vtl_stream_create(void** stream) {
    *stream = new Stream;
    return 0;
}

VTL_API int vtl_stream_destroy(void* stream) {
    delete static_cast<Stream*>(stream);
    return 0;
}

VTL_API int vtl_memcpy_async(void* dst, const void* src, size_t bytes, void* stream) {
    enqueue(stream, [=] { std::memcpy(dst, src, bytes); });
    return 0;
}

VTL_API int vtl_wait(void* stream) {
    auto work = std::move(static_cast<Stream*>(stream)->pending);
    static_cast<Stream*>(stream)->pending.clear();
    for (auto& item : work) item();
    return 0;
}
}

namespace vtl {
namespace api {

int Context::set_scratch(void* block, size_t bytes) {
    scratch_ = block;
    scratch_bytes_ = bytes;
    return SUCCESS;
}

int Context::set_ncluster(int n) {
    if (n < 1) return INVALID_PARAM;
    ncluster_ = n;
    return SUCCESS;
}

Context* create_context() {
    return new Context;
}
void destroy_context(Context* ctx) {
    delete ctx;
}

template <typename T>
int add(Context* ctx, const T* x, const T* y, T* z, VTL_DIM n) {
    if (n <= 0) return INVALID_PARAM;
    enqueue(ctx->stream, [=] {
        for (VTL_DIM i = 0; i < n; ++i) z[i] = x[i] + y[i];
    });
    return SUCCESS;
}

template <typename T>
int add(Context* ctx, const T* x, T value, T* z, VTL_DIM n) {
    if (n <= 0) return INVALID_PARAM;
    enqueue(ctx->stream, [=] {
        for (VTL_DIM i = 0; i < n; ++i) z[i] = x[i] + value;
    });
    return SUCCESS;
}

template <typename T>
int broadcast_add(Context* ctx, const T* x, const T* y, T* z, const std::vector<VTL_DIM>& xs,
                  const std::vector<VTL_DIM>& ys) {
    if (xs.empty() || xs.size() != ys.size()) return INVALID_PARAM;
    std::vector<int64_t> out(xs.size()), sx(xs.size()), sy(xs.size());
    int64_t nx = 1, ny = 1, n = 1;
    for (size_t d = xs.size(); d-- > 0;) {
        if (xs[d] <= 0 || ys[d] <= 0) return INVALID_PARAM;
        if (xs[d] != ys[d] && xs[d] != 1 && ys[d] != 1)
            throw std::invalid_argument("broadcast_add: shapes do not match");
        out[d] = xs[d] > ys[d] ? xs[d] : ys[d];
        sx[d] = xs[d] == 1 ? 0 : nx;
        sy[d] = ys[d] == 1 ? 0 : ny;
        nx *= xs[d];
        ny *= ys[d];
        n *= out[d];
    }
    enqueue(ctx->stream, [=] {
        for (int64_t i = 0; i < n; ++i) {
            int64_t rest = i, ix = 0, iy = 0;
            for (size_t d = out.size(); d-- > 0; rest /= out[d]) {
                ix += rest % out[d] * sx[d];
                iy += rest % out[d] * sy[d];
            }
            z[i] = x[ix] + y[iy];
        }
    });
    return SUCCESS;
}

template <typename T>
int constant(Context* ctx, T* y, VTL_DIM n, T value) {
    if (n <= 0) return INVALID_PARAM;
    enqueue(ctx->stream, [=] {
        for (VTL_DIM i = 0; i < n; ++i) y[i] = value;
    });
    return SUCCESS;
}

template <typename TX, typename TW, typename TY, typename TGEMM>
int fc(Context* ctx, const TX* x, const TW* w, TY* y, VTL_DIM m, VTL_DIM n, VTL_DIM k, bool xt,
       bool wt, const float*, const float*, float*, float alpha, float beta, const TY* bias,
       Activation_t act) {
    if (m <= 0 || n <= 0 || k <= 0) return INVALID_PARAM;
    auto* packed = static_cast<TGEMM*>(ctx->scratch());
    if (ctx->scratch_bytes() < sizeof(TGEMM) * n * k) return NO_ENOUGH_WORKSPACE;
    enqueue(ctx->stream, [=] {
        for (VTL_DIM j = 0; j < n; ++j)
            for (VTL_DIM p = 0; p < k; ++p)
                packed[j * k + p] = static_cast<TGEMM>(wt ? w[j * k + p] : w[p * n + j]);
        for (VTL_DIM i = 0; i < m; ++i)
            for (VTL_DIM j = 0; j < n; ++j) {
                TGEMM sum = 0;
                for (VTL_DIM p = 0; p < k; ++p)
                    sum += static_cast<TGEMM>(xt ? x[p * m + i] : x[i * k + p]) * packed[j * k + p];
                TY v = static_cast<TY>(alpha * sum + (beta != 0 ? beta * y[i * n + j] : 0));
                if (bias) v += bias[j];
                y[i * n + j] = act == RELU && v < 0 ? 0 : v;
            }
    });
    return SUCCESS;
}

#define VTL_INSTANTIATE(T)                                                                         \
    template VTL_API int add<T>(Context*, const T*, const T*, T*, VTL_DIM);                        \
    template VTL_API int add<T>(Context*, const T*, T, T*, VTL_DIM);                               \
    template VTL_API int broadcast_add<T>(Context*, const T*, const T*, T*,                        \
                                          const std::vector<VTL_DIM>&,                             \
                                          const std::vector<VTL_DIM>&);                            \
    template VTL_API int constant<T>(Context*, T*, VTL_DIM, T);
VTL_INSTANTIATE(float)
VTL_INSTANTIATE(int32_t)
VTL_INSTANTIATE(int64_t)
template VTL_API int fc<float, float, float, float>(Context*, const float*, const float*, float*,
                                                    VTL_DIM, VTL_DIM, VTL_DIM, bool, bool,
                                                    const float*, const float*, float*, float,
                                                    float, const float*, Activation_t);

} // namespace api
} // namespace vtl
