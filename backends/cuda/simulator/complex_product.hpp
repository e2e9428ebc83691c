// SPDX-License-Identifier: Apache-2.0
// Products of complex matrices, which the engine's reference kernel does not have.
#pragma once

#include <complex>
#include <cstdint>

#include "device_api/engine/engine.hpp"

namespace cuda_sim {

/// Columns lie together: element (i, j) of the stored matrix is at i + j * ld, and what is
/// multiplied is it, its transpose, or that with conjugates.
struct ComplexMatrix {
    std::uintptr_t data;
    std::int64_t ld, stride; // elements
    bool transposed, conjugated;

    std::int64_t at(std::int64_t i, std::int64_t j) const {
        return transposed ? j + i * ld : i + j * ld;
    }
    /// Elements from the first to the last, for a matrix of this shape.
    std::int64_t span(std::int64_t rows, std::int64_t columns, std::int64_t batch) const {
        return (batch - 1) * stride + at(rows - 1, columns - 1) + 1;
    }
};

struct ComplexProduct {
    std::int64_t m, n, k, batch;
    std::complex<double> alpha, beta;
    ComplexMatrix a, b, c;
};

/// c = alpha * a b + beta * c; sums are of double precision. `single`: elements of 8 bytes.
device_api::engine::Status launch_complex(device_api::engine::Handle stream, const char* name,
                                          const ComplexProduct& p, bool single);

} // namespace cuda_sim
