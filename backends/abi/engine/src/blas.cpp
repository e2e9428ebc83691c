// SPDX-License-Identifier: Apache-2.0
// Opening the BLAS of the scipy-openblas32 package, which the CPU backend brings along: the file
// that DEVICE_API_SIM_BLAS names ("none": no library), else the package beside the one that this
// library lies in.
#include "blas.hpp"

#include <dlfcn.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

#include "engine.hpp"

namespace device_api::engine {
namespace {

// CBLAS numbers of the C interface.
constexpr int row_major = 101, as_it_is = 111, transposed = 112;
constexpr std::int64_t worthwhile = 16 * 16 * 16; // multiplications
constexpr const char* file = "/scipy_openblas32/lib/libscipy_openblas.so";
constexpr int levels = 6; // from this library's folder up to that of the packages, at most

using Gemm = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int,
                      float, float*, int);
using Gemv = void (*)(int, int, int, int, float, const float*, int, const float*, int, float,
                      float*, int);
Gemm gemm = nullptr;
Gemv gemv = nullptr; // may be missing

bool fits(std::int64_t x) {
    return x <= INT_MAX;
}

/// A matrix and one column: rows are read once, in order.
void one_column(const Sgemm& p) {
    const bool t = p.a_transposed;
    gemv(row_major, t ? transposed : as_it_is, int(t ? p.k : p.m), int(t ? p.m : p.k), 1.0f, p.a,
         int(p.lda), p.b, p.b_transposed ? 1 : int(p.ldb), 0.0f, p.c, int(p.ldc));
}

bool by_library(const Sgemm& p) {
    if (!fits(p.m) || !fits(p.n) || !fits(p.k) || !fits(p.lda) || !fits(p.ldb) || !fits(p.ldc))
        return false;
    if (p.n == 1 && gemv) return one_column(p), true;
    gemm(row_major, p.a_transposed ? transposed : as_it_is, p.b_transposed ? transposed : as_it_is,
         int(p.m), int(p.n), int(p.k), 1.0f, p.a, int(p.lda), p.b, int(p.ldb), 0.0f, p.c,
         int(p.ldc));
    return true;
}

std::string found_beside() {
    Dl_info self;
    if (!dladdr(reinterpret_cast<void*>(&by_library), &self) || !self.dli_fname) return {};
    char* real = realpath(self.dli_fname, nullptr);
    std::string folder = real ? real : "";
    std::free(real);
    for (int level = 0; level < levels; ++level) {
        const std::size_t end = folder.rfind('/');
        if (end == std::string::npos) break;
        folder.resize(end);
        if (std::FILE* f = std::fopen((folder + file).c_str(), "rb")) {
            std::fclose(f);
            return folder + file;
        }
    }
    return {};
}

void open_library() {
    const char* asked = std::getenv("DEVICE_API_SIM_BLAS");
    const std::string path = asked && *asked ? asked : found_beside();
    if (path.empty() || path == "none") return;
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* function = handle ? dlsym(handle, "scipy_cblas_sgemm") : nullptr;
    void* set_threads = handle ? dlsym(handle, "scipy_openblas_set_num_threads") : nullptr;
    if (!function || !set_threads) {
        // A wish that cannot be met is told; results are the same without the library.
        if (asked && *asked)
            std::fprintf(stderr,
                         "device_api: DEVICE_API_SIM_BLAS=%s cannot be used (%s); simulated chips "
                         "multiply with their own loops. Name libscipy_openblas.so of the package "
                         "scipy-openblas32, or \"none\"\n",
                         asked, handle ? "it lacks scipy_cblas_sgemm" : dlerror());
        return;
    }
    // A stream is one thread; a library without threads of its own is also safe after fork().
    reinterpret_cast<void (*)(int)>(set_threads)(1);
    gemm = reinterpret_cast<Gemm>(function);
    gemv = reinterpret_cast<Gemv>(dlsym(handle, "scipy_cblas_sgemv"));
}

} // namespace

SgemmHook sgemm_for(std::int64_t m, std::int64_t n, std::int64_t k) noexcept {
    if (SgemmHook hook = engine().sgemm.load()) return k > 0 ? hook : nullptr;
    if (double(m) * double(n) * double(k) < double(worthwhile)) return nullptr;
    static std::once_flag once;
    try {
        std::call_once(once, open_library);
    } catch (...) { // no memory for a path: the loop does it
        return nullptr;
    }
    return gemm ? by_library : nullptr;
}

void set_sgemm_hook(SgemmHook hook) noexcept {
    engine().sgemm = hook;
}

} // namespace device_api::engine
