// SPDX-License-Identifier: Apache-2.0
// Logical operations where all operands are of bool: byte by byte, at the machine's full width.
#include "logic.hpp"

#include "loop.hpp"

namespace device_api::engine {
namespace {

using Byte = std::uint8_t;

// Any byte but 0 is true.
struct And {
    Byte operator()(Byte a, Byte b) const { return Byte((a != 0) & (b != 0)); }
};
struct Or {
    Byte operator()(Byte a, Byte b) const { return Byte((a | b) != 0); }
};
struct Xor {
    Byte operator()(Byte a, Byte b) const { return Byte((a != 0) != (b != 0)); }
};
struct Not {
    Byte operator()(Byte a, Byte) const { return Byte(a == 0); }
};

template <class F>
void row(const Byte* a, const Byte* b, Byte* y, const std::int64_t (&step)[3], std::int64_t n) {
    if (step[0] == 1 && step[1] == 1 && step[2] == 1)
        for (std::int64_t i = 0; i < n; ++i) y[i] = F{}(a[i], b[i]);
    else
        for (std::int64_t i = 0; i < n; ++i) y[i * step[2]] = F{}(a[i * step[0]], b[i * step[1]]);
}

constexpr decltype(&row<And>) rows[] = {row<And>, row<Or>, row<Xor>, row<Not>};

} // namespace

Status logic(TaskContext& ctx, Logic op, const Tensor& a, const Tensor& b, const Tensor& out) {
    const Tensor* t[3] = {&a, &b, &out};
    char* base[3];
    if (!map_all(ctx, t, 2, base)) return ctx.error();
    Loop<3> loop(t);
    loop.rows(base, [&](char* const* p) {
        rows[static_cast<int>(op)](reinterpret_cast<const Byte*>(p[0]),
                                   reinterpret_cast<const Byte*>(p[1]),
                                   reinterpret_cast<Byte*>(p[2]), loop.step, loop.inner);
    });
    return Status::ok;
}

} // namespace device_api::engine
