// SPDX-License-Identifier: Apache-2.0
// Complex tensors of the native tests, of rank 1, and calls with any views.
#pragma once

#include <complex>

#include "support.hpp"

namespace test {

// Complex numbers in a row; every other one of a reversed, spaced memory when `apart`.
template <class T>
struct Row {
    explicit Row(size_t n, bool apart_ = false) : memory(apart_ ? 2 * n : n), apart(apart_) {
        shape[0] = int64_t(n);
        strides[0] = apart ? -2 : 1;
    }
    std::complex<T>& operator[](size_t i) { return memory[apart ? memory.size() - 1 - 2 * i : i]; }
    da_tensor view() {
        da_tensor t = {};
        t.storage = memory.data();
        t.storage_bytes = memory.size() * sizeof memory[0];
        t.data = &(*this)[0];
        t.shape = shape;
        t.strides = strides;
        t.rank = 1;
        t.dtype = sizeof(T) == 4 ? DA_COMPLEX64 : DA_COMPLEX128;
        t.flags = apart ? 0 : DA_TENSOR_CONTIGUOUS;
        return t;
    }
    std::vector<std::complex<T>> memory;
    bool apart;
    int64_t shape[1], strides[1];
};

inline da_status call(unsigned op, std::vector<da_tensor> tensors,
                      std::vector<da_value> attributes = {}) {
    dab_call c = {};
    c.size = sizeof c;
    c.op = uint16_t(op);
    c.n_inputs = uint8_t(tensors.size() - 1);
    c.n_outputs = 1;
    c.tensors = tensors.data();
    c.attributes = attributes.data();
    c.stream = backend.stream;
    return backend.ops[op]->run(backend.self, &c);
}

} // namespace test
