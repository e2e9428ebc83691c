// SPDX-License-Identifier: Apache-2.0
// What the native tests share: the loaded backend, tensors of any layout, a naive reference.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "device_api/backend.h"

namespace test {

// -- checks: a failed one is counted and printed; main() returns the number of failures --
void failed(const char* file, int line, const std::string& message);
#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) test::failed(__FILE__, __LINE__, test::text(__VA_ARGS__));               \
    } while (0)
std::string text(const char* format, ...) __attribute__((format(printf, 1, 2)));

// -- the backend under test --
struct Backend {
    const dab_backend* table = nullptr;
    dab_instance* self = nullptr;
    dab_stream stream = nullptr;
    std::vector<const dab_op*> ops; // by number
};
extern Backend backend;
// An instance with the given options (pairs); the status of `create` otherwise.
da_status make(const std::vector<const char*>& options, dab_instance** self);
dab_error last_error();

// -- facts of the op table --
struct OpFacts {
    unsigned op;
    const char* name;
    da_op_kind kind;
    da_dtype_mask dtypes;
};
const std::vector<OpFacts>& op_facts();
const char* dtype_name(unsigned dtype);
size_t dtype_size(unsigned dtype);
bool is_float(unsigned dtype);
bool is_signed(unsigned dtype);
int mantissa_bits(unsigned dtype); // with the hidden one

// -- elements: long double holds every value of every type here --
using Value = long double;
Value decode(unsigned dtype, const void* element);
void encode(unsigned dtype, void* element, Value value); // rounded half to even, once
Value rounded(unsigned dtype, Value value);
Value wrapped(unsigned dtype, __int128 value);
// Spacing of the type's numbers around a value.
Value spacing(unsigned dtype, Value value);
// Distance in units in the last place of the type; 0 for equal values and for two NaN.
double ulp_distance(unsigned dtype, Value got, Value wanted);

// -- tensors --
enum Layout { kDense, kTransposed, kSliced, kNegative, kMixed, kLayouts };

struct Tensor {
    Tensor(unsigned dtype, std::vector<int64_t> shape, Layout layout = kDense);
    // The same memory along a dimension that repeats.
    void repeat(int dimension);
    int64_t count() const;
    int64_t offset_of(int64_t linear) const; // elements, from the start of `memory`
    Value get(int64_t linear) const {
        return decode(dtype, memory.data() + offset_of(linear) * size);
    }
    void set(int64_t linear, Value v) {
        encode(dtype, memory.data() + offset_of(linear) * size, v);
    }
    std::vector<Value> values() const;
    void randomise(std::mt19937_64& random, bool small = false);
    da_tensor view() const;

    unsigned dtype;
    size_t size;
    std::vector<int64_t> shape, strides;
    int64_t origin = 0;
    std::vector<char> memory;
};

// Runs an op on tensors, inputs first; the status is checked to be DA_OK unless told otherwise.
da_status run(unsigned op, const std::vector<const Tensor*>& inputs, Tensor& out,
              const std::vector<da_value>& attributes = {}, dab_instance* self = nullptr);
// Everything outside the tensor's elements still has the value that it was made with.
bool surroundings_untouched(const Tensor& t);

// -- the tests, each in its file --
void test_elementwise();
void test_math();
void test_functions();
void test_special_values();
void test_complex();
void test_cast();
void test_move();
void test_create();
void test_reduce();
void test_matmul();
void test_index();
void test_normalize();
void test_order();
void test_window();
void test_runtime();
void test_telemetry();
void test_threads();

} // namespace test
