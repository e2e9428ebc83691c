// SPDX-License-Identifier: Apache-2.0
// searchsorted: positions in an ascending vector.
#include <algorithm>

#include "ops/map.hpp"
#include "ops/order.hpp"
#include "ops/structured.hpp"
#include "pool.hpp"

namespace device_api::cpu {
namespace {

struct Search {
    Nest nest; // operands: values, output
    const void* sorted;
    int64_t length, step;
    const void* values;
    int64_t* out;
    unsigned dtype;
    bool right;
};

// How many elements are below the key, or not above it.
template <class K, Order order>
int64_t position(const Search& job, K wanted, K infinity) {
    const K* x = static_cast<const K*>(job.sorted);
    int64_t begin = 0, n = job.length;
    while (n > 0) {
        const int64_t half = n / 2;
        const K key = key_of<K, order>(x[(begin + half) * job.step], infinity);
        const bool after = key < wanted || (job.right && key == wanted);
        begin = after ? begin + half + 1 : begin;
        n = after ? n - half - 1 : half;
    }
    return begin;
}

template <class K, Order order>
void search(const dab_instance* self, const Search& job) {
    const K* values = static_cast<const K*>(job.values);
    const K infinity = infinity_of<K>(job.dtype);
    const int64_t n = job.nest.elements(), chunk = 1 << 12;
    auto body = [&](int64_t c) {
        const int64_t end = std::min(n, (c + 1) * chunk);
        Walk walk(job.nest, job.nest.rank, c * chunk);
        for (int64_t i = c * chunk; i < end; ++i) {
            const K key = key_of<K, order>(values[walk.offset(0)], infinity);
            job.out[walk.offset(1)] = position<K, order>(job, key, infinity);
            if (i + 1 < end) walk.next();
        }
    };
    parallel(n < kParallelElementsCostly ? 1 : self->threads, (n + chunk - 1) / chunk, body);
}

using Loop = void (*)(const dab_instance*, const Search&);

Loop loop_of(unsigned dtype) {
    constexpr Loop loops[3][4] = {
        {search<uint8_t, Order::kUnsigned>, search<uint16_t, Order::kUnsigned>,
         search<uint32_t, Order::kUnsigned>, search<uint64_t, Order::kUnsigned>},
        {search<uint8_t, Order::kSigned>, search<uint16_t, Order::kSigned>,
         search<uint32_t, Order::kSigned>, search<uint64_t, Order::kSigned>},
        {nullptr, search<uint16_t, Order::kFloating>, search<uint32_t, Order::kFloating>,
         search<uint64_t, Order::kFloating>}};
    return loops[int(order_of(dtype))][kWidth[dtype]];
}

} // namespace

da_status run_searchsorted(dab_instance* self, const dab_call* call) {
    const da_tensor &x = call->tensors[0], &values = call->tensors[1], &out = call->tensors[2];
    if (x.dtype > DA_FLOAT64 || x.rank != 1) return unsupported(call);
    Search job;
    job.nest.operands = 2;
    for (int d = 0; d < values.rank; ++d) {
        const int64_t strides[] = {values.strides[d], out.strides[d]};
        job.nest.push(values.shape[d], strides);
    }
    job.nest.sort();
    job.nest.merge();
    job.sorted = x.data;
    job.length = x.shape[0];
    job.step = x.strides[0];
    job.values = values.data;
    job.out = static_cast<int64_t*>(out.data);
    job.dtype = x.dtype;
    job.right = call->attributes[DA_SEARCHSORTED_RIGHT].u != 0;
    loop_of(x.dtype)(self, job);
    return DA_OK;
}

} // namespace device_api::cpu
