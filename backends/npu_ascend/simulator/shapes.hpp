// SPDX-License-Identifier: Apache-2.0
// Shapes of results: broadcasting, reduction, matrix product.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cann_sim {

using Shape = std::vector<std::int64_t>;

std::string text(const Shape& shape);
/// False when the two do not broadcast (the usual rule, aligned at the last axis).
bool broadcast(const Shape& a, const Shape& b, Shape* out);
bool broadcasts_to(const Shape& from, const Shape& to);
/// Axes made positive; false for one out of range or given twice. Empty: all axes.
bool normalise_axes(const Shape& axes, std::size_t rank, Shape* out);
Shape reduced(const Shape& shape, const Shape& axes, bool keep_dims);
/// Matrix product of rank 1 or more each, batch axes broadcast; false when they do not fit.
bool matrix_product(const Shape& a, const Shape& b, Shape* out);

} // namespace cann_sim
