// SPDX-License-Identifier: Apache-2.0
// Philox 4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", 2011).
#include <cstring>

#include "loop.hpp"

namespace device_api::engine {
namespace {

struct Words {
    std::uint32_t w[4];
};

Words philox_block(std::uint64_t counter, std::uint64_t key) {
    Words c{{static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32), 0, 0}};
    auto k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = 0xD2511F53ull * c.w[0], b = 0xCD9E8D57ull * c.w[2];
        c = Words{{static_cast<std::uint32_t>(b >> 32) ^ c.w[1] ^ k0, static_cast<std::uint32_t>(b),
                   static_cast<std::uint32_t>(a >> 32) ^ c.w[3] ^ k1,
                   static_cast<std::uint32_t>(a)}};
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return c;
}

} // namespace

Status philox(TaskContext& ctx, std::uint64_t seed, std::uint64_t offset, const Tensor& out) {
    if (dtype_size(out.dtype) != 4 || is_float(out.dtype))
        return fail(Status::not_supported,
                    "philox: the result has dtype %s; uint32 and int32 are supported",
                    dtype_name(out.dtype));
    if (!out.contiguous()) {
        Tensor whole = ctx.temporary_like(out, out.dtype);
        if (Status s = philox(ctx, seed, offset, whole); s != Status::ok) return s;
        return copy_tensor(ctx, whole, out);
    }
    auto* to = static_cast<char*>(ctx.map(out, true));
    if (!to) return ctx.error();
    const std::int64_t n = out.numel();
    ctx.add_work(Unit::vector, DType::u32, 25 * double(n)); // ten rounds for four words
    for (std::int64_t i = 0; i < n; i += 4) {
        const Words w = philox_block(offset + static_cast<std::uint64_t>(i / 4), seed);
        std::memcpy(to + i * 4, w.w,
                    static_cast<std::size_t>(std::min<std::int64_t>(4, n - i)) * 4);
    }
    return Status::ok;
}

} // namespace device_api::engine
