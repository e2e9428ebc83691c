// SPDX-License-Identifier: Apache-2.0
// Philox 4x32-10 (Salmon, Moraes, Dror, Shaw 2011), several blocks side by side.
//
// Each 32-bit word sits in the low half of a 64-bit lane. The high halves hold whatever is left
// over: multiplications look at the low halves only.
#include "level/simd.hpp"

DA_LEVEL_BEGIN

typedef uint64_t Word __attribute__((vector_size(DA_VECTOR_BYTES)));
constexpr size_t kSide = DA_VECTOR_BYTES / sizeof(uint64_t);
constexpr int kPairs = 2; // independent vectors, to hide the latency of the multiplications

// Products of the low halves.
DA_INLINE Word multiply(Word a, Word b) {
#if defined(__AVX512F__)
    return (Word)_mm512_maskz_mul_epu32(__mmask8(0xff), (__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (Word)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (Word)_mm_mul_epu32((__m128i)a, (__m128i)b);
#else
    return (a & 0xffffffffu) * (b & 0xffffffffu);
#endif
}

DA_INLINE Word repeat(uint64_t x) {
    return x - (Word){};
}

struct State {
    Word x[4];
};

DA_INLINE void round(State* s, uint32_t key0, uint32_t key1) {
    const Word p0 = multiply(s->x[0], repeat(0xD2511F53));
    const Word p1 = multiply(s->x[2], repeat(0xCD9E8D57));
    s->x[0] = (p1 >> 32) ^ s->x[1] ^ repeat(key0);
    s->x[2] = (p0 >> 32) ^ s->x[3] ^ repeat(key1);
    s->x[1] = p1;
    s->x[3] = p0;
}

DA_INLINE void start(State* s, uint64_t counter) {
    Word c = repeat(counter);
    for (size_t j = 0; j < kSide; ++j) c[j] += j;
    s->x[0] = c;
    s->x[1] = c >> 32;
    s->x[2] = s->x[3] = (Word){};
}

// Writes 4 words for each of the blocks counter, counter + 1, ...
void philox(uint64_t seed, uint64_t counter, size_t blocks, uint32_t* out) {
    for (size_t i = 0; i < blocks; i += kSide * kPairs) {
        State s[kPairs];
        for (int p = 0; p < kPairs; ++p) start(&s[p], counter + i + size_t(p) * kSide);
        uint32_t key0 = uint32_t(seed), key1 = uint32_t(seed >> 32);
        for (int r = 0; r < 10; ++r, key0 += 0x9E3779B9, key1 += 0xBB67AE85)
            for (int p = 0; p < kPairs; ++p) round(&s[p], key0, key1);
        uint64_t words[kPairs][4][kSide];
        __builtin_memcpy(words, s, sizeof words);
        const size_t n = blocks - i < kSide * kPairs ? blocks - i : kSide * kPairs;
        for (size_t j = 0; j < n; ++j)
            for (int w = 0; w < 4; ++w)
                out[(i + j) * 4 + size_t(w)] = uint32_t(words[j / kSide][w][j % kSide]);
    }
}

} // namespace

void install_random(Kernels* table) {
    table->philox = philox;
}

DA_LEVEL_END
