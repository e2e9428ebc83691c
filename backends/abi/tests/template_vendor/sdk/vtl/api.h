// SPDX-License-Identifier: Apache-2.0
// Mock vendor SDK: a C++ template operator library, with the habits that make such libraries hard
// to reach from C: templates, overloads, default arguments, shape types that differ between SDK
// generations, exceptions, and a context object with public members and caller-owned scratch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#if defined(_WIN32)
#define VTL_API
#else
#define VTL_API __attribute__((visibility("default")))
#endif

namespace vtl {
namespace api {

// Second-generation headers say int64_t; the library is compiled to match its own headers.
#if defined(VTL_GENERATION) && VTL_GENERATION >= 2
#define VTL_DIM int64_t
#else
#define VTL_DIM int
#endif

enum Error_t {
    SUCCESS = 0,
    INVALID_PARAM = 1,
    RUNTIME_ERROR = 2,
    NO_ENOUGH_WORKSPACE = 3,
    NOT_IMPLEMENT = 4
};

enum Activation_t { LINEAR = 0, RELU = 1 };

class VTL_API Context {
  public:
    void* stream = nullptr; // written by the caller
    int set_scratch(void* block, size_t bytes);
    int set_ncluster(int n);
    void* scratch() const { return scratch_; }
    size_t scratch_bytes() const { return scratch_bytes_; }

  private:
    void* scratch_ = nullptr;
    size_t scratch_bytes_ = 0;
    int ncluster_ = 1;
};

VTL_API Context* create_context();
VTL_API void destroy_context(Context* ctx);

// Same-shape sum, and the overload that adds a scalar.
template <typename T>
VTL_API int add(Context* ctx, const T* x, const T* y, T* z, VTL_DIM n);
template <typename T>
VTL_API int add(Context* ctx, const T* x, T value, T* z, VTL_DIM n);

// Shapes by vector; rank 0 and zero sizes are refused (callers must guard). Throws
// std::invalid_argument when the shapes do not broadcast.
template <typename T>
VTL_API int broadcast_add(Context* ctx, const T* x, const T* y, T* z,
                          const std::vector<VTL_DIM>& x_shape, const std::vector<VTL_DIM>& y_shape);

// Output first, value last.
template <typename T>
VTL_API int constant(Context* ctx, T* y, VTL_DIM n, T value);

// Needs n * k * sizeof(TGEMM) bytes of scratch in the context.
template <typename TX, typename TW, typename TY, typename TGEMM>
VTL_API int fc(Context* ctx, const TX* x, const TW* w, TY* y, VTL_DIM m, VTL_DIM n, VTL_DIM k,
               bool x_trans, bool w_trans, const float* x_max = nullptr,
               const float* w_max = nullptr, float* y_max = nullptr, float alpha = 1.0f,
               float beta = 0.0f, const TY* bias = nullptr, Activation_t act = LINEAR);

} // namespace api
} // namespace vtl
