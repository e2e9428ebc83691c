// SPDX-License-Identifier: Apache-2.0
// The product of two matrices by a blocked loop, for each compute class.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace device_api::engine {

constexpr std::int64_t tile_rows = 4, tile_columns = 8, depth = 256;

/// Integers multiply as uint64, so that overflow wraps.
template <class C>
using Number = std::conditional_t<std::is_floating_point_v<C>, C, std::uint64_t>;

/// c[4][8] += a[4][k] * panel[k][8]
template <class N>
void tile(std::int64_t k, const N* a, std::int64_t lda, const N* panel, N* c, std::int64_t ldc,
          std::int64_t rows, std::int64_t columns) {
    N sum[tile_rows][tile_columns] = {};
    const N* row[tile_rows];
    for (std::int64_t i = 0; i < tile_rows; ++i) row[i] = a + std::min(i, rows - 1) * lda;
    for (std::int64_t x = 0; x < k; ++x) {
        const N* b = panel + x * tile_columns;
        for (std::int64_t i = 0; i < tile_rows; ++i) {
            const N left = row[i][x];
            for (std::int64_t j = 0; j < tile_columns; ++j) sum[i][j] += left * b[j];
        }
    }
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) c[i * ldc + j] += sum[i][j];
}

/// c[m][n] = a[m][k] * b[k][n], all contiguous.
template <class N>
void multiply(std::int64_t m, std::int64_t n, std::int64_t k, const N* a, const N* b, N* c) {
    std::fill(c, c + m * n, N(0));
    std::vector<N> panel(static_cast<std::size_t>(std::min(depth, k) * tile_columns));
    for (std::int64_t k0 = 0; k0 < k; k0 += depth) {
        const std::int64_t kn = std::min(depth, k - k0);
        for (std::int64_t j = 0; j < n; j += tile_columns) {
            const std::int64_t columns = std::min(tile_columns, n - j);
            for (std::int64_t x = 0; x < kn; ++x)
                for (std::int64_t y = 0; y < tile_columns; ++y)
                    panel[static_cast<std::size_t>(x * tile_columns + y)] =
                        y < columns ? b[(k0 + x) * n + j + y] : N(0);
            for (std::int64_t i = 0; i < m; i += tile_rows)
                tile(kn, a + i * k + k0, k, panel.data(), c + i * n + j, n,
                     std::min(tile_rows, m - i), columns);
        }
    }
}

} // namespace device_api::engine
