// SPDX-License-Identifier: Apache-2.0
// Products of float32 matrices by a BLAS library, where one is there.
#pragma once

#include "device_api/engine/kernels.hpp"

namespace device_api::engine {

/// The hook that serves a product of this size; null: use a loop. Small products are left to the
/// loop: they are not worth opening a library.
SgemmHook sgemm_for(std::int64_t m, std::int64_t n, std::int64_t k) noexcept;

} // namespace device_api::engine
