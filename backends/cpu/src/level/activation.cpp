// SPDX-License-Identifier: Apache-2.0
// Activation functions in float32, on vectors of the level's width.
#include "level/vector_math.hpp"

DA_LEVEL_BEGIN

DA_INLINE VF magnitude(VF x) {
    return bits(bits(x) & int32_t(0x7fffffff));
}
// NaN stays.
DA_INLINE VF at_most(VF x, float limit) {
    return select(x > limit, splat(limit), x);
}
DA_INLINE VF at_least(VF x, float limit) {
    return select(x < limit, splat(limit), x);
}

struct Relu {
    static DA_INLINE VF of(VF x) { return at_least(x, 0.0f); }
};
struct HardSwish {
    static DA_INLINE VF of(VF x) { return x * (at_most(at_least(x + 3.0f, 0.0f), 6.0f) / 6.0f); }
};
struct Sigmoid {
    static DA_INLINE VF of(VF x) {
        const VF e = exp_parts(-at_most(magnitude(x), 110.0f), splat(0.0f)).value();
        return quotient(select(x < 0.0f, e, splat(1.0f)), e + 1.0f);
    }
};

// x / (1 + e^-z) for z = high + low of the sign of x; x e^z / (1 + e^z) below 0.
DA_INLINE VF gate(VF x, VF high, VF low) {
    const VI negative = x < 0.0f;
    const ExpParts e = exp_parts(select(negative, high, -high), select(negative, low, -low));
    return quotient(select(negative, e.times(x), x), e.value() + 1.0f);
}

struct Silu {
    static DA_INLINE VF of(VF x) {
        const VF z = at_least(x, -110.0f);
        return gate(select(x < 0.0f, z, x), at_most(z, 110.0f), splat(0.0f));
    }
};
// z = 2 sqrt(2 / pi) (x + 0.044715 x^3).
struct GeluTanh {
    static DA_INLINE VF of(VF x) {
        const VF v = at_most(at_least(x, -12.0f), 12.0f);
        VF square_low, cube_low, low;
        const VF square = two_product(v, v, &square_low);
        const VF cube = two_product(square, splat(7.13548139e-2f), &cube_low);
        cube_low += square * 2.39883247e-9f + square_low * 7.13548139e-2f;
        const VF sum = cube + 1.59576917f, back = sum - cube;
        const VF sum_low =
            (cube - (sum - back)) + (1.59576917f - back) + (cube_low - 4.53406805e-8f);
        const VF z = two_product(v, sum, &low);
        return gate(select(x < 0.0f, v, x), z, low + v * sum_low);
    }
};
// x - x q and, below 0, x q with q = erfc(|x| / sqrt(2)) / 2 = e^(-x^2 / 2) g(1 / (1 + 0.3 |x|)).
struct Gelu {
    static DA_INLINE VF of(VF x) {
        const VF v = at_most(at_least(x, -15.0f), 15.0f);
        const VF t = quotient(splat(1.0f), magnitude(v) * 0.3f + 1.0f);
        VF g = t * 3.84262095e-2f + -1.69398487e-1f;
        g = g * t + 2.29138785e-1f;
        g = g * t + -7.70522024e-2f;
        g = g * t + 1.42911024e-1f;
        g = g * t + 9.45242884e-2f;
        g = g * t + 1.21960871e-1f;
        g = g * t + 1.19482042e-1f;
        g = g * t + 7.4979294e-6f;
        VF low;
        const VF square = two_product(v, v, &low);
        const VF tail = exp_parts(square * -0.5f, low * -0.5f).times(v * g);
        return select(bits(x) < 0, tail, x - tail); // by the sign bit: -0 stays
    }
};
// x n / (n + 2) with n = e (e + 2) and e = e^x.
struct Mish {
    static DA_INLINE VF of(VF x) {
        const VF v = at_most(at_least(x, -110.0f), 20.0f);
        const ExpParts parts = exp_parts(v, splat(0.0f));
        const VF e = parts.value(), y = parts.times(v * ((e + 2.0f) / (e * (e + 2.0f) + 2.0f)));
        return select(x > 20.0f, x, y);
    }
};

// Those with attributes. Their rounding to float32 would show in an exponent or beside
// cancellation, so the two that need more digits keep them.
struct Elu {
    explicit Elu(const double* p) : alpha(float(p[DA_ELU_ALPHA])) {}
    DA_INLINE VF operator()(VF x) const { return select(x > 0.0f, x, Expm1::of(x) * alpha); }
    float alpha;
};
struct Softplus {
    explicit Softplus(const double* p)
        : beta(float(p[DA_SOFTPLUS_BETA])),
          rest(float(p[DA_SOFTPLUS_BETA] - double(beta))),
          inverse(float(1 / p[DA_SOFTPLUS_BETA])),
          threshold(float(p[DA_SOFTPLUS_THRESHOLD])) {}
    DA_INLINE VF operator()(VF x) const {
        VF low;
        const VF z = two_product(x, splat(beta), &low), down = -magnitude(z);
        low = select(down > -110.0f, low + x * rest, splat(0.0f));
        const VF e = exp_parts(at_least(down, -110.0f), select(z < 0.0f, low, -low)).value();
        const VF y = (at_least(z, 0.0f) + Log1p::of(e)) * inverse;
        return select(z > threshold, x, select(x != x, x, y));
    }
    float beta, rest, inverse, threshold;
};

template <class F>
void attributed(size_t n, void* out, const void* a, const double* attributes) {
    const F f(attributes);
    float* o = static_cast<float*>(out);
    const float* x = static_cast<const float*>(a);
    size_t i = 0;
    for (; i + kLanes <= n; i += kLanes) store(o + i, f(load(x + i)));
    if (i < n) store_part(o + i, f(load_part(x + i, n - i)), n - i);
}

// In double, element by element: bound by memory all the same.
void leaky_relu(size_t n, void* out, const void* a, const double* attributes) {
    float* o = static_cast<float*>(out);
    const float* x = static_cast<const float*>(a);
    const double slope = attributes[DA_LEAKY_RELU_SLOPE];
    DA_INDEPENDENT
    for (size_t i = 0; i < n; ++i) {
        const float below = float(slope * x[i]), value = x[i];
        o[i] = value > 0 ? value : below;
    }
}
void hardsigmoid(size_t n, void* out, const void* a, const double* attributes) {
    float* o = static_cast<float*>(out);
    const float* x = static_cast<const float*>(a);
    const double slope = attributes[DA_HARDSIGMOID_SLOPE];
    const double offset = attributes[DA_HARDSIGMOID_OFFSET];
    DA_INDEPENDENT
    for (size_t i = 0; i < n; ++i) {
        const double v = slope * x[i] + offset, low = v < 0 ? 0 : v;
        o[i] = float(low > 1 ? 1 : low);
    }
}

template <class F>
void install(Kernels* table, unsigned op) {
    table->unary[op][DA_FLOAT32] = loop<F>;
    table->unary_stream[op][DA_FLOAT32] = stream<F>;
}

} // namespace

void install_activation(Kernels* table) {
    install<Relu>(table, DA_OP_RELU);
    install<HardSwish>(table, DA_OP_HARDSWISH);
    install<Sigmoid>(table, DA_OP_SIGMOID);
    install<Silu>(table, DA_OP_SILU);
    install<Gelu>(table, DA_OP_GELU);
    install<GeluTanh>(table, DA_OP_GELU_TANH);
    install<Mish>(table, DA_OP_MISH);
    MapAttributes(*rows)[kTypes] = table->attributed;
    rows[DA_OP_ELU - kFirstAttributed][DA_FLOAT32] = attributed<Elu>;
    rows[DA_OP_SOFTPLUS - kFirstAttributed][DA_FLOAT32] = attributed<Softplus>;
    rows[DA_OP_LEAKY_RELU - kFirstAttributed][DA_FLOAT32] = leaky_relu;
    rows[DA_OP_HARDSIGMOID - kFirstAttributed][DA_FLOAT32] = hardsigmoid;
}

DA_LEVEL_END
