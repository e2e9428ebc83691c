// SPDX-License-Identifier: Apache-2.0
// Ops without inputs: fill, iota, random_bits.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "ops/map.hpp"
#include "ops/ops.hpp"
#include "pool.hpp"

namespace device_api::cpu {
namespace {

constexpr int64_t kBlock = 1024;

// Double to a 16-bit float in one rounding.
void encode_half(const Kernels& k, unsigned dtype, int64_t n, void* out, const double* in) {
    float middle[kBlock];
    k.to_odd[DA_FLOAT64](size_t(n), middle, in);
    k.convert[DA_FLOAT32][dtype](size_t(n), out, middle);
}

// An attribute as one element.
void encode(const Kernels& k, unsigned dtype, const da_value& value, void* out) {
    if (is_half(dtype)) {
        encode_half(k, dtype, 1, out, &value.f);
    } else if (dtype == DA_FLOAT32) {
        const float x = float(value.f);
        std::memcpy(out, &x, sizeof x);
    } else if (dtype == DA_COMPLEX64) {
        const float parts[] = {float(value.c[0]), float(value.c[1])};
        std::memcpy(out, parts, sizeof parts);
    } else if (dtype == DA_BOOL) {
        *static_cast<uint8_t*>(out) = value.u != 0;
    } else {
        std::memcpy(out, &value, size_t(size_of(dtype))); // low bytes of i or u; f or c
    }
}

// Elements begin .. begin + n - 1 of the sequence start, start + step, ...
void sequence(const Kernels& k, unsigned dtype, const da_value& start, const da_value& step,
              int64_t begin, int64_t n, void* out) {
    if (dtype == DA_FLOAT32 || dtype == DA_FLOAT64 || is_half(dtype)) {
        double values[kBlock];
        for (int64_t i = 0; i < n; ++i) values[i] = std::fma(double(begin + i), step.f, start.f);
        if (is_half(dtype))
            encode_half(k, dtype, n, out, values);
        else if (dtype == DA_FLOAT32)
            k.convert[DA_FLOAT64][DA_FLOAT32](size_t(n), out, values);
        else
            std::memcpy(out, values, size_t(n) * sizeof(double));
        return;
    }
    uint64_t values[kBlock];
    for (int64_t i = 0; i < n; ++i) values[i] = start.u + uint64_t(begin + i) * step.u;
    if (dtype == DA_INT64 || dtype == DA_UINT64)
        std::memcpy(out, values, size_t(n) * sizeof(uint64_t));
    else
        k.convert[DA_UINT64][dtype](size_t(n), out, values);
}

// Calls body(first, n, dense) for blocks of the output in the order of its indices. What body
// writes to `dense` ends up in the output, whatever its layout.
template <class Body>
void for_blocks(const dab_instance* self, const da_tensor& out, Body& body) {
    const int width = kWidth[out.dtype];
    const int64_t n = elements(out);
    if (n == 0) return;
    Nest nest;
    nest.operands = 1;
    for (int d = 0; d < out.rank; ++d) nest.push(out.shape[d], &out.strides[d]);
    nest.merge(); // not sorted: the order of the elements counts
    const int64_t length = nest.rank ? nest.shape[nest.rank - 1] : 1;
    const int64_t stride = nest.rank ? nest.stride[nest.rank - 1][0] : 1;
    const int64_t blocks = (length + kBlock - 1) / kBlock; // of each row
    const int64_t group = std::max<int64_t>(1, 64 * kBlock / std::min(length, kBlock));
    const int64_t total = n / length * blocks;
    auto work = [&](int64_t chunk) {
        alignas(64) char buffer[kBlock * 16];
        for (int64_t b = chunk * group; b < std::min(total, (chunk + 1) * group); ++b) {
            const int64_t row = b / blocks, first = b % blocks * kBlock;
            const int64_t m = std::min(kBlock, length - first);
            const Walk walk(nest, std::max(nest.rank - 1, 0), row);
            char* target = static_cast<char*>(out.data) +
                           (walk.offset(0) + first * stride) * (int64_t(1) << width);
            body(row * length + first, m, stride == 1 ? target : buffer);
            if (stride != 1) self->kernels->scatter[width](size_t(m), target, stride, buffer);
        }
    };
    parallel(n < kParallelElements ? 1 : self->threads, (total + group - 1) / group, work);
}

} // namespace

da_status run_fill(dab_instance* self, const dab_call* call) {
    const da_tensor& out = call->tensors[0];
    if (out.dtype >= kTypes) return unsupported(call);
    alignas(16) char value[16];
    encode(*self->kernels, out.dtype, call->attributes[DA_FILL_VALUE], value);
    // A copy of one element with stride 0.
    static const int64_t zeros[DA_MAX_RANK] = {};
    da_tensor tensors[2] = {out, out};
    tensors[0].data = value;
    tensors[0].strides = zeros;
    dab_call copy = *call;
    copy.tensors = tensors;
    return run_copy(self, &copy);
}

da_status run_iota(dab_instance* self, const dab_call* call) {
    const da_tensor& out = call->tensors[0];
    if (out.dtype >= kTypes) return unsupported(call);
    const da_value& start = call->attributes[DA_IOTA_START];
    const da_value& step = call->attributes[DA_IOTA_STEP];
    auto body = [&](int64_t first, int64_t n, void* dense) {
        sequence(*self->kernels, out.dtype, start, step, first, n, dense);
    };
    for_blocks(self, out, body);
    return DA_OK;
}

da_status run_random_bits(dab_instance* self, const dab_call* call) {
    const da_tensor& out = call->tensors[0];
    if (out.dtype != DA_UINT32) return unsupported(call);
    const uint64_t seed = call->attributes[DA_RANDOM_BITS_SEED].u;
    const uint64_t offset = call->attributes[DA_RANDOM_BITS_OFFSET].u;
    auto body = [&](int64_t first, int64_t n, void* dense) {
        // A block of the output may start and end inside a block of four words.
        uint32_t words[kBlock + 8];
        const uint64_t skip = uint64_t(first) % 4;
        const size_t blocks = (size_t(n) + skip + 3) / 4;
        self->kernels->philox(seed, offset + uint64_t(first) / 4, blocks, words);
        std::memcpy(dense, words + skip, size_t(n) * sizeof(uint32_t));
    };
    for_blocks(self, out, body);
    return DA_OK;
}

} // namespace device_api::cpu
