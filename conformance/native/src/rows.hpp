// SPDX-License-Identifier: Apache-2.0
// Rows of the tables in few words.
#pragma once

#include "tables.hpp"

namespace device_api::planted {

constexpr da_dtype_mask f16 = DA_DTYPE_BIT(DA_FLOAT16), bf16 = DA_DTYPE_BIT(DA_BFLOAT16),
                        f32 = DA_DTYPE_BIT(DA_FLOAT32), f64 = DA_DTYPE_BIT(DA_FLOAT64),
                        half = f16 | bf16, floats = half | f32 | f64,
                        c64 = DA_DTYPE_BIT(DA_COMPLEX64), c128 = DA_DTYPE_BIT(DA_COMPLEX128),
                        i8 = DA_DTYPE_BIT(DA_INT8), i16 = DA_DTYPE_BIT(DA_INT16),
                        i32 = DA_DTYPE_BIT(DA_INT32), i64 = DA_DTYPE_BIT(DA_INT64),
                        u8 = DA_DTYPE_BIT(DA_UINT8), u32 = DA_DTYPE_BIT(DA_UINT32),
                        u64 = DA_DTYPE_BIT(DA_UINT64), signeds = i8 | i16 | i32 | i64;

/// A gate that is written down from left to right.
struct On : Gate {
    explicit On(const char* names = nullptr, da_dtype_mask types = 0) {
        ops = names;
        dtypes = types;
    }
    On& from(std::int64_t n) { return at_least = n, *this; }
    On& upto(std::int64_t n) { return at_most = n, *this; }
    On& views() { return strided = true, *this; }
    On& backward() { return negative = true, *this; }
    On& spread() { return broadcast = true, *this; }
    On& off(std::uint32_t bytes) { return misaligned = bytes, *this; }
    On& each(std::uint64_t n) { return nth = n, *this; }
    On& later(std::uint64_t n) { return Gate::after = n, *this; }
    On& rate(std::uint64_t n) { return one_in = n, *this; }
    On& threads() { return other_thread = true, *this; }
    On& second() { return other_device = true, *this; }
    On& bit(std::uint32_t n) { return address_bit = n, *this; }
};

using Words = const char*;
inline Plant result(Words id, Words words, Words source, const Gate& gate, void (*fn)(Work&)) {
    return {id, id[0], words, source, gate, fn, nullptr, nullptr, nullptr, nullptr};
}
inline Plant operand(Words id, Words words, Words source, const Gate& gate, void (*fn)(Call&)) {
    return {id, id[0], words, source, gate, nullptr, fn, nullptr, nullptr, nullptr};
}
inline Plant member(Words id, Words words, Words source, void (*fn)(dab_backend&)) {
    return {id, id[0], words, source, {}, nullptr, nullptr, fn, nullptr, nullptr};
}
inline Plant instead(Words id, Words words, Words source, const Gate& gate,
                     da_status (*fn)(Call&)) {
    return {id, id[0], words, source, gate, nullptr, nullptr, nullptr, fn, nullptr};
}
inline Plant claim(Words id, Words words, Words source, const Gate& gate, void (*fn)(dab_op&)) {
    return {id, id[0], words, source, gate, nullptr, nullptr, nullptr, nullptr, fn};
}

/// Calls f(index, input, output) for each element; for ops of one input, element by element.
template <class F>
void each(Work& w, F f) {
    for (std::size_t i = 0; i < w.output.count(); ++i) f(w, i);
}

/// Elements whose operand passes are set to a function of it.
template <class P, class F>
void where(Work& w, P passes, F value) {
    for (std::size_t i = 0; i < w.output.count(); ++i) {
        const double x = w.inputs[0].get(i);
        if (passes(x)) w.output.set(i, value(x, w.output.get(i)));
    }
}

inline void all_nudged(Work& w, int steps) {
    for (std::size_t i = 0; i < w.output.count(); ++i) w.output.nudge(i, steps);
}

inline void all_zeroed(Work& w, std::size_t first = 0) {
    for (std::size_t i = first; i < w.output.count(); ++i) w.output.zero(i);
}

/// One element, whatever it was, is another.
inline void spoil(Work& w, std::size_t i) {
    w.output.at(i)[0] ^= w.output.dtype() == DA_BOOL ? 1 : 0x55;
    if (w.output.size() > 1) w.output.at(i)[w.output.size() - 1] ^= 0x11;
}

inline void spoil_last(Work& w) {
    spoil(w, w.output.count() - 1);
}

} // namespace device_api::planted
