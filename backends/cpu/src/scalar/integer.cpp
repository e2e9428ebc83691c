// SPDX-License-Identifier: Apache-2.0
// Division of integers, rounded down; nothing traps.
#include <type_traits>

#include "scalar/loops.hpp"

namespace device_api::cpu::scalar {
namespace {

// By 0 gives 0; by -1 is a negation that wraps.
struct FloorDivide {
    template <class T>
    static T of(T x, T y) {
        typedef std::make_unsigned_t<T> U;
        if (y == 0) return 0;
        if (std::is_signed_v<T> && y == T(-1)) return T(U(U(0) - U(x)));
        const T q = T(x / y);
        return T(x % y) != 0 && (x < 0) != (y < 0) ? T(q - 1) : q;
    }
};
struct Remainder {
    template <class T>
    static T of(T x, T y) {
        if (y == 0 || (std::is_signed_v<T> && y == T(-1))) return 0;
        const T r = T(x % y);
        return r != 0 && (x < 0) != (y < 0) ? T(r + y) : r;
    }
};

template <class T>
void install(Kernels* table, unsigned dtype) {
    table->binary[DA_OP_FLOOR_DIVIDE][dtype] = each2<FloorDivide, T>;
    table->binary[DA_OP_REMAINDER][dtype] = each2<Remainder, T>;
}

} // namespace

void install_integer(Kernels* table) {
    install<int8_t>(table, DA_INT8);
    install<int16_t>(table, DA_INT16);
    install<int32_t>(table, DA_INT32);
    install<int64_t>(table, DA_INT64);
    install<uint8_t>(table, DA_UINT8);
    install<uint16_t>(table, DA_UINT16);
    install<uint32_t>(table, DA_UINT32);
    install<uint64_t>(table, DA_UINT64);
}

} // namespace device_api::cpu::scalar
