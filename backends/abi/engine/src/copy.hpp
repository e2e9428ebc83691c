// SPDX-License-Identifier: Apache-2.0
// Private: what a copy is, and what is checked and spoilt about it.
#pragma once

#include "memory.hpp"
#include "stream.hpp"

namespace device_api::engine {

/// One side of a copy: rows of `width` bytes, `pitch` apart.
struct Side {
    std::uintptr_t at = 0;
    std::size_t pitch = 0;
    PointerKind kind = PointerKind::pageable_host;
    int device = -1;
    bool watched = false;
    Range range;

    bool on_device() const { return kind == PointerKind::device; }
};

struct Copy {
    Side to, from;
    std::size_t width = 0, height = 1;
    std::size_t bytes() const { return width * height; }
};

/// By the strategy, a copy on a stream comes in pieces, out of order, with pauses between them.
void move_bytes(TaskContext& ctx, char* to, const char* from, std::size_t bytes,
                std::uint64_t random);
void shadow_row(const Copy& c, std::size_t y);
/// With DAS_CHECK_HOST: a hash of what is to be copied; 0 when other pending work may rightly
/// change it.
std::uint64_t promised(const Copy& c);
void check_promise(const Copy& c, std::uint64_t hash);

} // namespace device_api::engine
