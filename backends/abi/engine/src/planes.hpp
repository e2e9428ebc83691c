// SPDX-License-Identifier: Apache-2.0
// A tensor's elements in C order as V, some at a time: in place where they are that already, else
// converted in a thread's own memory, so that a large tensor is never held a second time.
#pragma once

#include "loop.hpp"
#include "parallel.hpp"

namespace device_api::engine {

/// What is read; the tensor is contiguous.
template <class V>
class Source {
  public:
    Source(const Tensor& t, const char* base)
        : base_(base),
          load_(loader<V>(t.dtype)),
          size_(static_cast<std::int64_t>(dtype_size(t.dtype))),
          direct_(t.dtype == native_dtype<V>()) {}
    /// Elements [first, first + n), valid until the room's next use.
    const V* values(std::int64_t first, std::int64_t n, Room<V>* room) const {
        if (direct_) return reinterpret_cast<const V*>(base_) + first;
        V* to = room->of(n);
        read(first, n, to);
        return to;
    }
    void read(std::int64_t first, std::int64_t n, V* to) const {
        load_(base_ + first * size_, 1, n, to);
    }

  private:
    const char* base_;
    Loader<V> load_;
    std::int64_t size_;
    bool direct_;
};

/// What is written; the tensor is contiguous.
template <class V>
class Target {
  public:
    Target(const Tensor& t, char* base)
        : base_(base),
          store_(storer<V>(t.dtype)),
          size_(static_cast<std::int64_t>(dtype_size(t.dtype))),
          direct_(t.dtype == native_dtype<V>()) {}
    /// Where to compute elements [first, first + n); put() afterwards.
    V* room(std::int64_t first, std::int64_t n, Room<V>* room) const {
        return direct_ ? reinterpret_cast<V*>(base_) + first : room->of(n);
    }
    void put(const V* values, std::int64_t first, std::int64_t n) const {
        if (!direct_) store_(values, base_ + first * size_, 1, n);
    }

  private:
    char* base_;
    Storer<V> store_;
    std::int64_t size_;
    bool direct_;
};

} // namespace device_api::engine
