// SPDX-License-Identifier: Apache-2.0
// Philox 4x32-10 (Salmon, Moraes, Dror, Shaw 2011), several blocks side by side.
#include "level/simd.hpp"

DA_LEVEL_BEGIN

constexpr uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
constexpr int kSide = 16;

void rounds(uint32_t key0, uint32_t key1, uint32_t (*x)[kSide]) {
    for (int round = 0; round < 10; ++round) {
        for (int j = 0; j < kSide; ++j) {
            const uint64_t p0 = uint64_t(kMultiplier0) * x[0][j];
            const uint64_t p1 = uint64_t(kMultiplier1) * x[2][j];
            const uint32_t x1 = x[1][j], x3 = x[3][j];
            x[0][j] = uint32_t(p1 >> 32) ^ x1 ^ key0;
            x[1][j] = uint32_t(p1);
            x[2][j] = uint32_t(p0 >> 32) ^ x3 ^ key1;
            x[3][j] = uint32_t(p0);
        }
        key0 += kWeyl0;
        key1 += kWeyl1;
    }
}

// Writes 4 words for each of the blocks counter, counter + 1, ...
void philox(uint64_t seed, uint64_t counter, size_t blocks, uint32_t* out) {
    for (size_t i = 0; i < blocks; i += kSide) {
        uint32_t x[4][kSide];
        for (int j = 0; j < kSide; ++j) {
            const uint64_t c = counter + i + uint64_t(j);
            x[0][j] = uint32_t(c);
            x[1][j] = uint32_t(c >> 32);
            x[2][j] = x[3][j] = 0;
        }
        rounds(uint32_t(seed), uint32_t(seed >> 32), x);
        const size_t n = blocks - i < kSide ? blocks - i : kSide;
        for (size_t j = 0; j < n; ++j)
            for (int w = 0; w < 4; ++w) out[(i + j) * 4 + w] = x[w][j];
    }
}

} // namespace

void install_random(Kernels* table) { table->philox = philox; }

DA_LEVEL_END
