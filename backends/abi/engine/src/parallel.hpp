// SPDX-License-Identifier: Apache-2.0
// Sharing a large kernel's arithmetic among the machine's cores, and memory that a stream's thread
// keeps for its next kernel.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace device_api::engine {

/// f(first, last) for parts of [0, n) that together are all of it, on several threads where `work`
/// (multiplications) is worth that. f must touch neither a TaskContext nor anything of another
/// part, and must not throw.
void share(std::int64_t n, double work, const std::function<void(std::int64_t, std::int64_t)>& f);

/// f(first, last) for parts of a row of n elements whose functions cost tens of multiplications;
/// the parts begin at whole blocks. An in-place operation may use it: parts share no element.
template <class F>
void each_block(std::int64_t n, F f) {
    constexpr std::int64_t elements = 1024, cost = 40;
    if (n <= 64 * elements) return f(0, n);
    share((n + elements - 1) / elements, double(cost) * double(n),
          [&](std::int64_t first, std::int64_t last) {
              f(first * elements, last * elements < n ? last * elements : n);
          });
}

/// Memory for a kernel's own values, not initialised. The object is one per thread and use; what a
/// large one holds is given back by trim().
template <class V>
class Room {
  public:
    V* of(std::int64_t n) {
        if (n > size_) {
            values_.reset(); // first, so that not both are held
            values_.reset(new V[static_cast<std::size_t>(n)]);
            size_ = n;
        }
        return values_.get();
    }
    void trim() {
        if (size_ * static_cast<std::int64_t>(sizeof(V)) <= kept) return;
        values_.reset();
        size_ = 0;
    }

  private:
    static constexpr std::int64_t kept = 8 << 20; // bytes
    std::unique_ptr<V[]> values_;
    std::int64_t size_ = 0;
};

} // namespace device_api::engine
