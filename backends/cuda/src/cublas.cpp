// SPDX-License-Identifier: Apache-2.0
// Matrix products. cuBLAS is column-major: a row-major C = A B is its C' = B' A'.
#include "cublas.hpp"

#include "search.hpp"

namespace device_api::cuda {
namespace {

constexpr const char* remedy_memory = "cuBLAS needs some memory of its own: free arrays or the "
                                      "allocator's cache";

constexpr simt::CodeRow rows[] = {
    {1, DA_INTERNAL, "not initialised", nullptr},
    {3, DA_OUT_OF_MEMORY, "out of memory", remedy_memory},
    {7, DA_INVALID_ARGUMENT, "invalid value", nullptr},
    {8, DA_NOT_SUPPORTED, "this chip lacks a feature that it needs", nullptr},
    {11, DA_INTERNAL, "memory could not be mapped", nullptr},
    {13, DA_INTERNAL, "the product failed on the device", nullptr},
    {14, DA_INTERNAL, "failure inside the library", nullptr},
    {15, DA_NOT_SUPPORTED, "not supported", nullptr},
};
constexpr simt::CodeTable table{"cuBLAS", rows, sizeof rows / sizeof rows[0]};

struct Type {
    da_dtype dtype;
    cudaDataType data;
    cublasComputeType_t compute;
};
// 16-bit floats are summed in float; float is multiplied exactly, never by way of shorter types.
constexpr Type types[] = {
    {DA_FLOAT16, CUDA_R_16F, CUBLAS_COMPUTE_32F},   {DA_BFLOAT16, CUDA_R_16BF, CUBLAS_COMPUTE_32F},
    {DA_FLOAT32, CUDA_R_32F, CUBLAS_COMPUTE_32F},   {DA_FLOAT64, CUDA_R_64F, CUBLAS_COMPUTE_64F},
    {DA_COMPLEX64, CUDA_C_32F, CUBLAS_COMPUTE_32F}, {DA_COMPLEX128, CUDA_C_64F, CUBLAS_COMPUTE_64F},
};

const Type& type_of(da_dtype dtype) {
    for (const Type& t : types)
        if (t.dtype == dtype) return t;
    return types[0];
}

// 1 and 0 in the type that alpha and beta have: float, double, or pairs of them.
struct Factors {
    float single[4] = {1, 0, 0, 0};
    double wide[4] = {1, 0, 0, 0};
    const void* one(da_dtype d) const {
        return d == DA_FLOAT64 || d == DA_COMPLEX128 ? static_cast<const void*>(wide) : single;
    }
    const void* zero(da_dtype d) const {
        return d == DA_FLOAT64 || d == DA_COMPLEX128 ? static_cast<const void*>(wide + 2)
                                                     : single + 2;
    }
};

} // namespace

bool Cublas::available() {
    if (const int state = state_.load(std::memory_order_acquire)) return state == 1;
    const std::lock_guard<std::mutex> guard(lock_);
    if (const int state = state_.load(std::memory_order_relaxed)) return state == 1;
    int major = 0;
    const linkage::Library library = open_toolkit(cuda_, CUDA_SONAME_CUBLAS, "cublas", &major);
    bool whole = static_cast<bool>(library);
#define CUDA_BIND(name)                                                                            \
    whole = whole && (name##_ = reinterpret_cast<name##_fn>(library.symbol(#name))) != nullptr;
    CUDA_CUBLAS(CUDA_BIND)
#undef CUDA_BIND
    state_.store(whole ? 1 : 2, std::memory_order_release);
    return whole;
}

da_dtype_mask Cublas::dtypes() const {
    da_dtype_mask mask = 0;
    for (const Type& t : types) mask |= DA_DTYPE_BIT(t.dtype);
    return mask;
}

da_status Cublas::failed(int code, const char* call) const {
    return simt::vendor_fail(table, code, call,
                             cublasGetStatusString_(static_cast<cublasStatus_t>(code)));
}

da_status Cublas::handle_of(std::int32_t device, simt::Handle stream, cublasHandle_t* handle) {
    const std::lock_guard<std::mutex> guard(lock_);
    const auto found = handles_.find(stream);
    if (found != handles_.end()) {
        *handle = found->second.handle;
        return DA_OK;
    }
    cublasHandle_t made = nullptr;
    if (const int code = cublasCreate_v2_(&made)) return failed(code, "cublasCreate_v2");
    int code = cublasSetStream_v2_(made, static_cast<cudaStream_t>(stream));
    const int exact = CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
    if (!code) code = cublasSetMathMode_(made, static_cast<cublasMath_t>(exact));
    if (code) {
        cublasDestroy_v2_(made);
        return failed(code, "cublasSetStream_v2");
    }
    handles_[stream] = {made, device};
    *handle = made;
    return DA_OK;
}

da_status Cublas::multiply(const simt::Product& p, std::int32_t device, simt::Handle stream) {
    cublasHandle_t handle = nullptr;
    if (const da_status status = handle_of(device, stream, &handle)) return status;
    const Type& t = type_of(p.dtype);
    const Factors f;
    const auto n = [](std::int64_t x) { return static_cast<int>(x); };
    const int code = cublasGemmStridedBatchedEx_(
        handle, p.trans_b ? CUBLAS_OP_T : CUBLAS_OP_N, p.trans_a ? CUBLAS_OP_T : CUBLAS_OP_N,
        n(p.n), n(p.m), n(p.k), f.one(p.dtype), p.b, t.data, n(p.ldb), p.stride_b, p.a, t.data,
        n(p.lda), p.stride_a, f.zero(p.dtype), p.c, t.data, n(p.ldc), p.stride_c, n(p.batches),
        t.compute, CUBLAS_GEMM_DEFAULT);
    return code ? failed(code, "cublasGemmStridedBatchedEx") : DA_OK;
}

void Cublas::stream_gone(simt::Handle stream) {
    const std::lock_guard<std::mutex> guard(lock_);
    const auto found = handles_.find(stream);
    if (found == handles_.end()) return;
    cublasDestroy_v2_(found->second.handle);
    handles_.erase(found);
}

// The device's handles died with its memory: nothing of them is touched.
void Cublas::device_gone(std::int32_t device) {
    const std::lock_guard<std::mutex> guard(lock_);
    for (auto entry = handles_.begin(); entry != handles_.end();)
        entry = entry->second.device == device ? handles_.erase(entry) : std::next(entry);
}

} // namespace device_api::cuda
