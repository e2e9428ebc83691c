// SPDX-License-Identifier: Apache-2.0
// Sine, cosine, error function, expm1 and log1p in float32, on vectors of the level's width.
#include "level/vector_math.hpp"

DA_LEVEL_BEGIN

struct Erf {
    static DA_INLINE VF of(VF x) {
        const VI sign = bits(x) & int32_t(0x80000000);
        const VF a = bits(bits(x) ^ sign);
        // Small: x p(x^2).
        const VF square = a * a;
        VF p = square * -5.99939654e-4f + 4.99482831e-3f;
        p = p * square + -2.67677184e-2f;
        p = p * square + 1.12818459e-1f;
        p = p * square + -3.76124965e-1f;
        p = p * square + 1.12837915f;
        const VF small = a * p;
        // Large: 1 - e^l(x), with l the logarithm of erfc; 1 from 4.2 on.
        const VF z = select(a > 4.2f, splat(4.2f), a);
        VF l = z * 2.03681858e-4f + -3.11789945e-3f;
        l = l * z + 2.2519217e-2f;
        l = l * z + -1.04526233e-1f;
        l = l * z + -6.36518628e-1f;
        l = l * z + -1.12806117f;
        l = l * z + -1.04489519e-4f;
        const VF large = 1.0f - exp_parts(l, splat(0.0f)).value();
        const VF y = select(a < 0.92f, small, large);
        return select(x != x, x, bits(bits(y) | sign));
    }
};

// Half as many lanes, in double: the reduced argument keeps its digits.
constexpr size_t kHalf = kLanes / 2;
typedef float HF __attribute__((vector_size(DA_VECTOR_BYTES / 2)));
typedef double VD __attribute__((vector_size(DA_VECTOR_BYTES)));
typedef int64_t VL __attribute__((vector_size(DA_VECTOR_BYTES)));

constexpr uint32_t kLargest = 0x4c000000; // bits of 2^25: beyond, the C library reduces

// sin(x + quarter pi / 2) for |x| <= 2^25. pi / 2 in parts of 27 bits: products are exact.
DA_INLINE HF sine(HF single, int64_t quarter) {
    const VD x = __builtin_convertvector(single, VD);
    const VD shifted = x * 0.63661977236758134308 + 6755399441055744.0; // 1.5 * 2^52
    const VD n = shifted - 6755399441055744.0;
    const VD r =
        ((x - n * 1.570796325802803) - n * 9.920935739593517e-10) - n * 5.721188726109832e-18;
    const VL turns = (VL)shifted + quarter;
    const VD s = r * r;
    VD a = s * 2.717358722590588e-06 + -0.0001983923481717455;
    a = a * s + 0.008333329075522278;
    a = a * s + -0.1666666663896528;
    a = (a * s + 1.0) * r;
    VD b = s * 2.4372730789715705e-05 + -0.001388656510922124;
    b = b * s + 0.04166661662330824;
    b = b * s + -0.49999999661002464;
    b = b * s + 1.0;
    const VD y = (turns & 1) != 0 ? b : a;
    return __builtin_convertvector((VD)((VL)y ^ ((turns & 2) << 62)), HF);
}

struct Sin {
    static constexpr int64_t quarter = 0;
    static float of(float x) { return __builtin_sinf(x); }
};
struct Cos {
    static constexpr int64_t quarter = 1;
    static float of(float x) { return __builtin_cosf(x); }
};

constexpr size_t kBlock = 64;

// Arguments too large for the vectors are done again, one by one.
template <class F>
DA_INLINE void block(float* results, const float* arguments) {
    uint32_t beyond = 0;
    for (size_t j = 0; j < kBlock; ++j) {
        uint32_t b;
        __builtin_memcpy(&b, &arguments[j], sizeof b);
        beyond |= (b & 0x7fffffff) > kLargest;
    }
    for (size_t j = 0; j < kBlock; j += kHalf) {
        HF v;
        __builtin_memcpy(&v, arguments + j, sizeof v);
        const HF y = sine(v, F::quarter);
        __builtin_memcpy(results + j, &y, sizeof y);
    }
    for (size_t j = 0; beyond && j < kBlock; ++j)
        if (!(__builtin_fabsf(arguments[j]) <= 33554432.0f)) results[j] = F::of(arguments[j]);
}

template <class F>
void angles(size_t n, void* out, const void* in) {
    float* o = static_cast<float*>(out);
    const float* x = static_cast<const float*>(in);
    float arguments[kBlock] = {}, results[kBlock];
    size_t i = 0;
    for (; i + kBlock <= n; i += kBlock) {
        __builtin_memcpy(arguments, x + i, sizeof arguments);
        block<F>(results, arguments);
        __builtin_memcpy(o + i, results, sizeof results);
    }
    if (i == n) return;
    for (size_t j = i; j < n; ++j) arguments[j - i] = x[j];
    block<F>(results, arguments);
    for (size_t j = i; j < n; ++j) o[j] = results[j - i];
}

template <class F>
void install(Kernels* table, unsigned op) {
    table->unary[op][DA_FLOAT32] = loop<F>;
    table->unary_stream[op][DA_FLOAT32] = stream<F>;
}

} // namespace

void install_special(Kernels* table) {
    install<Erf>(table, DA_OP_ERF);
    install<Expm1>(table, DA_OP_EXPM1);
    install<Log1p>(table, DA_OP_LOG1P);
    table->unary[DA_OP_SIN][DA_FLOAT32] = angles<Sin>;
    table->unary[DA_OP_COS][DA_FLOAT32] = angles<Cos>;
}

DA_LEVEL_END
