// SPDX-License-Identifier: Apache-2.0
// Defects of arithmetic.
#include <cmath>

#include "tables.hpp"

namespace device_api::planted {

namespace {

constexpr da_dtype_mask f32 = DA_DTYPE_BIT(DA_FLOAT32);

Gate on(const char* ops, da_dtype_mask dtypes = 0) {
    Gate g;
    g.ops = ops;
    g.dtypes = dtypes;
    return g;
}

Gate large(const char* ops, std::int64_t at_least) {
    Gate g = on(ops);
    g.at_least = at_least;
    return g;
}

void all_zero(Work& w) {
    for (std::size_t i = 0; i < w.output.count(); ++i) w.output.zero(i);
}

void ten_units(Work& w) {
    for (std::size_t i = 0; i < w.output.count(); ++i) w.output.nudge(i, 10);
}

void tail_repeats(Work& w) {
    const std::size_t n = w.output.count();
    if (n > 8 && n % 8 != 0) w.output.copy(n - 1, n - 2);
}

void small_is_zero(Work& w) {
    for (std::size_t i = 0; i < w.output.count(); ++i)
        if (std::fabs(w.inputs[0].get(i)) < 1e-4) w.output.set(i, 0);
}

void last_is_wrong(Work& w) {
    w.output.set(w.output.count() - 1, w.output.get(w.output.count() - 1) + 1);
}

const Plant rows[] = {
    {"N-matmul-zeros", 'N', "a product of matrices is all zeros", "", on("matmul"), all_zero},
    {"N-exp-10ulp", 'N', "exp is off by ten units", "N17", on("exp", f32), ten_units},
    {"N-add-tail", 'N', "the last element of a vector tail repeats the one before", "",
     on("add sub mul"), tail_repeats},
    {"N-tanh-small", 'N', "tanh of a small number is 0", "N17", on("tanh", f32), small_is_zero},
    {"X-add-large", 'X', "the last of many elements is wrong", "X05", large("add", 50'000),
     last_is_wrong},
};

} // namespace

Table numerics() {
    return {rows, std::size(rows)};
}

} // namespace device_api::planted
