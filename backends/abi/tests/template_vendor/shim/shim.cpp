// SPDX-License-Identifier: Apache-2.0
// The shim: the one C++ source compiled against the SDK's headers, exporting plain C.
#include "shim.h"

#include <exception>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "vtl/api.h"

namespace api = vtl::api;

struct vsh_context {
    api::Context* vendor;
};

namespace {

// The size type is read off the installed header, not assumed.
template <typename Shape, typename = void>
struct takes : std::false_type {};
template <typename Shape>
struct takes<Shape, std::void_t<decltype(api::broadcast_add<float>(
                        nullptr, (const float*)nullptr, (const float*)nullptr, (float*)nullptr,
                        std::declval<const Shape&>(), std::declval<const Shape&>()))>>
    : std::true_type {};
using Dim = std::conditional_t<takes<std::vector<int64_t>>::value, int64_t, int>;
static_assert(takes<std::vector<Dim>>::value, "unknown shape type in this SDK");

thread_local std::string message;

int fail(int status, std::string text) {
    message = std::move(text);
    return status;
}

// By name: the numbers of the vendor's enum are read from its header.
int translate(int code) {
    switch (code) {
    case api::SUCCESS: return VSH_OK;
    case api::INVALID_PARAM: return fail(VSH_INVALID, "vendor: INVALID_PARAM");
    case api::NO_ENOUGH_WORKSPACE: return fail(VSH_NO_WORKSPACE, "vendor: NO_ENOUGH_WORKSPACE");
    case api::NOT_IMPLEMENT: return fail(VSH_NOT_SUPPORTED, "vendor: NOT_IMPLEMENT");
    default: return fail(VSH_RUNTIME, "vendor: error " + std::to_string(code));
    }
}

template <typename Call>
int guarded(Call call) {
    try {
        return translate(call());
    } catch (const std::exception& error) {
        return fail(VSH_INVALID, error.what());
    } catch (...) {
        return fail(VSH_RUNTIME, "the vendor library threw an unknown exception");
    }
}

bool narrow(const int64_t* from, int count, std::vector<Dim>& to) {
    for (int i = 0; i < count; ++i) {
        if (from[i] > std::numeric_limits<Dim>::max() || from[i] < 0) return false;
        to.push_back(static_cast<Dim>(from[i]));
    }
    if (to.empty()) to.push_back(1); // this library has no rank 0
    return true;
}

bool empty(const std::vector<Dim>& shape) {
    for (Dim d : shape)
        if (d == 0) return true;
    return false;
}

// Calls `body` with a null pointer of the element type that `dtype` names.
template <typename Body>
int with_type(int dtype, Body body) {
    switch (dtype) {
    case VSH_F32: return body(static_cast<float*>(nullptr));
    case VSH_I32: return body(static_cast<int32_t*>(nullptr));
    case VSH_I64: return body(static_cast<int64_t*>(nullptr));
    default: return fail(VSH_NOT_SUPPORTED, "dtype is not compiled into the shim");
    }
}

} // namespace

extern "C" {

int vsh_abi_version(void) {
    return VSH_ABI_VERSION;
}
int vsh_dim_bits(void) {
    return sizeof(Dim) * 8;
}
const char* vsh_last_message(void) {
    return message.c_str();
}

int vsh_supports(int op, int dtype) {
    static const bool table[3][3] = {{true, true, true}, {true, true, true}, {true, false, false}};
    return op >= 0 && op < 3 && dtype >= 0 && dtype < 3 && table[op][dtype];
}

int vsh_context_create(vsh_context** out) {
    return guarded([=] {
        *out = new vsh_context{api::create_context()};
        return api::SUCCESS;
    });
}

int vsh_context_destroy(vsh_context* ctx) {
    return guarded([=] {
        api::destroy_context(ctx->vendor);
        delete ctx;
        return api::SUCCESS;
    });
}

int vsh_context_bind(vsh_context* ctx, void* stream, void* scratch, size_t bytes) {
    return guarded([=] {
        ctx->vendor->stream = stream;
        return ctx->vendor->set_scratch(scratch, bytes);
    });
}

int vsh_add(vsh_context* ctx, int dtype, const void* x, const void* y, void* z,
            const int64_t* x_shape, const int64_t* y_shape, int rank) {
    std::vector<Dim> xs, ys;
    if (!narrow(x_shape, rank, xs) || !narrow(y_shape, rank, ys))
        return fail(VSH_RANGE, "a size does not fit this SDK's dimension type");
    if (empty(xs) || empty(ys)) return VSH_OK;
    return with_type(dtype, [&](auto* tag) {
        using T = std::remove_pointer_t<decltype(tag)>;
        return guarded([&] {
            return api::broadcast_add<T>(ctx->vendor, static_cast<const T*>(x),
                                         static_cast<const T*>(y), static_cast<T*>(z), xs, ys);
        });
    });
}

int vsh_fill(vsh_context* ctx, int dtype, void* y, int64_t n, const void* value) {
    std::vector<Dim> count;
    if (!narrow(&n, 1, count))
        return fail(VSH_RANGE, "the count does not fit this SDK's dimension type");
    if (n == 0) return VSH_OK;
    return with_type(dtype, [&](auto* tag) {
        using T = std::remove_pointer_t<decltype(tag)>;
        return guarded([&] {
            return api::constant<T>(ctx->vendor, static_cast<T*>(y), count[0],
                                    *static_cast<const T*>(value));
        });
    });
}

size_t vsh_fc_scratch(int dtype, int64_t, int64_t n, int64_t k) {
    return dtype == VSH_F32 ? static_cast<size_t>(n) * k * sizeof(float) : 0;
}

int vsh_fc(vsh_context* ctx, int dtype, const void* x, const void* w, void* y, int64_t m, int64_t n,
           int64_t k) {
    if (dtype != VSH_F32) return fail(VSH_NOT_SUPPORTED, "fc is compiled for float32 only");
    const int64_t sizes[3] = {m, n, k};
    std::vector<Dim> dims;
    if (!narrow(sizes, 3, dims))
        return fail(VSH_RANGE, "a size does not fit this SDK's dimension type");
    if (m == 0 || n == 0) return VSH_OK;
    return guarded([&] {
        return api::fc<float, float, float, float>(
            ctx->vendor, static_cast<const float*>(x), static_cast<const float*>(w),
            static_cast<float*>(y), dims[0], dims[1], dims[2], false, false);
    });
}
}
