// SPDX-License-Identifier: Apache-2.0
// The simulated cuBLAS: handles, and products of matrices on the engine's reference kernel.
#include <algorithm>

#include "complex_product.hpp"
#include "state.hpp"

#include "device_api_cuda/cuda_blas.h"

using namespace cuda_sim;

namespace {

enum : std::uint32_t { kind_blas = engine::kind_vendor + 32 };

struct Blas {
    CUstream stream = nullptr;
    cublasMath_t math = CUBLAS_DEFAULT_MATH;
    cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
    cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
};

struct TypeRow {
    cudaDataType type;
    engine::DType dtype;
};
constexpr TypeRow types[] = {
    {CUDA_R_32F, engine::DType::f32}, {CUDA_R_64F, engine::DType::f64},
    {CUDA_R_16F, engine::DType::f16}, {CUDA_R_16BF, engine::DType::bf16},
    {CUDA_R_8I, engine::DType::i8},   {CUDA_R_32I, engine::DType::i32},
};

bool dtype_of(cudaDataType type, engine::DType* out) {
    for (const TypeRow& row : types)
        if (row.type == type) return *out = row.dtype, true;
    return false;
}

/// What a product is computed in, and what alpha and beta are; false: not simulated.
bool compute_of(int compute, engine::DType* in, engine::DType* scale) {
    switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC: *in = *scale = engine::DType::f16; return true;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC: *in = *scale = engine::DType::f64; return true;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC: *in = *scale = engine::DType::i32; return true;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32: *in = *scale = engine::DType::f32; return true;
    default: return false;
    }
}

struct Matrix {
    const void* data;
    cudaDataType type;
    std::int64_t ld, stride;
    cublasOperation_t op;
};

/// Columns lie together: element (i, j) of the stored matrix is at i + j * ld.
bool tensor_of(const Matrix& m, std::int64_t rows, std::int64_t columns, std::int64_t batch,
               engine::Tensor* out) {
    engine::DType dtype;
    if (!dtype_of(m.type, &dtype)) return false;
    const bool plain = m.op == CUBLAS_OP_N;
    const std::int64_t shape[] = {batch, rows, columns};
    const std::int64_t strides[] = {m.stride, plain ? 1 : m.ld, plain ? m.ld : 1};
    *out = engine::Tensor(dtype, reinterpret_cast<std::uintptr_t>(m.data), 3, shape, strides);
    return true;
}

cublasStatus_t status_of(CUresult code) {
    if (!code) return CUBLAS_STATUS_SUCCESS;
    return code == CUDA_ERROR_NOT_INITIALIZED || code == CUDA_ERROR_INVALID_CONTEXT
               ? CUBLAS_STATUS_NOT_INITIALIZED
               : CUBLAS_STATUS_EXECUTION_FAILED;
}

std::shared_ptr<Blas> blas_of(cublasHandle_t handle) {
    std::shared_ptr<Blas> b;
    return engine::handle_get(kind_blas, reinterpret_cast<Handle>(handle), &b) == Status::ok
               ? b
               : nullptr;
}

struct Product {
    std::int64_t m, n, k, batch;
    const void *alpha, *beta;
    Matrix a, b, c;
    int compute;
};

bool fits(const Matrix& x, std::int64_t rows, std::int64_t columns) {
    const std::int64_t least = x.op == CUBLAS_OP_N ? rows : columns;
    return x.ld >= std::max<std::int64_t>(1, least) && x.op >= CUBLAS_OP_N && x.op <= CUBLAS_OP_C;
}

CUresult submit(Call& c, const Blas& blas, const Product& p, const char* name, double alpha,
                double beta, engine::DType compute, const engine::Tensor t[3]) {
    Handle stream;
    if (CUresult why = c.stream(blas.stream, &stream)) return why;
    const engine::Tensor a = t[0], b = t[1], out = t[2];
    engine::Launch l;
    l.name = name;
    if (p.k > 0) l.operands.emplace_back(a, engine::Access::read);
    if (p.k > 0) l.operands.emplace_back(b, engine::Access::read);
    l.operands.emplace_back(out, beta != 0 ? engine::Access::read_write : engine::Access::write);
    l.task = [=](engine::TaskContext& context) {
        return engine::matmul(context, compute, a, b, out, alpha, beta, beta != 0 ? &out : nullptr);
    };
    return c.engine(engine::launch(stream, std::move(l)));
}

bool is_complex(const Product& p) {
    const bool single = p.c.type == CUDA_C_32F;
    return (single || p.c.type == CUDA_C_64F) && p.a.type == p.c.type && p.b.type == p.c.type;
}

ComplexMatrix complex_of(const Matrix& m) {
    return {reinterpret_cast<std::uintptr_t>(m.data), m.ld, m.stride, m.op != CUBLAS_OP_N,
            m.op == CUBLAS_OP_C};
}

std::complex<double> complex_scale(const void* value, bool single) {
    if (single) return *static_cast<const std::complex<float>*>(value);
    return *static_cast<const std::complex<double>*>(value);
}

cublasStatus_t complex_product(const char* name, const Blas& blas, const Product& p) {
    const bool single = p.c.type == CUDA_C_32F;
    const ComplexProduct q{p.m,
                           p.n,
                           p.k,
                           p.batch,
                           complex_scale(p.alpha, single),
                           complex_scale(p.beta, single),
                           complex_of(p.a),
                           complex_of(p.b),
                           complex_of(p.c)};
    return status_of(call(name, Need::context, [&](Call& c) -> CUresult {
        Handle stream;
        if (CUresult why = c.stream(blas.stream, &stream)) return why;
        return c.engine(launch_complex(stream, name, q, single));
    }));
}

cublasStatus_t product(const char* name, cublasHandle_t handle, const Product& p) {
    const auto blas = blas_of(handle);
    if (!blas) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (p.m < 0 || p.n < 0 || p.k < 0 || p.batch < 0 || !p.alpha || !p.beta ||
        !fits(p.a, p.m, p.k) || !fits(p.b, p.k, p.n) || !fits(p.c, p.m, p.n))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (p.m == 0 || p.n == 0 || p.batch == 0) return CUBLAS_STATUS_SUCCESS;
    if (is_complex(p) && blas->pointers == CUBLAS_POINTER_MODE_HOST)
        return complex_product(name, *blas, p);
    engine::Tensor t[3];
    engine::DType compute, scale;
    if (!compute_of(p.compute, &compute, &scale) || blas->pointers != CUBLAS_POINTER_MODE_HOST ||
        !tensor_of(p.a, p.m, p.k, p.batch, &t[0]) || !tensor_of(p.b, p.k, p.n, p.batch, &t[1]) ||
        !tensor_of(p.c, p.m, p.n, p.batch, &t[2]))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    const double alpha = engine::Scalar::from_memory(scale, p.alpha).as_double();
    const double beta = engine::Scalar::from_memory(scale, p.beta).as_double();
    return status_of(call(name, Need::context, [&](Call& c) {
        return submit(c, *blas, p, name, alpha, beta, compute, t);
    }));
}

template <class Body>
cublasStatus_t with(cublasHandle_t handle, const void* out, Body body) {
    const auto blas = blas_of(handle);
    if (!blas) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!out) return CUBLAS_STATUS_INVALID_VALUE;
    body(*blas);
    return CUBLAS_STATUS_SUCCESS;
}

} // namespace

SIM_EXPORT cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
    if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
    return status_of(call(__func__, Need::context, [&](Call& c) -> CUresult {
        engine::handle_kind_name(kind_blas, "cublasHandle_t");
        const Handle h = engine::handle_create(kind_blas, std::make_shared<Blas>());
        if (!h) return c.fail(CUDA_ERROR_OUT_OF_MEMORY, "too many handles");
        *handle = reinterpret_cast<cublasHandle_t>(h);
        return CUDA_SUCCESS;
    }));
}
SIM_EXPORT cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
    const Status s =
        engine::handle_take<Blas>(kind_blas, reinterpret_cast<Handle>(handle), nullptr);
    return s == Status::ok ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
SIM_EXPORT cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* version) {
    if (!version) return CUBLAS_STATUS_INVALID_VALUE;
    *version = 130000;
    return CUBLAS_STATUS_SUCCESS;
}
SIM_EXPORT cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t streamId) {
    return with(handle, handle, [&](Blas& b) { b.stream = streamId; });
}
SIM_EXPORT cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* streamId) {
    return with(handle, streamId, [&](Blas& b) { *streamId = b.stream; });
}
// The reference kernel needs no workspace.
SIM_EXPORT cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void*, size_t) {
    return with(handle, handle, [](Blas&) {});
}
SIM_EXPORT cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
    return with(handle, handle, [&](Blas& b) { b.pointers = mode; });
}
SIM_EXPORT cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle,
                                                  cublasPointerMode_t* mode) {
    return with(handle, mode, [&](Blas& b) { *mode = b.pointers; });
}
// All modes compute in full: the chip's shorter forms are allowed to be better.
SIM_EXPORT cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
    return with(handle, handle, [&](Blas& b) { b.math = mode; });
}
SIM_EXPORT cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
    return with(handle, mode, [&](Blas& b) { *mode = b.math; });
}
SIM_EXPORT cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
    return with(handle, handle, [&](Blas& b) { b.atomics = mode; });
}

SIM_EXPORT const char* cublasGetStatusName(cublasStatus_t status) {
#define NAME_CASE(name, value, mark)                                                               \
    case name: return #name;
    switch (status) {
        CUBLAS_STATUSES(NAME_CASE)
    default: return "CUBLAS_STATUS_UNKNOWN";
    }
}
SIM_EXPORT const char* cublasGetStatusString(cublasStatus_t status) {
    return cublasGetStatusName(status);
}

SIM_EXPORT cublasStatus_t cublasGemmStridedBatchedEx_64(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n,
    int64_t k, const void* alpha, const void* A, cudaDataType Atype, int64_t lda,
    long long int strideA, const void* B, cudaDataType Btype, int64_t ldb, long long int strideB,
    const void* beta, void* C, cudaDataType Ctype, int64_t ldc, long long int strideC,
    int64_t batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t) {
    return product(__func__, handle,
                   {m,
                    n,
                    k,
                    batchCount,
                    alpha,
                    beta,
                    {A, Atype, lda, strideA, transa},
                    {B, Btype, ldb, strideB, transb},
                    {C, Ctype, ldc, strideC, CUBLAS_OP_N},
                    computeType});
}
SIM_EXPORT cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void* alpha, const void* A, cudaDataType Atype, int lda, long long int strideA,
    const void* B, cudaDataType Btype, int ldb, long long int strideB, const void* beta, void* C,
    cudaDataType Ctype, int ldc, long long int strideC, int batchCount,
    cublasComputeType_t computeType, cublasGemmAlgo_t algo) {
    return cublasGemmStridedBatchedEx_64(handle, transa, transb, m, n, k, alpha, A, Atype, lda,
                                         strideA, B, Btype, ldb, strideB, beta, C, Ctype, ldc,
                                         strideC, batchCount, computeType, algo);
}
SIM_EXPORT cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                       cublasOperation_t transb, int m, int n, int k,
                                       const void* alpha, const void* A, cudaDataType Atype,
                                       int lda, const void* B, cudaDataType Btype, int ldb,
                                       const void* beta, void* C, cudaDataType Ctype, int ldc,
                                       cublasComputeType_t computeType, cublasGemmAlgo_t algo) {
    return cublasGemmStridedBatchedEx_64(handle, transa, transb, m, n, k, alpha, A, Atype, lda, 0,
                                         B, Btype, ldb, 0, beta, C, Ctype, ldc, 0, 1, computeType,
                                         algo);
}
SIM_EXPORT cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const float* alpha, const float* A, int lda,
                                         const float* B, int ldb, const float* beta, float* C,
                                         int ldc) {
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, CUDA_R_32F, lda, B, CUDA_R_32F,
                        ldb, beta, C, CUDA_R_32F, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
