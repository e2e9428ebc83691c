// SPDX-License-Identifier: Apache-2.0
// Private: when something that does one thing at a time is busy.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace device_api::engine {

/// Tasks of several streams take it in the order of their real execution, which is none of the
/// simulated time: so a task may still take a gap before what has been taken already.
class Timeline {
  public:
    /// The earliest begin, not before `from`, of a free span of this length.
    double fit(double from, double length) const {
        double begin = std::max(from, floor_);
        if (!(length > 0)) return begin;
        auto it = std::lower_bound(busy_.begin(), busy_.end(), begin,
                                   [](const Span& s, double t) { return s.end <= t; });
        for (; it != busy_.end() && it->begin - begin < length; ++it)
            begin = std::max(begin, it->end);
        return begin;
    }

    /// Take a span that fit() has found.
    void take(double begin, double length) {
        if (!(length > 0)) return;
        const double end = begin + length;
        auto it = std::lower_bound(busy_.begin(), busy_.end(), begin,
                                   [](const Span& s, double t) { return s.begin < t; });
        const bool before = it != busy_.begin() && (it - 1)->end >= begin;
        const bool after = it != busy_.end() && it->begin <= end;
        if (before && after) {
            (it - 1)->end = it->end;
            busy_.erase(it);
        } else if (before) {
            (it - 1)->end = end;
        } else if (after) {
            it->begin = begin;
        } else {
            busy_.insert(it, Span{begin, end});
        }
        if (busy_.size() <= most) return;
        floor_ = busy_.front().end; // gaps before it are given up
        busy_.erase(busy_.begin());
    }

  private:
    struct Span {
        double begin, end;
    };
    static constexpr std::size_t most = 256;
    std::vector<Span> busy_; // ascending, disjoint
    double floor_ = 0;
};

} // namespace device_api::engine
