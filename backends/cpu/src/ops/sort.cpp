// SPDX-License-Identifier: Apache-2.0
// sort, argsort and topk: stable; radix sort of long lines, merge sort of short ones.
#include <algorithm>
#include <atomic>
#include <cstring>

#include "ops/map.hpp"
#include "ops/order.hpp"
#include "ops/structured.hpp"
#include "ops/temporary.hpp"
#include "pool.hpp"

namespace device_api::cpu {
namespace {

constexpr int64_t kShort = 256; // elements that are merge sorted
constexpr int64_t kRoom = 1024; // candidates of topk that are kept at least

struct Lines : AxisLines {
    int64_t count; // of outputs along the axis
    unsigned op;
    unsigned dtype;
    bool down;
};

template <class K, class I>
struct Pair {
    K key;
    I index;
    bool operator<(const Pair& other) const { return key < other.key; }
};

template <class K, class I>
K digits_of(const Pair<K, I>& e) {
    return e.key;
}
template <class K>
K digits_of(K key) {
    return key;
}

// Least significant digit first; passes in which all elements have one digit are left out.
// Returns the one of the two arrays that holds the result.
template <class K, class E>
E* radix_sort(E* a, E* b, size_t n) {
    constexpr int passes = sizeof(K);
    size_t counts[passes][256];
    std::memset(counts, 0, sizeof counts);
    for (size_t i = 0; i < n; ++i) {
        const K key = digits_of(a[i]);
        for (int p = 0; p < passes; ++p) ++counts[p][size_t(key >> (8 * p)) & 255];
    }
    for (int p = 0; p < passes; ++p) {
        size_t* count = counts[p];
        if (count[size_t(digits_of(a[0]) >> (8 * p)) & 255] == n) continue;
        size_t sum = 0;
        for (int d = 0; d < 256; ++d) {
            const size_t here = count[d];
            count[d] = sum;
            sum += here;
        }
        for (size_t i = 0; i < n; ++i) b[count[size_t(digits_of(a[i]) >> (8 * p)) & 255]++] = a[i];
        std::swap(a, b);
    }
    return a;
}

template <class K, class E>
E* sorted(E* a, E* b, int64_t n) {
    if (n > kShort) return radix_sort<K, E>(a, b, size_t(n));
    for (int64_t i = 1; i < std::min<int64_t>(n, 16); ++i) { // insertion
        const E e = a[i];
        int64_t j = i;
        for (; j > 0 && e < a[j - 1]; --j) a[j] = a[j - 1];
        a[j] = e;
    }
    if (n > 16) std::stable_sort(a, a + n);
    return a;
}

// Writes keys as elements, in order. Zeros and NaN come in several forms: they are copied in the
// order that they have in the input.
template <class K, Order order>
struct Writer {
    const Lines& lines;
    const K* x;
    K* y;
    int64_t zero = 0, nan = 0;

    void operator()(int64_t i, K key) {
        const K infinity = infinity_of<K>(lines.dtype);
        K bits = bits_of<K, order>(key);
        if (order == Order::kFloating && (key == kSignBit<K> || key == K(~K(0)))) {
            int64_t& next = key == kSignBit<K> ? zero : nan;
            while (key_of<K, order>(x[next * lines.in_step], infinity) != key) ++next;
            bits = x[next++ * lines.in_step];
        }
        y[i * lines.out_step] = bits;
    }
};

// Types of 8 and 16 bits: how often each key occurs is enough.
template <class K, Order order>
void count_values(const Lines& lines, const K* x, Writer<K, order> write) {
    constexpr size_t keys = size_t(1) << (8 * sizeof(K));
    const K infinity = infinity_of<K>(lines.dtype);
    int64_t counts[keys] = {};
    for (int64_t i = 0; i < lines.length; ++i)
        ++counts[key_of<K, order>(x[i * lines.in_step], infinity)];
    int64_t i = 0;
    for (size_t k = 0; k < keys; ++k) {
        const size_t key = lines.down ? keys - 1 - k : k;
        for (const int64_t end = i + counts[key]; i < end; ++i) write(i, K(key));
    }
}

template <class K>
bool countable(const Lines& lines) {
    return sizeof(K) <= 2 && lines.length >= int64_t(1) << (sizeof(K) == 1 ? 6 : 15);
}

template <class K, Order order>
void values(const Lines& lines, const K* x, K* y, K* memory) {
    Writer<K, order> write{lines, x, y};
    if constexpr (sizeof(K) <= 2)
        if (countable<K>(lines)) return count_values<K, order>(lines, x, write);
    const K infinity = infinity_of<K>(lines.dtype);
    const K flip = lines.down ? K(~K(0)) : K(0);
    const int64_t n = lines.length;
    for (int64_t i = 0; i < n; ++i)
        memory[i] = K(key_of<K, order>(x[i * lines.in_step], infinity) ^ flip);
    const K* keys = sorted<K, K>(memory, memory + n, n);
    for (int64_t i = 0; i < n; ++i) write(i, K(keys[i] ^ flip));
}

// Whether, and with room for how many candidates, first_of serves.
bool few(const Lines& lines) {
    return lines.count < lines.length / 4;
}
int64_t few_room(const Lines& lines) {
    return std::min(lines.length, std::max(2 * lines.count, kRoom));
}

// The first k of many, k < n / 4: those before the last k-th one seen are kept, in any order, and
// cut down to k when there are twice as many.
template <class K, Order order, class I>
void first_of(const Lines& lines, const K* x, Pair<K, I>* kept) {
    using E = Pair<K, I>;
    const K infinity = infinity_of<K>(lines.dtype);
    const K flip = lines.down ? K(~K(0)) : K(0);
    const int64_t n = lines.length, k = lines.count, room = few_room(lines);
    const auto before = [](const E& a, const E& b) {
        return a.key != b.key ? a.key < b.key : a.index < b.index;
    };
    int64_t count = 0;
    bool full = false; // k or more have been seen, and `limit` is the key of the k-th
    K limit = 0;
    for (int64_t i = 0; i < n; ++i) {
        const K key = K(key_of<K, order>(x[i * lines.in_step], infinity) ^ flip);
        if (full && key >= limit) continue;
        kept[count++] = {key, I(i)};
        if (count < room) continue;
        std::nth_element(kept, kept + k - 1, kept + count, before);
        count = k;
        limit = kept[k - 1].key;
        full = true;
    }
    std::sort(kept, kept + count, before);
}

template <class K, Order order, class I>
void indices(const Lines& lines, const K* x, int64_t* y, Pair<K, I>* memory) {
    using E = Pair<K, I>;
    const K infinity = infinity_of<K>(lines.dtype);
    const K flip = lines.down ? K(~K(0)) : K(0);
    const int64_t n = lines.length, k = lines.count;
    E* result = memory;
    if (few(lines)) {
        first_of<K, order>(lines, x, memory);
    } else {
        for (int64_t i = 0; i < n; ++i)
            memory[i] = {K(key_of<K, order>(x[i * lines.in_step], infinity) ^ flip), I(i)};
        result = sorted<K, E>(memory, memory + n, n);
    }
    for (int64_t i = 0; i < k; ++i) y[i * lines.out_step] = int64_t(result[i].index);
}

// Calls f(line of the input, line of the output, memory for `room` of E) for all lines.
template <class E, class K, class Y, class F>
da_status for_each_line(const dab_instance* self, const Lines& lines, int64_t room, F f) {
    const int64_t count = lines.nest.elements();
    const int64_t group = std::max<int64_t>(1, (1 << 14) / lines.length);
    std::atomic<bool> failed{false};
    auto body = [&](int64_t g) {
        const Scratch<E> memory = scratch<E>(room);
        if (!memory) {
            failed = true;
            return;
        }
        const int64_t end = std::min(count, (g + 1) * group);
        Walk walk(lines.nest, lines.nest.rank, g * group);
        for (int64_t i = g * group; i < end; ++i) {
            f(lines, static_cast<const K*>(lines.in) + walk.offset(0),
              static_cast<Y*>(lines.out) + walk.offset(1), memory.get());
            if (i + 1 < end) walk.next();
        }
    };
    const bool large = count * lines.length >= kParallelElementsCostly;
    parallel(large ? self->threads : 1, (count + group - 1) / group, body);
    if (failed)
        return fail(DA_OUT_OF_MEMORY, "free tensors, or work on smaller parts",
                    "sort: no memory for a copy of a line of %lld elements",
                    static_cast<long long>(lines.length));
    return DA_OK;
}

template <class K, Order order>
da_status sort_lines(const dab_instance* self, const Lines& lines) {
    if (lines.op == DA_OP_SORT) {
        const int64_t room = countable<K>(lines) ? 1 : 2 * lines.length;
        return for_each_line<K, K, K>(self, lines, room, values<K, order>);
    }
    const int64_t room = few(lines) ? few_room(lines) : 2 * lines.length;
    if (lines.length <= int64_t(UINT32_MAX))
        return for_each_line<Pair<K, uint32_t>, K, int64_t>(self, lines, room,
                                                            indices<K, order, uint32_t>);
    return for_each_line<Pair<K, int64_t>, K, int64_t>(self, lines, room,
                                                       indices<K, order, int64_t>);
}

using Loop = da_status (*)(const dab_instance*, const Lines&);

Loop loop_of(unsigned dtype) {
    constexpr Loop loops[3][4] = {
        {sort_lines<uint8_t, Order::kUnsigned>, sort_lines<uint16_t, Order::kUnsigned>,
         sort_lines<uint32_t, Order::kUnsigned>, sort_lines<uint64_t, Order::kUnsigned>},
        {sort_lines<uint8_t, Order::kSigned>, sort_lines<uint16_t, Order::kSigned>,
         sort_lines<uint32_t, Order::kSigned>, sort_lines<uint64_t, Order::kSigned>},
        {nullptr, sort_lines<uint16_t, Order::kFloating>, sort_lines<uint32_t, Order::kFloating>,
         sort_lines<uint64_t, Order::kFloating>}};
    return loops[int(order_of(dtype))][kWidth[dtype]];
}

} // namespace

da_status run_sort(dab_instance* self, const dab_call* call) {
    const da_tensor &in = call->tensors[0], &out = call->tensors[1];
    const int64_t axis = call->attributes[DA_SORT_AXIS].i;
    if (in.dtype > DA_FLOAT64) return unsupported(call);
    if (const da_status bad = check_axis(call, axis)) return bad;
    Lines lines;
    static_cast<AxisLines&>(lines) = lines_along(in, out, axis);
    lines.count = out.shape[axis];
    lines.op = call->op;
    lines.dtype = in.dtype;
    const uint64_t flag = call->attributes[DA_SORT_DESCENDING].u; // of topk: smallest
    lines.down = call->op == DA_OP_TOPK ? flag == 0 : flag != 0;
    if (lines.count > lines.length)
        return fail(DA_INVALID_ARGUMENT, "pass k <= size of the axis",
                    "topk: %lld elements of an axis of %lld", static_cast<long long>(lines.count),
                    static_cast<long long>(lines.length));
    return loop_of(in.dtype)(self, lines);
}

} // namespace device_api::cpu
