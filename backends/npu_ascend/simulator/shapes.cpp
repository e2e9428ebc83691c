// SPDX-License-Identifier: Apache-2.0
// Shapes of results.
#include "shapes.hpp"

#include <algorithm>

namespace cann_sim {

std::string text(const Shape& shape) {
    std::string s = "[";
    for (std::size_t i = 0; i < shape.size(); ++i) s += (i ? "," : "") + std::to_string(shape[i]);
    return s + "]";
}

bool broadcast(const Shape& a, const Shape& b, Shape* out) {
    const std::size_t rank = std::max(a.size(), b.size());
    out->assign(rank, 1);
    for (std::size_t i = 0; i < rank; ++i) { // from the last axis
        const std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
        const std::int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
        if (x != y && x != 1 && y != 1) return false;
        (*out)[rank - 1 - i] = x == 1 ? y : x;
    }
    return true;
}

bool broadcasts_to(const Shape& from, const Shape& to) {
    Shape joined;
    return broadcast(from, to, &joined) && joined == to;
}

bool normalise_axes(const Shape& axes, std::size_t rank, Shape* out) {
    out->clear();
    if (axes.empty()) {
        for (std::size_t i = 0; i < rank; ++i) out->push_back(static_cast<std::int64_t>(i));
        return true;
    }
    // A tensor of rank 0 takes axis 0 and -1, which name nothing.
    const std::int64_t n = std::max<std::int64_t>(static_cast<std::int64_t>(rank), 1);
    for (std::int64_t axis : axes) {
        if (axis < -n || axis >= n) return false;
        if (axis < 0) axis += n;
        if (std::find(out->begin(), out->end(), axis) != out->end()) return false;
        out->push_back(axis);
    }
    if (rank == 0) out->clear();
    return true;
}

Shape reduced(const Shape& shape, const Shape& axes, bool keep_dims) {
    Shape out;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const bool gone =
            std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(i)) != axes.end();
        if (!gone)
            out.push_back(shape[i]);
        else if (keep_dims)
            out.push_back(1);
    }
    return out;
}

bool matrix_product(const Shape& a, const Shape& b, Shape* out) {
    if (a.empty() || b.empty()) return false;
    const std::size_t ra = a.size(), rb = b.size();
    const std::int64_t k = rb == 1 ? b[0] : b[rb - 2];
    if (a[ra - 1] != k) return false;
    const Shape batch_a(a.begin(), ra > 2 ? a.end() - 2 : a.begin());
    const Shape batch_b(b.begin(), rb > 2 ? b.end() - 2 : b.begin());
    if (!broadcast(batch_a, batch_b, out)) return false;
    if (ra > 1) out->push_back(a[ra - 2]);
    if (rb > 1) out->push_back(b[rb - 1]);
    return true;
}

} // namespace cann_sim
