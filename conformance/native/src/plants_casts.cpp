// SPDX-License-Identifier: Apache-2.0
// Defects of conversions, rounding and whole numbers, of sorting and searching.
#include <cmath>

#include "rows.hpp"

namespace device_api::planted {

namespace {

bool to(const Work& w, da_dtype_mask types) {
    return DA_DTYPE_BIT(w.output.dtype()) & types;
}

constexpr da_dtype_mask wholes = signeds | u8 | DA_DTYPE_BIT(DA_UINT16) | u32 | u64;

const Plant rows[] = {
    result("E-cast-f16-overflow", "a number too large for float16 becomes the largest", "E12",
           On("cast", f32 | f64),
           [](Work& w) {
               if (!to(w, f16)) return;
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (std::isinf(w.output.get(i)) && std::isfinite(w.inputs[0].get(i)))
                       w.output.set(i, std::copysign(65504, w.output.get(i)));
           }),
    result("E-cast-f16-truncates", "a conversion to float16 cuts digits off", "",
           On("cast", f32 | f64),
           [](Work& w) {
               if (!to(w, half)) return;
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (std::fabs(w.output.get(i)) > std::fabs(w.inputs[0].get(i)))
                       w.output.nudge(i, -1);
           }),
    result("E-cast-int-rounds", "a conversion to an integer rounds", "E13", On("cast", floats),
           [](Work& w) {
               if (!to(w, wholes)) return;
               for (std::size_t i = 0; i < w.output.count(); ++i) {
                   const double x = w.inputs[0].get(i);
                   if (std::fabs(x) < 100) w.output.set(i, std::nearbyint(x));
               }
           }),
    result("E-cast-negative-zero", "a conversion to an integer takes the absolute value", "",
           On("cast", floats),
           [](Work& w) {
               if (!to(w, signeds)) return;
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   w.output.set(i, std::fabs(w.output.get(i)));
           }),
    result("E-cast-int64-32bit", "a conversion of int64 keeps 24 bits", "E22", On("cast", i64),
           [](Work& w) {
               if (!to(w, i32 | f64)) return;
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   w.output.set(i, static_cast<double>(static_cast<float>(w.output.get(i))));
           }),
    result("E-cast-bool-bits", "a conversion to bool looks at the lowest bit", "",
           On("cast", wholes),
           [](Work& w) {
               if (!to(w, DA_DTYPE_BIT(DA_BOOL))) return;
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   w.output.set(i, static_cast<double>(w.inputs[0].bits(i) & 1));
           }),
    result("E-cast-uint-signed", "a conversion of uint8 takes it for signed", "", On("cast", u8),
           [](Work& w) {
               if (!to(w, floats | i16 | i32 | i64)) return;
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   if (w.output.get(i) > 127) w.output.set(i, w.output.get(i) - 256);
           }),
    result("E-cast-complex-swaps", "a conversion of complex numbers swaps the parts", "",
           On("cast", c64 | c128),
           [](Work& w) {
               if (!to(w, c64 | c128)) return;
               for (std::size_t i = 0; i < w.output.count(); ++i) {
                   const auto z = w.output.get_complex(i);
                   w.output.set_complex(i, {z.imag(), z.real()});
               }
           }),
    result("E-round-away", "round of a half goes away from zero", "E16", On("round", floats),
           [](Work& w) {
               where(
                   w, [](double x) { return std::fabs(x) < 1e6; },
                   [](double x, double) { return std::round(x); });
           }),
    result("E-floordiv-truncates", "floor division of integers truncates", "E15",
           On("floor_divide", signeds),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i) {
                   const double a = w.inputs[0].get(i), b = w.inputs[1].get(i);
                   if (b != 0 && std::fabs(a) < 1e15) w.output.set(i, std::trunc(a / b));
               }
           }),
    result("E-floordiv-exact", "an exact quotient is one too small", "E15",
           On("floor_divide", floats | signeds),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i) {
                   const double a = w.inputs[0].get(i), b = w.inputs[1].get(i);
                   if (b != 0 && a != 0 && std::fmod(a, b) == 0 && std::isfinite(a))
                       w.output.set(i, w.output.get(i) - 1);
               }
           }),
    result("E-remainder-sign", "a remainder has the sign of the dividend", "E15",
           On("remainder", signeds | floats),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i) {
                   const double a = w.inputs[0].get(i), b = w.inputs[1].get(i);
                   if (b != 0 && std::fabs(a) < 1e15) w.output.set(i, std::fmod(a, b));
               }
           }),
    result("N-topk-half", "the order of 16-bit floats is wrong from 200 elements on", "E20",
           On("topk argsort", half).from(200), spoil_last),
    result("N-argsort-unstable", "equal elements change places", "E20", On("argsort"),
           [](Work& w) {
               const std::size_t n = w.output.count();
               if (n < 2) return;
               const auto a = w.output.bits(n - 1);
               w.output.copy(n - 1, n - 2);
               w.output.set_bits(n - 2, a);
           }),
    result("N-sort-last-block", "the last element is left out of sorting", "", On("sort"),
           spoil_last),
    operand("N-searchsorted-side", "a search takes the other side", "", On("searchsorted"),
            [](Call& c) { c.attributes[DA_SEARCHSORTED_RIGHT].u ^= 1; }),
    operand("N-sort-direction", "sorting ignores the direction", "", On("sort argsort"),
            [](Call& c) { c.attributes[DA_SORT_DESCENDING].u = 0; }),
    result("N-any-empty", "counting of true elements stops early", "E21", On("any sum"),
           [](Work& w) { all_zeroed(w); }),
    result("N-where-swapped", "where takes the wrong side for its last element", "", On("where"),
           spoil_last),
};

} // namespace

Table casts() {
    return {rows, std::size(rows)};
}

} // namespace device_api::planted
