// SPDX-License-Identifier: Apache-2.0
// Opening the BLAS of the scipy-openblas32 package (32-bit sizes, names with a prefix).
#include "blas.hpp"

#include <dlfcn.h>

namespace device_api::cpu {
namespace {

// CBLAS numbers of the C interface.
constexpr int kRowMajor = 101, kNoTrans = 111, kTrans = 112;

template <class T>
using Gemm = void (*)(int, int, int, int, int, int, T, const T*, int, const T*, int, T, T*, int);

template <class T>
void multiply(void* function, const Product& p) {
    reinterpret_cast<Gemm<T>>(function)(
        kRowMajor, p.a_transposed ? kTrans : kNoTrans, p.b_transposed ? kTrans : kNoTrans, int(p.m),
        int(p.n), int(p.k), T(1), static_cast<const T*>(p.a), int(p.lda),
        static_cast<const T*>(p.b), int(p.ldb), T(0), static_cast<T*>(p.c), int(p.ldc));
}

} // namespace

void Blas::open() {
    if (path_.empty()) return;
    void* handle = dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char* text = dlerror();
        status_ = "own kernels (" + path_ + " does not load: " + (text ? text : "no reason") + ")";
        return;
    }
    sgemm_ = dlsym(handle, "scipy_cblas_sgemm");
    dgemm_ = dlsym(handle, "scipy_cblas_dgemm");
    void* set_threads = dlsym(handle, "scipy_openblas_set_num_threads");
    if (!sgemm_ || !dgemm_ || !set_threads) {
        sgemm_ = dgemm_ = nullptr;
        status_ = "own kernels (" + path_ + " lacks the functions scipy_cblas_*)";
        return;
    }
    // The backend splits the work itself; a single-threaded library is also safe after fork().
    reinterpret_cast<void (*)(int)>(set_threads)(1);
    status_ = path_;
    if (void* core = dlsym(handle, "scipy_openblas_get_corename"))
        status_ += std::string(" (") + reinterpret_cast<char* (*)()>(core)() + ")";
}

bool Blas::available() {
    std::call_once(once_, [this] {
        open();
        opened_ = true;
    });
    return sgemm_ != nullptr;
}

void Blas::multiply_float(const Product& p) const {
    multiply<float>(sgemm_, p);
}
void Blas::multiply_double(const Product& p) const {
    multiply<double>(dgemm_, p);
}

std::string Blas::summary() const {
    if (opened_) return status_;
    return path_.empty() ? status_ : "opened at the first large product";
}

std::string Blas::status() {
    available();
    return status_;
}

} // namespace device_api::cpu
