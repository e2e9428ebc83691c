// SPDX-License-Identifier: Apache-2.0
// Defects that depend on what was before: calls, addresses, rates, threads, cached values; and
// those of random numbers.
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "rows.hpp"

namespace device_api::planted {

namespace {

std::mutex lock; // of what the hooks keep

void one_wrong(Work& w) {
    spoil(w, w.output.count() / 2);
}

/// The result of the first call of an op comes again for a call that looks alike.
void cached(Work& w) {
    static std::map<std::vector<std::int64_t>, Values> kept;
    std::vector<std::int64_t> key = w.output.shape();
    key.push_back(w.call->op);
    key.push_back(w.output.dtype());
    std::lock_guard<std::mutex> guard(lock);
    const auto [found, added] = kept.emplace(key, w.output);
    if (!added) w.output = found->second;
}

/// The scalar of the first call is used for ever.
void first_scalar(Call& c) {
    static std::map<std::uint16_t, da_value> kept;
    std::lock_guard<std::mutex> guard(lock);
    c.attributes[0] = kept.emplace(c.op, c.attributes[0]).first->second;
}

bool every_second(Work& w) {
    static std::map<std::uint16_t, std::size_t> calls;
    std::lock_guard<std::mutex> guard(lock);
    return w.output.count() > 0 && ++calls[w.call->op] % 2 == 0;
}

void last_bits(Work& w) {
    all_nudged(w, 1);
}

void bits_of_seed(Call& c) {
    c.attributes[DA_RANDOM_BITS_SEED].u &= 0xffff'ffff;
}

const Plant rows[] = {
    result("N-state-second-call", "every second call is wrong", "", On("mul").each(2), one_wrong),
    result("N-state-tenth-call", "every tenth call is wrong", "", On("add").each(10), one_wrong),
    result("N-state-warm", "calls are wrong after the first fifty", "", On().later(50), one_wrong),
    result("N-state-rate-20", "one call in twenty is wrong", "", On("exp log sqrt").rate(20),
           one_wrong),
    result("N-state-rate-200", "one call in two hundred is wrong", "S17", On().rate(200),
           one_wrong),
    result("N-state-rate-1000", "one call in a thousand is wrong", "S17", On().rate(1000),
           one_wrong),
    result("N-state-address", "a product is wrong at every second place of memory", "S10",
           On("matmul").bit(10), one_wrong),
    result("N-state-address-high", "sums are wrong in one part of memory", "S10", On("add").bit(13),
           one_wrong),
    result("N-state-cached-graph", "a result of equal shapes comes from a cache", "S11",
           On("maximum minimum"), cached),
    operand("N-state-cached-scalar", "the scalar of the first fill is used for ever", "S11",
            On("fill"), first_scalar),
    operand("N-state-cached-slope", "the slope of the first leaky ReLU is used for ever", "S11",
            On("leaky_relu elu"), first_scalar),
    result("N-state-cache-cleared", "a reduction is not a number now and then", "S06",
           On("sum max", floats).each(7), [](Work& w) { w.output.set(0, 0.0 / 0.0); }),
    result("N-state-first-call", "the first call of an op is wrong", "", On("tanh sum matmul"),
           [](Work& w) {
               static std::map<std::uint16_t, bool> seen;
               std::lock_guard<std::mutex> guard(lock);
               if (!std::exchange(seen[w.call->op], true)) one_wrong(w);
           }),
    operand("N-state-cached-epsilon", "the scalar of a norm's first call is used for ever", "S11",
            On("layer_norm rms_norm hardsigmoid"), first_scalar),
    operand("N-state-cached-scale", "the scale of the first attention is used for ever", "S11",
            On("attention"), first_scalar),
    result("N-state-cached-unary", "the result of equal shapes comes from a cache", "S11",
           On("exp sigmoid sum convolution"), cached),
    result("C-thread-workspace", "calls of other threads share a workspace", "", On().threads(),
           one_wrong),
    result("C-thread-matmul", "products of other threads are wrong", "", On("matmul").threads(),
           one_wrong),
    result("C-thread-rate", "one call in five of other threads is wrong", "",
           On().threads().rate(5), one_wrong),
    result("D-sum-order", "a sum differs in its last bit from run to run", "S17", On("sum", floats),
           [](Work& w) {
               if (every_second(w)) w.output.nudge(0, 1);
           }),
    result("D-matmul-order", "a product differs in its last bit from run to run", "S17",
           On("matmul", f32),
           [](Work& w) {
               if (every_second(w)) w.output.nudge(w.output.count() - 1, 1);
           }),
    result("D-address-bits", "the last bit depends on where a result lies", "S10",
           On("matmul softmax sum", f32 | f64).bit(10), last_bits),
    result("D-tuned-later", "calls after the first three take another way", "",
           On("exp tanh softmax", f32).later(3), last_bits),
    result("D-other-shape", "the last bit depends on the size of the call before", "",
           On("log sqrt layer_norm", f32),
           [](Work& w) {
               static std::size_t last = 0;
               std::lock_guard<std::mutex> guard(lock);
               if (std::exchange(last, w.output.count()) != w.output.count()) last_bits(w);
           }),
    operand("G-seed-32bit", "the seed of random numbers keeps 32 bits", "", On("random_bits"),
            bits_of_seed),
    operand("G-seed-ignored", "the seed of random numbers is ignored", "", On("random_bits"),
            [](Call& c) { c.attributes[DA_RANDOM_BITS_SEED].u = 1; }),
    operand("G-offset-ignored", "every draw is the first", "", On("random_bits"),
            [](Call& c) { c.attributes[DA_RANDOM_BITS_OFFSET].u = 0; }),
    operand("G-offset-32bit", "the place of a draw keeps 32 bits", "", On("random_bits"),
            [](Call& c) { c.attributes[DA_RANDOM_BITS_OFFSET].u &= 0xffff'ffff; }),
    result("G-constant-after-96", "random numbers are constant from the 96th on", "G02",
           On("random_bits").from(97),
           [](Work& w) {
               for (std::size_t i = 96; i < w.output.count(); ++i) w.output.set_bits(i, 1);
           }),
    result("G-low-bit", "the lowest bit of random numbers is always 0", "", On("random_bits"),
           [](Work& w) {
               for (std::size_t i = 0; i < w.output.count(); ++i)
                   w.output.set_bits(i, w.output.bits(i) & ~1ull);
           }),
    result("G-tail-repeats", "the rest after fours repeats the first number", "", On("random_bits"),
           [](Work& w) {
               const std::size_t n = w.output.count();
               if (n > 4 && n % 4 != 0) w.output.copy(n - 1, 0);
           }),
    result("G-pairs-swapped", "the third and fourth random number change places", "",
           On("random_bits").from(4),
           [](Work& w) {
               const auto third = w.output.bits(2);
               w.output.copy(2, 3);
               w.output.set_bits(3, third);
           }),
};

} // namespace

Table states() {
    return {rows, std::size(rows)};
}

} // namespace device_api::planted
