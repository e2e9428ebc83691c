// SPDX-License-Identifier: Apache-2.0
// Dense temporaries for work that a loop cannot do in place.
#pragma once

#include <cstdlib>
#include <memory>

#include "instance.hpp"

namespace device_api::cpu {

// Memory for one call: aligned, large blocks in huge pages. NULL when there is none.
void* allocate_scratch(size_t bytes);
struct FreeScratch {
    void operator()(void* p) const { std::free(p); }
};
template <class T>
using Scratch = std::unique_ptr<T[], FreeScratch>;
template <class T>
Scratch<T> scratch(int64_t count) {
    return Scratch<T>(static_cast<T*>(allocate_scratch(size_t(count) * sizeof(T))));
}

class Temporary {
  public:
    // A dense tensor of the shape of `like`, with its dimensions in memory in the order of those
    // of `order` (row-major without). Of its first `repeating` dimensions, those along which `like`
    // repeats get extent 1 in memory (stride 0). False when there is no memory.
    bool allocate(const da_tensor& like, unsigned dtype, int repeating = 0,
                  const da_tensor* order = nullptr);
    const da_tensor& tensor() const { return tensor_; }
    static da_status out_of_memory(const char* op);

  private:
    Scratch<char> memory_;
    int64_t strides_[DA_MAX_RANK];
    da_tensor tensor_ = {};
};

// Casts or copies `from` to `to`, of the same shape.
da_status convert_tensor(dab_instance* self, const da_tensor& from, const da_tensor& to);

} // namespace device_api::cpu
