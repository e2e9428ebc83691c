// SPDX-License-Identifier: Apache-2.0
// Loops over functions of the C library: compiled once, for the least machine.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels.hpp"

namespace device_api::cpu::scalar {

// f is a class with a static `of`.
template <class F, class T, class R = T>
void each(size_t n, void* out, const void* a) {
    R* o = static_cast<R*>(out);
    const T* x = static_cast<const T*>(a);
    for (size_t i = 0; i < n; ++i) o[i] = F::of(x[i]);
}

template <class F, class T, class R = T>
void each2(size_t n, void* out, const void* a, const void* b) {
    R* o = static_cast<R*>(out);
    const T* x = static_cast<const T*>(a);
    const T* y = static_cast<const T*>(b);
    for (size_t i = 0; i < n; ++i) o[i] = F::of(x[i], y[i]);
}

} // namespace device_api::cpu::scalar
