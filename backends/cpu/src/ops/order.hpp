// SPDX-License-Identifier: Apache-2.0
// Elements as unsigned keys in the order of sorting: NaN is the largest, both zeros are equal.
#pragma once

#include <cstdint>

#include "device_api/types.h"

namespace device_api::cpu {

enum class Order { kUnsigned, kSigned, kFloating };

inline Order order_of(unsigned dtype) {
    if (dtype >= DA_FLOAT16) return Order::kFloating;
    return dtype >= DA_INT8 && dtype <= DA_INT64 ? Order::kSigned : Order::kUnsigned;
}

// K is the unsigned type of the element's width.
template <class K>
constexpr K kSignBit = K(K(1) << (sizeof(K) * 8 - 1));

// Bits of infinity, by width and, of 16-bit floats, by type.
template <class K>
K infinity_of(unsigned dtype) {
    if (sizeof(K) == 8) return K(0x7ff0000000000000u);
    if (sizeof(K) == 4) return K(0x7f800000u);
    return K(dtype == DA_FLOAT16 ? 0x7c00u : 0x7f80u);
}

template <class K, Order order>
K key_of(K bits, K infinity) {
    constexpr K sign = kSignBit<K>;
    if (order == Order::kUnsigned) return bits;
    if (order == Order::kSigned) return K(bits ^ sign);
    const K size = K(bits & K(~sign));
    // Without branches: signs are hard to predict. Negative numbers are flipped whole.
    const K negative = K(K(0) - K(bits >> (sizeof(K) * 8 - 1)));
    const K key = size == 0 ? sign : K(bits ^ K(negative | sign));
    return K(key | K(K(0) - K(size > infinity)));
}

// The bits that a key came from; of a zero or NaN, one of several.
template <class K, Order order>
K bits_of(K key) {
    constexpr K sign = kSignBit<K>;
    if (order == Order::kUnsigned) return key;
    if (order == Order::kSigned) return K(key ^ sign);
    const K negative = K(K(key >> (sizeof(K) * 8 - 1)) - K(1));
    return K(key ^ K(negative | sign));
}

} // namespace device_api::cpu
