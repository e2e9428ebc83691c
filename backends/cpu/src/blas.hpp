// SPDX-License-Identifier: Apache-2.0
// A BLAS from outside, opened at the first product that is large enough for it.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace device_api::cpu {

// Row-major product c = a b; transposed operands are stored as their transposes.
struct Product {
    int64_t m, n, k;
    const void* a;
    int64_t lda;
    bool a_transposed;
    const void* b;
    int64_t ldb;
    bool b_transposed;
    void* c;
    int64_t ldc;
};

class Blas {
  public:
    explicit Blas(std::string path) : path_(std::move(path)) {}

    // Opens the library once. False when there is none, or it does not load (see status()).
    bool available();
    void multiply_float(const Product& p) const;
    void multiply_double(const Product& p) const;
    // In words: what is used, or why not.
    std::string status();
    // The same without opening anything: "not opened yet" before the first large product.
    std::string summary() const;

  private:
    void open();

    const std::string path_;
    std::string status_ = "own kernels (none was named)";
    std::atomic<bool> opened_{false};
    std::once_flag once_;
    void* sgemm_ = nullptr;
    void* dgemm_ = nullptr;
};

} // namespace device_api::cpu
