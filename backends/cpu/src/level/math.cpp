// SPDX-License-Identifier: Apache-2.0
// Exponential, logarithm and hyperbolic tangent in float32, on vectors of the level's width.
//
// The polynomials are least-squares fits at Chebyshev nodes, weighted for relative error. Every
// element goes through the same vector code, also in the tail, so a result depends on its input
// only. Subnormal inputs and results are kept.
#include "level/vector_math.hpp"

DA_LEVEL_BEGIN

struct Log {
    static DA_INLINE VF of(VF x) {
        const VI tiny = x < 1.17549435e-38f;
        const VF scaled = select(tiny, x * 8388608.0f, x);
        // Exponent and mantissa such that the mantissa lies in [sqrt(1/2), sqrt(2)).
        const VI offset = minus(bits(scaled), splat(int32_t(0x3f3504f3)));
        const VI exponent = (offset >> 23) + (tiny & splat(int32_t(-23)));
        const VF f = bits(minus(bits(scaled), offset & int32_t(0xff800000))) - 1.0f;
        const VF e = __builtin_convertvector(exponent, VF);
        VF y = log_reduced(f, e);
        const VF infinity = splat(__builtin_inff());
        y = select(x == infinity, x, y);
        y = select(x == 0.0f, -infinity, y);
        return select(x < 0.0f, splat(__builtin_nanf("")), select(x != x, x, y));
    }
};

struct Tanh {
    static DA_INLINE VF of(VF x) {
        const VI sign = bits(x) & int32_t(0x80000000);
        const VF a = bits(bits(x) ^ sign);
        // Small: x + x^3 q(x^2).
        const VF square = a * a;
        VF q = square * -5.68097449e-3f + 2.06204679e-2f;
        q = q * square + -5.37351230e-2f;
        q = q * square + 1.33314052e-1f;
        q = q * square + -3.33332816e-1f;
        const VF small = (a * square) * q + a;
        // Large: 1 - 2 / (e^(2 a) + 1), which is 1 from 9.02 on.
        const VF z = select(a > 10.0f, splat(10.0f), a) * 2.0f;
        const VF shifted = z * 1.44269504f + kRoundShift;
        const VF n = shifted - kRoundShift;
        const VF r = (z - n * kLn2High) - n * kLn2Low;
        const VI whole = minus(bits(shifted), bits(splat(kRoundShift)));
        const VF large = 1.0f - two_over(exp_reduced(r) * power_of_two(whole) + 1.0f);
        const VF y = select(a < 0.625f, small, large);
        return select(x != x, x, bits(bits(y) | sign));
    }
};

} // namespace

void install_math(Kernels* table) {
    table->unary[DA_OP_EXP][DA_FLOAT32] = loop<Exp>;
    table->unary_stream[DA_OP_EXP][DA_FLOAT32] = stream<Exp>;
    table->unary[DA_OP_LOG][DA_FLOAT32] = loop<Log>;
    table->unary_stream[DA_OP_LOG][DA_FLOAT32] = stream<Log>;
    table->unary[DA_OP_TANH][DA_FLOAT32] = loop<Tanh>;
    table->unary_stream[DA_OP_TANH][DA_FLOAT32] = stream<Tanh>;
}

DA_LEVEL_END
