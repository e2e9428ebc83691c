// SPDX-License-Identifier: Apache-2.0
// Elementwise ops of every type and layout against scalar arithmetic; results are exact.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "support.hpp"

namespace test {
namespace {

using Shape = std::vector<int64_t>;

// Arithmetic that rounds like the type: exact in double before the one rounding for types of 24
// bits or less (double has more than twice as many), the machine's own for float64.
Value real_binary(unsigned op, Value a, Value b) {
    const double x = double(a), y = double(b);
    switch (op) {
    case DA_OP_ADD: return x + y;
    case DA_OP_SUB: return x - y;
    case DA_OP_MUL: return x * y;
    case DA_OP_DIV: return x / y;
    case DA_OP_MAXIMUM: return std::isnan(x) || x > y ? x : y;
    default: return std::isnan(x) || x < y ? x : y;
    }
}

__int128 integer_power(unsigned dtype, __int128 base, __int128 exponent) {
    if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 != 0 ? -1 : 1) : 0;
    uint64_t result = 1, square = uint64_t(base);
    for (uint64_t e = uint64_t(exponent); e != 0; e >>= 1) {
        if (e & 1) result *= square;
        square *= square;
    }
    (void)dtype;
    return result;
}

Value integer_binary(unsigned op, unsigned dtype, Value a, Value b) {
    const __int128 x = __int128(a), y = __int128(b);
    switch (op) {
    case DA_OP_ADD: return wrapped(dtype, x + y);
    case DA_OP_SUB: return wrapped(dtype, x - y);
    case DA_OP_MUL: return wrapped(dtype, __int128(uint64_t(x) * uint64_t(y)));
    case DA_OP_MAXIMUM: return Value(x > y ? x : y);
    case DA_OP_MINIMUM: return Value(x < y ? x : y);
    default: return wrapped(dtype, integer_power(dtype, x, y));
    }
}

Value binary(unsigned op, unsigned dtype, Value a, Value b) {
    switch (op) {
    case DA_OP_EQUAL: return a == b;
    case DA_OP_LESS: return a < b;
    case DA_OP_NOT_EQUAL: return a != b;
    case DA_OP_LESS_EQUAL: return a <= b;
    case DA_OP_COPYSIGN: return std::copysign(a, b);
    case DA_OP_BITWISE_XOR: return wrapped(dtype, __int128(a) ^ __int128(b));
    case DA_OP_LOGICAL_AND: return a != 0 && b != 0;
    case DA_OP_LOGICAL_OR: return a != 0 || b != 0;
    default: return is_float(dtype) ? real_binary(op, a, b) : integer_binary(op, dtype, a, b);
    }
}

Value unary(unsigned op, unsigned dtype, Value a) {
    switch (op) {
    case DA_OP_NEG: return is_float(dtype) ? -a : wrapped(dtype, -__int128(a));
    case DA_OP_ABS:
        return is_float(dtype) ? std::fabs(a) : wrapped(dtype, __int128(a < 0 ? -a : a));
    case DA_OP_SQRT: return std::sqrt(double(a));
    case DA_OP_FLOOR: return std::floor(a);
    case DA_OP_CEIL: return std::ceil(a);
    case DA_OP_TRUNC: return std::trunc(a);
    case DA_OP_ROUND: return std::nearbyint(a);
    case DA_OP_ISFINITE: return std::isfinite(a);
    case DA_OP_ISINF: return std::isinf(a);
    case DA_OP_SIGNBIT: return std::signbit(a);
    case DA_OP_BITWISE_NOT: return wrapped(dtype, ~__int128(a));
    case DA_OP_SIGN: return std::isnan(a) ? a : Value(a > 0) - Value(a < 0);
    case DA_OP_ISNAN: return std::isnan(a);
    default: return a == 0;
    }
}

bool gives_bool(unsigned op, da_op_kind kind) {
    return kind == DA_KIND_COMPARE || kind == DA_KIND_LOGICAL || op == DA_OP_ISNAN ||
           op == DA_OP_ISFINITE || op == DA_OP_ISINF || op == DA_OP_SIGNBIT;
}

bool same(unsigned op, Value got, Value wanted) {
    if (std::isnan(got) || std::isnan(wanted)) return std::isnan(got) && std::isnan(wanted);
    const bool any_zero = op == DA_OP_MAXIMUM || op == DA_OP_MINIMUM || op == DA_OP_SIGN;
    return got == wanted && (got != 0 || any_zero || std::signbit(got) == std::signbit(wanted));
}

void compare(const OpFacts& facts, const Tensor& out, const std::vector<Tensor>& in, int layout) {
    CHECK(surroundings_untouched(out), "%s %s layout %d writes outside", facts.name,
          dtype_name(in[0].dtype), layout);
    for (int64_t i = 0; i < out.count(); ++i) {
        const Value a = in[0].get(i), b = in.size() > 1 ? in[1].get(i) : 0;
        const Value exact =
            in.size() > 1 ? binary(facts.op, in[0].dtype, a, b) : unary(facts.op, in[0].dtype, a);
        const Value wanted = rounded(out.dtype, exact), got = out.get(i);
        CHECK(same(facts.op, got, wanted),
              "%s %s layout %d element %ld of %ld: (%Lg, %Lg) gave %Lg, not %Lg", facts.name,
              dtype_name(in[0].dtype), layout, long(i), long(out.count()), a, b, got, wanted);
    }
}

void one_case(const OpFacts& facts, unsigned dtype, const Shape& shape, int layout, bool repeat) {
    std::mt19937_64 random(facts.op * 1000 + dtype * 10 + unsigned(layout));
    const int inputs = facts.kind == DA_KIND_UNARY ? 1 : 2;
    std::vector<Tensor> in;
    for (int i = 0; i < inputs; ++i) {
        in.emplace_back(dtype, shape, Layout((layout + i * 2) % kLayouts));
        if (repeat && i == inputs - 1 && !shape.empty()) in[i].repeat(int(shape.size()) - 1);
        in[i].randomise(random, facts.op == DA_OP_POW && i == 1);
    }
    Tensor out(gives_bool(facts.op, facts.kind) ? unsigned(DA_BOOL) : dtype, shape, Layout(layout));
    std::vector<const Tensor*> pointers;
    for (const Tensor& t : in) pointers.push_back(&t);
    CHECK(run(facts.op, pointers, out) == DA_OK, "%s %s: %s", facts.name, dtype_name(dtype),
          last_error().message);
    compare(facts, out, in, layout);
}

bool exact_here(const OpFacts& facts, unsigned dtype) {
    static const unsigned later[] = {DA_OP_CEIL,      DA_OP_TRUNC,      DA_OP_ROUND,
                                     DA_OP_ISFINITE,  DA_OP_ISINF,      DA_OP_SIGNBIT,
                                     DA_OP_NOT_EQUAL, DA_OP_LESS_EQUAL, DA_OP_BITWISE_NOT,
                                     DA_OP_COPYSIGN,  DA_OP_BITWISE_XOR};
    if (facts.op > DA_OP_RANDOM_BITS)
        return std::find(std::begin(later), std::end(later), facts.op) != std::end(later);
    if (facts.kind != DA_KIND_UNARY && facts.kind != DA_KIND_BINARY &&
        facts.kind != DA_KIND_COMPARE && facts.kind != DA_KIND_LOGICAL)
        return false;
    if (facts.op == DA_OP_EXP || facts.op == DA_OP_LOG || facts.op == DA_OP_TANH) return false;
    return facts.op != DA_OP_POW || !is_float(dtype);
}

void where_case(unsigned dtype, int layout) {
    std::mt19937_64 random(dtype);
    const Shape shape = {9, 70};
    Tensor condition(DA_BOOL, shape, Layout((layout + 1) % kLayouts));
    Tensor yes(dtype, shape, Layout(layout)), no(dtype, shape, Layout((layout + 3) % kLayouts));
    condition.randomise(random);
    yes.randomise(random);
    no.randomise(random);
    Tensor out(dtype, shape, Layout(layout));
    CHECK(run(DA_OP_WHERE, {&condition, &yes, &no}, out) == DA_OK, "where %s", dtype_name(dtype));
    CHECK(surroundings_untouched(out), "where %s writes outside", dtype_name(dtype));
    for (int64_t i = 0; i < out.count(); ++i) {
        const Tensor& from = condition.get(i) != 0 ? yes : no;
        CHECK(std::equal(&from.memory[size_t(from.offset_of(i)) * out.size],
                         &from.memory[size_t(from.offset_of(i)) * out.size] + out.size,
                         &out.memory[size_t(out.offset_of(i)) * out.size]),
              "where %s layout %d element %ld", dtype_name(dtype), layout, long(i));
    }
}

void in_place_and_immediate() {
    std::mt19937_64 random(5);
    Tensor a(DA_FLOAT32, {700}), b(DA_FLOAT32, {700});
    a.randomise(random, true);
    b.randomise(random, true);
    const Tensor before = a;
    CHECK(run(DA_OP_SUB, {&b, &a}, a) == DA_OK, "in place");
    for (int64_t i = 0; i < a.count(); ++i)
        CHECK(a.get(i) == rounded(DA_FLOAT32, b.get(i) - before.get(i)), "in place, element %ld",
              long(i));
    const float two = 2;
    for (int64_t n : {1, 5, 512, 700}) {
        Tensor x(DA_FLOAT32, {n}), out(DA_FLOAT32, {n});
        x.randomise(random, true);
        da_tensor tensors[3] = {x.view(), {}, out.view()};
        tensors[1].data = const_cast<float*>(&two);
        tensors[1].dtype = DA_FLOAT32;
        tensors[1].flags = DA_TENSOR_IMMEDIATE | DA_TENSOR_CONTIGUOUS;
        const dab_call call = {sizeof(dab_call), DA_OP_DIV,      2, 1, tensors,
                               nullptr,          backend.stream, 0, 0};
        CHECK(backend.ops[DA_OP_DIV]->run(backend.self, &call) == DA_OK, "immediate");
        for (int64_t i = 0; i < n; ++i) CHECK(out.get(i) == x.get(i) / 2, "immediate %ld", long(i));
    }
}

} // namespace

void test_elementwise() {
    const std::vector<Shape> shapes = {{},     {1},      {7},          {130},
                                       {3, 5}, {17, 33}, {2, 3, 4, 5}, {2, 600}};
    for (const OpFacts& facts : op_facts())
        for (unsigned dtype = 0; dtype <= DA_FLOAT64; ++dtype) {
            if (!(facts.dtypes >> dtype & 1) || !exact_here(facts, dtype)) continue;
            for (const Shape& shape : shapes)
                for (int layout = 0; layout < kLayouts; ++layout)
                    one_case(facts, dtype, shape, layout, (layout + int(shape.size())) % 3 == 2);
        }
    for (unsigned dtype = 0; dtype <= DA_FLOAT64; ++dtype)
        for (int layout = 0; layout < kLayouts; ++layout) where_case(dtype, layout);
    const Shape large = {3, 50000};
    one_case(op_facts()[DA_OP_ADD - 1], DA_FLOAT32, large, kDense, false);
    one_case(op_facts()[DA_OP_ADD - 1], DA_BFLOAT16, large, kTransposed, true);
    // Inputs that lie across the output, in both directions, and short rows.
    for (int layout = 0; layout < kLayouts; ++layout) {
        one_case(op_facts()[DA_OP_SUB - 1], DA_FLOAT32, {300, 400}, layout, layout % 2 == 1);
        one_case(op_facts()[DA_OP_SUB - 1], DA_FLOAT16, {400, 5, 70}, layout, layout % 2 == 0);
        one_case(op_facts()[DA_OP_SUB - 1], DA_INT32, {900, 3}, layout, layout % 2 == 0);
        one_case(op_facts()[DA_OP_LESS - 1], DA_FLOAT32, {200, 3, 5}, layout, layout % 2 == 1);
    }
    in_place_and_immediate();
}

} // namespace test
