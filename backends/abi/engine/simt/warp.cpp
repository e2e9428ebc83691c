// SPDX-License-Identifier: Apache-2.0
// Operations of the threads of a warp: they happen when all threads of the mask are there.
#include <algorithm>

#include "runner.hpp"

namespace device_api::engine::simt {
namespace {

/// What a thread gets that reads from one that takes no part: on a chip it is undefined.
constexpr unsigned long nothing = 0xfff1fff1fff1fff1ul;

unsigned long combine(unsigned op, unsigned long a, unsigned long b) {
    const auto ua = static_cast<unsigned>(a), ub = static_cast<unsigned>(b);
    const auto ia = static_cast<int>(ua), ib = static_cast<int>(ub);
    switch (op) {
    case warp_add: return ua + ub;
    case warp_min_u: return std::min(ua, ub);
    case warp_max_u: return std::max(ua, ub);
    case warp_min_i: return static_cast<unsigned>(std::min(ia, ib));
    case warp_max_i: return static_cast<unsigned>(std::max(ia, ib));
    case warp_and: return ua & ub;
    case warp_or: return ua | ub;
    default: return ua ^ ub;
    }
}

} // namespace

/// Releases every group of waiting lanes of the warp that is complete.
void Runner::try_warp(unsigned w) {
    for (unsigned long left = here_[w]; left;) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctzl(left));
        left &= left - 1;
        if (!(here_[w] >> lane & 1)) continue;
        const Fiber& f = fibers_[fiber_of_[w * warp_ + lane]];
        const unsigned long all = warp_ == 64 ? ~0ul : (1ul << warp_) - 1;
        const unsigned long wanted = (f.mask ? f.mask : all) & all & ~gone_[w];
        if ((here_[w] & wanted) != wanted) continue;
        bool same = true;
        for (unsigned long m = wanted; m; m &= m - 1) {
            const auto other = static_cast<unsigned>(__builtin_ctzl(m));
            const Fiber& g = fibers_[fiber_of_[w * warp_ + other]];
            same = same && g.op == f.op && g.mask == f.mask;
        }
        if (same) release_warp(w, wanted);
    }
}

void Runner::release_warp(unsigned w, unsigned long mask) {
    std::vector<Fiber*> all;
    for (unsigned long m = mask; m; m &= m - 1)
        all.push_back(&fibers_[fiber_of_[w * warp_ + static_cast<unsigned>(__builtin_ctzl(m))]]);
    warp_results(all, mask);
    here_[w] &= ~mask;
    for (Fiber* f : all) make_ready(*f);
}

void Runner::warp_results(const std::vector<Fiber*>& all, unsigned long mask) {
    const unsigned op = all[0]->op;
    unsigned long ballot = 0, folded = all[0]->value;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i]->value) ballot |= 1ul << (all[i]->thread % warp_);
        if (i && op >= warp_add) folded = combine(op, folded, all[i]->value);
    }
    for (Fiber* f : all) {
        f->result = op == warp_ballot ? ballot : op >= warp_add ? folded : 0;
        if (op == warp_shuffle) {
            const unsigned from = static_cast<unsigned>(f->other) % warp_;
            f->result = nothing;
            if (mask >> from & 1)
                f->result = fibers_[fiber_of_[f->thread / warp_ * warp_ + from]].value;
        }
        for (const Fiber* g : all)
            if (op == warp_match && g->value == f->value) f->result |= 1ul << (g->thread % warp_);
    }
}

} // namespace device_api::engine::simt
