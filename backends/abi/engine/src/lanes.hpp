// SPDX-License-Identifier: Apache-2.0
// Functions of some doubles at once, to about 2^-50, for results that are rounded to float or less.
// Where such a value lies too near to a place at which the rounding changes, it is computed again
// by the C library: results are those of the C library, to the bit, whatever the lanes' number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#define DEVICE_API_ENGINE_INLINE [[gnu::always_inline]] inline

namespace device_api::engine {

/// A few doubles (V), and what goes with them: words of their bits, masks (each lane: all bits or
/// none), as many floats.
using Two = double __attribute__((vector_size(16)));
using Four = double __attribute__((vector_size(32)));
template <class V>
struct Kin;
template <>
struct Kin<Two> {
    using Word = std::uint64_t __attribute__((vector_size(16)));
    using Mask = std::int64_t __attribute__((vector_size(16)));
    using Floats = float __attribute__((vector_size(8)));
};
template <>
struct Kin<Four> {
    using Word = std::uint64_t __attribute__((vector_size(32)));
    using Mask = std::int64_t __attribute__((vector_size(32)));
    using Floats = float __attribute__((vector_size(16)));
};
template <class V>
using Word = typename Kin<V>::Word;
template <class V>
using Mask = typename Kin<V>::Mask;

template <class V>
DEVICE_API_ENGINE_INLINE V magnitude(V x) {
    return (V)((Word<V>)x & 0x7fffffffffffffffull);
}

/// Of the coefficients, the constant first; two chains.
template <class V, int N>
DEVICE_API_ENGINE_INLINE V polynomial(const double (&c)[N], V x) {
    const V square = x * x;
    V even = V{} + c[(N - 1) / 2 * 2], odd = V{} + c[N / 2 * 2 - 1];
    for (int i = (N - 1) / 2 * 2 - 2; i >= 0; i -= 2) even = even * square + c[i];
    for (int i = N / 2 * 2 - 3; i >= 0; i -= 2) odd = odd * square + c[i];
    return even + odd * x;
}

/// The nearest whole number, for |x| < 2^31, and that number in the low bits.
template <class V>
DEVICE_API_ENGINE_INLINE V whole(V x, Word<V>* bits) {
    constexpr double shift = 6755399441055744.0; // 1.5 * 2^52
    const V moved = x + shift;
    *bits = (Word<V>)moved;
    return moved - shift;
}

// The coefficients are those of interpolation at Chebyshev's nodes, computed with 60 digits.

/// e^x for x < 709; from -708 down: as of -708, which is 0 in every shorter type.
template <class V>
DEVICE_API_ENGINE_INLINE V exp_of(V x) {
    static constexpr double c[] = {
        0x1.0000000000000p+0,  0x1.000000000001ep+0,  0x1.0000000000005p-1,  0x1.555555554b756p-3,
        0x1.55555555520afp-5,  0x1.1111112dd69d0p-7,  0x1.6c16c17f43bb4p-10, 0x1.a01978c6535d9p-13,
        0x1.a019a66a30d25p-16, 0x1.72faf09088bbfp-19, 0x1.28a2c0eefafb5p-22};
    x = x < -708 ? V{} - 708 : x;
    Word<V> power;
    const V n = whole(x * 0x1.71547652b82fep+0, &power);
    const V r = x - n * 0x1.62e42fee00000p-1 - n * 0x1.a39ef35793c76p-33; // log(2)
    return (V)((Word<V>)polynomial(c, r) + (power << 52));
}

/// log(x) for normal numbers above 0.
template <class V>
DEVICE_API_ENGINE_INLINE V log_of(V x) {
    static constexpr double c[] = {0x1.0148458ae9e2fp+1, 0x1.5b883dd47fc90p-1, 0x1.a6fb02dac081cp-2,
                                   0x1.328cf19eaee5cp-2, 0x1.e3eb43277f339p-3, 0x1.91d5d1d62458fp-3,
                                   0x1.5938edc19fd60p-3, 0x1.2faf053fea899p-3};
    constexpr std::uint64_t one = 0x3ff0000000000000, root = 0x3fe6a09e667f3bcd; // of 1/2
    const Word<V> power = ((Word<V>)x + (one - root)) >> 52;                     // and 1023
    const V n = (V)(power | 0x4330000000000000) - (4503599627370496.0 + 1023);
    const V m = (V)((Word<V>)x - (power << 52) + one);
    const V s = (m - 1) / (m + 1);
    return n * 0x1.62e42fee00000p-1 +
           (s * polynomial(c, s * s - 61.0 / 4096) + n * 0x1.a39ef35793c76p-33);
}

/// sin(x + quarters * pi / 2) for |x| < 2^18, x a float.
template <class V>
DEVICE_API_ENGINE_INLINE V sine_of(V x, std::uint64_t quarters) {
    static constexpr double s[] = {
        0x1.e611ec1e80ae4p-1,  -0x1.4aea598ce8ec0p-3,  0x1.0b19565da3ff9p-7, -0x1.99048a563e4b8p-13,
        0x1.6cb5eb9465157p-19, -0x1.a94fde9d0b4a8p-26, 0x1.5d86e8caca497p-33};
    static constexpr double c[] = {0x1.b302c34d42bdep-1,  -0x1.e611ec1e80ae4p-2,
                                   0x1.4aea598ce8ebep-5,  -0x1.6421c87cdaaa1p-10,
                                   0x1.99048a564dc52p-16, -0x1.23c4bc76b95f7p-22,
                                   0x1.1b8a86ddf6793p-29, -0x1.8f7593d430661p-37};
    Word<V> quarter;
    const V n = whole(x * 0x1.45f306dc9c883p-1, &quarter);
    quarter += quarters;
    // pi / 2 in three parts; products with the first two are exact.
    const V r =
        x - n * 0x1.921fb54400000p+0 - n * 0x1.0b4611a600000p-34 - n * 0x1.3198a2e037073p-69;
    const V u = r * r - 79.0 / 256;
    const Word<V> odd = 0 - (quarter & 1);
    const V value = odd ? polynomial(c, u) : r * polynomial(s, u);
    return (V)((Word<V>)value ^ ((quarter & 2) << 62));
}

/// erf(x) for |x| < 3.
template <class V>
DEVICE_API_ENGINE_INLINE V erf_of(V x) {
    static constexpr double c[] = {
        0x1.e16a3caff3c6ep-2,   -0x1.a083c0494da8cp-5,  0x1.fdb6b7f8e6156p-8,
        -0x1.3cb6ac786f7ffp-10, 0x1.72f6124e70c69p-13,  -0x1.8ecf9e63332e8p-16,
        0x1.86474041d2dfap-19,  -0x1.5b8acee44798ep-22, 0x1.1a82a133c2606p-25,
        -0x1.a529880f82638p-29, 0x1.2148e9dc044e1p-32,  -0x1.6ffaf5b68ee0fp-36,
        0x1.b369a752d3329p-40,  -0x1.e14644c4af9f9p-44, 0x1.f2db1ca45ec73p-48,
        -0x1.e68f263b18281p-52, 0x1.c01acbc9755a0p-56,  -0x1.8783594f098a6p-60,
        0x1.43fa75b0e8c7ap-64,  -0x1.f0f7b941fe512p-69, 0x1.7713ce671f251p-73,
        -0x1.520fcffda2a6bp-77, 0x1.c9ba9b57e33a1p-82};
    return x * polynomial(c, x * x - 4.5);
}

/// Whether x +- (2^-38 |x| + error) rounds to one float, half or bfloat16: it does not where it
/// holds a number of 25 digits, which all places between two of those are.
template <class V>
DEVICE_API_ENGINE_INLINE Mask<V> certain(V x, double error = 0) {
    const V high = x * 268435457.0; // 2^28 + 1
    const V rest = x - (high - (high - x));
    return magnitude(rest) > magnitude(x) * 0x1p-38 + error;
}

/// Whether x, right to 2^-38 of itself where `inside` holds, rounds as the right value does.
template <class V>
DEVICE_API_ENGINE_INLINE Mask<V> rounds(Mask<V> inside, V x) {
    return inside & (certain(x) | (magnitude(x) < 0x1p-200)); // that is 0
}

constexpr std::int64_t group =
    64; // elements that are computed before what is not sure is looked at

/// y = f(x) of a group: f.lanes(x, &sure) where it is sure, else f of each.
template <class V, class F, class T>
DEVICE_API_ENGINE_INLINE void group_by_lanes(const T* x, T* y, const F& f) {
    using Part = std::conditional_t<std::is_same_v<T, float>, typename Kin<V>::Floats, V>;
    constexpr std::int64_t lanes = sizeof(V) / sizeof(double);
    alignas(64) T result[group];
    alignas(64) std::int64_t sure[group];
    Mask<V> together = ~Mask<V>{};
    for (std::int64_t i = 0; i < group; i += lanes) {
        Part part;
        std::memcpy(&part, x + i, sizeof part);
        Mask<V> mask;
        part = __builtin_convertvector(f.lanes(__builtin_convertvector(part, V), &mask), Part);
        std::memcpy(result + i, &part, sizeof part);
        std::memcpy(sure + i, &mask, sizeof mask);
        together &= mask;
    }
    std::int64_t all = -1;
    for (std::int64_t i = 0; i < lanes; ++i) all &= together[i];
    for (std::int64_t i = 0; !all && i < group; ++i)
        if (!sure[i]) result[i] = static_cast<T>(f(x[i]));
    std::memcpy(y, result, sizeof result);
}

template <class V, class F, class T>
DEVICE_API_ENGINE_INLINE void all_by_lanes(const T* x, T* y, std::int64_t n, const F& f) {
    std::int64_t i = 0;
    for (; i + group <= n; i += group) group_by_lanes<V>(x + i, y + i, f);
    if (i == n) return;
    T rest[group];
    for (std::int64_t k = 0; k < group; ++k) rest[k] = x[std::min(i + k, n - 1)];
    group_by_lanes<V>(rest, rest, f);
    std::copy(rest, rest + (n - i), y + i);
}

// The same source for wider registers.
#ifdef __x86_64__
template <class F, class T>
[[gnu::target("avx2")]] void by_four(const T* x, T* y, std::int64_t n, const F& f) {
    all_by_lanes<Four>(x, y, n, f);
}
#endif

/// y = f(x) of n numbers that become floats or less; x may be y.
template <class F, class T>
void by_lanes(const T* x, T* y, std::int64_t n, const F& f) {
#ifdef __x86_64__
    static const bool four = __builtin_cpu_supports("avx2");
    if (four) return by_four(x, y, n, f);
#endif
    all_by_lanes<Two>(x, y, n, f);
}

} // namespace device_api::engine
